; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1x_avx512x16 - SHA-1 of sixteen messages in AVX-512 vectors
;
;   void hk_sha1x_avx512x16(uint32_t *const state[16], const uint8_t *const data[16], size_t nblocks);
;
; Needs     AVX512
; Stack     376 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. Words
;           rotate in one instruction, and a function of three of them is one.
;           The message is transposed on its way to a ring of sixteen words, in
;           registers.
; Bound     7 operations a round, 3 a word of the schedule, 80 to transpose, two
;           a cycle: 416 for sixteen blocks, 0.41 a byte. Zen 4 does as many, in
;           two halves each; Zen 5 does four a cycle, but then a round waits for
;           4: 0.31 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r9   state before this block
;   zmm0..4   a..e               zmm5, 7  scratch
;   zmm16..31 W[t - 16..t - 1]

%include "abi.inc"
%define VECTOR  64
%include "lanes_sha1.inc"

KERNEL hk_sha1x_avx512x16
        SHA1_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha1_k.inc"
swap:
        SWAPPED_BYTES
