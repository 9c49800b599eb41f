/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * kernels.c - kernels.def as data
 */
#define HK_SELECT_sha1      ,
#define HK_SELECT_sha1x     ,
#define HK_SELECT_sha1dc    ,
#define HK_SELECT_sha1dcx   ,
#define HK_SELECT_sha256    ,
#define HK_SELECT_sha256x   ,
#define HK_SELECT_sha512    ,
#define HK_SELECT_sha512x   ,
#define HK_SELECT_siphash24 ,
#define HK_SELECT_siphash13 ,
#define HK_SELECT_sipabsorb ,
#include "kernels.h"

/* Declares each row's symbol, then makes the table of them. Only the address
 * matters here, so every kernel is declared as the generic function. */
#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    extern hk_function hk_##algorithm##_##variant;
#include "kernels.def"
#undef HK_ROW

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    {#algorithm "_" #variant,    #algorithm, #arch, #variant, (needs),         \
     hk_##algorithm##_##variant, weakest},
static const struct hk_kernel kernels[] = {
#include "kernels.def"
};
#undef HK_ROW

#define KERNELS (sizeof kernels / sizeof kernels[0])

const struct hk_kernel *hk_kernels(size_t *count)
{
    *count = KERNELS;
    return kernels;
}

static int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

const char *hk_kernel_in_use(const char *algorithm)
{
    unsigned features = hk_cpu_now();

    for (size_t i = 0; i < KERNELS; i++)
        if (same(kernels[i].algorithm, algorithm) &&
            !(kernels[i].needs & ~features))
            return kernels[i].name;
    return NULL;
}
