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
#include "kernels.h" /* HK_LANES_OF */

/* The kernel alone, on whole blocks. */
#define BLOCK_FAMILY(algorithm, word, words)                                   \
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
    }

/* A message, or a file, through the context with a given kernel; and the
 * one-shot function, which chooses the kernel itself. */
#define MESSAGE_FAMILY(algorithm)                                              \
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

/* A kernel with lanes, on data that lie one after the other. */
#define LANES_FAMILY(algorithm, word, words)                                   \
    static void algorithm##_lanes(const struct entry *entry,                   \
                                  const uint8_t *data, size_t size,            \
                                  unsigned reps, uint8_t *out)                 \
    {                                                                          \
        hk_##algorithm##x_kernel *kernel =                                     \
            (hk_##algorithm##x_kernel *)entry->function;                       \
        word states[LANES][words] = {{0}}, *state[LANES];                      \
        const uint8_t *from[LANES];                                            \
        size_t nblocks = size / find_family(#algorithm)->block;                \
                                                                               \
        for (size_t i = 0; i < LANES; i++) {                                   \
            state[i] = states[i];                                              \
            from[i] = data + i * size % (DATA_BYTES - size + 1);               \
        }                                                                      \
        while (reps--)                                                         \
            kernel(state, from, nblocks);                                      \
        memcpy(out, states[0], sizeof states[0]);                              \
    }
#define LANES HK_LANES_MAX

/* Many messages in one call, in lanes where there are any. */
#define MANY_FAMILY(algorithm, DIGEST)                                         \
    static void algorithm##_many(const struct entry *entry,                    \
                                 const uint8_t *data, size_t size,             \
                                 unsigned reps, uint8_t *out)                  \
    {                                                                          \
        static uint8_t digest[MANY][DIGEST];                                   \
        const void *from[MANY];                                                \
        size_t length[MANY];                                                   \
                                                                               \
        (void)entry;                                                           \
        for (size_t i = 0; i < MANY; i++) {                                    \
            from[i] = data + i * size % (DATA_BYTES - size + 1);               \
            length[i] = size;                                                  \
        }                                                                      \
        while (reps--)                                                         \
            hk_##algorithm##_many(MANY, from, length, digest);                 \
        memcpy(out, digest[0], DIGEST);                                        \
    }
#define MANY 32

BLOCK_FAMILY(sha1, uint32_t, 5)
MESSAGE_FAMILY(sha1)
LANES_FAMILY(sha1, uint32_t, 5)
MANY_FAMILY(sha1, HK_SHA1_DIGEST)
BLOCK_FAMILY(sha256, uint32_t, 8)
MESSAGE_FAMILY(sha256)
LANES_FAMILY(sha256, uint32_t, 8)
MANY_FAMILY(sha256, HK_SHA256_DIGEST)
BLOCK_FAMILY(sha512, uint64_t, 8)
MESSAGE_FAMILY(sha512)
LANES_FAMILY(sha512, uint64_t, 8)
MANY_FAMILY(sha512, HK_SHA512_DIGEST)

/* SHA-1 with collision detection has another kernel, and the same messages. */
static void sha1dc_blocks(const struct entry *entry, const uint8_t *data,
                          size_t size, unsigned reps, uint8_t *out)
{
    hk_sha1dc_kernel *kernel = (hk_sha1dc_kernel *)entry->function;
    uint32_t state[10] = {0};

    while (reps--)
        kernel(state, data, size / 64, NULL);
    memcpy(out, state, sizeof state);
}

/* A call has as many blocks as sha1dc_many.c gives it. */
static void sha1dc_lanes(const struct entry *entry, const uint8_t *data,
                         size_t size, unsigned reps, uint8_t *out)
{
    hk_sha1dcx_kernel *kernel = (hk_sha1dcx_kernel *)entry->function;
    uint32_t states[HK_LANES_MAX][5] = {{0}}, *state[HK_LANES_MAX];
    uint32_t records[8 * 6 * HK_LANES_MAX];
    const uint8_t *from[HK_LANES_MAX];

    for (size_t i = 0; i < HK_LANES_MAX; i++)
        state[i] = states[i];
    while (reps--)
        for (size_t at = 0, n; at < size / 64; at += n) {
            n = size / 64 - at < 8 ? size / 64 - at : 8;
            for (size_t i = 0; i < HK_LANES_MAX; i++)
                from[i] = data + i * size % (DATA_BYTES - size + 1) + 64 * at;
            kernel(state, from, n, records);
        }
    memcpy(out, states[0], sizeof states[0]);
    memcpy(out + sizeof states[0], states[0], sizeof states[0]);
}

MESSAGE_FAMILY(sha1dc)
MANY_FAMILY(sha1dc, HK_SHA1_DIGEST)

/* SipHash kernels hash messages themselves, or take in words. */
static const uint8_t key[HK_SIPHASH_KEY] = {1, 2, 3};

#define SIPHASH_FAMILY(algorithm, c_rounds, d_rounds)                          \
    static void algorithm##_message(const struct entry *entry,                 \
                                    const uint8_t *data, size_t size,          \
                                    unsigned reps, uint8_t *out)               \
    {                                                                          \
        hk_siphash_kernel *kernel = (hk_siphash_kernel *)entry->function;      \
        uint64_t hash = 0;                                                     \
                                                                               \
        while (reps--)                                                         \
            hash = kernel(key, data, size);                                    \
        memcpy(out, &hash, sizeof hash);                                       \
    }                                                                          \
                                                                               \
    static void algorithm##_call(const struct entry *entry,                    \
                                 const uint8_t *data, size_t size,             \
                                 unsigned reps, uint8_t *out)                  \
    {                                                                          \
        uint64_t hash = 0;                                                     \
                                                                               \
        (void)entry;                                                           \
        while (reps--)                                                         \
            hash = hk_##algorithm(key, data, size);                            \
        memcpy(out, &hash, sizeof hash);                                       \
    }                                                                          \
                                                                               \
    static void algorithm##_file(const struct entry *entry, int fd,            \
                                 uint8_t *out)                                 \
    {                                                                          \
        hk_siphash_ctx ctx;                                                    \
        size_t n;                                                              \
        uint64_t hash;                                                         \
                                                                               \
        (void)entry;                                                           \
        hk_siphash_init64(&ctx, key, c_rounds, d_rounds);                      \
        while ((n = read_file(fd)) > 0)                                        \
            hk_siphash_update(&ctx, file_buffer, n);                           \
        hash = hk_siphash_final64(&ctx);                                       \
        memcpy(out, &hash, sizeof hash);                                       \
    }

