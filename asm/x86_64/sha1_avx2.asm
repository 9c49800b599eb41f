; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_avx2 - SHA-1 block function, one vector schedule for two blocks
;
;   void hk_sha1_avx2(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     AVX2|BMI1|BMI2
; Stack     680 bytes
; Method    The halves of a ymm register belong to two blocks. Their schedule is
;           made once, merged with the scalar rounds of the first block, as in
;           hk_sha1_ssse3; the rounds of the second find it ready, and beside
;           them the next two blocks are read. A block that is alone is read
;           into both halves.
; Bound     The chain through a, 160 cycles; 620 scalar operations a block, 155
;           cycles with four arithmetic units; 790 issue slots a block, 198
;           cycles with four.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx ebp esi edi r8d   a..e and scratch, renamed by each round
;   r9   state       r10  data        r11, r12  the two blocks to read next
;   ymm0-7   W[t-32..t-1], four each of both blocks, renamed by each step
;   ymm8, ymm9       scratch          ymm10     byte swap

%include "abi.inc"
%include "stream.inc"

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi                             ; scratch
%define g       edi
%define h       r8d
%define state   r9
%define data    r10
%define next    r11
%define next2   r12
%define x       ymm8
%define x_low   xmm8
%define y       ymm9
%define y_low   xmm9
%define swap    ymm10
%define WORDS(t) rsp + 32 * ((t) / 4)           ; W[t..t+3] + K of two blocks
%define NEXT_WORDS(t) WORDS(t)
%define END     rsp + 640
%define FRAME   640 + 16

%include "x86_sha1.inc"
%include "sha1_avx2.inc"

; ADD_WORD t, sum: sum += W[t] + K of the block that HALF names
%macro ADD_WORD 2
        add     %2, [WORDS(%1) + HALF + 4 * (%1 % 4)]
%endmacro

; EIGHTY_ROUNDS half, from, to: one block; beside its rounds from..to-1, four at
; a time, the steps whose first word is STEP_FIRST and on
%macro EIGHTY_ROUNDS 3
        %define HALF %1
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0 && T >= %2 && T < %3
        STEP    STEP_FIRST
        %assign STEP_FIRST STEP_FIRST + 4
        %endif
        DRAIN_PART words, T % 4, 4
        ROUND_BMI T
        %assign T T + 1
        %endrep
        ADD_STATE state
%endmacro

KERNEL hk_sha1_avx2
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp, r12
        ALLOC   FRAME
        mov     state, rdi
        mov     data, rsi
        add     rsi, rdx
        mov     [END], rsi
        vbroadcasti128 swap, [reverse]

        ; The first two blocks, or one twice.
        mov     next, data
        lea     next2, [data + 64]
        cmp     next2, rsi
        cmove   next2, next
        STREAM  words
        SCHEDULE_NAMES ymm
        %assign T 0
        %rep    4
        STEP    T
        %assign T T + 4
        %endrep
        DRAIN_ALL words
        LOAD_STATE state

.next_blocks:
        %assign STEP_FIRST 16
        EIGHTY_ROUNDS 0, 0, 64
        lea     next2, [data + 64]
        cmp     next2, [END]
        je      .finish

        ; The blocks to read for the next turn: these again if there are none,
        ; one of them twice if it is alone.
        lea     next, [data + 128]
        cmp     next, [END]
        cmove   next, data
        lea     next2, [next + 64]
        cmp     next2, [END]
        cmove   next2, next
        SCHEDULE_NAMES ymm
        %assign STEP_FIRST 0
        EIGHTY_ROUNDS 16, 64, 80

        add     data, 128
        cmp     data, [END]
        jne     .next_blocks

.finish:
        vzeroupper
        RELEASE FRAME
        POP     r12, rbp, rbx
.done:  ret
ENDKERNEL

CONSTANTS
constants:
        WORDS_DATA
