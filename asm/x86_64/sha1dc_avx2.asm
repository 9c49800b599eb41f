; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dc_avx2 - SHA-1 with collision detection, one schedule for two blocks
;
;   size_t hk_sha1dc_avx2(uint32_t state[10], const uint8_t *data,
;                          size_t nblocks, uint32_t masks[]);
;
; Needs     AVX2|BMI1|BMI2
; Stack     4136 bytes
; Method    The schedule and the rounds of hk_sha1_avx2. Bytes of the words are
;           collected as they are made; beside the rounds of the second block,
;           their bits go to planes, and for each group of eight blocks the
;           conditions are evaluated side by side (sha1dc_group.inc).
; Bound     As hk_sha1_avx2, 160 cycles; 90 more instructions a block: 840 issue
;           slots, 140 cycles with six. A trial takes about the time of a block.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   eax ebx ecx edx ebp esi edi r8d   a..e and scratch, renamed by each round
;   r9   slot        r10  data        r11, r12  the two blocks to read next
;   r13  lane        r14  record      r15  scratch; trials, with r11 and r12
;   ymm0-7   W[t-32..t-1], four each of both blocks, renamed by each step
;   ymm8, ymm9       scratch          ymm10     byte swap
;   ymm11-15         bytes of words; conditions

%include "abi.inc"
%include "stream.inc"

%define GROUP   8
%define VECTOR  32
%define VEX
%define WORDS_HAVE_K

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi                             ; scratch
%define f64     rsi
%define g       edi
%define h       r8d
%define slot    r9
%define data    r10
%define next    r11
%define next2   r12
%define lane    r13
%define lane_low r13d
%define record  r14
%define delta   r11
%define places  r12
%define start   r15
%define bits    r15d
%define bits_word r15w
%define x       ymm8
%define x_low   xmm8
%define y       ymm9
%define y_low   xmm9
%define swap    ymm10
%define early_1 ymm11
%define early_2 ymm12
%define early_3 ymm13
%define late_1  ymm14
%define late_1_low xmm14
%define late_3  ymm15
%define late_3_low xmm15
%define v0     ymm4
%define v1     ymm5
%define v2     ymm6
%define v3     ymm7
%define v4     ymm8
%define v5     ymm9
%define v6     ymm11
%define v7     ymm12
%define v8     ymm13
%define v9     ymm14
%define v10    ymm15
%define v11    ymm10
%define v0_low  xmm4
%define v4_low  xmm8
%define part    xmm8

; The frame: the words of the group, two blocks side by side, and the first
; sixteen of the two blocks after it.
%define PAIR    640
%define FIRST_WORDS rsp
%define FRAME_GROUP FIRST_WORDS + GROUP / 2 * PAIR + 128
%define END_OF_DATA [FRAME_GROUP + GROUP_SIZE]
%define FRAME   GROUP / 2 * PAIR + 128 + GROUP_SIZE + 16

%define WORDS(t) slot + 32 * ((t) / 4)
%define NEXT_WORDS(t) WORDS(t)                  ; until blocks are under way
%define PART(t) WORDS(t)
%define K(t)    constants + 32 * ((t) / 20)
%define ONE_ROUND ROUND_BMI

; NEXT_SLOT: from the even block of a pair to the odd one, or to the next pair;
; KEPT, and so the lanes there, are aligned
%macro NEXT_SLOT 0
        add     slot, 16
        test    lane_low, 8
        jz      %%odd
        add     slot, PAIR - 32
%%odd:
%endmacro

%include "x86_sha1.inc"
%include "sha1_avx2.inc"
%include "sha1dc_group.inc"

; STORE_KEPT: the candidates of blocks 0, 1, 4, 5 in v0 and 2, 3, 6, 7 in v4
%macro STORE_KEPT 0
        vmovdqu [KEPT], v0_low
        vmovdqu [KEPT + 16], v4_low
        vextracti128 [KEPT + 32], v0, 1
        vextracti128 [KEPT + 48], v4, 1
%endmacro

; ADD_WORD t, sum: sum += W[t] + K of the block that HALF names
%macro ADD_WORD 2
        %ifdef TRIAL
        TRIAL_WORD add, %1, %2
        %else
        add     %2, [WORDS(%1) + HALF + 4 * (%1 % 4)]
        %endif
%endmacro

; COLLECT_WORDS to: bytes 0, then bytes 3 of W[t-3..t], where w7 is W[t..t+3]
%macro COLLECT_WORDS 1
        TO words, vpalignr %1, w7, w6, 4
        TO words, vpshufb %1, %1, [bytes]
%endmacro