SIPHASH_FAMILY(siphash24, 2, 4)
SIPHASH_FAMILY(siphash13, 1, 3)

static void sipabsorb_blocks(const struct entry *entry, const uint8_t *data,
                             size_t size, unsigned reps, uint8_t *out)
{
    hk_sipabsorb_kernel *kernel = (hk_sipabsorb_kernel *)entry->function;
    uint64_t state[4] = {0};

    while (reps--)
        kernel(state, data, size / 8, 2);
    memcpy(out, state, sizeof state);
}

static const size_t sizes[] = {16,    64,     256,     1024, 4096,
                               32768, 262144, 1048576, 0};
static const size_t compare_sizes[] = {64, 1024, 65536, 0};
static const size_t short_sizes[] = {4,   7,   8,    16,    32, 64,
                                     128, 445, 1024, 65536, 0};
static const size_t short_compare[] = {8, 64, 1024, 65536, 0};

/* clang-format off */
static const struct family families[] = {
    {"sha1", 64, 9, 0, sizes, compare_sizes,
     sha1_blocks, sha1_message, sha1_call, sha1_lanes, sha1_many,
     sha1_file},
    {"sha1dc", 64, 9, 0, sizes, compare_sizes,
     sha1dc_blocks, sha1dc_message, sha1dc_call, sha1dc_lanes, sha1dc_many,
     sha1dc_file},
    {"sha256", 64, 9, 0, sizes, compare_sizes,
     sha256_blocks, sha256_message, sha256_call, sha256_lanes, sha256_many,
     sha256_file},
    {"sha512", 128, 17, 0, sizes, compare_sizes,
     sha512_blocks, sha512_message, sha512_call, sha512_lanes, sha512_many,
     sha512_file},
    {"siphash24", 8, 1, 16, short_sizes, short_compare,
     NULL, siphash24_message, siphash24_call, NULL, NULL, siphash24_file},
    {"siphash13", 8, 1, 12, short_sizes, short_compare,
     NULL, siphash13_message, siphash13_call, NULL, NULL, siphash13_file},
    {"sipabsorb", 8, 0, 0, short_sizes, short_compare,
     sipabsorb_blocks, NULL, NULL, NULL, NULL, NULL},
};
/* clang-format on */

