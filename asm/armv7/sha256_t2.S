/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_t2 - SHA-256 block function, Thumb-2
 *
 *   void hk_sha256_t2(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     T2
 * Stack     120 bytes: the ring of 16 words, four pointers, saved registers
 * Method    a pass through the ring of sixteen words is unrolled, once with the
 *           schedule (run three times) and once without (sha256.inc). Each
 *           message word is one LDR, unaligned if it must be
 * Bound     1088 operations for the rounds, 432 for the schedule, 300 loads and
 *           stores: one pipeline (Cortex-M3, M4) takes them one after another.
 *           Two pipelines (Cortex-M7) are held by having one scratch register
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r3   words of the schedule, a ^ b, scratch: four roles that move on
 *   r4-r8, r10-r12   a..h, renamed by the rounds, never moved
 *   lr      the constants of this pass; then state
 */
        .arch   armv7
#include "abi.inc"
#include "sha256.inc"

        kernel  hk_sha256_t2, thumb
        cbnz    r2, .Lstart
        bx      lr
.Lstart:
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        address_t2 k, .Lconstants
        enter
        blocks  load_words
        pop     {r0, r4, r5, r6, r7, r8, r10, r11, pc}
        endkernel hk_sha256_t2

        constants
.Lconstants:
#include "sha256_k.inc"