; COLLECT t: what is to be collected when w7 is W[t..t+3]. In the end, bits 0-7
; of W[33..48] are in early_1, bits 24-31 in early_3; of W[49..64], in late_1
; and late_3; of each of the two blocks in a half.
%macro COLLECT 1
        %if %1 == 36
        COLLECT_WORDS early_1
        %elif %1 == 44 || %1 == 60
        COLLECT_WORDS early_2
        %elif %1 == 52
        COLLECT_WORDS late_1
        %elif %1 == 40 || %1 == 48 || %1 == 56 || %1 == 64
        COLLECT_WORDS x
        %endif
        %if %1 == 40
        TO words, vpunpckldq early_1, early_1, x
        %elif %1 == 56
        TO words, vpunpckldq late_1, late_1, x
        %elif %1 == 48
        COLLECT_SIXTEEN early_1, early_3
        %elif %1 == 64
        COLLECT_SIXTEEN late_1, late_3
        %endif
%endmacro

; COLLECT_SIXTEEN low, high: of eight words in low, four in early_2, four in x
%macro COLLECT_SIXTEEN 2
        TO words, vpunpckldq early_2, early_2, x
        TO words, vpunpckhqdq %2, %1, early_2
        TO words, vpunpcklqdq %1, %1, early_2
%endmacro

; EXTRACT_BOTH: the halves of a register to one block, then its bits
%macro EXTRACT_BOTH 0
        TO planes, vinserti128 x, early_1, late_1_low, 1
        TO planes, vperm2i128 early_1, early_1, late_1, 0x31
        TO planes, vinserti128 y, early_3, late_3_low, 1
        TO planes, vperm2i128 early_3, early_3, late_3, 0x31
        EXTRACT x, y, 0, 32
        EXTRACT early_1, early_3, 4, 32
%endmacro

KERNEL hk_sha1dc_avx2
        xor     eax, eax
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp, r12, r13, r14, r15
        ALLOC   FRAME
        BEGIN_GROUPS
        vbroadcasti128 swap, [reverse]

        ; The first two blocks, or one twice.
        mov     next, data
        lea     next2, [data + 64]
        cmp     next2, END_OF_DATA
        cmove   next2, next
        STREAM  words
        SCHEDULE_NAMES ymm
        lea     slot, [FIRST_WORDS]
        %assign T 0
        %rep    4
        STEP    T
        %assign T T + 4
        %endrep
        DRAIN_ALL words
        %define NEXT_WORDS(t) slot + PAIR + 32 * ((t) / 4)

.next_group:
        lea     slot, [FIRST_WORDS]
        lea     record, [RECORDS]
        lea     lane, [PLANES]

        ; The first block of two; beside it, the schedule of both.
.next_blocks:
        %define HALF 0
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0 && T < 64
        %assign AHEAD T + 16
        STEP    AHEAD
        COLLECT AHEAD
        %endif
        DRAIN_PART words, T % 4, 4
        RECORDING_ROUND T
        %assign T T + 1
        %endrep
        ADD_STATE_TO record + IN, record + OUT
        add     record, RECORD
        lea     next2, [data + 64]
        cmp     next2, END_OF_DATA
        je      .alone

        ; The blocks to read for the next turn: these again if there are none,
        ; one of them twice if it is alone.
        lea     next, [data + 128]
        cmp     next, END_OF_DATA
        cmove   next, data
        lea     next2, [next + 64]
        cmp     next2, END_OF_DATA
        cmove   next2, next

        ; The second block; beside it, the bits of both.
        %define HALF 16
        SCHEDULE_NAMES ymm
        STREAM  planes
        EXTRACT_BOTH
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0 && T >= 64
        %assign AHEAD T - 64
        STEP    AHEAD
        %endif
        DRAIN_PART words, T % 4, 4
        DRAIN   planes, 1 + (T % 10 == 0)
        RECORDING_ROUND T
        %assign T T + 1
        %endrep
        DRAIN_ALL words
        ADD_STATE_TO record + IN, record + OUT
        add     record, RECORD
        add     slot, PAIR
        add     lane, 8
        add     data, 128
        cmp     data, END_OF_DATA
        je      .group
        lea     start, [RECORDS + GROUP * RECORD]
        cmp     record, start
        jne     .next_blocks

.group: CONDITIONS
        cmp     qword [MASK], 0
        jne     .look
.no_more:
        cmp     data, END_OF_DATA
        je      .finish

        ; On to the next group, whose first words are here already.
        %assign N 0
        %rep    4
        vmovdqu x, [FIRST_WORDS + GROUP / 2 * PAIR + N]
        vmovdqu [FIRST_WORDS + N], x
        %assign N N + 32
        %endrep
        STORE_STATE RECORDS + IN
        vbroadcasti128 swap, [reverse]
        jmp     .next_group

        ; A block without a second one; the lane of that will not count.
.alone: STREAM  planes
        EXTRACT_BOTH
        DRAIN_ALL planes
        add     lane, 4
        add     data, 64
        jmp     .group

        END_GROUPS
ENDKERNEL

CONSTANTS
constants:
        WORDS_DATA
bytes:  times 2 db 0, 4, 8, 12, 3, 7, 11, 15, 0x80, 0x80, 0x80, 0x80, \
                0x80, 0x80, 0x80, 0x80
        GROUP_DATA
%include "sha1dc_k.inc"
