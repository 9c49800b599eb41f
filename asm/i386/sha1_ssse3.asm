; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_ssse3 - SHA-1 block function, vector message schedule
;
;   void hk_sha1_ssse3(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     SSSE3
; Stack     236 bytes: four registers, 208 at an aligned address among 220
; Method    As on x86-64: four words of the schedule in one vector step, sixteen
;           rounds ahead of the scalar rounds that it is merged with. Registers
;           hold the last sixteen words; W[t-28] and W[t-32] are operands in
;           memory. The stack may be aligned to four bytes only, so the frame
;           has a register of its own.
; Bound     620 scalar operations, 155 cycles with four arithmetic units; the
;           chain through a, 160; some 1000 issue slots, 167 with six.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi                   scratch
;   edi                   the frame
;   xmm0-3                W[t-16..t-1], four each, renamed with
;   xmm4                  W[t..t+3] in the making
;   xmm5, xmm6            scratch         xmm7   K

%include "abi.inc"
%include "stream.inc"

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define x       xmm4
%define y       xmm5
%define z       xmm6
%define k       xmm7
%define W       edi                             ; W[t] at 4 * (t mod 32)
%define WK      edi + 128                       ; W[t] + K at 4 * (t mod 16)
%define DATA    edi + 192                       ; this block
%define NEXT    edi + 196                       ; the block to read next
%define END     edi + 200
%define TABLE   edi + 204                       ; address of the constants
%define FRAME   208 + 12

%include "x86_sha1.inc"

; ADD_WORD t, sum: sum += W[t] + K
%macro ADD_WORD 2
        add     %2, [WK + 4 * (%1 % 16)]
%endmacro

; READ words, t: words t..t+3 of the next block. One item of a stream, like
; LOAD_K: f is free only between the rounds.
%macro READ 2
        mov     f, [NEXT]
        movdqu  %1, [f + 4 * %2]
        mov     f, [TABLE]
        pshufb  %1, [f + reverse - constants]
%endmacro

; LOAD_K t: k = four times the constant of round t
%macro LOAD_K 1
        mov     f, [TABLE]
        movdqa  k, [f + 16 * (%1 / 20)]
%endmacro

; RING_NAMES: the last sixteen words as a block finds them
%macro RING_NAMES 0
        %define w0 xmm0
        %define w1 xmm1
        %define w2 xmm2
        %define w3 xmm3
        %define x  xmm4
%endmacro

; STEP t: records the making of W[t..t+3] and W + K
%macro STEP 1
        %if %1 % 20 == 0
        TO words, LOAD_K %1
        %endif
        %if %1 < 16
        TO words, READ x, %1
        %elif %1 < 32
        TO words, movdqa x, w1
        TO words, palignr x, w0, 8              ; W[t-14..t-11]
        TO words, movdqa y, w3
        TO words, psrldq y, 4                   ; W[t-3..t-1], 0
        TO words, pxor x, w0
        TO words, pxor y, w2
        TO words, pxor x, y                     ; lacks W[t] in the last word
        TO words, pshufd y, x, 0
        TO words, movdqa z, x
        TO words, paddd x, x
        TO words, psrld z, 31
        TO words, psrlq y, 30                   ; rotl(w, 2) of the first word
        TO words, por x, z
        TO words, pslldq y, 12
        TO words, pxor x, y
        %else
        TO words, movdqa x, w3
        TO words, palignr x, w2, 8              ; W[t-6..t-3]
        TO words, pxor x, [W + 4 * (%1 % 32)]
        TO words, pxor x, [W + 4 * ((%1 + 4) % 32)]
        TO words, pxor x, w0
        TO words, movdqa y, x
        TO words, pslld x, 2
        TO words, psrld y, 30
        TO words, por x, y
        %endif
        %if %1 + 28 < 80
        TO words, movdqa [W + 4 * (%1 % 32)], x
        %endif
        TO words, movdqa y, k
        TO words, paddd y, x
        TO words, movdqa [WK + 4 * (%1 % 16)], y
        %xdefine LAST w0
        %xdefine w0 w1
        %xdefine w1 w2
        %xdefine w2 w3
        %xdefine w3 x
        %xdefine x LAST
%endmacro

KERNEL hk_sha1_ssse3
        mov     eax, ARGUMENT(2)
        mov     edx, ARGUMENT(3)
        shl     edx, 6
        jz      .done
        PUSH    ebx, esi, edi, ebp
        LOAD_ADDRESS ecx, constants
        ALLOC   FRAME
        lea     edi, [esp + 12]
        and     edi, -16
        mov     [TABLE], ecx
        add     edx, eax
        mov     [END], edx
        mov     [DATA], eax
        mov     [NEXT], eax

        STREAM  words
        RING_NAMES
        %assign T 0
        %rep    4
        STEP    T
        %assign T T + 4
        %endrep
        DRAIN_ALL words
        mov     f, ARGUMENT(1)
        LOAD_STATE f

.next_block:
        ; The block to read for the next turn: this one again if it is the last.
        mov     f, [DATA]
        add     f, 64
        cmp     f, [END]
        cmove   f, [DATA]
        mov     [NEXT], f

        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0
        %if T == 64
        RING_NAMES
        %endif
        %assign AHEAD (T + 16) % 80
        STEP    AHEAD
        %endif
        DRAIN_PART words, T % 4, 4
        ROUND   T
        %assign T T + 1
        %endrep
        DRAIN_ALL words

        mov     f, ARGUMENT(1)
        ADD_STATE f
        mov     f, [NEXT]
        cmp     f, [DATA]
        mov     [DATA], f
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.done:  ret
ENDKERNEL

CONSTANTS
constants:
        times 4 dd K_CH
        times 4 dd K_PARITY1
        times 4 dd K_MAJ
        times 4 dd K_PARITY2
reverse:
        db      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
