/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * call.c - calls one kernel for the instruction count
 *
 *     call                    lists the kernels it can call: name, block bytes
 *     call NAME NBLOCKS...    calls that kernel once for each block count
 *     call NAME+1 NBLOCKS...  the same with data at an odd address
 *
 * After each call cost_stop is called, where the plugin stops counting.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define MOST_BLOCKS 48
#define MOST_OFFSET 64

void cost_stop(void);
__attribute__((noinline)) void cost_stop(void)
{
    __asm__ volatile("" : : : "memory");
}

/* Bytes that a kernel of the block-kernel families, or of their lanes, takes at
 * once; 0: another prototype. All of them take a state, data and a number of
 * blocks, or as many states and data as there are lanes. */
static unsigned block_size(const struct hk_kernel *kernel)
{
    const char *name = kernel->algorithm;

    if (!strcmp(name, "sha1") || !strcmp(name, "sha1dc") ||
        !strcmp(name, "sha256"))
        return 64;
    if (!strcmp(name, "sha512"))
        return 128;
    if (!strcmp(name, "sha1x") || !strcmp(name, "sha1dcx") ||
        !strcmp(name, "sha256x"))
        return 64 * HK_LANES_OF(kernel->variant);
    if (!strcmp(name, "sha512x"))
        return 128 * HK_LANES_OF(kernel->variant);
    return 0;
}

typedef void block_kernel(void *state, const uint8_t *data, size_t nblocks);
typedef void lanes_kernel(void *const state[], const uint8_t *const data[],
                          size_t nblocks);

static void call(const struct hk_kernel *kernel, size_t offset, size_t nblocks)
{
    static uint64_t states[HK_LANES_MAX][8];
    static _Alignas(64) uint8_t buffer[MOST_BLOCKS * 128 + MOST_OFFSET];
    const uint8_t *data = buffer + offset;
    void *state[HK_LANES_MAX];
    const uint8_t *from[HK_LANES_MAX];
    static uint32_t records[MOST_BLOCKS * 6 * HK_LANES_MAX];

    /* The same block again and again, which is no candidate of sha1dc. */
    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = (uint8_t)(i % 64 * 167 + 13);
    for (size_t i = 0; i < HK_LANES_MAX; i++) {
        state[i] = states[i];
        from[i] = data;
    }
    if (!strcmp(kernel->algorithm, "sha1dcx"))
        ((hk_sha1dcx_kernel *)kernel->function)((uint32_t **)state, from,
                                                nblocks, records);
    else if (strchr(kernel->algorithm, 'x'))
        ((lanes_kernel *)kernel->function)(state, from, nblocks);
    else if (!strcmp(kernel->algorithm, "sha1dc"))
        ((hk_sha1dc_kernel *)kernel->function)(state[0], data, nblocks, NULL);
    else
        ((block_kernel *)kernel->function)(state[0], data, nblocks);
    cost_stop();
}

int main(int argc, char **argv)
{
    size_t count, offset = 0;
    char *plus;
    const struct hk_kernel *kernel = hk_kernels(&count);

    if (argc == 1) {
        for (; count--; kernel++)
            printf("%s %u %s\n", kernel->name, block_size(kernel),
                   kernel->needs & ~hk_cpu_features() ? "no" : "yes");
        return 0;
    }
    plus = strchr(argv[1], '+');
    if (plus) {
        *plus = '\0';
        offset = strtoul(plus + 1, NULL, 10);
    }
    while (count && strcmp(kernel->name, argv[1]))
        count--, kernel++;
    if (!count || !block_size(kernel) || offset > MOST_OFFSET) {
        fprintf(stderr, "call: cannot call %s\n", argv[1]);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        size_t nblocks = strtoul(argv[i], NULL, 10);

        if (nblocks > MOST_BLOCKS) {
            fprintf(stderr, "call: at most %d blocks\n", MOST_BLOCKS);
            return 2;
        }
        call(kernel, offset, nblocks);
    }
    return 0;
}
