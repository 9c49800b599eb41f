/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1_ref.c - SHA-1 block function, the text of FIPS 180-4, section 6.1.2
 *
 * Slow and obvious: every other kernel is compared with it.
 */
#include "hashkern.h"
#include "memory.h"

HK_SHA1_KERNEL(hk_sha1_ref);

static uint32_t rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* Section 4.1.1 */
static uint32_t f(unsigned t, uint32_t x, uint32_t y, uint32_t z)
{
    if (t < 20)
        return (x & y) ^ (~x & z); /* Ch */
    if (t < 40)
        return x ^ y ^ z; /* Parity */
    if (t < 60)
        return (x & y) ^ (x & z) ^ (y & z); /* Maj */
    return x ^ y ^ z;                       /* Parity */
}

/* Section 4.2.1 */
static const uint32_t K[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

void hk_sha1_ref(uint32_t state[5], const uint8_t *data, size_t nblocks)
{
    for (; nblocks; nblocks--, data += 64) {
        uint32_t W[80];
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3],
                 e = state[4];

        for (unsigned t = 0; t < 16; t++)
            W[t] = hk_load_be32(data + 4 * t);
        for (unsigned t = 16; t < 80; t++)
            W[t] = rotl(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1);

        for (unsigned t = 0; t < 80; t++) {
            uint32_t T = rotl(a, 5) + f(t, b, c, d) + e + K[t / 20] + W[t];

            e = d;
            d = c;
            c = rotl(b, 30);
            b = a;
            a = T;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
}
