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

%include "abi.inc"

%define wk      xmm0                            ; W + K, implied by sha256rnds2
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

; FOUR_ROUNDS t: rounds t..t+3; w0 holds W[t..t+3], w1..w3 the next twelve
; words. Makes W[t+16..t+19] in w0 where they exist, then renames.
%macro FOUR_ROUNDS 1
        movdqa  wk, w0
        paddd   wk, [rax + 4 * %1]
        sha256rnds2 cdgh, abef
        pshufd  wk, wk, 0x0e                    ; the sums of rounds t+2, t+3
        sha256rnds2 abef, cdgh
        %if %1 < 48
        sha256msg1 w0, w1                       ; W[t-16] + sigma0(W[t-15])
        movdqa  spare, w3
        palignr spare, w2, 4
        paddd   w0, spare                       ;   + W[t-7]
        sha256msg2 w0, w3                       ;   + sigma1(W[t-2])
        %endif
        %xdefine FIRST w0
        %xdefine w0 w1
        %xdefine w1 w2
        %xdefine w2 w3
        %xdefine w3 FIRST
%endmacro

; HALVES x, y: x = the upper halves of y and x, y = the lower halves, with the
; lanes of each half reversed. a..d, e..h become abef, cdgh, and back.
%macro HALVES 2
        pshufd  %1, %1, 0x1b
        pshufd  %2, %2, 0x1b
        movdqa  spare, %2
        punpcklqdq %2, %1
        punpckhqdq spare, %1
        movdqa  %1, spare
%endmacro

KERNEL hk_sha256_shani
        shl     rdx, 6
        jz      .done
        add     rdx, rsi
        lea     rax, [constants]
        movdqa  swap, [reverse]
        movdqu  abef, [rdi]
        movdqu  cdgh, [rdi + 16]
        HALVES  abef, cdgh

.next_block:
        movdqa  abef_in, abef
        movdqa  cdgh_in, cdgh
        movdqu  w0, [rsi]
        pshufb  w0, swap
        movdqu  w1, [rsi + 16]
        pshufb  w1, swap
        movdqu  w2, [rsi + 32]
        pshufb  w2, swap
        movdqu  w3, [rsi + 48]
        pshufb  w3, swap
        add     rsi, 64

        %assign T 0
        %rep    16
        FOUR_ROUNDS T
        %assign T T + 4
        %endrep

        paddd   cdgh, cdgh_in
        paddd   abef, abef_in
        cmp     rsi, rdx
        jne     .next_block

        HALVES  cdgh, abef
        movdqu  [rdi], abef
        movdqu  [rdi + 16], cdgh
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
