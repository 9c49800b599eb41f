/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sipabsorb_base - SipHash, whole words into the state
 *
 *   void hk_sipabsorb_base(uint64_t state[4], const uint8_t *data,
 *                          size_t nwords, unsigned rounds);
 *
 * Needs     any AArch64
 * Stack     0 bytes
 * Method    the rounds of a word as a loop, for any number of them
 * Bound     latency: 4 to 6 cycles a round
 * Origin    written from the paper; no code taken
 *
 * Registers
 *   x0 state   x1 data   x2 nwords, then the end   w3 rounds   w4 rounds left
 *   x5 m       x8-x11 v0-v3                        x6 scratch
 */
        .arch   armv8-a
#include "abi.inc"
#include "siphash.inc"
#include "siphash_unaligned.inc"

        kernel  hk_sipabsorb_base
        sipabsorb
        endkernel hk_sipabsorb_base
