; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha1dc_shani - SHA-1 with collision detection, SHA instructions
;
;   size_t hk_sha1dc_shani(uint32_t state[10], const uint8_t *data,
;                          size_t nblocks, uint32_t masks[]);
;
; Needs     SHANI|AVX2|BMI2
; Stack     1608 bytes
; Method    SHA-1 waits for sha1rnds4; everything else is done in that time, by
;           streams of instructions merged with the rounds. Bytes of W[33..64]
;           are collected as the schedule makes them; then general registers,
;           which have nothing else to do, find the candidates: the vectors
;           whose bit conditions hold (sha1dc_mask.inc).
;           A candidate is tried from the end: the state at a step where both
;           blocks agree (a multiple of four for every vector), forward to step
;           80, gives the chaining value that the other block must have started
;           from, and from there the rounds must lead to that state again. That
;           is the time of one block, and it runs beside the next one; only
;           further candidates of the same block are tried on the spot.
;           128-bit vectors only: a ymm register would make the SHA instructions
;           wait for its upper half.
; Bound     20 dependent sha1rnds4 and one paddd a block: 6 cycles each on most
;           CPUs, 121 in all. Some 400 instructions, 470 with a trial beside:
;           67 and 79 cycles at six a cycle.
; Origin    written from FIPS 180-4 and Stevens and Shumow 2017; no code taken
;
; Registers
;   rsi  data        rdx  end of data    r8   slot
;   rax, rcx, rbx, rbp, rdi, r9-r11      conditions
;   xmm0-2   state             xmm3-6    W, four words each
;   r12  trying      r13  differences     r14  start     r15  constant
;   xmm7-11, xmm15  conditions      xmm12-14  state of a trial

%include "abi.inc"
%include "stream.inc"

%define data    rsi
%define end     rdx
%define slot    r8                              ; of this block
%define trying  r12                             ; of the block on trial
%define delta   r13                             ; differences of its twin
%define start   r14                             ; where the trial starts
%define constant r15

%define abcd    xmm0                            ; a in the highest lane
%define e0      xmm1                            ; e in the highest lane
%define e1      xmm2
%define w0      xmm3                            ; four words each, W[t] highest
%define w1      xmm4
%define w2      xmm5
%define w3      xmm6

%define low_e   xmm7
%define high_e  xmm8
%define low_l   xmm9
%define high_l  xmm10
%define hold    xmm10
%define spare   xmm11
%define plane   xmm15
%define p       ecx
%define q       edi
%define pair    eax
%define moved   ebp
%define broken_I0  ebx
%define broken_II0 r9d
%define broken_I2  r10d
%define broken_II2 r11d

%define twin    xmm12                           ; like abcd, e0 and e1
%define f0      xmm13
%define f1      xmm14

; A slot keeps what the trials of a block need.
%define IN      -128                            ; abcd and e before
%define OUT     -96                             ; and after
%define STATES  -64                             ; abcd before steps 56 and 60
%define A52     -32                             ; a before step 52
%define PLACES  -16                             ; its candidates
%define AFTER   -8                              ; end of its data
%define WORDS   0                               ; W[0..79]
%define WORDS_SIZE 320
%define SLOT    (128 + WORDS_SIZE)

; The frame. In longer calls, constants that every block needs are copied to it:
; at an unlucky address, their loads would seem to depend on stores to a slot.
%define SLOTS   3
%define FIRST_SLOT rsp + 128
%define NO_SLOT FIRST_SLOT + SLOTS * SLOT
%define START   rsp + SLOTS * SLOT            ; of a trial, if in no slot
%define COPIES  START + 32
%define BEGIN   COPIES + CONSTANTS_SIZE         ; the arguments data
%define STATE   BEGIN + 8                       ; and state
%define MASK    BEGIN + 16                      ; where the next mask goes, or 0
%define FRAME   SLOTS * SLOT + 32 + CONSTANTS_SIZE + 24

%define reverse constant
%define bytes   constant + 16
%define powers  constant + 32
%define CONSTANTS_SIZE 32 + 128
%define WORTH_COPYING  8                        ; blocks

%include "sha1dc_mask.inc"

%macro K32 4
%define K_PARITY2 %4
%endmacro
%include "sha1_k.inc"

; ---- rounds ------------------------------------------------------------------

; ROTATE_WORDS: the next four words are the first now
%macro ROTATE_WORDS 0
        %xdefine FIRST w0
        %xdefine w0 w1
        %xdefine w1 w2
        %xdefine w2 w3
        %xdefine w3 FIRST
%endmacro

