; SPDX-License-Identifier: MIT
; SPDX-FileCopyrightText: The hashkern authors
;
; hk_sha512_avx2 - SHA-512 block function, a and e in one vector
;
;   void hk_sha512_avx2(uint64_t state[8], const uint8_t *data, size_t nblocks);
;
; Needs     AVX2
; Stack     472 bytes
; Method    A vector holds e and a, in its lower and upper quadword, and the
;           rotates of Sigma1 and Sigma0 are one variable shift each way. a is
;           one round behind: its sum needs e, and so the two do not wait for
;           one another. With e[t] and a[t] before round t, a step makes
;
;             e[t+1] = e[t-3] + a[t-3] + K[t] + W[t]
;                        + Ch(e[t], e[t-1], e[t-2]) + Sigma1(e[t])
;             a[t]   = -a[t-4] + e[t]
;                        + Maj(a[t-1], a[t-2], a[t-3]) + Sigma0(a[t-1])
;
;           and -a is ~a + 1, where the 1 lies beside K + W. Maj(a, b, c) is
;           Ch(a ^ b, c, b). The schedule makes two words a step, 16 rounds
;           ahead.
; Bound     23 vector operations a step and 9 for the schedule, 8 cycles on four
;           units (Zen 3); a chain of five operations through both halves, 10
;           cycles where they take two each (Zen 5)
; Origin    written from FIPS 180-4; no code taken
;
; Registers
;   ecx  data        edx  end of data        eax  K[t] of the schedule
;   ebx  constants   edi  aligned frame      esi  turns left
;   xmm0-3   the pairs of the last four steps, renamed    xmm4-7  temporaries

%include "abi.inc"

%define data    ecx
%define end     edx
%define k       eax
%define p1      xmm0                            ; e[t], a[t-1]
%define p2      xmm1                            ; e[t-1], a[t-2]
%define p3      xmm2                            ; e[t-2], a[t-3]
%define p4      xmm3                            ; e[t-3], a[t-4]
%define v0      xmm4
%define v1      xmm5
%define v2      xmm6
%define v3      xmm7

%define RING    edi                             ; W, two words a row
%define SUMS    edi + 128                       ; K[t] + W[t] and 1, 16 rounds
%define STATE   edi + 384                       ; e b, f c, g d, h a
%define FRAME   448 + 12

%define CONSTANT(name)  [ebx + name - constants]
%define ROW(i)          [RING + ((i) & 7) * 16]
%define SUM(t)          [SUMS + ((t) & 15) * 16]

; STEP t: p4 becomes e[t+1], a[t], and all names move on.
%macro STEP 1
        vpxor   p4, p4, CONSTANT(upper)         ; e, ~a
        vpalignr v0, p1, p3, 8                  ; a[t-3], e[t]
        vpaddq  p4, p4, SUM(%1)
        vpand   v1, p2, CONSTANT(upper)
        vpaddq  p4, p4, v0
        vpxor   v0, p2, p3                      ; f ^ g, b ^ c
        vpxor   v1, v1, p1                      ; e, a ^ b
        vpand   v0, v0, v1
        vpblendd v1, p3, p2, 1100b              ; g, b
        vpxor   v0, v0, v1                      ; Ch, Maj
        vpaddq  p4, p4, v0
        vpsrlvq v0, p1, CONSTANT(right1)
        vpsllvq v1, p1, CONSTANT(left1)
        vpsrlvq v2, p1, CONSTANT(right2)
        vpxor   v0, v0, v1
        vpsllvq v3, p1, CONSTANT(left2)
        vpsrlvq v1, p1, CONSTANT(right3)
        vpxor   v2, v2, v3
        vpsllvq v3, p1, CONSTANT(left3)
        vpxor   v0, v0, v2
        vpxor   v1, v1, v3
        vpxor   v0, v0, v1                      ; Sigma1, Sigma0
        vpaddq  p4, p4, v0
        %xdefine NEXT   p4
        %xdefine p4     p3
        %xdefine p3     p2
        %xdefine p2     p1
        %xdefine p1     NEXT
%endmacro

; STORE_SUMS row: v0, two words of W + K, in their places
%macro STORE_SUMS 1
        vmovq   SUM(2 * (%1)), v0
        vmovhps SUM(2 * (%1) + 1), v0
%endmacro

