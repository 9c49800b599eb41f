/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * family.c - one adapter for each algorithm of kernels.def, and its bounds
 *
 * A new algorithm is one line FAMILY here, its entry in families, and what is
 * known of its bounds.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* The three ways to call an algorithm that has a block kernel: the kernel alone
 * on whole blocks; a message, or a file, through the context with a given
 * kernel; and the one-shot function, which chooses the kernel itself. */
#define FAMILY(algorithm, word, words)                                         \
    static void algorithm##_blocks(const struct entry *entry,                  \
                                   const uint8_t *data, size_t size,           \
                                   unsigned reps, uint8_t *out)                \
    {                                                                          \
        hk_##algorithm##_kernel *kernel =                                      \
            (hk_##algorithm##_kernel *)entry->function;                        \
        word state[words] = {0};                                               \
        size_t nblocks = size / find_family(#algorithm)->block;                \
                                                                               \
        while (reps--)                                                         \
            kernel(state, data, nblocks);                                      \
        memcpy(out, state, sizeof state);                                      \
    }                                                                          \
                                                                               \
    static void algorithm##_message(const struct entry *entry,                 \
                                    const uint8_t *data, size_t size,          \
                                    unsigned reps, uint8_t *out)               \
    {                                                                          \
        hk_##algorithm##_kernel *kernel =                                      \
            (hk_##algorithm##_kernel *)entry->function;                        \
        hk_##algorithm##_ctx ctx;                                              \
                                                                               \
        while (reps--) {                                                       \
            hk_##algorithm##_init(&ctx);                                       \
            ctx.kernel = kernel;                                               \
            hk_##algorithm##_update(&ctx, data, size);                         \
            hk_##algorithm##_final(&ctx, out);                                 \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void algorithm##_file(const struct entry *entry, int fd,            \
                                 uint8_t *out)                                 \
    {                                                                          \
        hk_##algorithm##_ctx ctx;                                              \
        size_t n;                                                              \
                                                                               \
        hk_##algorithm##_init(&ctx);                                           \
        if (entry->function)                                                   \
            ctx.kernel = (hk_##algorithm##_kernel *)entry->function;           \
        while ((n = read_file(fd)) > 0)                                        \
            hk_##algorithm##_update(&ctx, file_buffer, n);                     \
        hk_##algorithm##_final(&ctx, out);                                     \
    }                                                                          \
                                                                               \
    static void algorithm##_call(const struct entry *entry,                    \
                                 const uint8_t *data, size_t size,             \
                                 unsigned reps, uint8_t *out)                  \
    {                                                                          \
        (void)entry;                                                           \
        while (reps--)                                                         \
            hk_##algorithm(data, size, out);                                   \
    }

FAMILY(sha1, uint32_t, 5)
FAMILY(sha256, uint32_t, 8)
FAMILY(sha512, uint64_t, 8)

#define BLOCK_FAMILY(algorithm, block, padding)                                \
    {                                                                          \
#algorithm, block, padding, algorithm##_blocks, algorithm##_message,   \
            algorithm##_call, algorithm##_file                                 \
    }

static const struct family families[] = {
    BLOCK_FAMILY(sha1, 64, 9),
    BLOCK_FAMILY(sha256, 64, 9),
    BLOCK_FAMILY(sha512, 128, 17),
};

const struct family *find_family(const char *algorithm)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (!strcmp(families[i].algorithm, algorithm))
            return &families[i];
    return NULL;
}

size_t add_rows(struct entries *entries, const char *algorithm)
{
    size_t count, unknown = 0;
    const struct hk_kernel *rows = hk_kernels(&count);
    const struct family *family = find_family(algorithm);
    unsigned features = hk_cpu_features();
    struct entry entry = {.algorithm = algorithm, .tier = ""};

    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].algorithm, algorithm))
            continue;
        if (!family) {
            fprintf(stderr, "bench: %s: no adapter in test/bench/family.c\n",
                    rows[i].name);
            unknown++;
            continue;
        }
        if (rows[i].needs & ~features)
            continue;
        entry.name = rows[i].name;
        entry.source = strcmp(rows[i].arch, "any") ? "asm" : "C";
        entry.function = rows[i].function;
        entry.needs = rows[i].needs;
        entry.level = BLOCKS;
        entry.run = family->blocks;
        add_entry(entries, &entry);
        entry.level = MESSAGES;
        entry.run = family->message;
        entry.file = family->file;
        add_entry(entries, &entry);
        entry.file = NULL;
    }
    if (family) {
        const char *used = hk_kernel_in_use(algorithm);

        /* Bounded as the kernel that it uses is. */
        for (size_t i = 0; i < count; i++)
            if (used && !strcmp(rows[i].name, used))
                entry.needs = rows[i].needs;
        entry.name = "one call";
        entry.source = "API";
        entry.function = NULL;
        entry.level = MESSAGES;
        entry.run = family->call;
        entry.file = family->file;
        add_entry(entries, &entry);
    }
    return unknown;
}

