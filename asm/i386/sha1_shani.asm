; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_shani - SHA-1 block function with the SHA instructions
;
;   void hk_sha1_shani(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     32 bytes: the state before the block
; Method    As on x86-64, with the eight registers there are: the state that the
;           block is added to waits on the stack. Legacy SSE encodings only.
; Bound     20 dependent sha1rnds4 and one paddd a block: 6 cycles each on most
;           CPUs, 121 in all. Everything else fits in their shadow.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   ecx  data        edx  end of data        eax  state, at entry and exit
;   xmm registers: as the block of names says

%include "abi.inc"
%include "x86_sha1ni.inc"

%define data    ecx
%define end     edx
%define abcd    xmm0
%define e0      xmm1
%define e1      xmm2
%define w0      xmm3
%define w1      xmm4
%define w2      xmm5
%define w3      xmm6
%define swap    xmm7
%define SAVED   esp                             ; abcd, e; 4-byte aligned
%define FRAME   32

KERNEL hk_sha1_shani
        mov     data, ARGUMENT(2)
        mov     end, ARGUMENT(3)
        shl     end, 6
        jz      .done
        LOAD_ADDRESS eax, reverse
        movdqa  swap, [eax]
        mov     eax, ARGUMENT(1)
        ALLOC   FRAME
        add     end, data
        LOAD_STATE eax

.next_block:
        movdqu  [SAVED], abcd
        movdqu  [SAVED + 16], e0

        ; The message, big-endian, first word on top.
        movdqu  w0, [data]
        pshufb  w0, swap
        movdqu  w1, [data + 16]
        pshufb  w1, swap
        movdqu  w2, [data + 32]
        pshufb  w2, swap
        movdqu  w3, [data + 48]
        pshufb  w3, swap
        add     data, 64

        EIGHTY_ROUNDS

        movdqu  w0, [SAVED + 16]
        sha1nexte e0, w0
        movdqu  w1, [SAVED]
        paddd   abcd, w1
        cmp     data, end
        jne     .next_block

        STORE_STATE eax
        RELEASE FRAME
.done:  ret
ENDKERNEL

CONSTANTS
reverse:
        REVERSE_SIXTEEN
