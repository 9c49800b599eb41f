/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * tramp_aarch64.S - the hostile call on AArch64 (see call.h)
 */
        .arch   armv8-a

        .set    FUNCTION, 0
        .set    STACK, 8
        .set    STACK_AFTER, 16
        .set    RESULT, 24
        .set    ARGUMENT, 40
        .set    SCRATCH, 104
        .set    KEPT, 136
        .set    KEPT_AFTER, 232
        .set    HOME, 328
        .set    CONTROL, 444
        .set    CONTROL_AFTER, 448
        .set    VECTOR, 456
        .set    VECTOR_AFTER, 520

        .text

        .macro  hidden name
        .globl  \name
        .hidden \name
        .type   \name, %function
\name:
        .endm

        // at reg, FIELD: reg = its address
        .macro  at reg, field
        adrp    \reg, hk_tramp
        add     \reg, \reg, :lo12:hk_tramp
        add     \reg, \reg, #\field
        .endm

        // move_kept op, base: x18-x29 to or from memory
        .macro  move_kept op, base
        \op     x18, x19, [\base]
        \op     x20, x21, [\base, #16]
        \op     x22, x23, [\base, #32]
        \op     x24, x25, [\base, #48]
        \op     x26, x27, [\base, #64]
        \op     x28, x29, [\base, #80]
        .endm

        hidden  hk_tramp_call
        hint    #34                             // bti c
        at      x9, HOME
        move_kept stp, x9
        mov     x10, sp
        stp     x30, x10, [x9, #96]
        // The low halves of v8-v15 go on our own stack.
        stp     d8, d9, [sp, #-64]!
        stp     d10, d11, [sp, #16]
        stp     d12, d13, [sp, #32]
        stp     d14, d15, [sp, #48]

        at      x9, CONTROL
        ldr     w10, [x9]
        msr     fpcr, x10
        at      x9, VECTOR
        ldp     q0, q1, [x9]
        ldp     q2, q3, [x9, #32]
        .irp    n, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
        mov     v\n\().16b, v0.16b
        .endr
        .irp    n, 28, 29, 30, 31
        mov     v\n\().16b, v1.16b
        .endr
        ldp     d8, d9, [x9]
        ldp     d10, d11, [x9, #16]
        ldp     d12, d13, [x9, #32]
        ldp     d14, d15, [x9, #48]

        at      x9, STACK
        ldr     x10, [x9]
        mov     sp, x10
        at      x9, KEPT
        move_kept ldp, x9
        at      x9, ARGUMENT
        ldp     x0, x1, [x9]
        ldp     x2, x3, [x9, #16]
        ldp     x4, x5, [x9, #32]
        ldp     x6, x7, [x9, #48]
        at      x9, SCRATCH
        ldp     x8, x10, [x9]
        ldp     x11, x12, [x9, #16]
        mov     x13, x8
        mov     x14, x10
        mov     x15, x11
        mov     x16, x12
        at      x17, FUNCTION
        ldr     x17, [x17]
        ldr     x9, [x9]
        blr     x17
        hidden  hk_tramp_return
        at      x9, RESULT
        stp     x0, x1, [x9]
        at      x9, KEPT_AFTER
        move_kept stp, x9
        at      x9, STACK_AFTER
        mov     x10, sp
        str     x10, [x9]
        at      x9, CONTROL_AFTER
        mrs     x10, fpcr
        str     w10, [x9]
        msr     fpcr, xzr
        at      x9, VECTOR_AFTER
        stp     d8, d9, [x9]
        stp     d10, d11, [x9, #16]
        stp     d12, d13, [x9, #32]
        stp     d14, d15, [x9, #48]

        at      x9, HOME
        move_kept ldp, x9
        ldp     x30, x10, [x9, #96]
        sub     x11, x10, #64
        ldp     d8, d9, [x11]
        ldp     d10, d11, [x11, #16]
        ldp     d12, d13, [x11, #32]
        ldp     d14, d15, [x11, #48]
        mov     sp, x10
        ret

        hidden  hk_tramp_reset
        hint    #34
        msr     fpcr, xzr
        ret

        .section .note.GNU-stack, "", %progbits
