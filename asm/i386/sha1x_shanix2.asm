; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1x_shanix2 - SHA-1 of two messages with the SHA instructions
;
;   void hk_sha1x_shanix2(uint32_t *const state[2], const uint8_t *const data[2], size_t nblocks);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     216 bytes: three words, schedules, states, room to align
; Method    hk_sha1_shani on two messages, four rounds of each in turn, as many
;           as eight registers hold. The schedules lie on the stack, a ring of
;           sixteen words for each lane; registers hold only the words of the
;           last four rounds. Legacy SSE encodings only.
; Bound     Two chains of 20 sha1nexte and sha1rnds4: 120 cycles for two blocks,
;           0.94 a byte, where the other SHA instructions fit in between, as on
;           AMD's CPUs. Intel's take 1.8.
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax  ring         ecx, edx  data of the lanes
;   ebx  blocks left  esi       the constant, at entry and exit state

%include "abi.inc"
%include "x86_sha1ni_lanes.inc"

; Of each lane: a, and e, in the highest of four words, and W[t-4..t-1], the
; last one highest.
%define abcd_0  xmm0
%define abcd_1  xmm1
%define home_0  xmm2
%define home_1  xmm3
%define e_0     home_0
%define e_1     home_1
%define last_0  xmm4
%define last_1  xmm5
%define w       xmm6                            ; W[t..t+3] of one lane
%define e_next  xmm7
%define ring    eax
%define data_0  ecx
%define data_1  edx
%define blocks  ebx
%define swap    [esi]                           ; reverses 16 bytes

; On the stack: the schedules, and the states before this block.
%define W(lane, t) ring + 64 * lane + 4 * ((t) & 15)
%define abcd_in(lane) ring + 128 + 32 * lane
%define e_in(lane) ring + 128 + 32 * lane + 16
%define FRAME   (192 + 12)

; LOAD_STATE lane
%macro LOAD_STATE 1
        mov     esi, ARGUMENT(1)
        mov     esi, [esi + 4 * %1]
        movdqu  abcd_%1, [esi]
        pshufd  abcd_%1, abcd_%1, 0x1b          ; a b c d, from the top
        movd    e_%1, [esi + 16]
        pslldq  e_%1, 12                        ; e 0 0 0
%endmacro

; STORE_STATE lane
%macro STORE_STATE 1
        mov     esi, ARGUMENT(1)
        mov     esi, [esi + 4 * %1]
        pshufd  abcd_%1, abcd_%1, 0x1b
        movdqu  [esi], abcd_%1
        pextrd  [esi + 16], e_%1, 3
%endmacro

; KEEP_STATE lane, ADD_STATE lane: before and after a block. Twenty times two
; steps leave e_0 in the register of e_1, and e_1 in that of e_next.
%macro KEEP_STATE 1
        movdqa  [abcd_in(%1)], abcd_%1
        movdqa  [e_in(%1)], e_%1
%endmacro
%macro ADD_STATE 1
        sha1nexte e_%1, [e_in(%1)]
        movdqa  home_%1, e_%1
        %xdefine e_%1 home_%1
        paddd   abcd_%1, [abcd_in(%1)]
        add     data_%1, 64
%endmacro

KERNEL hk_sha1x_shanix2
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
        LOAD_ADDRESS esi, reverse

.next_block:
        KEEP_STATE 0
        KEEP_STATE 1
        %assign T 0
        %rep    20
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
reverse:
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
