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
    /* Where the compiler knows a limit of n, it would use a string instruction,
     * which takes longer than libc for few bytes. */
    if (!__builtin_constant_p(n))
        __asm__("" : "+r"(n));
    if (n) /* memcpy may not be given NULL, even for nothing */
        memcpy(to, from, n);
}

static inline void hk_fill(void *to, int byte, size_t n)
{
    memset(to, byte, n);
}

#endif

/* Zeroes in pieces so small that the compiler does not resort to a call or a
 * string instruction. */
static inline void hk_zero(void *p, size_t n)
{
    uint8_t *at = p;

    for (; n >= 32; n -= 32, at += 32)
        hk_fill(at, 0, 32);
    hk_fill(at, 0, n);
}

/* Zeroes memory that nobody reads again, and makes the compiler do it. */
static inline void hk_wipe(void *p, size_t n)
{
    hk_zero(p, n);
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

/* Stores are of whole words: from bytes, GCC 12 makes vectors, and a hundred
 * instructions of a digest. */
typedef struct {
    uint32_t value;
} __attribute__((packed, may_alias)) hk_unaligned32;
typedef struct {
    uint64_t value;
} __attribute__((packed, may_alias)) hk_unaligned64;

static inline void hk_store_le32(uint8_t *p, uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    ((hk_unaligned32 *)p)->value = v;
}

static inline void hk_store_le64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    ((hk_unaligned64 *)p)->value = v;
}

static inline void hk_store_be32(uint8_t *p, uint32_t v)
{
    hk_store_le32(p, __builtin_bswap32(v));
}

static inline void hk_store_be64(uint8_t *p, uint64_t v)
{
    hk_store_le64(p, __builtin_bswap64(v));
}

/* Copies the last n bytes of a message, appends the byte 0x80, and fills up that
 * word of eight with zeroes. Every word is stored once and whole, so that a block
 * function that loads it at once need not wait for the bytes to settle. */
static inline void hk_copy_last(uint8_t *to, const uint8_t *from, size_t n)
{
    uint64_t word = 0x80;
    size_t whole = n & ~(size_t)7;

    if (whole) /* its bytes are the upper ones of the last eight */
        word = hk_load_le64(from + n - 8) >> 8 >> (56 - 8 * (n - whole)) |
               word << 8 * (n - whole);
    else
        for (size_t i = n; i > 0; i--)
            word = word << 8 | from[i - 1];
    hk_store_le64(to + whole, word);
    for (size_t i = 0; i < whole; i += 8)
        hk_store_le64(to + i, hk_load_le64(from + i));
}

#endif