; SCHEDULE t: makes W[t..t+3] in w3; w0 to w3 held the sixteen words before
%macro SCHEDULE 1
        %if %1 < 16
        vmovdqu w0, [data + 4 * %1]
        vpshufb w0, w0, [reverse]
        %else
        sha1msg1 w0, w1                         ; W[t-16] ^ W[t-14]
        pxor    w0, w2                          ;   ^ W[t-8]
        sha1msg2 w0, w3                         ;   ^ W[t-3], rotated
        %endif
        vmovdqa [slot + WORDS + 4 * %1], w0
        ROTATE_WORDS
        COLLECT %1
%endmacro

; FOUR_ROUNDS t: as in hk_sha1_shani; keeps the states that trials start from
%macro FOUR_ROUNDS 1
        %if %1 == 0
        vpaddd  e0, e0, [slot + WORDS]
        %else
        sha1nexte e0, [slot + WORDS + 4 * %1]   ; e + W[t..t+3]
        %endif
        %if %1 == 52
        vpextrd [slot + A52], abcd, 3
        %elif %1 == 56 || %1 == 60
        vmovdqa [slot + STATES + 4 * (%1 - 56)], abcd
        %endif
        movdqa  e1, abcd                        ; becomes e in four rounds
        sha1rnds4 abcd, e0, %1 / 20
        %xdefine FIRST e0
        %xdefine e0 e1
        %xdefine e1 FIRST
%endmacro

; ---- trials ------------------------------------------------------------------

; TWIN_ROUNDS t: records four rounds of the other block
%macro TWIN_ROUNDS 1
        TO trial, vmovdqa f1, [trying + WORDS + 4 * %1]
        TO trial, vpxor f1, f1, [delta + 4 * %1]
        %if %1 == 0
        TO trial, vpaddd f0, f0, f1
        %else
        TO trial, sha1nexte f0, f1
        %endif
        TO trial, vmovdqa f1, twin
        TO trial, sha1rnds4 twin, f0, %1 / 20
        %xdefine FIRST f0
        %xdefine f0 f1
        %xdefine f1 FIRST
%endmacro

; TRIAL: records all of it, from the state before step 60 at start + 16 and abcd
; four steps earlier at start, whose a is e now
%macro TRIAL 0
        TO trial, vmovdqa f0, [start]
        TO trial, vmovdqa twin, [start + 16]
        TWIN_ROUNDS 60
        TWIN_ROUNDS 64
        TWIN_ROUNDS 68
        TWIN_ROUNDS 72
        TWIN_ROUNDS 76

        ; From the chaining value after to the one before step 0.
        TO trial, vpxor f1, f1, f1
        TO trial, sha1nexte f0, f1
        TO trial, vmovdqa f1, [trying + OUT + 16]
        TO trial, vpsubd f0, f1, f0
        TO trial, vmovdqa f1, [trying + OUT]
        TO trial, vpsubd twin, f1, twin

        %assign T 0
        %rep    15
        TWIN_ROUNDS T
        %assign T T + 4
        %endrep
%endmacro

; TRIAL_SUCCEEDED: ZF if it ended in the state that it began with
%macro TRIAL_SUCCEEDED 0
        vpxor   f0, f0, [start]
        vpsrldq f0, f0, 12
        vpxor   twin, twin, [start + 16]
        vpor    twin, twin, f0
        vptest  twin, twin
%endmacro

; ---- one block ---------------------------------------------------------------

; BLOCK n: the rounds of one block; beside them its schedule, twice as fast, its
; candidates, in the end as places in rax, and n lines of a trial for every four
; rounds
%macro BLOCK 1
        %assign T 0
        %rep    4
        SCHEDULE T
        %assign T T + 4
        %endrep

        STREAM  conditions
        %assign T 0
        %rep    20
        FOUR_ROUNDS T
        %if T < 32
        %assign S 16 + 2 * T
        SCHEDULE S
        %assign S 20 + 2 * T
        SCHEDULE S
        %endif
        %if T == 16
        EARLY_CONDITIONS
        ; In three steps; the rest in ten, to round 76. Rounded up.
        %assign LINES (conditions_END + 2) / 3
        %elif T == 28
        LATE_CONDITIONS
        TO conditions, or broken_I0, broken_II0
        TO conditions, or broken_I2, broken_II2
        TO conditions, shl r10, 32
        TO conditions, lea rax, [rbx + r10]
        %assign LINES (conditions_END - conditions_NEXT + 9) / 10
        %endif
        %if T >= 16
        DRAIN   conditions, LINES
        %endif
        DRAIN   trial, %1
        %assign T T + 4
        %endrep
        add     data, 64

        sha1nexte e0, [slot + IN + 16]
        paddd   abcd, [slot + IN]
%endmacro

