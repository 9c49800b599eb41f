; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_shanix4 - SHA-256 of four messages with the SHA instructions
;
;   void hk_sha256x_shanix4(uint32_t *const state[4], const uint8_t *const data[4], size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     392 bytes
; Method    hk_sha256_shani on four messages, four rounds of each in turn. The
;           schedules lie on the stack, a ring of sixteen words for each lane;
;           registers hold only the words of the last four rounds. Legacy SSE
;           encodings only: there are CPUs with SHA instructions and without
;           AVX.
; Bound     A sha256rnds2 can start every 2 cycles on AMD's CPUs: 64 a block,
;           1.0 a byte. One chain of 32 takes 4 cycles each, so that two lanes
;           fill the unit as well, but have no slack: most of the time they are
;           in each other's way.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   rdi  states      rdx  blocks left   r8..r11  data of the lanes
;   rax  constants   rcx  scratch
;   rsi  data, at entry            xmm0..15  as the block of names says

%include "abi.inc"
%include "x86_sha256ni_lanes.inc"

%define wk      xmm0                            ; W + K, implied by sha256rnds2

; Of each lane: a and c in the highest of four words, and W[t-4..t-1], the last
; one highest.
%define abef_0  xmm1
%define abef_1  xmm2
%define abef_2  xmm3
%define abef_3  xmm4
%define cdgh_0  xmm5
%define cdgh_1  xmm6
%define cdgh_2  xmm7
%define cdgh_3  xmm8
%define last_0  xmm9
%define last_1  xmm10
%define last_2  xmm11
%define last_3  xmm12
%define w       xmm13                           ; W[t..t+3] of one lane
%define spare   xmm14
%define swap    xmm15                           ; reverses the bytes of words
%define k       rax
%define data_0  r8
%define data_1  r9
%define data_2  r10
%define data_3  r11

; On the stack: the schedules, and the states before this block.
%define W(lane, t) rsp + 64 * lane + 4 * ((t) & 15)
%define abef_in(lane) rsp + 256 + 32 * lane
%define cdgh_in(lane) rsp + 256 + 32 * lane + 16

; LOAD_STATE lane, STORE_STATE lane: from and to memory
%macro LOAD_STATE 1
        mov     rcx, [rdi + 8 * %1]
        movdqu  abef_%1, [rcx]
        movdqu  cdgh_%1, [rcx + 16]
        HALVES  abef_%1, cdgh_%1
%endmacro
%macro STORE_STATE 1
        mov     rcx, [rdi + 8 * %1]
        HALVES  cdgh_%1, abef_%1
        movdqu  [rcx], abef_%1
        movdqu  [rcx + 16], cdgh_%1
%endmacro

; EACH_LANE macro: for each lane
%macro EACH_LANE 1
        %assign LANE 0
        %rep    4
        %1      LANE
        %assign LANE LANE + 1
        %endrep
%endmacro

KERNEL hk_sha256x_shanix4
        test    rdx, rdx
        jz      .done
        ALLOC   392
        mov     data_0, [rsi]
        mov     data_1, [rsi + 8]
        mov     data_2, [rsi + 16]
        mov     data_3, [rsi + 24]
        lea     k, [constants]
        movdqa  swap, [reverse]
        EACH_LANE LOAD_STATE

.next_block:
        EACH_LANE KEEP_STATE
        %assign T 0
        %rep    16
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
%macro K32 4
        dd      %1, %2, %3, %4
%endmacro
constants:
%include "sha256_k.inc"
reverse:
        db      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
