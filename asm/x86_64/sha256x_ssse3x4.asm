; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_ssse3x4 - SHA-256 of four messages in SSE vectors
;
;   void hk_sha256x_ssse3x4(uint32_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     SSSE3
; Stack     392 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. The
;           message is transposed on its way to a ring of sixteen words.
; Bound     35 operations a round and 21 a word of the schedule: 812 for four
;           blocks, 3.2 a byte, at four a cycle; 4.2 at three.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   constants   r9   ring        r10  end of constants
;   rax  a pointer of the arrays
;   xmm0..7   a..h               xmm8..13  scratch
;   xmm14  b ^ c                 xmm15  a ^ b

%include "abi.inc"
%define SHA2    256
%define VECTOR  16
%include "lanes_sha2.inc"

KERNEL hk_sha256x_ssse3x4
        SHA2_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha256_k.inc"
swap:
        SWAPPED_BYTES
