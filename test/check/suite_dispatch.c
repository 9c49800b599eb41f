/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_dispatch.c - which kernel is chosen, and that the first call is enough
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "messages.h"

static uint8_t first_digest[20];
static char first_kernel[40];

void dispatch_first_call(const void *subject)
{
    (void)subject;
    hk_sha1("abc", 3, first_digest);
    snprintf(first_kernel, sizeof first_kernel, "%s", hk_kernel_in_use("sha1"));
}

/* The first row of the table that these features allow; lanes may have none. */
static const struct hk_kernel *best(const char *algorithm, unsigned features)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    for (size_t i = 0; i < count; i++)
        if (!strcmp(rows[i].algorithm, algorithm) &&
            !(rows[i].needs & ~features))
            return &rows[i];
    if (strchr(algorithm, 'x'))
        return NULL;
    fail("no row of %s needs nothing", algorithm);
}

/* FIPS 180-1, appendix A */
static void first_call(const void *subject)
{
    static const uint8_t abc[20] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81,
                                    0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50,
                                    0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
    const char *want = best("sha1", hk_cpu_features())->name;

    (void)subject;
    same_bytes(first_digest, abc, sizeof abc, "the first call's digest");
    if (strcmp(first_kernel, want))
        fail("the first call used %s, should be %s", first_kernel, want);
}

static void expect_in_use(const char *algorithm, unsigned features)
{
    const struct hk_kernel *row = best(algorithm, features);
    const char *want = row ? row->name : "nothing";
    const char *got = hk_kernel_in_use(algorithm);

    got = got ? got : "nothing";
    if (strcmp(got, want))
        fail("with features %#x %s uses %s, should be %s", features, algorithm,
             got, want);
}

static void expect_digests(const struct message_api *api, unsigned features)
{
    static const size_t sizes[] = {0, 55, 64, 300};
    const struct hk_kernel *row = best(api->kernels, features);
    uint8_t data[300], digest[MAX_DIGEST], want[MAX_DIGEST];
    union any_ctx ctx;

    random_bytes(data, sizeof data);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        message_model(api, data, sizes[i], 0, 0, want);
        api->once(data, sizes[i], digest);
        same_bytes(digest, want, api->digest, "%s with features %#x", api->name,
                   features);
    }
    api->init(&ctx);
    if (memcmp(&ctx, &row->function, sizeof row->function))
        fail("%s with features %#x does not start on %s", api->name, features,
             row->name);
    hk_cpu_limit(0); /* a context keeps its kernel */
    api->update(&ctx, data, sizeof data);
    hk_cpu_limit(features);
    api->final(&ctx, digest);
    same_bytes(digest, want, api->digest, "%s begun with features %#x",
               api->name, features);
}

/* Every subset of the features of this CPU. */
static void subsets(const void *subject)
{
    unsigned found = hk_cpu_features(), features = found;
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    (void)subject;
    for (;; features = (features - 1) & found) {
        hk_cpu_limit(features);
        if (hk_cpu_features() != features)
            fail("limited to %#x, yet the features are %#x", features,
                 hk_cpu_features());
        for (size_t i = 0; i < count; i++)
            expect_in_use(rows[i].algorithm, features);
        for (size_t i = 0; i < message_api_count; i++)
            expect_digests(&message_apis[i], features);
        if (!features)
            break;
    }
    hk_cpu_limit(~0u);
    if (hk_cpu_features() != found)
        fail("no longer limited, yet the features are %#x", hk_cpu_features());
}

static void unknown(const void *subject)
{
    static const char *const names[] = {"", "sha", "sha11", "md5", "SHA1"};

    (void)subject;
    for (size_t i = 0; i < COUNT(names); i++)
        if (hk_kernel_in_use(names[i]))
            fail("there is a kernel of \"%s\"", names[i]);
}

/* The table as data says the same of a row in all its members. */
static void table(const void *subject)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    (void)subject;
    for (size_t i = 0; i < count; i++) {
        const struct hk_kernel *row = &rows[i];
        char name[80];

        snprintf(name, sizeof name, "%s_%s", row->algorithm, row->variant);
        if (strcmp(name, row->name))
            fail("row %s is called %s", name, row->name);
        if (!strcmp(row->arch, "any") && row->needs)
            fail("row %s is C and needs features", row->name);
        if (!row->function)
            fail("row %s has no function", row->name);
        reference_of(row->algorithm);
    }
}

void suite_dispatch(void)
{
    offer("dispatch/first-call", first_call, NULL);
    offer("dispatch/subsets", subsets, NULL);
    offer("dispatch/unknown", unknown, NULL);
    offer("dispatch/table", table, NULL);
}
