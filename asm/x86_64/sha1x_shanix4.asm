; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1x_shanix4 - SHA-1 of four messages with the SHA instructions
;
;   void hk_sha1x_shanix4(uint32_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     392 bytes
; Method    hk_sha1_shani on four messages, four rounds of each in turn. The
;           schedules lie on the stack, a ring of sixteen words for each lane;
;           registers hold only the words of the last four rounds. Legacy SSE
;           encodings only: there are CPUs with SHA instructions and without
;           AVX.
; Bound     A sha1rnds4 can start every 2 cycles on AMD's CPUs: 40 a block, 0.63
;           a byte. One chain of 20 takes 6 cycles each, which leaves four lanes
;           a slack of a quarter; three lanes had none and were slower.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rdx  blocks left   r8..r11  data of the lanes
;   rax  scratch
;   rsi  data, at entry            xmm0..15  as the block of names says

%include "abi.inc"
%include "x86_sha1ni_lanes.inc"

; Of each lane: a, and e, in the highest of four words, and W[t-4..t-1], the
; last one highest.
%define abcd_0  xmm0
%define abcd_1  xmm1
%define abcd_2  xmm2
%define abcd_3  xmm3
%define e_0     xmm4
%define e_1     xmm5
%define e_2     xmm6
%define e_3     xmm7
%define last_0  xmm8
%define last_1  xmm9
%define last_2  xmm10
%define last_3  xmm11
%define w       xmm12                           ; W[t..t+3] of one lane
%define e_next  xmm13
%define swap    xmm14                           ; reverses 16 bytes
%define data_0  r8
%define data_1  r9
%define data_2  r10
%define data_3  r11

; On the stack: the schedules, and the states before this block.
%define W(lane, t) rsp + 64 * lane + 4 * ((t) & 15)
%define abcd_in(lane) rsp + 256 + 32 * lane
%define e_in(lane) rsp + 256 + 32 * lane + 16

; LOAD_STATE lane
%macro LOAD_STATE 1
        mov     rax, [rdi + 8 * %1]
        movdqu  abcd_%1, [rax]
        pshufd  abcd_%1, abcd_%1, 0x1b          ; a b c d, from the top
        movd    e_%1, [rax + 16]
        pslldq  e_%1, 12                        ; e 0 0 0
%endmacro

; STORE_STATE lane
%macro STORE_STATE 1
        mov     rax, [rdi + 8 * %1]
        pshufd  abcd_%1, abcd_%1, 0x1b
        movdqu  [rax], abcd_%1
        pextrd  [rax + 16], e_%1, 3
%endmacro

; EACH_LANE macro: for each lane
%macro EACH_LANE 1
        %assign LANE 0
        %rep    4
        %1      LANE
        %assign LANE LANE + 1
        %endrep
%endmacro

; KEEP_STATE lane, ADD_STATE lane: before and after a block
%macro KEEP_STATE 1
        movdqa  [abcd_in(%1)], abcd_%1
        movdqa  [e_in(%1)], e_%1
%endmacro
%macro ADD_STATE 1
        sha1nexte e_%1, [e_in(%1)]
        paddd   abcd_%1, [abcd_in(%1)]
        add     data_%1, 64
%endmacro

KERNEL hk_sha1x_shanix4
        test    rdx, rdx
        jz      .done
        ALLOC   392
        mov     data_0, [rsi]
        mov     data_1, [rsi + 8]
        mov     data_2, [rsi + 16]
        mov     data_3, [rsi + 24]
        movdqa  swap, [reverse]
        EACH_LANE LOAD_STATE

.next_block:
        EACH_LANE KEEP_STATE
        %assign T 0
        %rep    20
        EACH_LANE FOUR_ROUNDS
        %assign T T + 4
        %endrep
        EACH_LANE ADD_STATE
        dec     rdx
        jnz     .next_block

        EACH_LANE STORE_STATE
        RELEASE 392
.done:  ret
ENDKERNEL

CONSTANTS
reverse:
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
