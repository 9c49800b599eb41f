/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_t2_small - SHA-256 block function, Thumb-2, compact
 *
 *   void hk_sha256_t2_small(uint32_t state[8], const uint8_t *data,
 *                           size_t nblocks);
 *
 * Needs     T2
 * Stack     304 bytes: W[0..63], two pointers, saved registers
 * Method    three passes over the block: the message's words are turned, the
 *           schedule is written out, two words a step, and the rounds run
 *           through it, eight in a loop, so that a..h need not move. Registers
 *           are chosen so that many instructions take two bytes
 * Bound     1088 operations for the rounds, 432 for the schedule; the rest is
 *           loads, stores and 36 loop ends
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers, in the passes that write W and in the one that reads it
 *   r0          W[t]                          W[t]
 *   r1          data                          the next constant
 *   r2, r3      scratch                       scratch
 *   r4          W[t]                          b ^ c, and a ^ b next
 *   r5          W[t+1]                        a
 *   r6, r7      W[t+14], W[t+15]              b, c
 *   r8, r10-r12                               d..g
 *   lr          the end of the pass           h
 */
        .arch   armv7
#include "abi.inc"

word    .req    r0
data    .req    r1
k       .req    r1
v       .req    r2
w       .req    r3
m       .req    r4
w_0     .req    r4
w_1     .req    r5
w_14    .req    r6
w_15    .req    r7
va      .req    r5
vb      .req    r6
vc      .req    r7
vd      .req    r8
ve      .req    r10
vf      .req    r11
vg      .req    r12
vh      .req    lr
end     .req    lr

#define DATA            (4 * 64)        /* in the frame: the next block, */
#define END             (4 * 65)        /* and the end of the data */
#define FRAME           (4 * 67)
#define STATE           FRAME           /* the register saved lowest */

/* expand at, w_0, w_1, w_14: W[t+16], t = at for the word at "word", takes the
 * place of W[t+14]; W[t+1] comes into w_1. */
        .macro  expand at, w_0, w_1, w_14
        ldr     v, [word, #4 * (\at + 9)]
        ldr     \w_1, [word, #4 * (\at + 1)]
        adds    \w_0, \w_0, v
        ror     w, \w_1, #7             @ sigma0
        eor     w, w, \w_1, ror #18
        eor     w, w, \w_1, lsr #3
        adds    \w_0, \w_0, w
        ror     v, \w_14, #17           @ sigma1
        eor     v, v, \w_14, ror #19
        eor     v, v, \w_14, lsr #10
        adds    \w_14, \w_0, v
        str     \w_14, [word, #4 * (\at + 16)]
        .endm

/* one_round t: m holds b ^ c, w will hold a ^ b, with which the next round
 * starts: there w and m change places. */
        .macro  one_round t, a, b, c, d, e, f, g, h, w, m
        ldr     v, [word, #4 * (\t)]
        ldr     \w, [k, #4 * (\t)]
        add     \h, \h, v
        add     \h, \h, \w
        eor     \w, \f, \g              @ Ch = ((f ^ g) & e) ^ g
        eor     v, \e, \e, ror #5
        ands    \w, \w, \e
        eor     v, v, \e, ror #19
        eors    \w, \w, \g
        add     \h, \h, v, ror #6       @ Sigma1
        add     \h, \h, \w
        eor     v, \a, \a, ror #11
        eor     \w, \a, \b              @ Maj = ((a ^ b) & (b ^ c)) ^ b
        add     \d, \d, \h
        ands    \m, \m, \w
        eor     v, v, \a, ror #20
        eors    \m, \m, \b
        add     \h, \h, v, ror #2       @ Sigma0
        add     \h, \h, \m
        .endm

        .macro  rounds t, a, b, c, d, e, f, g, h
        .if     \t < 8
        one_round \t, \a, \b, \c, \d, \e, \f, \g, \h, w, m
        one_round \t+1, \h, \a, \b, \c, \d, \e, \f, \g, m, w
        rounds  \t+2, \g, \h, \a, \b, \c, \d, \e, \f
        .endif
        .endm

        kernel  hk_sha256_t2_small, thumb
        cbnz    r2, .Lstart
        bx      lr
.Lstart:
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        alloc   FRAME
        add     r2, r1, r2, lsl #6
        str     r2, [sp, #END]

.Lnext_block:
        @ Step 1 of section 6.2.2: W[0..15],
        mov     word, sp
        add     end, sp, #4 * 16
.Lmessage:
        .irp    reg, r4, r5, r6, r7
        ldr     \reg, [data], #4
        rev     \reg, \reg
        .endr
        stm     word!, {r4, r5, r6, r7}
        cmp     word, end
        bne     .Lmessage
        str     data, [sp, #DATA]

        @ and W[16..63].
        mov     word, sp
        add     end, sp, #4 * 48
        ldr     w_0, [sp]
        ldr     w_14, [sp, #4 * 14]
        ldr     w_15, [sp, #4 * 15]
.Lschedule:
        expand  0, w_0, w_1, w_14
        expand  1, w_1, w_0, w_15
        adds    word, #8
        cmp     word, end
        bne     .Lschedule

        @ Step 2.
        ldr     v, [sp, #STATE]
        ldm     v, {va, vb, vc, vd, ve, vf, vg, vh}
        eor     m, vb, vc
        mov     word, sp
        address_t2 k, .Lconstants

        @ Step 3.
.Lround:
        rounds  0, va, vb, vc, vd, ve, vf, vg, vh
        adds    word, #4 * 8
        adds    k, #4 * 8
        add     v, sp, #4 * 64
        cmp     word, v
        bne     .Lround

        @ Step 4.
        ldr     r0, [sp, #STATE]
        ldm     r0!, {r1, r2, r3, r4}
        add     va, va, r1
        add     vb, vb, r2
        add     vc, vc, r3
        add     vd, vd, r4
        ldm     r0!, {r1, r2, r3, r4}
        subs    r0, #4 * 8
        add     ve, ve, r1
        add     vf, vf, r2
        add     vg, vg, r3
        add     vh, vh, r4
        stm     r0, {va, vb, vc, vd, ve, vf, vg, vh}
        ldr     data, [sp, #DATA]
        ldr     r2, [sp, #END]
        cmp     data, r2
        bne     .Lnext_block

        release FRAME
        pop     {r0, r4, r5, r6, r7, r8, r10, r11, pc}
        endkernel hk_sha256_t2_small

        .macro  K32 a, b, c, d
        .word   \a, \b, \c, \d
        .endm

        constants
.Lconstants:
#include "sha256_k.inc"
