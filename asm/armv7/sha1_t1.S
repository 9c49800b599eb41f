/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_t1 - SHA-1 block function, 16-bit Thumb, byte loads, small
 *
 *   void hk_sha1_t1(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     any ARM with Thumb, of ARMv4T and Cortex-M0 on
 * Stack     184 bytes: 36 words of the schedule, a pointer, saved registers
 * Method    four times twenty rounds in one loop: with W[t..t+15] in front, the
 *           next twenty words of the schedule are added, twenty rounds run
 *           through the first twenty, and the last sixteen move to the front.
 *           Which f is for the flags to say. The instructions are those of
 *           ARMv6-M (Cortex-M0, M0+, M1) and of Thumb on ARMv4T and later
 * Bound     made for size: about 28 instructions a round, 13 a schedule word
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r4   a..e
 *   r5, r6  scratch; r5 also state
 *   r7      W[t]
 *   r8      the round constant
 *   r10     behind the twentieth word
 *   r11     how often twenty rounds are done
 *   r12     data
 */
        .thumb
        .arch   armv6-m
        .eabi_attribute Tag_CPU_arch_profile, 0 @ links into A-profile code too
#include "abi.inc"
#include "sha1.inc"

va      .req    r0
vb      .req    r1
vc      .req    r2
vd      .req    r3
ve      .req    r4
t0      .req    r5
t1      .req    r6
state   .req    r5
word    .req    r7
k       .req    r8
twenty  .req    r10
turn    .req    r11
data    .req    r12

#define FRAME           (4 * 37)
#define END             (4 * 36)        /* in the frame: the end of all data */
#define STATE           (FRAME + 12)    /* above the saved r8, r10, r11 */

        kernel  hk_sha1_t1, thumb
        cmp     r2, #0
        bne     .Lstart
        bx      lr
.Lstart:
        save    r0, r4, r5, r6, r7, lr
        mov     r4, r8
        mov     r5, r10
        mov     r6, r11
        push    {r4, r5, r6}
        .cfi_adjust_cfa_offset 12
        .cfi_rel_offset r8, 0
        .cfi_rel_offset r10, 4
        .cfi_rel_offset r11, 8
        alloc   FRAME
        lsls    r2, r2, #6
        adds    r2, r1, r2
        str     r2, [sp, #END]

.Lnext_block:
        @ W[0..15], section 6.1.2, step 1; here r1 is data.
        mov     word, sp
        add     r2, sp, #4 * 16
.Lmessage:
        ldrb    r3, [r1]
        .irp    byte, 1, 2, 3
        ldrb    r4, [r1, #\byte]
        lsls    r3, r3, #8
        orrs    r3, r3, r4
        .endr
        stm     word!, {r3}
        adds    r1, r1, #4
        cmp     word, r2
        bne     .Lmessage
        mov     data, r1

        @ Step 2, then step 3 with each constant of section 4.2.1.
        add     r1, sp, #4 * 20
        mov     twenty, r1
        ldr     state, [sp, #STATE]
        ldm     state!, {va, vb, vc, vd, ve}
        movs    t0, #0
        mov     turn, t0
        constant_t1 t0, K_0
        bl      .Ltwenty_rounds
        constant_t1 t0, K_20
        bl      .Ltwenty_rounds
        constant_t1 t0, K_40
        bl      .Ltwenty_rounds
        constant_t1 t0, K_60
        bl      .Ltwenty_rounds

        @ The chaining value, step 4.
        ldr     state, [sp, #STATE]
        .irp    reg, r0, r1, r2, r3, r4
        ldr     t1, [state]
        adds    \reg, \reg, t1
        stm     state!, {\reg}
        .endr
        mov     r1, data
        ldr     r2, [sp, #END]
        cmp     r1, r2
        bne     .Lnext_block

        .cfi_remember_state
        release FRAME
        pop     {r4, r5, r6}
        .cfi_adjust_cfa_offset -12
        .cfi_register r8, r4
        .cfi_register r10, r5
        .cfi_register r11, r6
        mov     r8, r4
        .cfi_restore r8
        mov     r10, r5
        .cfi_restore r10
        mov     r11, r6
        .cfi_restore r11
        restore r3, r4, r5, r6, r7
        pop     {r2}
        .cfi_adjust_cfa_offset -4
        .cfi_register lr, r2
        bx      r2

        .cfi_restore_state
        @ Twenty words: W[t] = (W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]) rol 1.
.Ltwenty_rounds:
        mov     k, t0
        mov     word, sp
.Lschedule:
        ldr     t0, [word]
        .irp    ahead, 2, 8, 13
        ldr     t1, [word, #4 * \ahead]
        eors    t0, t0, t1
        .endr
        movs    t1, #31
        rors    t0, t0, t1
        str     t0, [word, #4 * 16]
        adds    word, word, #4
        cmp     word, twenty
        bne     .Lschedule

        @ f: odd turns take Parity, turn 0 Ch, turn 2 Maj; all want c ^ d.
        mov     word, sp
.Lround:
        mov     t1, turn
        movs    t0, vc
        eors    t0, t0, vd
        lsrs    t1, t1, #1
        bcs     .Lparity
        beq     .Lch
        movs    t1, vc
        ands    t1, t1, vd
        ands    t0, t0, vb
        adds    t0, t0, t1              @ Maj = (c & d) + ((c ^ d) & b)
        b       .Lf_done
.Lch:
        ands    t0, t0, vb
        eors    t0, t0, vd              @ Ch = ((c ^ d) & b) ^ d
        b       .Lf_done
.Lparity:
        eors    t0, t0, vb              @ Parity = c ^ d ^ b
.Lf_done:

        @ T = (a rol 5) + f + e + K + W[t]; then all names move on.
        adds    t0, t0, ve
        ldm     word!, {t1}
        adds    t0, t0, t1
        add     t0, t0, k
        movs    ve, #27
        movs    t1, va
        rors    t1, t1, ve
        adds    t0, t0, t1              @ T
        movs    ve, vd
        movs    vd, vc
        movs    vc, vb
        movs    t1, #2
        rors    vc, vc, t1
        movs    vb, va
        movs    va, t0
        cmp     word, twenty
        bne     .Lround

        @ The last 16 words to the front.
        add     t1, sp, #4 * 16
        mov     k, t1
        mov     t1, sp
.Lmove:
        ldm     word!, {t0}
        stm     t1!, {t0}
        cmp     t1, k
        bne     .Lmove
        movs    t0, #1
        add     turn, turn, t0
        bx      lr
        endkernel hk_sha1_t1
