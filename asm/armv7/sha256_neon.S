/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_neon - SHA-256 block function, vector schedule, scalar rounds
 *
 *   void hk_sha256_neon(uint32_t state[8], const uint8_t *data,
 *                       size_t nblocks);
 *
 * Needs     NEON
 * Stack     120 bytes: W + K of 16 rounds, three pointers, saved registers
 * Method    four words of the schedule at once, of which the last two need the
 *           first two; W + K is handed over on the stack four steps ahead. The
 *           last four steps load the next block; the last block loads itself
 *           again. Sixteen rounds are unrolled, once with the schedule (run
 *           three times) and once with the next block
 * Bound     1024 operations for the rounds and 32 loads in the scalar
 *           pipelines, 390 vector operations beside them
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0, r1   W + K of two rounds
 *   r2, r3   scratch; r3 and r12 take turns as a ^ b and b ^ c
 *   r4-r11   a..h, renamed by the rounds, never moved
 *   lr       the next constants
 *   q0-q3    16 words of the schedule, a ring of four vectors
 *   q8-q11, d24-d26   scratch     q14, q15   K, and W + K
 */
        .arch   armv7-a
        .fpu    neon
#include "abi.inc"

w0      .req    r0
w1      .req    r1
x       .req    r2
y       .req    r3
va      .req    r4
vb      .req    r5
vc      .req    r6
vd      .req    r7
ve      .req    r8
vf      .req    r9
vg      .req    r10
vh      .req    r11
m       .req    r12
k       .req    lr
t0      .req    q8
t1      .req    q9
t2      .req    q10
t3      .req    q11
u0      .req    d24
u1      .req    d25
u2      .req    d26
kt      .req    q14
wk      .req    q15
wk_low  .req    d30
wk_high .req    d31

#define K_END           64      /* in the frame, above W + K: the end of the */
#define DATA            68      /* constants, the next block, the end of the */
#define END             72      /* data */
#define FRAME           80
#define STATE           FRAME   /* the register saved lowest */

