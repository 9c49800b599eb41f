; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_siphash24_sse2 - SipHash-2-4 of a whole message, words in xmm registers
;
;   uint64_t hk_siphash24_sse2(const uint8_t key[16], const uint8_t *data,
;                              size_t length);
;
; Needs     SSE2
; Stack     4 bytes: the call that finds the constants
; Method    Aumasson and Bernstein 2012; rotates by 16 and 32 are shuffles, the
;           last word is gathered from overlapping loads inside the message, v0
;           is left out of the last half round
; Bound     latency: 6 operations deep a round, so 12 cycles for 8 bytes of long
;           messages
; Origin    written from the paper; no code taken
;
; Registers
;   eax  data          ecx  8 * length, then the end of whole words
;   edx  length        xmm0-3  v0-v3        xmm4  last word     xmm5-7  scratch

%include "abi.inc"
%include "siphash_sse2.inc"

KERNEL hk_siphash24_sse2
        SIPHASH 2, 4
ENDKERNEL

SIPHASH_CONSTANTS
