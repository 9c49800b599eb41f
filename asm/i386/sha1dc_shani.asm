; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dc_shani - SHA-1 with collision detection, SHA instructions
;
;   size_t hk_sha1dc_shani(uint32_t state[10], const uint8_t *data,
;                          size_t nblocks, uint32_t masks[]);
;
; Needs     SHANI|SSSE3|SSE41
; Stack     520 bytes: four registers, 492 at an aligned address among 504
; Method    SHA-1 waits for sha1rnds4; everything else is done in that time. The
;           schedule runs ahead of the rounds, twice as fast, to memory. In the
;           second half general registers, which have nothing else to do, find
;           the candidates: the vectors whose bit conditions hold (sha1dc.inc).
;           They are a stream of instructions merged with the rounds.
;           A candidate is tried on the spot: the state at a step where both
;           blocks agree (a multiple of four for every vector), forward to step
;           80, gives the chaining value that the other block must have started
;           from, and from there the rounds must lead to that state again. That
;           takes the time of one block, for one random block in twenty.
;           Legacy SSE encodings only.
; Bound     20 dependent sha1rnds4 and one paddd a block: 6 cycles each on most
;           CPUs, 121 in all, and 6 more for the trials. Some 470 instructions:
;           78 cycles at six a cycle.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   edi  frame       esp  arguments
;   eax, ebx, ecx, edx, esi, ebp   conditions; of a trial: names below
;   xmm0-2   state   xmm3-6  W, four words each   xmm3-7  conditions

%include "abi.inc"
%include "stream.inc"
%include "x86_sha1ni.inc"

%define abcd    xmm0                            ; a in the highest lane
%define e0      xmm1                            ; e in the highest lane
%define e1      xmm2
%define w0      xmm3                            ; four words each, W[t] highest
%define w1      xmm4
%define w2      xmm5
%define w3      xmm6

%define low_e   xmm3
%define high_e  xmm4
%define low_l   xmm5
%define high_l  xmm6
%define plane   xmm7
%define p       eax
%define q       ebx
%define pair    ecx
%define moved   edx
%define sum_0   esi
%define sum_2   ebp

%define twin    xmm3                            ; abcd and e of a trial
%define twin_e  xmm4
%define x       xmm5
%define table   ebx                             ; of the vectors
%define step    eax
%define start   ecx                             ; the state that it starts from
%define delta   edx                             ; differences of its twin
%define suspects ebp

; The frame, at an aligned address in the middle.
%define STATES  edi - 128                       ; abcd before steps 52 to 68
%define IN      edi - 48                        ; abcd and e before the block
%define BROKEN_0 edi - 16
%define BROKEN_2 edi - 12
%define MASK    edi - 8                         ; where the next mask goes, or 0
%define WORDS   edi                             ; W[0..79]
%define reverse edi + 320                       ; constants
%define bytes   edi + 336
%define DATA    edi + 352                       ; the next block
%define END     edi + 356
%define TABLE   edi + 360
%define FRAME   128 + 364 + 12

%include "sha1dc.inc"

; QUAD reg, t: records reg = W[t..t+3], t odd: three words and one, W[t] highest
%macro QUAD 2
        TO conditions, movdqa %1, [WORDS + 4 * (%2 - 1)]
        TO conditions, pblendw %1, [WORDS + 4 * (%2 + 3)], 0xc0
%endmacro

; ---- rounds ------------------------------------------------------------------

; SCHEDULE t: makes W[t..t+3] in w3; w0 to w3 held the sixteen words before
%macro SCHEDULE 1
        %if %1 < 16
        movdqu  w0, [eax + 4 * %1]
        pshufb  w0, [reverse]
        %else
        sha1msg1 w0, w1                         ; W[t-16] ^ W[t-14]
        pxor    w0, w2                          ;   ^ W[t-8]
        sha1msg2 w0, w3                         ;   ^ W[t-3], rotated
        %endif
        movdqa  [WORDS + 4 * %1], w0
        %xdefine FIRST w0
        %xdefine w0 w1
        %xdefine w1 w2
        %xdefine w2 w3
        %xdefine w3 FIRST
%endmacro

; STEP t: four rounds; keeps the states that trials start from
%macro STEP 1
        %if %1 >= 52 && %1 <= 68
        movdqa  [STATES + 4 * (%1 - 52)], abcd
        %endif
        %if %1 == 0
        paddd   e0, [WORDS]
        %else
        sha1nexte e0, [WORDS + 4 * %1]          ; e + W[t..t+3]
        %endif
        movdqa  e1, abcd                        ; becomes e in four rounds
        sha1rnds4 abcd, e0, %1 / 20
        %xdefine FIRST e0
        %xdefine e0 e1
        %xdefine e1 FIRST
%endmacro

; TWIN_STEP t: four rounds of the other block
%macro TWIN_STEP 1
        movdqu  x, [delta - 4 * %1 - 12]
        pxor    x, [WORDS + 4 * %1]
        %if %1 == 0
        paddd   twin_e, x
        %else
        sha1nexte twin_e, x
        %endif
        movdqa  x, twin
        sha1rnds4 twin, twin_e, %1 / 20
        movdqa  twin_e, x
%endmacro

