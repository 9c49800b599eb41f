/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_algorithm.c - the algorithms behind one interface; --list
 */
#include <stdio.h>
#include <string.h>

#include "hksum.h"

hk_function *chosen_kernel;
uint8_t chosen_key[HK_SIPHASH_KEY];

#define START_AND_ADD(algorithm, family)                                       \
    static void algorithm##_start(union hash *hash)                            \
    {                                                                          \
        hk_##algorithm##_init(&hash->algorithm);                               \
        if (chosen_kernel)                                                     \
            hash->algorithm.kernel = (hk_##family##_kernel *)chosen_kernel;    \
    }                                                                          \
                                                                               \
    static void algorithm##_add(union hash *hash, const void *data,            \
                                size_t len)                                    \
    {                                                                          \
        hk_##algorithm##_update(&hash->algorithm, data, len);                  \
    }

#define SHA(algorithm, family)                                                 \
    START_AND_ADD(algorithm, family)                                           \
                                                                               \
    static void algorithm##_many(size_t count, const void *const data[],       \
                                 const size_t len[], uint8_t *digests,         \
                                 uint8_t *attack)                              \
    {                                                                          \
        hk_##algorithm##_many(count, data, len, (void *)digests);              \
        memset(attack, 0, count);                                              \
    }                                                                          \
                                                                               \
    static int algorithm##_end(union hash *hash, uint8_t *digest)              \
    {                                                                          \
        hk_##algorithm##_final(&hash->algorithm, digest);                      \
        return 0;                                                              \
    }

SHA(sha1, sha1)
SHA(sha224, sha256)
SHA(sha256, sha256)
SHA(sha384, sha512)
SHA(sha512, sha512)
SHA(sha512_224, sha512)
SHA(sha512_256, sha512)

START_AND_ADD(sha1dc, sha1dc)

static void sha1dc_many(size_t count, const void *const data[],
                        const size_t len[], uint8_t *digests, uint8_t *attack)
{
    hk_sha1dc_many_each(count, data, len, (void *)digests, attack);
}

static int sha1dc_end(union hash *hash, uint8_t *digest)
{
    return hk_sha1dc_final(&hash->sha1dc, digest);
}

static void siphash24_start(union hash *hash)
{
    hk_siphash_init64(&hash->siphash, chosen_key, 2, 4);
}

static void siphash13_start(union hash *hash)
{
    hk_siphash_init64(&hash->siphash, chosen_key, 1, 3);
}

static void siphash_add(union hash *hash, const void *data, size_t len)
{
    hk_siphash_update(&hash->siphash, data, len);
}

/* The authors' 8 bytes: the number, little-endian. */
static int siphash_end(union hash *hash, uint8_t *digest)
{
    uint64_t value = hk_siphash_final64(&hash->siphash);

    for (int i = 0; i < 8; i++)
        digest[i] = (uint8_t)(value >> 8 * i);
    return 0;
}

/* clang-format off */
const struct algorithm algorithms[] = {
    {"sha1", "SHA1", "sha1", true, false, HK_SHA1_DIGEST,
     sha1_start, sha1_add, sha1_end, sha1_many},
    {"sha1dc", "SHA1", "sha1dc", false, false, HK_SHA1_DIGEST,
     sha1dc_start, sha1dc_add, sha1dc_end, sha1dc_many},
    {"sha224", "SHA224", "sha256", true, false, HK_SHA224_DIGEST,
     sha224_start, sha224_add, sha224_end, sha224_many},
    {"sha256", "SHA256", "sha256", true, false, HK_SHA256_DIGEST,
     sha256_start, sha256_add, sha256_end, sha256_many},
    {"sha384", "SHA384", "sha512", true, false, HK_SHA384_DIGEST,
     sha384_start, sha384_add, sha384_end, sha384_many},
    {"sha512", "SHA512", "sha512", true, false, HK_SHA512_DIGEST,
     sha512_start, sha512_add, sha512_end, sha512_many},
    {"sha512_224", "SHA512-224", "sha512", false, false, HK_SHA512_224_DIGEST,
     sha512_224_start, sha512_224_add, sha512_224_end, sha512_224_many},
    {"sha512_256", "SHA512-256", "sha512", false, false, HK_SHA512_256_DIGEST,
     sha512_256_start, sha512_256_add, sha512_256_end, sha512_256_many},
    {"siphash24", "SIPHASH24", "sipabsorb", false, true, 8,
     siphash24_start, siphash_add, siphash_end, NULL},
    {"siphash13", "SIPHASH13", "sipabsorb", false, true, 8,
     siphash13_start, siphash_add, siphash_end, NULL},
};
/* clang-format on */

