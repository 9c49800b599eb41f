/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_neon - SHA-1 block function, vector schedule beside scalar rounds
 *
 *   void hk_sha1_neon(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     NEON
 * Stack     168 bytes: W + K of 16 rounds, saved registers
 * Method    four words of the schedule at once, W + K handed over on the stack
 *           four steps ahead. From W[32] on by the recurrence over 6, 16, 28
 *           and 32 words, which gives four words independent of each other
 *           (Locktyukhin, 2010). The last four steps load the next block; the
 *           last block loads itself again
 * Bound     460 operations for the rounds and 40 loads in the scalar pipelines,
 *           160 vector operations beside them
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r3     W + K of four rounds
 *   r4-r8     a..e, renamed by the rounds, never moved
 *   r9        scratch of the round function; then state
 *   r10, r11  where W + K goes, and -48, the way back to its start
 *   r12, lr   data and its end
 *   q0-q3, q8-q11   W[4i..4i+3] of the last eight steps i
 *   q4-q7     K of rounds 0, 20, 40, 60, in each lane
 *   q12, q13  scratch     q15  zero
 */
        .arch   armv7-a
        .fpu    neon
#include "abi.inc"
#include "sha1.inc"
        .altmacro

w0      .req    r0
w1      .req    r1
w2      .req    r2
w3      .req    r3
va      .req    r4
vb      .req    r5
vc      .req    r6
vd      .req    r7
ve      .req    r8
x       .req    r9
state   .req    r9
out     .req    r10
back    .req    r11
data    .req    r12
end     .req    lr
t0      .req    q12
t1      .req    q13
zero    .req    q15

#define FRAME           64              /* W + K: 4 steps of 4 words */
#define STATE           (FRAME + 64)    /* above d8-d15 */

/* X(i): the number of the register of W[4i..4i+3]; K(i): that of its K */
#define X(i)            ((i)%8+4*((i)%8/4))
#define K(i)            (4+(i)/5)

/* put: W + K of step i from t1, into a ring of four steps */
        .macro  put i
        .if     (\i) % 4 == 3
        vst1.32 {t1}, [out:64], back
        .else
        vst1.32 {t1}, [out:64]!
        .endif
        .endm

/* vector i, part: a quarter of the vector work of step i, which is the words of
 * step i + 4; x\n is the register of n steps before those. */
        .macro  vector i, part
        .if     \i < 4
        first_  \i,\part,%X(\i+4),%X(\i),%X(\i+1),%X(\i+2),%X(\i+3),%K(\i+4)
        .elseif \i < 16
        later_  \i,\part,%X(\i+4),%X(\i+5),%X(\i),%X(\i+2),%X(\i+3),%K(\i+4)
        .else
        next_   \i, \part
        .endif
        .endm

/* first_: W[t] = (W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]) rol 1. The last of four
 * words needs the first: its share, rotated once more, comes in later. */
        .macro  first_ i, part, new, x4, x3, x2, x1, k
        .if     \part == 0
        vext.8  q\new, q\x4, q\x3, #8   @ W[t-14]
        veor    q\new, q\new, q\x4
        veor    q\new, q\new, q\x2
        .elseif \part == 1
        vext.8  t0, q\x1, zero, #4      @ W[t-3], and 0 for the last
        veor    t0, t0, q\new
        vadd.i32 q\new, t0, t0
        .elseif \part == 2
        vsri.32 q\new, t0, #31
        vext.8  t1, zero, t0, #4        @ 0, 0, 0, first
        vshr.u32 t0, t1, #30
        .else
        vsli.32 t0, t1, #2
        veor    q\new, q\new, t0
        vadd.i32 t1, q\new, q\k
        put     \i
        .endif
        .endm

/* later_: W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) rol 2 */
        .macro  later_ i, part, new, x7, x4, x2, x1, k
        .if     \part == 0
        vext.8  t0, q\x2, q\x1, #8      @ W[t-6]
        veor    q\new, q\new, q\x7
        .elseif \part == 1
        veor    q\new, q\new, q\x4
        veor    t0, t0, q\new
        .elseif \part == 2
        vshr.u32 q\new, t0, #30
        vsli.32 q\new, t0, #2
        .else
        vadd.i32 t1, q\new, q\k
        put     \i
        .endif
        .endm

/* next_: the next block, or this one again if it was the last: EQ from here to
 * the end of the loop */
        .macro  next_ i, part
        .set    .Lpart, 4 * (\i - 16) + \part
        .if     .Lpart == 0
        cmp     data, end
        subeq   data, data, #64
        .elseif .Lpart == 1
        vld1.8  {q0, q1}, [data]!
        .elseif .Lpart == 2
        vld1.8  {q2, q3}, [data]!
        .elseif .Lpart == 3
        vrev32.8 q0, q0
        .elseif .Lpart == 4
        vadd.i32 t1, q0, q4
        vrev32.8 q1, q1
        .elseif .Lpart == 5
        put     0
        .elseif .Lpart == 6
        vadd.i32 t1, q1, q4
        .elseif .Lpart == 7
        vrev32.8 q2, q2
        .elseif .Lpart == 8
        put     1
        .elseif .Lpart == 9
        vadd.i32 t1, q2, q4
        .elseif .Lpart == 10
        vrev32.8 q3, q3
        .elseif .Lpart == 11
        put     2
        .elseif .Lpart == 12
        vadd.i32 t1, q3, q4
        .elseif .Lpart == 13
        put     3
        .endif
        .endm

/* round: round 4i + part on W + K in w; scalar and vector work alternate. */
        .macro  round f, a, b, c, d, e, w, i, part
        add     \e, \w, \e, ror #2
        \f\()_1 \e, \b, \c, \d, x
        vector  \i, \part
        \f\()_2 \e, \b, \c, \d, x
        add     \e, \e, x
        add     \e, \e, \a, ror #27
        .endm

/* step: rounds 4i to 4i + 3. w0 and w1 are there; those of the next step are
 * loaded as soon as the registers are free. */
        .macro  step f, i, a, b, c, d, e
        ldrd    w2, w3, [sp, #16 * ((\i) % 4) + 8]
        round   \f, \a, \b, \c, \d, \e, w0, \i, 0
        round   \f, \e, \a, \b, \c, \d, w1, \i, 1
        ldrd    w0, w1, [sp, #16 * ((\i + 1) % 4)]
        round   \f, \d, \e, \a, \b, \c, w2, \i, 2
        round   \f, \c, \d, \e, \a, \b, w3, \i, 3
        .endm

/* twenty: five steps bring the names a..e back to their places. */
        .macro  twenty f, i
        step    \f, %(\i), va, vb, vc, vd, ve
        step    \f, %(\i+1), vb, vc, vd, ve, va
        step    \f, %(\i+2), vc, vd, ve, va, vb
        step    \f, %(\i+3), vd, ve, va, vb, vc
        step    \f, %(\i+4), ve, va, vb, vc, vd
        .endm

        kernel  hk_sha1_neon, arm
        cmp     r2, #0
        bxeq    lr
        save    r0, r4, r5, r6, r7, r8, r9, r10, r11, lr
        save_vectors
        alloc   FRAME
        add     end, r1, r2, lsl #6
        mov     data, r1
        ldm     r0, {va, vb, vc, vd, ve}
        constant_t2 r3, K_0
        vdup.32 q4, r3
        constant_t2 r3, K_20
        vdup.32 q5, r3
        constant_t2 r3, K_40
        vdup.32 q6, r3
        constant_t2 r3, K_60
        vdup.32 q7, r3
        vmov.i32 zero, #0
        mov     back, #-48
        mov     out, sp

        @ The first block.
        vld1.8  {q0, q1}, [data]!
        vld1.8  {q2, q3}, [data]!
        .irp    i, 0, 1, 2, 3
        vrev32.8 q\i, q\i
        vadd.i32 t1, q\i, q4
        put     \i
        .endr
        ldrd    w0, w1, [sp]

.Lnext_block:
        @ c, d and e as they were before their rotation.
        mov     vc, vc, ror #30
        mov     vd, vd, ror #30
        mov     ve, ve, ror #30
        twenty  ch, 0
        twenty  parity, 5
        twenty  maj, 10
        twenty  parity, 15

        @ The chaining value, section 6.1.2, step 4. w0 and w1 are taken.
        ldr     state, [sp, #STATE]
        ldrd    w2, w3, [state]
        add     va, va, w2
        add     vb, vb, w3
        ldrd    w2, w3, [state, #8]
        add     vc, w2, vc, ror #2
        add     vd, w3, vd, ror #2
        ldr     w2, [state, #16]
        add     ve, w2, ve, ror #2
        stm     state, {va, vb, vc, vd, ve}
        bne     .Lnext_block

        release FRAME
        restore_vectors
        pop     {r0, r4, r5, r6, r7, r8, r9, r10, r11, pc}
        endkernel hk_sha1_neon
