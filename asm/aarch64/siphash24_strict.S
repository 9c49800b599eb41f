/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_siphash24_strict - SipHash-2-4 of a whole message, byte loads
 *
 *   uint64_t hk_siphash24_strict(const uint8_t key[16], const uint8_t *data,
 *                            size_t length);
 *
 * Needs     any AArch64
 * Stack     0 bytes
 * Method    Aumasson and Bernstein 2012; the state stays in registers, rotates
 *           are free in EOR, v0 is left out of the last half round; bytes are
 *           read one by one, since memory may forbid unaligned access
 * Bound     latency: 4 operations deep a round, 4 to 6 cycles, so 8 to 12
 *           cycles for 8 bytes of long messages
 * Origin    written from the paper; no code taken
 *
 * Registers
 *   as listed in siphash.inc
 */
        .arch   armv8-a
#include "abi.inc"
#include "siphash.inc"
#include "siphash_strict.inc"

        kernel  hk_siphash24_strict
        siphash 2, 4
        endkernel hk_siphash24_strict

        siphash_constants
