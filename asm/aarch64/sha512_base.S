/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_base - SHA-512 block function, general registers
 *
 *   void hk_sha512_base(uint64_t state[8], const uint8_t *data,
 *                       size_t nblocks);
 *
 * Needs     any AArch64
 * Stack     128 bytes
 * Method    as hk_sha256_base: the whole schedule in 16 registers, four passes
 *           of 16 rounds that renew it and one that does not (see sha2.inc).
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
#include "sha512.inc"

        .macro  load_block
        ldp     x8, x9, [s_x]
        ldp     x10, x11, [s_x, #16]
        ldp     x12, x13, [s_x, #32]
        ldp     x14, x15, [s_x, #48]
        ldp     x16, x17, [s_x, #64]
        ldp     x19, x20, [s_x, #80]
        ldp     x21, x22, [s_x, #96]
        ldp     x23, x24, [s_x, #112]
        .irp    word, 8, 9, 10, 11, 12, 13, 14, 15, \
                16, 17, 19, 20, 21, 22, 23, 24
        rev     x\word, x\word
        .endr
        .endm

kernel hk_sha512_base
        sha2_kernel
endkernel hk_sha512_base
