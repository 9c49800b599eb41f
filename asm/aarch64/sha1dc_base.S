/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1dc_base - SHA-1 with collision detection, no SHA-1 instructions
 *
 *   size_t hk_sha1dc_base(uint32_t state[10], const uint8_t *data,
 *                         size_t nblocks, uint32_t masks[]);
 *
 * Needs     any AArch64
 * Stack     736 bytes
 * Method    the rounds of hk_sha1_base in general registers; beside them W[32]
 *           to W[67] go by memory to vector registers, which make bit planes of
 *           them. After the block the planes become the candidates, the vectors
 *           whose conditions hold (see sha1dc.inc). A candidate is tried on the
 *           spot from a step where both blocks have the same state, to the end
 *           and then from the start to that step: it must come to that state.
 * Bound     instructions over the width of the core: 240 more than the 940 of
 *           hk_sha1_base
 * Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
 *
 * Registers
 *   as listed in sha1.inc and, after the rounds, sha1dc.inc; of a trial:
 *   w3-w7   a..e       x16 next words   x17 where to stop   x19-x22 limits
 *   w9 word, f         w10 a <<< 5      w11 K
 *   x13 common state   w12 vectors left x15 what to do in the end
 */
        .arch   armv8-a
#include "abi.inc"

// The frame.
#define PLANES  0
#define SAVED   48                      /* a..e before rounds 55, 60, 65 */
#define QUADS   144                     /* W[32..67] */
#define STATE   288                     /* the arguments */
#define BEGIN   296
#define MASKS   304
#define WORDS   320                     /* of the other block */
#define FRAME   640

#define BESIDE  watch
#include "sha1.inc"
#include "sha1_unaligned.inc"

places  .req    x8
suspects .req   x9
#define HIGH_1  16
#define HIGH_2  17
#include "sha1dc.inc"

