/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * attack.h - collision attacks on SHA-1 as the tests know them
 *
 * Everything here comes from the tables in test/sha1dc and from FIPS 180-4, and
 * shares no text with the library.
 */
#ifndef ATTACK_H
#define ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VECTORS = 32, CONDITIONS = 156, RELATIONS = 60 };

struct vector {
    char name[8]; /* "II(52,0)" without the end of string */
    unsigned type, K, b, testt;
    uint32_t dm[80];
};

/* W[i].bit_i ^ W[j].bit_j == value for these vectors */
struct condition {
    unsigned i, bit_i, j, bit_j, value;
    uint32_t mask;
};

/* The same, told once for all K of a class (basis.csv). */
struct relation {
    unsigned type, b, bit_a, bit_b;
    int distance, value, offset;
    uint64_t Ks; /* bit K */
};

extern struct vector vectors[VECTORS];
extern struct condition conditions[CONDITIONS];
extern struct relation relations[RELATIONS];

/* Reads the tables; fails the test if it cannot. */
void attack_load(void);

/* A file of test/sha1dc as a whole; its size. */
enum { COLLISION_MAX = 640 };
size_t collision_file(const char *name, uint8_t data[COLLISION_MAX]);
extern const char *const collision_files[5];

/* The masks of n blocks by conditions.csv. */
void masks_of(const uint8_t *data, size_t n, uint32_t masks[]);

/* All message blocks that satisfy the conditions of a set of vectors. */
struct crafter {
    uint32_t set;
    unsigned rows;
    struct {
        uint32_t sum[16]; /* bits of the message */
        unsigned value, pivot;
    } row[CONDITIONS];
};

/* Adds one condition to a zeroed crafter; false if it contradicts. */
bool craft_add(struct crafter *crafter, const struct condition *condition);
/* Adds a vector to the set; false if it contradicts, then nothing changes. */
bool craft_join(struct crafter *crafter, unsigned vector);
/* For one vector. */
void craft_for(struct crafter *crafter, unsigned vector);
/* For a random set that no further vector can join. */
void craft_for_many(struct crafter *crafter);
/* Changes some bits of a block so that it is one of these. */
void craft_nearby(const struct crafter *crafter, uint8_t block[64]);
/* A random one of these blocks. */
void craft(const struct crafter *crafter, uint8_t block[64]);

/* Blocks as the tests of kernels want them: most are random, a quarter crafted
 * for many vectors or for one, half of these with one bit flipped. */
void mixed_blocks(uint8_t *data, size_t n);

/* For a block and the chaining value where its rounds begin: what must be added
 * at their end so that the vector leads to a collision. */
void stage(const uint8_t block[64], const uint32_t start[5], unsigned vector,
           uint32_t feed[5]);

#endif
