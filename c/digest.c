/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * digest.c - the unkeyed algorithms by name
 */
#include <string.h>

#include "digest.h"

#define INIT_AND_UPDATE(name)                                                  \
    static void name##_init(union hk_digest_ctx *ctx)                          \
    {                                                                          \
        hk_##name##_init(&ctx->name);                                          \
    }                                                                          \
                                                                               \
    static void name##_update(union hk_digest_ctx *ctx, const void *data,      \
                              size_t len)                                      \
    {                                                                          \
        hk_##name##_update(&ctx->name, data, len);                             \
    }

#define SHA(name)                                                              \
    INIT_AND_UPDATE(name)                                                      \
                                                                               \
    static int name##_final(union hk_digest_ctx *ctx, uint8_t *digest)         \
    {                                                                          \
        hk_##name##_final(&ctx->name, digest);                                 \
        return 0;                                                              \
    }

SHA(sha1)
SHA(sha224)
SHA(sha256)
SHA(sha384)
SHA(sha512)
SHA(sha512_224)
SHA(sha512_256)

INIT_AND_UPDATE(sha1dc)

static int sha1dc_final(union hk_digest_ctx *ctx, uint8_t *digest)
{
    return hk_sha1dc_final(&ctx->sha1dc, digest);
}

#define DIGEST(name, kernels, size)                                            \
    {                                                                          \
#name, #kernels, size, name##_init, name##_update, name##_final        \
    }

const struct hk_digest hk_digests[] = {
    DIGEST(sha1, sha1, HK_SHA1_DIGEST),
    DIGEST(sha1dc, sha1dc, HK_SHA1_DIGEST),
    DIGEST(sha224, sha256, HK_SHA224_DIGEST),
    DIGEST(sha256, sha256, HK_SHA256_DIGEST),
    DIGEST(sha384, sha512, HK_SHA384_DIGEST),
    DIGEST(sha512, sha512, HK_SHA512_DIGEST),
    DIGEST(sha512_224, sha512, HK_SHA512_224_DIGEST),
    DIGEST(sha512_256, sha512, HK_SHA512_256_DIGEST),
};

const size_t hk_digest_count = sizeof hk_digests / sizeof hk_digests[0];

const struct hk_digest *hk_digest_named(const char *name)
{
    for (size_t i = 0; i < hk_digest_count; i++)
        if (!strcmp(hk_digests[i].name, name))
            return &hk_digests[i];
    return NULL;
}
