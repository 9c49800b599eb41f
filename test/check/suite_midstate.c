/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_midstate.c - export and import of SHA-2 at a block border
 */
#include <stdio.h>
#include <string.h>

#include "block.h"
#include "check.h"
#include "messages.h"

enum {
    TAG = 16,
    MAX_MIDSTATE = HK_SHA512_MIDSTATE,
    BLOCKS = 9,
    LONGEST = BLOCKS * MAX_BLOCK + 300
};

struct midstate_api {
    const char *name;
    size_t size;
    int (*export)(const void *ctx, uint8_t *midstate);
    int (*import)(void *ctx, const uint8_t *midstate);
};

#define ADAPT(name)                                                            \
    static int name##_export(const void *ctx, uint8_t *midstate)               \
    {                                                                          \
        return hk_##name##_export(ctx, midstate);                              \
    }                                                                          \
    static int name##_import(void *ctx, const uint8_t *midstate)               \
    {                                                                          \
        return hk_##name##_import(ctx, midstate);                              \
    }
ADAPT(sha224)
ADAPT(sha256)
ADAPT(sha384)
ADAPT(sha512)
ADAPT(sha512_224)
ADAPT(sha512_256)

static const struct midstate_api apis[] = {
    {"sha224", HK_SHA256_MIDSTATE, sha224_export, sha224_import},
    {"sha256", HK_SHA256_MIDSTATE, sha256_export, sha256_import},
    {"sha384", HK_SHA512_MIDSTATE, sha384_export, sha384_import},
    {"sha512", HK_SHA512_MIDSTATE, sha512_export, sha512_import},
    {"sha512_224", HK_SHA512_MIDSTATE, sha512_224_export, sha512_224_import},
    {"sha512_256", HK_SHA512_MIDSTATE, sha512_256_export, sha512_256_import},
};

static uint8_t message[LONGEST];

static const struct message_api *messages_of(const struct midstate_api *api)
{
    size_t i = 0;

    while (strcmp(message_apis[i].name, api->name))
        i++;
    return &message_apis[i];
}

static void put_be(uint8_t *at, uint64_t value, size_t size)
{
    while (size--) {
        at[size] = (uint8_t)value;
        value >>= 8;
    }
}

/* What the header says that a midstate is, for the words of this state. */
static size_t expected(const struct midstate_api *api, const void *state,
                       uint64_t high, uint64_t low, uint8_t *midstate)
{
    const struct message_api *m = messages_of(api);
    size_t word = m->block / 16, at = TAG;

    memset(midstate, 0, TAG);
    memcpy(midstate, api->name, strlen(api->name));
    if (word == 8) {
        put_be(midstate + at, high, 8);
        at += 8;
    }
    put_be(midstate + at, low, 8);
    at += 8;
    for (size_t i = 0; i < 8; i++, at += word)
        put_be(midstate + at,
               word == 8 ? ((const uint64_t *)state)[i]
                         : ((const uint32_t *)state)[i],
               word);
    return at;
}

static void must_be(int got, int want, const char *what)
{
    if (got != want)
        fail("%s: %d, not %d", what, got, want);
}

/* The bytes are those of the header, made from the reference's state. */
static void layout(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);
    block_kernel *reference = (block_kernel *)reference_of(m->kernels);

    random_bytes(message, sizeof message);
    for (size_t n = 0; n <= BLOCKS; n++) {
        uint8_t got[MAX_MIDSTATE], want[MAX_MIDSTATE];
        union any_ctx ctx;
        uint64_t state[8];

        m->init(&ctx);
        memcpy(state, ctx.bytes + m->state, 8 * (m->block / 16));
        reference(state, message, n);
        m->update(&ctx, message, n * m->block);
        must_be(api->export(&ctx, got), HK_MIDSTATE_OK, "export");
        if (expected(api, state, 0, n * m->block, want) != api->size)
            fail("a midstate has other than %zu bytes", api->size);
        same_bytes(got, want, api->size, "%s after %zu blocks", api->name, n);
    }
}

/* A message is cut at each block border; every kernel that this CPU can run
 * takes over from the best one, and the digest is the same. */