; TRIED: on to the next block that waits, if this one has no more candidates
%macro TRIED 0
        lea     rcx, [trying + SLOT]
        cmp     qword [trying + PLACES], 0
        cmove   trying, rcx
%endmacro

; WRITE_MASK: for a caller that wants masks, from places to numbers
%macro WRITE_MASK 0
        mov     rdi, [MASK]
        lea     rbp, [numbers]
        mov     rbx, rax
        xor     ecx, ecx
        test    rbx, rbx
        jz      %%write
%%next: bsf     r9, rbx
        btr     rbx, r9
        movzx   r9d, byte [rbp + r9]
        bts     ecx, r9d
        test    rbx, rbx
        jnz     %%next
%%write:
        mov     [rdi], ecx
        add     rdi, 4
        mov     [MASK], rdi
%endmacro

KERNEL hk_sha1dc_shani
        xor     eax, eax
        test    end, end
        jz      .done
        PUSH    rbx, rbp, r12, r13, r14, r15
        ALLOC   FRAME
        vzeroupper
        mov     [STATE], rdi
        mov     [BEGIN], data
        mov     [MASK], rcx
        lea     constant, [constants]
        cmp     end, WORTH_COPYING
        jb      .constants_ready
        %assign N 0
        %rep    (CONSTANTS_SIZE) / 16
        vmovdqa w0, [constant + N]
        vmovdqa [COPIES + N], w0
        %assign N N + 16
        %endrep
        lea     constant, [COPIES]
.constants_ready:
        shl     end, 6
        add     end, data

        ; The chaining value, and what is added at the end of the first block.
        lea     slot, [FIRST_SLOT]
        mov     trying, slot
        vmovdqu abcd, [rdi]
        vmovd   e0, [rdi + 16]
        vmovdqu w0, [rdi + 20]
        vmovd   w1, [rdi + 36]
        vpshufd abcd, abcd, 0x1b                ; a b c d, from the top
        vpslldq e0, e0, 12                      ; e 0 0 0
        vpshufd w0, w0, 0x1b
        vpslldq w1, w1, 12
        vmovdqa [slot + IN], w0
        vmovdqa [slot + IN + 16], w1
        jmp     .first_block

        ; Blocks without candidates take the short way round.
.next_block:
        vmovdqa [slot + IN], abcd
        vmovdqa [slot + IN + 16], e0
.first_block:
        STREAM  trial
        BLOCK   0
        cmp     qword [MASK], 0
        jne     .mask
.masked:
        test    rax, rax
        jnz     .keep
        cmp     data, end
        jne     .next_block
        jmp     .finish

        ; A block with candidates keeps its slot.
.keep:  vmovdqa [slot + OUT], abcd
        vmovdqa [slot + OUT + 16], e0
        mov     [slot + PLACES], rax
        mov     [slot + AFTER], data
        add     slot, SLOT

        ; The next candidate of the first block that waits, if one does.
.try:   cmp     trying, slot
        je      .all_tried
        mov     rax, [trying + PLACES]
        lea     rbp, [numbers]
        bsf     rdi, rax
        btr     rax, rdi
        mov     [trying + PLACES], rax
        movzx   edi, byte [rbp + rdi]
        movzx   ecx, byte [rbp + common_step - numbers + rdi]
        imul    edi, edi, WORDS_SIZE
        lea     delta, [rbp + differences - numbers + rdi]
        lea     start, [trying + STATES]
        cmp     ecx, 60
        jne     .common_elsewhere

        ; It is tried beside the next block, if one follows that has room,
.start: lea     rdi, [NO_SLOT]
        cmp     slot, rdi
        je      .alone
        cmp     data, end
        jne     .beside

        ; or on the spot.
.alone: STREAM  trial
        TRIAL
        DRAIN   trial, trial_END
        TRIAL_SUCCEEDED
        jz      .found
        TRIED
        jmp     .try

        ; A block with a trial beside.
.beside:
        vmovdqa [slot + IN], abcd
        vmovdqa [slot + IN + 16], e0
        STREAM  trial
        TRIAL
        BLOCK   5
        DRAIN   trial, trial_END
        TRIAL_SUCCEEDED
        jz      .found
        TRIED
        cmp     qword [MASK], 0
        jne     .mask_beside
.masked_beside:
        test    rax, rax
        jnz     .keep
        jmp     .try

.all_tried:
        lea     slot, [FIRST_SLOT]
        mov     trying, slot
        cmp     data, end
        jne     .next_block

.finish:
        vmovdqa w0, abcd
        vmovdqa w1, e0
        xor     eax, eax

        ; abcd and e0 go to the first half of the state, w0 and w1 to the other.
