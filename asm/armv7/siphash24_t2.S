/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_siphash24_t2 - SipHash-2-4 of a whole message, Thumb-2
 *
 *   uint64_t hk_siphash24_t2(const uint8_t key[16], const uint8_t *data,
 *                            size_t length);
 *
 * Needs     T2
 * Stack     40 bytes: saved registers, the last word
 * Method    24 instructions a round, none of them a move: registers change
 *           roles (siphash.inc); each word is two LDR, unaligned if they must
 *           be; the tail is gathered from overlapping loads
 * Bound     instructions: 48 a word in the rounds alone
 * Origin    written from Aumasson and Bernstein 2012; no code taken
 *
 * Registers
 *   as listed in siphash.inc
 */
        .arch   armv7
#include "abi.inc"
#include "siphash.inc"
#include "siphash_unaligned.inc"

        .macro  eor_constant reg, value
        constant_t2 t, \value
        eor     \reg, \reg, t
        .endm

        kernel  hk_siphash24_t2, thumb
        siphash 2, 4
        endkernel hk_siphash24_t2
