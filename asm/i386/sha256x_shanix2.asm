; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256x_shanix2 - SHA-256 of two messages with the SHA instructions
;
;   void hk_sha256x_shanix2(uint32_t *const state[2], const uint8_t *const data[2], size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     216 bytes: three words, schedules, states, room to align
; Method    hk_sha256_shani on two messages, four rounds of each in turn:
;           eight registers hold no more. The schedules lie on the stack, a ring
;           of sixteen words for each lane; registers hold only the words of the
;           last four rounds. Legacy SSE encodings only.
; Bound     A sha256rnds2 can start every 2 cycles on AMD's CPUs: 64 a block,
;           1.0 a byte; every 3 on Intel's, 1.5 a byte.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax  ring         ecx, edx  data of the lanes
;   ebx  blocks left  esi       constants, at entry and exit state

%include "abi.inc"
%include "x86_sha256ni_lanes.inc"

%define wk      xmm0                            ; W + K, implied by sha256rnds2
%define spare   xmm0

; Of each lane: a and c in the highest of four words, and W[t-4..t-1], the last
; one highest.
%define abef_0  xmm1
%define abef_1  xmm2
%define cdgh_0  xmm3
%define cdgh_1  xmm4
%define last_0  xmm5
%define last_1  xmm6
%define w       xmm7                            ; W[t..t+3] of one lane
%define ring    eax
%define data_0  ecx
%define data_1  edx
%define blocks  ebx
%define k       esi
%define swap    [k + reverse - constants]

; On the stack: the schedules, and the states before this block.
%define W(lane, t) ring + 64 * lane + 4 * ((t) & 15)
%define abef_in(lane) ring + 128 + 32 * lane
%define cdgh_in(lane) ring + 128 + 32 * lane + 16
%define FRAME   (192 + 12)

; LOAD_STATE lane, STORE_STATE lane: from and to memory
%macro LOAD_STATE 1
        mov     esi, ARGUMENT(1)
        mov     esi, [esi + 4 * %1]
        movdqu  abef_%1, [esi]
        movdqu  cdgh_%1, [esi + 16]
        HALVES  abef_%1, cdgh_%1
%endmacro
%macro STORE_STATE 1
        mov     esi, ARGUMENT(1)
        mov     esi, [esi + 4 * %1]
        HALVES  cdgh_%1, abef_%1
        movdqu  [esi], abef_%1
        movdqu  [esi + 16], cdgh_%1
%endmacro

KERNEL hk_sha256x_shanix2
        mov     eax, ARGUMENT(3)
        test    eax, eax
        jz      .done
        PUSH    ebx, esi
        ALLOC   FRAME
        mov     blocks, eax
        mov     eax, ARGUMENT(2)
        mov     data_0, [eax]
        mov     data_1, [eax + 4]
        lea     ring, [esp + 12]
        and     ring, -16
        LOAD_STATE 0
        LOAD_STATE 1
        LOAD_ADDRESS k, constants

.next_block:
        KEEP_STATE 0
        KEEP_STATE 1
        %assign T 0
        %rep    16
        FOUR_ROUNDS 0
        FOUR_ROUNDS 1
        %assign T T + 4
        %endrep
        ADD_STATE 0
        ADD_STATE 1
        dec     blocks
        jnz     .next_block

        STORE_STATE 0
        STORE_STATE 1
        RELEASE FRAME
        POP     esi, ebx
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
