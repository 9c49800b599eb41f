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
 * Method    hk_sha256_ce twice, instruction by instruction: one message
 *           computes while the other one waits for its hash instructions, also
 *           on cores that keep the order. The constants are loaded once for
 *           both.
 * Bound     64 hash instructions in the unit for them, or 190 vector
 *           instructions at two a cycle: 95
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x2  blocks left     x3, x4  states     x5, x6  data     x7  the constants
 *   v24  K of the next step       v30, v31  scratch
 *   message 0, message 1:
 *   v0, v1; v16, v17   a, b, c, d and e, f, g, h
 *   v2; v18            a-d before the step
 *   v3; v19            W + K of the next step
 *   v4-v7; v20-v23     16 words of the schedule, a ring of four vectors
 */
        .arch   armv8-a+crypto
#include "abi.inc"
#define APART   16
#include "two.inc"

blocks  .req    x2
state_0 .req    x3
state_1 .req    x4
data_0  .req    x5
data_1  .req    x6
table   .req    x7

        .macro  bytes d, n, m                   // d = n, from big-endian
        rev32   v\d\().16b, v\n\().16b
        .endm
        .macro  copy d, n, m                    // d = n
        mov     v\d\().16b, v\n\().16b
        .endm
        .macro  plus_k d, n, m                  // d = n + K
        add     v\d\().4s, v\n\().4s, v24.4s
        .endm
        .macro  hashes d, n, m
        hashes_ \d, \n, %(\d + 2), \m
        .endm
        .macro  hashes_ abcd, efgh, old, wk
        sha256h q\abcd, q\efgh, v\wk\().4s
        sha256h2 q\efgh, q\old, v\wk\().4s
        .endm
        .macro  schedule0 d, n, m
        sha256su0 v\d\().4s, v\n\().4s
        .endm
        .macro  schedule1 d, n, m
        sha256su1 v\d\().4s, v\n\().4s, v\m\().4s
        .endm

// step n: rounds 4n to 4n+3 of both. The rings hold W[4n..4n+15] as w0 to w3;
// in the first 12 steps W[4n+16..4n+19] comes in the place of w0.
        .macro  step n
        step_   \n, %(4 + \n % 4), %(4 + (\n + 1) % 4), \
                %(4 + (\n + 2) % 4), %(4 + (\n + 3) % 4)
        .endm

        .macro  step_ n, w0, w1, w2, w3
        .if     \n < 15
        load_k  %(\n + 1)
        .endif
        both    copy, 2, 0
        .if     \n < 12
        both    schedule0, \w0, \w1
        .endif
        both    hashes, 0, 1, 3
        .if     \n < 12
        both    schedule1, \w0, \w2, \w3
        .endif
        .if     \n < 15
        both    plus_k, 3, \w1
        .endif
        .endm

        .macro  load_k n
        ldr     q24, [table, #16 * \n]
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
        ld1     {v16.4s, v17.4s}, [state_1]

.next_block:
        ld1     {v4.16b-v7.16b}, [data_0], #64
        ld1     {v20.16b-v23.16b}, [data_1], #64
        load_k  0
        sub     blocks, blocks, #1
        .irp    w, 4, 5, 6, 7
        both    bytes, \w, \w
        .endr
        both    plus_k, 3, 4
        .irp    q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        step    \q
        .endr
        add_state state_0, 0, 1
        add_state state_1, 16, 17
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
