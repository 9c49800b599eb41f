; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_siphash13_base - SipHash-1-3 of a whole message, general registers
;
;   uint64_t hk_siphash13_base(const uint8_t key[16], const uint8_t *data,
;                              size_t length);
;
; Needs     any i386 (486 instructions)
; Stack     60 bytes: four registers, v0, v2, places, last word, a zero
; Method    Aumasson and Bernstein 2012; v0 and v2 take turns in a pair of
;           registers, rotates by 32 are renames, the next word enters beside
;           v0, the last word is gathered from loads inside the message, v0 is
;           left out of the last half round
; Bound     10 cycles a round: two rotates in a row of two shld and an exclusive
;           or each, on one port; 36 instructions
; Origin    written from the paper; no code taken
;
; Registers
;   edx:eax  v1        ebx:ecx  v3       ebp:edi  v2 or v0
;   esi  scratch

%define NO_ENDBR
%include "abi.inc"
%include "siphash.inc"

KERNEL hk_siphash13_base
        SIPHASH 1, 3
ENDKERNEL
