/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha256_t1 - SHA-256 block function, 16-bit Thumb, byte loads, small
 *
 *   void hk_sha256_t1(uint32_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     any ARM with Thumb, of ARMv4T and Cortex-M0 on
 * Stack     264 bytes: 32 words of the schedule, a..h and 16 words for them to
 *           move into, a pointer, saved registers
 * Method    four times sixteen rounds in a loop. a..h lie in memory and stay
 *           there: a round puts the new a below them and the new e in the place
 *           of d, and all names move on. Between the passes, sixteen words of
 *           the schedule are added and moved to the front. The instructions are
 *           those of ARMv6-M (Cortex-M0, M0+, M1) and of Thumb on ARMv4T
 * Bound     made for size: 48 instructions a round, 28 a schedule word
 * Origin    written from FIPS 180-4; no code taken
 *
 * One word of data lies in the text: the distance to the constants, which
 * 16-bit Thumb cannot form relative to pc in another way.
 *
 * Registers
 *   r0-r4   scratch
 *   r5      the next constant
 *   r6      W[t]
 *   r7      a..h
 *   r8      behind the sixteenth word
 *   r10     the end of the constants
 *   r12     data
 */
        .thumb
        .arch   armv6-m
        .eabi_attribute Tag_CPU_arch_profile, 0 @ links into A-profile code too
#include "abi.inc"

k       .req    r5
word    .req    r6
vars    .req    r7
sixteen .req    r8
k_end   .req    r10
data    .req    r12

#define VARS            (4 * 32)                /* in the frame: for a..h, */
#define FULL            (VARS + 4 * 16)         /* where a pass begins, */
#define END             (FULL + 4 * 8)          /* and the end of the data */
#define FRAME           (END + 8)
#define STATE           (FRAME + 8)             /* above the saved r8, r10 */

/* turned x, from, n1, n2, n3: x = from ror n1 ^ from ror n1+n2 ^
 * from ror n1+n2+n3. r3 is scratch. */
        .macro  turned x, from, n1, n2, n3
        movs    \x, \from
        movs    r3, #\n3
        rors    \x, \x, r3
        eors    \x, \x, \from
        movs    r3, #\n2
        rors    \x, \x, r3
        .if     \n1
        eors    \x, \x, \from
        movs    r3, #\n1
        rors    \x, \x, r3
        .endif
        .endm

        kernel  hk_sha256_t1, thumb
        cmp     r2, #0
        bne     .Lstart
        bx      lr
.Lstart:
        save    r0, r4, r5, r6, r7, lr
        mov     r4, r8
        mov     r5, r10
        push    {r4, r5}
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r8, 0
        .cfi_rel_offset r10, 4
        alloc   FRAME
        lsls    r2, r2, #6
        adds    r2, r1, r2
        str     r2, [sp, #END]
        add     r2, sp, #4 * 16
        mov     sixteen, r2

.Lnext_block:
        @ Step 1 of section 6.2.2, the message's part; here r1 is data.
        mov     word, sp
.Lmessage:
        ldrb    r3, [r1]
        .irp    byte, 1, 2, 3
        ldrb    r4, [r1, #\byte]
        lsls    r3, r3, #8
        orrs    r3, r3, r4
        .endr
        stm     word!, {r3}
        adds    r1, r1, #4
        cmp     word, sixteen
        bne     .Lmessage
        mov     data, r1

        @ Step 2.
        ldr     r4, [sp, #STATE]
        add     vars, sp, #FULL
        .rept   2
        ldm     r4!, {r0, r1, r2, r3}
        stm     vars!, {r0, r1, r2, r3}
        .endr
        subs    vars, #4 * 8
        ldr     k, .Ldistance
.Lhere:
        add     k, k, pc
        movs    r0, #4 * 32
        lsls    r0, r0, #1
        adds    r0, r0, k
        mov     k_end, r0

.Lnext_rounds:
        mov     word, sp
.Lround:
        @ Step 3: T1 = h + Sigma1(e) + Ch(e, f, g) + K + W
        ldr     r0, [vars, #28]
        ldm     word!, {r1}
        adds    r0, r0, r1
        ldm     k!, {r1}
        adds    r0, r0, r1
        ldr     r1, [vars, #16]
        turned  r2, r1, 6, 5, 14
        adds    r0, r0, r2
        ldr     r2, [vars, #20]
        ldr     r3, [vars, #24]
        eors    r2, r2, r3
        ands    r2, r2, r1
        eors    r2, r2, r3
        adds    r0, r0, r2

        @ The new e; then T1 + Sigma0(a) + Maj(a, b, c), the new a.
        ldr     r1, [vars, #12]
        adds    r1, r1, r0
        str     r1, [vars, #12]
        ldr     r1, [vars]
        turned  r2, r1, 2, 11, 9
        adds    r0, r0, r2
        ldr     r2, [vars, #4]
        ldr     r3, [vars, #8]
        movs    r4, r1
        ands    r4, r4, r2
        adds    r0, r0, r4
        eors    r2, r2, r1
        ands    r2, r2, r3
        adds    r0, r0, r2
        subs    vars, #4
        str     r0, [vars]
        cmp     word, sixteen
        bne     .Lround
        cmp     k, k_end
        beq     .Lblock_done

        @ Step 1: W[t] + W[t+9] + sigma0(W[t+1]) + sigma1(W[t+14])
        mov     word, sp
.Lschedule:
        ldr     r0, [word]
        ldr     r1, [word, #4 * 9]
        adds    r0, r0, r1
        ldr     r1, [word, #4 * 1]
        turned  r2, r1, 0, 7, 11
        lsrs    r1, r1, #3
        eors    r1, r1, r2
        adds    r0, r0, r1
        ldr     r1, [word, #4 * 14]
        turned  r2, r1, 0, 17, 2
        lsrs    r1, r1, #10
        eors    r1, r1, r2
        adds    r0, r0, r1
        str     r0, [word, #4 * 16]
        adds    word, #4
        cmp     word, sixteen
        bne     .Lschedule

        @ These words to the front, and a..h to where they have room below.
        mov     r4, sp
.Lmove:
        ldm     word!, {r0, r1, r2, r3}
        stm     r4!, {r0, r1, r2, r3}
        cmp     r4, sixteen
        bne     .Lmove
        add     r4, sp, #FULL
        .rept   2
        ldm     vars!, {r0, r1, r2, r3}
        stm     r4!, {r0, r1, r2, r3}
        .endr
        adds    vars, #4 * 8
        b       .Lnext_rounds

.Lblock_done:
        @ Step 4.
        ldr     r4, [sp, #STATE]
        movs    r2, #8
.Lnext_sum:
        ldr     r0, [r4]
        ldm     vars!, {r1}
        adds    r0, r0, r1
        stm     r4!, {r0}
        subs    r2, #1
        bne     .Lnext_sum
        mov     r1, data
        ldr     r2, [sp, #END]
        cmp     r1, r2
        beq     .Ldata_done
        b       .Lnext_block

.Ldata_done:
        release FRAME
        pop     {r4, r5}
        .cfi_adjust_cfa_offset -8
        .cfi_register r8, r4
        .cfi_register r10, r5
        mov     r8, r4
        .cfi_restore r8
        mov     r10, r5
        .cfi_restore r10
        restore r3, r4, r5, r6, r7
        pop     {r2}
        .cfi_adjust_cfa_offset -4
        .cfi_register lr, r2
        bx      r2
        endkernel hk_sha256_t1
        .balign 4
.Ldistance:
        .word   .Lconstants - (.Lhere + 4)

        .macro  K32 a, b, c, d
        .word   \a, \b, \c, \d
        .endm

        constants
.Lconstants:
#include "sha256_k.inc"
