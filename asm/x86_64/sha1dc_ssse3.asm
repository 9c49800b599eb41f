; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dc_ssse3 - SHA-1 with collision detection, vector message schedule
;
;   size_t hk_sha1dc_ssse3(uint32_t state[10], const uint8_t *data,
;                          size_t nblocks, uint32_t masks[]);
;
; Needs     SSSE3
; Stack     2312 bytes
; Method    The schedule and the rounds of hk_sha1_ssse3. Bytes of the words are
;           collected as they are made; beside the last rounds, their bits go to
;           planes, and for each group of four blocks the conditions are
;           evaluated side by side (sha1dc_group.inc).
; Bound     As hk_sha1_ssse3, 160 cycles; 110 more instructions a block to
;           collect and extract, 75 for the conditions: 1150 issue slots, 192
;           cycles with six. A trial takes about the time of a block.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi, r11              scratch
;   rdi  slot        r8   data        r9   end of data    r10  next block
;   r12  record      r13  lane        r14, r15, r11       trials
;   xmm0-7                W[t-32..t-1], four each, renamed
;   xmm8, xmm9            scratch         xmm10  byte swap
;   xmm11-15              bytes of words; conditions

%include "abi.inc"
%include "stream.inc"

%define GROUP   4
%define VECTOR  16
%define WORDS_HAVE_K

%define slot    rdi
%define data    r8
%define end     r9
%define END_OF_DATA end
%define next    r10
%define record  r12
%define lane    r13
%define delta   r14
%define places  r15
%define start   r11
%define bits    r11d
%define bits_word r11w
%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define f64     rsi
%define x       xmm8
%define y       xmm9
%define swap    xmm10
%define early_1 xmm11
%define early_2 xmm12
%define early_3 xmm13
%define late_1  xmm14
%define late_3  xmm15
%define v0     xmm4
%define v1     xmm5
%define v2     xmm6
%define v3     xmm7
%define v4     xmm8
%define v5     xmm9
%define v6     xmm11
%define v7     xmm12
%define v8     xmm13
%define v9     xmm14
%define v10    xmm15
%define v11    xmm10
%define part    xmm8

; The frame: the words of the group, and the first sixteen of the block after
; it.
%define SLOT    320
%define FIRST_WORDS rsp
%define FRAME_GROUP FIRST_WORDS + GROUP * SLOT + 64
%define FRAME   GROUP * SLOT + 64 + GROUP_SIZE

%define WORD(t) slot + 4 * (t)
%define NEXT_WORD(t) WORD(t)                    ; until a block is under way
%define PART(t) slot + 4 * (t)
%define K(t)    constants + 16 * ((t) / 20)
%define ONE_ROUND ROUND

%macro NEXT_SLOT 0
        add     slot, SLOT
%endmacro

%include "x86_sha1.inc"
%include "sha1_ssse3.inc"
%include "sha1dc_group.inc"

; STORE_KEPT: the candidates of blocks 0 and 1 in v0, 2 and 3 in v4
%macro STORE_KEPT 0
        movdqa  [KEPT], v0
        movdqa  [KEPT + 16], v4
%endmacro

; ADD_WORD t, sum: sum += W[t] + K
%macro ADD_WORD 2
        %ifdef TRIAL
        TRIAL_WORD add, %1, %2
        %else
        add     %2, [WORD(%1)]
        %endif
%endmacro

; COLLECT_WORDS to: bytes 0, then bytes 3 of W[t-3..t], where w7 is W[t..t+3]
%macro COLLECT_WORDS 1
        TO words, movdqa %1, w7
        TO words, palignr %1, w6, 4
        TO words, pshufb %1, [bytes]
%endmacro

; COLLECT t: what is to be collected when w7 is W[t..t+3]. In the end, bits 0-7
; of W[33..48] are in early_1, bits 24-31 in early_3; of W[49..64], in late_1
; and late_3.
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
        TO words, punpckldq early_1, x
        %elif %1 == 56
        TO words, punpckldq late_1, x
        %elif %1 == 48
        COLLECT_SIXTEEN early_1, early_3
        %elif %1 == 64
        COLLECT_SIXTEEN late_1, late_3
        %endif
%endmacro

; COLLECT_SIXTEEN low, high: of eight words in low, four in early_2, four in x
%macro COLLECT_SIXTEEN 2
        TO words, punpckldq early_2, x
        TO words, movdqa %2, %1
        TO words, punpcklqdq %1, early_2
        TO words, punpckhqdq %2, early_2
%endmacro

KERNEL hk_sha1dc_ssse3
        xor     eax, eax
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp, r12, r13, r14, r15
        ALLOC   FRAME
        BEGIN_GROUPS
        movdqa  swap, [reverse]

        STREAM  words
        SCHEDULE_NAMES xmm
        mov     next, data
        lea     slot, [FIRST_WORDS]
        %assign T 0
        %rep    4
        STEP    T
        %assign T T + 4
        %endrep
        DRAIN_ALL words
        %define NEXT_WORD(t) slot + SLOT + 4 * (t)

.next_group:
        lea     slot, [FIRST_WORDS]
        lea     record, [RECORDS]
        lea     lane, [PLANES]
.next_block:
        ; The block to load for the next turn: this one again if it is the last.
        lea     r11, [data + 64]
        cmp     r11, end
        cmovne  next, r11

        STREAM  planes
        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        %if T % 4 == 0
        %if T == 64
        SCHEDULE_NAMES xmm
        %endif
        %assign AHEAD (T + 16) % 80
        STEP    AHEAD
        COLLECT AHEAD
        %endif
        DRAIN_PART words, T % 4, 4
        %if T == 36
        EXTRACT early_1, early_3, 0, 16
        %elif T == 52
        EXTRACT late_1, late_3, 2, 16
        %endif
        %if T >= 36
        DRAIN   planes, 1 + (T >= 52)
        %endif
        RECORDING_ROUND T
        %assign T T + 1
        %endrep
        DRAIN_ALL words
        DRAIN_ALL planes

        ADD_STATE_TO record + IN, record + OUT
        add     record, RECORD
        add     slot, SLOT
        add     lane, 4
        add     data, 64
        cmp     data, end
        je      .group
        lea     r11, [RECORDS + GROUP * RECORD]
        cmp     record, r11
        jne     .next_block

.group: CONDITIONS
        cmp     qword [MASK], 0
        jne     .look
.no_more:
        cmp     data, end
        je      .finish

        ; On to the next group, whose first words are here already.
        %assign N 0
        %rep    4
        movdqa  x, [FIRST_WORDS + GROUP * SLOT + N]
        movdqa  [FIRST_WORDS + N], x
        %assign N N + 16
        %endrep
        STORE_STATE RECORDS + IN
        movdqa  swap, [reverse]
        jmp     .next_group

        END_GROUPS
ENDKERNEL

CONSTANTS
constants:
        WORDS_DATA
bytes:  db      0, 4, 8, 12, 3, 7, 11, 15
        times 8 db 0x80
        GROUP_DATA
%include "sha1dc_k.inc"
