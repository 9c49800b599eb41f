/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_ce - SHA-1 block function, ARMv8 SHA-1 instructions
 *
 *   void hk_sha1_ce(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     SHA1
 * Stack     0 bytes
 * Method    SHA1C, SHA1P and SHA1M do four rounds, SHA1SU0 and SHA1SU1 make
 *           four words of the schedule. W + K is added one step before its use
 *           and the schedule runs one to three steps ahead.
 * Bound     the chain of 20 hash instructions: 5 to 6 cycles each on the large
 *           cores, 100 to 120 cycles a block. All else is meant to hide in it.
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x0  state      x1  data       x2  blocks left     x3  the constants
 *   v0         a, b, c, d         v1, v2   e of odd and even steps
 *   v4-v7      16 words of the schedule, a ring of four vectors
 *   v16, v17   W + K of even and odd steps
 *   v20-v23    K of rounds 0, 20, 40, 60, in each lane
 *   v24, v25   the chaining value: a, b, c, d and e
 */
        .arch   armv8-a+crypto
#include "abi.inc"
        .altmacro

state   .req    x0
data    .req    x1
blocks  .req    x2
table   .req    x3

// step hash, q: rounds 4q to 4q+3 by the instruction hash. The ring holds
// W[4q..4q+15] as vectors w0 to w3; on return W[4q+4..4q+19] is under way.
        .macro  step hash, q
        step_   \hash, \q, %(16 + \q % 2), %(17 - \q % 2), %(2 - \q % 2), \
                %(1 + \q % 2), %(20 + (\q + 1) / 5), %(4 + \q % 4), \
                %(4 + (\q + 1) % 4), %(4 + (\q + 2) % 4), %(4 + (\q + 3) % 4)
        .endm

        .macro  step_ hash, q, wk, wk_next, e, e_next, k, w0, w1, w2, w3
        sha1h   s\e_next, s0
        \hash   q0, s\e, v\wk\().4s
        .if     \q < 19
        add     v\wk_next\().4s, v\w1\().4s, v\k\().4s
        .endif
        .if     \q > 0 && \q < 17
        sha1su1 v\w3\().4s, v\w2\().4s
        .endif
        .if     \q < 16
        sha1su0 v\w0\().4s, v\w1\().4s, v\w2\().4s
        .endif
        .endm

kernel hk_sha1_ce
        cbz     blocks, .return
        address table, .constants
        ld4r    {v20.4s-v23.4s}, [table]
        ld1     {v0.4s}, [state], #16
        ld1     {v25.s}[0], [state]
        sub     state, state, #16

.next_block:
        ld1     {v4.16b-v7.16b}, [data], #64
        sub     blocks, blocks, #1
        mov     v24.16b, v0.16b
        rev32   v4.16b, v4.16b
        rev32   v5.16b, v5.16b
        rev32   v6.16b, v6.16b
        add     v16.4s, v4.4s, v20.4s
        rev32   v7.16b, v7.16b

        // e of the first step is read from the chaining value
        step_   sha1c, 0, 16, 17, 25, 1, 20, 4, 5, 6, 7
        .irp    q, 1, 2, 3, 4
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

        add     v0.4s, v0.4s, v24.4s
        add     v25.4s, v25.4s, v2.4s
        cbnz    blocks, .next_block

        st1     {v0.4s}, [state], #16
        st1     {v25.s}[0], [state]
.return:
        ret
endkernel hk_sha1_ce

        .macro  K32 ch, parity_1, maj, parity_2
        .word   \ch, \parity_1, \maj, \parity_2
        .endm

        constants
.constants:
#include "sha1_k.inc"
