; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dc_base - SHA-1 with collision detection, rounds in general registers
;
;   size_t hk_sha1dc_base(uint32_t state[10], const uint8_t *data,
;                         size_t nblocks, uint32_t masks[]);
;
; Needs     any x86-64
; Stack     2600 bytes
; Method    The rounds of hk_sha1_base, but all words of a block are kept.
;           Behind the rounds, bits of the words go to planes, and for each
;           group of four blocks the conditions are evaluated side by side, both
;           with the vectors that every x86-64 has (sha1dc_group.inc).
; Bound     As hk_sha1_base; 240 more instructions a block, most of them in
;           other units, 40 cycles with six a cycle.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   rdi  slot                         esi  scratch
;   eax ebx ecx edx ebp  a..e, renamed by each round, never moved
;   r8d-r15d             W[t-8..t-1]; behind the rounds
;   r8   data        r9   end of data    r10  record      r11  lane
;   r12-r15              scratch, trials
;   xmm0-11              conditions

%include "abi.inc"
%include "stream.inc"

%define GROUP   4
%define VECTOR  16

%define slot    rdi
%define data    r8
%define END_OF_DATA r9
%define lane    r11
%define delta   r12
%define places  r13
%define start   r14
%define bits    r15d
%define bits_word r15w
%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define f64     rsi
%define v0      xmm0
%define v1      xmm1
%define v2      xmm2
%define v3      xmm3
%define v4      xmm4
%define v5      xmm5
%define v6      xmm6
%define v7      xmm7
%define v8      xmm8
%define v9      xmm9
%define v10     xmm10
%define v11     xmm11
%define part    xmm0

; The frame: a slot for each block has its words, then its record; and the
; record of the block that will follow.
%define SLOT    320 + RECORD_SIZE
%define RECORD_SIZE 64
%define FIRST_WORDS rsp
%define RECORD  (SLOT)
%define RECORDS FIRST_WORDS + 320
%define FRAME_GROUP FIRST_WORDS
%define RECORDS_SIZE GROUP * (SLOT) + SLOT
%define DATA    FRAME_GROUP + GROUP_SIZE        ; registers, while the rounds
%define END     DATA + 8                        ; have them
%define LANE    DATA + 16
%define FRAME   GROUP_SIZE + 32

%define PART(t) slot + 4 * (t)
%define K(t)    constants + 16 * ((t) / 20)
%define ONE_ROUND ROUND

%macro NEXT_SLOT 0
        add     slot, SLOT
%endmacro

; The 64-bit names of a..e: lea with them needs no prefix.
%define WIDE_eax rax
%define WIDE_ebx rbx
%define WIDE_ecx rcx
%define WIDE_edx rdx
%define WIDE_ebp rbp

%include "x86_sha1.inc"
%include "sha1dc_group.inc"

; ADD_WORD t, sum: makes W[t], then sum += W[t] + K. The data are found by a
; register that is about to be overwritten.
%macro ADD_WORD 2
        %ifdef TRIAL
        TRIAL_WORD add, %1, %2
        %else
        %assign AT_T    %1
        %assign NEW     8 + AT_T % 8            ; r8 + NEW: W[t-8], then W[t]
        %assign OLD     8 + (AT_T + 5) % 8      ; r8 + OLD: W[t-3]
        %if AT_T < 16
        mov     r%[NEW], [DATA]
        mov     r%[NEW]d, [r%[NEW] + 4 * AT_T]
        bswap   r%[NEW]d
        %else
        xor     r%[NEW]d, [slot + 4 * (AT_T - 16)]
        xor     r%[NEW]d, [slot + 4 * (AT_T - 14)]
        xor     r%[NEW]d, r%[OLD]d
        rol     r%[NEW]d, 1                     ; W[t-3], [t-8], [t-14], [t-16]
        %endif
        mov     [slot + 4 * AT_T], r%[NEW]d
        %if AT_T < 20
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_CH]
        %elif AT_T < 40
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_PARITY1]
        %elif AT_T < 60
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_MAJ - (1 << 32)]
        %else
        lea     %2, [WIDE_%[%2] + r%[NEW] + K_PARITY2 - (1 << 32)]
        %endif
        %endif
%endmacro

; STORE_KEPT: the candidates of blocks 0 and 1 in v0, 2 and 3 in v4
%macro STORE_KEPT 0
        movdqa  [KEPT], v0
        movdqa  [KEPT + 16], v4
%endmacro

; COLLECT t: bits 0-7 of W[t..t+15] to v4, bits 24-31 to v0
%macro COLLECT 1
        %assign N 0
        %rep    4
        movdqu  v%[N], [slot + 4 * (%1 + 4 * N)]
        %assign M N + 4
        movdqa  v%[M], v%[N]
        pand    v%[M], [low_byte]
        psrld   v%[N], 24
        %assign N N + 1
        %endrep
        packssdw v4, v5
        packssdw v6, v7
        packuswb v4, v6
        packssdw v0, v1
        packssdw v2, v3
        packuswb v0, v2
%endmacro

KERNEL hk_sha1dc_base
        xor     eax, eax
        shl     rdx, 6
        jz      .done
        PUSH    rbx, rbp, r12, r13, r14, r15
        ALLOC   FRAME
        BEGIN_GROUPS
        mov     [DATA], data
        mov     [END], END_OF_DATA

.next_group:
        lea     slot, [FIRST_WORDS]
        lea     lane, [PLANES]
.next_block:
        mov     [LANE], lane
        %define record slot + 320
        ROUNDS_BEGIN
        %assign R 0
        %rep    80
        RECORDING_ROUND R
        %assign R R + 1
        %endrep
        ADD_STATE_TO record + IN, record + OUT

        ; The bits of 32 words to the planes.
        mov     lane, [LANE]
        STREAM  planes
        COLLECT 33
        EXTRACT v4, v0, 0, 16
        DRAIN_ALL planes
        COLLECT 49
        EXTRACT v4, v0, 2, 16
        DRAIN_ALL planes

        %define record r10
        mov     data, [DATA]
        mov     END_OF_DATA, [END]
        add     data, 64
        mov     [DATA], data
        add     slot, SLOT
        add     lane, 4
        cmp     data, END_OF_DATA
        je      .group
        lea     start, [FIRST_WORDS + GROUP * (SLOT)]
        cmp     slot, start
        jne     .next_block

.group: lea     record, [slot + 320]
        CONDITIONS
        cmp     qword [MASK], 0
        jne     .look
.no_more:
        cmp     data, END_OF_DATA
        je      .finish
        STORE_STATE RECORDS + IN
        jmp     .next_group

        END_GROUPS
ENDKERNEL

CONSTANTS
constants:
        times 4 dd K_CH
        times 4 dd K_PARITY1
        times 4 dd K_MAJ
        times 4 dd K_PARITY2
low_byte:
        times 4 dd 0xff
        GROUP_DATA
%include "sha1dc_k.inc"
