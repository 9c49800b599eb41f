; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_shani - SHA-1 block function with the SHA instructions
;
;   void hk_sha1_shani(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     0 bytes
; Method    sha1rnds4 makes four rounds, sha1nexte supplies e for them from the
;           state four rounds ago, sha1msg1, pxor and sha1msg2 make four words
;           of the schedule. Legacy SSE encodings only: there are CPUs with
;           SHA instructions and without AVX.
; Bound     20 dependent sha1rnds4 and one paddd a block: 6 cycles each on most
;           CPUs, 121 in all. Everything else fits in their shadow.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  state       rsi  data        rdx  end of data

%include "abi.inc"

%define abcd    xmm0                            ; a in the highest lane
%define e0      xmm1                            ; e in the highest lane
%define e1      xmm2
%define w0      xmm3                            ; four words each, W[t] highest
%define w1      xmm4
%define w2      xmm5
%define w3      xmm6
%define swap    xmm7                            ; reverses 16 bytes
%define abcd_in xmm8                            ; the state before this block
%define e_in    xmm9

; LOAD register, address: sixteen bytes, as two halves. A caller that has just put
; a block together stored words of eight, and a load of sixteen would wait until
; both are in the cache; these are forwarded.
%macro LOAD 2
        movq    %1, [%2]
        movhps  %1, [%2 + 8]
%endmacro

; FOUR_ROUNDS t: rounds t..t+3 with w0 = W[t..t+3]; w1..w3 are the words after
; it, of which three are in the making. Each gets what it needs of w0, no sooner,
; so that the schedule never competes with sha1rnds4. Then all names move on.
%macro FOUR_ROUNDS 1
        %if %1 == 0
        paddd   e0, w0
        %else
        sha1nexte e0, w0                        ; e + W[t..t+3]
        %endif
        movdqa  e1, abcd                        ; becomes e in four rounds
        sha1rnds4 abcd, e0, %1 / 20
        %if %1 >= 12 && %1 + 4 < 80
        sha1msg2 w1, w0                         ; W[t+4]: ^ W[t+1], rotated
        %endif
        %if %1 >= 4 && %1 + 12 < 80
        sha1msg1 w3, w0                         ; W[t+12] = W[t-4] ^ W[t-2]
        %endif
        %if %1 >= 8 && %1 + 8 < 80
        pxor    w2, w0                          ; W[t+8]: ^ W[t]
        %endif
        %xdefine FIRST w0
        %xdefine w0 w1
        %xdefine w1 w2
        %xdefine w2 w3
        %xdefine w3 FIRST
        %xdefine FIRST e0
        %xdefine e0 e1
        %xdefine e1 FIRST
%endmacro

KERNEL hk_sha1_shani
        shl     rdx, 6
        jz      .done
        add     rdx, rsi
        movdqa  swap, [reverse]
        movdqu  abcd, [rdi]
        pshufd  abcd, abcd, 0x1b                ; a b c d, from the top
        movd    e0, [rdi + 16]
        pslldq  e0, 12                          ; e 0 0 0

.next_block:
        movdqa  abcd_in, abcd
        movdqa  e_in, e0

        ; The message, big-endian, first word on top.
        LOAD    w0, rsi
        pshufb  w0, swap
        LOAD    w1, rsi + 16
        pshufb  w1, swap
        LOAD    w2, rsi + 32
        pshufb  w2, swap
        LOAD    w3, rsi + 48
        pshufb  w3, swap
        add     rsi, 64

        %assign T 0
        %rep    20
        FOUR_ROUNDS T
        %assign T T + 4
        %endrep

        sha1nexte e0, e_in
        paddd   abcd, abcd_in
        cmp     rsi, rdx
        jne     .next_block

        pshufd  abcd, abcd, 0x1b
        movdqu  [rdi], abcd
        pextrd  [rdi + 16], e0, 3
.done:  ret
ENDKERNEL

CONSTANTS
reverse:
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
