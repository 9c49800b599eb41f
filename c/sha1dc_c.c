/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc_c.c - collision-detecting SHA-1 in portable C
 *
 * The rounds are unrolled, the conditions are tested for all vectors at once:
 *
 * A plane is one bit number of the words W[33..64], bit n of it that of W[33+n].
 * Two planes, one shifted by a distance in time, XORed, say for all times at
 * once whether two bits differ. As the vectors of a class, I or II with b = 0 or
 * 2, have the same conditions shifted in time, 60 relations say all: the table
 * is test/sha1dc/basis.csv, and the tests derive it from the conditions.
 */
#include "hashkern.h"
#include "memory.h"
#include "sha1dc_block.h"

HK_SHA1DC_KERNEL(hk_sha1dc_c);

/* ---- rounds -------------------------------------------------------------- */

#define ROTL(x, n) ((x) << (n) | (x) >> (-(n)&31))

#define CH(x, y, z)     ((((y) ^ (z)) & (x)) ^ (z))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z)    (((x) & (y)) + (((x) ^ (y)) & (z)))

/* One round. The word is the message's for t < 16, else the schedule's, and is
 * kept; a trial finds all of them ready. */
#define ROUND(t, a, b, c, d, e, word, f, k)                                    \
    do {                                                                       \
        e += word(t) + ROTL(a, 5) + f(b, c, d) + (k);                          \
        b = ROTL(b, 30);                                                       \
    } while (0)
#define MESSAGE(t) (W[t] = hk_load_be32(data + 4 * (t)))
#define SCHEDULE(t)                                                            \
    (W[t] = ROTL(W[(t)-3] ^ W[(t)-8] ^ W[(t)-14] ^ W[(t)-16], 1))
#define READY(t) W[t]

/* Five rounds bring the names a..e back to their places. */
#define FIVE(t, word, f, k)                                                    \
    ROUND((t) + 0, a, b, c, d, e, word, f, k);                                 \
    ROUND((t) + 1, e, a, b, c, d, word, f, k);                                 \
    ROUND((t) + 2, d, e, a, b, c, word, f, k);                                 \
    ROUND((t) + 3, c, d, e, a, b, word, f, k);                                 \
    ROUND((t) + 4, b, c, d, e, a, word, f, k)
#define TWENTY(t, word, f, k)                                                  \
    FIVE((t), word, f, k);                                                     \
    FIVE((t) + 5, word, f, k);                                                 \
    FIVE((t) + 10, word, f, k);                                                \
    FIVE((t) + 15, word, f, k)

/* A trial starts at one of three steps; these and the end part the rounds. */
enum { AT_55 = 1, AT_60 = 2, AT_65 = 3, PARTS = 4 };

static void rounds(unsigned part, uint32_t s[5], const uint32_t W[80])
{
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4];

    switch (part) {
    case 0:
        TWENTY(0, READY, CH, 0x5a827999);
        TWENTY(20, READY, PARITY, 0x6ed9eba1);
        FIVE(40, READY, MAJ, 0x8f1bbcdc);
        FIVE(45, READY, MAJ, 0x8f1bbcdc);
        FIVE(50, READY, MAJ, 0x8f1bbcdc);
        break;
    case AT_55:
        FIVE(55, READY, MAJ, 0x8f1bbcdc);
        break;
    case AT_60:
        FIVE(60, READY, PARITY, 0xca62c1d6);
        break;
    default:
        FIVE(65, READY, PARITY, 0xca62c1d6);
        FIVE(70, READY, PARITY, 0xca62c1d6);
        FIVE(75, READY, PARITY, 0xca62c1d6);
    }
    s[0] = a, s[1] = b, s[2] = c, s[3] = d, s[4] = e;
}

/* A block: all its words, and the state at the steps where trials start. */
static void compress(uint32_t s[5], const uint8_t *data, uint32_t W[80],
                     uint32_t states[PARTS][5])
{
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4];

