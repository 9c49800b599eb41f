/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * cases.c - times of what is no message of one size
 *
 *     cases [--csv] [ROUNDS]
 *
 * Short messages of many lengths, one after the other and in one call; and the
 * blocks that collision detection likes least, those that satisfy the conditions
 * of as many disturbance vectors as a block can (make bench-cases).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "check.h"
#include "hashkern.h"

/* Of machine.c: bench.h has another struct family than check.h. */
double now_ns(void);
const char *emulated(void);

/* What attack.c needs of the check program. */
struct settings settings = {.tree = "."};
void fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static unsigned rounds = 200;
static int csv;

static void least(double *best, double ns)
{
    if (ns < *best)
        *best = ns;
}

/* ---- Ragged messages ----------------------------------------------------- */

enum { MESSAGES_N = 1000, MEAN = 200 };

static uint8_t text[MESSAGES_N * 2 * MEAN];
static const void *data[MESSAGES_N];
static size_t length[MESSAGES_N];

#define RAGGED(algorithm, size)                                                \
    static void ragged_##algorithm(void)                                       \
    {                                                                          \
        static uint8_t one[MESSAGES_N][size], many[MESSAGES_N][size];          \
        double apart = 1e18, together = 1e18;                                  \
                                                                               \
        for (unsigned i = 0; i < rounds; i++) {                                \
            double start = now_ns();                                           \
                                                                               \
            for (size_t n = 0; n < MESSAGES_N; n++)                            \
                hk_##algorithm(data[n], length[n], one[n]);                    \
            least(&apart, now_ns() - start);                                   \
            start = now_ns();                                                  \
            hk_##algorithm##_many(MESSAGES_N, data, length, many);             \
            least(&together, now_ns() - start);                                \
        }                                                                      \
        if (memcmp(one, many, sizeof one))                                     \
            fail("cases: %s: digests differ", #algorithm);                     \
        printf(csv ? "ragged,%s,%.0f,%.0f\n"                                   \
                   : "%-8s %10.0f ns one by one %10.0f ns in one call",        \
               #algorithm, apart, together);                                   \
        if (!csv)                                                              \
            printf(" %6.2f times as fast\n", apart / together);                \
    }

RAGGED(sha1, HK_SHA1_DIGEST)
RAGGED(sha1dc, HK_SHA1_DIGEST)
RAGGED(sha256, HK_SHA256_DIGEST)
RAGGED(sha512, HK_SHA512_DIGEST)

static void ragged(void)
{
    size_t all = 0;

    for (size_t n = 0; n < MESSAGES_N; n++) {
        length[n] = random_below(2 * MEAN + 1);
        data[n] = text + all;
        all += length[n];
    }
    random_bytes(text, all);
    if (!csv)
        printf("%d messages of 0 to %d bytes, %zu in all\n", MESSAGES_N,
               2 * MEAN, all);
    ragged_sha1();
    ragged_sha1dc();
    ragged_sha256();
    ragged_sha512();
}

/* ---- The worst blocks ---------------------------------------------------- */

enum { BLOCKS_N = 512 };

/* Blocks that no vector's conditions, or those of many, hold for. */
static uint8_t usual[BLOCKS_N * 64], worst[BLOCKS_N * 64];

static double block_ns(hk_sha1dc_kernel *kernel, const uint8_t *blocks)
{
    uint32_t state[10] = {1, 2, 3, 4, 5, 1, 2, 3, 4, 5};
    double start = now_ns();

    if (kernel(state, blocks, BLOCKS_N, NULL))
        fail("cases: a block was taken for an attack");
    return (now_ns() - start) / BLOCKS_N;
}

static void worst_blocks(void)
{
    size_t count, vectors_in = 0;
    const struct hk_kernel *rows = hk_kernels(&count);

    attack_load();
    random_bytes(usual, sizeof usual);
    random_bytes(worst, sizeof worst);
    for (size_t n = 0; n < BLOCKS_N; n++) {
        struct crafter crafter;

        craft_for_many(&crafter);
        craft(&crafter, worst + 64 * n);
        for (uint32_t set = crafter.set; set; set &= set - 1)
            vectors_in++;
    }
    if (!csv)
        printf("\nBlocks for which the conditions of %.1f vectors hold\n",
               (double)vectors_in / BLOCKS_N);
    for (size_t i = 0; i < count; i++) {
        hk_sha1dc_kernel *kernel = (hk_sha1dc_kernel *)rows[i].function;
        double random = 1e18, crafted = 1e18;

        if (strcmp(rows[i].algorithm, "sha1dc") ||
            rows[i].needs & ~hk_cpu_features())
            continue;
        for (unsigned k = 0; k < rounds / 4 + 1; k++) {
            least(&random, block_ns(kernel, usual));
            least(&crafted, block_ns(kernel, worst));
        }
        printf(csv ? "worst,%s,%.1f,%.1f\n"
                   : "%-14s %8.1f ns a random block %8.1f ns one of these\n",
               rows[i].name, random, crafted);
    }
}

int main(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--csv"))
            csv = 1;
        else
            rounds = (unsigned)strtoul(argv[i], NULL, 10);
    }
    if (emulated()) {
        fprintf(stderr, "cases: no times here: %s\n", emulated());
        return 3;
    }
    random_start(1, "cases");
    ragged();
    worst_blocks();
    return 0;
}
