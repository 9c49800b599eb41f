/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_base - SHA-256 block function, general registers
 *
 *   void hk_sha256_base(uint32_t state[8], const uint8_t *data,
 *                       size_t nblocks);
 *
 * Needs     any AArch64
 * Stack     128 bytes
 * Method    the whole schedule in 16 registers, three passes of 16 rounds that
 *           renew it and one that does not; W + K is added a round ahead, and
 *           Maj takes a ^ b from the round before (see sha2.inc).
 * Bound     instructions over the width of the core: 2 a cycle on small ones, 3
 *           to 4 on large ones. The chain from e to e, about 6 cycles a round,
 *           is a third of that.
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   as listed in sha2.inc
 */
        .arch   armv8-a
#include "abi.inc"
#include "sha256.inc"

// high_word low, high: high = the upper word in low, in the next register
        .macro  high_word low, high
        lsr     x\high, x\low, #32
        .endm

        .macro  load_block
        ldp     x8, x10, [s_x]
        ldp     x12, x14, [s_x, #16]
        ldp     x16, x19, [s_x, #32]
        ldp     x21, x23, [s_x, #48]
        .irp    even, 8, 10, 12, 14, 16, 19, 21, 23
        rev32   x\even, x\even
        .endr
        .irp    even, 8, 10, 12, 14, 16, 19, 21, 23
        high_word \even, %(\even + 1)
        .endr
        .endm

kernel hk_sha256_base
        sha2_kernel
endkernel hk_sha256_base
