; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; i386.asm - kernels broken on purpose (see broken.def)
;
; Each misbehaves in one way and leaves the rest to hk_sha1_ref.
;
; Stack     0 bytes                     (what hk_broken_stack promises)

%define NO_ENDBR
%include "abi.inc"

        extern  hk_sha1_ref

; broken_register name: a register of the caller is lost
%macro broken_register 1
        KERNEL  hk_broken_%1
        mov     %1, [esp + 4]
        jmp     hk_sha1_ref
        ENDKERNEL
%endmacro

        broken_register ebx
        broken_register ebp
        broken_register esi
        broken_register edi

; Takes its arguments off the stack, as other conventions would have it.
        KERNEL  hk_broken_stack_pointer
        pop     eax
        add     esp, 12
        jmp     eax
        ENDKERNEL

        KERNEL  hk_broken_above_frame
        mov     [esp + 16], eax
        jmp     hk_sha1_ref
        ENDKERNEL

        KERNEL  hk_broken_direction
        push    dword [esp + 12]
        push    dword [esp + 12]
        push    dword [esp + 12]
        call    hk_sha1_ref
        add     esp, 12
        std
        ret
        ENDKERNEL

        KERNEL  hk_broken_mxcsr
        push    0x1f80
        ldmxcsr [esp]
        pop     eax
        jmp     hk_sha1_ref
        ENDKERNEL

        KERNEL  hk_broken_x87_control
        push    0x037f
        fldcw   [esp]
        pop     eax
        jmp     hk_sha1_ref
        ENDKERNEL

; Uses MMX and forgets EMMS.
        KERNEL  hk_broken_mmx
        movd    mm0, edx
        jmp     hk_sha1_ref
        ENDKERNEL

; Uses ymm and forgets VZEROUPPER.
        KERNEL  hk_broken_upper_half
        vpcmpeqd ymm7, ymm7, ymm7
        jmp     hk_sha1_ref
        ENDKERNEL

; Spills below the stack pointer, where a signal or an interrupt writes.
        KERNEL  hk_broken_red_zone
        mov     [esp - 4], ecx
        mov     ecx, [esp - 4]
        jmp     hk_sha1_ref
        ENDKERNEL

; Moves the stack pointer behind the unwinder's back.
        KERNEL  hk_broken_unwind_push
        push    ebx
        nop
        pop     ebx
        jmp     hk_sha1_ref
        ENDKERNEL

; Parks a register of the caller where the unwinder does not look.
        KERNEL  hk_broken_unwind_register
        mov     ecx, ebx
        mov     ebx, edx
        mov     ebx, ecx
        jmp     hk_sha1_ref
        ENDKERNEL

; Uses more stack than the banner above says.
        KERNEL  hk_broken_stack
        jmp     hk_sha1_ref
        ENDKERNEL

        KERNEL  hk_broken_aligned_load
        mov     eax, [esp + 8]
        movdqa  xmm0, [eax]
        jmp     hk_sha1_ref
        ENDKERNEL

; Takes the stack to be aligned as newer conventions have it.
        KERNEL  hk_broken_aligned_stack
        movaps  [esp - 28], xmm0
        jmp     hk_sha1_ref
        ENDKERNEL

        KERNEL  hk_broken_needs_sse2
        pxor    xmm0, xmm0
        jmp     hk_sha1_ref
        ENDKERNEL
