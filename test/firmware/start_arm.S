/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * start_arm.S - ARM926: reset with alignment checks on; any fault ends the run
 */
        .arch   armv5te
        .syntax unified
        .arm
        .text
        .globl  reset
reset:
        ldr     sp, =stack_top
        adr     r0, vectors             @ the vectors lie at 0, in RAM
        mov     r1, #0
        ldm     r0, {r2, r3, r4, r5, r6, r7, r8, r9}
        stm     r1!, {r2, r3, r4, r5, r6, r7, r8, r9}
        ldr     r2, =abort
        str     r2, [r1, #4]
        mrc     p15, 0, r0, c1, c0, 0
        orr     r0, r0, #2              @ A: an unaligned access is a fault
        mcr     p15, 0, r0, c1, c0, 0
        bl      firmware_main

@ Each loads pc from 0x24, 0x20 + 4, where the address of abort is.
vectors:
        .set    at, 0
        .rept   8
        ldr     pc, [pc, #0x24 - at - 8]
        .set    at, at + 4
        .endr

abort:  ldr     sp, =stack_top
        bl      firmware_fault
        b       abort

        .globl  semihost
        .type   semihost, %function
semihost:
        push    {lr}
        svc     0x123456
        pop     {pc}

        .globl  call_on_stack
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
        mov     lr, pc
        mov     pc, r5
        mov     sp, r4
        pop     {r4, r5, r6, pc}
        .ltorg
