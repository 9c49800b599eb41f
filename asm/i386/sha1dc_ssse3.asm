; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dc_ssse3 - SHA-1 with collision detection, vector message schedule
;
;   size_t hk_sha1dc_ssse3(uint32_t state[10], const uint8_t *data,
;                          size_t nblocks, uint32_t masks[]);
;
; Needs     SSSE3
; Stack     868 bytes: four registers, 840 in use among 852
; Method    rounds and schedule of hk_sha1_ssse3. The rounds need all general
;           registers, so the conditions (sha1dc.inc) follow behind them. A
;           candidate is tried on the spot from a step where both blocks have
;           the same state, to the end and then from the start to that step: it
;           must come to that state.
; Bound     the 1010 instructions of hk_sha1_ssse3 and 370 more; 230 cycles at
;           six a cycle
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   eax ebx ecx edx ebp   a..e, renamed by each round, never moved
;   esi                   scratch
;   edi                   the frame; in a trial, 4t
;   xmm0-7                as listed in sha1_ssse3.inc
;   eax ebx ecx edx esi ebp, xmm3, xmm5-7   conditions

%include "abi.inc"
%include "stream.inc"

%define a       eax
%define b       ebx
%define c       ecx
%define d       edx
%define e       ebp
%define f       esi

%define low_e   xmm3
%define low_l   xmm5
%define high_l  xmm6
%define plane   xmm7
%define p       eax
%define q       ebx
%define pair    ecx
%define moved   edx
%define sum_0   esi
%define sum_2   ebp

%define table   ebx                             ; of the vectors
%define suspects ebp
%define delta   edx                             ; differences of the other block

; The frame. What needs no alignment,
%define DATA    esp                             ; this block
%define NEXT    esp + 4                         ; the block to read next
%define END     esp + 8
%define TABLE   esp + 12                        ; address of the constants
%define MASK    esp + 16                        ; where the next mask goes, or 0
%define BROKEN_0 esp + 20
%define BROKEN_2 esp + 24
%define SUSPECTS esp + 28                       ; those not tried yet
%define COMMON_STEP esp + 32                    ; of a trial, and its state
%define START   esp + 36
%define STOP    esp + 40                        ; 4t where its rounds pause
%define STATES  esp + 44                        ; before rounds 55, 60, 65
%define TWIN    esp + 104                       ; W + K of the other block

; and what does.
%define WK      edi                             ; W[t] + K at 4 * (t mod 16)
%define W       edi + 64                        ; W[0..79]
%define WORDS_KEPT 80
%define bytes   edi + 384
%define high_e  [edi + 400]
%define FRAME   104 + 320 + 416 + 12

%include "x86_sha1.inc"
%include "sha1_ssse3.inc"
%include "sha1dc.inc"

; QUAD reg, t: records reg = W[t..t+3]
%macro QUAD 2
        TO conditions, movdqu %1, [W + 4 * (%2)]
%endmacro

; ADD_WORD t, sum: sum += W[t] + K
%macro ADD_WORD 2
        add     %2, [WK + 4 * (%1 % 16)]
%endmacro

; KEEPING t: a ROUND t; the state after it is a, and from before it, a..d
%macro KEEPING 1
        %assign AT (%1 - 54) * 4
        mov     [STATES + AT + 4], a
        mov     [STATES + AT + 8], b
        mov     [STATES + AT + 12], c
        mov     [STATES + AT + 16], d
        ROUND   %1
        mov     [STATES + AT], a
%endmacro

; FIVE_ROUNDS t, label, stopped, limit: five rounds at a time like round t, to
; the limit or to where the trial pauses
%macro FIVE_ROUNDS 4
%2:
        %assign N 0
        %rep    5
        add     e, [TWIN + edi + 4 * N]
        ADD_F   %1, e, b, c, d
        mov     f, a
        rol     f, 5
        add     e, f
        ror     b, 2
        %xdefine LAST e
        %xdefine e d
        %xdefine d c
        %xdefine c b
        %xdefine b a
        %xdefine a LAST
        %assign N N + 1
        %endrep
        add     edi, 20
        cmp     edi, [STOP]
        je      %3
        cmp     edi, 4 * (%4)
        jne     %2
%endmacro

KERNEL hk_sha1dc_ssse3
        xor     eax, eax
        mov     ecx, ARGUMENT(2)
        mov     edx, ARGUMENT(3)
        shl     edx, 6
        jz      .done
        PUSH    ebx, esi, edi, ebp
        LOAD_ADDRESS ebx, constants
        ALLOC   FRAME
        lea     edi, [esp + 104 + 320 + 12]
        and     edi, -16
        mov     [TABLE], ebx
        add     edx, ecx
        mov     [END], edx
        mov     [DATA], ecx
        mov     [NEXT], ecx
        mov     eax, ARGUMENT(4)
        mov     [MASK], eax
        movdqa  xmm0, [ebx + condition_bytes - constants]
        movdqa  [bytes], xmm0

        FIRST_WORDS
        mov     f, ARGUMENT(1)
        LOAD_STATE f

