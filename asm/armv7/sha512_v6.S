/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_v6 - SHA-512 block function, ARM state
 *
 *   void hk_sha512_v6(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     V6
 * Stack     376 bytes: 32 words of the schedule, a..h, four pointers, saved
 *           registers
 * Method    sha512.inc; pairs travel by LDRD and STRD, each message word is two
 *           LDR, unaligned if they must be
 * Bound     3520 operations for the rounds, 1860 for the schedule, 1150 loads
 *           and stores of pairs: 3400 cycles where two start in each
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r11  pairs: a and the new a, e, a ^ b and b ^ c, scratch
 *   r12     W + K of the round; then state, and where words go
 */
        .arch   armv6
#include "abi.inc"

al      .req    r0
ah      .req    r1
hl      .req    r2
hh      .req    r3
el      .req    r4
eh      .req    r5
ml      .req    r6
mh      .req    r7
xl      .req    r8
xh      .req    r9
yl      .req    r10
yh      .req    r11
p       .req    r12

#define FRAME           336
#include "sha512.inc"
#include "sha512_pairs.inc"

        kernel  hk_sha512_v6, arm
        cmp     r2, #0
        bxeq    lr
        save    r0, r4, r5, r6, r7, r8, r9, r10, r11, lr
        address r3, .Lconstants
        enter
        blocks  load_word
        pop     {r0, r4, r5, r6, r7, r8, r9, r10, r11, pc}
        endkernel hk_sha512_v6

        constants
.Lconstants:
#include "sha512_k.inc"
