/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * messages.c - the hash functions of the API in one shape, and a second opinion
 */
#include <string.h>

#include "block.h"
#include "check.h"
#include "messages.h"

#define ADAPT(name)                                                            \
    static void name##_init(void *ctx)                                         \
    {                                                                          \
        hk_##name##_init(ctx);                                                 \
    }                                                                          \
    static void name##_update(void *ctx, const void *data, size_t size)        \
    {                                                                          \
        hk_##name##_update(ctx, data, size);                                   \
    }                                                                          \
    static void name##_final(void *ctx, uint8_t *digest)                       \
    {                                                                          \
        (void)hk_##name##_final(ctx, digest);                                  \
    }                                                                          \
    static void name##_once(const void *data, size_t size, uint8_t *digest)    \
    {                                                                          \
        (void)hk_##name(data, size, digest);                                   \
    }                                                                          \
    static void name##_many(size_t count, const void *const data[],            \
                            const size_t size[], uint8_t *digests)             \
    {                                                                          \
        (void)hk_##name##_many(count, data, size, (void *)digests);            \
    }                                                                          \
    static void name##_tree(const void *data, size_t size, size_t chunk,       \
                            uint8_t *digest)                                   \
    {                                                                          \
        (void)hk_##name##_tree(data, size, chunk, digest);                     \
    }
#define ENTRY(name, kernels, digest, block, high)                              \
    {                                                                          \
#name, kernels, digest, block, sizeof(hk_##name##_ctx),                \
            offsetof(hk_##name##_ctx, length), high,                           \
            offsetof(hk_##name##_ctx, state), name##_init, name##_update,      \
            name##_final, name##_once, name##_many, name##_tree                \
    }
#define HIGH(name) offsetof(hk_##name##_ctx, length_high)

ADAPT(sha1)
ADAPT(sha1dc)
ADAPT(sha224)
ADAPT(sha256)
ADAPT(sha384)
ADAPT(sha512)
ADAPT(sha512_224)
ADAPT(sha512_256)

const struct message_api message_apis[] = {
    ENTRY(sha1, "sha1", 20, 64, 0),
    ENTRY(sha1dc, "sha1dc", 20, 64, 0),
    ENTRY(sha224, "sha256", 28, 64, 0),
    ENTRY(sha256, "sha256", 32, 64, 0),
    ENTRY(sha384, "sha512", 48, 128, HIGH(sha384)),
    ENTRY(sha512, "sha512", 64, 128, HIGH(sha512)),
    ENTRY(sha512_224, "sha512", 28, 128, HIGH(sha512_224)),
    ENTRY(sha512_256, "sha512", 32, 128, HIGH(sha512_256)),
};
const size_t message_api_count = COUNT(message_apis);

/* Every context begins with its kernel. */
void message_use(void *ctx, const struct hk_kernel *row)
{
    memcpy(ctx, &row->function, sizeof row->function);
}

static void put_be64(uint8_t *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (56 - 8 * i));
}

/* sha1dc hashes as sha1 does, and so takes its reference. */
static const struct block_algorithm *block_of(const struct message_api *api)
{
    return block_algorithm(strcmp(api->kernels, "sha1dc") ? api->kernels
                                                          : "sha1");
}

void message_model(const struct message_api *api, const uint8_t *data,
                   size_t size, uint64_t earlier_high, uint64_t earlier,
                   uint8_t *digest)
{
    static uint8_t padded[4096 + 2 * MAX_BLOCK];
    const struct block_algorithm *a = block_of(api);
    size_t tail = api->block / 8; /* bytes of the length */
    size_t total = (size + 1 + tail + api->block - 1) / api->block * api->block;
    uint64_t length = earlier + size, high = earlier_high + (length < earlier);
    union any_ctx start;
    uint64_t state[8];

    memset(padded, 0, total);
    if (size)
        memcpy(padded, data, size);
    padded[size] = 0x80;
    put_be64(padded + total - 8, length << 3);
    if (tail == 16)
        put_be64(padded + total - 16, high << 3 | length >> 61);

    api->init(&start); /* for the initial value; the vectors vouch for it */
    memcpy(state, start.bytes + api->state, a->word * a->state_words);
    ((block_kernel *)reference_of(a->name))(state, padded, total / a->block);
    for (size_t i = 0; i < api->digest; i++) {
        size_t shift = 8 * (a->word - 1 - i % a->word);

        if (a->word == 4)
            digest[i] = (uint8_t)(((uint32_t *)state)[i / 4] >> shift);
        else
            digest[i] = (uint8_t)(state[i / 8] >> shift);
    }
}