// watch: what is done beside round T. Quad q = pairs 2q, 2q + 1 is ready when
// pair I = 2q + 2 is begun; it is collected a pair later.
        .macro  watch
        .if     T % 2 == 0 && I % 2 == 0 && I >= 18 && I <= 34
        stp     old_2, old_1, [sp, #QUADS + 8 * (I - 18)]
        .elseif T % 2 == 0 && I >= 19 && I <= 35
        ldr     q0, [sp, #QUADS + 8 * (I - 19)]
        .elseif I % 2 && I >= 19 && I <= 35
        collect %((I - 3) / 2), 0
        .elseif T >= 68
        drain_both low_planes, high_planes, 2
        .endif
        .if     T == 55 || T == 60 || T == 65
        stp     a, b, [sp, #SAVED + 32 * (T / 5 - 11)]
        stp     c, d, [sp, #SAVED + 32 * (T / 5 - 11) + 8]
        str     e, [sp, #SAVED + 32 * (T / 5 - 11) + 16]
        .endif
        .endm

// ---- trials -----------------------------------------------------------------

// four_words w0, w1, w2, w3: the next four words from the 16 before, in place
// of the oldest; the last of them needs the first. v7 = 0.
        .macro  four_words w0, w1, w2, w3
        ext     v17.16b, v\w0\().16b, v\w1\().16b, #8   // W[t-14]
        eor     v\w0\().16b, v\w0\().16b, v\w2\().16b   // ^ W[t-8]
        ext     v18.16b, v\w3\().16b, v7.16b, #4        // W[t-3]
        eor     v\w0\().16b, v\w0\().16b, v17.16b
        eor     v\w0\().16b, v\w0\().16b, v18.16b
        ext     v17.16b, v7.16b, v\w0\().16b, #4
        shl     v18.4s, v\w0\().4s, #1
        shl     v19.4s, v17.4s, #2
        sri     v18.4s, v\w0\().4s, #31
        sri     v19.4s, v17.4s, #30
        eor     v\w0\().16b, v18.16b, v19.16b
        .endm

// The functions of five_rounds: w9 = f(b, c, d)
        .macro  f_ch
        eor     w9, c, d
        and     w9, w9, b
        eor     w9, w9, d
        .endm

        .macro  f_parity
        eor     w9, c, d
        eor     w9, w9, b
        .endm

        .macro  f_maj
        eor     w9, c, d
        and     w10, c, d
        and     w9, w9, b
        eor     w9, w9, w10
        .endm

        .macro  round_of function
        \function
        add     e, e, w9
        ldr     w9, [x16], #4
        add     e, e, w11
        ror     w10, a, #27
        ror     b, b, #2
        add     e, e, w9
        add     e, e, w10
        .endm

// up_to_twenty function, constant, limit, again: five rounds at a time, until
// the words at x17 or those at the limit
        .macro  up_to_twenty function, constant, limit, again
        movz    w11, #\constant % 0x10000
        movk    w11, #\constant / 0x10000, lsl #16
\again:
        .irp    t, 0, 1, 2, 3, 4
        this_round \t
        round_of \function
        .endr
        this_round 5
        cmp     x16, x17
        b.eq    .stopped
        cmp     x16, \limit
        b.ne    \again
        .endm

kernel hk_sha1dc_base
        cbz     x2, .nothing
        .cfi_remember_state
        save_registers 0
        sub     sp, sp, #FRAME
        .cfi_adjust_cfa_offset FRAME
        stp     x0, x1, [sp, #STATE]
        str     x3, [sp, #MASKS]
        plane_constants
        this_round 0

        ldp     a, b, [state]
        ldp     c, d, [state, #8]
        ldr     e, [state, #16]

.next_block:
        open_all
        sha1_rounds

        // add the second half of the state, for the first
        ldp     f, wk, [state, #20]
        ldp     r5, k, [state, #28]
        ror     c, c, #2
        ror     d, d, #2
        add     a, a, f
        ldr     f, [state, #36]
        add     b, b, wk
        add     c, c, r5
        add     d, d, k
        add     e, e, f
        stp     a, b, [state]
        stp     c, d, [state, #8]
        str     e, [state, #16]
        add     data, data, #64
        sub     blocks, blocks, #1

        // the candidates of this block
        set_places
        .set    I, 0
        .rept   13
        candidates %I
        .set    I, I + 1
        .endr
        ldr     state, [sp, #STATE]
        ldr     x10, [sp, #MASKS]
        cbnz    suspects, .suspect
        cbz     x10, .innocent
        str     wzr, [x10], #4
        str     x10, [sp, #MASKS]
.innocent:
        stp     a, b, [state, #20]
        stp     c, d, [state, #28]
        str     e, [state, #36]
        cbnz    blocks, .next_block
        mov     x0, #0

.leave: add     sp, sp, #FRAME
        .cfi_remember_state
        .cfi_adjust_cfa_offset -FRAME
        restore_registers 0
        ret
        .cfi_restore_state

.suspect:
        name_suspects
        cbz     x10, .each_vector
        str     w12, [x10], #4
        str     x10, [sp, #MASKS]

        // each vector: its common state, the words of the other block
.each_vector:
        next_vector
        add     x15, x30, x14
        ldrb    w15, [x15, #.starts - .numbers]
        add     x9, x30, x14, lsl #6
        add     x9, x9, #.differences - .numbers
        sub     x10, data, #64
        add     x13, sp, #SAVED
        add     x13, x13, x15, lsl #5
        ld1     {v0.16b-v3.16b}, [x10]
        ld1     {v4.4s-v7.4s}, [x9]
        .irp    n, 0, 1, 2, 3
        rev32   v\n\().16b, v\n\().16b
        .endr
        eor     v0.16b, v0.16b, v4.16b
        eor     v1.16b, v1.16b, v5.16b
        eor     v2.16b, v2.16b, v6.16b
        eor     v3.16b, v3.16b, v7.16b
        movi    v7.16b, #0
        add     x16, sp, #WORDS
        mov     w10, #4
        st1     {v0.16b-v3.16b}, [x16], #64
.more_words:
        four_words 0, 1, 2, 3
        four_words 1, 2, 3, 0
        four_words 2, 3, 0, 1
        four_words 3, 0, 1, 2
        st1     {v0.16b-v3.16b}, [x16], #64
        subs    w10, w10, #1
        b.ne    .more_words

        // from the common state to the end
        mov     x22, x16
        mov     x17, x16
        add     x19, sp, #WORDS + 80
        add     x20, sp, #WORDS + 160
        add     x21, sp, #WORDS + 240
        add     x16, sp, #WORDS + 220
        add     w10, w15, w15, lsl #2
        add     x16, x16, x10, lsl #2
        this_round 0
        ldp     a, b, [x13]
        ldp     c, d, [x13, #8]
        ldr     e, [x13, #16]
        ror     c, c, #2
        ror     d, d, #2
        mov     x15, x16                        // and then up to here
        cmp     x16, x21
        b.lo    .maj
        b       .parity_2

.start: up_to_twenty f_ch, K_CH, x19, .five_ch
        up_to_twenty f_parity, K_PARITY_1, x20, .five_parity
.maj:   up_to_twenty f_maj, K_MAJ, x21, .five_maj
.parity_2:
        up_to_twenty f_parity, K_PARITY_2, x22, .five_parity_2
.stopped:
        this_round 0
        cmp     x17, x22
        b.ne    .compare

        // the chaining value of the other block, and its rounds from there
        ldp     w9, w10, [state]
        sub     a, w9, a
        sub     b, w10, b
        ldp     w9, w10, [state, #8]
        sub     c, w9, c
        sub     d, w10, d
        ldr     w9, [state, #16]
        sub     e, w9, e
        add     x16, sp, #WORDS
        mov     x17, x15
        b       .start

.compare:
        ldp     w9, w10, [x13]
        eor     a, a, w9
        eor     b, b, w10
        ldp     w9, w10, [x13, #8]
        orr     a, a, b
        eor     c, c, w9, ror #2
        eor     d, d, w10, ror #2
        ldr     w9, [x13, #16]
        orr     a, a, c
        orr     d, d, a
        eor     e, e, w9
        orr     e, e, d
        cbz     e, .found
        cbnz    w12, .each_vector

        // none: on with the chaining value
        ldp     a, b, [state]
        ldp     c, d, [state, #8]
        ldr     e, [state, #16]
        b       .innocent

        // an attack: the second half of the state remains
.found: ldr     x9, [sp, #BEGIN]
        sub     x0, data, x9
        lsr     x0, x0, #6
        b       .leave
        .cfi_restore_state

.nothing:
        mov     x0, #0
        ret
endkernel hk_sha1dc_base

        constants
.numbers:
        vector_numbers

// the saved state that both blocks of each vector have in common
.starts:
        .byte   0, 0                            // I(43,0), I(44,0): round 55
        .fill   25, 1, 1                        // round 60
        .fill   5, 1, 2                         // II(52,0) to II(56,0): 65

        .purgem K32
        .macro  K32 p, q, r, t
        .word   \p, \q, \r, \t
        .endm

        .balign 16
.differences:
#include "sha1dc_k.inc"
