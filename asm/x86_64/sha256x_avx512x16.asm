; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_avx512x16 - SHA-256 of sixteen messages in AVX-512 vectors
;
;   void hk_sha256x_avx512x16(uint32_t *const state[16], const uint8_t *const data[16], size_t nblocks);
;
; Needs     AVX512
; Stack     568 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. Words
;           rotate in one instruction, and a function of three of them is one.
;           The message is transposed on its way to a ring of sixteen words, in
;           registers.
; Bound     17 operations a round, 11 a word of the schedule, 80 to transpose,
;           two a cycle: 848 for sixteen blocks, 0.83 a byte. Zen 4 does as many
;           in two halves each; Zen 5 does four a cycle: 0.41 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   constants   r9   state before this block         r10  end of constants
;   zmm0..7   a..h               zmm8..15  scratch
;   zmm16..31 W[t - 16..t - 1]

%include "abi.inc"
%define SHA2    256
%define VECTOR  64
%include "lanes_sha2.inc"

KERNEL hk_sha256x_avx512x16
        SHA2_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha256_k.inc"
swap:
        SWAPPED_BYTES
