; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1x_sse2x4 - SHA-1 of four messages in SSE2 vectors
;
;   void hk_sha1x_sse2x4(uint32_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     SSE2
; Stack     364 bytes: four words, ring, state, room to align
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, five of the state and three of scratch. The
;           message is transposed on its way to a ring of sixteen words.
; Bound     14 operations a round and 7 a word of the schedule: 1590 for four
;           blocks, 2.1 cycles a byte at three a cycle
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   ebx  ring          ecx  offset in data          edx  data of the lanes
;   esi  constants     edi  blocks left             eax  scratch
;   xmm0..4  a..e      xmm5..7  scratch

%include "abi.inc"
%include "lanes.inc"

%define a       xmm0
%define b       xmm1
%define c       xmm2
%define d       xmm3
%define e       xmm4
%define x       xmm5
%define y       xmm6
%define w       xmm7

; The ring, and the state before this block.
%define W(t)    ring + 16 * ((t) & 15)
%define IN(i)   ring + 16 * (16 + i)
%define FRAME   (21 * 16 + 12)

; ROUND t: then the names move on by one place
%macro ROUND 1
        movdqa  w, [W(%1)]
        %if %1 >= 16
        pxor    w, [W(%1 + 2)]                  ; W[t-16] ^ W[t-14]
        pxor    w, [W(%1 + 8)]                  ;   ^ W[t-8]
        pxor    w, [W(%1 + 13)]                 ;   ^ W[t-3]
        movdqa  x, w
        psrld   x, 31
        paddd   w, w
        por     w, x                            ; rotated by one
        movdqa  [W(%1)], w
        %endif
        paddd   e, [k + 16 * (%1 / 20)]
        paddd   e, w
        movdqa  y, c
        pxor    y, d
        %if %1 < 20
        pand    y, b
        pxor    y, d                            ; Ch = ((c ^ d) & b) ^ d
        %elif %1 >= 40 && %1 < 60
        movdqa  x, c
        pand    y, b
        pand    x, d
        paddd   e, x                            ; Maj = ((c ^ d) & b) + (c & d)
        %else
        pxor    y, b                            ; Parity = b ^ c ^ d
        %endif
        paddd   e, y
        movdqa  x, a
        movdqa  y, a
        pslld   x, 5
        psrld   y, 27
        por     x, y
        paddd   e, x                            ; rotl(a, 5)
        movdqa  y, b
        pslld   y, 30
        psrld   b, 2
        por     b, y                            ; rotl(b, 30)
        %xdefine FIRST e
        %xdefine e d
        %xdefine d c
        %xdefine c b
        %xdefine b a
        %xdefine a FIRST
%endmacro

; EACH_WORD macro: for each of a..e with its number
%macro EACH_WORD 1
        %assign I 0
        %rep    5
        %1      xmm %+ I, I
        %assign I I + 1
        %endrep
%endmacro

; KEEP, TAKE, ADD_IN register, i: the state before this block
%macro KEEP 2
        movdqa  [IN(%2)], %1
%endmacro
%macro TAKE 2
        movdqa  %1, [IN(%2)]
%endmacro
%macro ADD_IN 2
        paddd   %1, [IN(%2)]
        movdqa  [IN(%2)], %1
%endmacro

KERNEL hk_sha1x_sse2x4
        mov     eax, ARGUMENT(3)
        test    eax, eax
        jz      .done
        PUSH    ebx, esi, edi
        ALLOC   FRAME
        mov     blocks, eax
        lea     ring, [esp + 12]
        and     ring, -16

        ; The last word of each state alone: nothing may be read behind it.
        mov     edx, ARGUMENT(1)
        %assign LANE 0
        %rep    4
        mov     eax, [edx + 4 * LANE]
        mov     eax, [eax + 16]
        mov     [IN(4) + 4 * LANE], eax
        %assign LANE LANE + 1
        %endrep
        LOAD_ROWS edx, 0
        TRANSPOSE
        movdqa  e, [IN(4)]
        EACH_WORD KEEP
        LOAD_ADDRESS k, constants
        mov     data, ARGUMENT(2)
        xor     offset, offset

.next_block:
        LOAD_BLOCK
        EACH_WORD TAKE
        %assign T 0
        %rep    80
        ROUND   T
        %assign T T + 1
        %endrep
        EACH_WORD ADD_IN
        dec     blocks
        jnz     .next_block

        TRANSPOSE
        mov     edx, ARGUMENT(1)
        STORE_ROWS edx, 0
        %assign LANE 0
        %rep    4
        mov     eax, [edx + 4 * LANE]
        mov     ecx, [IN(4) + 4 * LANE]
        mov     [eax + 16], ecx
        %assign LANE LANE + 1
        %endrep
        RELEASE FRAME
        POP     edi, esi, ebx
.done:  ret
ENDKERNEL

CONSTANTS
constants:
%include "sha1_k.inc"
