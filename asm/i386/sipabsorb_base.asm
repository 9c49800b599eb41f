; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sipabsorb_base - SipHash, whole words into the state, general registers
;
;   void hk_sipabsorb_base(uint64_t state[4], const uint8_t *data,
;                          size_t nwords, unsigned rounds);
;
; Needs     any i386 (486 instructions)
; Stack     44 bytes: four registers, v0, data, end, rounds left
; Method    the rounds of a word as a loop, for any number of them, one at a
;           time and its halves then moved back to their places
; Bound     28 instructions a round, and 10 for the loop
; Origin    written from the paper; no code taken
;
; Registers
;   edx:eax  v1        ebx:ecx  v3       ebp:edi  v2
;   esi  scratch, and data between the rounds

%define NO_ENDBR
%include "abi.inc"
%include "siphash.inc"

%define slot(n) dword [esp + 4 * (n)]
%define LEFT    slot(6)
%define STATE   [esp + 28 + 16 + 4]
%define DATA_ARGUMENT [esp + 28 + 16 + 8]
%define NWORDS  [esp + 28 + 16 + 12]
%define ROUNDS  [esp + 28 + 16 + 16]

KERNEL hk_sipabsorb_base
        PUSH    ebx, esi, edi, ebp
        ALLOC   28
        HALVES_PLACED
        mov     eax, NWORDS
        mov     ecx, DATA_ARGUMENT
        test    eax, eax
        jz      .done
        lea     eax, [ecx + eax * 8]
        mov     DATA, ecx
        mov     END, eax

        ; The state.
        mov     t, STATE
        mov     eax, [t]
        mov     edx, [t + 4]
        mov     v0l, eax
        mov     v0h, edx
        mov     v1l, [t + 8]
        mov     v1h, [t + 12]
        mov     v2l, [t + 16]
        mov     v2h, [t + 20]
        mov     v3l, [t + 24]
        mov     v3h, [t + 28]
        mov     data, DATA

.next_word:
        XOR64   v3l, v3h, [data], [data + 4]
        mov     t, ROUNDS
        mov     LEFT, t
.next_round:
        SIPROUND
        UNSWAP
        dec     LEFT
        jnz     .next_round
        mov     data, DATA
        mov     data, [data]
        xor     v0l, data
        mov     data, DATA
        mov     data, [data + 4]
        xor     v0h, data
        mov     data, DATA
        add     data, 8
        mov     DATA, data
        cmp     data, END
        jne     .next_word

        mov     t, STATE
        mov     [t + 8], v1l
        mov     [t + 12], v1h
        mov     [t + 16], v2l
        mov     [t + 20], v2h
        mov     [t + 24], v3l
        mov     [t + 28], v3h
        mov     eax, v0l
        mov     edx, v0h
        mov     [t], eax
        mov     [t + 4], edx
.done:  RELEASE 28
        POP     ebp, edi, esi, ebx
        ret
ENDKERNEL
