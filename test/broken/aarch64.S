/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * aarch64.S - kernels broken on purpose (see broken.def)
 *
 * Each misbehaves in one way and leaves the rest to hk_sha1_base.
 *
 * Stack     0 bytes                    (what hk_broken_stack promises)
 */
        .arch   armv8.2-a+sha3
#include "abi.inc"

        .macro  broken name
        kernel  hk_broken_\name
        .endm

        // good name: the rest is as it should be
        .macro  good name
        b       hk_sha1_base
        endkernel hk_broken_\name
        .endm

        .irp    n, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
        broken  x\n
        mov     x\n, x1
        good    x\n
        .endr

        .irp    n, 8, 15
        broken  d\n
        movi    d\n, #0
        good    d\n
        .endr

        broken  fpcr
        mrs     x9, fpcr
        eor     x9, x9, #0x00c00000
        msr     fpcr, x9
        good    fpcr

        broken  stack_pointer
        add     sp, sp, #16
        ret
        endkernel hk_broken_stack_pointer

        broken  above_frame
        str     x0, [sp, #8]
        good    above_frame

        // Spills below the stack pointer, where an interrupt writes.
        broken  red_zone
        str     x0, [sp, #-8]
        ldr     x0, [sp, #-8]
        good    red_zone

        // Moves the stack pointer behind the unwinder's back.
        broken  unwind_push
        stp     x19, x20, [sp, #-16]!
        nop
        ldp     x19, x20, [sp], #16
        good    unwind_push

        // Parks a register of the caller where the unwinder does not look.
        broken  unwind_register
        mov     x9, x19
        mov     x19, x1
        mov     x19, x9
        good    unwind_register

        // Borrows the platform's register, and gives it back.
        broken  x18_kept
        mov     x9, x18
        mov     x18, x1
        mov     x18, x9
        good    x18_kept

        // Uses more stack than the banner above says.
        broken  stack
        good    stack

        broken  strict_ldr
        ldr     w9, [x1]
        good    strict_ldr

        broken  strict_ldp
        ldp     w9, w10, [x1, #8]
        good    strict_ldp

        broken  strict_ld1
        ld1     {v0.16b}, [x1]
        good    strict_ld1

        broken  needs_sha512
        sha512su0 v0.2d, v1.2d
        good    needs_sha512

        // No landing pad.
        .globl  hk_broken_landing
        .type   hk_broken_landing, %function
hk_broken_landing:
        b       hk_sha1_base
