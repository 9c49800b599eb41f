; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_shanix2 - SHA-256 of two messages with the SHA instructions
;
;   void hk_sha256x_shanix2(uint32_t *const state[2], const uint8_t *const data[2], size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     72 bytes
; Method    hk_sha256_shani on two messages, one sha256rnds2 of each in turn:
;           in whatever order they get ready, neither is far behind. Legacy SSE
;           encodings only: there are CPUs with SHA instructions and without
;           AVX.
; Bound     32 dependent sha256rnds2 and one paddd a block, 4 cycles each on most
;           CPUs: 129 for two blocks, 1.01 a byte. On AMD's a sha256rnds2 can
;           start every 2 cycles, so that its unit is then always busy, too.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rsi  data        rdx  end of data 0
;   r8   state 0     r9   state 1     r10  data 0       r11  data 1 - data 0
;   rax  constants

%include "abi.inc"

%define wk      xmm0                            ; W + K, implied by sha256rnds2
%define wk_0    xmm13
%define wk_1    xmm14
%define spare   wk_0
%define swap    xmm15                           ; reverses the bytes of words
%define k       rax

; The registers of lane n: a and c in the highest lane, and four words each of
; the schedule, W[t] lowest.
%define abef_0  xmm1
%define cdgh_0  xmm2
%define abef_1  xmm3
%define cdgh_1  xmm4
%define w0_0    xmm5
%define w1_0    xmm6
%define w2_0    xmm7
%define w3_0    xmm8
%define w0_1    xmm9
%define w1_1    xmm10
%define w2_1    xmm11
%define w3_1    xmm12

; Where the states before this block are kept.
%define abef_in_0 rsp
%define cdgh_in_0 rsp + 16
%define abef_in_1 rsp + 32
%define cdgh_in_1 rsp + 48

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

; LOAD_STATE lane, pointer
%macro LOAD_STATE 2
        movdqu  abef_%1, [%2]
        movdqu  cdgh_%1, [%2 + 16]
        HALVES  abef_%1, cdgh_%1
%endmacro

; STORE_STATE lane, pointer
%macro STORE_STATE 2
        HALVES  cdgh_%1, abef_%1
        movdqu  [%2], abef_%1
        movdqu  [%2 + 16], cdgh_%1
%endmacro

; LOAD_BLOCK lane, address: the message, big-endian, first word lowest
%macro LOAD_BLOCK 2
        movdqu  w0_%1, [%2]
        pshufb  w0_%1, swap
        movdqu  w1_%1, [%2 + 16]
        pshufb  w1_%1, swap
        movdqu  w2_%1, [%2 + 32]
        pshufb  w2_%1, swap
        movdqu  w3_%1, [%2 + 48]
        pshufb  w3_%1, swap
        movdqa  [abef_in_%1], abef_%1
        movdqa  [cdgh_in_%1], cdgh_%1
%endmacro

; NEXT_WORDS lane, register: makes W[t+16..t+19] in w0, renames
%macro NEXT_WORDS 2
        %if T < 48
        sha256msg1 w0_%1, w1_%1                 ; W[t-16] + sigma0(W[t-15])
        movdqa  %2, w3_%1
        palignr %2, w2_%1, 4
        paddd   w0_%1, %2                       ;   + W[t-7]
        sha256msg2 w0_%1, w3_%1                 ;   + sigma1(W[t-2])
        %endif
        %xdefine FIRST w0_%1
        %xdefine w0_%1 w1_%1
        %xdefine w1_%1 w2_%1
        %xdefine w2_%1 w3_%1
        %xdefine w3_%1 FIRST
%endmacro

; FOUR_ROUNDS t: rounds t..t+3 of both lanes; w0 holds W[t..t+3], w1..w3 the
; next twelve words
%macro FOUR_ROUNDS 1
        movdqa  wk_0, [k + 4 * %1]
        movdqa  wk_1, wk_0
        paddd   wk_0, w0_0
        movdqa  wk, wk_0
        sha256rnds2 cdgh_0, abef_0
        paddd   wk_1, w0_1
        movdqa  wk, wk_1
        sha256rnds2 cdgh_1, abef_1
        pshufd  wk, wk_0, 0x0e                  ; the sums of rounds t+2, t+3
        sha256rnds2 abef_0, cdgh_0
        pshufd  wk, wk_1, 0x0e
        sha256rnds2 abef_1, cdgh_1
        NEXT_WORDS 0, wk_0
        NEXT_WORDS 1, wk_1
%endmacro

; ADD_STATE lane: the state before the block
%macro ADD_STATE 1
        paddd   cdgh_%1, [cdgh_in_%1]
        paddd   abef_%1, [abef_in_%1]
%endmacro

KERNEL hk_sha256x_shanix2
        shl     rdx, 6
        jz      .done
        ALLOC   72
        mov     r8, [rdi]
        mov     r9, [rdi + 8]
        mov     r10, [rsi]
        mov     r11, [rsi + 8]
        sub     r11, r10
        add     rdx, r10
        lea     k, [constants]
        movdqa  swap, [reverse]
        LOAD_STATE 0, r8
        LOAD_STATE 1, r9

.next_block:
        LOAD_BLOCK 0, r10
        LOAD_BLOCK 1, r10 + r11
        add     r10, 64

        %assign T 0
        %rep    16
        FOUR_ROUNDS T
        %assign T T + 4
        %endrep

        ADD_STATE 0
        ADD_STATE 1
        cmp     r10, rdx
        jne     .next_block

        STORE_STATE 0, r8
        STORE_STATE 1, r9
        RELEASE 72
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
