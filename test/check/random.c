/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * random.c - reproducible random numbers (splitmix64)
 */
#include <string.h>

#include "check.h"

static uint64_t state;

uint64_t random_word(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void random_start(uint64_t seed, const char *name)
{
    state = seed;
    for (; *name; name++)
        state = random_word() ^ (uint8_t)*name;
}

unsigned random_below(unsigned limit)
{
    return (unsigned)((random_word() >> 32) * limit >> 32);
}

void random_bytes(void *to, size_t size)
{
    uint8_t *p = to;

    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word = random_word();

        memcpy(p, &word, 8);
    }
    while (size--)
        *p++ = (uint8_t)random_word();
}
