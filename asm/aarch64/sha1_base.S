/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_base - SHA-1 block function, general registers
 *
 *   void hk_sha1_base(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     any AArch64
 * Stack     96 bytes
 * Method    the schedule two words to a register, never in memory; c and d
 *           rotated inside the logic instructions (see sha1.inc). The rounds
 *           and the schedule are interleaved for cores without reordering.
 * Bound     instructions over the width of the core: 2 a cycle on small ones, 3
 *           to 4 on large ones. The chain from a to a, a rotation and an ADD,
 *           is 160 to 240 cycles a block and does not show.
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   as listed in sha1.inc
 */
        .arch   armv8-a
#include "abi.inc"
#include "sha1.inc"
#include "sha1_unaligned.inc"

kernel hk_sha1_base
        sha1_kernel
endkernel hk_sha1_base
