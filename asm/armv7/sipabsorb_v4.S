/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sipabsorb_v4 - SipHash, whole words into the state, ARM state, byte loads
 *
 *   void hk_sipabsorb_v4(uint64_t state[4], const uint8_t *data,
 *                        size_t nwords, unsigned rounds);
 *
 * Needs     A32
 * Stack     48 bytes: saved registers, state, rounds, the word
 * Method    the rounds of a word as a loop, one at a time, after which the
 *           words move back to their own registers
 * Bound     instructions: 34 a round
 * Origin    written from Aumasson and Bernstein 2012; no code taken
 *
 * Registers
 *   as listed in siphash.inc
 */
        .arch   armv4t
#include "abi.inc"
#include "siphash.inc"
#include "siphash_bytes.inc"

        kernel  hk_sipabsorb_v4, arm
        sipabsorb
        endkernel hk_sipabsorb_v4