static void resumes(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    random_bytes(message, sizeof message);
    for (size_t row = 0; row < count; row++) {
        if (strcmp(rows[row].algorithm, m->kernels) ||
            rows[row].needs & ~hk_cpu_features())
            continue;
        for (size_t n = 0; n <= BLOCKS; n++) {
            size_t cut = n * m->block, size = cut + random_below(300);
            uint8_t midstate[MAX_MIDSTATE], got[MAX_DIGEST], want[MAX_DIGEST];
            union any_ctx ctx, other;

            m->init(&ctx);
            m->update(&ctx, message, cut);
            must_be(api->export(&ctx, midstate), HK_MIDSTATE_OK, "export");
            memset(&other, 0xa5, sizeof other);
            must_be(api->import(&other, midstate), HK_MIDSTATE_OK, "import");
            message_use(&other, &rows[row]);
            m->update(&other, message + cut, size - cut);
            m->final(&other, got);
            message_model(m, message, size, 0, 0, want);
            same_bytes(got, want, m->digest, "%s of %zu bytes, cut at %zu",
                       rows[row].name, size, cut);

            /* Export has not changed the context. */
            m->update(&ctx, message + cut, size - cut);
            m->final(&ctx, got);
            same_bytes(got, want, m->digest, "exported, then %zu bytes",
                       size - cut);
        }
    }
}

/* An imported hash uses the best kernel that is allowed at that moment. */
static void best_kernel(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);
    unsigned limits[] = {0, ~0u};

    for (size_t i = 0; i < COUNT(limits); i++) {
        uint8_t midstate[MAX_MIDSTATE];
        union any_ctx ctx, imported;

        memset(&ctx, 0, sizeof ctx); /* padding, too, is compared */
        memset(&imported, 0, sizeof imported);
        m->init(&ctx);
        must_be(api->export(&ctx, midstate), HK_MIDSTATE_OK, "export");
        hk_cpu_limit(limits[i]);
        m->init(&ctx);
        must_be(api->import(&imported, midstate), HK_MIDSTATE_OK, "import");
        hk_cpu_limit(~0u);
        same_bytes(&imported, &ctx, m->state, "%s: the kernel", api->name);
    }
}

/* A context of zero bytes is a new one. */
static void zero_context(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);
    uint8_t got[MAX_MIDSTATE], want[MAX_MIDSTATE];
    union any_ctx zero, new;

    memset(&zero, 0, sizeof zero);
    m->init(&new);
    must_be(api->export(&zero, got), HK_MIDSTATE_OK, "export of zeros");
    must_be(api->export(&new, want), HK_MIDSTATE_OK, "export of a new one");
    same_bytes(got, want, api->size, "%s: nothing yet", api->name);
}

/* Within a block there is no midstate, and nothing is written. */
static void not_at_block(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);

    for (size_t size = 0; size <= 3 * m->block; size++) {
        uint8_t midstate[MAX_MIDSTATE], untouched[MAX_MIDSTATE];
        union any_ctx ctx;
        int whole = size % m->block == 0;

        memset(midstate, 0x5a, sizeof midstate);
        memset(untouched, 0x5a, sizeof untouched);
        m->init(&ctx);
        m->update(&ctx, message, size);
        must_be(api->export(&ctx, midstate),
                whole ? HK_MIDSTATE_OK : HK_MIDSTATE_NOT_AT_BLOCK, "export");
        if (!whole)
            same_bytes(midstate, untouched, sizeof midstate, "refused");
    }
}

static void refused(const struct midstate_api *api, const uint8_t *midstate,
                    int why, const char *what)
{
    union any_ctx ctx, untouched;

    memset(&ctx, 0x5a, sizeof ctx);
    untouched = ctx;
    must_be(api->import(&ctx, midstate), why, what);
    same_bytes(&ctx, &untouched, sizeof ctx, "%s: the context", what);
}

