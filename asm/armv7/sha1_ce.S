/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_ce - SHA-1 block function, ARMv8 SHA-1 instructions in AArch32
 *
 *   void hk_sha1_ce(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     NEON|SHA1
 * Stack     64 bytes: d8-d15
 * Method    SHA1C, SHA1P and SHA1M do four rounds, SHA1SU0 and SHA1SU1 make
 *           four words of the schedule. W + K is added one step before its use
 *           and the schedule runs one to three steps ahead
 * Bound     the chain of 20 hash instructions: 4 to 6 cycles each on the large
 *           cores, 80 to 120 cycles a block. All else is meant to hide in it
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   r0  state     r1  data      r2  blocks left     r3  a constant, at entry
 *   q0         a, b, c, d
 *   q1, q2     e of odd and even steps
 *   q3, q8     the chaining value: e, and a, b, c, d
 *   q4-q7      K of rounds 0, 20, 40, 60, in each lane
 *   q9, q10    W + K of even and odd steps
 *   q12-q15    16 words of the schedule, a ring of four vectors
 */
        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8
#include "abi.inc"
#include "sha1.inc"
        .altmacro

state   .req    r0
data    .req    r1
blocks  .req    r2

/* W(t): the number of the register of W[4t..4t+3] */
#define W(t)            (12+(t)%4)

/* step hash, t: rounds 4t to 4t + 3 by the instruction hash. Afterwards
 * W[4t+4..4t+19] is under way. */
        .macro  step hash, t
        four    \hash, %(1+(\t+1)%2), %(1+\t%2), %(9+\t%2)
        prepare \t
        .endm

        .macro  four hash, e, e_next, wk
        sha1h.32 q\e_next, q0
        \hash\().32 q0, q\e, q\wk
        .endm

/* prepare t: W + K of the next step, and the schedule */
        .macro  prepare t
        .if     \t < 19
        add_k   %(10-\t%2), %W(\t+1), %(4+(\t+1)/5)
        .endif
        .if     \t > 0 && \t < 17
        extend_1 %W(\t+3), %W(\t+2)
        .endif
        .if     \t < 16
        extend_0 %W(\t), %W(\t+1), %W(\t+2)
        .endif
        .endm

        .macro  add_k wk, w, k
        vadd.i32 q\wk, q\w, q\k
        .endm

        .macro  extend_0 w0, w1, w2
        sha1su0.32 q\w0, q\w1, q\w2
        .endm

        .macro  extend_1 w0, w3
        sha1su1.32 q\w0, q\w3
        .endm

        kernel  hk_sha1_ce, arm
        cmp     blocks, #0
        bxeq    lr
        save_vectors
        constant_t2 r3, K_0
        vdup.32 q4, r3
        constant_t2 r3, K_20
        vdup.32 q5, r3
        constant_t2 r3, K_40
        vdup.32 q6, r3
        constant_t2 r3, K_60
        vdup.32 q7, r3
        vld1.32 {q0}, [state]!
        vld1.32 {d6[0]}, [state]
        sub     state, state, #16

.Lnext_block:
        vld1.8  {q12, q13}, [data]!
        vld1.8  {q14, q15}, [data]!
        subs    blocks, blocks, #1
        vmov    q8, q0
        vrev32.8 q12, q12
        vrev32.8 q13, q13
        vadd.i32 q9, q12, q4
        vrev32.8 q14, q14
        vrev32.8 q15, q15

        @ e of the first step is read from the chaining value.
        four    sha1c, 3, 1, 9
        prepare 0
        .irp    t, 1, 2, 3, 4
        step    sha1c, \t
        .endr
        .irp    t, 5, 6, 7, 8, 9
        step    sha1p, \t
        .endr
        .irp    t, 10, 11, 12, 13, 14
        step    sha1m, \t
        .endr
        .irp    t, 15, 16, 17, 18, 19
        step    sha1p, \t
        .endr

        vadd.i32 q0, q0, q8
        vadd.i32 q3, q3, q2
        bne     .Lnext_block

        vst1.32 {q0}, [state]!
        vst1.32 {d6[0]}, [state]
        restore_vectors
        bx      lr
        endkernel hk_sha1_ce
