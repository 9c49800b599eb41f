; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512x_avx512x8 - SHA-512 of eight messages in AVX-512 vectors
;
;   void hk_sha512x_avx512x8(uint64_t *const state[8], const uint8_t *const data[8], size_t nblocks);
;
; Needs     AVX512
; Stack     568 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. Words
;           rotate in one instruction, and a function of three of them is one.
;           The message is transposed on its way to a ring of sixteen words, in
;           registers.
; Bound     17 operations a round, 11 a word of the schedule, 64 to transpose,
;           two a cycle: 1064 for eight blocks, 1.04 a byte. Zen 4 does as many,
;           in two halves each; Zen 5 does four a cycle: 0.52 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   constants   r9   state before this block         r10  end of constants
;   zmm0..7   a..h               zmm8..15  scratch
;   zmm16..31 W[t - 16..t - 1]

%include "abi.inc"
%define SHA2    512
%define VECTOR  64
%include "lanes_sha2.inc"

KERNEL hk_sha512x_avx512x8
        SHA2_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha512_k.inc"
swap:
        SWAPPED_BYTES
