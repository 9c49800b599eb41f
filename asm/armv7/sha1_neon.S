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

/* K(i): the number of the register of K of step i */
#define K(i)            (4+(i)/5)
#include "sha1_neon.inc"

/* put: W + K of step i from t1, into a ring of four steps */
        .macro  put i
        .if     (\i) % 4 == 3
        vst1.32 {t1}, [out:64], back
        .else
        vst1.32 {t1}, [out:64]!
        .endif
        .endm

/* next_data: the next block, or this one again if it was the last */
        .macro  next_data
        cmp     data, end
        subeq   data, data, #64
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

        first_block

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
