; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_sse2 - SHA-256 block function, vector message schedule
;
;   void hk_sha256_sse2(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     SSE2
; Stack     128 bytes
; Method    Four words of the schedule in each xmm register; vector instructions
;           between the rounds make the next four and store their sums with K
;           where the rounds read them. a and e are in registers, the rest of
;           the state is in memory.
; Bound     22 operations a round, 5.5 cycles on four ALUs; with moves and the
;           schedule 39 instructions a round, 6.5 cycles at six a cycle (Zen 3)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx edi ebp   a, e and temporaries of a round, renamed
;   esi                       k, K[t] of the schedule; data and state between
;   xmm0-3   W[t-16..t-1], renamed   xmm4-6  temporaries     xmm7  zero

%include "abi.inc"
%include "stream.inc"

%define SUMS    esp                             ; W[t] + K[t] of 16 rounds
%define STATE   esp + 64
%define DATA    esp + 96
%define END     esp + 100
%define TURNS   esp + 104
%define TABLE   esp + 108
%define FRAME   112
%include "sha256.inc"

%define a       eax
%define e       ebx
%define x       ecx                             ; b ^ c
%define y       edx                             ; becomes the next x
%define t       edi                             ; becomes the next a
%define s       ebp
%define k       esi
%define w0      xmm0
%define w1      xmm1
%define w2      xmm2
%define w3      xmm3
%define v0      xmm4
%define v1      xmm5
%define v2      xmm6
%define zero    xmm7
%include "x86_sha256_sse.inc"

; ROUND t: one round
%macro ROUND 1
        mov     y, mf
        mov     t, e
        xor     y, mg
        mov     s, e
        and     y, e
        ror     t, 25
        xor     y, mg                           ; Ch = ((f ^ g) & e) ^ g
        ror     s, 11
        ror     e, 6
        xor     t, s
        add     y, mh
        add     y, [SUMS + 4 * (%1)]
        xor     t, e                            ; Sigma1
        mov     e, md
        add     t, y                            ; T1
        mov     y, a
        add     e, t                            ; e'
        mov     s, a
        mov     md, e
        xor     y, mb                           ; the next b ^ c
        and     x, y
        xor     x, mb                           ; Maj = ((a ^ b) & (b ^ c)) ^ b
        add     t, x
        mov     x, a
        ror     s, 13
        ror     a, 22
        ror     x, 2
        xor     s, a
        xor     s, x
        add     t, s                            ; a'
        mov     mh, t
        MOVE_WORDS
        %xdefine NEXT   t
        %xdefine t      a
        %xdefine a      NEXT
        %xdefine NEXT   y
        %xdefine y      x
        %xdefine x      NEXT
%endmacro

; FROM_MEMORY: the registers that a block's rounds begin with
%macro FROM_MEMORY 0
        mov     a, ma
        mov     e, me
        mov     x, mb
        xor     x, mc
%endmacro

; LOAD_ROW row: w0 = words of the message at edx; stores its sum with K
%macro LOAD_ROW 1
        movdqu  w0, [edx + %1 * 16]
        movdqa  v0, w0
        psllw   w0, 8
        psrlw   v0, 8
        por     w0, v0                          ; bytes swapped in each half
        pshuflw w0, w0, 0xb1
        pshufhw w0, w0, 0xb1                    ; halves swapped in each word
        movdqa  v0, w0
        paddd   v0, [k + %1 * 16]
        movdqu  [SUMS + %1 * 16], v0
%endmacro

; SCHEDULE row: records how w0 = W[t..t+3] is made from W[t-16..t-1] and its
; sum with K stored.
%macro SCHEDULE 1
        STREAM  words
        TO words, movdqa v1, w0
        TO words, movss v1, w1
        TO words, pshufd v1, v1, 0x39           ; W[t-15..t-12]
        SIGMA0  v1
        TO words, paddd w0, v1
        TO words, movdqa v1, w2
        TO words, movss v1, w3
        TO words, pshufd v1, v1, 0x39           ; W[t-7..t-4]
        TO words, paddd w0, v1
        TO words, pshufd v1, w3, 0xfa           ; W[t-2], W[t-2], W[t-1], W[t-1]
        SIGMA1  v1
        TO words, shufps v1, zero, 0x88         ; packed, to the lower half
        TO words, paddd w0, v1
        TO words, pshufd v1, w0, 0x50           ; W[t], W[t], W[t+1], W[t+1]
        SIGMA1  v1
        TO words, pxor v0, v0
        TO words, shufps v0, v1, 0x88           ; packed, to the upper half
        TO words, paddd w0, v0
        TO words, movdqa v0, w0
        TO words, paddd v0, [k + 64 + (%1) * 16]
        TO words, movdqu [SUMS + (%1) * 16], v0
%endmacro

%macro ROTATE_ROWS 0
        %xdefine NEXT   w0
        %xdefine w0     w1
        %xdefine w1     w2
        %xdefine w2     w3
        %xdefine w3     NEXT
%endmacro

KERNEL hk_sha256_sse2
        mov     ecx, ARGUMENT(3)
        shl     ecx, 6
        jz      .nothing
        PUSH    ebx, esi, edi, ebp
        LOAD_ADDRESS k, constants
        ALLOC   FRAME
        mov     [TABLE], k
        mov     edx, ARGUMENT(2)
        add     ecx, edx
        mov     [DATA], edx
        mov     [END], ecx
        pxor    zero, zero
        mov     esi, ARGUMENT(1)
        LOAD_STATE
        FROM_MEMORY

.next_block:
        ; The first 16 words are the message itself.
        mov     k, [TABLE]
        mov     edx, [DATA]
        %assign row 0
        %rep    4
        LOAD_ROW row
        ROTATE_ROWS
        %assign row row + 1
        %endrep
        add     edx, 64
        mov     [DATA], edx

        ; Rounds 0 to 47, beside the schedule of those 16 later.
        mov     dword [TURNS], 3
.rounds_with_schedule:
        %assign T 0
        %rep    16
        %if T % 4 == 0
        SCHEDULE T / 4
        ROTATE_ROWS
        %endif
        ROUND   T
        DRAIN   words, 11
        %assign T T + 1
        %endrep
        add     k, 64
        dec     dword [TURNS]
        jnz     .rounds_with_schedule

        %assign T 0
        %rep    16
        ROUND   T
        %assign T T + 1
        %endrep
        mov     esi, ARGUMENT(1)
        ADD_STATE
        FROM_MEMORY
        mov     edx, [DATA]
        cmp     edx, [END]
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.nothing:
        ret
ENDKERNEL

CONSTANTS
%macro K32 4
        dd      %1, %2, %3, %4
%endmacro
constants:
%include "sha256_k.inc"
