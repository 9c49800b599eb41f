/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * call.c - calls one kernel for the instruction count
 *
 *     call                    lists the kernels it can call: name, block bytes
 *     call NAME NBLOCKS...    calls that kernel once for each block count
 *
 * After each call cost_stop is called, where the plugin stops counting.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashkern.h"

#define MOST_BLOCKS 16

void cost_stop(void);
__attribute__((noinline)) void cost_stop(void)
{
    __asm__ volatile("" : : : "memory");
}

/* Bytes in a block of the block-kernel families; 0: another prototype. All of
 * them take a state, data and a number of blocks. */
static unsigned block_size(const char *algorithm)
{
    if (!strcmp(algorithm, "sha1") || !strcmp(algorithm, "sha256"))
        return 64;
    if (!strcmp(algorithm, "sha512"))
        return 128;
    return 0;
}

typedef void block_kernel(void *state, const uint8_t *data, size_t nblocks);

int main(int argc, char **argv)
{
    static uint64_t state[8];
    static _Alignas(64) uint8_t data[MOST_BLOCKS * 128];
    size_t count;
    const struct hk_kernel *kernel = hk_kernels(&count);

    if (argc == 1) {
        for (; count--; kernel++)
            printf("%s %u\n", kernel->name, block_size(kernel->algorithm));
        return 0;
    }
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 167 + 13);
    while (count && strcmp(kernel->name, argv[1]))
        count--, kernel++;
    if (!count || !block_size(kernel->algorithm)) {
        fprintf(stderr, "call: cannot call %s\n", argv[1]);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        size_t nblocks = strtoul(argv[i], NULL, 10);

        if (nblocks > MOST_BLOCKS) {
            fprintf(stderr, "call: at most %d blocks\n", MOST_BLOCKS);
            return 2;
        }
        ((block_kernel *)kernel->function)(state, data, nblocks);
        cost_stop();
    }
    return 0;
}