const struct family *find_family(const char *algorithm)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (!strcmp(families[i].algorithm, algorithm))
            return &families[i];
    return NULL;
}

void add_row(struct entries *entries, const struct family *family,
             const struct entry *row)
{
    struct entry entry = *row;

    entry.level = BLOCKS;
    entry.run = entry.lanes ? family->lanes : family->blocks;
    if (entry.run)
        add_entry(entries, &entry);
    entry.level = MESSAGES;
    entry.run = entry.lanes ? NULL : family->message;
    entry.file = family->blocks ? family->file : NULL;
    if (entry.run)
        add_entry(entries, &entry);
}

/* Of "sha1", and of "sha1x", which has lanes for the same. */
static int is_of(const struct hk_kernel *row, const char *algorithm)
{
    size_t length = strlen(algorithm);

    return !strncmp(row->algorithm, algorithm, length) &&
           (!row->algorithm[length] || !strcmp(row->algorithm + length, "x"));
}

/* What the kernel that is in use needs; 0 if none is in use. */
static unsigned needs_of(const char *algorithm, const char *suffix)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);
    char name[32];
    const char *used;

    snprintf(name, sizeof name, "%s%s", algorithm, suffix);
    used = hk_kernel_in_use(name);
    for (size_t i = 0; used && i < count; i++)
        if (!strcmp(rows[i].name, used))
            return rows[i].needs;
    return 0;
}

