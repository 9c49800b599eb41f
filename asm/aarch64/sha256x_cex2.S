/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256x_cex2 - SHA-256 of two messages at once, SHA-256 instructions
 *
 *   void hk_sha256x_cex2(uint32_t *const state[2],
 *                        const uint8_t *const data[2], size_t nblocks);
 *
 * Needs     SHA2
 * Stack     0 bytes
 * Method    hk_sha256_ce twice, step by step: one message computes while the
 *           other one waits for its hash instructions. The constants are loaded
 *           once for both.
 * Bound     64 hash instructions in the unit for them, or 190 vector
 *           instructions at two a cycle: 95
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x2  blocks left     x3, x4  states     x5, x6  data     x7  the constants
 *   message 0, message 1:
 *   v0, v1; v3, v18    a, b, c, d and e, f, g, h
 *   v2, v19            a-d before the step
 *   v4-v7; v24-v27     16 words of the schedule, a ring of four vectors
 *   v16, v17; v28, v29 W + K of even and odd steps
 *   v20, v21  K of even and odd steps
 *   v30, v31  scratch
 */
        .arch   armv8-a+crypto
#include "abi.inc"
        .altmacro

blocks  .req    x2
state_0 .req    x3
state_1 .req    x4
data_0  .req    x5
data_1  .req    x6
table   .req    x7

// step n: rounds 4n to 4n+3 of both. The rings hold W[4n..4n+15] as w0 to w3;
// in the first 12 steps W[4n+16..4n+19] comes in the place of w0.
        .macro  step n
        .if     \n < 15
        load_k  %(20 + (\n + 1) % 2), %(\n + 1)
        .endif
        step_   \n, %(20 + (\n + 1) % 2), 0, 1, 2, %(16 + \n % 2), \
                %(17 - \n % 2), %(4 + \n % 4), %(4 + (\n + 1) % 4), \
                %(4 + (\n + 2) % 4), %(4 + (\n + 3) % 4)
        step_   \n, %(20 + (\n + 1) % 2), 3, 18, 19, %(28 + \n % 2), \
                %(29 - \n % 2), %(24 + \n % 4), %(24 + (\n + 1) % 4), \
                %(24 + (\n + 2) % 4), %(24 + (\n + 3) % 4)
        .endm

        .macro  load_k k, n
        ldr     q\k, [table, #16 * \n]
        .endm

        .macro  step_ n, k, abcd, efgh, old, wk, wk_next, w0, w1, w2, w3
        mov     v\old\().16b, v\abcd\().16b
        .if     \n < 12
        sha256su0 v\w0\().4s, v\w1\().4s
        .endif
        .if     \n < 15
        add     v\wk_next\().4s, v\w1\().4s, v\k\().4s
        .endif
        sha256h q\abcd, q\efgh, v\wk\().4s
        sha256h2 q\efgh, q\old, v\wk\().4s
        .if     \n < 12
        sha256su1 v\w0\().4s, v\w2\().4s, v\w3\().4s
        .endif
        .endm

// add_state state, abcd, efgh: the chaining value, in memory
        .macro  add_state state, abcd, efgh
        ld1     {v30.4s, v31.4s}, [\state]
        add     v\abcd\().4s, v\abcd\().4s, v30.4s
        add     v\efgh\().4s, v\efgh\().4s, v31.4s
        st1     {v\abcd\().4s}, [\state], #16
        st1     {v\efgh\().4s}, [\state]
        sub     \state, \state, #16
        .endm

kernel hk_sha256x_cex2
        cbz     blocks, .return
        ldp     state_0, state_1, [x0]
        ldp     data_0, data_1, [x1]
        address table, .constants
        ld1     {v0.4s, v1.4s}, [state_0]
        ld1     {v30.4s, v31.4s}, [state_1]
        mov     v3.16b, v30.16b
        mov     v18.16b, v31.16b

.next_block:
        ld1     {v4.16b-v7.16b}, [data_0], #64
        ld1     {v24.16b-v27.16b}, [data_1], #64
        load_k  20, 0
        sub     blocks, blocks, #1
        .irp    i, 4, 24, 5, 25, 6, 26, 7, 27
        rev32   v\i\().16b, v\i\().16b
        .endr
        add     v16.4s, v4.4s, v20.4s
        add     v28.4s, v24.4s, v20.4s
        .irp    q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        step    \q
        .endr
        add_state state_0, 0, 1
        add_state state_1, 3, 18
        cbnz    blocks, .next_block
.return:
        ret
endkernel hk_sha256x_cex2

        .macro  K32 p, q, r, t
        .word   \p, \q, \r, \t
        .endm

        constants
.constants:
#include "sha256_k.inc"
