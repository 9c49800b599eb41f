; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; tramp_i386.asm - the hostile call on i386 (see call.h)

        bits    32

%define WORD    4
%define VECTORS 8
%define ALL_VECTORS 8
%define STACK   esp
%define T(field) hk_tramp + tramp. %+ field
%include "tramp_x86.inc"

        section .note.GNU-stack progbits noalloc noexec nowrite align=1
        section .text progbits alloc exec nowrite align=16

hk_tramp_call:
        store   home, ebx, ebp, esi, edi, esp
        dirty_state
        load    stack, esp
        load    scratch, eax, ecx, edx
        load    kept, ebx, ebp, esi, edi
        test    byte [T(flags)], STEP
        jz      .call
        int3
.call:
        call    [T(function)]
hk_tramp_return:
        store   result, eax, edx
        store   kept_after, ebx, ebp, esi, edi
        store   stack_after, esp
        load    home, ebx, ebp, esi, edi, esp
        find_state
        ret

hk_tramp_reset:
        plain_state
        ret
