/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_siphash24_t1 - SipHash-2-4 of a whole message, 16-bit Thumb, small
 *
 *   uint64_t hk_siphash24_t1(const uint8_t key[16], const uint8_t *data,
 *                            size_t length);
 *
 * Needs     any ARM with Thumb, of ARMv4T and Cortex-M0 on
 * Stack     48 bytes: saved registers, the word being taken in, the last word
 * Method    the two rounds of a word in a loop; three of the four words in low
 *           registers, one in high registers (siphash_t1.inc); bytes are put
 *           together, since ARMv6-M cannot load a word from any address
 * Bound     made for size: 52 instructions a round
 * Origin    written from Aumasson and Bernstein 2012; no code taken
 *
 * Registers
 *   as listed in siphash_t1.inc
 */
        .thumb
        .arch   armv6-m
        .eabi_attribute Tag_CPU_arch_profile, 0 @ links into A-profile code too
#include "abi.inc"
#include "siphash_t1.inc"

        kernel  hk_siphash24_t1, thumb
        siphash 2, 4
        endkernel hk_siphash24_t1
