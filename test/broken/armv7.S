/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * armv7.S - kernels broken on purpose (see broken.def)
 *
 * Each misbehaves in one way and leaves the rest to hk_sha1_v4.
 *
 * Stack     0 bytes                    (what hk_broken_stack promises)
 */
        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8
#include "abi.inc"

        .macro  broken name
        kernel  hk_broken_\name, arm
        .endm

        // good name: the rest is as it should be
        .macro  good name
        b       hk_sha1_v4
        endkernel hk_broken_\name
        .endm

        .irp    reg, r4, r5, r6, r7, r8, r9, r10, r11
        broken  \reg
        mov     \reg, r1
        good    \reg
        .endr

        .irp    reg, d8, d15
        broken  \reg
        vmov.i8 \reg, #0
        good    \reg
        .endr

        broken  fpscr
        vmrs    r3, fpscr
        eor     r3, r3, #0x00c00000
        vmsr    fpscr, r3
        good    fpscr

        broken  stack_pointer
        add     sp, sp, #8
        bx      lr
        endkernel hk_broken_stack_pointer

        broken  above_frame
        str     r0, [sp, #8]
        good    above_frame

        // Spills below the stack pointer, where an interrupt writes.
        broken  red_zone
        str     r0, [sp, #-4]
        ldr     r0, [sp, #-4]
        good    red_zone

        // Moves the stack pointer behind the unwinder's back.
        broken  unwind_push
        push    {r4, r5}
        nop
        pop     {r4, r5}
        good    unwind_push

        // Parks a register of the caller where the unwinder does not look.
        broken  unwind_register
        mov     r12, r4
        mov     r4, r1
        mov     r4, r12
        good    unwind_register

        // Borrows the platform's register, and gives it back.
        broken  t1_r9
        mov     r12, r9
        mov     r9, r1
        mov     r9, r12
        good    t1_r9

        // Uses more stack than the banner above says.
        broken  stack
        good    stack

        // Never fixed up by Linux, nor by QEMU.
        broken  load_multiple
        ldmia   r1, {r3, r12}
        good    load_multiple

        broken  v4_ldr
        ldr     r3, [r1]
        good    v4_ldr

        broken  v4_ldrh
        mov     r3, #2
        ldrh    r3, [r1, r3]
        good    v4_ldrh

        kernel  hk_broken_t1_ldr, thumb
        ldr     r3, [r1, #4]
        b.w     hk_sha1_t1
        endkernel hk_broken_t1_ldr

        broken  needs_v6
        rev     r3, r3
        good    needs_v6

        broken  needs_neon
        vmov.i8 q0, #0
        good    needs_neon

        broken  needs_sha1
        sha1h.32 q0, q0
        good    needs_sha1
