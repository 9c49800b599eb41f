; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sipabsorb_base - SipHash, whole words into the state, general registers
;
;   void hk_sipabsorb_base(uint64_t state[4], const uint8_t *data,
;                          size_t nwords, unsigned rounds);
;
; Needs     any i386 (486 instructions)
; Stack     56 bytes: four registers, v0, v2, places, a zero, rounds left
; Method    the rounds of a word but the last as a loop, for any number of them;
;           in the last one the next word enters beside v0
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

%define slot_address(n) [esp + 4 * (n)]
%define slot(n) dword slot_address(n)
%define ZERO    7                               ; the slots of the word after
%define LEFT    slot(9)                         ; the last, and rounds left
%define FRAME   40
%define STATE   [esp + FRAME + 16 + 4]
%define WORDS   [esp + FRAME + 16 + 8]
%define NWORDS  [esp + FRAME + 16 + 12]
%define ROUNDS  [esp + FRAME + 16 + 16]

KERNEL hk_sipabsorb_base
        PUSH    ebx, esi, edi, ebp
        ALLOC   FRAME
        mov     eax, NWORDS
        mov     ecx, WORDS
        test    eax, eax
        jz      .done
        lea     edx, [ecx + eax * 8]
        mov     NEXT, ecx
        mov     END, edx
        xor     eax, eax
        mov     slot(ZERO), eax
        mov     slot(ZERO + 1), eax

        ; The state, and the first word.
        mov     t, STATE
        MOV64   p, q, [t], [t + 4]
        MOV64   V0, p, q
        MOV64   v1l, v1h, [t + 8], [t + 12]
        MOV64   p, q, [t + 16], [t + 20]
        MOV64   v3l, v3h, [t + 24], [t + 28]
        mov     t, NEXT
        XOR64   v3l, v3h, [t], [t + 4]
        jmp     .advance

.next_word:
        mov     t, ROUNDS
        dec     t
        jz      .last_round
        mov     LEFT, t
.next_round:
        SIPROUND
        dec     LEFT
        jnz     .next_round
.last_round:
        SIPROUND last of the word
.advance:
        ADVANCE .next_word, ZERO, ZERO + 2

        mov     t, STATE
        MOV64   [t + 8], [t + 12], v1l, v1h
        MOV64   [t + 16], [t + 20], p, q
        MOV64   [t + 24], [t + 28], v3l, v3h
        MOV64   eax, edx, V0
        MOV64   [t], [t + 4], eax, edx
.done:  RELEASE FRAME
        POP     ebp, edi, esi, ebx
        ret
ENDKERNEL
