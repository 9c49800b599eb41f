; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dcx_avx512x16 - SHA-1 of sixteen messages in AVX-512 vectors, with the
; blocks that may be attacks
;
;   void hk_sha1dcx_avx512x16(uint32_t *const state[16],
;                             const uint8_t *const data[16], size_t nblocks,
;                             uint32_t records[]);
;
; Needs     AVX512
; Stack     1912 bytes
; Method    One message in each lane of the vectors, as hk_sha1x_avx512x16. The
;           bit conditions of all lanes are evaluated at once: while W[41..64]
;           are made, the bytes with the bits in question are collected; these
;           are transposed to planes beside the last rounds, and the planes
;           related beside the first 40 rounds of the next block. That leaves
;           out the trials.
; Bound     832 operations for the hash, 96 to collect, 70 to transpose and 185
;           to relate, two a cycle: 592 for sixteen blocks, 0.58 a byte. Zen 4
;           does as many; Zen 5 does four a cycle, and a round waits for 4: 0.31
;           a byte.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  blocks left    rcx  offset in data
;   r8   record      r9   state, planes, pairs     r10  candidates go here
;   zmm0..4   a..e               zmm5, 7           scratch
;   zmm6, 12, 13  scratch of collecting
;   zmm8..11  broken relations   zmm14, 15         scratch of the conditions
;   zmm16..31 W[t - 16..t - 1]

%include "abi.inc"
%define VECTOR  64
%include "lanes_sha1dc.inc"

KERNEL hk_sha1dcx_avx512x16
        SHA1_LANES
ENDKERNEL

CONSTANTS
constants:
%include "sha1_k.inc"
swap:
        SWAPPED_BYTES
        CONDITIONS_DATA
