; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_avx2 - SHA-1 block function, one vector schedule for two blocks
;
;   void hk_sha1_avx2(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     AVX2
; Stack     664 bytes
; Method    The halves of a ymm register belong to two blocks. Their schedule is
;           made once, merged with the scalar rounds of the first block, as in
;           hk_sha1_ssse3; the rounds of the second find it ready, and beside
;           them the next two blocks are read. Where there is no second block
;           its half repeats the first.
; Bound     620 scalar operations, 155 cycles with four arithmetic units; the
;           chain through a, 160.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  state       r8   data        r9   end of data
;   r10, r11              the two blocks to read next
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi                   scratch
;   ymm0-7                W[t-32..t-1], four each of both blocks, renamed
;   ymm8, ymm9            scratch         ymm10  byte swap

%include "abi.inc"
%include "stream.inc"

%define state   rdi
%define data    r8
%define end     r9
%define next    r10
%define next2   r11
%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define x       ymm8
%define y       ymm9
%define swap    ymm10
%define WK      rsp                             ; W + K, 80 words of two blocks
%define FRAME   640 + 8                         ; 16-byte aligned

%include "sha1.inc"

; ADD_WORD t, sum: sum += W[t] + K of the block that HALF names
%macro ADD_WORD 2
        add     %2, [WK + 32 * (%1 / 4) + HALF + 4 * (%1 % 4)]
%endmacro

; VECTOR_NAMES: the ring of words as a block finds it
%macro VECTOR_NAMES 0
        %assign N 0
        %rep    8
        %xdefine w%[N] ymm%[N]
        %assign N N + 1
        %endrep
%endmacro

; LOAD t: records reading words t..t+3 of both blocks into w0
%macro LOAD 1
        %assign N 0
        %rep    8
        %ifidn  w0, ymm%[N]
        TO words, vmovdqu xmm%[N], [next + 4 * %1]
        %endif
        %assign N N + 1
        %endrep
        TO words, vinserti128 w0, w0, [next2 + 4 * %1], 1
        TO words, vpshufb w0, w0, swap
%endmacro

; STEP t: records the making of W[t..t+3], in w0 (once W[t-32..]), and W + K
%macro STEP 1
        %if %1 < 16
        LOAD    %1
        %elif %1 < 32
        TO words, vpalignr w0, w5, w4, 8        ; W[t-14..t-11]
        TO words, vpsrldq x, w7, 4              ; W[t-3..t-1], 0
        TO words, vpxor w0, w0, w4
        TO words, vpxor x, x, w6
        TO words, vpxor w0, w0, x               ; lacks W[t] in the last word
        TO words, vpshufd y, w0, 0
        TO words, vpsrld x, w0, 31
        TO words, vpaddd w0, w0, w0
        TO words, vpsrlq y, y, 30               ; rotl(w, 2) of the first word
        TO words, vpor w0, w0, x
        TO words, vpslldq y, y, 12
        TO words, vpxor w0, w0, y
        %else
        TO words, vpalignr x, w7, w6, 8         ; W[t-6..t-3]
        TO words, vpxor w0, w0, w1
        TO words, vpxor w0, w0, w4
        TO words, vpxor w0, w0, x
        TO words, vpsrld x, w0, 30
        TO words, vpslld w0, w0, 2
        TO words, vpor w0, w0, x
        %endif
        TO words, vpaddd y, w0, [constants + 32 * (%1 / 20)]
        TO words, vmovdqu [WK + 8 * %1], y
        %xdefine FIRST w0
        %assign N 0
        %rep    7
        %assign M N + 1
        %xdefine w%[N] w%[M]
        %assign N M
        %endrep
        %xdefine w7 FIRST
%endmacro

KERNEL hk_sha1_avx2
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp
        ALLOC   FRAME
        mov     data, rsi
        lea     end, [rsi + rdx]
        vbroadcasti128 swap, [reverse]
        LOAD_STATE state

        STREAM  words
        VECTOR_NAMES
        mov     next, data
        lea     next2, [data + 64]
        cmp     next2, end
        cmove   next2, next
        %assign T 0
        %rep    4
        STEP    T
        %assign T T + 4
        %endrep
        DRAIN   words, 99

.next_blocks:
        ; The first block, and the rest of both schedules.
        %define HALF 0
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0 && T < 64
        %assign AHEAD T + 16
        STEP    AHEAD
        %assign LINES words_END - words_NEXT
        %endif
        DRAIN   words, LINES * (T % 4 + 1) / 4 - LINES * (T % 4) / 4
        ROUND   T
        %assign T T + 1
        %endrep
        ADD_STATE state
        lea     next2, [data + 64]
        cmp     next2, end
        je      .finish

        ; The blocks to load for the next turn: these again if there are none,
        ; one of them twice if it is alone.
        lea     next, [data + 128]
        cmp     next, end
        cmove   next, data
        lea     next2, [next + 64]
        cmp     next2, end
        cmove   next2, next

        ; The second block.
        %define HALF 16
        VECTOR_NAMES
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0 && T >= 64
        %assign AHEAD T - 64
        STEP    AHEAD
        %assign LINES words_END - words_NEXT
        %endif
        DRAIN   words, LINES * (T % 4 + 1) / 4 - LINES * (T % 4) / 4
        ROUND   T
        %assign T T + 1
        %endrep
        DRAIN   words, 99
        ADD_STATE state
        add     data, 128
        cmp     data, end
        jne     .next_blocks

.finish:
        vzeroupper
        RELEASE FRAME
        POP     rbp, rbx
.done:  ret
ENDKERNEL

CONSTANTS
constants:
        times 8 dd K_CH
        times 8 dd K_PARITY1
        times 8 dd K_MAJ
        times 8 dd K_PARITY2
reverse:
        db      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
