/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * block.h - what the tests know of block algorithms (family_block.c)
 */
#ifndef BLOCK_H
#define BLOCK_H

#include <stddef.h>
#include <stdint.h>

struct block_algorithm {
    const char *name; /* NULL ends the list */
    size_t word;      /* bytes */
    size_t state_words;
    size_t block; /* bytes */
};
extern const struct block_algorithm block_algorithms[];

/* Their common prototype, whatever the word. */
typedef void block_kernel(void *state, const uint8_t *data, size_t nblocks);

const struct block_algorithm *block_algorithm(const char *name);

#endif
