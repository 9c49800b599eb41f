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
; Bound     20 dependent sha1rnds4 and one paddd a block: 6 cycles each on AMD's
;           CPUs, 121 in all. Everything else fits in their shadow. On Intel's
;           (Golden Cove) they take 4, and the ports are full: 5 cycles for each
;           sha1rnds4 and sha1msg2 together, 3 for a sha1rnds4 alone, 1 for each
;           sha1msg1 and sha1nexte, some of it beside the others: about 115.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  state       rsi  data        rdx  end of data   rax  next block
;   xmm registers: as the block of names says

%include "abi.inc"
%include "x86_sha1ni.inc"

%define data    rsi
%define end     rdx
%define next    rax                             ; the block behind this one
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

; LOAD register, address: sixteen bytes, as two halves. A caller that has just
; put a block together stored words of eight, and a load of sixteen would wait
; until both are in the cache; these are forwarded.
%macro LOAD 2
        movq    %1, [%2]
        movhps  %1, [%2 + 8]
%endmacro

; NEXT_WORDS n: words 4n..4n+3 of the next block, in the rounds of this one
%macro NEXT_WORDS 1
        movdqu  w0, [data + 16 * (%1)]
        pshufb  w0, swap
%endmacro

KERNEL hk_sha1_shani
        shl     end, 6
        jz      .done
        add     end, data
        movdqa  swap, [reverse]
        LOAD_STATE rdi

        ; The message, big-endian, first word on top.
        LOAD    w0, data
        pshufb  w0, swap
        LOAD    w1, data + 16
        pshufb  w1, swap
        LOAD    w2, data + 32
        pshufb  w2, swap
        LOAD    w3, data + 48
        pshufb  w3, swap

        ; The rounds of a block load the next one; those of the last, itself.
.next_block:
        movdqa  abcd_in, abcd
        movdqa  e_in, e0
        lea     next, [data + 64]
        cmp     next, end
        cmovne  data, next
        EIGHTY_ROUNDS
        sha1nexte e0, e_in
        paddd   abcd, abcd_in
        cmp     next, end
        jne     .next_block

        STORE_STATE rdi
.done:  ret
ENDKERNEL

CONSTANTS
reverse:
        REVERSE_SIXTEEN
