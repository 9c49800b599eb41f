/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_siphash24_v6 - SipHash-2-4 of a whole message, ARM state
 *
 *   uint64_t hk_siphash24_v6(const uint8_t key[16], const uint8_t *data,
 *                            size_t length);
 *
 * Needs     V6
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
        .arch   armv6
#include "abi.inc"
#include "siphash.inc"
#include "siphash_unaligned.inc"

/* Four bytes of a constant, each an immediate. */
        .macro  eor_constant reg, value
        .irp    shift, 0, 8, 16, 24
        eor     \reg, \reg, #(\value) & (0xff << \shift)
        .endr
        .endm

        kernel  hk_siphash24_v6, arm
        siphash 2, 4
        endkernel hk_siphash24_v6
