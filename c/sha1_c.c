/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1_c.c - SHA-1 block function in portable C, unrolled, 16-word ring
 *
 * One source for four rows of the table, which differ in how W[t] is stored in
 * the ring. Left alone, a compiler may try to keep the ring in registers that
 * the CPU does not have, and spill at random; in 2009 this decided whether C
 * could match assembly on ARM (git's block-sha1). HK_STORE chooses:
 *
 *     plain         an ordinary assignment
 *     volatile      through a volatile pointer
 *     constraint    the word passes an empty asm as "+m"
 *     barrier       an empty asm that clobbers all memory follows the store
 */
#include "hashkern.h"
#include "memory.h"

#define HK_STORE_plain      1
#define HK_STORE_volatile   2
#define HK_STORE_constraint 3
#define HK_STORE_barrier    4
#ifndef HK_STORE
#define HK_STORE plain
#endif
#define JOIN(a, b)  JOIN_(a, b)
#define JOIN_(a, b) a##b
#define STORE_KIND  JOIN(HK_STORE_, HK_STORE)

/* SET(t, value): W[t mod 16] = value, stored at once */
#if STORE_KIND == HK_STORE_plain
#define KERNEL_NAME   hk_sha1_c
#define SET(t, value) (W[(t)&15] = (value))
#elif STORE_KIND == HK_STORE_volatile
#define KERNEL_NAME   hk_sha1_c_volatile
#define SET(t, value) (*(volatile uint32_t *)&W[(t)&15] = (value))
#elif STORE_KIND == HK_STORE_constraint
#define KERNEL_NAME hk_sha1_c_constraint
#define SET(t, value)                                                          \
    do {                                                                       \
        W[(t)&15] = (value);                                                   \
        __asm__("" : "+m"(W[(t)&15]));                                         \
    } while (0)
#elif STORE_KIND == HK_STORE_barrier
#define KERNEL_NAME hk_sha1_c_barrier
#define SET(t, value)                                                          \
    do {                                                                       \
        W[(t)&15] = (value);                                                   \
        __asm__("" : : : "memory");                                            \
    } while (0)
#else
#error "HK_STORE is none of plain, volatile, constraint, barrier"
#endif

HK_SHA1_KERNEL(KERNEL_NAME);

#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* Ch and Maj in the forms with the fewest operations; the two halves of Maj
 * have no bit in common, so they can be added. */
#define CH(x, y, z)     ((((y) ^ (z)) & (x)) ^ (z))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z)    (((x) & (y)) + (((x) ^ (y)) & (z)))

/* One round. The word is the message's for t < 16, else the schedule's. */
#define ROUND(t, a, b, c, d, e, word, f, k)                                    \
    do {                                                                       \
        uint32_t w = (word);                                                   \
        SET(t, w);                                                             \
        e += w + ROTL(a, 5) + f(b, c, d) + (k);                                \
        b = ROTL(b, 30);                                                       \
    } while (0)
#define MESSAGE(t) hk_load_be32(data + 4 * (t))
#define SCHEDULE(t)                                                            \
    ROTL(W[((t)-3) & 15] ^ W[((t)-8) & 15] ^ W[((t)-14) & 15] ^ W[(t)&15], 1)

/* Five rounds bring the names a..e back to their places. */
#define FIVE(t, word, f, k)                                                    \
    ROUND((t) + 0, a, b, c, d, e, word((t) + 0), f, k);                        \
    ROUND((t) + 1, e, a, b, c, d, word((t) + 1), f, k);                        \
    ROUND((t) + 2, d, e, a, b, c, word((t) + 2), f, k);                        \
    ROUND((t) + 3, c, d, e, a, b, word((t) + 3), f, k);                        \
    ROUND((t) + 4, b, c, d, e, a, word((t) + 4), f, k)
#define TWENTY(t, word, f, k)                                                  \
    FIVE((t), word, f, k);                                                     \
    FIVE((t) + 5, word, f, k);                                                 \
    FIVE((t) + 10, word, f, k);                                                \
    FIVE((t) + 15, word, f, k)

void KERNEL_NAME(uint32_t state[5], const uint8_t *data, size_t nblocks)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3],
             e = state[4];

    for (; nblocks; nblocks--, data += 64) {
        uint32_t W[16];

        FIVE(0, MESSAGE, CH, 0x5a827999);
        FIVE(5, MESSAGE, CH, 0x5a827999);
        FIVE(10, MESSAGE, CH, 0x5a827999);
        ROUND(15, a, b, c, d, e, MESSAGE(15), CH, 0x5a827999);
        ROUND(16, e, a, b, c, d, SCHEDULE(16), CH, 0x5a827999);
        ROUND(17, d, e, a, b, c, SCHEDULE(17), CH, 0x5a827999);
        ROUND(18, c, d, e, a, b, SCHEDULE(18), CH, 0x5a827999);
        ROUND(19, b, c, d, e, a, SCHEDULE(19), CH, 0x5a827999);
        TWENTY(20, SCHEDULE, PARITY, 0x6ed9eba1);
        TWENTY(40, SCHEDULE, MAJ, 0x8f1bbcdc);
        TWENTY(60, SCHEDULE, PARITY, 0xca62c1d6);

        a = state[0] += a;
        b = state[1] += b;
        c = state[2] += c;
        d = state[3] += d;
        e = state[4] += e;
    }
}
