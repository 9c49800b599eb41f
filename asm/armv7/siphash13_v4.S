/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_siphash13_v4 - SipHash-1-3 of a whole message, ARM state, byte loads
 *
 *   uint64_t hk_siphash13_v4(const uint8_t key[16], const uint8_t *data,
 *                            size_t length);
 *
 * Needs     A32
 * Stack     40 bytes: saved registers, the last word
 * Method    24 instructions a round, none of them a move: registers change
 *           roles (siphash.inc); bytes are put together, since ARMv4 and v5
 *           cannot load a word from any address; the tail is a jump into a row
 *           of loads
 * Bound     instructions: 24 a word in the rounds alone
 * Origin    written from Aumasson and Bernstein 2012; no code taken
 *
 * Registers
 *   as listed in siphash.inc
 */
        .arch   armv4t
#include "abi.inc"
#include "siphash.inc"
#include "siphash_bytes.inc"

/* Four bytes of a constant, each an immediate. */
        .macro  eor_constant reg, value
        .irp    shift, 0, 8, 16, 24
        eor     \reg, \reg, #(\value) & (0xff << \shift)
        .endr
        .endm

        kernel  hk_siphash13_v4, arm
        siphash 1, 3
        endkernel hk_siphash13_v4
