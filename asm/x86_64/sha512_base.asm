; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512_base - SHA-512 block function, vector message schedule in SSE2
;
;   void hk_sha512_base(uint64_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     any x86-64
; Stack     200 bytes
; Method    Two words of the schedule in each xmm register; vector instructions
;           between the rounds make the next two and store their sums with K
;           where the rounds read them.
; Bound     22 operations a round, 5.5 cycles on four ALUs; with moves and the
;           schedule 42 instructions a round, 7.0 cycles at six a cycle (Zen 3)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rax..rdx, r8..r11            a..h, renamed by the round macro, never moved
;   r12-r15, rbp                 temporaries of a round
;   rsi  data    rdi  k     K[t] of the schedule; the state after the rounds
;   xmm0-7   W[t-16..t-1]      xmm11-14  W[t-15..t-8], both renamed
;   xmm8-9   temporaries

%define SHA2    512
%include "abi.inc"
%include "stream.inc"
%include "sha2.inc"

%define data    rsi
%define k       rdi
%define w0      xmm0
%define w1      xmm1
%define w2      xmm2
%define w3      xmm3
%define w4      xmm4
%define w5      xmm5
%define w6      xmm6
%define w7      xmm7
%define v0      xmm8
%define v1      xmm9
%define p0      xmm11
%define p1      xmm12
%define p2      xmm13
%define p3      xmm14
%include "sha2_one_block.inc"

%macro LOAD_SHUFFLES 0
%endmacro

; LOAD_ROW row: w0 = words of the message; stores its sum with K
%macro LOAD_ROW 1
        movdqu  w0, [data + %1 * ROW]
        movdqa  v0, w0
        psllw   w0, 8
        psrlw   v0, 8
        por     w0, v0                          ; bytes swapped in each quarter
        pshuflw w0, w0, 0x1b
        pshufhw w0, w0, 0x1b                    ; quarters of each word reversed
        movdqa  v0, w0
        paddq   v0, [k + %1 * ROW]
        movdqa  [SUMS + %1 * ROW], v0
%endmacro

; ALIGN_ROWS: p0..p3 = the words 1 and 2, 3 and 4, 5 and 6, 7 and 8
%macro ALIGN_ROWS 0
        movdqa  p0, w0
        shufpd  p0, w1, 1
        movdqa  p1, w1
        shufpd  p1, w2, 1
        movdqa  p2, w2
        shufpd  p2, w3, 1
        movdqa  p3, w3
        shufpd  p3, w4, 1
%endmacro

; SCHEDULE row: records how w0 = W[t], W[t+1] is made from W[t-16..t-1] and
; its sum with K stored. p0 is W[t-15], W[t-14], p1 the next two, ...; W[t-7]
; and W[t-6] follow p3. The shifts to one side are nested to save moves.
%macro SCHEDULE 1
        TO words, movdqa v0, p0
        TO words, movdqa v1, p0
        TO words, psrlq v0, 1
        TO words, psllq v1, 7
        TO words, pxor v0, p0
        TO words, pxor v1, p0
        TO words, psrlq v0, 6
        TO words, psllq v1, 56                  ; x << 63 ^ x << 56
        TO words, pxor v0, p0
        TO words, psrlq v0, 1                   ; x >> 1 ^ x >> 7 ^ x >> 8
        TO words, movdqa p0, w4
        TO words, pxor v0, v1                   ; sigma0
        TO words, shufpd p0, w5, 1              ; W[t-7], W[t-6]
        TO words, paddq w0, v0
        TO words, paddq w0, p0
        TO words, movdqa v0, w7                 ; x = W[t-2], W[t-1]
        TO words, movdqa v1, w7
        TO words, psrlq v0, 42
        TO words, psllq v1, 42
        TO words, pxor v0, w7
        TO words, pxor v1, w7
        TO words, psrlq v0, 13
        TO words, psllq v1, 3                   ; x << 45 ^ x << 3
        TO words, pxor v0, w7
        TO words, psrlq v0, 6                   ; x >> 61 ^ x >> 19 ^ x >> 6
        TO words, pxor v0, v1                   ; sigma1
        TO words, paddq w0, v0
        TO words, movdqa v0, w0
        TO words, paddq v0, [k + BLOCK + (%1) * ROW]
        TO words, movdqa [SUMS + (%1) * ROW], v0
        %xdefine NEXT p0
        %xdefine p0 p1
        %xdefine p1 p2
        %xdefine p2 p3
        %xdefine p3 NEXT
%endmacro

KERNEL hk_sha512_base
        ONE_BLOCK 15
ENDKERNEL

CONSTANTS
%macro K64 2
        dq      %1, %2
%endmacro
constants:
%include "sha512_k.inc"
