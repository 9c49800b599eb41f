; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_avx2 - SHA-256 block function, one vector schedule for two blocks
;
;   void hk_sha256_avx2(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     AVX2|BMI1|BMI2
; Stack     632 bytes
; Method    Each ymm register holds four words of the schedule of two blocks,
;           one a lane. While the first block's rounds run in the general
;           registers, vector instructions between them make W[t] + K[t] for
;           both and store it; the second block's rounds only read it. An odd
;           last block is its own partner.
; Bound     24 operations a round: 6.0 cycles a round on four ALUs (Zen 3), and
;           chains of 4 cycles a round through e and a on wider cores
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax..edx, r8d..r11d  a..h, renamed by the round macro, never moved
;   r12d, r13d           x, y        r14d, r15d, ebp  temporaries
;   rdi  kw    W[t] + K[t] of this block's rounds, on the stack
;   rsi  k     K[t] of the schedule; the state after the rounds
;   ymm0-3     W[t-16..t-1] of both blocks, renamed   ymm4-6  temporaries
;   ymm7-9     shuffles             ymm15  scratch of the load

%define SHA2    256
%include "abi.inc"
%include "stream.inc"
%include "sha2.inc"

%define w0      ymm0
%define w1      ymm1
%define w2      ymm2
%define w3      ymm3
%define v0      ymm4
%define v1      ymm5
%define v2      ymm6
%define swap    ymm7
%define low     ymm8
%define high    ymm9
%include "sha2_two_blocks.inc"

%macro LOAD_SHUFFLES 0
        vbroadcasti128 swap, [reverse]
        vbroadcasti128 low, [to_low]
        vbroadcasti128 high, [to_high]
%endmacro

; SCHEDULE row: records how w0 = W[t..t+3] is made from W[t-16..t-1], and that
; its sum with K is stored.
%macro SCHEDULE 1
        TO words, vpalignr v0, w1, w0, 4        ; W[t-15..t-12]
        TO words, vpalignr v1, w3, w2, 4        ; W[t-7..t-4]
        TO words, vpaddd w0, w0, v1
        TO words, vpsrld v1, v0, 7
        TO words, vpslld v2, v0, 14
        TO words, vpsrld v0, v0, 3
        TO words, vpxor v0, v0, v1              ; x >> 3 ^ x >> 7
        TO words, vpsrld v1, v1, 11
        TO words, vpxor v0, v0, v2              ; ^ x << 14
        TO words, vpslld v2, v2, 11
        TO words, vpxor v0, v0, v1              ; ^ x >> 18
        TO words, vpxor v0, v0, v2              ; ^ x << 25
        TO words, vpshufd v1, w3, 0xfa          ; W[t-2], W[t-2], W[t-1], W[t-1]
        TO words, vpaddd w0, w0, v0
        ADD_SIGMA1 low
        TO words, vpshufd v1, w0, 0x50          ; W[t], W[t], W[t+1], W[t+1]
        ADD_SIGMA1 high
        TO words, vpaddd v0, w0, [k + (%1) * ROW]
        TO words, vmovdqa [kw + (%1) * ROW], v0
%endmacro

; ADD_SIGMA1 place: records w0 += sigma1 of the two words in v1, put into their
; place. Each is there twice, so a shift of the pair is a rotate.
%macro ADD_SIGMA1 1
        TO words, vpsrld v0, v1, 10
        TO words, vpsrlq v2, v1, 17
        TO words, vpsrlq v1, v1, 19
        TO words, vpxor v0, v0, v2
        TO words, vpxor v0, v0, v1
        TO words, vpshufb v0, v0, %1
        TO words, vpaddd w0, w0, v0
%endmacro

KERNEL hk_sha256_avx2
        TWO_BLOCKS 8
ENDKERNEL

CONSTANTS
; Each row of K, once for each block.
%macro K32 4
        %rep    2
        dd      %1, %2, %3, %4
        %endrep
%endmacro
constants:
%include "sha256_k.inc"
reverse:
        db      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
; words 0 and 2 to the places 0 and 1, or 2 and 3; zero elsewhere
to_low:
        db      0, 1, 2, 3, 8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1
to_high:
        db      -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 8, 9, 10, 11
