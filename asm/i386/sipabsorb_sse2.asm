; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sipabsorb_sse2 - SipHash, whole words into the state, in xmm registers
;
;   void hk_sipabsorb_sse2(uint64_t state[4], const uint8_t *data,
;                          size_t nwords, unsigned rounds);
;
; Needs     SSE2
; Stack     4 bytes: ebx
; Method    the rounds of a word as a loop, for any number of them
; Bound     latency: 6 cycles a round
; Origin    written from the paper; no code taken
;
; Registers
;   eax  state         ebx  rounds left of this word
;   ecx  data          edx  end of data
;   xmm0-3  v0-v3      xmm4  word         xmm5-6  scratch

%include "abi.inc"
%include "siphash_sse2.inc"

%define state   eax
%define data    ecx
%define end     edx
%define left    ebx

KERNEL hk_sipabsorb_sse2
        mov     end, [esp + 12]
        test    end, end
        jz      .nothing
        PUSH    ebx
        mov     state, [esp + 8]
        mov     data, [esp + 12]
        lea     end, [data + end * 8]
        movq    v0, [state]
        movq    v1, [state + 8]
        movq    v2, [state + 16]
        movq    v3, [state + 24]
.next_word:
        movq    word_, [data]
        add     data, 8
        mov     left, [esp + 20]
        pxor    v3, word_
.next_round:
        SIPROUND
        dec     left
        jnz     .next_round
        pxor    v0, word_
        cmp     data, end
        jne     .next_word
        movq    [state], v0
        movq    [state + 8], v1
        movq    [state + 16], v2
        movq    [state + 24], v3
        POP     ebx
.nothing:
        ret
ENDKERNEL
