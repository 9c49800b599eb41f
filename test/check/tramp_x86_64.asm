; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; tramp_x86_64.asm - the hostile call on x86-64 (see call.h)

        bits    64
        default rel

%define WORD    8
%define VECTORS 16
%define ALL_VECTORS 32
%define STACK   rsp
%define T(field) hk_tramp + tramp. %+ field
%include "tramp_x86.inc"

        section .note.GNU-stack progbits noalloc noexec nowrite align=1
        section .text progbits alloc exec nowrite align=16

hk_tramp_call:
        endbr64
        store   home, rbx, rbp, r12, r13, r14, r15, rsp
        dirty_state
        load    stack, rsp
        load    argument, rdi, rsi, rdx, rcx, r8, r9
        load    scratch, rax, r10, r11
        load    kept, rbx, rbp, r12, r13, r14, r15
        test    byte [T(flags)], STEP
        jz      .call
        int3
.call:
        call    [T(function)]
hk_tramp_return:
        store   result, rax, rdx
        store   kept_after, rbx, rbp, r12, r13, r14, r15
        store   stack_after, rsp
        load    home, rbx, rbp, r12, r13, r14, r15, rsp
        find_state
        ret

hk_tramp_reset:
        endbr64
        plain_state
        ret