const size_t algorithm_count = sizeof algorithms / sizeof algorithms[0];

const struct algorithm *find_algorithm(const char *name, size_t length)
{
    for (size_t i = 0; i < algorithm_count; i++)
        if (strlen(algorithms[i].name) == length &&
            !memcmp(algorithms[i].name, name, length))
            return &algorithms[i];
    return NULL;
}

/* ---- Kernels ------------------------------------------------------------- */

/* Names of HK_CPU_* bits, as people write them. */
static const struct {
    unsigned bit;
    const char *name;
} features[] = {
    {HK_CPU_SSE2, "SSE2"}, {HK_CPU_SSSE3, "SSSE3"},  {HK_CPU_SSE41, "SSE4.1"},
    {HK_CPU_AVX, "AVX"},   {HK_CPU_AVX2, "AVX2"},    {HK_CPU_BMI1, "BMI1"},
    {HK_CPU_BMI2, "BMI2"}, {HK_CPU_SHANI, "SHA-NI"}, {HK_CPU_AVX512, "AVX-512"},
    {HK_CPU_V6, "ARMv6"},  {HK_CPU_T2, "Thumb-2"},   {HK_CPU_NEON, "NEON"},
    {HK_CPU_SHA1, "SHA1"}, {HK_CPU_SHA2, "SHA2"},    {HK_CPU_SHA512, "SHA512"},
    {HK_CPU_A32, "ARM"},
};

static const char *feature_names(unsigned bits)
{
    static char text[128];
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (bits & features[i].bit)
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                 length ? " " : "", features[i].name);
    return text;
}

bool choose_kernel(const struct algorithm *algorithm, const char *name)
{
    size_t count, skip = strlen(algorithm->rows) + 1;
    const struct hk_kernel *rows = hk_kernels(&count);
    unsigned missing;

    if (algorithm->keyed) {
        complain(0, "the kernels of %s cannot be chosen", algorithm->name);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].algorithm, algorithm->rows) ||
            (strcmp(rows[i].name, name) && strcmp(rows[i].name + skip, name)))
            continue;
        missing = rows[i].needs & ~hk_cpu_features();
        if (missing) {
            complain(0, "kernel %s needs %s, which this CPU does not have",
                     rows[i].name, feature_names(missing));
            return false;
        }
        chosen_kernel = rows[i].function;
        return true;
    }
    complain(0, "%s has no kernel %s; --list shows all", algorithm->name,
             quoted(name));
    return false;
}

bool set_key(const char *hex)
{
    size_t length = strlen(hex);

    if (length == 2 * sizeof chosen_key &&
        strspn(hex, "0123456789abcdefABCDEF") == length) {
        for (size_t i = 0; i < sizeof chosen_key; i++) {
            unsigned byte;

            sscanf(hex + 2 * i, "%2x", &byte);
            chosen_key[i] = (uint8_t)byte;
        }
        return true;
    }
    complain(0, "a key is %zu hexadecimal digits", 2 * sizeof chosen_key);
    return false;
}

void list_kernels(void)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    printf("%-20s %-24s %s\n", "kernel", "needs", "on this CPU");
    for (size_t i = 0; i < count; i++) {
        unsigned missing = rows[i].needs & ~hk_cpu_features();
        const char *used = hk_kernel_in_use(rows[i].algorithm);

        printf("%-20s %-24s ", rows[i].name,
               rows[i].needs ? feature_names(rows[i].needs) : "-");
        if (missing)
            printf("not without %s\n", feature_names(missing));
        else if (used && !strcmp(used, rows[i].name))
            printf("in use\n");
        else
            printf("can run\n");
    }
}
