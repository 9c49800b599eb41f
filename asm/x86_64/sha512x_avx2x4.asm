; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512x_avx2x4 - SHA-512 of four messages in AVX2 vectors
;
;   void hk_sha512x_avx2x4(uint64_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     AVX2
; Stack     792 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. The
;           message is transposed on its way to a ring of sixteen words.
; Bound     35 operations a round and 19 a word of the schedule, four a cycle:
;           1004 for four blocks, 2.0 a byte. With operations that take two
;           cycles (Zen 5) a round waits for about 14: 2.2 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   constants   r9   ring        r10  end of constants
;   rax  a pointer of the arrays
;   ymm0..7   a..h               ymm8..13  scratch
;   ymm14  b ^ c                 ymm15  a ^ b

%include "abi.inc"
%define SHA2    512
%define VECTOR  32
%include "lanes_sha2.inc"

KERNEL hk_sha512x_avx2x4
        SHA2_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha512_k.inc"
swap:
        SWAPPED_BYTES
rotate8:
        ROTATED_BYTES 1