#define KEEP(at)                                                               \
    (states[at][0] = a, states[at][1] = b, states[at][2] = c,                  \
     states[at][3] = d, states[at][4] = e)

    FIVE(0, MESSAGE, CH, 0x5a827999);
    FIVE(5, MESSAGE, CH, 0x5a827999);
    FIVE(10, MESSAGE, CH, 0x5a827999);
    ROUND(15, a, b, c, d, e, MESSAGE, CH, 0x5a827999);
    ROUND(16, e, a, b, c, d, SCHEDULE, CH, 0x5a827999);
    ROUND(17, d, e, a, b, c, SCHEDULE, CH, 0x5a827999);
    ROUND(18, c, d, e, a, b, SCHEDULE, CH, 0x5a827999);
    ROUND(19, b, c, d, e, a, SCHEDULE, CH, 0x5a827999);
    TWENTY(20, SCHEDULE, PARITY, 0x6ed9eba1);
    FIVE(40, SCHEDULE, MAJ, 0x8f1bbcdc);
    FIVE(45, SCHEDULE, MAJ, 0x8f1bbcdc);
    FIVE(50, SCHEDULE, MAJ, 0x8f1bbcdc);
    KEEP(AT_55);
    FIVE(55, SCHEDULE, MAJ, 0x8f1bbcdc);
    KEEP(AT_60);
    FIVE(60, SCHEDULE, PARITY, 0xca62c1d6);
    KEEP(AT_65);
    FIVE(65, SCHEDULE, PARITY, 0xca62c1d6);
    FIVE(70, SCHEDULE, PARITY, 0xca62c1d6);
    FIVE(75, SCHEDULE, PARITY, 0xca62c1d6);
    s[0] = a, s[1] = b, s[2] = c, s[3] = d, s[4] = e;
}

/* ---- conditions ---------------------------------------------------------- */

/* Eight words: the bits in all of these numbers, a byte for each word. */
static inline uint64_t bytes_of(const uint32_t *W, unsigned lowest)
{
    uint64_t bytes = 0;

    for (unsigned n = 0; n < 8; n++)
        bytes |= (uint64_t)(W[n] >> lowest & 0xff) << 8 * n;
    return bytes;
}

/* One bit of each byte, that of the n-th byte to bit n. The products of the
 * eight single bits do not overlap in the highest byte. */
static inline uint32_t gather(uint64_t bytes, unsigned bit)
{
    return (uint32_t)((bytes >> bit & 0x0101010101010101) *
                          0x0102040810204080 >>
                      56);
}

static inline uint32_t plane(const uint64_t bytes[4], unsigned bit)
{
    return gather(bytes[0], bit) | gather(bytes[1], bit) << 8 |
           gather(bytes[2], bit) << 16 | gather(bytes[3], bit) << 24;
}

