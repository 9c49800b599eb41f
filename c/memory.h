/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * memory.h - copy, fill and wipe, with libc or (HK_FREESTANDING) without
 */
#ifndef HK_MEMORY_H
#define HK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef HK_FREESTANDING

static inline void hk_copy(void *to, const void *from, size_t n)
{
    uint8_t *t = to;
    const uint8_t *f = from;

    while (n--)
        *t++ = *f++;
}

static inline void hk_fill(void *to, int byte, size_t n)
{
    uint8_t *t = to;

    while (n--)
        *t++ = (uint8_t)byte;
}

#else

#include <string.h>

static inline void hk_copy(void *to, const void *from, size_t n)
{
    if (n) /* memcpy may not be given NULL, even for nothing */
        memcpy(to, from, n);
}

static inline void hk_fill(void *to, int byte, size_t n)
{
    memset(to, byte, n);
}

#endif

/* Zeroes memory that nobody reads again, and makes the compiler do it. */
static inline void hk_wipe(void *p, size_t n)
{
    hk_fill(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Big-endian words at any address (the byte order of the SHA standards). */
static inline uint32_t hk_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

static inline uint64_t hk_load_be64(const uint8_t *p)
{
    return (uint64_t)hk_load_be32(p) << 32 | hk_load_be32(p + 4);
}

/* Little-endian words at any address (SipHash). */
static inline uint32_t hk_load_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 |
           p[0];
}

static inline uint64_t hk_load_le64(const uint8_t *p)
{
    return (uint64_t)hk_load_le32(p + 4) << 32 | hk_load_le32(p);
}

static inline void hk_store_le64(uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static inline void hk_store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static inline void hk_store_be64(uint8_t *p, uint64_t v)
{
    hk_store_be32(p, (uint32_t)(v >> 32));
    hk_store_be32(p + 4, (uint32_t)v);
}

#endif
