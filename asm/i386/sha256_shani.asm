; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_shani - SHA-256 block function with the SHA instructions
;
;   void hk_sha256_shani(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     32 bytes: the state before the block
; Method    As on x86-64, with the eight registers there are: the state that the
;           block is added to waits on the stack. Legacy SSE encodings only.
; Bound     32 dependent sha256rnds2 and one paddd a block: 4 cycles each on
;           most CPUs, 129 in all. Everything else fits in their shadow.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   ecx  data        edx  end of data        eax  constants, state at exit
;   xmm registers: as the block of names says

%include "abi.inc"

%define data    ecx
%define end     edx
%define k       eax
%define abef    xmm1                            ; a in the highest lane
%define cdgh    xmm2
%define w0      xmm3                            ; four words each, W[t] lowest
%define w1      xmm4
%define w2      xmm5
%define w3      xmm6
%define spare   xmm7
%define swap    [k + reverse - constants]
%define SAVED   esp                             ; abef, cdgh; 4-byte aligned
%define FRAME   32
%include "x86_sha256ni.inc"

KERNEL hk_sha256_shani
        mov     data, ARGUMENT(2)
        mov     end, ARGUMENT(3)
        shl     end, 6
        jz      .done
        mov     eax, ARGUMENT(1)
        LOAD_STATE eax
        LOAD_ADDRESS k, constants
        ALLOC   FRAME
        add     end, data

.next_block:
        movdqu  [SAVED], abef
        movdqu  [SAVED + 16], cdgh
        LOAD    w0, data
        LOAD    w1, data + 16
        LOAD    w2, data + 32
        LOAD    w3, data + 48
        add     data, 64

        ALL_ROUNDS

        movdqu  w0, [SAVED + 16]
        movdqu  w1, [SAVED]
        paddd   cdgh, w0
        paddd   abef, w1
        cmp     data, end
        jne     .next_block

        mov     eax, ARGUMENT(1)
        STORE_STATE eax
        RELEASE FRAME
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
