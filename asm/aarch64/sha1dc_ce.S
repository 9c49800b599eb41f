/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1dc_ce - SHA-1 with collision detection, ARMv8 SHA-1 instructions
 *
 *   size_t hk_sha1dc_ce(uint32_t state[10], const uint8_t *data,
 *                       size_t nblocks, uint32_t masks[]);
 *
 * Needs     SHA1
 * Stack     1184 bytes
 * Method    SHA-1 waits for its hash instructions; everything else is done in
 *           that time, by streams merged with the rounds. The schedule becomes
 *           bit planes in vector registers as it is made; in the next block's
 *           rounds the planes become, in general registers, the candidates: the
 *           vectors whose conditions hold (see sha1dc.inc).
 *           A candidate is tried from the end: the state at a step where both
 *           blocks agree (a multiple of four for every vector), forward to step
 *           80, gives the chaining value that the other block must have started
 *           from, and from there the rounds must lead to that state again. That
 *           is the time of one block, and it runs beside the next one; only
 *           further candidates of the same block are tried on the spot.
 * Bound     the chain of 20 hash instructions, 100 to 120 cycles a block on the
 *           large cores; 280 instructions, which is 70 cycles at four a cycle
 * Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
 *
 * Registers
 *   x1  data       x2  end        x3  slot of this block   x4  sum of both
 *   x5  where the mask of the block before goes   x6, x8  the next one, step
 *   x7  places     x9  candidates x29 is a trial to run beside the next block
 *   v0  a, b, c, d    v1, v2  e of odd and even steps
 *   v4-v7   16 words of the schedule, a ring of four vectors
 *   v8  a, b, c, d of a trial     v9, v10 its e of even and odd steps
 *   v16, v17  W + K of even and odd steps; v11 of a trial's
 *   v20-v23   K of rounds 0, 20, 40, 60, in each lane
 *   v24, v25  the chaining value: a, b, c, d and e
 *   the others as listed in sha1dc.inc
 */
        .arch   armv8-a+crypto
#include "abi.inc"
        .altmacro

data    .req    x1
end     .req    x2
slot    .req    x3
slots   .req    x4
mask    .req    x5
mask_next .req  x6
places  .req    x7
step    .req    x8
suspects .req   x9

// A slot holds what the trials of a block need.
#define IN      0                       /* chaining value: abcd and e */
#define STATES  32                      /* abcd before steps 13 to 17 */
#define SLOT    112

// The frame.
#define PLANES  0
#define MASK_0  48                      /* where no mask is wanted */
#define STATE   56                      /* the arguments */
#define BEGIN   64
#define VECTORS 80                      /* d8 to d13 of the caller */
#define SLOTS   128
#define BESIDE_IN    (SLOTS + 2 * SLOT) /* the trial beside the rounds: the */
#define BESIDE_OUT   (BESIDE_IN + 32)   /* chaining values of its block, */
#define BESIDE_START (BESIDE_IN + 64)   /* abcd before steps 14 and 15, */
#define BESIDE_WORDS (BESIDE_IN + 96)   /* W + K of the other block */
#define ALONE_WORDS  (BESIDE_WORDS + 320) /* and of a trial on the spot */
#define FRAME        (ALONE_WORDS + 320)

#define HIGH_1  12
#define HIGH_2  13
#include "sha1dc.inc"

// ---- rounds -----------------------------------------------------------------

// hash i, abcd, e, wk: the instruction of step i, rounds 4i to 4i+3
        .macro  hash i, abcd, e, wk
        .if     \i < 5
        sha1c   q\abcd, s\e, v\wk\().4s
        .elseif \i / 5 == 2
        sha1m   q\abcd, s\e, v\wk\().4s
        .else
        sha1p   q\abcd, s\e, v\wk\().4s
        .endif
        .endm

