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
%define WK      rsp                             ; W[t] + K at 4 * (t mod 16)
%define FRAME   64 + 8                          ; 16-byte aligned

%include "x86_sha1.inc"

; ADD_WORD t, sum: sum += W[t] + K
%macro ADD_WORD 2
        add     %2, [WK + 4 * (%1 % 16)]
%endmacro

; STEP t: records the making of W[t..t+3], in w0 (once W[t-32..]), and W + K
%macro STEP 1
        %if %1 < 16
        TO words, movdqu w0, [next + 4 * %1]
        TO words, pshufb w0, swap
        %elif %1 < 32
        TO words, movdqa w0, w5
        TO words, palignr w0, w4, 8             ; W[t-14..t-11]
        TO words, movdqa x, w7
        TO words, psrldq x, 4                   ; W[t-3..t-1], 0
        TO words, pxor w0, w4
        TO words, pxor x, w6
        TO words, pxor w0, x                    ; lacks W[t] in the last word
        TO words, pshufd y, w0, 0
        TO words, movdqa x, w0
        TO words, paddd w0, w0
        TO words, psrld x, 31
        TO words, psrlq y, 30                   ; rotl(w, 2) of the first word
        TO words, por w0, x
        TO words, pslldq y, 12
        TO words, pxor w0, y
        %else
        TO words, movdqa x, w7
        TO words, palignr x, w6, 8              ; W[t-6..t-3]
        TO words, pxor w0, w1
        TO words, pxor w0, w4
        TO words, pxor w0, x
        TO words, movdqa x, w0
        TO words, pslld w0, 2
        TO words, psrld x, 30
        TO words, por w0, x
        %endif
        TO words, movdqa y, [constants + 16 * (%1 / 20)]
        TO words, paddd y, w0
        TO words, movdqa [WK + 4 * (%1 % 16)], y
        SCHEDULE_NEXT
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
        times 4 dd K_CH
        times 4 dd K_PARITY1
        times 4 dd K_MAJ
        times 4 dd K_PARITY2
reverse:
        db      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