/* ---- Bounds -------------------------------------------------------------- */

/* Operations in one block, counted on the equations of FIPS 180-4. The block
 * takes at least the largest of
 *
 *     chain    operations that wait for each other, one cycle each
 *     alu      integer operations of any kind
 *     rotate   those among them that rotate or shift
 *     vector   vector operations
 *     slots    all instructions, copies of registers included
 *
 * each divided by the measured rate. Loads and stores hide behind these.
 *
 * SHA-1, a round: a' = rotl(a,5) + f(b,c,d) + e + W + K waits for two operations
 * on a (rotate, add). It takes rotl(a,5), rotl(b,30), three additions, and f:
 * Ch 3, Parity 2, Maj 4 (two halves added one after the other). A word of the
 * schedule is 3 XOR and a rotate, a message word one byte swap.
 *     rounds 80 * 5 + 20 * 3 + 40 * 2 + 20 * 4 = 620, schedule 64 * 4 + 16
 *
 * SHA-256, a round: e' = d + (h + W + K + Ch) + Sigma1(e) waits for four (rotate,
 * XOR, XOR, add). Sigma0 and Sigma1 are 5 each, Ch 3, Maj 3 (a^b is the next
 * round's b^c), with 6 additions, in all 22. A word of the schedule: sigma0 and
 * sigma1 5 each, 3 additions.
 *     rounds 64 * 22 = 1408, schedule 48 * 13 + 16
 * SHA-512 is the same with 80 rounds and 64 words of schedule.
 *
 * A vector schedule takes about 12 instructions for four words of SHA-1, 30 for
 * a vector of SHA-2; two-operand code copies two registers a round more. AVX2
 * computes twice as many words at once (of two blocks for SHA-1 and SHA-256).
 *
 * On i386 a 64-bit addition or logic operation is two, a rotate six. With SSE2
 * in 64-bit lanes a rotate is three: 35 vector operations a round and 10 a word.
 */
struct work {
    const char *algorithm;
    unsigned needs; /* the first line is taken that needs no more than asked */
    unsigned chain, alu, rotate, vector, slots;
    enum rate hardware; /* 0, or the instruction that does the rounds, */
    unsigned times;     /* and how many of them wait for each other */
};

#define SIMD (HK_CPU_SSE2 | HK_CPU_SSSE3 | HK_CPU_SSE41 | HK_CPU_AVX)

static const struct work works[] = {
    {"sha1", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA1_4, 20},
    {"sha1", HK_CPU_AVX2, 160, 627, 160, 0, 627 + 20 + 120, 0, 0},
    {"sha1", SIMD | HK_CPU_NEON, 160, 627, 160, 0, 627 + 180 + 240, 0, 0},
    {"sha1", 0, 160, 899, 224, 0, 899 + 180 + 80, 0, 0},
    {"sha256", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA256_2, 32},
    {"sha256", HK_CPU_AVX2, 256, 1418, 384, 0, 1418 + 210, 0, 0},
    {"sha256", SIMD | HK_CPU_NEON, 256, 1418, 384, 0, 1418 + 256 + 400, 0, 0},
    {"sha256", 0, 256, 2058, 672, 0, 2058 + 256 + 192, 0, 0},
#ifdef __i386__
    {"sha512", SIMD | HK_CPU_AVX2, 320, 0, 0, 80 * 35 + 64 * 10, 0, 0, 0},
    {"sha512", 0, 320, 80 * 68 + 64 * 42, 80 * 24 + 64 * 22, 0, 0, 0, 0},
#else
    {"sha512", HK_CPU_AVX2, 320, 1770, 480, 0, 1770 + 480 + 40, 0, 0},
    {"sha512", SIMD | HK_CPU_NEON, 320, 1770, 480, 0, 1770 + 320 + 960, 0, 0},
    {"sha512", 0, 320, 2618, 864, 0, 2618 + 320 + 256, 0, 0},
#endif
};

static void raise_to(double *bound, unsigned operations, enum rate rate)
{
    if (operations * rate_cycles[rate] > *bound)
        *bound = operations * rate_cycles[rate];
}

double bound_cycles(const char *algorithm, unsigned needs)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        const struct work *w = &works[i];
        double bound;

        if (strcmp(w->algorithm, algorithm) ||
            (w->needs && !(w->needs & needs)))
            continue;
        if (w->times)
            return w->times * rate_cycles[w->hardware];
        bound = w->chain;
        raise_to(&bound, w->alu, ALU);
        raise_to(&bound, w->rotate, ROTATE);
        raise_to(&bound, w->vector, VECTOR);
        raise_to(&bound, w->slots, SLOTS);
        return bound;
    }
    return 0;
}
