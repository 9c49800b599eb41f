/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash_ref.h - SipHash, the text of the paper, section 2
 *
 * Slow and obvious: every other kernel is compared with it.
 */
#ifndef HK_SIPHASH_REF_H
#define HK_SIPHASH_REF_H

#include "hashkern.h"

static inline uint64_t hk_ref_rotl(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

/* Bytes p[0..n-1] as a little-endian number. */
static inline uint64_t hk_ref_load(const uint8_t *p, size_t n)
{
    uint64_t word = 0;

    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)p[i] << 8 * i;
    return word;
}

/* Section 2.2, figure 2.1: SipRound, n times */
static inline void hk_ref_siprounds(uint64_t v[4], unsigned n)
{
    while (n--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = hk_ref_rotl(v[1], 13);
        v[3] = hk_ref_rotl(v[3], 16);
        v[1] ^= v[0];
        v[3] ^= v[2];
        v[0] = hk_ref_rotl(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = hk_ref_rotl(v[1], 17);
        v[3] = hk_ref_rotl(v[3], 21);
        v[1] ^= v[2];
        v[3] ^= v[0];
        v[2] = hk_ref_rotl(v[2], 32);
    }
}

/* Section 2.2, compression of one word */
static inline void hk_ref_sipword(uint64_t v[4], uint64_t m, unsigned rounds)
{
    v[3] ^= m;
    hk_ref_siprounds(v, rounds);
    v[0] ^= m;
}

static inline uint64_t hk_ref_siphash(const uint8_t key[16],
                                      const uint8_t *data, size_t length,
                                      unsigned c, unsigned d)
{
    uint64_t k0 = hk_ref_load(key, 8), k1 = hk_ref_load(key + 8, 8);
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
                     k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    size_t whole = length / 8, rest = length % 8;

    for (size_t i = 0; i < whole; i++)
        hk_ref_sipword(v, hk_ref_load(data + 8 * i, 8), c);
    hk_ref_sipword(
        v, (uint64_t)length << 56 | hk_ref_load(data + 8 * whole, rest), c);

    v[2] ^= 0xff;
    hk_ref_siprounds(v, d);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif
