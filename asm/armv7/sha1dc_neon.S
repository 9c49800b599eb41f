/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1dc_neon - SHA-1 with collision detection, vectors beside scalar rounds
 *
 *   size_t hk_sha1dc_neon(uint32_t state[10], const uint8_t *data,
 *                         size_t nblocks, uint32_t masks[]);
 *
 * Needs     NEON
 * Stack     568 bytes
 * Method    rounds and schedule of hk_sha1_neon. The NEON unit, half idle
 *           there, makes bit planes of the schedule and from them the
 *           candidates, the vectors whose conditions hold (see sha1dc.inc),
 *           beside the rounds. A candidate is tried on the spot from a step
 *           where both blocks have the same state, to the end and then from the
 *           start to that step: it must come to that state.
 * Bound     the 680 instructions of hk_sha1_neon and 200 more, nearly all in
 *           the NEON unit: 340 there
 * Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
 *
 * Registers
 *   r0-r3     W + K of four rounds
 *   r4-r8     a..e, renamed by the rounds, never moved
 *   r9        scratch of the round function; then state
 *   r10, r11  where W + K goes, and the next constants
 *   r12, lr   data and how many blocks there are after this one
 *   q0-q3, q8-q11   W[4i..4i+3] of the last eight steps i
 *   q4        K in each lane
 *   q12, q13  scratch     q15  zero
 *   q5-q7, q14; q8-q12, q15 in the end   planes and relations
 *   of a trial:
 *   r0 word   r1 K   r2 next word   r3 where to stop   r4-r8 a..e   r10 limit
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
table   .req    r11
data    .req    r12
left    .req    lr
t0      .req    q12
t1      .req    q13
zero    .req    q15

word    .req    r0
k       .req    r1
next    .req    r2
stop    .req    r3
limit   .req    r10

/* The frame, from the stack pointer up: W + K, 4 steps of 4 words */
#define STATES          64              /* a..e before rounds 55, 60, 65 */
#define VECTORS         124             /* candidates not tried yet */
#define START           128             /* of a trial: its first state */
#define PAUSE           132             /* and where its first word is */
#define WORDS           136             /* of the other block */
#define FRAME           456
#define STATE           (FRAME + 64)    /* the arguments, above d8-d15 */
#define BEGIN           (STATE + 4)
#define MASKS           (STATE + 8)

/* The constants: K and those of the relations, and behind them */
#define CONSTANTS       768
#define DIFFERENCES     CONSTANTS
#define NUMBERS         (DIFFERENCES + 32 * 64)
#define STARTS          (NUMBERS + 32)

#include "sha1dc.inc"

/* K(i): the number of the register of K of step i */
#define K(i)            4
#include "sha1_neon.inc"

/* ---- rounds, and all that is beside them --------------------------------- */

/* put: W + K of step i from t1, into a ring of four steps */
        .macro  put i
        vst1.32 {t1}, [out:64]!
        .if     (\i) % 4 == 3
        sub     out, out, #64
        .endif
        .endm

/* next_data: the next block, or this one again if it was the last */
        .macro  next_data
        subs    left, left, #1
        subeq   data, data, #64
        next_constants 8, 9
        .endm

/* beside i, part: planes and relations; and K of the steps to come */
        .macro  beside i, part
        .if     \part == 2 && (\i == 1 || \i == 6 || \i == 11)
        next_constants 8, 9
        .elseif \part == 3 && \i == 11
        vmov    q15, q0                 @ W[32..35]
        .elseif \part == 1 && \i >= 6 && \i <= 12
        collect %(\i + 3), %X(\i + 3)
        .elseif \i == 13
        collect_ends \part, %X(16)
        .elseif \i == 14 || \i == 15
        drain   planes, 4
        .elseif \i > 15
        drain   relations, 7
        .endif
        .endm

/* keep t: before rounds 55, 60 and 65 the state, which trials start from */
        .macro  keep t
        .if     \t == 55 || \t == 60 || \t == 65
        add     x, sp, #STATES + 4 * (\t - 55)
        stm     x, {va, vb, vc, vd, ve}
        .endif
        .endm

/* round: round 4i + part on W + K in w; scalar and vector work alternate. */
        .macro  round f, a, b, c, d, e, w, i, part
        keep    %(4 * \i + \part)
        add     \e, \w, \e, ror #2
        \f\()_1 \e, \b, \c, \d, x
        vector  \i, \part
        \f\()_2 \e, \b, \c, \d, x
        beside  \i, \part
        add     \e, \e, x
        add     \e, \e, \a, ror #27
        .endm

/* ---- trials -------------------------------------------------------------- */