.next_block:
        ; The block to read for the next turn: this one again if it is the last.
        mov     f, [DATA]
        add     f, 64
        cmp     f, [END]
        cmove   f, [DATA]
        mov     [NEXT], f

        ROUNDS_BEGIN
        %assign T 0
        %rep    80
        STEP_BESIDE T
        %if T == 54 || T == 59 || T == 64
        KEEPING T
        %else
        ROUND   T
        %endif
        %assign T T + 1
        %endrep
        DRAIN_ALL words

        ; The second half of the state is added, for the first.
        mov     f, ARGUMENT(1)
        add     a, [f + 20]
        mov     [f], a
        add     b, [f + 24]
        mov     [f + 4], b
        add     c, [f + 28]
        mov     [f + 8], c
        add     d, [f + 32]
        mov     [f + 12], d
        add     e, [f + 36]
        mov     [f + 16], e

        ; The candidates of this block: most have none.
        STREAM  conditions
        CONDITIONS
        DRAIN_ALL conditions
        xor     suspects, -1
        jnz     .suspect
        cmp     dword [MASK], 0
        jne     .no_mask
.innocent:
        mov     f, [TABLE]
        movdqa  k, [f]
        mov     f, ARGUMENT(1)
        LOAD_STATE f
        mov     [f + 20], a
        mov     [f + 24], b
        mov     [f + 28], c
        mov     [f + 32], d
        mov     [f + 36], e
        mov     f, [NEXT]
        cmp     f, [DATA]
        mov     [DATA], f
        jne     .next_block
        xor     eax, eax

.leave: REMEMBER
        RELEASE FRAME
        POP     ebp, edi, esi, ebx
.done:  ret
        RESTORED

.no_mask:
        xor     edx, edx
        mov     ecx, [MASK]
        mov     [ecx], edx
        add     ecx, 4
        mov     [MASK], ecx
        jmp     .innocent

        ; Candidates: from places to the mask, for a caller that wants it.
.suspect:
        mov     table, [TABLE]
        add     table, vectors - constants
        mov     ecx, [MASK]
        test    ecx, ecx
        jz      .mask_written
        NAME_SUSPECTS
        mov     [ecx], edx
        add     ecx, 4
        mov     [MASK], ecx
.mask_written:

        ; W[0..15], which are those of the next block by now.
        mov     ecx, [DATA]
        %assign N 0
        %rep    4
        movdqu  x, [ecx + 16 * N]
        pshufb  x, [table + reverse - vectors]
        movdqa  [W + 16 * N], x
        %assign N N + 1
        %endrep

        ; Each vector: the words of the other block,
.each_vector:
        bsf     eax, suspects
        btr     suspects, eax
        mov     [SUSPECTS], suspects
        movzx   delta, word [table + 4 * eax + DIFFERENCE]
        movzx   eax, byte [table + 4 * eax + COMMON]
        add     delta, table
        %assign T 0
        %rep    20
        movdqu  x, [delta - 4 * T - 12]
        pshufd  x, x, 0x1b
        pxor    x, [W + 4 * T]
        paddd   x, [table + constants - vectors + 16 * (T / 20)]
        movdqu  [TWIN + 4 * T], x
        %assign T T + 4
        %endrep

        ; from the common state to the end,
        lea     f, [STATES + 4 * eax]
        sub     f, 4 * 55
        mov     [START], f
        lea     edi, [4 * eax]
        mov     [COMMON_STEP], edi
        mov     dword [STOP], 320
        LOAD_STATE f
        cmp     edi, 240
        jb      .maj
        jmp     .parity_2
.start:
        FIVE_ROUNDS 0, .ch, .stopped, 20
        FIVE_ROUNDS 20, .parity, .stopped, 40
        FIVE_ROUNDS 40, .maj, .stopped, 60
        FIVE_ROUNDS 60, .parity_2, .stopped, 80
.stopped:
        cmp     edi, 320
        jne     .compare

        ; from there to the chaining value before, and on to the common state.
        mov     f, ARGUMENT(1)
        neg     a
        add     a, [f]
        neg     b
        add     b, [f + 4]
        neg     c
        add     c, [f + 8]
        neg     d
        add     d, [f + 12]
        neg     e
        add     e, [f + 16]
        mov     edi, [COMMON_STEP]
        mov     [STOP], edi
        xor     edi, edi
        jmp     .start

.compare:
        mov     f, [START]
        xor     a, [f]
        xor     b, [f + 4]
        xor     c, [f + 8]
        xor     d, [f + 12]
        xor     e, [f + 16]
        or      a, b
        or      c, d
        or      a, e
        lea     edi, [esp + 104 + 320 + 12]
        and     edi, -16
        or      a, c
        jz      .found
        mov     table, [TABLE]
        add     table, vectors - constants
        mov     suspects, [SUSPECTS]
        test    suspects, suspects
        jnz     .each_vector

        ; None: the words of the next block return.
        movdqa  [W], w0
        movdqa  [W + 16], w1
        movdqa  [W + 32], w2
        movdqa  [W + 48], w3
        jmp     .innocent

        ; An attack: the second half of the state remains.
.found: mov     eax, [DATA]
        add     eax, 64
        sub     eax, ARGUMENT(2)
        shr     eax, 6
        jmp     .leave
ENDKERNEL

CONSTANTS
        SSSE3_DATA
condition_bytes:
        db      0, 4, 8, 12, 3, 7, 11, 15
        times 8 db 0x80

        VECTORS_DATA 55, 65, 65