/* The vector with this K of a class is found at bit K - PLACE of a word. */
enum { PLACE_I0 = 33, PLACE_II0 = 25, PLACE_I2 = 33, PLACE_II2 = 20 };
#define PLACES(class, first, last)                                             \
    ((uint32_t)(2ull << ((last)-PLACE_##class)) -                              \
     ((uint32_t)1 << ((first)-PLACE_##class)))

/* A pair: bit a of a word and bit b of the word so much later must be equal, or
 * must differ. */
#define EQUAL(a, b, distance)   (pair = (a) ^ (b) >> (distance))
#define UNEQUAL(a, b, distance) (pair = ~((a) ^ (b) >> (distance)))
/* For the vectors first to last of a class, the words are W[K + offset] and its
 * partner. */
#define NEEDED(class, offset, first, last)                                     \
    broken_##class |= ROTL(pair, (33 - PLACE_##class - (offset)) & 31) &       \
                      PLACES(class, first, last)

/* Places of the vectors whose relations all hold: b = 0 in the lower half, b = 2
 * in the upper one. Four planes exclude all vectors in most blocks. */
static uint64_t conditions(const uint32_t W[80])
{
    uint32_t broken_I0 = 0, broken_II0 = 0, broken_I2 = 0, broken_II2 = 0;
    uint32_t p0, p1, p2, p3, p4, p5, p6, p7, p28, p29, p30, pair;
    uint64_t low[4], high[4];

    for (unsigned n = 0; n < 4; n++) {
        low[n] = bytes_of(W + 33 + 8 * n, 0);
        high[n] = bytes_of(W + 33 + 8 * n, 24);
    }

    p4 = plane(low, 4);
    p29 = plane(high, 5);
    EQUAL(p4, p29, 3);
    NEEDED(I0, 0, 43, 52);
    NEEDED(I0, -2, 43, 52);
    NEEDED(I0, -4, 43, 52);
    NEEDED(I0, -6, 43, 52);
    NEEDED(I0, -10, 47, 52);
    NEEDED(II0, 4, 45, 52);
    NEEDED(II0, 2, 45, 54);
    NEEDED(II0, -4, 45, 56);
    NEEDED(II0, -9, 46, 56);
    NEEDED(II0, -16, 53, 56);
    NEEDED(II0, -18, 55, 56);
    EQUAL(p4, p29, 4);
    NEEDED(I0, 0, 43, 52);
    NEEDED(I0, -10, 45, 52);
    NEEDED(I0, -13, 48, 52);
    NEEDED(II0, 4, 45, 56);
    NEEDED(II0, -4, 45, 56);
    NEEDED(II0, -9, 45, 56);
    NEEDED(II0, -12, 47, 56);
    EQUAL(p4, p29, 2);
    NEEDED(I0, -10, 48, 52);
    NEEDED(II0, 2, 45, 55);
    NEEDED(II0, -4, 45, 56);
    NEEDED(II0, -9, 47, 56);
    NEEDED(II0, -18, 56, 56);
    UNEQUAL(p4, p29, 5);
    NEEDED(I0, -6, 43, 52);
    NEEDED(I0, -14, 50, 52);
    UNEQUAL(p4, p29, 0);
    NEEDED(I0, -4, 44, 52);
    NEEDED(II0, 4, 45, 53);
    EQUAL(p4, p4, 4);
    NEEDED(I0, -4, 43, 52);
    NEEDED(I0, -6, 43, 52);
    NEEDED(II0, -18, 54, 56);
    UNEQUAL(p4, p4, 2);
    NEEDED(II0, -16, 52, 56);

    p6 = plane(low, 6);
    p1 = plane(low, 1);
    EQUAL(p6, p6, 2);
    NEEDED(I2, -2, 46, 51);
    NEEDED(I2, -4, 46, 51);
    NEEDED(I2, -6, 46, 51);
    NEEDED(II2, 2, 46, 51);
    EQUAL(p6, p1, 1);
    NEEDED(I2, 0, 46, 51);
    NEEDED(I2, -10, 49, 51);
    NEEDED(II2, 4, 46, 51);
    NEEDED(II2, -4, 46, 51);
    NEEDED(II2, -9, 49, 51);
    EQUAL(p1, p6, 0);
    NEEDED(I2, -14, 51, 51);
    UNEQUAL(p1, p6, 1);
    NEEDED(I2, -7, 46, 51);
    NEEDED(I2, -11, 46, 51);
    NEEDED(I2, -14, 49, 51);
    NEEDED(II2, 1, 46, 51);
    NEEDED(II2, -5, 46, 51);
    NEEDED(II2, -10, 46, 51);
    NEEDED(I0, 18, 43, 45);
    NEEDED(II0, 18, 45, 45);

    broken_I0 |= ~PLACES(I0, 43, 52);
    broken_II0 |= ~PLACES(II0, 45, 56);
    broken_I2 |= ~PLACES(I2, 46, 51);
    broken_II2 |= ~(PLACES(II2, 46, 46) | PLACES(II2, 49, 51));
    if (!~(broken_I0 & broken_II0 & broken_I2 & broken_II2))
        return 0;

    p0 = plane(low, 0);
    p2 = plane(low, 2);
    p3 = plane(low, 3);
    p5 = plane(low, 5);
    p7 = plane(low, 7);
    p28 = plane(high, 4);
    p30 = plane(high, 6);
    EQUAL(p3, p28, 4);
    NEEDED(I0, -16, 51, 51);
    NEEDED(II0, -12, 47, 56);
    UNEQUAL(p30, p28, 5);
    NEEDED(II0, -13, 48, 52);
    EQUAL(p5, p30, 4);
    NEEDED(I0, 16, 43, 44);
    NEEDED(I2, -16, 51, 51);
    NEEDED(II2, -12, 49, 51);
    UNEQUAL(p0, p5, 1);
    NEEDED(I0, 15, 43, 48);
    NEEDED(II0, 15, 45, 48);
    NEEDED(II2, -13, 49, 51);
    UNEQUAL(p2, p7, 1);
    NEEDED(I2, 15, 46, 48);
    NEEDED(II2, 15, 46, 46);

    return (uint64_t) ~(broken_I2 & broken_II2) << 32 |
           (uint32_t) ~(broken_I0 & broken_II0);
}

/* From places to the numbers of vectors. */
static uint32_t mask_of(uint64_t places)
{
    uint32_t mask = 0;

    for (unsigned i = 0; places && i < SHA1DC_VECTORS; i++) {
        const struct sha1dc_vector *v = &sha1dc_vectors[i];
        unsigned place = v->K;

        if (v->b)
            place += 32 - (v->type == SHA1DC_TYPE_I ? PLACE_I2 : PLACE_II2);
        else
            place -= v->type == SHA1DC_TYPE_I ? PLACE_I0 : PLACE_II0;
        mask |= (uint32_t)(places >> place & 1) << i;
    }
    return mask;
}

/* ---- trials -------------------------------------------------------------- */

/* Where both blocks of a vector have the same state. */
static unsigned common(const struct sha1dc_vector *v)
{
    if (v->type == SHA1DC_TYPE_I && v->K < 45)
        return AT_55;
    if (v->type == SHA1DC_TYPE_II && v->K > 51)
        return AT_65;
    return AT_60;
}

/* From the common state to the end: with the chaining value after the block,
 * that gives the one from which the twin must have started. Its rounds must lead
 * from there to the common state again. */
static int explains(unsigned number, const uint32_t W[80],
                    uint32_t states[PARTS][5], const uint32_t output[5])
{
    unsigned start = common(&sha1dc_vectors[number]);
    uint32_t twin_W[80], s[5];

    for (unsigned t = 0; t < 16; t++)
        twin_W[t] = W[t] ^ sha1dc_differences[1 + 16 * number + t];
    sha1dc_expand(twin_W);

    hk_copy(s, states[start], sizeof s);
    for (unsigned part = start; part < PARTS; part++)
        rounds(part, s, twin_W);
    for (unsigned i = 0; i < 5; i++)
        s[i] = output[i] - s[i];
    for (unsigned part = 0; part < start; part++)
        rounds(part, s, twin_W);
    return sha1dc_same(s, states[start]);
}

size_t hk_sha1dc_c(uint32_t state[10], const uint8_t *data, size_t nblocks,
                   uint32_t masks[])
{
    for (size_t n = 0; n < nblocks; n++, data += 64) {
        uint32_t W[80], states[PARTS][5], s[5];
        uint32_t mask, found = 0;

        hk_copy(s, state, sizeof s);
        compress(s, data, W, states);
        for (unsigned i = 0; i < 5; i++)
            s[i] += state[5 + i];

        mask = mask_of(conditions(W));
        if (masks)
            masks[n] = mask;
        for (unsigned i = 0; mask && !found; i++, mask >>= 1)
            if (mask & 1)
                found = explains(i, W, states, s);
        hk_copy(state, s, sizeof s);
        if (found)
            return n + 1;
        hk_copy(state + 5, s, sizeof s);
    }
    return 0;
}
