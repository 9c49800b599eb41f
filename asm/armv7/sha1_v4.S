/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_v4 - SHA-1 block function, ARM state, byte loads, unrolled
 *
 *   void hk_sha1_v4(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     A32
 * Stack     112 bytes: the ring of 16 words, two pointers, saved registers
 * Method    all rotations ride on other instructions (sha1.inc). Message words
 *           are put together from bytes, since ARMv4 and v5 cannot load a word
 *           from any address; each W[t] is stored once, as soon as it exists,
 *           and the last three stay in registers too
 * Bound     540 operations for the rounds, 192 exclusive ors, 48 to join bytes,
 *           336 loads and stores, one after another (ARM7TDMI, ARM926)
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r3   the last three words of the schedule, and the next
 *   r4, r5  words of the ring on their way; r4 a byte, r5 also data
 *   r6      scratch of the round function
 *   r7, r8, r10, r11, r12   a..e, renamed by the rounds, never moved
 *   lr      the round constant; then state
 */
        .arch   armv4t
#include "abi.inc"
#include "sha1.inc"

w0      .req    r0
w1      .req    r1
w2      .req    r2
w3      .req    r3
y0      .req    r4
y1      .req    r5
data    .req    r5
x       .req    r6
va      .req    r7
vb      .req    r8
vc      .req    r10
vd      .req    r11
ve      .req    r12
k       .req    lr
state   .req    lr

#define FRAME           76
#define NEXT            64      /* in the frame: data of the next block, */
#define END             68      /* and the end of all data; */
#define STATE           76      /* state is the register saved lowest */

        .macro  load_word n, p, t
        ldrb    \n, [data, #4 * \t]
        ldrb    y0, [data, #4 * \t + 1]
        ldrb    \p, [data, #4 * \t + 2]
        .endm

        .macro  join_word n, p, t
        orr     \n, y0, \n, lsl #8
        ldrb    y0, [data, #4 * \t + 3]
        orr     \n, \p, \n, lsl #8
        orr     \n, y0, \n, lsl #8
        .endm

        kernel  hk_sha1_v4, arm
        cmp     r2, #0
        beq     .Lreturn
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        alloc   FRAME
        add     w3, r1, r2, lsl #6
        mov     data, r1
        str     w3, [sp, #END]
        ldm     r0, {va, vb, vc, vd, ve}

.Lnext_block:
        @ c, d and e as they were before their rotation; the first word.
        load_word w2, w1, 0
        add     w3, data, #64
        str     w3, [sp, #NEXT]
        mov     vc, vc, ror #30
        mov     vd, vd, ror #30
        mov     ve, ve, ror #30
        join_word w2, w1, 0
        str     w2, [sp]

        .set    .Lt, 0
        constant k, K_0
        rounds  10, ch, va, vb, vc, vd, ve, w0, w1, w2, w3
        constant k, K_20
        rounds  10, parity, va, vb, vc, vd, ve, w0, w1, w2, w3
        constant k, K_40
        rounds  10, maj, va, vb, vc, vd, ve, w0, w1, w2, w3
        constant k, K_60
        rounds  10, parity, va, vb, vc, vd, ve, w0, w1, w2, w3

        @ The chaining value, section 6.1.2, step 4.
        ldr     state, [sp, #STATE]
        ldm     state, {w0, w1, w2, w3, y0}
        add     va, va, w0
        add     vb, vb, w1
        add     vc, w2, vc, ror #2
        add     vd, w3, vd, ror #2
        add     ve, y0, ve, ror #2
        ldr     data, [sp, #NEXT]
        ldr     w3, [sp, #END]
        stm     state, {va, vb, vc, vd, ve}
        cmp     data, w3
        bne     .Lnext_block

        release FRAME
        restore r0, r4, r5, r6, r7, r8, r10, r11, lr
.Lreturn:
        return_v4
        endkernel hk_sha1_v4
