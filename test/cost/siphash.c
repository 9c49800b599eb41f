/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash.c - calls one SipHash-2-4 function for the instruction count
 *
 *     siphash NAME LENGTH...
 *
 * NAME is a row of kernels.def, or "gcc" or "clang": the portable C row as that
 * compiler makes it at -O3 for the same instruction set (built by siphash.py).
 * After each call cost_stop is called, where the plugin stops counting.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashkern.h"

HK_SIPHASH_KERNEL(hk_siphash24_gcc);
HK_SIPHASH_KERNEL(hk_siphash24_clang);

void cost_stop(void);
__attribute__((noinline)) void cost_stop(void)
{
    __asm__ volatile("" : : : "memory");
}

static hk_siphash_kernel *find(const char *name)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    if (!strcmp(name, "gcc"))
        return hk_siphash24_gcc;
    if (!strcmp(name, "clang"))
        return hk_siphash24_clang;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(rows[i].name, name))
            return (hk_siphash_kernel *)rows[i].function;
    return NULL;
}

int main(int argc, char **argv)
{
    static _Alignas(64) uint8_t data[1 << 16];
    static const uint8_t key[16] = {1, 2, 3};
    hk_siphash_kernel *kernel = argc > 1 ? find(argv[1]) : NULL;

    if (!kernel) {
        fprintf(stderr, "siphash: no such function\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        size_t length = strtoul(argv[i], NULL, 10);

        if (length > sizeof data) {
            fprintf(stderr, "siphash: at most %zu bytes\n", sizeof data);
            return 2;
        }
        kernel(key, data, length);
        cost_stop();
    }
    return 0;
}
