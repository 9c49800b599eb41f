/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_ce - SHA-256 block function, ARMv8 SHA-256 instructions
 *
 *   void hk_sha256_ce(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     SHA2
 * Stack     32 bytes
 * Method    SHA256H and SHA256H2 do four rounds, SHA256SU0 and SHA256SU1 make
 *           four words of the schedule. All 64 constants stay in registers; W +
 *           K is added one step before its use.
 * Bound     the chain of 16 steps, each a copy and a hash instruction: 5 to 6
 *           cycles on the large cores. All else is meant to hide in it.
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x0  state      x1  data       x2  blocks left     x3  the constants
 *   v0  a, b, c, d                v1  e, f, g, h
 *   v2, v3     W + K of even and odd steps
 *   v4-v7      16 words of the schedule, a ring of four vectors
 *   v8         a-d before the step
 *   v9, v10    the chaining value: a-d and e-h
 *   v16-v31    K[0..63]
 */
        .arch   armv8-a+crypto
#include "abi.inc"
        .altmacro

state   .req    x0
data    .req    x1
blocks  .req    x2
table   .req    x3

// step q: rounds 4q to 4q+3. The ring holds W[4q..4q+15] as w0 to w3; in the
// first 12 steps W[4q+16..4q+19] comes in the place of w0.
        .macro  step q
        step_   \q, %(2 + \q % 2), %(3 - \q % 2), %(17 + \q), \
                %(4 + \q % 4), %(4 + (\q + 1) % 4), %(4 + (\q + 2) % 4), \
                %(4 + (\q + 3) % 4)
        .endm

        .macro  step_ q, wk, wk_next, k_next, w0, w1, w2, w3
        mov     v8.16b, v0.16b
        .if     \q < 12
        sha256su0 v\w0\().4s, v\w1\().4s
        .endif
        .if     \q < 15
        add     v\wk_next\().4s, v\w1\().4s, v\k_next\().4s
        .endif
        sha256h q0, q1, v\wk\().4s
        sha256h2 q1, q8, v\wk\().4s
        .if     \q < 12
        sha256su1 v\w0\().4s, v\w2\().4s, v\w3\().4s
        .endif
        .endm

kernel hk_sha256_ce
        cbz     blocks, .return
        stp     d8, d9, [sp, #-32]!
        .cfi_def_cfa_offset 32
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        str     d10, [sp, #16]
        .cfi_rel_offset d10, 16
        address table, .constants
        ld1     {v16.4s-v19.4s}, [table], #64
        ld1     {v20.4s-v23.4s}, [table], #64
        ld1     {v24.4s-v27.4s}, [table], #64
        ld1     {v28.4s-v31.4s}, [table]
        ld1     {v0.4s, v1.4s}, [state]

.next_block:
        ld1     {v4.16b-v7.16b}, [data], #64
        sub     blocks, blocks, #1
        mov     v9.16b, v0.16b
        mov     v10.16b, v1.16b
        rev32   v4.16b, v4.16b
        rev32   v5.16b, v5.16b
        add     v2.4s, v4.4s, v16.4s
        rev32   v6.16b, v6.16b
        rev32   v7.16b, v7.16b
        .irp    q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        step    \q
        .endr
        add     v0.4s, v0.4s, v9.4s
        add     v1.4s, v1.4s, v10.4s
        cbnz    blocks, .next_block

        st1     {v0.4s, v1.4s}, [state]
        ldr     d10, [sp, #16]
        .cfi_restore d10
        ldp     d8, d9, [sp], #32
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
.return:
        ret
endkernel hk_sha256_ce

        .macro  K32 p, q, r, t
        .word   \p, \q, \r, \t
        .endm

        constants
.constants:
#include "sha256_k.inc"
