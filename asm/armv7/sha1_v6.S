/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_v6 - SHA-1 block function, ARM state, unrolled, words in pairs
 *
 *   void hk_sha1_v6(uint32_t state[5], const uint8_t *data, size_t nblocks);
 *
 * Needs     V6
 * Stack     112 bytes: the ring of 16 words, two pointers, saved registers
 * Method    all rotations ride on other instructions (sha1.inc). Each message
 *           word is one LDR, unaligned if it must be; each W[t] is stored to
 *           the ring once, as soon as it exists, two words with one STRD, and
 *           comes back with LDRD, issued well ahead of its use
 * Bound     540 operations for the rounds, 192 exclusive ors, 160 loads and
 *           stores: 450 cycles where two instructions start in one cycle
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r5   three pairs of words: before last, last, next
 *   r6, r7  a pair of the ring on its way; r7 also data
 *   r8-r12  a..e, renamed by the rounds, never moved
 *   lr      the round constant; then state
 */
        .arch   armv6
#include "abi.inc"
#include "sha1.inc"

w0      .req    r0
w1      .req    r1
w2      .req    r2
w3      .req    r3
w4      .req    r4
w5      .req    r5
y0      .req    r6
y1      .req    r7
data    .req    r7
va      .req    r8
vb      .req    r9
vc      .req    r10
vd      .req    r11
ve      .req    r12
k       .req    lr
state   .req    lr

#define FRAME           72
#define NEXT            64      /* in the frame: data of the next block, */
#define END             68      /* and the end of all data; */
#define STATE           72      /* state is the register saved lowest */

/* xor_pair s0, s1, back: n0 = W[.Lt + 2] and n1 take in the two words that lie
 * "back" places before them. */
        .macro  xor_pair n0, n1, s0, s1, back
        xor_back \n0, \s0, (.Lt + 2), \back
        xor_back \n1, \s1, (.Lt + 3), \back
        .endm