/* four_words w0, w1, w2, w3: the next four words from the 16 before, in place
 * of the oldest; the last of them needs the first. */
        .macro  four_words w0, w1, w2, w3
        vext.8  q5, q\w0, q\w1, #8              @ W[t-14]
        veor    q\w0, q\w0, q\w2                @ ^ W[t-8]
        vext.8  q6, q\w3, zero, #4              @ W[t-3]
        veor    q\w0, q\w0, q5
        veor    q\w0, q\w0, q6
        vext.8  q5, zero, q\w0, #4
        vshl.i32 q6, q\w0, #1
        vshl.i32 q7, q5, #2
        vsri.32 q6, q\w0, #31
        vsri.32 q7, q5, #30
        veor    q\w0, q6, q7
        .endm

/* five_rounds f: on the words at next */
        .macro  trial_round f, a, b, c, d, e
        add     \e, k, \e, ror #2
        \f\()_1 \e, \b, \c, \d, x
        ldr     word, [next], #4
        \f\()_2 \e, \b, \c, \d, x
        add     \e, \e, word
        add     \e, \e, x
        add     \e, \e, \a, ror #27
        .endm

        .macro  five_rounds f
        trial_round \f, va, vb, vc, vd, ve
        trial_round \f, ve, va, vb, vc, vd
        trial_round \f, vd, ve, va, vb, vc
        trial_round \f, vc, vd, ve, va, vb
        trial_round \f, vb, vc, vd, ve, va
        .endm

/* rounds_to t, f, constant, again: five rounds at a time, until the words at
 * stop or those of round t */
        .macro  rounds_to t, f, constant, again
        constant_t2 k, \constant
        add     limit, sp, #WORDS + 4 * \t
\again:
        five_rounds \f
        cmp     next, stop
        beq     .Lstopped
        cmp     next, limit
        bne     \again
        .endm

        kernel  hk_sha1dc_neon, arm
        cmp     r2, #0
        moveq   r0, #0
        bxeq    lr
        save    r4, r5, r6, r7, r8, r9, r10, r11, lr
        push    {r0, r1, r3}
        .cfi_adjust_cfa_offset 12
        save_vectors
        alloc   FRAME
        mov     left, r2
        mov     data, r1
        ldm     r0, {va, vb, vc, vd, ve}
        address_v7 table, .Lconstants
        constant_t2 r3, K_0
        vdup.32 q4, r3
        vmov.i32 zero, #0
        mov     out, sp

        first_block

