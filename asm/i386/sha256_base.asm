; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha256_base - SHA-256 block function in general registers
;
;   void hk_sha256_base(uint32_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     any i386 (486 instructions)
; Stack     120 bytes: four registers, a ring of sixteen words, the state, data,
;           end
; Method    One round after the other. W[t] is made just before its round and
;           stored in the ring. a, e and f are in registers, the rest of the
;           state is in memory. Some rotates are nested, which saves
;           instructions and takes longer.
; Bound     35 operations a scheduled round: 8.8 cycles on four ALUs (Zen 3), 6
;           to 7 on six (Zen 5)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   eax ebx ecx edx edi ebp   a, e, f and temporaries of a round, renamed
;   esi                       W[t]; data and state between

%define NO_ENDBR
%include "abi.inc"

%define RING    esp                             ; W[t] at 4 * (t mod 16)
%define STATE   esp + 64
%define DATA    esp + 96
%define END     esp + 100
%define FRAME   104
%include "sha256.inc"

%define word    esi
%define W(t)    [RING + 4 * ((t) % 16)]

; K_0, K_1, ...: the constants as signed numbers, which fit a displacement
%assign N 0
%macro K32 4
        %rep    4
        %assign K_%[N] %1 - (%1 >> 31 << 32)
        %assign N N + 1
        %rotate 1
        %endrep
%endmacro
%include "sha256_k.inc"

; HOME: the names of the registers before round 0
%macro HOME 0
        %define a       eax
        %define e       ebx
        %define x       ecx                     ; b ^ c
        %define f       edx
        %define t       edi                     ; becomes the next e
        %define s       ebp                     ; becomes the next x
%endmacro

; FROM_MEMORY: the registers that a block's rounds begin with
%macro FROM_MEMORY 0
        HOME
        mov     a, ma
        mov     e, me
        mov     x, mb
        xor     x, mc
        mov     f, mf
%endmacro

; ROUND: one round, with h + W[t] + K[t] in word
%macro ROUND 0
        mov     s, e
        mov     t, e
        ror     s, 11 - 6
        ror     t, 25
        xor     s, e
        ror     s, 6
        xor     s, t                            ; Sigma1
        xor     f, mg
        and     f, e
        xor     f, mg                           ; Ch = ((f ^ g) & e) ^ g
        add     f, word
        add     f, s                            ; T1
        mov     t, md
        add     t, f
        mov     md, t                           ; e'
        mov     s, a
        xor     s, mb                           ; the next b ^ c
        and     x, s
        xor     x, mb                           ; Maj = ((a ^ b) & (b ^ c)) ^ b
        add     x, f
        mov     f, a
        ror     f, 22 - 13
        xor     f, a
        ror     f, 13 - 2
        xor     f, a
        ror     f, 2                            ; Sigma0
        add     x, f
        mov     mh, x                           ; a'
        MOVE_WORDS
        %xdefine NEXT   a
        %xdefine a      x
        %xdefine x      s
        %xdefine s      NEXT
        %xdefine NEXT   f
        %xdefine f      e
        %xdefine e      t
        %xdefine t      NEXT
%endmacro

; COMPLETE t: word = h + W[t] + K[t], ahead of its use: an address of three
; parts takes two cycles
%macro COMPLETE 1
        mov     t, mh
        lea     word, [word + t + K_%[%1]]
%endmacro

; READ t: word = W[t] from the message
%macro READ 1
        mov     word, [DATA]
        mov     word, [word + 4 * %1]
        bswap   word
        mov     W(%1), word
        COMPLETE %1
%endmacro

; SCHEDULE t: word = W[t] from the words before it
%macro SCHEDULE 1
        mov     t, W(%1 + 14)
        mov     s, t
        ror     s, 19 - 17
        mov     word, W(%1 + 1)
        xor     s, t
        shr     t, 10
        ror     s, 17
        xor     s, t                            ; sigma1(W[t-2])
        mov     t, word
        ror     t, 18 - 7
        add     s, W(%1)                        ;   + W[t-16]
        xor     t, word
        shr     word, 3
        ror     t, 7
        add     s, W(%1 + 9)                    ;   + W[t-7]
        xor     word, t                         ; sigma0(W[t-15])
        add     word, s
        %if %1 < 64 - 2
        mov     W(%1), word
        %endif
        COMPLETE %1
%endmacro

KERNEL hk_sha256_base
        mov     ecx, ARGUMENT(3)
        shl     ecx, 6
        jz      .nothing
        PUSH    ebx, esi, edi, ebp
        ALLOC   FRAME
        mov     edx, ARGUMENT(2)
        add     ecx, edx
        mov     [DATA], edx
        mov     [END], ecx
        mov     esi, ARGUMENT(1)
        LOAD_STATE
        FROM_MEMORY

.next_block:
        %assign T 0
        %rep    16
        READ    T
        ROUND
        %assign T T + 1
        %endrep
        %rep    48
        SCHEDULE T
        ROUND
        %assign T T + 1
        %endrep

        mov     esi, ARGUMENT(1)
        ADD_STATE
        FROM_MEMORY
        mov     esi, [DATA]
        add     esi, 64
        mov     [DATA], esi
        cmp     esi, [END]
        jne     .next_block

        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.nothing:
        ret
ENDKERNEL
