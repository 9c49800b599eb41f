; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_avx2x8 - SHA-256 of eight messages in AVX2 vectors
;
;   void hk_sha256x_avx2x8(uint32_t *const state[8], const uint8_t *const data[8], size_t nblocks);
;
; Needs     AVX2
; Stack     792 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. The
;           message is transposed on its way to a ring of sixteen words.
; Bound     35 operations a round and 21 a word of the schedule, four a cycle:
;           812 for eight blocks, 1.6 a byte. With operations that take two
;           cycles (Zen 5) a round waits for about 14: 1.75 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   constants   r9   ring        r10  end of constants
;   rax  a pointer of the arrays
;   ymm0..7   a..h               ymm8..13  scratch
;   ymm14  b ^ c                 ymm15  a ^ b

%include "abi.inc"
%define SHA2    256
%define VECTOR  32
%include "lanes_sha2.inc"

KERNEL hk_sha256x_avx2x8
        SHA2_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha256_k.inc"
swap:
        SWAPPED_BYTES