; SCHEDULE row: W[t], W[t+1] take the place of W[t-16], W[t-15] in that row of
; the ring.
%macro SCHEDULE 1
        vmovdqa v0, ROW(%1 + 1)
        vpalignr v0, v0, ROW(%1), 8             ; W[t-15], W[t-14]
        vpsrlq  v1, v0, 1
        vpsllq  v2, v0, 63
        vpshufb v3, v0, CONSTANT(rotate8)
        vpxor   v1, v1, v2                      ; x >>> 1
        vpsrlq  v0, v0, 7
        vpxor   v1, v1, v3
        vpxor   v0, v0, v1                      ; sigma0
        vmovdqa v1, ROW(%1 + 5)
        vpalignr v1, v1, ROW(%1 + 4), 8         ; W[t-7], W[t-6]
        vpaddq  v0, v0, ROW(%1)
        vpaddq  v0, v0, v1
        vmovdqa v1, ROW(%1 + 7)                 ; x = W[t-2], W[t-1]
        vpsrlq  v2, v1, 19
        vpsllq  v3, v1, 45
        vpxor   v2, v2, v3                      ; x >>> 19
        vpsrlq  v3, v1, 61
        vpxor   v2, v2, v3
        vpsllq  v3, v1, 3
        vpsrlq  v1, v1, 6
        vpxor   v2, v2, v3                      ; ^ x >>> 61
        vpxor   v2, v2, v1                      ; sigma1
        vpaddq  v0, v0, v2
        vmovdqa ROW(%1), v0
        vpaddq  v0, v0, [k + (%1) * 16]
        STORE_SUMS %1
%endmacro

KERNEL hk_sha512_avx2
        mov     edx, ARGUMENT(3)
        shl     edx, 7
        jz      .nothing
        mov     data, ARGUMENT(2)
        mov     eax, ARGUMENT(1)
        PUSH    ebx, esi, edi
        LOAD_ADDRESS ebx, constants
        ALLOC   FRAME
        lea     edi, [esp + 12]
        and     edi, -16
        add     end, data

        ; The state, in pairs.
        %assign i 0
        %rep    4
        vmovq   xmm%[i], [eax + 32 + i * 8]
        vmovhps xmm%[i], xmm%[i], [eax + (i + 1) % 4 * 8]
        vmovdqa [STATE + i * 16], xmm%[i]
        %assign i i + 1
        %endrep

        ; The ones beside the sums.
        vmovdqa v0, CONSTANT(one)
        %assign T 0
        %rep    16
        vmovdqa SUM(T), v0
        %assign T T + 1
        %endrep

.next_block:
        lea     k, CONSTANT(constants)
        %assign row 0
        %rep    8
        vmovdqu v0, [data + row * 16]
        vpshufb v0, v0, CONSTANT(reverse)
        vmovdqa ROW(row), v0
        vpaddq  v0, v0, [k + row * 16]
        STORE_SUMS row
        %assign row row + 1
        %endrep
        add     data, 128

        ; Round 0 comes with a[0] as given.
        mov     esi, 4
.rounds_with_schedule:
        add     k, 128
        %assign T 0
        %rep    16
        STEP    T
        %if T == 0
        cmp     esi, 4
        jne     .in_mid_block
        vpblendd p1, p1, [STATE + 48], 1100b
.in_mid_block:
        %elif T % 2
        SCHEDULE T / 2
        %endif
        %assign T T + 1
        %endrep
        dec     esi
        jnz     .rounds_with_schedule

        %rep    16
        STEP    T
        %assign T T + 1
        %endrep

        ; a[80], and e[77], which lies where it will be.
        vmovdqa v3, p4
        vmovdqa ROW(0), v3
        STEP    T
        vpblendd p1, p1, ROW(0), 0011b

        ; The names p2, p3, p4, p1 are now the registers 0 to 3.
        %assign i 0
        %rep    4
        vpaddq  xmm%[i], xmm%[i], [STATE + i * 16]
        vmovdqa [STATE + i * 16], xmm%[i]
        %assign i i + 1
        %endrep
        %xdefine NEXT   p1
        %xdefine p1     p2
        %xdefine p2     p3
        %xdefine p3     p4
        %xdefine p4     NEXT
        cmp     data, end
        jne     .next_block

        mov     eax, ARGUMENT(1)
        %assign i 0
        %rep    4
        vmovq   [eax + 32 + i * 8], xmm%[i]
        vmovhps [eax + (i + 1) % 4 * 8], xmm%[i]
        %assign i i + 1
        %endrep
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
; the rotates of Sigma1 and Sigma0, each as a shift to the right and one to the
; left
right1: dq      14, 28
left1:  dq      64 - 14, 64 - 28
right2: dq      18, 34
left2:  dq      64 - 18, 64 - 34
right3: dq      41, 39
left3:  dq      64 - 41, 64 - 39
upper:  dq      0, -1
one:    dq      0, 1
reverse:
        db      7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8
rotate8:
        db      1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
