/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * provider.c - hashkern as a provider of OpenSSL 3
 *
 *     openssl dgst -sha256 -provider-path DIR -provider hashkern FILE
 *
 * Offers SHA1, SHA2-224, -256, -384, -512, -512/224, -512/256 and SIPHASH, under
 * all names that the default provider has for them, with the property
 * provider=hashkern. Programs that want nothing else from here say so in a
 * configuration file, or fetch by that property.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "hashkern.h"
#include "memory.h"

#define UNUSED(x) ((void)(x))

/* A dispatch table holds functions of all types as functions of one. */
#define ENTRY(id, function)                                                    \
    {                                                                          \
        (id), (void (*)(void))(function)                                       \
    }
#define END                                                                    \
    {                                                                          \
        0, NULL                                                                \
    }

/* Sets a parameter if it was asked for. */
static int set_size(OSSL_PARAM params[], const char *name, size_t value)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);

    return !param || OSSL_PARAM_set_size_t(param, value);
}

static int set_text(OSSL_PARAM params[], const char *name, const char *value)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);

    return !param || OSSL_PARAM_set_utf8_ptr(param, value);
}

/* ---- Digests ------------------------------------------------------------- */

static const OSSL_PARAM *digest_gettable(void *provider)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
        OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
        OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL), OSSL_PARAM_END};

    UNUSED(provider);
    return params;
}

/* As of the default provider: no output of any length, and an algorithm
 * identifier without parameters (RFC 5754). */
static int digest_get(OSSL_PARAM params[], size_t block, size_t size)
{
    OSSL_PARAM *xof = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_XOF);
    OSSL_PARAM *absent =
        OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_ALGID_ABSENT);

    return set_size(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, block) &&
           set_size(params, OSSL_DIGEST_PARAM_SIZE, size) &&
           (!xof || OSSL_PARAM_set_int(xof, 0)) &&
           (!absent || OSSL_PARAM_set_int(absent, 1));
}

/* The functions of one algorithm and their table, <name>_functions. A context
 * is plain data: a copy is a clone. */
