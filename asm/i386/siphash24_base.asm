; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_siphash24_base - SipHash-2-4 of a whole message, general registers
;
;   uint64_t hk_siphash24_base(const uint8_t key[16], const uint8_t *data,
;                              size_t length);
;
; Needs     any i386 (486 instructions)
; Stack     40 bytes: four registers, v0, last word, data, end
; Method    Aumasson and Bernstein 2012; three of the four words in registers,
;           rotates by 32 are renames, the last word is gathered from loads
;           inside the message, v0 is left out of the last half round
; Bound     28 instructions a round
; Origin    written from the paper; no code taken
;
; Registers
;   edx:eax  v1        ebx:ecx  v3       ebp:edi  v2 (or edi:ebp)
;   esi  scratch, and data between the rounds

%define NO_ENDBR
%include "abi.inc"
%include "siphash.inc"

KERNEL hk_siphash24_base
        SIPHASH 2, 4
ENDKERNEL
