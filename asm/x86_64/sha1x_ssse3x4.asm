; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1x_ssse3x4 - SHA-1 of four messages in SSE vectors
;
;   void hk_sha1x_ssse3x4(uint32_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     SSSE3
; Stack     344 bytes
; Method    One message in each lane of the vectors: the standard's text with
;           vectors for words, beside it the schedule of the next round. The
;           message is transposed on its way to a ring of sixteen words.
; Bound     13 operations a round and 6 a word of the schedule: 356 for four
;           blocks, 1.4 a byte, at four a cycle; 1.9 at three.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r9   ring        rax  a pointer of the arrays
;   xmm0..4   a..e               xmm5..15  scratch, also while messages enter

%include "abi.inc"
%define VECTOR  16
%include "lanes_sha1.inc"

KERNEL hk_sha1x_ssse3x4
        SHA1_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha1_k.inc"
swap:
        SWAPPED_BYTES
