/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_strict - SHA-256 block function, byte loads only
 *
 *   void hk_sha256_strict(uint32_t state[8], const uint8_t *data,
 *                         size_t nblocks);
 *
 * Needs     any AArch64
 * Stack     128 bytes
 * Method    as hk_sha256_base, but the message is read byte by byte: for code
 *           that runs with the MMU off, where an unaligned access faults.
 * Bound     as hk_sha256_base, with 92 instructions more a block
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   as listed in sha2.inc
 */
        .arch   armv8-a
#include "abi.inc"
#include "sha256.inc"

// load_word t: word t of the block, by its four bytes
        .macro  load_word t
        alias_word new, w, \t
        ldrb    new, [s_x, #4 * \t + 3]
        ldrb    w26, [s_x, #4 * \t + 2]
        ldrb    w27, [s_x, #4 * \t + 1]
        ldrb    w28, [s_x, #4 * \t]
        orr     new, new, w26, lsl #8
        orr     new, new, w27, lsl #16
        orr     new, new, w28, lsl #24
        .endm

        .macro  load_block
        .irp    t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        load_word \t
        .endr
        .endm

kernel hk_sha256_strict
        sha2_kernel
endkernel hk_sha256_strict
