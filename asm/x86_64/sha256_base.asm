; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_base - SHA-256 block function, vector message schedule in SSE2
;
;   void hk_sha256_base(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     any x86-64
; Stack     136 bytes
; Method    Four words of the schedule in each xmm register; vector instructions
;           between the rounds make the next four and store their sums with K
;           where the rounds read them.
; Bound     22 operations a round, 5.5 cycles on four ALUs; with moves and the
;           schedule 37 instructions a round, 6.2 cycles at six a cycle (Zen 3)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax..edx, r8d..r11d          a..h, renamed by the round macro, never moved
;   r12d-r15d, ebp               temporaries of a round
;   rsi  data    rdi  k     K[t] of the schedule; the state after the rounds
;   xmm0-3   W[t-16..t-1]      xmm7-8  W[t-15..t-8], both renamed
;   xmm4-6   temporaries       xmm9    zero

%define SHA2    256
%include "abi.inc"
%include "stream.inc"
%include "sha2.inc"

%define data    rsi
%define k       rdi
%define w0      xmm0
%define w1      xmm1
%define w2      xmm2
%define w3      xmm3
%define v0      xmm4
%define v1      xmm5
%define v2      xmm6
%define p0      xmm7
%define p1      xmm8
%define zero    xmm9
%include "sha2_one_block.inc"
%include "x86_sha256_sse.inc"

%macro LOAD_SHUFFLES 0
        pxor    zero, zero
%endmacro

; LOAD_ROW row: w0 = words of the message; stores its sum with K
%macro LOAD_ROW 1
        movdqu  w0, [data + %1 * ROW]
        movdqa  v0, w0
        psllw   w0, 8
        psrlw   v0, 8
        por     w0, v0                          ; bytes swapped in each half
        pshuflw w0, w0, 0xb1
        pshufhw w0, w0, 0xb1                    ; halves swapped in each word
        movdqa  v0, w0
        paddd   v0, [k + %1 * ROW]
        movdqa  [SUMS + %1 * ROW], v0
%endmacro

; ALIGN_ROWS: p0, p1 = the words 1..4, 5..8
%macro ALIGN_ROWS 0
        movdqa  p0, w0
        movss   p0, w1
        pshufd  p0, p0, 0x39
        movdqa  p1, w1
        movss   p1, w2
        pshufd  p1, p1, 0x39
%endmacro

; SCHEDULE row: records how w0 = W[t..t+3] is made from W[t-16..t-1] and its
; sum with K stored. p0 is W[t-15..t-12], p1 the next four; W[t-7..t-4] are the
; next but one.
%macro SCHEDULE 1
        SIGMA0  p0
        TO words, paddd w0, p0
        TO words, movdqa p0, w2
        TO words, movss p0, w3
        TO words, pshufd p0, p0, 0x39           ; W[t-7..t-4]
        TO words, paddd w0, p0
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
        TO words, paddd v0, [k + BLOCK + (%1) * ROW]
        TO words, movdqa [SUMS + (%1) * ROW], v0
        %xdefine NEXT p0
        %xdefine p0 p1
        %xdefine p1 NEXT
%endmacro

KERNEL hk_sha256_base
        ONE_BLOCK 10
ENDKERNEL

CONSTANTS
%macro K32 4
        dd      %1, %2, %3, %4
%endmacro
constants:
%include "sha256_k.inc"