#define DIGEST(name, BLOCK, SIZE)                                              \
    static void *name##_new(void *provider)                                    \
    {                                                                          \
        UNUSED(provider);                                                      \
        return calloc(1, sizeof(hk_##name##_ctx));                             \
    }                                                                          \
    static void name##_free(void *ctx)                                         \
    {                                                                          \
        if (ctx)                                                               \
            hk_wipe(ctx, sizeof(hk_##name##_ctx));                             \
        free(ctx);                                                             \
    }                                                                          \
    static void *name##_dup(void *ctx)                                         \
    {                                                                          \
        hk_##name##_ctx *copy = malloc(sizeof *copy);                          \
                                                                               \
        if (copy)                                                              \
            *copy = *(hk_##name##_ctx *)ctx;                                   \
        return copy;                                                           \
    }                                                                          \
    static int name##_init(void *ctx, const OSSL_PARAM params[])               \
    {                                                                          \
        UNUSED(params); /* there are none to set */                            \
        hk_##name##_init(ctx);                                                 \
        return 1;                                                              \
    }                                                                          \
    static int name##_update(void *ctx, const unsigned char *data, size_t len) \
    {                                                                          \
        hk_##name##_update(ctx, data, len);                                    \
        return 1;                                                              \
    }                                                                          \
    static int name##_final(void *ctx, unsigned char *digest, size_t *len,     \
                            size_t room)                                       \
    {                                                                          \
        if (room < (SIZE))                                                     \
            return 0;                                                          \
        hk_##name##_final(ctx, digest);                                        \
        *len = (SIZE);                                                         \
        return 1;                                                              \
    }                                                                          \
    static int name##_digest(void *provider, const unsigned char *data,        \
                             size_t len, unsigned char *digest,                \
                             size_t *digest_len, size_t room)                  \
    {                                                                          \
        UNUSED(provider);                                                      \
        if (room < (SIZE))                                                     \
            return 0;                                                          \
        hk_##name(data, len, digest);                                          \
        *digest_len = (SIZE);                                                  \
        return 1;                                                              \
    }                                                                          \
    static int name##_get(OSSL_PARAM params[])                                 \
    {                                                                          \
        return digest_get(params, (BLOCK), (SIZE));                            \
    }                                                                          \
    static const OSSL_DISPATCH name##_functions[] = {                          \
        ENTRY(OSSL_FUNC_DIGEST_NEWCTX, name##_new),                            \
        ENTRY(OSSL_FUNC_DIGEST_FREECTX, name##_free),                          \
        ENTRY(OSSL_FUNC_DIGEST_DUPCTX, name##_dup),                            \
        ENTRY(OSSL_FUNC_DIGEST_INIT, name##_init),                             \
        ENTRY(OSSL_FUNC_DIGEST_UPDATE, name##_update),                         \
        ENTRY(OSSL_FUNC_DIGEST_FINAL, name##_final),                           \
        ENTRY(OSSL_FUNC_DIGEST_DIGEST, name##_digest),                         \
        ENTRY(OSSL_FUNC_DIGEST_GET_PARAMS, name##_get),                        \
        ENTRY(OSSL_FUNC_DIGEST_GETTABLE_PARAMS, digest_gettable),              \
        END}

DIGEST(sha1, HK_SHA1_BLOCK, HK_SHA1_DIGEST);
DIGEST(sha224, HK_SHA256_BLOCK, HK_SHA224_DIGEST);
DIGEST(sha256, HK_SHA256_BLOCK, HK_SHA256_DIGEST);
DIGEST(sha384, HK_SHA512_BLOCK, HK_SHA384_DIGEST);
DIGEST(sha512, HK_SHA512_BLOCK, HK_SHA512_DIGEST);
DIGEST(sha512_224, HK_SHA512_BLOCK, HK_SHA512_224_DIGEST);
DIGEST(sha512_256, HK_SHA512_BLOCK, HK_SHA512_256_DIGEST);

/* ---- SipHash as a message authentication code ---------------------------- */

enum { C_ROUNDS = 2, D_ROUNDS = 4, MOST_ROUNDS = 255 };

struct siphash {
    hk_siphash_ctx hash;
    size_t size; /* of the code: 8 or 16 bytes */
    unsigned c_rounds, d_rounds;
    int has_key;
    int begun; /* hash is initialised: the parameters are fixed */
    uint8_t key[HK_SIPHASH_KEY];
};

static void *siphash_new(void *provider)
{
    struct siphash *mac = calloc(1, sizeof *mac);

    UNUSED(provider);
    if (mac) {
        mac->size = 16;
        mac->c_rounds = C_ROUNDS;
        mac->d_rounds = D_ROUNDS;
    }
    return mac;
}

static void siphash_free(void *ctx)
{
    if (ctx)
        hk_wipe(ctx, sizeof(struct siphash));
    free(ctx);
}

static void *siphash_dup(void *ctx)
{
    struct siphash *copy = malloc(sizeof *copy);

    if (copy)
        *copy = *(struct siphash *)ctx;
    return copy;
}

static int siphash_set_key(struct siphash *mac, const void *key, size_t len)
{
    if (len != HK_SIPHASH_KEY)
        return 0;
    hk_copy(mac->key, key, HK_SIPHASH_KEY);
    mac->has_key = 1;
    mac->begun = 0;
    return 1;
}

/* 0 stands for the default. */
static int get_rounds(const OSSL_PARAM *param, unsigned standard,
                      unsigned *rounds)
{
    unsigned value;

    if (!OSSL_PARAM_get_uint(param, &value) || value > MOST_ROUNDS)
        return 0;
    *rounds = value ? value : standard;
    return 1;
}

/* Size and rounds go into the start of the hash, so they come before data. */
static int siphash_set(void *ctx, const OSSL_PARAM params[])
{
    struct siphash *mac = ctx;

    for (; params && params->key; params++) {
        if (!strcmp(params->key, OSSL_MAC_PARAM_KEY)) {
            if (params->data_type != OSSL_PARAM_OCTET_STRING ||
                !siphash_set_key(mac, params->data, params->data_size))
                return 0;
        } else if (!strcmp(params->key, OSSL_MAC_PARAM_SIZE)) {
            size_t size;

            if (!OSSL_PARAM_get_size_t(params, &size) ||
                (size != 8 && size != 16) || (mac->begun && size != mac->size))
                return 0;
            mac->size = size;
        } else if (!strcmp(params->key, OSSL_MAC_PARAM_C_ROUNDS)) {
            if (mac->begun || !get_rounds(params, C_ROUNDS, &mac->c_rounds))
                return 0;
        } else if (!strcmp(params->key, OSSL_MAC_PARAM_D_ROUNDS)) {
            if (mac->begun || !get_rounds(params, D_ROUNDS, &mac->d_rounds))
                return 0;
        }
    }
    return 1;
}

/* Without a key it starts again with the one that it has, if any. */
static int siphash_init(void *ctx, const unsigned char *key, size_t len,
                        const OSSL_PARAM params[])
{
    struct siphash *mac = ctx;

    mac->begun = 0;
    return siphash_set(mac, params) && (!key || siphash_set_key(mac, key, len));
}

static int begin(struct siphash *mac)
{
    if (mac->begun)
        return 1;
    if (!mac->has_key)
        return 0;
    if (mac->size == 8)
        hk_siphash_init64(&mac->hash, mac->key, mac->c_rounds, mac->d_rounds);
    else
        hk_siphash_init128(&mac->hash, mac->key, mac->c_rounds, mac->d_rounds);
    mac->begun = 1;
    return 1;
}

static int siphash_update(void *ctx, const unsigned char *data, size_t len)
{
    struct siphash *mac = ctx;

    if (!begin(mac))
        return 0;
    hk_siphash_update(&mac->hash, data, len);
    return 1;
}

static int siphash_final(void *ctx, unsigned char *code, size_t *len,
                         size_t room)
{
    struct siphash *mac = ctx;

    if (room < mac->size || !begin(mac))
        return 0;
    if (mac->size == 8)
        hk_store_le64(code, hk_siphash_final64(&mac->hash));
    else
        hk_siphash_final128(&mac->hash, code);
    *len = mac->size;
    mac->begun = 0;
    return 1;
}

static const OSSL_PARAM *siphash_gettable(void *ctx, void *provider)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_uint(OSSL_MAC_PARAM_C_ROUNDS, NULL),
        OSSL_PARAM_uint(OSSL_MAC_PARAM_D_ROUNDS, NULL), OSSL_PARAM_END};

    UNUSED(ctx);
    UNUSED(provider);
    return params;
}

static int siphash_get(void *ctx, OSSL_PARAM params[])
{
    const struct siphash *mac = ctx;
    OSSL_PARAM *c = OSSL_PARAM_locate(params, OSSL_MAC_PARAM_C_ROUNDS);
    OSSL_PARAM *d = OSSL_PARAM_locate(params, OSSL_MAC_PARAM_D_ROUNDS);

    return set_size(params, OSSL_MAC_PARAM_SIZE, mac->size) &&
           (!c || OSSL_PARAM_set_uint(c, mac->c_rounds)) &&
           (!d || OSSL_PARAM_set_uint(d, mac->d_rounds));
}

static const OSSL_PARAM *siphash_settable(void *ctx, void *provider)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_uint(OSSL_MAC_PARAM_C_ROUNDS, NULL),
        OSSL_PARAM_uint(OSSL_MAC_PARAM_D_ROUNDS, NULL), OSSL_PARAM_END};

    UNUSED(ctx);
    UNUSED(provider);
    return params;
}

static const OSSL_DISPATCH siphash_functions[] = {
    ENTRY(OSSL_FUNC_MAC_NEWCTX, siphash_new),
    ENTRY(OSSL_FUNC_MAC_FREECTX, siphash_free),
    ENTRY(OSSL_FUNC_MAC_DUPCTX, siphash_dup),
    ENTRY(OSSL_FUNC_MAC_INIT, siphash_init),
    ENTRY(OSSL_FUNC_MAC_UPDATE, siphash_update),
    ENTRY(OSSL_FUNC_MAC_FINAL, siphash_final),
    ENTRY(OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, siphash_gettable),
    ENTRY(OSSL_FUNC_MAC_GET_CTX_PARAMS, siphash_get),
    ENTRY(OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, siphash_settable),
    ENTRY(OSSL_FUNC_MAC_SET_CTX_PARAMS, siphash_set),
    END};

/* ---- The provider -------------------------------------------------------- */

#define PROPERTY "provider=hashkern"
#define OFFER(names, of)                                                       \
    {                                                                          \
        (names), PROPERTY, of##_functions, NULL                                \
    }
#define NO_MORE                                                                \
    {                                                                          \
        NULL, NULL, NULL, NULL                                                 \
    }

/* Object identifiers are those of RFC 8017 and NIST. */
static const OSSL_ALGORITHM digests[] = {
    OFFER("SHA1:SHA-1:1.3.14.3.2.26", sha1),
    OFFER("SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4", sha224),
    OFFER("SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1", sha256),
    OFFER("SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2", sha384),
    OFFER("SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3", sha512),
    OFFER("SHA2-512/224:SHA-512/224:SHA512-224:2.16.840.1.101.3.4.2.5",
          sha512_224),
    OFFER("SHA2-512/256:SHA-512/256:SHA512-256:2.16.840.1.101.3.4.2.6",
          sha512_256),
    NO_MORE};

static const OSSL_ALGORITHM macs[] = {OFFER("SIPHASH", siphash), NO_MORE};

static const OSSL_ALGORITHM *query(void *provider, int operation, int *no_store)
{
    UNUSED(provider);
    *no_store = 0;
    switch (operation) {
    case OSSL_OP_DIGEST:
        return digests;
    case OSSL_OP_MAC:
        return macs;
    }
    return NULL;
}

static const OSSL_PARAM *gettable(void *provider)
{
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};

    UNUSED(provider);
    return params;
}

static int get(void *provider, OSSL_PARAM params[])
{
    OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);

    UNUSED(provider);
    return set_text(params, OSSL_PROV_PARAM_NAME, "hashkern") &&
           set_text(params, OSSL_PROV_PARAM_VERSION, HK_VERSION) &&
           set_text(params, OSSL_PROV_PARAM_BUILDINFO, HK_VERSION) &&
           (!status || OSSL_PARAM_set_int(status, 1));
}

OSSL_provider_init_fn OSSL_provider_init;

/* There is nothing to keep, but the core takes NULL for a failure. */
int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **provider)
{
    static const OSSL_DISPATCH functions[] = {
        ENTRY(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable),
        ENTRY(OSSL_FUNC_PROVIDER_GET_PARAMS, get),
        ENTRY(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query), END};
    static char nothing;

    UNUSED(handle);
    UNUSED(in);
    *out = functions;
    *provider = &nothing;
    return 1;
}