.store: mov     rdi, [STATE]
        vpshufd abcd, abcd, 0x1b
        vpshufd w0, w0, 0x1b
        vmovdqu [rdi], abcd
        vpextrd [rdi + 16], e0, 3
        vmovdqu [rdi + 20], w0
        vpextrd [rdi + 36], w1, 3
        REMEMBER
        RELEASE FRAME
        POP     r15, r14, r13, r12, rbp, rbx
.done:  ret
        RESTORED

        ; An attack. What waits or was hashed behind it does not count.
.found: mov     rax, [trying + AFTER]
        sub     rax, [BEGIN]
        shr     rax, 6
        vmovdqa abcd, [trying + OUT]
        vmovdqa e0, [trying + OUT + 16]
        vmovdqa w0, [trying + IN]
        vmovdqa w1, [trying + IN + 16]
        jmp     .store

        ; Seven vectors have their common state not at step 60, but at step ecx.
        ; The twin's state at step 60 follows from that: by four rounds,
.common_elsewhere:
        STREAM  trial
        cmp     ecx, 56
        jne     .common_later
        vmovd   f0, [trying + A52]
        vpslldq f0, f0, 12
        vmovdqa twin, [start]
        TWIN_ROUNDS 56
        DRAIN   trial, trial_END
        lea     start, [START]
        vmovdqa [start], f0
        vmovdqa [start + 16], twin
        jmp     .start

        ; or by rounds of this block to step 64 or 68, and then back,
.common_later:
        vmovdqa f0, [start]
        vmovdqa twin, [start + 16]
        mov     edi, 60
.round_on:
        sha1nexte f0, [trying + WORDS + rdi * 4]
        vmovdqa f1, twin
        sha1rnds4 twin, f0, 3
        vmovdqa f0, f1
        add     edi, 4
        cmp     edi, ecx
        jne     .round_on

        ; with a to e in general registers.
        vpextrd eax, twin, 3
        vpextrd ebx, twin, 2
        vpextrd ebp, twin, 1
        vmovd   r9d, twin
        vpextrd r10d, f0, 3
        rol     r10d, 30
.round_back:
        dec     ecx
        mov     edi, ecx
        xor     edi, 3                          ; W[t..t+3] lie in reverse order
        sub     eax, K_PARITY2
        mov     r11d, [trying + WORDS + rdi * 4]
        xor     r11d, [delta + rdi * 4]
        sub     eax, r11d
        rol     ebp, 2
        mov     edi, ebp
        xor     edi, r9d
        xor     edi, r10d
        sub     eax, edi
        rorx    edi, ebx, 27
        sub     eax, edi
        xchg    eax, ebx                        ; e to the end
        xchg    ebx, ebp
        xchg    ebp, r9d
        xchg    r9d, r10d
        cmp     ecx, 60
        jne     .round_back
        rol     r10d, 2
        vmovd   f0, r10d
        vpslldq f0, f0, 12
        lea     start, [START]
        vmovdqa [start], f0
        mov     [start + 16], r9d
        mov     [start + 20], ebp
        mov     [start + 24], ebx
        mov     [start + 28], eax
        jmp     .start

.mask:  WRITE_MASK
        jmp     .masked
.mask_beside:
        WRITE_MASK
        jmp     .masked_beside
ENDKERNEL

CONSTANTS
constants:
        db      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        CONDITIONS_DATA

numbers:
        NUMBERS_DATA

; The step at which both blocks of each vector have the same state.
common_step:
        times 2 db 56                           ; I(43,0), I(44,0)
        times 25 db 60
        times 4 db 64                           ; II(52,0) to II(55,0)
        db      68                              ; II(56,0)

; The difference of both blocks in W[0..79], for each vector.
        align   16, db 0
differences:
%unmacro K32 4
%macro K32 4
        %assign W%[N] %1
        %assign N N + 1
        %assign W%[N] %2
        %assign N N + 1
        %assign W%[N] %3
        %assign N N + 1
        %assign W%[N] %4
        %assign N N + 1
        %if N == 16
        EXPAND_DIFFERENCE
        %assign N 0
        %endif
%endmacro

%macro EXPAND_DIFFERENCE 0
        %rep    64
        %assign A N - 3
        %assign B N - 8
        %assign C N - 14
        %assign D N - 16
        %assign X W%[A] ^ W%[B] ^ W%[C] ^ W%[D]
        %assign W%[N] ((X << 1) | (X >> 31)) & 0xffffffff
        %assign N N + 1
        %endrep
        %assign N 0
        %rep    20
        %assign A N + 1
        %assign B N + 2
        %assign C N + 3
        dd      W%[C], W%[B], W%[A], W%[N]
        %assign N N + 4
        %endrep
%endmacro

        %assign N 0
%include "sha1dc_k.inc"
