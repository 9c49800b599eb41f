; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512_base - SHA-512 block function in general registers
;
;   void hk_sha512_base(uint64_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     any i386 (486 instructions)
; Stack     224 bytes
; Method    Words of 64 bits in two registers. A rotate by n of high:low is both
;           halves rotated by n, whose upper n bits then change places: each is
;           XORed with d << (32 - n), where d = high ^ low. As Sigma and sigma
;           are XORs of three rotates, each half needs three rotates of its own,
;           and the three shifts of d serve both.
; Bound     110 operations a scheduled round: 27 cycles on four ALUs (Zen 3), 22
;           on six (Zen 5)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax, edx             T1, then a', low and high half
;   ebx ecx edi ebp      temporaries
;   esi                  K[t]; data and state between

%define NO_ENDBR
%include "abi.inc"

%define k       esi

; The frame: W[t-16..t-1] in a ring, and the state, which moves one place down a
; round.
%define RING    esp
%define STATE   esp + 128
%define DATA    esp + 192
%define END     esp + 196
%define TURNS   esp + 200
%define FRAME   204

; The halves of a word of the ring or of the state; P(0) is a, P(4) is e before
; round 0.
%define LOW(t)  [RING + ((t) & 15) * 8]
%define HIGH(t) [RING + ((t) & 15) * 8 + 4]
%define P(i)    [STATE + ((i) & 7) * 8]
%define Q(i)    [STATE + ((i) & 7) * 8 + 4]

; ROTATES low, high, s1, s2, s3, swap: from ebx:ecx = low:high of x, the halves
; each rotated: ((x >>> s1 ^ x') >>> s2 ^ x'') >>> s3, where swap says for x, x'
; and x'' by a bit each (4, 2, 1) whether it is the other half.
%macro ROTATES 6
        %if %6 & 4
        mov     %1, ecx
        mov     %2, ebx
        %else
        mov     %1, ebx
        mov     %2, ecx
        %endif
        ror     %1, %3
        ror     %2, %3
        %if %6 & 2
        xor     %1, ecx
        xor     %2, ebx
        %else
        xor     %1, ebx
        xor     %2, ecx
        %endif
        ror     %1, %4
        ror     %2, %4
        %if %6 & 1
        xor     %1, ecx
        xor     %2, ebx
        %else
        xor     %1, ebx
        xor     %2, ecx
        %endif
        ror     %1, %5
        ror     %2, %5
%endmacro

; SHIFTS low, high, s1, s2, s3: XORs both with ((d << s1 ^ d) << s2 ^ d) << s3,
; where d is in ecx. Destroys ebx.
%macro SHIFTS 5
        mov     ebx, ecx
        shl     ebx, %3
        xor     ebx, ecx
        shl     ebx, %4
        xor     ebx, ecx
        shl     ebx, %5
        xor     %1, ebx
        xor     %2, ebx
%endmacro

; READ t: edx:eax = W[t] from the message
%macro READ 1
        mov     ebx, [DATA]
        mov     edx, [ebx + 8 * (%1)]
        mov     eax, [ebx + 8 * (%1) + 4]
        bswap   edx
        bswap   eax
        mov     HIGH(%1), edx
        mov     LOW(%1), eax
%endmacro

; SCHEDULE t: edx:eax = W[t] from the words before it
%macro SCHEDULE 1
        ; sigma0: rotates by 1 and 8, a shift by 7
        mov     ebx, LOW(%1 + 1)
        mov     ecx, HIGH(%1 + 1)
        ROTATES eax, edx, 1, 6, 1, 0
        xor     ecx, ebx
        shl     ebx, 32 - 7
        xor     edx, ebx
        SHIFTS  eax, edx, 6, 1, 24
        add     eax, LOW(%1)
        adc     edx, HIGH(%1)
        ; sigma1: rotates by 19 and 61, a shift by 6
        mov     ebx, LOW(%1 + 14)
        mov     ecx, HIGH(%1 + 14)
        ROTATES edi, ebp, 10, 13, 6, 4
        xor     ecx, ebx
        shl     ebx, 32 - 6
        xor     ebp, ebx
        SHIFTS  edi, ebp, 13, 10, 3
        add     eax, LOW(%1 + 9)
        adc     edx, HIGH(%1 + 9)
        add     eax, edi
        adc     edx, ebp
        mov     LOW(%1), eax
        mov     HIGH(%1), edx
%endmacro

; ROUND t: one round, with W[t] in edx:eax
%macro ROUND 1
        add     eax, [k + (%1) % 16 * 8]
        adc     edx, [k + (%1) % 16 * 8 + 4]
        mov     edi, P(5 - %1)
        mov     ebp, Q(5 - %1)
        add     eax, P(7 - %1)                  ; h
        adc     edx, Q(7 - %1)
        mov     ebx, P(4 - %1)
        mov     ecx, Q(4 - %1)
        xor     edi, P(6 - %1)
        xor     ebp, Q(6 - %1)
        and     edi, ebx
        and     ebp, ecx
        xor     edi, P(6 - %1)
        xor     ebp, Q(6 - %1)
        add     eax, edi                        ; Ch = ((f ^ g) & e) ^ g
        adc     edx, ebp
        ROTATES edi, ebp, 4, 5, 9, 1            ; Sigma1: 14, 18, 41
        xor     ecx, ebx
        SHIFTS  edi, ebp, 5, 4, 14
        add     eax, edi
        adc     edx, ebp                        ; T1
        add     P(3 - %1), eax
        adc     Q(3 - %1), edx                  ; e' = d + T1
        mov     ebx, P(0 - %1)
        mov     ecx, Q(0 - %1)
        ROTATES edi, ebp, 21, 5, 2, 3           ; Sigma0: 28, 34, 39
        xor     ecx, ebx
        SHIFTS  edi, ebp, 5, 21, 4
        add     eax, edi
        adc     edx, ebp
        mov     ebx, P(0 - %1)
        mov     ecx, Q(0 - %1)
        mov     edi, ebx
        mov     ebp, ecx
        and     ebx, P(1 - %1)
        and     ecx, Q(1 - %1)
        xor     edi, P(1 - %1)
        xor     ebp, Q(1 - %1)
        and     edi, P(2 - %1)
        and     ebp, Q(2 - %1)
        xor     ebx, edi                        ; Maj = a & b ^ (a ^ b) & c
        xor     ecx, ebp
        add     eax, ebx
        adc     edx, ecx
        mov     P(7 - %1), eax                  ; a'
        mov     Q(7 - %1), edx
%endmacro

KERNEL hk_sha512_base
        mov     ecx, ARGUMENT(3)
        shl     ecx, 7
        jz      .nothing
        PUSH    ebx, esi, edi, ebp
        ALLOC   FRAME
        mov     edx, ARGUMENT(2)
        add     ecx, edx
        mov     [DATA], edx
        mov     [END], ecx
        mov     esi, ARGUMENT(1)
        %assign i 0
        %rep    16
        mov     eax, [esi + i * 4]
        mov     [STATE + i * 4], eax
        %assign i i + 1
        %endrep

.next_block:
        LOAD_ADDRESS k, constants
        %assign T 0
        %rep    16
        READ    T
        ROUND   T
        %assign T T + 1
        %endrep

        mov     dword [TURNS], 4
.next_16_rounds:
        add     k, 128
        %assign T 16
        %rep    16
        SCHEDULE T
        ROUND   T
        %assign T T + 1
        %endrep
        dec     dword [TURNS]
        jnz     .next_16_rounds

        mov     esi, ARGUMENT(1)
        %assign i 0
        %rep    8
        mov     eax, [esi + i * 8]
        mov     edx, [esi + i * 8 + 4]
        add     eax, P(i)
        adc     edx, Q(i)
        mov     [esi + i * 8], eax
        mov     [esi + i * 8 + 4], edx
        mov     P(i), eax
        mov     Q(i), edx
        %assign i i + 1
        %endrep
        mov     edx, [DATA]
        sub     edx, -128
        mov     [DATA], edx
        cmp     edx, [END]
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.nothing:
        ret
ENDKERNEL

CONSTANTS
%macro K64 2
        dq      %1, %2
%endmacro
constants:
%include "sha512_k.inc"
