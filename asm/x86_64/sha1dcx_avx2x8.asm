; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dcx_avx2x8 - SHA-1 of eight messages in AVX2 vectors, with the blocks
; that may be attacks
;
;   void hk_sha1dcx_avx2x8(uint32_t *const state[8],
;                          const uint8_t *const data[8], size_t nblocks,
;                          uint32_t records[]);
;
; Needs     AVX2
; Stack     1464 bytes
; Method    One message in each lane of the vectors, as hk_sha1x_avx2x8. The bit
;           conditions of all lanes are evaluated at once: while W[49..64] are
;           made, the bytes with the bits in question are collected; these are
;           transposed to planes beside the last rounds, and the planes related
;           beside the first 48 rounds of the next block. That leaves out the
;           trials.
; Bound     1470 operations for the hash, 115 to collect, 111 to transpose and
;           185 to relate, of eight blocks. Three a cycle (Golden Cove): 627,
;           1.2 a byte; four a cycle (Zen 3): 0.9 a byte. With operations that
;           take two cycles (Zen 5) a round waits for 6: 0.94 a byte, and all of
;           the conditions find room beside that.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   record      r9   ring, planes, pairs      r10  candidates go here
;   ymm0..4   a..e               ymm5..7, 12, 13  scratch
;   ymm8..11  broken relations   ymm14, 15        scratch of the conditions

%include "abi.inc"
%define VECTOR  32
%include "lanes_sha1dc.inc"

KERNEL hk_sha1dcx_avx2x8
        SHA1_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha1_k.inc"
swap:
        SWAPPED_BYTES
        CONDITIONS_DATA
