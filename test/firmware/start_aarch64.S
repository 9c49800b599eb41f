/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * start_aarch64.S - AArch64, MMU off: all memory is Device memory, where an
 * unaligned access is a fault; any fault ends the run
 */
        .arch   armv8-a
        .text
        .globl  reset
reset:
        adr     x0, vectors
        msr     vbar_el1, x0
        ldr     x0, =stack_top
        mov     sp, x0
        bl      firmware_main

        .globl  semihost
        .type   semihost, %function
semihost:
        hlt     0xf000
        ret

        .globl  call_on_stack
        .type   call_on_stack, %function
call_on_stack:
        stp     x19, x30, [sp, #-16]!
        mov     x19, sp
        mov     sp, x0
        mov     x9, x1
        mov     x0, x2
        mov     x1, x3
        mov     x2, x4
        mov     x3, x5
        blr     x9
        mov     sp, x19
        ldp     x19, x30, [sp], #16
        ret

        .balign 2048
vectors:
        .rept   16
        .balign 128
        bl      firmware_fault
        b       .
        .endr
