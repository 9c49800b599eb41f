/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_v4 - SHA-512 block function, ARM state, byte loads
 *
 *   void hk_sha512_v4(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     A32
 * Stack     372 bytes: 32 words of the schedule, a..h, four pointers, saved
 *           registers
 * Method    sha512.inc; message words are put together from bytes, since ARMv4
 *           and v5 cannot load a word from any address
 * Bound     3520 operations for the rounds, 1860 for the schedule, 100 to join
 *           bytes, 2000 loads and stores, one after another
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   r0-r7, r8 and r10, r11 and r12   pairs: a and the new a, e, a ^ b and
 *           b ^ c, scratch
 *   lr      W + K of the round; then state, and where words go
 */
        .arch   armv4t
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

        .macro  load2 l, h, base, offset
        ldr     \l, [\base, #\offset]
        ldr     \h, [\base, #\offset + 4]
        .endm

        .macro  store2 l, h, base, offset
        str     \l, [\base, #\offset]
        str     \h, [\base, #\offset + 4]
        .endm

        .macro  next2 l, h, base
        ldm     \base!, {\l, \h}
        .endm

        .macro  wk2 l, h, t
        ldm     p!, {\l, \h}
        .endm

        .macro  wk2_done
        .endm

/* load_bytes: x is free */
        .macro  load_bytes l, h, from
        .irp    reg, \h, \l
        ldrb    \reg, [\from], #1
        ldrb    xl, [\from], #1
        ldrb    xh, [\from], #1
        orr     \reg, xl, \reg, lsl #8
        ldrb    xl, [\from], #1
        orr     \reg, xh, \reg, lsl #8
        orr     \reg, xl, \reg, lsl #8
        .endr
        .endm

        kernel  hk_sha512_v4, arm
        cmp     r2, #0
        beq     .Lreturn
        save    r0, r4, r5, r6, r7, r8, r10, r11, lr
        address r3, .Lconstants
        enter
        blocks  load_bytes
        restore r0, r4, r5, r6, r7, r8, r10, r11, lr
.Lreturn:
        return_v4
        endkernel hk_sha512_v4

        constants
.Lconstants:
#include "sha512_k.inc"
