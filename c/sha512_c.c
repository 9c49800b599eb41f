/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha512_c.c - SHA-512 block function in portable C, 16 rounds unrolled
 *
 * The names a..h rotate from round to round instead of the values, and W[t] is
 * kept in a ring of 16 words, made just before the round that needs it.
 */
#include "hashkern.h"
#include "memory.h"

HK_SHA512_KERNEL(hk_sha512_c);

/* The constants, from the list that the assembly reads as well. A line there is
 * K64 and two words; as each opens with a comma here, K[t] is table[1 + t]. */
#define K64 ,
static const uint64_t table[1 + 80] = {0
#include "../asm/sha512_k.inc"
};
#define K(t) table[1 + (t)]

#define ROTR(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define SUM0(x)    (ROTR(x, 28) ^ ROTR(x, 34) ^ ROTR(x, 39))
#define SUM1(x)    (ROTR(x, 14) ^ ROTR(x, 18) ^ ROTR(x, 41))
#define SIGMA0(x)  (ROTR(x, 1) ^ ROTR(x, 8) ^ (x) >> 7)
#define SIGMA1(x)  (ROTR(x, 19) ^ ROTR(x, 61) ^ (x) >> 6)

/* Ch and Maj in the forms with the fewest operations; the two halves of Maj
 * have no bit in common, so they can be added. */
#define CH(x, y, z)  ((((y) ^ (z)) & (x)) ^ (z))
#define MAJ(x, y, z) (((x) & (y)) + (((x) ^ (y)) & (z)))

/* One round: i is t mod 16, word(i) is W[t]. */
#define ROUND(i, a, b, c, d, e, f, g, h, word)                                 \
    do {                                                                       \
        h += SUM1(e) + CH(e, f, g) + K(t + (i)) + (W[i] = word(i));            \
        d += h;                                                                \
        h += SUM0(a) + MAJ(a, b, c);                                           \
    } while (0)
#define MESSAGE(i) hk_load_be64(data + 8 * (i))
#define SCHEDULE(i)                                                            \
    (W[i] + SIGMA0(W[((i) + 1) & 15]) + W[((i) + 9) & 15] +                    \
     SIGMA1(W[((i) + 14) & 15]))

/* Eight rounds bring the names back to their places. */
#define EIGHT(i, word)                                                         \
    ROUND((i) + 0, a, b, c, d, e, f, g, h, word);                              \
    ROUND((i) + 1, h, a, b, c, d, e, f, g, word);                              \
    ROUND((i) + 2, g, h, a, b, c, d, e, f, word);                              \
    ROUND((i) + 3, f, g, h, a, b, c, d, e, word);                              \
    ROUND((i) + 4, e, f, g, h, a, b, c, d, word);                              \
    ROUND((i) + 5, d, e, f, g, h, a, b, c, word);                              \
    ROUND((i) + 6, c, d, e, f, g, h, a, b, word);                              \
    ROUND((i) + 7, b, c, d, e, f, g, h, a, word)

void hk_sha512_c(uint64_t state[8], const uint8_t *data, size_t nblocks)
{
    uint64_t a = state[0], b = state[1], c = state[2], d = state[3],
             e = state[4], f = state[5], g = state[6], h = state[7];

    for (; nblocks; nblocks--, data += 128) {
        uint64_t W[16];
        unsigned t = 0;

        EIGHT(0, MESSAGE);
        EIGHT(8, MESSAGE);
        for (t = 16; t < 80; t += 16) {
            EIGHT(0, SCHEDULE);
            EIGHT(8, SCHEDULE);
        }

        a = state[0] += a;
        b = state[1] += b;
        c = state[2] += c;
        d = state[3] += d;
        e = state[4] += e;
        f = state[5] += f;
        g = state[6] += g;
        h = state[7] += h;
    }
}
