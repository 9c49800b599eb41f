/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc_block.h - collision detection on one block, the text of the algorithm
 *
 * Stevens, "Counter-cryptanalysis", CRYPTO 2013; Stevens and Shumow, "Speeding
 * up detection of SHA-1 collision attacks using unavoidable attack conditions",
 * USENIX Security 2017.
 *
 * A collision attack on SHA-1 ends with two blocks M and M' = M ^ dm that lead
 * two different chaining values to the same one. dm belongs to one of a few
 * disturbance vectors, and around one step the two computations agree. Whoever
 * holds M alone can thus find the other: assume a vector, take the state of M
 * at that step as that of M', and compute with W' = W ^ dm back to the chaining
 * value before and on to the chaining value after. If the latter is that of M,
 * there is no other explanation than an attack.
 *
 * Slow and obvious: everything else is compared with this.
 */
#ifndef HK_SHA1DC_BLOCK_H
#define HK_SHA1DC_BLOCK_H

#include <stdint.h>

#include "memory.h"

enum {
    SHA1DC_STEPS = 80,
    SHA1DC_VECTORS = 32,
    SHA1DC_TYPE_I = 1,
    SHA1DC_TYPE_II = 2
};

struct sha1dc_vector {
    unsigned type, K, b;
    unsigned testt;
};

static const struct sha1dc_vector sha1dc_vectors[SHA1DC_VECTORS] = {
#define VECTOR(bit, type, K, b, testt)                                         \
    [bit] = {SHA1DC_TYPE_##type, K, b, testt},
#include "sha1dc.def"
};

/* Their message differences. A line of the list is K32 and four words; as each
 * opens with a comma here, the first word is at [1]. */
#define K32 ,
static const uint32_t sha1dc_differences[1 + 16 * SHA1DC_VECTORS] = {0
#include "../asm/sha1dc_k.inc"
};
#undef K32

/* ---- SHA-1, FIPS 180-4 --------------------------------------------------- */

static inline uint32_t sha1dc_rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* Section 4.1.1 and 4.2.1: f_t(x, y, z) + K_t */
static inline uint32_t sha1dc_f_k(unsigned t, uint32_t x, uint32_t y,
                                  uint32_t z)
{
    if (t < 20)
        return ((x & y) ^ (~x & z)) + 0x5a827999; /* Ch */
    if (t < 40)
        return (x ^ y ^ z) + 0x6ed9eba1; /* Parity */
    if (t < 60)
        return ((x & y) ^ (x & z) ^ (y & z)) + 0x8f1bbcdc; /* Maj */
    return (x ^ y ^ z) + 0xca62c1d6;                       /* Parity */
}

/* Section 6.1.2, step 1: W[16..79] from W[0..15]; linear in GF(2) */
static inline void sha1dc_expand(uint32_t W[SHA1DC_STEPS])
{
    for (unsigned t = 16; t < SHA1DC_STEPS; t++)
        W[t] = sha1dc_rotl(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1);
}

/* Step 3: one round of s = (a, b, c, d, e), and the same undone */
static inline void sha1dc_step(uint32_t s[5], unsigned t, uint32_t Wt)
{
    uint32_t T =
        sha1dc_rotl(s[0], 5) + sha1dc_f_k(t, s[1], s[2], s[3]) + s[4] + Wt;

    s[4] = s[3];
    s[3] = s[2];
    s[2] = sha1dc_rotl(s[1], 30);
    s[1] = s[0];
    s[0] = T;
}

static inline void sha1dc_step_back(uint32_t s[5], unsigned t, uint32_t Wt)
{
    uint32_t T = s[0];

    s[0] = s[1];
    s[1] = sha1dc_rotl(s[2], 2);
    s[2] = s[3];
    s[3] = s[4];
    s[4] = T - sha1dc_rotl(s[0], 5) - sha1dc_f_k(t, s[1], s[2], s[3]) - Wt;
}

/* ---- The test of one block ----------------------------------------------- */

/* A block and everything that its compression computed. */
struct sha1dc_block {
    uint32_t input[5]; /* chaining value before */
    uint32_t W[SHA1DC_STEPS];
    uint32_t states[SHA1DC_STEPS][5]; /* before each step */
    uint32_t output[5];               /* chaining value after */
};

/* The block that would collide with it. */
struct sha1dc_twin {
    unsigned vector;
    uint32_t input[5];
    uint32_t W[SHA1DC_STEPS];
    uint32_t output[5];
};

/* start: where the rounds begin; feed: what is added to their result */
static inline void sha1dc_compress(struct sha1dc_block *block,
                                   const uint32_t start[5],
                                   const uint32_t feed[5], const uint8_t *data)
{
    uint32_t s[5];

    for (unsigned t = 0; t < 16; t++)
        block->W[t] = hk_load_be32(data + 4 * t);
    sha1dc_expand(block->W);
    hk_copy(block->input, feed, sizeof block->input);
    hk_copy(s, start, sizeof s);
    for (unsigned t = 0; t < SHA1DC_STEPS; t++) {
        hk_copy(block->states[t], s, sizeof s);
        sha1dc_step(s, t, block->W[t]);
    }
    for (unsigned i = 0; i < 5; i++)
        block->output[i] = feed[i] + s[i];
}

/* The vectors whose unavoidable conditions this message block satisfies. */
static inline uint32_t sha1dc_mask(const uint32_t W[SHA1DC_STEPS])
{
    uint32_t mask = 0xffffffff;

#define CONDITION(i, bit_i, j, bit_j, value, needed_by)                        \
    if (((W[i] >> (bit_i) ^ W[j] >> (bit_j)) & 1) != (value))                  \
        mask &= ~(uint32_t)(needed_by);
#include "sha1dc.def"
    return mask;
}

/* The twin under one vector: from the common state to both ends. */
static inline void sha1dc_find_twin(struct sha1dc_twin *twin,
                                    const struct sha1dc_block *block,
                                    unsigned number)
{
    const struct sha1dc_vector *vector = &sha1dc_vectors[number];
    uint32_t s[5];

    twin->vector = number;
    for (unsigned t = 0; t < 16; t++)
        twin->W[t] = block->W[t] ^ sha1dc_differences[1 + 16 * number + t];
    sha1dc_expand(twin->W);

    hk_copy(s, block->states[vector->testt], sizeof s);
    for (unsigned t = vector->testt; t-- > 0;)
        sha1dc_step_back(s, t, twin->W[t]);
    hk_copy(twin->input, s, sizeof s);

    hk_copy(s, block->states[vector->testt], sizeof s);
    for (unsigned t = vector->testt; t < SHA1DC_STEPS; t++)
        sha1dc_step(s, t, twin->W[t]);
    for (unsigned i = 0; i < 5; i++)
        twin->output[i] = twin->input[i] + s[i];
}

static inline int sha1dc_same(const uint32_t x[5], const uint32_t y[5])
{
    uint32_t difference = 0;

    for (unsigned i = 0; i < 5; i++)
        difference |= x[i] ^ y[i];
    return !difference;
}

#endif
