/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_neon - SHA-512 block function, 64-bit words in vector registers
 *
 *   void hk_sha512_neon(uint64_t state[8], const uint8_t *data,
 *                       size_t nblocks);
 *
 * Needs     NEON
 * Stack     64 bytes: saved registers
 * Method    rounds on one word a register, the schedule on two; a rotation is a
 *           shift and a shift with insertion. Sixteen rounds are unrolled, once
 *           with the schedule (run four times) and once without
 * Bound     2080 operations for the rounds and 680, most of them of two words,
 *           for schedule and constants: 2800 cycles where one starts in each
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r3, r12   state, data, blocks, the next constants, where the last begin
 *   d0-d7    a..h, renamed by the rounds, never moved
 *   q4-q6    scratch: d8-d13; in the schedule also q7
 *   q7       W + K of two rounds
 *   q8-q15   16 words of the schedule, a ring of eight pairs
 */
        .arch   armv7-a
        .fpu    neon
#include "abi.inc"

state   .req    r0
data    .req    r1
blocks  .req    r2
k       .req    r3
k_last  .req    r12
va      .req    d0
vb      .req    d1
vc      .req    d2
vd      .req    d3
ve      .req    d4
vf      .req    d5
vg      .req    d6
vh      .req    d7
u1      .req    d8
u2      .req    d9
u3      .req    d10
u4      .req    d11
choice  .req    d12
major   .req    d13
t0      .req    q4
t1      .req    q5
t2      .req    q6
t3      .req    q7
wk      .req    q7
wk_low  .req    d14
wk_high .req    d15

/* one_round: a round on W + K in w, the two Sigmas one after the other, since
 * the new e is wanted first. What is left to do is done among what follows: u4
 * is still to be added to h, the new a. So does finished, at the start of a
 * round, with a, or it is empty. */
        .macro  one_round finished, a, b, c, d, e, f, g, h, w
        vshr.u64 u1, \e, #14
        \finished
        vshr.u64 u2, \e, #18
        vmov    choice, \e
        veor    major, \a, \b
        vsli.64 u1, \e, #50
        vshr.u64 u3, \e, #41
        vsli.64 u2, \e, #46
        vbsl    choice, \f, \g          @ Ch = (e & f) | (~e & g)
        vsli.64 u3, \e, #23
        veor    u1, u1, u2
        vadd.i64 \h, \h, choice
        vshr.u64 u4, \a, #28
        veor    u1, u1, u3              @ Sigma1
        vadd.i64 \h, \h, \w
        vshr.u64 u2, \a, #34
        vsli.64 u4, \a, #36
        vadd.i64 \h, \h, u1             @ T1
        vshr.u64 u3, \a, #39
        vsli.64 u2, \a, #30
        vbsl    major, \c, \b           @ Maj: c where a and b differ, else b
        vsli.64 u3, \a, #25
        veor    u4, u4, u2
        vadd.i64 \d, \d, \h             @ the new e
        veor    u4, u4, u3              @ Sigma0
        vadd.i64 \h, \h, major
        .endm

/* two_rounds names: on W + K in wk; the names a..h move on by two */
        .macro  two_rounds a, b, c, d, e, f, g, h
        one_round "", \a,\b,\c,\d,\e,\f,\g,\h, wk_low
        one_round "vadd.i64 \h, \h, u4", \h,\a,\b,\c,\d,\e,\f,\g, wk_high
        .endm

/* schedule a, x0, ...: of the pairs x0 to x7, W[t-16..t-1], x0 becomes
 * W[t], W[t+1]; l and h are halves. W + K for the next two rounds, on x1. */
        .macro  schedule a, x0, x1, x7, l0, h0, h4, l5
        vext.8  t3, \x0, \x1, #8        @ W[t-15]
        vadd.i64 \a, \a, u4
        vshr.u64 t0, \x7, #19
        vshr.u64 t1, \x7, #61
        vshr.u64 t2, t3, #1
        vsli.64 t0, \x7, #45
        vsli.64 t1, \x7, #3
        vsli.64 t2, t3, #63
        vadd.i64 \l0, \l0, \h4          @ W[t-7]
        veor    t0, t0, t1
        vshr.u64 t1, \x7, #6
        vadd.i64 \h0, \h0, \l5
        veor    t0, t0, t1              @ sigma1(W[t-2])
        vshr.u64 t1, t3, #8
        vadd.i64 \x0, \x0, t0
        vshr.u64 t0, t3, #7
        vsli.64 t1, t3, #56
        veor    t2, t2, t0
        vld1.64 {wk}, [k:128]!
        veor    t2, t2, t1              @ sigma0(W[t-15])
        vadd.i64 wk, wk, \x1
        vadd.i64 \x0, \x0, t2
        .endm

