/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_v4_small - SHA-1 block function, ARM state, byte loads, compact
 *
 *   void hk_sha1_v4_small(uint32_t state[5], const uint8_t *data,
 *                         size_t nblocks);
 *
 * Needs     A32
 * Stack     360 bytes: W[0..79], a pointer, saved registers
 * Method    three passes over the block: its bytes are joined to 16 words, the
 *           schedule is written out, four words a step with LDM and STM, and
 *           the rounds run through it, five in a loop, so that a..e need not
 *           move. The rotations of a, b and c ride on other instructions
 * Bound     540 operations for the rounds, 256 for the schedule, 48 to join
 *           bytes; the rest is loads, stores and 108 loop ends
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers, in the passes that write W and in the one that reads it
 *   r0             W[t], where the schedule is stored    the round constant
 *   r1             data                                  data
 *   r2-r4          W[t-16..t-14], then W[t..t+2]         W[t..t+2]
 *   r5             W[t-13], then W[t+3]                  a
 *   r6-r8, r10     words further on                      b..e
 *   r11            where they are                        scratch of f
 *   r12            W[t-16]                               W[t]
 *   lr             the end of the pass                   the end of the pass
 */
        .arch   armv4t
#include "abi.inc"
#include "sha1.inc"

new     .req    r0
k       .req    r0
state   .req    r0
data    .req    r1
w0      .req    r2
w1      .req    r3
w2      .req    r4
w3      .req    r5
y0      .req    r6
y1      .req    r7
y2      .req    r8
y3      .req    r10
va      .req    r5
vb      .req    r6
vc      .req    r7
vd      .req    r8
ve      .req    r10
x       .req    r11
word    .req    r12
end     .req    lr

#define FRAME           324
#define END             320     /* in the frame: the end of all data */
#define STATE           324     /* state is the register saved lowest */

/* words n, s0, s1, s2, s3: takes four words of the schedule further back into
 * w0..w3, which become W[t..t+3] */
        .macro  take s0, s1, s2, s3
        eor     w0, w0, \s0
        eor     w1, w1, \s1
        eor     w2, w2, \s2
        eor     w3, w3, \s3
        .endm

/* loop_round, five_rounds: the words come in w0..w2, loaded three and two */
        .macro  loop_round f, a, b, c, d, e, w
        add     \e, k, \e, ror #2
        \f\()_1 \e, \b, \c, \d, x
        add     \e, \e, \w
        \f\()_2 \e, \b, \c, \d, x
        add     \e, \e, \a, ror #27
        add     \e, \e, x
        .endm

        .macro  five_rounds f
        ldm     word!, {w0, w1, w2}
        loop_round \f, va, vb, vc, vd, ve, w0
        loop_round \f, ve, va, vb, vc, vd, w1
        loop_round \f, vd, ve, va, vb, vc, w2
        ldm     word!, {w0, w1}
        loop_round \f, vc, vd, ve, va, vb, w0
        loop_round \f, vb, vc, vd, ve, va, w1
        cmp     word, end
        .endm

        kernel  hk_sha1_v4_small, arm
        cmp     r2, #0
        beq     .Lreturn
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        alloc   FRAME
        add     r2, r1, r2, lsl #6
        str     r2, [sp, #END]

.Lnext_block:
        @ W[0..15], section 6.1.2, step 1.
        mov     new, sp
        add     end, sp, #4 * 16
.Lmessage:
        ldrb    w0, [data], #1
        ldrb    w1, [data], #1
        ldrb    w2, [data], #1
        ldrb    w3, [data], #1
        orr     w0, w1, w0, lsl #8
        orr     w0, w2, w0, lsl #8
        orr     w0, w3, w0, lsl #8
        str     w0, [new], #4
        cmp     new, end
        bne     .Lmessage

        @ W[16..79]: W[t-16] ^ W[t-14], then W[t-8], then W[t-3].
        mov     word, sp
        add     end, sp, #4 * 80
.Lschedule:
        ldm     word!, {w0, w1, w2, w3}
        ldm     word, {y0, y1}
        eor     w0, w0, w2
        eor     w1, w1, w3
        eor     w2, w2, y0
        eor     w3, w3, y1
        add     x, word, #16
        ldm     x, {y0, y1, y2, y3}
        take    y0, y1, y2, y3
        ldmdb   new, {y0, y1, y2}
        eor     w0, w0, y0
        ror     w0, w0, #31
        eor     w1, w1, y1
        ror     w1, w1, #31
        eor     w2, w2, y2
        ror     w2, w2, #31
        eor     w3, w3, w0
        ror     w3, w3, #31
        stm     new!, {w0, w1, w2, w3}
        cmp     new, end
        bne     .Lschedule

        @ Rounds, step 3; c, d and e as they were before their rotation.
        ldr     state, [sp, #STATE]
        mov     word, sp
        add     end, sp, #4 * 20
        ldm     state, {va, vb, vc, vd, ve}
        ror     vc, vc, #30
        ror     vd, vd, #30
        ror     ve, ve, #30
        constant k, K_0
.Lch:
        five_rounds ch
        bne     .Lch
        constant k, K_20
.Ltwenty_more:
        add     end, end, #4 * 20
.Lparity:
        five_rounds parity
        bne     .Lparity

        @ K_60 is negative, K_20 is not.
        cmp     k, #0
        blt     .Lblock_done
        constant k, K_40
        add     end, end, #4 * 20
.Lmaj:
        five_rounds maj
        bne     .Lmaj
        constant k, K_60
        b       .Ltwenty_more

.Lblock_done:
        @ The chaining value, step 4.
        ldr     state, [sp, #STATE]
        ldm     state, {w0, w1, w2, x, word}
        add     va, va, w0
        add     vb, vb, w1
        add     vc, w2, vc, ror #2
        add     vd, x, vd, ror #2
        add     ve, word, ve, ror #2
        stm     state, {va, vb, vc, vd, ve}
        ldr     end, [sp, #END]
        cmp     data, end
        bne     .Lnext_block

        release FRAME
        restore r0, r4, r5, r6, r7, r8, r10, r11, lr
.Lreturn:
        return_v4
        endkernel hk_sha1_v4_small
