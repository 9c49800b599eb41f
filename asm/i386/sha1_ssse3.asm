; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1_ssse3 - SHA-1 block function, vector message schedule
;
;   void hk_sha1_ssse3(uint32_t state[5], const uint8_t *data, size_t nblocks);
;
; Needs     SSSE3
; Stack     236 bytes: four registers, 208 at an aligned address among 220
; Method    As on x86-64: four words of the schedule in one vector step, sixteen
;           rounds ahead of the scalar rounds that it is merged with. Registers
;           hold the last sixteen words; W[t-28] and W[t-32] are operands in
;           memory. The stack may be aligned to four bytes only, so the frame
;           has a register of its own.
; Bound     620 scalar operations, 155 cycles with four arithmetic units; the
;           chain through a, 160; some 1000 issue slots, 167 with six.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi                   scratch
;   edi                   the frame
;   xmm0-3                W[t-16..t-1], four each, renamed with
;   xmm4                  W[t..t+3] in the making
;   xmm5, xmm6            scratch         xmm7   K

%include "abi.inc"
%include "stream.inc"

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi
%define W       edi                             ; W[t] at 4 * (t mod 32)
%define WORDS_KEPT 32
%define WK      edi + 128                       ; W[t] + K at 4 * (t mod 16)
%define DATA    edi + 192                       ; this block
%define NEXT    edi + 196                       ; the block to read next
%define END     edi + 200
%define TABLE   edi + 204                       ; address of the constants
%define FRAME   208 + 12

%include "x86_sha1.inc"
%include "sha1_ssse3.inc"

; ADD_WORD t, sum: sum += W[t] + K
%macro ADD_WORD 2
        add     %2, [WK + 4 * (%1 % 16)]
%endmacro

KERNEL hk_sha1_ssse3
        mov     eax, ARGUMENT(2)
        mov     edx, ARGUMENT(3)
        shl     edx, 6
        jz      .done
        PUSH    ebx, esi, edi, ebp
        LOAD_ADDRESS ecx, constants
        ALLOC   FRAME
        lea     edi, [esp + 12]
        and     edi, -16
        mov     [TABLE], ecx
        add     edx, eax
        mov     [END], edx
        mov     [DATA], eax
        mov     [NEXT], eax

        FIRST_WORDS
        mov     f, ARGUMENT(1)
        LOAD_STATE f

.next_block:
        ; The block to read for the next turn: this one again if it is the last.
        mov     f, [DATA]
        add     f, 64
        cmp     f, [END]
        cmove   f, [DATA]
        mov     [NEXT], f

        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        STEP_BESIDE T
        ROUND   T
        %assign T T + 1
        %endrep
        DRAIN_ALL words

        mov     f, ARGUMENT(1)
        ADD_STATE f
        mov     f, [NEXT]
        cmp     f, [DATA]
        mov     [DATA], f
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.done:  ret
ENDKERNEL

CONSTANTS
        SSSE3_DATA
