; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1x_avx2x8 - SHA-1 of eight messages in AVX2 vectors
;
;   void hk_sha1x_avx2x8(uint32_t *const state[8], const uint8_t *const data[8], size_t nblocks);
;
; Needs     AVX2
; Stack     696 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. The
;           message is transposed on its way to a ring of sixteen words.
; Bound     13 operations a round and 6 a word of the schedule, four a cycle:
;           356 for eight blocks, 0.7 a byte. With operations that take two
;           cycles (Zen 5) a round waits for 6: 0.94 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r9   ring        rax  a pointer of the arrays
;   ymm0..4   a..e               ymm5..15  scratch, also while messages enter

%include "abi.inc"
%define VECTOR  32
%include "lanes_sha1.inc"

KERNEL hk_sha1x_avx2x8
        SHA1_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha1_k.inc"
swap:
        SWAPPED_BYTES
