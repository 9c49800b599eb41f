; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512_avx2 - SHA-512 block function, one vector schedule for two blocks
;
;   void hk_sha512_avx2(uint64_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     AVX2|BMI1|BMI2
; Stack     1400 bytes
; Method    Each ymm register holds two words of the schedule of two blocks, one
;           a lane. While the first block's rounds run in the general registers,
;           vector instructions between them make W[t] + K[t] for both and store
;           it; the second block's rounds only read it. An odd last block is its
;           own partner.
; Bound     24 operations a round: 6.0 cycles a round on four ALUs (Zen 3), and
;           chains of 4 cycles a round through e and a on wider cores
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rax..rdx, r8..r11    a..h, renamed by the round macro, never moved
;   r12, r13             x, y        r14, r15, rbp  temporaries
;   rdi  kw    W[t] + K[t] of this block's rounds, on the stack
;   rsi  k     K[t] of the schedule; the state after the rounds
;   ymm0-7     W[t-16..t-1] of both blocks, renamed   ymm8-10  temporaries
;   ymm11, 12  shuffles             ymm15  scratch of the load

%define SHA2    512
%include "abi.inc"
%include "stream.inc"
%include "sha2.inc"

%define w0      ymm0
%define w1      ymm1
%define w2      ymm2
%define w3      ymm3
%define w4      ymm4
%define w5      ymm5
%define w6      ymm6
%define w7      ymm7
%define v0      ymm8
%define v1      ymm9
%define v2      ymm10
%define swap    ymm11
%define right8  ymm12
%include "sha2_two_blocks.inc"

%macro LOAD_SHUFFLES 0
        vbroadcasti128 swap, [reverse]
        vbroadcasti128 right8, [rotate8]
%endmacro

; SCHEDULE row: records how w0 = W[t], W[t+1] is made from W[t-16..t-1], and
; that its sum with K is stored.
%macro SCHEDULE 1
        TO words, vpalignr v0, w1, w0, 8        ; W[t-15], W[t-14]
        TO words, vpalignr v1, w5, w4, 8        ; W[t-7], W[t-6]
        TO words, vpaddq w0, w0, v1
        TO words, vpsrlq v1, v0, 1
        TO words, vpsllq v2, v0, 63
        TO words, vpxor v1, v1, v2              ; x >>> 1
        TO words, vpshufb v2, v0, right8        ; x >>> 8
        TO words, vpsrlq v0, v0, 7
        TO words, vpxor v1, v1, v2
        TO words, vpxor v0, v0, v1              ; sigma0
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
        TO words, vpaddq v0, w0, [k + (%1) * ROW]
        TO words, vmovdqa [kw + (%1) * ROW], v0
%endmacro

KERNEL hk_sha512_avx2
        TWO_BLOCKS 12
ENDKERNEL

CONSTANTS
; Each row of K, once for each block.
%macro K64 2
        %rep    2
        dq      %1, %2
        %endrep
%endmacro
constants:
%include "sha512_k.inc"
reverse:
        db      7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8
rotate8:
        db      1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
