; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_base - SHA-1 block function in general registers
;
;   void hk_sha1_base(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     any x86-64
; Stack     128 bytes
; Method    One round after the other. The last eight words of the schedule
;           stay in registers, so W[t-3] and W[t-8] need no load; all sixteen
;           are in a ring on the stack, stored once, as soon as they exist.
; Bound     892 operations in the arithmetic units: 223 cycles with four of
;           them, 160 (the chain through a) with six.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  data                         esi  scratch
;   eax ebx ecx edx ebp  a..e, renamed by each round, never moved
;   r8d-r15d             W[t-8..t-1]

%include "abi.inc"

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define data    rdi
%define RING    rsp                             ; W[t] at 4 * (t mod 16)
%define STATE   rsp + 64
%define END     rsp + 72
%define FRAME   80

; The 64-bit names of a..e: lea with them needs no prefix.
%define WIDE_eax rax
%define WIDE_ebx rbx
%define WIDE_ecx rcx
%define WIDE_edx rdx
%define WIDE_ebp rbp

%include "x86_sha1.inc"

; ADD_WORD t, sum: makes W[t], then sum += W[t] + K
%macro ADD_WORD 2
        %assign T       %1
        %assign NEW     8 + T % 8               ; r8 + NEW: W[t-8], then W[t]
        %assign OLD     8 + (T + 5) % 8         ; r8 + OLD: W[t-3]
        %if T < 16
        mov     r%[NEW]d, [data + 4 * T]
        bswap   r%[NEW]d
        %else
        xor     r%[NEW]d, [RING + 4 * (T % 16)]
        xor     r%[NEW]d, [RING + 4 * ((T + 2) % 16)]
        xor     r%[NEW]d, r%[OLD]d
        rol     r%[NEW]d, 1                     ; W[t-3], [t-8], [t-14], [t-16]
        %endif
        %if T < 80 - 14
        mov     [RING + 4 * (T % 16)], r%[NEW]d
        %endif
        %if T < 20
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_CH]
        %elif T < 40
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_PARITY1]
        %elif T < 60
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_MAJ - (1 << 32)]
        %else
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_PARITY2 - (1 << 32)]
        %endif
%endmacro

KERNEL hk_sha1_base
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp, r12, r13, r14, r15
        ALLOC   FRAME
        mov     [STATE], rdi
        add     rdx, rsi
        mov     [END], rdx
        mov     data, rsi
        mov     rsi, [STATE]
        LOAD_STATE rsi

.next_block:
        ROUNDS_BEGIN
        %assign R 0
        %rep    80
        ROUND   R
        %assign R R + 1
        %endrep

        mov     rsi, [STATE]
        ADD_STATE rsi
        add     data, 64
        cmp     data, [END]
        jne     .next_block

        RELEASE FRAME
        POP     r15, r14, r13, r12, rbp, rbx
.done:  ret
ENDKERNEL