/* message_two: rounds .Lt and .Lt + 1 on the words q0 and q1, and beside them
 * the next two words of the message into n0, n1 and the ring; x is scratch. */
        .macro  message_two f, a, b, c, d, e, x, p1, q0, q1, n0, n1
        ldr     \n0, [data, #4 * (.Lt + 2)]
        ldr     \n1, [data, #4 * (.Lt + 3)]
        add     \e, k, \e, ror #2
        \f\()_1 \e, \b, \c, \d, \x
        add     \e, \e, \q0
        \f\()_2 \e, \b, \c, \d, \x
        rev     \n0, \n0
        add     \e, \e, \x
        add     \e, \e, \a, ror #27
        rev     \n1, \n1
        add     \d, k, \d, ror #2
        \f\()_1 \d, \a, \b, \c, \x
        strd    \n0, \n1, [sp, #RING(.Lt + 2)]
        add     \d, \d, \q1
        \f\()_2 \d, \a, \b, \c, \x
        add     \d, \d, \x
        add     \d, \d, \e, ror #27
        .endm

/* schedule_two: the same with the next two words of the schedule; p1 is the
 * word before q0. */
        .macro  schedule_two f, a, b, c, d, e, x, p1, q0, q1, n0, n1
        ldrd    \n0, \n1, [sp, #RING(.Lt + 2 - 16)]
        ldrd    y0, y1, [sp, #RING(.Lt + 2 - 14)]
        add     \e, k, \e, ror #2
        \f\()_1 \e, \b, \c, \d, \x
        add_rol \e, \q0, OWED(.Lt)
        \f\()_2 \e, \b, \c, \d, \x
        xor_pair \n0, \n1, y0, y1, 14
        ldrd    y0, y1, [sp, #RING(.Lt + 2 - 8)]
        add     \e, \e, \x
        add     \e, \e, \a, ror #27
        xor_pair \n0, \n1, \p1, \q0, 3
        add     \d, k, \d, ror #2
        \f\()_1 \d, \a, \b, \c, \x
        xor_pair \n0, \n1, y0, y1, 8
        add_rol \d, \q1, OWED(.Lt + 1)
        \f\()_2 \d, \a, \b, \c, \x
        strd    \n0, \n1, [sp, #RING(.Lt + 2)]
        add     \d, \d, \x
        add     \d, \d, \e, ror #27
        .endm

/* last_two: rounds .Lt and .Lt + 1 alone */
        .macro  last_two f, a, b, c, d, e, x, p1, q0, q1, n0, n1
        add     \e, k, \e, ror #2
        \f\()_1 \e, \b, \c, \d, \x
        add_rol \e, \q0, OWED(.Lt)
        \f\()_2 \e, \b, \c, \d, \x
        add     \e, \e, \a, ror #27
        add     \d, k, \d, ror #2
        add     \e, \e, \x
        \f\()_1 \d, \a, \b, \c, \x
        add_rol \d, \q1, OWED(.Lt + 1)
        \f\()_2 \d, \a, \b, \c, \x
        add     \d, \d, \x
        add     \d, \d, \e, ror #27
        .endm

/* pairs: n times two rounds with f. Of the pair before last, p0 is not needed
 * any more and serves as scratch. The names a..e move on by two places, the
 * pairs by one. */
        .macro  pairs n, f, a, b, c, d, e, p0, p1, q0, q1, n0, n1
        .if     \n
        .if     .Lt < 14
        message_two \f, \a, \b, \c, \d, \e, \p0, \p1, \q0, \q1, \n0, \n1
        .elseif .Lt < 78
        schedule_two \f, \a, \b, \c, \d, \e, \p0, \p1, \q0, \q1, \n0, \n1
        .else
        last_two \f, \a, \b, \c, \d, \e, \p0, \p1, \q0, \q1, \n0, \n1
        .endif
        .set    .Lt, .Lt + 2
        pairs   \n-1, \f, \d, \e, \a, \b, \c, \q0, \q1, \n0, \n1, \p0, \p1
        .endif
        .endm

        kernel  hk_sha1_v6, arm
        cmp     r2, #0
        bxeq    lr
        save    r0, r4, r5, r6, r7, r8, r9, r10, r11, lr
        alloc   FRAME
        add     y0, r1, r2, lsl #6
        mov     data, r1
        str     y0, [sp, #END]
        ldm     r0, {va, vb, vc, vd, ve}

.Lnext_block:
        @ c, d and e as they were before their rotation; the first two words.
        ldr     w2, [data]
        ldr     w3, [data, #4]
        add     y0, data, #64
        str     y0, [sp, #NEXT]
        mov     vc, vc, ror #30
        mov     vd, vd, ror #30
        mov     ve, ve, ror #30
        rev     w2, w2
        rev     w3, w3
        strd    w2, w3, [sp]

        .set    .Lt, 0
        constant k, K_0
        pairs   10, ch, va, vb, vc, vd, ve, w0, w1, w2, w3, w4, w5
        constant k, K_20
        pairs   10, parity, va, vb, vc, vd, ve, w2, w3, w4, w5, w0, w1
        constant k, K_40
        pairs   10, maj, va, vb, vc, vd, ve, w4, w5, w0, w1, w2, w3
        constant k, K_60
        pairs   10, parity, va, vb, vc, vd, ve, w0, w1, w2, w3, w4, w5

        @ The chaining value, section 6.1.2, step 4.
        ldr     state, [sp, #STATE]
        ldr     data, [sp, #NEXT]
        ldm     state, {w0, w1, w2, w3, w4}
        ldr     y0, [sp, #END]
        add     va, va, w0
        add     vb, vb, w1
        add     vc, w2, vc, ror #2
        add     vd, w3, vd, ror #2
        add     ve, w4, ve, ror #2
        stm     state, {va, vb, vc, vd, ve}
        cmp     data, y0
        bne     .Lnext_block

        release FRAME
        pop     {r0, r4, r5, r6, r7, r8, r9, r10, r11, pc}
        endkernel hk_sha1_v6