size_t add_rows(struct entries *entries, const char *algorithm)
{
    size_t count, unknown = 0;
    const struct hk_kernel *rows = hk_kernels(&count);
    const struct family *family = find_family(algorithm);
    unsigned features = hk_cpu_features();
    struct entry entry = {.algorithm = algorithm, .tier = ""};

    for (size_t i = 0; i < count; i++) {
        if (!is_of(&rows[i], algorithm))
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
        entry.lanes = strcmp(rows[i].algorithm, algorithm) != 0;
        entry.messages = entry.lanes ? HK_LANES_OF(rows[i].variant) : 1;
        add_row(entries, family, &entry);
    }
    if (family && family->call) {
        entry.needs = needs_of(algorithm, "");
        entry.name = "one call";
        entry.source = "API";
        entry.function = NULL;
        entry.level = MESSAGES;
        entry.messages = 1;
        entry.lanes = 0;
        entry.run = family->call;
        entry.file = family->file;
        add_entry(entries, &entry);
    }
    if (family && family->many) {
        entry.lanes = needs_of(algorithm, "x") != 0;
        entry.needs = needs_of(algorithm, entry.lanes ? "x" : "");
        entry.name = "32 messages";
        entry.messages = MANY;
        entry.run = family->many;
        entry.file = NULL;
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
 * Three summands, one of them constant, are one operation (x86's LEA; ARM has
 * other means).
 *
 * SHA-1, a round: a' = rotl(a,5) + f(b,c,d) + e + W + K waits for two operations
 * on a (rotate, add). It takes rotl(a,5), rotl(b,30), three additions, and f:
 * Ch 3, Parity 2, Maj 4 (two halves added one after the other). A word of the
 * schedule is 3 XOR and a rotate, a message word one byte swap.
 *     rounds 80 * 5 + 20 * 3 + 40 * 2 + 20 * 4 = 620, schedule 64 * 4 + 16
 *
 * SHA-256, a round: e' = d + (h + W + K + Ch) + Sigma1(e) waits for four (rotate,
 * XOR, XOR, add). Sigma0 and Sigma1 are 5 each, Ch 3, Maj 3 (a^b is the next
 * round's b^c), with 4 additions, in all 20. A word of the schedule: sigma0 and
 * sigma1 5 each, 2 additions.
 *     rounds 64 * 20 = 1280, schedule 48 * 12 + 16
 * SHA-512 is the same with 80 rounds and 64 words of schedule.
 *
 * A vector schedule takes about 12 instructions for four words of SHA-1, 30 for
 * a vector of SHA-2; two-operand code copies two registers a round more. AVX2
 * computes twice as many words at once (of two blocks for SHA-1 and SHA-256).
 *
 * Vectors of one word of each lane: a round of SHA-1 is 13 operations, of SHA-2 35,
 * a word of the schedule 6 and 21 (19 of 64 bits). With AVX-512, which rotates and
 * has functions of three bits, they are 7, 17, 3 and 11, and to transpose the
 * messages counts too. The conditions of collision detection are 411 more, 351
 * with AVX-512.
 *
 * SHA-1 with collision detection is SHA-1 with more beside it. A SipRound is 14
 * operations of which four wait for each other; a word takes two XOR as well.
 *
 * On i386 a 64-bit addition or logic operation is two, a rotate six. With SSE2
 * in 64-bit lanes a rotate is three: 34 vector operations a round and 12 a word.
 */
struct work {
    const char *algorithm;
    unsigned needs; /* the first line is taken that needs no more than asked */
    unsigned chain, alu, rotate, vector, slots;
    enum rate hardware; /* 0, or the instruction that does the rounds, */
    unsigned times;     /* and how many of them a block takes */
};

#define SIMD (HK_CPU_SSE2 | HK_CPU_SSSE3 | HK_CPU_SSE41 | HK_CPU_AVX)

static const struct work works[] = {
#ifdef __x86_64__
    {"sha1x", HK_CPU_AVX512, 0, 0, 0, 0, 0, ZMM, (80 * 7 + 64 * 3 + 80) / 16},
    {"sha1x", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA1_LANES, 20},
    {"sha1x", HK_CPU_AVX2, 0, 0, 0, (80 * 13 + 64 * 6) / 8, 0, 0, 0},
    {"sha1x", HK_CPU_SSSE3, 0, 0, 0, (80 * 13 + 64 * 6) / 4, 0, 0, 0},
    {"sha1dcx", HK_CPU_AVX512, 0, 0, 0, 0, 0, ZMM,
     (80 * 7 + 64 * 3 + 80 + 351) / 16},
    {"sha1dcx", HK_CPU_AVX2, 0, 0, 0, (80 * 13 + 64 * 6 + 411) / 8, 0, 0, 0},
    {"sha256x", HK_CPU_AVX512, 0, 0, 0, 0, 0, ZMM,
     (64 * 17 + 48 * 11 + 80) / 16},
    {"sha256x", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA256_LANES, 32},
    {"sha256x", HK_CPU_AVX2, 0, 0, 0, (64 * 35 + 48 * 21) / 8, 0, 0, 0},
    {"sha256x", HK_CPU_SSSE3, 0, 0, 0, (64 * 35 + 48 * 21) / 4, 0, 0, 0},
    {"sha512x", HK_CPU_AVX512, 0, 0, 0, 0, 0, ZMM,
     (80 * 17 + 64 * 11 + 64) / 8},
    {"sha512x", HK_CPU_AVX2, 0, 0, 0, (80 * 35 + 64 * 19) / 4, 0, 0, 0},
#elif defined(__i386__)
    {"sha1x", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA1_LANES, 20},
    {"sha256x", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA256_LANES, 32},
#endif
    {"sha1", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA1_4, 20},
    {"sha1", HK_CPU_AVX2, 160, 627, 160, 0, 627 + 20 + 120, 0, 0},
    {"sha1", SIMD | HK_CPU_NEON, 160, 627, 160, 0, 627 + 180 + 240, 0, 0},
    {"sha1", 0, 160, 899, 224, 0, 899 + 180 + 80, 0, 0},
    {"sha1dc", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA1_4, 20},
    {"sha1dc", 0, 160, 899, 224, 0, 899 + 180 + 80, 0, 0},
    {"siphash24", 0, 8, 30, 12, 0, 31, 0, 0},
    {"siphash13", 0, 4, 16, 6, 0, 17, 0, 0},
    {"sipabsorb", 0, 8, 30, 12, 0, 31, 0, 0},
    {"sha256", HK_CPU_SHANI, 0, 0, 0, 0, 0, SHA256_2, 32},
    {"sha256", HK_CPU_AVX2, 256, 1290, 384, 0, 1290 + 210, 0, 0},
    {"sha256", SIMD | HK_CPU_NEON, 256, 1290, 384, 0, 1290 + 256 + 400, 0, 0},
    {"sha256", 0, 256, 1872, 672, 0, 1872 + 256 + 192, 0, 0},
#ifdef __i386__
    {"sha512", SIMD | HK_CPU_AVX2, 320, 0, 0, 80 * 34 + 64 * 12, 0, 0, 0},
    {"sha512", 0, 320, 80 * 68 + 64 * 42, 80 * 24 + 64 * 22, 0, 0, 0, 0},
#else
    {"sha512", HK_CPU_AVX2, 320, 1610, 480, 0, 1610 + 480 + 40, 0, 0},
    {"sha512", SIMD | HK_CPU_NEON, 320, 1610, 480, 0, 1610 + 320 + 960, 0, 0},
    {"sha512", 0, 320, 2384, 864, 0, 2384 + 320 + 256, 0, 0},
#endif
};

static void raise_to(double *bound, double cycles, const char *reason,
                     const char **why)
{
    if (cycles > *bound) {
        *bound = cycles;
        *why = reason;
    }
}

/* What the algorithm takes with these features, NULL if that is not known. */
static const struct work *find_work(const char *algorithm, const char *x,
                                    unsigned needs)
{
    char name[20];

    snprintf(name, sizeof name, "%s%s", algorithm, x);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        if (!strcmp(works[i].algorithm, name) &&
            (!works[i].needs || works[i].needs & needs))
            return &works[i];
    return NULL;
}

double bound_cycles(const char *algorithm, unsigned needs, int lanes,
                    const char **why)
{
    const struct work *w = find_work(algorithm, lanes ? "x" : "", needs);
    double bound = 0;
    const char *ignored;

    if (!why)
        why = &ignored;
    *why = "";
    if (!w)
        w = find_work(algorithm, "", needs);
    if (!w)
        return 0;
    if (w->times) {
        raise_to(&bound, w->times * rate_cycles[w->hardware],
                 lanes ? "throughput" : "latency", why);
        return bound;
    }
    if (!lanes) /* which do not wait for each other */
        raise_to(&bound, w->chain, "latency", why);
    raise_to(&bound, w->alu * rate_cycles[ALU], "throughput", why);
    raise_to(&bound, w->rotate * rate_cycles[ROTATE], "throughput", why);
    raise_to(&bound, w->vector * rate_cycles[VECTOR], "throughput", why);
    raise_to(&bound, w->slots * rate_cycles[SLOTS], "front end", why);
    return bound;
}
