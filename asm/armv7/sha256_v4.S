/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_v4 - SHA-256 block function, ARM state, byte loads
 *
 *   void hk_sha256_v4(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     A32
 * Stack     120 bytes: the ring of 16 words, four pointers, saved registers
 * Method    a pass through the ring of sixteen words is unrolled, once with the
 *           schedule (run three times) and once without (sha256.inc). Message
 *           words are put together from bytes, since ARMv4 and v5 cannot load a
 *           word from any address
 * Bound     1088 operations for the rounds, 432 for the schedule, 48 to join
 *           bytes, 350 loads and stores, one after another (ARM7TDMI, ARM926)
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r3   words of the schedule, a ^ b, scratch: four roles that move on
 *   r4-r8, r10-r12   a..h, renamed by the rounds, never moved
 *   lr      the constants of this pass; then state
 */
        .arch   armv4t
#include "abi.inc"
#include "sha256.inc"

        kernel  hk_sha256_v4, arm
        cmp     r2, #0
        beq     .Lreturn
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        address k, .Lconstants
        enter
        blocks  load_bytes
        restore r0, r4, r5, r6, r7, r8, r10, r11, lr
.Lreturn:
        return_v4
        endkernel hk_sha256_v4

        constants
.Lconstants:
#include "sha256_k.inc"
