/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * start_m.S - Cortex-M: vector table and reset; any fault ends the run
 */
        .syntax unified
        .thumb
        .text
        .globl  vectors
vectors:
        .word   stack_top
        .word   reset
        .rept   14
        .word   fault
        .endr

        .thumb_func
        .type   reset, %function
reset:
        bl      firmware_main
        .thumb_func
        .type   fault, %function
fault:
        bl      firmware_fault
        b       fault

        .globl  semihost
        .thumb_func
        .type   semihost, %function
semihost:
        bkpt    0xab
        bx      lr

        .globl  call_on_stack
        .thumb_func
        .type   call_on_stack, %function
call_on_stack:
        push    {r4, r5, r6, lr}
        mov     r4, sp
        mov     r5, r1
        ldr     r1, [r4, #16]           @ the third of the four
        ldr     r6, [r4, #20]
        mov     sp, r0
        mov     r0, r2
        mov     r2, r1
        mov     r1, r3
        mov     r3, r6
        blx     r5
        mov     sp, r4
        pop     {r4, r5, r6, pc}
