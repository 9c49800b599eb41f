; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_base - SHA-1 block function in general registers
;
;   void hk_sha1_base(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     any i386 (486 instructions)
; Stack     88 bytes: four registers, a ring of sixteen words, data, end
; Method    One round after the other. W[t] is stored in the ring as soon as it
;           exists; W[t-3], the newest word that it needs, is fetched last.
; Bound     892 operations in the arithmetic units, 223 cycles with four of them
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi                   scratch
;   edi                   data, then W[t]

%define NO_ENDBR
%include "abi.inc"

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define data    edi
%define word    edi
%define RING    esp                             ; W[t] at 4 * (t mod 16)
%define DATA    esp + 64
%define END     esp + 68
%define FRAME   72

%include "x86_sha1.inc"

; RING_WORD t: the address of W[t]
%define RING_WORD(t) [RING + 4 * ((t) % 16)]

; ADD_WORD t, sum: makes W[t], then sum += W[t] + K
%macro ADD_WORD 2
        %if %1 < 16
        mov     f, [data + 4 * %1]
        bswap   f
        mov     RING_WORD(%1), f
        %xdefine WORD f
        %else
        mov     word, RING_WORD(%1)
        xor     word, RING_WORD(%1 + 2)
        xor     word, RING_WORD(%1 + 8)
        xor     word, RING_WORD(%1 + 13)
        rol     word, 1                         ; W[t-3], [t-8], [t-14], [t-16]
        %if %1 < 80 - 3
        mov     RING_WORD(%1), word
        %endif
        %xdefine WORD word
        %endif
        %if %1 < 20
        lea     %2, [%2 + WORD + K_CH]
        %elif %1 < 40
        lea     %2, [%2 + WORD + K_PARITY1]
        %elif %1 < 60
        lea     %2, [%2 + WORD + K_MAJ]
        %else
        lea     %2, [%2 + WORD + K_PARITY2]
        %endif
%endmacro

KERNEL hk_sha1_base
        mov     ecx, ARGUMENT(3)
        shl     ecx, 6
        jz      .done
        PUSH    ebx, esi, edi, ebp
        ALLOC   FRAME
        mov     data, ARGUMENT(2)
        add     ecx, data
        mov     [END], ecx
        mov     f, ARGUMENT(1)
        LOAD_STATE f

.next_block:
        mov     [DATA], data
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        ROUND   T
        %assign T T + 1
        %endrep

        mov     f, ARGUMENT(1)
        ADD_STATE f
        mov     data, [DATA]
        add     data, 64
        cmp     data, [END]
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.done:  ret
ENDKERNEL