.Lnext_block:
        @ c, d and e as they were before their rotation.
        mov     vc, vc, ror #30
        mov     vd, vd, ror #30
        mov     ve, ve, ror #30
        open    planes
        open    relations
        twenty  ch, 0
        twenty  parity, 5
        twenty  maj, 10
        twenty  parity, 15
        sub     table, table, #CONSTANTS

        @ The second half of the state is added, for the first. w0 and w1 are
        @ taken.
        ldr     state, [sp, #STATE]
        ldr     w2, [state, #20]
        ldr     w3, [state, #24]
        add     va, va, w2
        add     vb, vb, w3
        ldr     w2, [state, #28]
        ldr     w3, [state, #32]
        add     vc, w2, vc, ror #2
        add     vd, w3, vd, ror #2
        ldr     w2, [state, #36]
        add     ve, w2, ve, ror #2
        stm     state, {va, vb, vc, vd, ve}

        @ The candidates of this block: most have none.
        vmov    w2, w3, d12
        orr     w2, w2, w3
        mvns    w2, w2
        bne     .Lsuspect
        ldr     w3, [sp, #MASKS]
        cmp     w3, #0
        bne     .Lno_mask
.Linnocent:
        add     state, state, #20
        stm     state, {va, vb, vc, vd, ve}
        cmp     left, #0
        bne     .Lnext_block
        mov     r0, #0

.Lleave:
        .cfi_remember_state
        release FRAME
        restore_vectors
        release 12
        pop     {r4, r5, r6, r7, r8, r9, r10, r11, pc}
        .cfi_restore_state

.Lno_mask:
        str     w2, [w3], #4
        str     w3, [sp, #MASKS]
        b       .Linnocent

        @ From places in w2 to the mask in r0; for the caller, if wanted.
.Lsuspect:
        mov     r0, #0
        mov     r1, #1
        add     r4, table, #NUMBERS
.Leach_place:
        rbit    r5, w2
        clz     r5, r5
        bic     w2, w2, r1, lsl r5
        ldrb    r5, [r4, r5]
        orr     r0, r0, r1, lsl r5
        cmp     w2, #0
        bne     .Leach_place
        ldr     r3, [sp, #MASKS]
        cmp     r3, #0
        strne   r0, [r3], #4
        strne   r3, [sp, #MASKS]

        @ Each vector: r3 its difference, r5 five times the number of its start,
.Leach_vector:
        mov     r1, #1
        add     r2, table, #STARTS
        rbit    r4, r0
        clz     r4, r4
        bic     r0, r0, r1, lsl r4
        str     r0, [sp, #VECTORS]
        ldrb    r5, [r2, r4]
        add     r3, table, #DIFFERENCES
        add     r3, r3, r4, lsl #6
        add     r5, r5, r5, lsl #2

        @ the words of the other block,
        sub     r2, data, #64
        cmp     left, #0
        subne   r2, r2, #64
        vld1.8  {q8, q9}, [r2]!
        vld1.8  {q10, q11}, [r2]
        vld1.32 {q5, q6}, [r3]!
        .irp    i, 8, 9, 10, 11
        vrev32.8 q\i, q\i
        .endr
        veor    q8, q8, q5
        veor    q9, q9, q6
        vld1.32 {q5, q6}, [r3]
        veor    q10, q10, q5
        veor    q11, q11, q6
        add     r2, sp, #WORDS
        vst1.32 {q8, q9}, [r2]!
        vst1.32 {q10, q11}, [r2]!
        mov     r0, #4
.Lmore_words:
        four_words 8, 9, 10, 11
        four_words 9, 10, 11, 8
        four_words 10, 11, 8, 9
        four_words 11, 8, 9, 10
        vst1.32 {q8, q9}, [r2]!
        vst1.32 {q10, q11}, [r2]!
        subs    r0, r0, #1
        bne     .Lmore_words

        @ from the common state to the end,
        mov     stop, r2
        add     next, sp, #WORDS + 220
        add     next, next, r5, lsl #2
        add     x, sp, #STATES
        add     x, x, r5, lsl #2
        str     next, [sp, #PAUSE]
        str     x, [sp, #START]
        cmp     r5, #0
        ldm     x, {va, vb, vc, vd, ve}
        beq     .Lmaj
        b       .Lparity_2

.Lstart:
        rounds_to 20, ch, K_0, .Lfive_ch
        rounds_to 40, parity, K_20, .Lfive_parity
.Lmaj:  rounds_to 60, maj, K_40, .Lfive_maj
.Lparity_2:
        rounds_to 80, parity, K_60, .Lfive_parity_2
.Lstopped:
        ldr     x, [sp, #PAUSE]
        cmp     stop, x
        beq     .Lcompare

        @ the chaining value of the other block, and its rounds from there.
        mov     stop, x
        ldr     x, [sp, #STATE]
        ldr     r0, [x]
        ldr     r1, [x, #4]
        sub     va, r0, va
        sub     vb, r1, vb
        ldr     r0, [x, #8]
        ldr     r1, [x, #12]
        sub     vc, r0, vc, ror #2
        sub     vd, r1, vd, ror #2
        ldr     r0, [x, #16]
        mov     vc, vc, ror #30
        mov     vd, vd, ror #30
        sub     ve, r0, ve, ror #2
        mov     ve, ve, ror #30
        add     next, sp, #WORDS
        b       .Lstart

.Lcompare:
        ldr     x, [sp, #START]
        ldr     r0, [x]
        ldr     r1, [x, #4]
        eor     va, va, r0
        eor     vb, vb, r1
        ldr     r0, [x, #8]
        ldr     r1, [x, #12]
        orr     va, va, vb
        eor     vc, vc, r0
        eor     vd, vd, r1
        ldr     r0, [x, #16]
        orr     va, va, vc, ror #2
        orr     va, va, vd, ror #2
        eor     ve, ve, r0
        orrs    va, va, ve, ror #2
        beq     .Lfound
        ldr     r0, [sp, #VECTORS]
        cmp     r0, #0
        bne     .Leach_vector

        @ None: on with the chaining value and the next block.
        mov     out, sp
        ldrd    w0, w1, [sp]
        ldr     state, [sp, #STATE]
        ldm     state, {va, vb, vc, vd, ve}
        b       .Linnocent

        @ An attack: the second half of the state remains.
.Lfound:
        ldr     r1, [sp, #BEGIN]
        sub     r0, data, r1
        mov     r0, r0, lsr #6
        cmp     left, #0
        subne   r0, r0, #1
        b       .Lleave
        endkernel hk_sha1dc_neon

        constants
.Lconstants:
        .irp    k, %K_20, %K_40, %K_60, %K_0
        .word   \k, \k, \k, \k
        .endr
        .set    AS_TABLE, 1
        relations

        .purgem K32
        .macro  K32 p, q, r, t
        .word   \p, \q, \r, \t
        .endm
#include "sha1dc_k.inc"

        vector_numbers

@ the saved state that both blocks of each vector have in common
        .byte   0, 0                            @ I(43,0), I(44,0): round 55
        .fill   25, 1, 1                        @ round 60
        .fill   5, 1, 2                         @ II(52,0) to II(56,0): 65
