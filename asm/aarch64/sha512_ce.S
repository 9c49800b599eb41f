/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_ce - SHA-512 block function, ARMv8.2 SHA-512 instructions
 *
 *   void hk_sha512_ce(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     SHA512
 * Stack     0 bytes
 * Method    SHA512H and SHA512H2 do two rounds, SHA512SU0 and SHA512SU1 make
 *           two words of the schedule. Constants are read ahead, eight at a
 *           time, and W + K is summed in their place.
 * Bound     the chain of 40 steps: swap, SHA512H, SHA512H2; about 6 cycles
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x0  state      x1  data       x2  blocks left     x3  the constants
 *   v0-v4      a b, c d, free, e f, g h; renamed in each step
 *   v5  f g    v6  d e            v7  W[t+9], W[t+10]
 *   v16-v23    16 words of the schedule, a ring of eight vectors
 *   v24-v31    constants of this group of four steps and of the next
 */
        .arch   armv8.2-a+sha3
#include "abi.inc"
        .altmacro

state   .req    x0
data    .req    x1
blocks  .req    x2
table   .req    x3

// step i: rounds 2i and 2i + 1. The ring holds W[2i..2i+15] as w0 to w7; in
// the first 32 steps W[2i+16], W[2i+17] come in the place of w0.
        .macro  step i
        .if     \i % 4 == 0 && \i < 36
        load_constants %(28 - \i % 8), %(29 - \i % 8), %(30 - \i % 8), \
                %(31 - \i % 8)
        .endif
        step_   \i, %((40 - \i) % 5), %((41 - \i) % 5), %((42 - \i) % 5), \
                %((43 - \i) % 5), %((44 - \i) % 5), %(24 + \i % 8), \
                %(16 + \i % 8), %(16 + (\i + 1) % 8), %(16 + (\i + 4) % 8), \
                %(16 + (\i + 5) % 8), %(16 + (\i + 7) % 8)
        .endm

        .macro  load_constants k0, k1, k2, k3
        ld1     {v\k0\().2d, v\k1\().2d, v\k2\().2d, v\k3\().2d}, [table], #64
        .endm

        .macro  step_ i, ab, cd, ef_next, ef, gh, wk, w0, w1, w4, w5, w7
        add     v\wk\().2d, v\wk\().2d, v\w0\().2d
        ext     v5.16b, v\ef\().16b, v\gh\().16b, #8
        ext     v\wk\().16b, v\wk\().16b, v\wk\().16b, #8
        ext     v6.16b, v\cd\().16b, v\ef\().16b, #8
        add     v\gh\().2d, v\gh\().2d, v\wk\().2d
        .if     \i < 32
        ext     v7.16b, v\w4\().16b, v\w5\().16b, #8
        sha512su0 v\w0\().2d, v\w1\().2d
        .endif
        sha512h q\gh, q5, v6.2d
        .if     \i < 32
        sha512su1 v\w0\().2d, v\w7\().2d, v7.2d
        .endif
        add     v\ef_next\().2d, v\cd\().2d, v\gh\().2d
        sha512h2 q\gh, q\cd, v\ab\().2d
        .endm

kernel hk_sha512_ce
        cbz     blocks, .return
        address table, .constants
        ldp     q0, q1, [state]
        ldp     q3, q4, [state, #32]

.next_block:
        ld1     {v16.16b-v19.16b}, [data], #64
        ld1     {v20.16b-v23.16b}, [data], #64
        ld1     {v24.2d-v27.2d}, [table], #64
        .irp    w, 16, 17, 18, 19, 20, 21, 22, 23
        rev64   v\w\().16b, v\w\().16b
        .endr
        sub     blocks, blocks, #1

        .set    I, 0
        .rept   40
        step    %I
        .set    I, I + 1
        .endr

        ldp     q16, q17, [state]
        ldp     q18, q19, [state, #32]
        sub     table, table, #640
        add     v0.2d, v0.2d, v16.2d
        add     v1.2d, v1.2d, v17.2d
        add     v3.2d, v3.2d, v18.2d
        add     v4.2d, v4.2d, v19.2d
        stp     q0, q1, [state]
        stp     q3, q4, [state, #32]
        cbnz    blocks, .next_block
.return:
        ret
endkernel hk_sha512_ce

        .macro  K64 p, q
        .quad   \p, \q
        .endm

        constants
.constants:
#include "sha512_k.inc"
