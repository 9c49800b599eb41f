/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_ce - SHA-256 block function, ARMv8 SHA-256 instructions in AArch32
 *
 *   void hk_sha256_ce(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     NEON|SHA2
 * Stack     64 bytes: d8-d15
 * Method    SHA256H and SHA256H2 do four rounds, SHA256SU0 and SHA256SU1 make
 *           four words of the schedule. W + K is added one step before its use,
 *           constants are loaded two to four steps before theirs
 * Bound     the chain of 16 steps, each a copy and a hash instruction: 5 to 6
 *           cycles on the large cores. All else is meant to hide in it
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   r0  state     r1  data      r2  blocks left     r3  the next constants
 *   q0  a, b, c, d              q1  e, f, g, h
 *   q2, q3     the chaining value: a-d and e-h
 *   q4-q7      K of four steps, a ring
 *   q8, q9     W + K of even and odd steps
 *   q10        a-d before the step
 *   q12-q15    16 words of the schedule, a ring of four vectors
 */
        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8
#include "abi.inc"
        .altmacro

state   .req    r0
data    .req    r1
blocks  .req    r2
k       .req    r3

/* W(t), K(t): the numbers of the registers of W[4t..4t+3] and its constants */
#define W(t)            (12+(t)%4)
#define K(t)            (4+(t)%4)

/* step t: rounds 4t to 4t + 3. In the first 12 steps W[4t+16..4t+19] comes in
 * the place of W[4t..4t+3]. */
        .macro  step t
        vmov    q10, q0
        .if     \t < 12
        extend_0 %W(\t), %W(\t+1)
        .endif
        .if     \t < 15
        add_k   %(9-\t%2), %W(\t+1), %K(\t+1)
        .endif
        four    %(8+\t%2)
        .if     \t < 12
        extend_1 %W(\t), %W(\t+2), %W(\t+3)
        .endif
        .if     \t == 13
        sub     k, k, #4 * 64
        .endif
        .if     \t % 2
        load_k  %K(\t+3), %K(\t+4)
        .endif
        .endm

        .macro  four wk
        sha256h.32 q0, q1, q\wk
        sha256h2.32 q1, q10, q\wk
        .endm

        .macro  add_k wk, w, k
        vadd.i32 q\wk, q\w, q\k
        .endm

        .macro  load_k k0, k1
        vld1.32 {q\k0, q\k1}, [k:128]!
        .endm

        .macro  extend_0 w0, w1
        sha256su0.32 q\w0, q\w1
        .endm

        .macro  extend_1 w0, w2, w3
        sha256su1.32 q\w0, q\w2, q\w3
        .endm

        kernel  hk_sha256_ce, arm
        cmp     blocks, #0
        bxeq    lr
        save_vectors
        address_v7 k, .Lconstants
        vld1.32 {q0, q1}, [state]
        load_k  4, 5
        load_k  6, 7

.Lnext_block:
        vld1.8  {q12, q13}, [data]!
        vld1.8  {q14, q15}, [data]!
        subs    blocks, blocks, #1
        vmov    q2, q0
        vmov    q3, q1
        vrev32.8 q12, q12
        vrev32.8 q13, q13
        vadd.i32 q8, q12, q4
        vrev32.8 q14, q14
        vrev32.8 q15, q15
        .irp    t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        step    \t
        .endr
        vadd.i32 q0, q0, q2
        vadd.i32 q1, q1, q3
        bne     .Lnext_block

        vst1.32 {q0, q1}, [state]
        restore_vectors
        bx      lr
        endkernel hk_sha256_ce

        .macro  K32 a, b, c, d
        .word   \a, \b, \c, \d
        .endm

        constants
.Lconstants:
#include "sha256_k.inc"