/* add_k: in the last sixteen rounds only W + K for the next two
 * last: and after the very last not even that */
        .macro  add_k a, x0, x1, others:vararg
        vld1.64 {wk}, [k:128]!
        vadd.i64 \a, \a, u4
        vadd.i64 wk, wk, \x1
        .endm

        .macro  last a, others:vararg
        vadd.i64 \a, \a, u4
        .endm

/* sixteen work, end: sixteen rounds, each pair of the ring followed by work on
 * it, the last one by end */
        .macro  sixteen work, end
        two_rounds va,vb,vc,vd,ve,vf,vg,vh
        \work   vg, q8, q9, q15, d16, d17, d25, d26
        two_rounds vg,vh,va,vb,vc,vd,ve,vf
        \work   ve, q9, q10, q8, d18, d19, d27, d28
        two_rounds ve,vf,vg,vh,va,vb,vc,vd
        \work   vc, q10, q11, q9, d20, d21, d29, d30
        two_rounds vc,vd,ve,vf,vg,vh,va,vb
        \work   va, q11, q12, q10, d22, d23, d31, d16
        two_rounds va,vb,vc,vd,ve,vf,vg,vh
        \work   vg, q12, q13, q11, d24, d25, d17, d18
        two_rounds vg,vh,va,vb,vc,vd,ve,vf
        \work   ve, q13, q14, q12, d26, d27, d19, d20
        two_rounds ve,vf,vg,vh,va,vb,vc,vd
        \work   vc, q14, q15, q13, d28, d29, d21, d22
        two_rounds vc,vd,ve,vf,vg,vh,va,vb
        \end    va, q15, q8, q14, d30, d31, d23, d24
        .endm

        kernel  hk_sha512_neon, arm
        cmp     blocks, #0
        bxeq    lr
        save_vectors
        address_v7 k, .Lconstants
        vld1.64 {d0, d1, d2, d3}, [state]!
        add     k_last, k, #8 * 66
        vld1.64 {d4, d5, d6, d7}, [state]
        sub     state, state, #32

.Lnext_block:
        vld1.8  {d16, d17, d18, d19}, [data]!
        vld1.8  {d20, d21, d22, d23}, [data]!
        vld1.8  {d24, d25, d26, d27}, [data]!
        vld1.8  {d28, d29, d30, d31}, [data]!
        .irp    x, q8, q9, q10, q11, q12, q13, q14, q15
        vrev64.8 \x, \x
        .endr

        vld1.64 {wk}, [k:128]!
        vadd.i64 wk, wk, q8
.Lnext_rounds:
        sixteen schedule, schedule
        cmp     k, k_last
        bne     .Lnext_rounds
        sixteen add_k, last

        @ Section 6.4.2, step 4.
        vld1.64 {q4, q5}, [state]!
        sub     k, k, #8 * 80
        vld1.64 {q6, q7}, [state]
        subs    blocks, blocks, #1
        vadd.i64 q0, q0, q4
        vadd.i64 q1, q1, q5
        vadd.i64 q2, q2, q6
        vadd.i64 q3, q3, q7
        vst1.64 {q2, q3}, [state]
        sub     state, state, #32
        vst1.64 {q0, q1}, [state]
        bne     .Lnext_block

        restore_vectors
        bx      lr
        endkernel hk_sha512_neon

/* The round constants, section 4.2.3 */
        .macro  K64 k, l
        .quad   \k, \l
        .endm

        constants
.Lconstants:
#include "sha512_k.inc"
