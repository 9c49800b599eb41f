/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash_c.h - SipHash in portable C: word loads, no loop over bytes
 */
#ifndef HK_SIPHASH_C_H
#define HK_SIPHASH_C_H

#include "hashkern.h"
#include "memory.h"

#define HK_ROTL64(x, n) ((x) << (n) | (x) >> (64 - (n)))

/* The state as four variables, which compilers keep in registers. */
#define HK_SIPROUND(v0, v1, v2, v3)                                            \
    do {                                                                       \
        v0 += v1, v2 += v3;                                                    \
        v1 = HK_ROTL64(v1, 13) ^ v0, v3 = HK_ROTL64(v3, 16) ^ v2;              \
        v0 = HK_ROTL64(v0, 32) + v3, v2 += v1;                                 \
        v1 = HK_ROTL64(v1, 17) ^ v2, v3 = HK_ROTL64(v3, 21) ^ v0;              \
        v2 = HK_ROTL64(v2, 32);                                                \
    } while (0)

static inline uint64_t hk_sip_tail(const uint8_t *p, size_t n)
{
    uint64_t word = 0;

    switch (n & 7) {
    case 7:
        word |= (uint64_t)p[6] << 48;
        /* fall through */
    case 6:
        word |= (uint64_t)p[5] << 40;
        /* fall through */
    case 5:
        word |= (uint64_t)p[4] << 32;
        /* fall through */
    case 4:
        word |= (uint64_t)p[3] << 24;
        /* fall through */
    case 3:
        word |= (uint64_t)p[2] << 16;
        /* fall through */
    case 2:
        word |= (uint64_t)p[1] << 8;
        /* fall through */
    case 1:
        word |= p[0];
    }
    return word;
}

static inline uint64_t hk_c_siphash(const uint8_t key[16], const uint8_t *data,
                                    size_t length, unsigned c, unsigned d)
{
    uint64_t k0 = hk_load_le64(key), k1 = hk_load_le64(key + 8);
    uint64_t v0 = k0 ^ 0x736f6d6570736575, v1 = k1 ^ 0x646f72616e646f6d;
    uint64_t v2 = k0 ^ 0x6c7967656e657261, v3 = k1 ^ 0x7465646279746573;
    size_t whole = length / 8;
    uint64_t m;

    for (; whole; whole--, data += 8) {
        m = hk_load_le64(data);
        v3 ^= m;
        for (unsigned i = 0; i < c; i++)
            HK_SIPROUND(v0, v1, v2, v3);
        v0 ^= m;
    }
    m = (uint64_t)length << 56 | hk_sip_tail(data, length);
    v3 ^= m;
    for (unsigned i = 0; i < c; i++)
        HK_SIPROUND(v0, v1, v2, v3);
    v0 ^= m;

    v2 ^= 0xff;
    for (unsigned i = 0; i < d; i++)
        HK_SIPROUND(v0, v1, v2, v3);
    return v0 ^ v1 ^ v2 ^ v3;
}

#endif
