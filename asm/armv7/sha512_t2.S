/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_t2 - SHA-512 block function, Thumb-2
 *
 *   void hk_sha512_t2(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     T2
 * Stack     372 bytes: 32 words of the schedule, a..h, four pointers, saved
 *           registers
 * Method    sha512.inc; pairs travel by LDRD and STRD, each message word is two
 *           LDR, unaligned if they must be
 * Bound     3520 operations for the rounds, 1860 for the schedule, 1150 loads
 *           and stores of pairs
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r7, r8 and r10, r11 and r12   pairs: a and the new a, e, a ^ b and
 *           b ^ c, scratch
 *   lr      W + K of the round; then state, and where words go
 */
        .arch   armv7
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
xh      .req    r10
yl      .req    r11
yh      .req    r12
p       .req    lr

#define FRAME           336
#include "sha512.inc"
#include "sha512_pairs.inc"

        kernel  hk_sha512_t2, thumb
        cbnz    r2, .Lstart
        bx      lr
.Lstart:
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        address_t2 r3, .Lconstants
        enter
        blocks  load_word
        pop     {r0, r4, r5, r6, r7, r8, r10, r11, pc}
        endkernel hk_sha512_t2

        constants
.Lconstants:
#include "sha512_k.inc"
