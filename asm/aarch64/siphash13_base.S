/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_siphash13_base - SipHash-1-3 of a whole message
 *
 *   uint64_t hk_siphash13_base(const uint8_t key[16], const uint8_t *data,
 *                            size_t length);
 *
 * Needs     any AArch64
 * Stack     0 bytes
 * Method    Aumasson and Bernstein 2012; the state stays in registers, rotates
 *           are free in EOR, v0 is left out of the last half round; the last
 *           word is gathered from overlapping loads inside the message
 * Bound     latency: 4 operations deep a round, 4 to 6 cycles, so 4 to 6 cycles
 *           for 8 bytes of long messages
 * Origin    written from the paper; no code taken
 *
 * Registers
 *   as listed in siphash.inc
 */
        .arch   armv8-a
#include "abi.inc"
#include "siphash.inc"
#include "siphash_unaligned.inc"

        kernel  hk_siphash13_base
        siphash 1, 3
        endkernel hk_siphash13_base

        siphash_constants
