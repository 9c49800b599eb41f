; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_shani - SHA-256 block function with the SHA instructions
;
;   void hk_sha256_shani(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     0 bytes
; Method    sha256rnds2 makes two rounds; after two of them the halves of the
;           state have traded places twice. sha256msg1, an unaligned W[t-7] and
;           sha256msg2 make four words of the schedule. Legacy SSE encodings
;           only: there are CPUs with SHA instructions and without AVX.
; Bound     32 dependent sha256rnds2 and one paddd a block: 4 cycles each on
;           most CPUs, 129 in all. Everything else fits in their shadow.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  state       rsi  data        rdx  end of data     rax  constants
;   xmm registers: as the block of names says

%include "abi.inc"

%define k       rax
%define abef    xmm1                            ; a in the highest lane
%define cdgh    xmm2
%define w0      xmm3                            ; four words each, W[t] lowest
%define w1      xmm4
%define w2      xmm5
%define w3      xmm6
%define spare   xmm7
%define swap    xmm8                            ; reverses the bytes of words
%define abef_in xmm9                            ; the state before this block
%define cdgh_in xmm10
%include "x86_sha256ni.inc"

KERNEL hk_sha256_shani
        shl     rdx, 6
        jz      .done
        add     rdx, rsi
        lea     k, [constants]
        movdqa  swap, [reverse]
        LOAD_STATE rdi

.next_block:
        movdqa  abef_in, abef
        movdqa  cdgh_in, cdgh
        LOAD    w0, rsi
        LOAD    w1, rsi + 16
        LOAD    w2, rsi + 32
        LOAD    w3, rsi + 48
        add     rsi, 64

        ALL_ROUNDS

        paddd   cdgh, cdgh_in
        paddd   abef, abef_in
        cmp     rsi, rdx
        jne     .next_block

        STORE_STATE rdi
.done:  ret
ENDKERNEL

CONSTANTS
%macro K32 4
        dd      %1, %2, %3, %4
%endmacro
constants:
%include "sha256_k.inc"
reverse:
        db      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
