; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_siphash24_base - SipHash-2-4 of a whole message
;
;   uint64_t hk_siphash24_base(const uint8_t key[16], const uint8_t *data,
;                               size_t length);
;
; Needs     any x86-64
; Stack     0 bytes
; Method    Aumasson and Bernstein 2012; the state stays in registers, the last
;           word is gathered from overlapping loads inside the message, and the
;           XOR of the next word is taken off the chain (SIPROUND_XOR)
; Bound     latency: 4 cycles a round, so 8 cycles for 8 bytes of long messages
;           and 24 for a message below 8 bytes
; Origin    written from the paper; no code taken
;
; Registers
;   rdi  key, then scratch     rsi  data       rdx  length, then scratch
;   rcx  bytes left            rax  last word, then the result
;   r8-r11  v0-v3

%include "abi.inc"
%include "siphash.inc"

KERNEL hk_siphash24_base
        SIPHASH 2, 4
ENDKERNEL

SIPHASH_CONSTANTS