/* Midstates of other algorithms, and what none can be. */
static void refuses(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);
    size_t length = TAG + m->block / 8; /* one past the length's last byte */
    uint8_t good[MAX_MIDSTATE], bad[MAX_MIDSTATE];
    union any_ctx ctx;

    for (size_t i = 0; i < COUNT(apis); i++) {
        const struct message_api *other = messages_of(&apis[i]);

        memset(bad, 0, sizeof bad);
        other->init(&ctx);
        other->update(&ctx, message, other->block);
        must_be(apis[i].export(&ctx, bad), HK_MIDSTATE_OK, "export");
        if (&apis[i] != api)
            refused(api, bad, HK_MIDSTATE_OTHER, apis[i].name);
        else
            memcpy(good, bad, sizeof good);
    }
    for (size_t bit = 0; bit < 8 * TAG; bit++) {
        memcpy(bad, good, sizeof bad);
        bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
        refused(api, bad, HK_MIDSTATE_OTHER, "another name");
    }
    for (size_t extra = 1; extra < m->block; extra++) {
        memcpy(bad, good, sizeof bad);
        bad[length - 1] = (uint8_t)(m->block + extra);
        refused(api, bad, HK_MIDSTATE_INVALID, "half a block");
    }
    /* The state of one block, said to be that of none, and the converse. */
    memcpy(bad, good, sizeof bad);
    bad[length - 1] = 0;
    refused(api, bad, HK_MIDSTATE_INVALID, "another initial value");
    m->init(&ctx);
    must_be(api->export(&ctx, bad), HK_MIDSTATE_OK, "export");
    for (size_t byte = length; byte < api->size; byte++) {
        bad[byte] ^= 1;
        refused(api, bad, HK_MIDSTATE_INVALID, "another initial value");
        if (m->length_high) { /* but after 2^64 bytes it is one of many */
            bad[length - 9] = 1;
            must_be(api->import(&ctx, bad), HK_MIDSTATE_OK, "2^64 bytes");
            bad[length - 9] = 0;
        }
        bad[byte] ^= 1;
    }
    must_be(api->import(&ctx, bad), HK_MIDSTATE_OK, "the initial value");
}

/* Lengths whose carries are rare: the hash goes on from there as if so many
 * bytes had been hashed, and their state was the initial one. */
static void carries(const void *subject)
{
    const struct midstate_api *api = subject;
    const struct message_api *m = messages_of(api);
    const uint64_t top = UINT64_C(1) << 63, block = m->block;
    const struct {
        uint64_t high, low;
    } lengths[] = {
        {0, block},
        {0, (UINT64_C(1) << 29) - block},
        {0, (UINT64_C(1) << 32) - block},
        {0, (UINT64_C(1) << 61) - block},
        {0, top - block},
        {0, 0 - block},
        {1, 0},
        {1, 0 - block},
        {0x1fffffffffffffff, 0 - block},
        {top, 0 - block},
    };

    random_bytes(message, sizeof message);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        if (lengths[i].high && !m->length_high)
            continue;
        for (size_t size = 0; size <= 3 * block; size += 31) {
            uint8_t midstate[MAX_MIDSTATE], got[MAX_DIGEST], want[MAX_DIGEST];
            union any_ctx ctx;

            m->init(&ctx);
            expected(api, ctx.bytes + m->state, lengths[i].high, lengths[i].low,
                     midstate);
            must_be(api->import(&ctx, midstate), HK_MIDSTATE_OK, "import");
            m->update(&ctx, message, size / 2);
            m->update(&ctx, message + size / 2, size - size / 2);
            m->final(&ctx, got);
            message_model(m, message, size, lengths[i].high, lengths[i].low,
                          want);
            same_bytes(got, want, m->digest, "%s: %zu bytes after %#llx %#llx",
                       api->name, size, (unsigned long long)lengths[i].high,
                       (unsigned long long)lengths[i].low);
        }
    }
}

static const struct {
    const char *name;
    void (*run)(const void *subject);
} tests[] = {
    {"layout", layout},
    {"resumes", resumes},
    {"best-kernel", best_kernel},
    {"zero-context", zero_context},
    {"not-at-block", not_at_block},
    {"refuses", refuses},
    {"carries", carries},
};

void suite_midstate(void)
{
    for (size_t i = 0; i < COUNT(apis); i++)
        for (size_t j = 0; j < COUNT(tests); j++) {
            char name[80];

            snprintf(name, sizeof name, "midstate/%s/%s", apis[i].name,
                     tests[j].name);
            offer(name, tests[j].run, &apis[i]);
        }
}
