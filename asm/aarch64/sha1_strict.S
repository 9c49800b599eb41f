/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha1_strict - SHA-1 block function, byte loads only
 *
 *   void hk_sha1_strict(uint32_t state[5], const uint8_t *data,
 *                       size_t nblocks);
 *
 * Needs     any AArch64
 * Stack     96 bytes
 * Method    as hk_sha1_base, but the message is read byte by byte: for code
 *           that runs with the MMU off, where an unaligned access faults.
 * Bound     as hk_sha1_base, with 108 instructions more a block
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   as listed in sha1.inc; the ring's pairs 8 to 11 hold bytes at first
 */
        .arch   armv8-a
#include "abi.inc"
#include "sha1.inc"

// byte r, n: byte n of the pair to register r, one of the ring's pairs 8 to 12
        .macro  byte r, n
        ldrb    w\r, [data, #8 * I + \n]
        .endm

// join sum, r, n: pair I = sum with the byte in register r, n bits up
        .macro  join sum, r, n
        orr     new, \sum, x\r, lsl #\n
        .endm

        .macro  load_1
        byte    16, 3
        byte    17, 2
        byte    19, 1
        .endm
        .macro  load_2
        byte    20, 0
        byte    21, 7
        join    x16, 17, 8
        .endm
        .macro  load_3
        byte    16, 6
        join    new, 19, 16
        join    new, 20, 24
        .endm
        .macro  load_4
        byte    17, 5
        byte    19, 4
        join    new, 21, 32
        .endm
        .macro  load_5
        join    new, 16, 40
        join    new, 17, 48
        .endm
        .macro  load_6
        join    new, 19, 56
        .endm

kernel hk_sha1_strict
        sha1_kernel
endkernel hk_sha1_strict
