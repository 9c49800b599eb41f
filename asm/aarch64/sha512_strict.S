/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_strict - SHA-512 block function, byte loads only
 *
 *   void hk_sha512_strict(uint64_t state[8], const uint8_t *data,
 *                         size_t nblocks);
 *
 * Needs     any AArch64
 * Stack     128 bytes
 * Method    as hk_sha512_base, but the message is read byte by byte: for code
 *           that runs with the MMU off, where an unaligned access faults.
 * Bound     as hk_sha512_base, with 216 instructions more a block
 * Origin    written from FIPS 180-4; no code taken
 *
 * Registers
 *   as listed in sha2.inc
 */
        .arch   armv8-a
#include "abi.inc"
#include "sha512.inc"

// byte r, n: byte n of word I to register r
        .macro  byte r, n
        ldrb    w\r, [s_x, #8 * I + \n]
        .endm

// join r, up: the byte in register r goes to that bit of word I
        .macro  join r, up
        orr     new, new, x\r, lsl #\up
        .endm

// load_word t: word t of the block, last byte first
        .macro  load_word t
        .set    I, \t
        alias_word new, x, I
        alias_word new_w, w, I
        ldrb    new_w, [s_x, #8 * I + 7]
        byte    26, 6
        byte    27, 5
        byte    28, 4
        byte    30, 3
        join    26, 8
        byte    26, 2
        join    27, 16
        byte    27, 1
        join    28, 24
        byte    28, 0
        join    30, 32
        join    26, 40
        join    27, 48
        join    28, 56
        .endm

        .macro  load_block
        .irp    t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        load_word \t
        .endr
        .endm

kernel hk_sha512_strict
        sha2_kernel
endkernel hk_sha512_strict
