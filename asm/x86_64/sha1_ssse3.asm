; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_ssse3 - SHA-1 block function, vector message schedule
;
;   void hk_sha1_ssse3(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     SSSE3
; Stack     88 bytes
; Method    Four words of the schedule in one vector step, sixteen rounds ahead
;           of the scalar rounds that they are merged with (Locktyukhin, 2010);
;           from W[32] on by W[t] = rotl(W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32],
;           2), whose newest word is no part of the same step. The last rounds
;           of a block read the next block, or once more the last one.
; Bound     620 scalar operations, 155 cycles with four arithmetic units; the
;           chain through a, 160; some 960 issue slots, 160 with six.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  state       r8   data        r9   end of data    r10  next block
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi, r11              scratch
;   xmm0-7                W[t-32..t-1], four each, renamed
;   xmm8, xmm9            scratch         xmm10  byte swap

%include "abi.inc"
%include "stream.inc"

%define state   rdi
%define data    r8
%define end     r9
%define next    r10
%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define x       xmm8
%define y       xmm9
%define swap    xmm10
%define WORD(t) rsp + 4 * ((t) % 16)            ; W[t] + K
%define NEXT_WORD(t) WORD(t)
%define FRAME   64 + 8                          ; 16-byte aligned

%include "x86_sha1.inc"
%include "sha1_ssse3.inc"

; ADD_WORD t, sum: sum += W[t] + K
%macro ADD_WORD 2
        add     %2, [WORD(%1)]
%endmacro

KERNEL hk_sha1_ssse3
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp
        ALLOC   FRAME
        mov     data, rsi
        lea     end, [rsi + rdx]
        movdqa  swap, [reverse]
        LOAD_STATE state

        STREAM  words
        SCHEDULE_NAMES xmm
        mov     next, data
        %assign T 0
        %rep    4
        STEP    T
        %assign T T + 4
        %endrep
        DRAIN_ALL words

.next_block:
        ; The block to load for the next turn: this one again if it is the last.
        lea     r11, [data + 64]
        cmp     r11, end
        cmovne  next, r11

        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0
        %if T == 64
        SCHEDULE_NAMES xmm
        %endif
        %assign AHEAD (T + 16) % 80
        STEP    AHEAD
        %endif
        DRAIN_PART words, T % 4, 4
        ROUND   T
        %assign T T + 1
        %endrep
        DRAIN_ALL words

        ADD_STATE state
        cmp     data, next
        mov     data, next
        jne     .next_block

        RELEASE FRAME
        POP     rbp, rbx
.done:  ret
ENDKERNEL

CONSTANTS
constants:
        WORDS_DATA
