/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sipabsorb_t1 - SipHash, whole words into the state, 16-bit Thumb, small
 *
 *   void hk_sipabsorb_t1(uint64_t state[4], const uint8_t *data,
 *                        size_t nwords, unsigned rounds);
 *
 * Needs     any ARM with Thumb, of ARMv4T and Cortex-M0 on
 * Stack     48 bytes: saved registers, the word being taken in, state, rounds
 * Method    one round in a loop; three of the four words in low registers, one
 *           in high registers (siphash_t1.inc); bytes are put together, since
 *           ARMv6-M cannot load a word from any address
 * Bound     made for size: 52 instructions a round
 * Origin    written from Aumasson and Bernstein 2012; no code taken
 *
 * Registers
 *   as listed in siphash_t1.inc
 */
        .thumb
        .arch   armv6-m
        .eabi_attribute Tag_CPU_arch_profile, 0 @ links into A-profile code too
#include "abi.inc"
#include "siphash_t1.inc"

#define STATE   8                       /* in the frame, above m */
#define ROUNDS  12

        kernel  hk_sipabsorb_t1, thumb
        cmp     r2, #0
        bne     .Lsome_words
        bx      lr
.Lsome_words:
        save_all 16
        str     r0, [sp, #STATE]
        str     r3, [sp, #ROUNDS]
        mov     data, r1
        lsls    r2, r2, #3
        adds    r2, r1, r2
        mov     lr, r2                  @ the end

        @ The state: v0 and v1, v3, and v2 away.
        mov     r7, r0
        ldr     r4, [r7, #16]
        ldr     r5, [r7, #20]
        mov     away_l, r4
        mov     away_h, r5
        ldr     v3l, [r7, #24]
        ldr     v3h, [r7, #28]
        ldmia   r7!, {v0l, v0h, v1l, v1h}

.Lnext_word:
        take_word
        ldr     t, [sp, #ROUNDS]
        mov     left, t
        rounds_loop 1
        cmp     data, lr
        bne     .Lnext_word

        ldr     r7, [sp, #STATE]
        stmia   r7!, {v0l, v0h, v1l, v1h}
        mov     r0, away_l
        mov     r1, away_h
        stmia   r7!, {r0, r1, v3l, v3h}
        restore_all 16
        endkernel hk_sipabsorb_t1