// step i: that step, with its part of the schedule. The ring holds
// W[4i..4i+15] as vectors w0 to w3; on return W[4i+4..4i+19] is under way.
        .macro  step i
        step_   \i, %(16 + \i % 2), %(17 - \i % 2), %(2 - \i % 2), \
                %(1 + \i % 2), %(20 + (\i + 1) / 5), %(4 + \i % 4), \
                %(4 + (\i + 1) % 4), %(4 + (\i + 2) % 4), %(4 + (\i + 3) % 4)
        .endm

        .macro  step_ i, wk, wk_next, e, e_next, k, w0, w1, w2, w3
        .if     \i >= 13 && \i <= 17
        str     q0, [slot, #STATES + 16 * (\i - 13)]
        .endif
        sha1h   s\e_next, s0
        hash    \i, 0, \e, \wk
        .if     \i < 19
        add     v\wk_next\().4s, v\w1\().4s, v\k\().4s
        .endif
        .if     \i > 0 && \i < 17
        sha1su1 v\w3\().4s, v\w2\().4s
        .endif
        collect %(\i + 2), \w2
        .if     \i < 16
        sha1su0 v\w0\().4s, v\w1\().4s, v\w2\().4s
        .endif
        .endm

// twin i, words: that step of the other block
        .macro  twin i, words
        twin_   \i, \words, %(9 + \i % 2), %(10 - \i % 2)
        .endm

        .macro  twin_ i, words, e, e_next
        ldr     q11, [sp, #\words + 16 * \i]
        sha1h   s\e_next, s8
        hash    \i, 8, \e, 11
        .endm

// twin_input base, out: from its state after step 19 to its chaining value
// before step 0, by the one after step 19 that both blocks have
        .macro  twin_input base, out
        ldp     q11, q3, [\base, #\out]
        sub     v8.4s, v11.4s, v8.4s
        sub     v9.4s, v3.4s, v9.4s
        .endm

// twin_same e, base, start: x17 = 0 if the trial ended in the state given by
// abcd one step before and now; e is that of the trial
        .macro  twin_same e, base, start
        ldp     q3, q11, [\base, #\start]
        sha1h   s3, s3
        eor     v11.16b, v11.16b, v8.16b
        eor     v3.16b, v3.16b, v\e\().16b
        orr     v11.16b, v11.16b, v3.16b
        fmov    x16, d11
        mov     x17, v11.d[1]
        orr     x17, x17, x16
        .endm

// block with_trial: all of one block; beside its rounds the candidates of the
// block before, its own planes and, with 1, a trial
        .macro  block with_trial
        ld1     {v4.16b-v7.16b}, [data], #64
        stp     q24, q25, [slot, #IN]
        rev32   v4.16b, v4.16b
        rev32   v5.16b, v5.16b
        rev32   v6.16b, v6.16b
        add     v16.4s, v4.4s, v20.4s
        rev32   v7.16b, v7.16b
        open_all
        .set    I, 0
        .rept   20
        step    %I
        candidates %I
        .if     I > 14
        drain_both low_planes, high_planes, 4
        .endif
        .if     \with_trial
        twin    %((I + 15) % 20), BESIDE_WORDS
        .if     I == 4
        twin_input sp, BESIDE_OUT
        .endif
        .endif
        .set    I, I + 1
        .endr
        add     v0.4s, v0.4s, v24.4s
        add     v2.4s, v2.4s, v25.4s
        .endm

// differ w, dm: the message of the other block
        .macro  differ w, dm
        rev32   v\w\().16b, v\w\().16b
        eor     v\w\().16b, v\w\().16b, v\dm\().16b
        .endm

// word_quad i, k, w0, w1, w2, w3: W + K of step i to memory, W of step i + 4
        .macro  word_quad i, k, w0, w1, w2, w3
        add     v27.4s, v\w0\().4s, v\k\().4s
        str     q27, [x16, #16 * \i]
        .if     \i < 16
        sha1su0 v\w0\().4s, v\w1\().4s, v\w2\().4s
        sha1su1 v\w0\().4s, v\w3\().4s
        .endif
        .endm

// next_slot: what is this block becomes the block before
        .macro  next_slot
        mov     mask, mask_next
        add     mask_next, mask_next, step
        sub     slot, slots, slot
        .endm

kernel hk_sha1dc_ce
        cbz     x2, .nothing
        .cfi_remember_state
        save_registers 0
        sub     sp, sp, #FRAME
        .cfi_adjust_cfa_offset FRAME
        stp     d8, d9, [sp, #VECTORS]
        .cfi_rel_offset d8, VECTORS
        .cfi_rel_offset d9, VECTORS + 8
        stp     d10, d11, [sp, #VECTORS + 16]
        .cfi_rel_offset d10, VECTORS + 16
        .cfi_rel_offset d11, VECTORS + 24
        stp     d12, d13, [sp, #VECTORS + 32]
        .cfi_rel_offset d12, VECTORS + 32
        .cfi_rel_offset d13, VECTORS + 40
        stp     x0, x1, [sp, #STATE]
        add     end, data, x2, lsl #6

        // masks go to the caller's array, or all to the same place
        add     mask, sp, #MASK_0
        cmp     x3, #0
        csel    mask_next, mask, x3, eq
        cset    step, ne
        lsl     step, step, #2

        // planes of zeros: the block before the first one has no candidates
        stp     xzr, xzr, [sp, #PLANES]
        stp     xzr, xzr, [sp, #PLANES + 16]
        stp     xzr, xzr, [sp, #PLANES + 32]

        add     slot, sp, #SLOTS
        add     slots, slot, #SLOT
        add     slots, slots, slot
        set_places
        plane_constants
        address x9, .constants
        ld4r    {v20.4s-v23.4s}, [x9]

        // the chaining value, and what is added at the end of the first block
        add     x9, x0, #20
        ldr     s2, [x0, #16]
        ldr     s25, [x0, #36]
        ld1     {v0.4s}, [x0]
        ld1     {v24.4s}, [x9]
        b       .first_block

.next_block:
        mov     v24.16b, v0.16b
        mov     v25.16b, v2.16b
.first_block:
        block   0
        cbnz    suspects, .suspect
        str     wzr, [mask]
.resume:
        next_slot
        cmp     data, end
        b.lo    .next_block
        b.hi    .finish

        // the candidates of the last block, as if another one followed
        stp     q0, q2, [slot, #IN]
        add     data, data, #64
        open_all
        .set    I, 0
        .rept   13
        candidates %I
        .set    I, I + 1
        .endr
        cbnz    suspects, .suspect
        str     wzr, [mask]

.finish:
        mov     v4.16b, v0.16b
        mov     v5.16b, v2.16b
        mov     x9, #0

        // v0 and v2 to the first half of the state, v4 and v5 to the other
.store: ldr     x10, [sp, #STATE]
        add     x11, x10, #20
        st1     {v0.4s}, [x10]
        str     s2, [x10, #16]
        st1     {v4.4s}, [x11]
        str     s5, [x10, #36]
        mov     x0, x9
        ldp     d8, d9, [sp, #VECTORS]
        .cfi_remember_state
        .cfi_restore d8
        .cfi_restore d9
        ldp     d10, d11, [sp, #VECTORS + 16]
        .cfi_restore d10
        .cfi_restore d11
        ldp     d12, d13, [sp, #VECTORS + 32]
        .cfi_restore d12
        .cfi_restore d13
        add     sp, sp, #FRAME
        .cfi_adjust_cfa_offset -FRAME
        restore_registers 0
        ret
        .cfi_restore_state

        // a block with a trial beside, from step 15
.next_block_beside:
        next_slot
        mov     v24.16b, v0.16b
        mov     v25.16b, v2.16b
        ldp     q10, q8, [sp, #BESIDE_START]
        sha1h   s10, s10
        block   1
        twin_same 10, sp, BESIDE_START
        cbz     x17, .found_beside
        cbnz    suspects, .suspect
        str     wzr, [mask]
        b       .resume

        // the block before has candidates: from places to the mask
.suspect:
        mov     x29, #0
        sub     x10, slots, slot
        name_suspects
        str     w12, [mask]

        // each vector: x10 slot of its block, w15 step to start from
.each_vector:
        next_vector
        add     x15, x30, x14
        ldrb    w15, [x15, #.starts - .numbers]
        add     x17, x30, #.differences - .numbers
        add     x17, x17, x14, lsl #6

        // W + K of the other block, for beside or for now
        add     x16, sp, #ALONE_WORDS
        cmp     data, end
        b.hs    .words
        cmp     w15, #15
        b.ne    .words
        cbnz    x29, .words
        mov     x29, #1
        add     x16, sp, #BESIDE_WORDS
.words: sub     x14, data, #128
        ld1     {v4.16b-v7.16b}, [x14]
        ld1     {v16.4s-v19.4s}, [x17]
        .irp    n, 0, 1, 2, 3
        differ  %(4 + \n), %(16 + \n)
        .endr
        .set    I, 0
        .rept   20
        word_quad %I, %(20 + I / 5), %(4 + I % 4), %(4 + (I + 1) % 4), \
                %(4 + (I + 2) % 4), %(4 + (I + 3) % 4)
        .set    I, I + 1
        .endr
        add     x14, sp, #ALONE_WORDS
        cmp     x16, x14
        b.eq    .alone

        // beside the next block: all else that the trial needs
        ldp     q4, q5, [x10, #IN]
        ldp     q6, q7, [slot, #IN]
        ldp     q16, q17, [x10, #STATES + 16]
        stp     q4, q5, [sp, #BESIDE_IN]
        stp     q6, q7, [sp, #BESIDE_OUT]
        stp     q16, q17, [sp, #BESIDE_START]
        b       .tried

        // on the spot: from the common state to the end, then from step 0 to
        // that state again
.alone: sub     w14, w15, #14
        add     x14, x10, x14, lsl #4
        ldp     q9, q8, [x14, #STATES]
        sha1h   s9, s9
        mov     v10.16b, v9.16b                 // whichever is its name there
        cmp     w15, #15
        b.lo    .from_14
        b.eq    .from_15
        cmp     w15, #16
        b.eq    .from_16
        b       .from_17
.from_0:
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        twin    \i, ALONE_WORDS
        .endr
        cmp     w15, #14
        b.eq    .compare
.from_14:
        twin    14, ALONE_WORDS
        cmp     w15, #15
        b.eq    .compare_odd
.from_15:
        twin    15, ALONE_WORDS
        cmp     w15, #16
        b.eq    .compare
.from_16:
        twin    16, ALONE_WORDS
        cmp     w15, #17
        b.eq    .compare_odd
.from_17:
        .irp    i, 17, 18, 19
        twin    \i, ALONE_WORDS
        .endr
        twin_input slot, IN
        b       .from_0

.compare_odd:
        mov     v9.16b, v10.16b
.compare:
        twin_same 9, x14, STATES
        cbz     x17, .found
.tried: cbnz    w12, .each_vector
        cbnz    x29, .next_block_beside
        b       .resume

        // an attack: on the block before,
.found: ldp     q0, q2, [slot, #IN]
        ldp     q4, q5, [x10, #IN]
        sub     x9, data, #64
        b       .count

        // or on the one before that
.found_beside:
        ldp     q0, q2, [sp, #BESIDE_OUT]
        ldp     q4, q5, [sp, #BESIDE_IN]
        sub     x9, data, #128
.count: ldr     x10, [sp, #BEGIN]
        sub     x9, x9, x10
        lsr     x9, x9, #6
        b       .store
        .cfi_restore_state

.nothing:
        mov     x0, #0
        ret
endkernel hk_sha1dc_ce

        .macro  K32 p, q, r, t
        .word   \p, \q, \r, \t
        .endm

        constants
.constants:
#include "sha1_k.inc"

.numbers:
        vector_numbers

// the step before which both blocks of each vector have the same state
.starts:
        .byte   14, 14                                  // I(43,0), I(44,0)
        .fill   25, 1, 15
        .byte   16, 16, 16, 16                          // II(52,0) to II(55,0)
        .byte   17                                      // II(56,0)

        .balign 16
.differences:
#include "sha1dc_k.inc"