KERNEL hk_sha1dc_shani
        xor     eax, eax
        mov     ecx, ARGUMENT(2)
        mov     edx, ARGUMENT(3)
        shl     edx, 6
        jz      .done
        PUSH    ebx, esi, edi, ebp
        LOAD_ADDRESS table, constants
        ALLOC   FRAME
        lea     edi, [esp + 128 + 12]
        and     edi, -16
        mov     [DATA], ecx
        add     edx, ecx
        mov     [END], edx
        movdqa  w0, [table]
        movdqa  [reverse], w0
        movdqa  w1, [table + 16]
        movdqa  [bytes], w1
        add     table, vectors - constants
        mov     [TABLE], table
        mov     eax, ARGUMENT(4)
        mov     [MASK], eax

        ; The chaining value, and what is added at the end of the first block.
        mov     eax, ARGUMENT(1)
        LOAD_STATE eax
        movdqu  w0, [eax + 20]
        movd    w1, [eax + 36]
        pshufd  w0, w0, 0x1b
        pslldq  w1, 12
        movdqa  [IN], w0
        movdqa  [IN + 16], w1
        jmp     .first_block

.next_block:
        movdqa  [IN], abcd
        movdqa  [IN + 16], e0
.first_block:
        mov     eax, [DATA]
        %assign T 0
        %rep    4
        SCHEDULE T
        %assign T T + 4
        %endrep
        add     eax, 64
        mov     [DATA], eax

        ; The rounds; beside them the rest of the schedule, first since it takes
        ; a port longest, then the conditions.
        STREAM  conditions
        %assign T 0
        %rep    20
        %if T < 32
        %assign S 16 + 2 * T
        SCHEDULE S
        %assign S 20 + 2 * T
        SCHEDULE S
        %endif
        STEP    T
        %if T >= 32
        %if T == 32
        CONDITIONS
        %endif
        DRAIN_PART conditions, (T - 32) / 4, 12
        %endif
        %assign T T + 4
        %endrep
        sha1nexte e0, [IN + 16]
        paddd   abcd, [IN]

        ; Most blocks have no candidates.
        xor     suspects, -1
        jnz     .suspect
        cmp     dword [MASK], 0
        jne     .no_mask
.resume:
        mov     eax, [DATA]
        cmp     eax, [END]
        jne     .next_block

        ; abcd and e0 go to the first half of the state, w0 and w1 to the other.
        movdqa  w0, abcd
        movdqa  w1, e0
        xor     eax, eax
.store: mov     ecx, ARGUMENT(1)
        STORE_STATE ecx
        pshufd  w0, w0, 0x1b
        movdqu  [ecx + 20], w0
        pextrd  [ecx + 36], w1, 3
        REMEMBER
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
        jmp     .resume

        ; Candidates: from places to the mask, for a caller that wants it.
.suspect:
        mov     table, [TABLE]
        mov     ecx, [MASK]
        test    ecx, ecx
        jz      .each_vector
        NAME_SUSPECTS
        mov     [ecx], edx
        add     ecx, 4
        mov     [MASK], ecx

        ; Each vector, from its common state to the end, then from the start to
        ; that state again.
.each_vector:
        bsf     eax, suspects
        btr     suspects, eax
        movzx   delta, word [table + 4 * eax + DIFFERENCE]
        movzx   step, byte [table + 4 * eax + COMMON]
        add     delta, table
        lea     start, [STATES + 4 * step - 4 * 56]
        movdqa  twin_e, [start]
        movdqa  twin, [start + 16]
        cmp     step, 60
        jb      .from_56
        je      .from_60
        cmp     step, 64
        je      .from_64
        jmp     .from_68
.from_0:
        %assign T 0
        %rep    14
        TWIN_STEP T
        %assign T T + 4
        %endrep
        cmp     step, 56
        je      .compare
.from_56:
        TWIN_STEP 56
        cmp     step, 60
        je      .compare
.from_60:
        TWIN_STEP 60
        cmp     step, 64
        je      .compare
.from_64:
        TWIN_STEP 64
        cmp     step, 68
        je      .compare
.from_68:
        TWIN_STEP 68
        TWIN_STEP 72
        TWIN_STEP 76

        ; From the chaining value after to the one before step 0.
        pxor    x, x
        sha1nexte twin_e, x
        movdqa  x, e0
        psubd   x, twin_e
        movdqa  twin_e, x
        movdqa  x, abcd
        psubd   x, twin
        movdqa  twin, x
        jmp     .from_0

.compare:
        pxor    twin_e, [start]
        psrldq  twin_e, 12                      ; e alone
        pxor    twin, [start + 16]
        por     twin, twin_e
        ptest   twin, twin
        jz      .found
        test    suspects, suspects
        jnz     .each_vector
        jmp     .resume

        ; An attack: the second half of the state remains.
.found: mov     eax, [DATA]
        sub     eax, ARGUMENT(2)
        shr     eax, 6
        movdqa  w0, [IN]
        movdqa  w1, [IN + 16]
        jmp     .store
ENDKERNEL

CONSTANTS
constants:
        REVERSE_SIXTEEN
        db      8, 4, 0, 12, 11, 7, 3, 15
        times 8 db 0x80

        VECTORS_DATA 56, 64, 68
