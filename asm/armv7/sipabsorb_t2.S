/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sipabsorb_t2 - SipHash, whole words into the state, Thumb-2
 *
 *   void hk_sipabsorb_t2(uint64_t state[4], const uint8_t *data,
 *                        size_t nwords, unsigned rounds);
 *
 * Needs     T2
 * Stack     48 bytes: saved registers, state, rounds, the word
 * Method    the rounds of a word as a loop, one at a time, after which the
 *           words move back to their own registers
 * Bound     instructions: 34 a round
 * Origin    written from Aumasson and Bernstein 2012; no code taken
 *
 * Registers
 *   as listed in siphash.inc
 */
        .arch   armv7
#include "abi.inc"
#include "siphash.inc"
#include "siphash_unaligned.inc"

        kernel  hk_sipabsorb_t2, thumb
        sipabsorb
        endkernel hk_sipabsorb_t2
