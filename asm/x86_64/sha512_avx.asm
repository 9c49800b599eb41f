; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512_avx - SHA-512 block function, vector message schedule
;
;   void hk_sha512_avx(uint64_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     AVX
; Stack     200 bytes
; Method    Two words of the schedule in each xmm register; vector instructions
;           between the rounds make the next two and store their sums with K
;           where the rounds read them.
; Bound     22 operations a round, 5.5 cycles on four ALUs; with moves and the
;           schedule 39 instructions a round, 6.5 cycles at six a cycle (Zen 3)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rax..rdx, r8..r11            a..h, renamed by the round macro, never moved
;   r12-r15, rbp                 temporaries of a round
;   rsi  data    rdi  k     K[t] of the schedule; the state after the rounds
;   xmm0-7   W[t-16..t-1]      xmm11-14  W[t-15..t-8], both renamed
;   xmm8-10  temporaries       xmm15     a shuffle

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
%define v2      xmm10
%define p0      xmm11
%define p1      xmm12
%define p2      xmm13
%define p3      xmm14
%define right8  xmm15
%include "sha2_one_block.inc"

%macro LOAD_SHUFFLES 0
        vmovdqa right8, [rotate8]
%endmacro

; LOAD_ROW row: w0 = words of the message; stores its sum with K
%macro LOAD_ROW 1
        vmovdqu w0, [data + %1 * ROW]
        vpshufb w0, w0, [reverse]
        vpaddq  v0, w0, [k + %1 * ROW]
        vmovdqa [SUMS + %1 * ROW], v0
%endmacro

; ALIGN_ROWS: p0..p3 = the words 1 and 2, 3 and 4, 5 and 6, 7 and 8
%macro ALIGN_ROWS 0
        vpalignr p0, w1, w0, 8
        vpalignr p1, w2, w1, 8
        vpalignr p2, w3, w2, 8
        vpalignr p3, w4, w3, 8
%endmacro

; SCHEDULE row: records how w0 = W[t], W[t+1] is made from W[t-16..t-1] and
; its sum with K stored. p0 is W[t-15], W[t-14], p1 the next two, ...; W[t-7]
; and W[t-6] follow p3.
%macro SCHEDULE 1
        TO words, vpsrlq v0, p0, 1
        TO words, vpsllq v1, p0, 63
        TO words, vpshufb v2, p0, right8        ; x >>> 8
        TO words, vpxor v0, v0, v1              ; x >>> 1
        TO words, vpsrlq v1, p0, 7
        TO words, vpxor v0, v0, v2
        TO words, vpalignr p0, w5, w4, 8        ; W[t-7], W[t-6]
        TO words, vpxor v0, v0, v1              ; sigma0
        TO words, vpaddq w0, w0, p0
        TO words, vpaddq w0, w0, v0
        TO words, vpsrlq v0, w7, 19             ; x = W[t-2], W[t-1]
        TO words, vpsllq v1, w7, 45
        TO words, vpxor v0, v0, v1              ; x >>> 19
        TO words, vpsrlq v1, w7, 61
        TO words, vpsllq v2, w7, 3
        TO words, vpxor v1, v1, v2              ; x >>> 61
        TO words, vpsrlq v2, w7, 6
        TO words, vpxor v0, v0, v1
        TO words, vpxor v0, v0, v2              ; sigma1
        TO words, vpaddq w0, w0, v0
        TO words, vpaddq v0, w0, [k + BLOCK + (%1) * ROW]
        TO words, vmovdqa [SUMS + (%1) * ROW], v0
        %xdefine NEXT p0
        %xdefine p0 p1
        %xdefine p1 p2
        %xdefine p2 p3
        %xdefine p3 NEXT
%endmacro

KERNEL hk_sha512_avx
        ONE_BLOCK 11
ENDKERNEL

CONSTANTS
%macro K64 2
        dq      %1, %2
%endmacro
constants:
%include "sha512_k.inc"
reverse:
        db      7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8
rotate8:
        db      1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
