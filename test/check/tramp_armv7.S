/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * tramp_armv7.S - the hostile call on 32-bit ARM (see call.h)
 *
 * ARM state and ARMv4T instructions, so that it runs on every model; what VFP
 * there is, is touched only if hk_tramp.flags says so.
 */
        .syntax unified
        .arch   armv4t
        .fpu    vfpv2

        .set    FUNCTION, 0
        .set    STACK, 4
        .set    STACK_AFTER, 8
        .set    RESULT, 12
        .set    ARGUMENT, 20
        .set    SCRATCH, 52
        .set    KEPT, 68
        .set    KEPT_AFTER, 116
        .set    HOME, 164
        .set    FLAGS, 220
        .set    CONTROL, 224
        .set    CONTROL_AFTER, 228
        .set    VECTOR, 240
        .set    VECTOR_AFTER, 304
        .set    VFP, 32

        .text
        .arm

        @ at FIELD: r12 = its address
        .macro  at field
        ldr     r12, =hk_tramp
        add     r12, r12, #\field
        .endm

        .macro  hidden name
        .globl  \name
        .hidden \name
        .type   \name, %function
\name:
        .endm

        hidden  hk_tramp_call
        at      FLAGS
        ldr     r12, [r12]
        tst     r12, #VFP
        beq     2f
        vstmdb  sp!, {d8-d15}           @ they are our caller's, too
2:
        at      HOME
        stmia   r12!, {r4-r11}
        str     sp, [r12]
        str     lr, [r12, #4]

        ldr     r4, =hk_tramp
        ldr     r5, [r4, #FLAGS]
        tst     r5, #VFP
        beq     1f
        ldr     r6, [r4, #CONTROL]
        fmxr    fpscr, r6
        at      VECTOR
        vldmia  r12, {d0-d7}
        vldmia  r12, {d8-d15}
1:
        ldr     sp, [r4, #STACK]
        at      ARGUMENT
        ldmia   r12, {r0-r3}
        at      KEPT
        ldmia   r12, {r4-r11}
        ldr     r12, =hk_tramp
        ldr     r12, [r12, #FUNCTION]
        mov     lr, pc                  @ past the bx
        bx      r12
        hidden  hk_tramp_return
        at      RESULT
        stmia   r12, {r0, r1}
        at      KEPT_AFTER
        stmia   r12, {r4-r11}
        ldr     r4, =hk_tramp
        str     sp, [r4, #STACK_AFTER]

        ldr     r5, [r4, #FLAGS]
        tst     r5, #VFP
        beq     1f
        fmrx    r6, fpscr
        str     r6, [r4, #CONTROL_AFTER]
        at      VECTOR_AFTER
        vstmia  r12, {d8-d15}
        mov     r6, #0
        fmxr    fpscr, r6
1:
        at      HOME
        ldmia   r12!, {r4-r11}
        ldr     sp, [r12]
        ldr     lr, [r12, #4]
        at      FLAGS
        ldr     r12, [r12]
        tst     r12, #VFP
        beq     2f
        vldmia  sp!, {d8-d15}
2:
        bx      lr

        hidden  hk_tramp_reset
        ldr     r0, =hk_tramp
        ldr     r0, [r0, #FLAGS]
        tst     r0, #VFP
        moveq   pc, lr
        mov     r0, #0
        fmxr    fpscr, r0
        bx      lr

        .section .note.GNU-stack, "", %progbits
