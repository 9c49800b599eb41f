; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sipabsorb_base - SipHash, whole words into the state
;
;   void hk_sipabsorb_base(uint64_t state[4], const uint8_t *data,
;                          size_t nwords, unsigned rounds);
;
; Needs     any x86-64
; Stack     8 bytes: rbx
; Method    the rounds of a word as a loop, for any number of them; the last
;           one of each word takes in the next word beside its chain
; Bound     latency: 4 cycles a round
; Origin    written from the paper; no code taken
;
; Registers
;   rdi  state     rsi  data     rdx  end of data     ecx  rounds - 1
;   r8-r11  v0-v3  eax  rounds left of this word      rax, rbx  scratch

%include "abi.inc"
%include "siphash.inc"

%define state   rdi
%define data    rsi
%define nwords  rdx
%define end     rdx
%define rounds  ecx
%define left    eax
%define t       rax
%define u       rbx

KERNEL hk_sipabsorb_base
        test    nwords, nwords
        jz      .done
        PUSH    rbx
        lea     end, [data + nwords * 8]
        mov     v0, [state]
        mov     v1, [state + 8]
        mov     v2, [state + 16]
        mov     v3, [state + 24]
        dec     rounds

        ; Each word is in v3 when its rounds begin.
        xor     v3, [data]
.next_word:
        mov     left, rounds
        test    left, left
        jz      .last_round
.next_round:
        SIPROUND
        dec     left
        jnz     .next_round
.last_round:
        add     data, 8
        cmp     data, end
        je      .last_word
        SIPROUND_XOR [data], t, u
        xor     v0, [data - 8]
        jmp     .next_word

        ; No word follows the last.
.last_word:
        SIPROUND
        xor     v0, [data - 8]
        mov     [state], v0
        mov     [state + 8], v1
        mov     [state + 16], v2
        mov     [state + 24], v3
        POP     rbx
.done:  ret
ENDKERNEL
