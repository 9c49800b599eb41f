/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1x_cex2 - SHA-1 of two messages at once, ARMv8 SHA-1 instructions
 *
 *   void hk_sha1x_cex2(uint32_t *const state[2], const uint8_t *const data[2],
 *                      size_t nblocks);
 *
 * Needs     SHA1
 * Stack     0 bytes
 * Method    hk_sha1_ce twice, step by step: one message computes while the
 *           other one waits for its hash instruction.
 * Bound     40 hash instructions in the unit for them, two cycles each on most
 *           cores, or 190 vector instructions at two a cycle: 95
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x2  blocks left     x3, x4  states     x5, x6  data     x7  the constants
 *   message 0, message 1:
 *   v0, v3             a, b, c, d
 *   v1, v2; v18, v19   e of odd and even steps
 *   v4-v7; v24-v27     16 words of the schedule, a ring of four vectors
 *   v16, v17; v28, v29 W + K of even and odd steps
 *   v20-v23   K of rounds 0, 20, 40, 60, in each lane
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

// step hash, n: rounds 4n to 4n+3 of both by the instruction hash. The rings
// hold W[4n..4n+15] as vectors w0 to w3; on return W[4n+4..4n+19] is under way.
        .macro  step hash, n
        step_   \hash, \n, %(20 + (\n + 1) / 5), 0, \
                %(2 - \n % 2), %(1 + \n % 2), %(16 + \n % 2), %(17 - \n % 2), \
                %(4 + \n % 4), %(4 + (\n + 1) % 4), %(4 + (\n + 2) % 4), \
                %(4 + (\n + 3) % 4)
        step_   \hash, \n, %(20 + (\n + 1) / 5), 3, \
                %(19 - \n % 2), %(18 + \n % 2), %(28 + \n % 2), \
                %(29 - \n % 2), %(24 + \n % 4), %(24 + (\n + 1) % 4), \
                %(24 + (\n + 2) % 4), %(24 + (\n + 3) % 4)
        .endm

        .macro  step_ hash, n, k, abcd, e, e_next, wk, wk_next, w0, w1, w2, w3
        sha1h   s\e_next, s\abcd
        \hash   q\abcd, s\e, v\wk\().4s
        .if     \n < 19
        add     v\wk_next\().4s, v\w1\().4s, v\k\().4s
        .endif
        .if     \n > 0 && \n < 17
        sha1su1 v\w3\().4s, v\w2\().4s
        .endif
        .if     \n < 16
        sha1su0 v\w0\().4s, v\w1\().4s, v\w2\().4s
        .endif
        .endm

// add_state state, abcd, e: the chaining value, in memory
        .macro  add_state state, abcd, e
        ld1     {v30.4s}, [\state]
        ldr     s31, [\state, #16]
        add     v\abcd\().4s, v\abcd\().4s, v30.4s
        add     v\e\().4s, v\e\().4s, v31.4s
        st1     {v\abcd\().4s}, [\state]
        str     s\e, [\state, #16]
        .endm

kernel hk_sha1x_cex2
        cbz     blocks, .return
        ldp     state_0, state_1, [x0]
        ldp     data_0, data_1, [x1]
        address table, .constants
        ld4r    {v20.4s-v23.4s}, [table]
        ld1     {v0.4s}, [state_0]
        ldr     s2, [state_0, #16]
        ld1     {v3.4s}, [state_1]
        ldr     s19, [state_1, #16]

.next_block:
        ld1     {v4.16b-v7.16b}, [data_0], #64
        ld1     {v24.16b-v27.16b}, [data_1], #64
        sub     blocks, blocks, #1
        .irp    i, 4, 24, 5, 25, 6, 26, 7, 27
        rev32   v\i\().16b, v\i\().16b
        .endr
        add     v16.4s, v4.4s, v20.4s
        add     v28.4s, v24.4s, v20.4s
        .irp    q, 0, 1, 2, 3, 4
        step    sha1c, \q
        .endr
        .irp    q, 5, 6, 7, 8, 9
        step    sha1p, \q
        .endr
        .irp    q, 10, 11, 12, 13, 14
        step    sha1m, \q
        .endr
        .irp    q, 15, 16, 17, 18, 19
        step    sha1p, \q
        .endr
        add_state state_0, 0, 2
        add_state state_1, 3, 19
        cbnz    blocks, .next_block
.return:
        ret
endkernel hk_sha1x_cex2

        .macro  K32 ch, parity_1, maj, parity_2
        .word   \ch, \parity_1, \maj, \parity_2
        .endm

        constants
.constants:
#include "sha1_k.inc"
