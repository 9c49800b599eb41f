; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512_sse2 - SHA-512 block function, one word of 64 bits in a register
;
;   void hk_sha512_sse2(uint64_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     SSE2
; Stack     408 bytes
; Method    The rounds use the lower halves of vector registers, which hold a
;           and e; the rest of the state is in memory. The schedule makes two
;           words a step, 16 rounds ahead, from a ring in memory.
; Bound     34 vector operations a round and 12 for the schedule, 12 cycles on
;           four units (Zen 3); a chain of six operations through e, 12 cycles
;           where they take two each (Zen 5)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   ecx  data        edx  end of data        eax  K[t] of the schedule
;   ebx  constants   edi  aligned frame      esi  turns left; state at the ends
;   xmm0-7   a, e and temporaries of a round, renamed

%include "abi.inc"

%define data    ecx
%define end     edx
%define k       eax
%define a       xmm0
%define e       xmm1
%define x       xmm2                            ; b ^ c
%define y       xmm3                            ; becomes the next x
%define u       xmm4                            ; becomes the next a
%define v0      xmm5
%define v1      xmm6
%define v2      xmm7

%define RING    edi                             ; W, two words a row
%define SUMS    edi + 128                       ; K + W of 16 rounds
%define STATE   edi + 256                       ; a..h, one word a row
%define FRAME   384 + 12

; Where each word of the state lies.
%define ma      [STATE]
%define mb      [STATE + 16]
%define mc      [STATE + 32]
%define md      [STATE + 48]
%define me      [STATE + 64]
%define mf      [STATE + 80]
%define mg      [STATE + 96]
%define mh      [STATE + 112]

%define ROW(i)  [RING + ((i) & 7) * 16]

; SUM_OF_ROTATES from, n1, n2, n3: v0 = from rotated by each, all three
; together. Uses up from.
%macro SUM_OF_ROTATES 4
        movdqa  v0, %1
        movdqa  v1, %1
        movdqa  v2, %1
        psrlq   v0, %2
        psllq   v1, 64 - %2
        psrlq   v2, %3
        pxor    v0, v1
        movdqa  v1, %1
        psllq   v1, 64 - %3
        pxor    v2, v1
        movdqa  v1, %1
        psrlq   v1, %4
        pxor    v0, v2
        psllq   %1, 64 - %4
        pxor    v1, %1
        pxor    v0, v1
%endmacro

; ROUND t: one round; a' takes the place of h in memory and e' that of d.
%macro ROUND 1
        movq    u, [SUMS + 8 * (%1)]            ; K + W
        movdqa  y, mf
        paddq   u, mh
        pxor    y, mg
        pand    y, e
        pxor    y, mg                           ; Ch = ((f ^ g) & e) ^ g
        paddq   u, y
        SUM_OF_ROTATES e, 14, 18, 41            ; Sigma1
        movdqa  e, md
        movdqa  y, a
        pxor    y, mb                           ; the next b ^ c
        paddq   u, v0                           ; T1
        pand    x, y
        paddq   e, u                            ; e'
        movdqa  md, e
        pxor    x, mb                           ; Maj = ((a ^ b) & (b ^ c)) ^ b
        paddq   u, x
        SUM_OF_ROTATES a, 28, 34, 39            ; Sigma0
        paddq   u, v0                           ; a'
        movdqa  mh, u
        %xdefine NEXT   mh
        %xdefine mh     mg
        %xdefine mg     mf
        %xdefine mf     me
        %xdefine me     md
        %xdefine md     mc
        %xdefine mc     mb
        %xdefine mb     ma
        %xdefine ma     NEXT
        %xdefine NEXT   a
        %xdefine a      u
        %xdefine u      NEXT
        %xdefine NEXT   x
        %xdefine x      y
        %xdefine y      NEXT
%endmacro

; SCHEDULE row: W[t], W[t+1] take the place of W[t-16], W[t-15] in that row of
; the ring. The shifts to one side are nested to save moves.
%macro SCHEDULE 1
        movdqa  y, ROW(%1)
        shufpd  y, ROW(%1 + 1), 1               ; x = W[t-15], W[t-14]
        movdqa  v0, y
        movdqa  v1, y
        psrlq   v0, 1
        psllq   v1, 7
        pxor    v0, y
        pxor    v1, y
        psrlq   v0, 6
        psllq   v1, 56                          ; x << 63 ^ x << 56
        pxor    v0, y
        movdqa  y, ROW(%1 + 4)
        psrlq   v0, 1                           ; x >> 1 ^ x >> 7 ^ x >> 8
        shufpd  y, ROW(%1 + 5), 1               ; W[t-7], W[t-6]
        pxor    v0, v1                          ; sigma0
        paddq   y, ROW(%1)
        paddq   y, v0
        movdqa  u, ROW(%1 + 7)                  ; x = W[t-2], W[t-1]
        movdqa  v0, u
        movdqa  v1, u
        psrlq   v0, 42
        psllq   v1, 42
        pxor    v0, u
        pxor    v1, u
        psrlq   v0, 13
        psllq   v1, 3                           ; x << 45 ^ x << 3
        pxor    v0, u
        psrlq   v0, 6                           ; x >> 61 ^ x >> 19 ^ x >> 6
        pxor    v0, v1                          ; sigma1
        paddq   y, v0
        movdqa  ROW(%1), y
        paddq   y, [k + (%1) * 16]
        movdqa  [SUMS + (%1) * 16], y
%endmacro

KERNEL hk_sha512_sse2
        mov     edx, ARGUMENT(3)
        shl     edx, 7
        jz      .nothing
        mov     data, ARGUMENT(2)
        PUSH    ebx, esi, edi
        LOAD_ADDRESS ebx, constants
        ALLOC   FRAME
        lea     edi, [esp + 12]
        and     edi, -16
        add     end, data
        mov     esi, ARGUMENT(1)
        %assign i 0
        %rep    8
        movq    v0, [esi + i * 8]
        movdqa  [STATE + i * 16], v0
        %assign i i + 1
        %endrep

.next_block:
        ; The first 16 words are the message itself.
        mov     k, ebx
        %assign row 0
        %rep    8
        movdqu  v0, [data + row * 16]
        movdqa  v1, v0
        psllw   v0, 8
        psrlw   v1, 8
        por     v0, v1                          ; bytes swapped in each quarter
        pshuflw v0, v0, 0x1b
        pshufhw v0, v0, 0x1b                    ; quarters of each word reversed
        movdqa  ROW(row), v0
        paddq   v0, [k + row * 16]
        movdqa  [SUMS + row * 16], v0
        %assign row row + 1
        %endrep
        add     data, 128
        movdqa  a, ma
        movdqa  e, me
        movdqa  x, mb
        pxor    x, mc

        ; All rounds but the last 16, beside the schedule of those 16 later.
        mov     esi, 4
.rounds_with_schedule:
        add     k, 128
        %assign T 0
        %rep    16
        ROUND   T
        %if T % 2
        SCHEDULE T / 2
        %endif
        %assign T T + 1
        %endrep
        dec     esi
        jnz     .rounds_with_schedule

        %assign T 0
        %rep    16
        ROUND   T
        %assign T T + 1
        %endrep

        mov     esi, ARGUMENT(1)
        %assign i 0
        %rep    8
        movq    v0, [esi + i * 8]
        paddq   v0, [STATE + i * 16]
        movq    [esi + i * 8], v0
        movdqa  [STATE + i * 16], v0
        %assign i i + 1
        %endrep
        cmp     data, end
        jne     .next_block

        RELEASE FRAME
        POP     edi, esi, ebx
.nothing:
        ret
ENDKERNEL

CONSTANTS
%macro K64 2
        dq      %1, %2
%endmacro
constants:
%include "sha512_k.inc"