/* put i, w: W + K of step i from w and kt, into a ring of four steps */
        .macro  put i, w
        vadd.i32 wk, \w, kt
        vstr    wk_low, [sp, #16 * \i]
        vstr    wk_high, [sp, #16 * \i + 8]
        .endm

/* schedule i, part, registers: one instruction of the vector work of step i,
 * where W[t-16..t-1] are in x0 to x3 and W[t..t+3] comes into x0: l0 and h0 are
 * its halves, h3 is the upper half of x3. */
        .macro  schedule i, part, x0, x1, x2, x3, l0, h0, h3
        .if     \part == 0
        vext.8  t0, \x0, \x1, #4       @ W[t-15]
        .elseif \part == 1
        vext.8  t3, \x2, \x3, #4       @ W[t-7]
        .elseif \part == 2
        vshr.u32 u0, \h3, #17
        .elseif \part == 3
        vshr.u32 t1, t0, #7
        .elseif \part == 4
        vsli.32 u0, \h3, #15
        .elseif \part == 5
        vsli.32 t1, t0, #25
        .elseif \part == 6
        vshr.u32 u1, \h3, #19
        .elseif \part == 7
        vadd.i32 \x0, \x0, t3
        .elseif \part == 8
        vsli.32 u1, \h3, #13
        .elseif \part == 9
        vshr.u32 t2, t0, #18
        .elseif \part == 10
        vshr.u32 u2, \h3, #10
        .elseif \part == 11
        vsli.32 t2, t0, #14
        .elseif \part == 12
        veor    u0, u0, u1
        .elseif \part == 13
        vshr.u32 t3, t0, #3
        .elseif \part == 14
        veor    u0, u0, u2              @ sigma1(W[t-2]), two words
        .elseif \part == 15
        veor    t1, t1, t2
        .elseif \part == 16
        veor    t1, t1, t3              @ sigma0(W[t-15])
        .elseif \part == 17
        vld1.32 {kt}, [k]!
        .elseif \part == 18
        vadd.i32 \x0, \x0, t1
        .elseif \part == 19
        vadd.i32 \l0, \l0, u0           @ the first two words
        .elseif \part == 20
        vshr.u32 u0, \l0, #17
        .elseif \part == 21
        vshr.u32 u1, \l0, #19
        .elseif \part == 22
        vsli.32 u0, \l0, #15
        .elseif \part == 23
        vsli.32 u1, \l0, #13
        .elseif \part == 24
        vshr.u32 u2, \l0, #10
        .elseif \part == 25
        veor    u0, u0, u1
        .elseif \part == 26
        veor    u0, u0, u2
        .elseif \part == 27
        vadd.i32 \h0, \h0, u0           @ and the other two
        .elseif \part == 28
        vadd.i32 wk, \x0, kt
        .elseif \part == 29
        vstr    wk_low, [sp, #16 * \i]
        .elseif \part == 30
        vstr    wk_high, [sp, #16 * \i + 8]
        .endif
        .endm

/* next_block: the same for four words of the next block, or of this one if it
 * was the last: EQ from here to the end of the loop. Part 0 of step 0 loads. */
        .macro  next_block i, part, x0, x1, x2, x3, l0, h0, h3
        .if     \i == 0 && \part == 0
        ldr     x, [sp, #DATA]
        ldr     y, [sp, #END]
        sub     k, k, #4 * 64
        cmp     x, y
        subeq   x, x, #64
        vld1.8  {q0, q1}, [x]!
        vld1.8  {q2, q3}, [x]!
        str     x, [sp, #DATA]
        .elseif \part == 8
        vrev32.8 \x0, \x0
        vld1.32 {kt}, [k]!
        .elseif \part == 20
        put     \i, \x0
        .endif
        .endm

/* one_round: a round on W + K in w, with four parts of the vector work among
 * it. m holds b ^ c, y will hold a ^ b, with which the next round starts: there
 * y and m change places.
 *   Ch = ((f ^ g) & e) ^ g             Maj = ((a ^ b) & (b ^ c)) ^ b
 *   Sigma1(e) = (e ^ (e ror 5) ^ (e ror 19)) ror 6
 *   Sigma0(a) = (a ^ (a ror 11) ^ (a ror 20)) ror 2 */
        .macro  one_round a,b,c,d,e,f,g,h, y, m, w, vector, i, n, v:vararg
        add     \h, \h, \w
        .if     \n == 1
        ldrd    w0, w1, [sp, #16 * \i + 8]
        .elseif \n == 3
        ldrd    w0, w1, [sp, #16 * ((\i + 1) % 4)]
        .endif
        \vector \i, 8 * \n + 0, \v
        eor     x, \f, \g
        eor     \y, \e, \e, ror #5
        \vector \i, 8 * \n + 1, \v
        and     x, x, \e
        eor     \y, \y, \e, ror #19
        \vector \i, 8 * \n + 2, \v
        eor     x, x, \g                @ Ch
        \vector \i, 8 * \n + 3, \v
        add     \h, \h, x
        add     \h, \h, \y, ror #6      @ Sigma1
        \vector \i, 8 * \n + 4, \v
        eor     \y, \a, \b
        eor     x, \a, \a, ror #11
        \vector \i, 8 * \n + 5, \v
        add     \d, \d, \h
        and     \m, \m, \y
        \vector \i, 8 * \n + 6, \v
        eor     x, x, \a, ror #20
        eor     \m, \m, \b              @ Maj
        \vector \i, 8 * \n + 7, \v
        add     \h, \h, \m
        add     \h, \h, x, ror #2       @ Sigma0
        .endm

/* four i, vector, registers: rounds 4i to 4i + 3 of sixteen. W + K of the first
 * two is there. The names a..h move on by four. */
        .macro  four i, vector, a, b, c, d, e, f, g, h, v:vararg
        one_round \a,\b,\c,\d,\e,\f,\g,\h, y,m, w0, \vector, \i, 0, \v
        one_round \h,\a,\b,\c,\d,\e,\f,\g, m,y, w1, \vector, \i, 1, \v
        one_round \g,\h,\a,\b,\c,\d,\e,\f, y,m, w0, \vector, \i, 2, \v
        one_round \f,\g,\h,\a,\b,\c,\d,\e, m,y, w1, \vector, \i, 3, \v
        .endm

        .macro  sixteen vector
        four    0, \vector, va,vb,vc,vd,ve,vf,vg,vh, q0,q1,q2,q3, d0,d1,d7
        four    1, \vector, ve,vf,vg,vh,va,vb,vc,vd, q1,q2,q3,q0, d2,d3,d1
        four    2, \vector, va,vb,vc,vd,ve,vf,vg,vh, q2,q3,q0,q1, d4,d5,d3
        four    3, \vector, ve,vf,vg,vh,va,vb,vc,vd, q3,q0,q1,q2, d6,d7,d5
        .endm

        kernel  hk_sha256_neon, arm
        cmp     r2, #0
        bxeq    lr
        save    r0, r4, r5, r6, r7, r8, r9, r10, r11, lr
        alloc   FRAME
        address_v7 k, .Lconstants
        add     r2, r1, r2, lsl #6
        vld1.8  {q0, q1}, [r1]!
        vld1.8  {q2, q3}, [r1]!
        add     r3, k, #4 * 64
        str     r3, [sp, #K_END]
        str     r1, [sp, #DATA]
        str     r2, [sp, #END]
        ldm     r0, {va, vb, vc, vd, ve, vf, vg, vh}
        .irp    i, 0, 1, 2, 3
        vrev32.8 q\i, q\i
        vld1.32 {kt}, [k]!
        put     \i, q\i
        .endr

.Lnext_block:
        ldrd    w0, w1, [sp]
        eor     m, vb, vc
.Lnext_rounds:
        sixteen schedule
        ldr     x, [sp, #K_END]
        cmp     k, x
        bne     .Lnext_rounds
        sixteen next_block

        @ The chaining value, section 6.2.2, step 4.
        ldr     x, [sp, #STATE]
        ldm     x!, {r0, r1, r3, r12}
        add     va, va, r0
        add     vb, vb, r1
        add     vc, vc, r3
        add     vd, vd, r12
        ldm     x!, {r0, r1, r3, r12}
        sub     x, x, #4 * 8
        add     ve, ve, r0
        add     vf, vf, r1
        add     vg, vg, r3
        add     vh, vh, r12
        stm     x, {va, vb, vc, vd, ve, vf, vg, vh}
        bne     .Lnext_block

        release FRAME
        pop     {r0, r4, r5, r6, r7, r8, r9, r10, r11, pc}
        endkernel hk_sha256_neon

        .macro  K32 a, b, c, d
        .word   \a, \b, \c, \d
        .endm

        constants
.Lconstants:
#include "sha256_k.inc"
