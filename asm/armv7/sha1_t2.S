/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_t2 - SHA-1 block function, Thumb-2, unrolled
 *
 *   void hk_sha1_t2(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     T2
 * Stack     112 bytes: the ring of 16 words, two pointers, saved registers
 * Method    all rotations ride on other instructions (sha1.inc). Each message
 *           word is one LDR, unaligned if it must be, and each W[t] is stored
 *           once, as soon as it exists; the last three stay in registers too
 * Bound     540 operations for the rounds, 192 exclusive ors, 272 loads and
 *           stores: one pipeline (Cortex-M3, M4) takes them one after another,
 *           a load group costing one cycle more. Two pipelines (Cortex-M7) are
 *           held by the 440 rotating operands, one a cycle
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r3   the last three words of the schedule, and the next
 *   r4, r5  words of the ring on their way; r5 also data
 *   r6      scratch of the round function
 *   r7, r8, r10, r11, r12   a..e, renamed by the rounds, never moved
 *   lr      the round constant; then state
 */
        .arch   armv7
#include "abi.inc"
#include "sha1.inc"

w0      .req    r0
w1      .req    r1
w2      .req    r2
w3      .req    r3
y0      .req    r4
y1      .req    r5
data    .req    r5
x       .req    r6
va      .req    r7
vb      .req    r8
vc      .req    r10
vd      .req    r11
ve      .req    r12
k       .req    lr
state   .req    lr

#define FRAME           76
#define NEXT            64      /* in the frame: data of the next block, */
#define END             68      /* and the end of all data; */
#define STATE           76      /* state is the register saved lowest */

        .macro  load_word n, p, t
        ldr     \n, [data, #4 * \t]
        .endm

        .macro  join_word n, p, t
        rev     \n, \n
        .endm

        kernel  hk_sha1_t2, thumb
        cbnz    r2, .Lstart
        bx      lr
.Lstart:
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        alloc   FRAME
        add     w3, r1, r2, lsl #6
        mov     data, r1
        str     w3, [sp, #END]
        ldm     r0, {va, vb, vc, vd, ve}

.Lnext_block:
        @ c, d and e as they were before their rotation; the first word.
        ldr     w2, [data]
        add     w3, data, #64
        str     w3, [sp, #NEXT]
        ror     vc, vc, #30
        ror     vd, vd, #30
        ror     ve, ve, #30
        rev     w2, w2
        str     w2, [sp]

        .set    .Lt, 0
        constant_t2 k, K_0
        rounds  10, ch, va, vb, vc, vd, ve, w0, w1, w2, w3
        constant_t2 k, K_20
        rounds  10, parity, va, vb, vc, vd, ve, w0, w1, w2, w3
        constant_t2 k, K_40
        rounds  10, maj, va, vb, vc, vd, ve, w0, w1, w2, w3
        constant_t2 k, K_60
        rounds  10, parity, va, vb, vc, vd, ve, w0, w1, w2, w3

        @ The chaining value, section 6.1.2, step 4.
        ldr     state, [sp, #STATE]
        ldm     state, {w0, w1, w2, w3, y0}
        add     va, va, w0
        add     vb, vb, w1
        add     vc, w2, vc, ror #2
        add     vd, w3, vd, ror #2
        add     ve, y0, ve, ror #2
        ldr     data, [sp, #NEXT]
        ldr     w3, [sp, #END]
        stm     state, {va, vb, vc, vd, ve}
        cmp     data, w3
        bne     .Lnext_block

        release FRAME
        pop     {r0, r4, r5, r6, r7, r8, r10, r11, pc}
        endkernel hk_sha1_t2
