/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512x_cex2 - SHA-512 of two messages at once, SHA-512 instructions
 *
 *   void hk_sha512x_cex2(uint64_t *const state[2],
 *                        const uint8_t *const data[2], size_t nblocks);
 *
 * Needs     SHA512
 * Stack     64 bytes
 * Method    hk_sha512_ce twice, instruction by instruction: one message
 *           computes while the other one waits for its hash instructions, also
 *           on cores that keep the order. Every step is the long one there, of
 *           fewer instructions. W + K is summed a step ahead; K is loaded once
 *           for both, where message 1 sums.
 * Bound     144 hash instructions a block in the unit for them, or 428 vector
 *           instructions at two a cycle: 214
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x2  blocks left     x3, x4  states     x5, x6  data     x7  the constants
 *   message 0, message 1:
 *   v0-v2, v8-v10      a b, ring of three steps
 *   v3, v4, v11, v12   e f, ring of two
 *   v5, v13            f g, then W[t+9], W[t+10]
 *   v6, v14            d e
 *   v7, v15            W + K of the next step
 *   v16-v23, v24-v31   16 words of the schedule, a ring of eight vectors
 */
        .arch   armv8.2-a+sha3
#include "abi.inc"
#define APART   8
#include "two.inc"

blocks  .req    x2
state_0 .req    x3
state_1 .req    x4
data_0  .req    x5
data_1  .req    x6
table   .req    x7

        .macro  bytes d, n, m                   // d = n, from big-endian
        rev64   v\d\().16b, v\n\().16b
        .endm
        .macro  plus d, n, m                    // d = n + m
        add     v\d\().2d, v\n\().2d, v\m\().2d
        .endm
        .macro  halves d, n, m                  // d = high of n, low of m
        ext     v\d\().16b, v\n\().16b, v\m\().16b, #8
        .endm
        .macro  hash d, n, m
        sha512h q\d, q\n, v\m\().2d
        .endm
        .macro  hash2 d, n, m
        sha512h2 q\d, q\n, v\m\().2d
        .endm
        .macro  schedule0 d, n, m
        sha512su0 v\d\().2d, v\n\().2d
        .endm
        .macro  schedule1 d, n, m
        sha512su1 v\d\().2d, v\n\().2d, v\m\().2d
        .endm

// step i: rounds 2i and 2i + 1. The rings hold W[2i..2i+15] as w0 to w7; in the
// first 32 steps W[2i+16], W[2i+17] come in the place of w0.
        .macro  step i
        rounds  \i, %(\i % 3), %((\i + 2) % 3), %(3 + \i % 2), %(4 - \i % 2), \
                %((\i + 1) % 3), %(16 + \i % 8), %(16 + (\i + 1) % 8), \
                %(16 + (\i + 4) % 8), %(16 + (\i + 5) % 8), \
                %(16 + (\i + 7) % 8)
        .endm

        .macro  rounds i, ab, cd, ef, gh, new_ab, w0, w1, w4, w5, w7
        both    halves, 7, 7, 7
        both    halves, 5, \ef, \gh             // f g
        both    halves, 6, \cd, \ef             // d e
        both    plus, \new_ab, \gh, 7
        .if     \i < 32
        both    schedule0, \w0, \w1
        .endif
        both    hash, \new_ab, 5, 6
        .if     \i < 32
        both    halves, 5, \w4, \w5
        .endif
        .if     \i < 39
        sum     %(16 * \i + 16), \w1, %(\w1 + 8)
        .endif
        both    plus, \gh, \cd, \new_ab         // the new e f
        both    hash2, \new_ab, \cd, \ab
        .if     \i < 32
        both    schedule1, \w0, \w7, 5
        .endif
        .endm

// sum k, w_0, w_1: W + K of both, K at that place
        .macro  sum k, w_0, w_1
        ldr     q15, [table, #\k]
        plus    7, 15, \w_0
        plus    15, 15, \w_1
        .endm

// load_state state, ab, cd, ef, gh
        .macro  load_state state, ab, cd, ef, gh
        ldp     q\ab, q\cd, [\state]
        ldp     q\ef, q\gh, [\state, #32]
        .endm

// add_state state, v: the chaining value, in memory
        .macro  add_state state, v
        add_state_ \state, %(\v), %(\v + 1), %(\v + 2), %(\v + 3), %(\v + 4), \
                %(\v + 5), %(\v + 6)
        .endm

        .macro  add_state_ state, cd, ab, next_cd, ef, gh, s, t
        ldp     q\s, q\t, [\state]
        add     v\next_cd\().2d, v\cd\().2d, v\t\().2d
        add     v\cd\().2d, v\ab\().2d, v\s\().2d
        stp     q\cd, q\next_cd, [\state]
        ldp     q\s, q\t, [\state, #32]
        add     v\ef\().2d, v\ef\().2d, v\s\().2d
        add     v\gh\().2d, v\gh\().2d, v\t\().2d
        stp     q\ef, q\gh, [\state, #32]
        .endm

kernel hk_sha512x_cex2
        cbz     blocks, .return
        stp     d8, d9, [sp, #-64]!
        .cfi_def_cfa_offset 64
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        save_pair d10, d11, 16
        save_pair d12, d13, 32
        save_pair d14, d15, 48
        ldp     state_0, state_1, [x0]
        ldp     data_0, data_1, [x1]
        address table, .constants
        load_state state_0, 0, 2, 3, 4
        load_state state_1, 8, 10, 11, 12

.next_block:
        ld1     {v16.16b-v19.16b}, [data_0], #64
        ld1     {v24.16b-v27.16b}, [data_1], #64
        ld1     {v20.16b-v23.16b}, [data_0], #64
        ld1     {v28.16b-v31.16b}, [data_1], #64
        sub     blocks, blocks, #1
        .irp    w, 16, 17, 18, 19, 20, 21, 22, 23
        both    bytes, \w, \w
        .endr

        sum     0, 16, 24
        .set    I, 0
        .rept   40
        step    %I
        .set    I, I + 1
        .endr

        add_state state_0, 0
        add_state state_1, 8
        cbnz    blocks, .next_block

        restore_pair d14, d15, 48
        restore_pair d12, d13, 32
        restore_pair d10, d11, 16
        ldp     d8, d9, [sp], #64
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
.return:
        ret
endkernel hk_sha512x_cex2

        .macro  K64 p, q
        .quad   \p, \q
        .endm

        constants
.constants:
#include "sha512_k.inc"
