/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * interwork.c - calls every 32-bit ARM kernel by its name
 *
 * Built once with -marm and once with -mthumb, so that each kernel, whatever
 * state it is in, is called from both by a plain BL, which the linker must have
 * turned into the right call: it does so only if the symbol says that it is a
 * function, and of which state. A line for each row: its name and what the
 * caller was built for.
 */
#include <stdio.h>
#include <string.h>

#define HK_SELECT_sha1      ,
#define HK_SELECT_sha256    ,
#define HK_SELECT_sha512    ,
#define HK_SELECT_siphash24 ,
#define HK_SELECT_siphash13 ,
#define HK_SELECT_sipabsorb ,
#include "kernels.h"

#define DECLARE_sha1      HK_SHA1_KERNEL
#define DECLARE_sha256    HK_SHA256_KERNEL
#define DECLARE_sha512    HK_SHA512_KERNEL
#define DECLARE_siphash24 HK_SIPHASH_KERNEL
#define DECLARE_siphash13 HK_SIPHASH_KERNEL
#define DECLARE_sipabsorb HK_SIPABSORB_KERNEL

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    DECLARE_##algorithm(hk_##algorithm##_##variant);
#include "kernels.def"
#undef HK_ROW

#ifdef __thumb__
#define CALLER "thumb"
#else
#define CALLER "arm"
#endif

static uint8_t data[3 * 128 + 1];
static union {
    uint32_t words[16];
    uint64_t doubles[8];
} got, want;

static void begin(void)
{
    for (unsigned i = 0; i < 16; i++)
        got.words[i] = 0x9e3779b9u * (i + 1);
}

static int differs(const char *name)
{
    int different = memcmp(&got, &want, sizeof got) != 0;

    printf("%sok %s from %s\n", different ? "not " : "", name, CALLER);
    return different;
}

/* The call of a kernel of each algorithm */
#define CALL_sha1(name)      name(got.words, data + 1, 3)
#define CALL_sha256(name)    name(got.words, data + 1, 3)
#define CALL_sha512(name)    name(got.doubles, data + 1, 3)
#define CALL_siphash24(name) (void)(got.doubles[0] = name(data, data + 1, 55))
#define CALL_siphash13(name) (void)(got.doubles[0] = name(data, data + 1, 55))
#define CALL_sipabsorb(name) name(got.doubles, data + 1, 5, 2)

int main(void)
{
    int failed = 0;

    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 29 + 7);
#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    begin();                                                                   \
    CALL_##algorithm(hk_##algorithm##_ref);                                    \
    want = got;                                                                \
    begin();                                                                   \
    CALL_##algorithm(hk_##algorithm##_##variant);                              \
    failed |= differs(#algorithm "_" #variant);
#include "kernels.def"
    return failed;
}
