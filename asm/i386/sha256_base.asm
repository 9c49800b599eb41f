; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_base - SHA-256 block function in general registers
;
;   void hk_sha256_base(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     any i386 (486 instructions)
; Stack     120 bytes: four registers, a ring of sixteen words, the state, data,
;           end
; Method    One round after the other. W[t] is made just before its round and
;           stored in the ring. a and e are in registers, the rest of the state
;           is in memory.
; Bound     35 operations a scheduled round: 8.8 cycles on four ALUs (Zen 3), 6
;           to 7 on six (Zen 5)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx edi ebp   a, e and temporaries of a round, renamed
;   esi                       W[t]; data and state between

%define NO_ENDBR
%include "abi.inc"

%define RING    esp                             ; W[t] at 4 * (t mod 16)
%define STATE   esp + 64
%define DATA    esp + 96
%define END     esp + 100
%define FRAME   104
%define NESTED
%include "sha256.inc"

%define word    esi
%define W(t)    [RING + 4 * ((t) % 16)]

; K_0, K_1, ...: the constants as signed numbers, which fit a displacement
%assign N 0
%macro K32 4
        %rep    4
        %assign K_%[N] %1 - (%1 >> 31 << 32)
        %assign N N + 1
        %rotate 1
        %endrep
%endmacro
%include "sha256_k.inc"

; ADD_WORD t, sum: sum += h + W[t] + K[t], all of which is in word by now
%macro ADD_WORD 2
        add     %2, word
%endmacro

; COMPLETE t: word = h + W[t] + K[t], ahead of its use: an address of three
; parts takes two cycles
%macro COMPLETE 1
        mov     t, mh
        lea     word, [word + t + K_%[%1]]
%endmacro

; READ t: word = W[t] from the message
%macro READ 1
        mov     word, [DATA]
        mov     word, [word + 4 * %1]
        bswap   word
        mov     W(%1), word
        COMPLETE %1
%endmacro

; SCHEDULE t: word = W[t] from the words before it
%macro SCHEDULE 1
        mov     t, W(%1 + 14)
        mov     y, t
        mov     word, W(%1 + 1)
        mov     s, word
        ror     y, 2
        ror     s, 11
        xor     s, word
        xor     y, t
        shr     word, 3
        ror     s, 7
        ror     y, 17
        xor     word, s                         ; sigma0(W[t-15])
        add     word, W(%1)                     ;   + W[t-16]
        add     word, W(%1 + 9)                 ;   + W[t-7]
        shr     t, 10
        xor     y, t                            ; sigma1(W[t-2])
        add     word, y
        %if %1 < 64 - 2
        mov     W(%1), word
        %endif
        COMPLETE %1
%endmacro

KERNEL hk_sha256_base
        mov     ecx, ARGUMENT(3)
        shl     ecx, 6
        jz      .nothing
        PUSH    ebx, esi, edi, ebp
        ALLOC   FRAME
        mov     edx, ARGUMENT(2)
        add     ecx, edx
        mov     [DATA], edx
        mov     [END], ecx
        mov     esi, ARGUMENT(1)
        LOAD_STATE

.next_block:
        %assign T 0
        %rep    16
        READ    T
        ROUND   T
        %assign T T + 1
        %endrep
        %rep    48
        SCHEDULE T
        ROUND   T
        %assign T T + 1
        %endrep

        mov     esi, ARGUMENT(1)
        ADD_STATE
        mov     edx, [DATA]
        add     edx, 64
        mov     [DATA], edx
        cmp     edx, [END]
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.nothing:
        ret
ENDKERNEL
