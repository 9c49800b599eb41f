; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; x86_64.asm - kernels broken on purpose (see broken.def)
;
; Each misbehaves in one way and leaves the rest to hk_sha1_base.
;
; Stack     0 bytes                     (what hk_broken_stack promises)

%include "abi.inc"

        extern  hk_sha1_base

; broken_register name, instruction: a register of the caller is lost
%macro broken_register 1
        KERNEL  hk_broken_%1
        mov     %1, rsi
        jmp     hk_sha1_base
        ENDKERNEL
%endmacro

        broken_register rbx
        broken_register rbp
        broken_register r12
        broken_register r13
        broken_register r14
        broken_register r15

; Returns as if the caller had passed arguments on the stack.
        KERNEL  hk_broken_stack_pointer
        pop     rax
        add     rsp, 16
        jmp     rax
        ENDKERNEL

        KERNEL  hk_broken_above_frame
        mov     [rsp + 16], rdi
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_direction
        ALLOC   8
        call    hk_sha1_base
        RELEASE 8
        std
        ret
        ENDKERNEL

        KERNEL  hk_broken_mxcsr
        push    0x1f80
        ldmxcsr [rsp]
        pop     rax
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_x87_control
        push    0x037f
        fldcw   [rsp]
        pop     rax
        jmp     hk_sha1_base
        ENDKERNEL

; Uses MMX and forgets EMMS.
        KERNEL  hk_broken_mmx
        movd    mm0, edx
        jmp     hk_sha1_base
        ENDKERNEL

; Uses ymm and forgets VZEROUPPER.
        KERNEL  hk_broken_upper_half
        vpcmpeqd ymm7, ymm7, ymm7
        jmp     hk_sha1_base
        ENDKERNEL

; Uses zmm and cleans no more than the upper half of ymm.
        KERNEL  hk_broken_upper_zmm
        vpcmpeqd xmm6, xmm6, xmm6
        vpxor   xmm7, xmm7, xmm7
        vinserti64x4 zmm7, zmm7, ymm6, 1
        jmp     hk_sha1_base
        ENDKERNEL

; Spills below the stack pointer, where a signal or an interrupt writes.
        KERNEL  hk_broken_red_zone
        mov     [rsp - 8], rdi
        mov     rdi, [rsp - 8]
        jmp     hk_sha1_base
        ENDKERNEL

; Moves the stack pointer behind the unwinder's back.
        KERNEL  hk_broken_unwind_push
        push    rbx
        nop
        pop     rbx
        jmp     hk_sha1_base
        ENDKERNEL

; Parks a register of the caller where the unwinder does not look.
        KERNEL  hk_broken_unwind_register
        mov     r11, rbx
        mov     rbx, rsi
        mov     rbx, r11
        jmp     hk_sha1_base
        ENDKERNEL

; Uses more stack than the banner above says.
        KERNEL  hk_broken_stack
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_aligned_load
        movdqa  xmm0, [rsi]
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_needs_ssse3
        pshufb  xmm0, xmm0
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_needs_sse41
        ptest   xmm0, xmm0
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_needs_avx
        vpxor   xmm0, xmm0, xmm0
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_needs_avx512
        vpxord  xmm16, xmm16, xmm16
        jmp     hk_sha1_base
        ENDKERNEL

        KERNEL  hk_broken_needs_shani
        sha1nexte xmm0, xmm0
        jmp     hk_sha1_base
        ENDKERNEL

; No landing pad.
        global  hk_broken_endbr:function
hk_broken_endbr:
        jmp     hk_sha1_base
