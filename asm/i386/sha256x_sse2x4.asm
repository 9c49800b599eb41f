; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_sse2x4 - SHA-256 of four messages in SSE2 vectors
;
;   void hk_sha256x_sse2x4(uint32_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     SSE2
; Stack     544 bytes: four words, ring, state and state before, room to align
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words. The state lies on the stack, where each round
;           writes two of its words over those that they replace; registers
;           hold the newest a and e. Rotates of one word go on from each other:
;           three shifts to the right and three to the left. The message is
;           transposed on its way to a ring of sixteen words.
; Bound     36 operations a round and 21 a word of the schedule: 3300 for four
;           blocks, 4.3 cycles a byte at three a cycle
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   ebx  ring          ecx  offset in data          edx  data of the lanes
;   esi  constants     edi  blocks left             eax  constants of 16 rounds
;   xmm0  a            xmm1  e                      xmm2  b ^ c
;   xmm3  a ^ b        xmm4  h and W + K, new a     xmm5..7  scratch

%include "abi.inc"
%include "lanes.inc"

%define a       xmm0
%define e       xmm1
%define bc      xmm2
%define ab      xmm3                            ; the next round's b ^ c
%define h       xmm4
%define x       xmm5
%define y       xmm6
%define w       xmm7

; The ring, the state, S(0) being a in round T, and the state before the block.
%define W(t)    ring + 16 * ((t) & 15)
%define S(i)    ring + 16 * (16 + (((i) - T) & 7))
%define IN(i)   ring + 16 * (24 + (i))
%define FRAME   (32 * 16 + 16)
%define END_OF_K dword [ring + 32 * 16]         ; constants of the last rounds

; SIX_SHIFTS to, from, r, r, r, l, l, l: to = from shifted right by the first
; number, then by the next too, and by all three, added modulo 2, and as many
; times to the left; the last may be missing. Destroys y.
%macro SIX_SHIFTS 7-8
        movdqa  y, %2
        psrld   y, %3
        movdqa  %1, y
        psrld   y, %4
        pxor    %1, y
        psrld   y, %5
        pxor    %1, y
        movdqa  y, %2
        pslld   y, %6
        pxor    %1, y
        pslld   y, %7
        pxor    %1, y
        %if %0 == 8
        pslld   y, %8
        pxor    %1, y
        %endif
%endmacro

; ROUND make: round T, of which W is made or is there; then names move on
%macro ROUND 1
        %if %1
        movdqa  h, [W(T + 1)]
        SIX_SHIFTS w, h, 3, 4, 11, 14, 11       ; sigma0(W[t-15])
        paddd   w, [W(T)]                       ;   + W[t-16]
        paddd   w, [W(T + 9)]                   ;   + W[t-7]
        movdqa  h, [W(T + 14)]
        SIX_SHIFTS x, h, 10, 7, 2, 13, 2        ; sigma1(W[t-2])
        paddd   w, x
        movdqa  [W(T)], w
        %else
        movdqa  w, [W(T)]
        %endif
        movdqa  h, [S(7)]
        paddd   w, [eax + 16 * T]
        paddd   h, w                            ; h + K + W
        movdqa  x, [S(5)]
        pxor    x, [S(6)]
        pand    x, e
        pxor    x, [S(6)]
        paddd   h, x                            ; Ch = ((f ^ g) & e) ^ g
        SIX_SHIFTS x, e, 6, 5, 14, 7, 14, 5
        paddd   h, x                            ; Sigma1(e)
        movdqa  e, [S(3)]
        paddd   e, h
        movdqa  [S(3)], e                       ; d + T1
        movdqa  ab, [S(1)]
        movdqa  x, ab
        pxor    ab, a
        pand    bc, ab
        pxor    bc, x
        paddd   h, bc                           ; Maj = ((a ^ b) & (b ^ c)) ^ b
        SIX_SHIFTS x, a, 2, 11, 9, 10, 9, 11
        paddd   h, x                            ; Sigma0(a)
        movdqa  [S(7)], h
        %xdefine FIRST a
        %xdefine a h
        %xdefine h FIRST
        %xdefine FIRST bc
        %xdefine bc ab
        %xdefine ab FIRST
%endmacro

; SIXTEEN_ROUNDS make: after them all names are home again
%macro SIXTEEN_ROUNDS 1
        %assign T 0
        %rep    16
        ROUND   %1
        %assign T T + 1
        %endrep
        %assign T 0
%endmacro

KERNEL hk_sha256x_sse2x4
        %assign T 0
        mov     eax, ARGUMENT(3)
        test    eax, eax
        jz      .done
        PUSH    ebx, esi, edi
        ALLOC   FRAME
        mov     blocks, eax
        lea     ring, [esp + 12]
        and     ring, -16
        mov     edx, ARGUMENT(1)
        %assign I 0
        %rep    8
        %assign N I & 3
        %if N == 0
        LOAD_ROWS edx, 4 * I
        TRANSPOSE
        %endif
        movdqa  [S(I)], xmm %+ N
        movdqa  [IN(I)], xmm %+ N
        %assign I I + 1
        %endrep
        LOAD_ADDRESS k, constants
        lea     eax, [k + 48 * 16]
        mov     END_OF_K, eax
        mov     data, ARGUMENT(2)
        xor     offset, offset

.next_block:
        LOAD_BLOCK
        mov     eax, k
        movdqa  a, [S(0)]
        movdqa  bc, [S(1)]
        pxor    bc, [S(2)]
        movdqa  e, [S(4)]
        SIXTEEN_ROUNDS 0
.rounds:
        add     eax, 16 * 16
        SIXTEEN_ROUNDS 1
        cmp     eax, END_OF_K
        jne     .rounds

        %assign I 0
        %rep    8
        movdqa  x, [S(I)]
        paddd   x, [IN(I)]
        movdqa  [S(I)], x
        movdqa  [IN(I)], x
        %assign I I + 1
        %endrep
        dec     blocks
        jnz     .next_block

        mov     edx, ARGUMENT(1)
        %assign I 0
        %rep    8
        %assign N I & 3
        movdqa  xmm %+ N, [S(I)]
        %if N == 3
        TRANSPOSE
        STORE_ROWS edx, 4 * (I - 3)
        %endif
        %assign I I + 1
        %endrep
        RELEASE FRAME
        POP     edi, esi, ebx
.done:  ret
ENDKERNEL

CONSTANTS
constants:
%include "sha256_k.inc"
