/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_messages.c - init, update, final and one-shot of every hash function
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"
#include "messages.h"
#include "undefined.h"

enum { LONGEST = 4 * MAX_BLOCK + 1, SPLIT = 300 };

static uint8_t message[LONGEST + 64];

/* Hashes pieces of these sizes one after the other; 0 ends the list early. */
static void hash_pieces(const struct message_api *api, const uint8_t *data,
                        const size_t *sizes, size_t count, uint8_t *digest)
{
    union any_ctx ctx;

    api->init(&ctx);
    for (size_t i = 0; i < count; data += sizes[i], i++)
        api->update(&ctx, data, sizes[i]);
    api->final(&ctx, digest);
}

static void expect(const struct message_api *api, const uint8_t *digest,
                   const uint8_t *data, size_t size, const char *what)
{
    uint8_t want[MAX_DIGEST];

    message_model(api, data, size, 0, 0, want);
    same_bytes(digest, want, api->digest, "%s of %zu bytes%s", api->name, size,
               what);
}

static void lengths(const struct message_api *api)
{
    uint8_t digest[MAX_DIGEST];

    random_bytes(message, sizeof message);
    for (size_t size = 0; size <= 4 * api->block + 1; size++) {
        api->once(message, size, digest);
        expect(api, digest, message, size, " at once");
        hash_pieces(api, message, &size, 1, digest);
        expect(api, digest, message, size, "");
    }
}

static void alignments(const struct message_api *api)
{
    uint8_t digest[MAX_DIGEST];

    random_bytes(message, sizeof message);
    for (size_t offset = 0; offset < 16; offset++)
        for (size_t size = 2 * api->block; size <= SPLIT; size += 11) {
            api->once(message + offset, size, digest);
            expect(api, digest, message + offset, size, " unaligned");
        }
}

static void splits(const struct message_api *api)
{
    random_bytes(message, sizeof message);
    for (size_t first = 0; first <= SPLIT; first++) {
        const size_t sizes[] = {first, SPLIT - first};
        uint8_t digest[MAX_DIGEST];

        hash_pieces(api, message, sizes, 2, digest);
        expect(api, digest, message, SPLIT, " in two pieces");
    }
}

static void bytes(const struct message_api *api)
{
    size_t ones[LONGEST];
    uint8_t digest[MAX_DIGEST];

    random_bytes(message, sizeof message);
    for (size_t i = 0; i < LONGEST; i++)
        ones[i] = 1;
    for (size_t size = 1; size < 3 * api->block; size++) {
        hash_pieces(api, message, ones, size, digest);
        expect(api, digest, message, size, " one by one");
    }
}

static void random_pieces(const struct message_api *api)
{
    for (unsigned i = 0; i < repeat(1000); i++) {
        size_t sizes[12], total = 0;
        uint8_t digest[MAX_DIGEST];

        random_bytes(message, sizeof message);
        for (size_t j = 0; j < COUNT(sizes); j++)
            total += sizes[j] = random_below(LONGEST / COUNT(sizes));
        hash_pieces(api, message, sizes, COUNT(sizes), digest);
        expect(api, digest, message, total, " in random pieces");
    }
}

static void nothing(const struct message_api *api)
{
    const uint8_t *forbidden = no_access();
    uint8_t digest[MAX_DIGEST];
    union any_ctx ctx;

    api->once(NULL, 0, digest);
    expect(api, digest, message, 0, " at NULL");
    api->once(forbidden, 0, digest);
    expect(api, digest, message, 0, " that cannot be read");

    random_bytes(message, sizeof message);
    for (size_t size = 0; size < 2 * api->block; size += 13) {
        api->init(&ctx);
        api->update(&ctx, NULL, 0);
        api->update(&ctx, message, size);
        api->update(&ctx, NULL, 0);
        api->update(&ctx, forbidden, 0);
        api->final(&ctx, digest);
        expect(api, digest, message, size, " among empty updates");
    }
}

/* Data, context and digest each end where memory does. */
static void guards(const struct message_api *api)
{
    for (size_t size = 0; size < 3 * api->block; size += 1 + size % 3) {
        uint8_t *data = at_end(size), *start = at_start(size);
        uint8_t *digest = at_end(api->digest);
        void *ctx = at_end(api->ctx);

        random_bytes(data, size);
        memcpy(start, data, size);
        api->once(data, size, digest);
        expect(api, digest, data, size, " before an unreadable page");
        api->init(ctx);
        api->update(ctx, start, size);
        api->final(ctx, digest);
        expect(api, digest, data, size, " after an unreadable page");
        guard_release();
    }
}

static void digest_alignment(const struct message_api *api)
{
    random_bytes(message, sizeof message);
    for (size_t offset = 0; offset < 16; offset++) {
        uint8_t room[MAX_DIGEST + 32], before[MAX_DIGEST + 32];

        random_bytes(room, sizeof room);
        memcpy(before, room, sizeof room);
        api->once(message, SPLIT, room + offset);
        expect(api, room + offset, message, SPLIT, " to an odd address");
        memcpy(before + offset, room + offset, api->digest);
        same_bytes(room, before, sizeof room, "around the digest");
    }
}

static void clones(const struct message_api *api)
{
    random_bytes(message, sizeof message);
    for (size_t first = 0; first <= SPLIT; first += 7) {
        union any_ctx ctx, clone;
        uint8_t digest[MAX_DIGEST], other[MAX_DIGEST], both[SPLIT + 64];

        api->init(&ctx);
        api->update(&ctx, message, first);
        memcpy(&clone, &ctx, api->ctx);
        api->update(&ctx, message + first, SPLIT - first);
        api->update(&clone, message + 7, 64);
        api->final(&ctx, digest);
        api->final(&clone, other);
        expect(api, digest, message, SPLIT, ", cloned on the way");
        memcpy(both, message, first);
        memcpy(both + first, message + 7, 64);
        expect(api, other, both, first + 64, " by a clone");
    }
}

/* final wipes; what is wiped is a new hash. */
static void wiped(const struct message_api *api)
{
    static const union any_ctx zero;
    union any_ctx ctx;
    uint8_t digest[MAX_DIGEST];

    random_bytes(message, sizeof message);
    for (size_t size = 0; size < 2 * api->block; size += 5) {
        api->init(&ctx);
        api->update(&ctx, message, size);
        api->final(&ctx, digest);
        same_bytes(&ctx, &zero, api->ctx, "%s context after final", api->name);
        api->update(&ctx, message, 200);
        api->final(&ctx, digest);
        expect(api, digest, message, 200, " after final");
        api->final(&ctx, digest);
        expect(api, digest, message, 0, " by final after final");
    }
}

/* Nothing of the message stays in memory that is given back: neither in one call
 * nor by final. Kernels keep words of the schedule, which are in another order. */
static void no_trace(const struct message_api *api)
{
    enum { SEARCHED = 16 };

    for (size_t size = SEARCHED; size < 3 * api->block; size += 7) {
        const uint8_t *last = message + size - SEARCHED;
        uint8_t digest[MAX_DIGEST];
        uintptr_t once[] = {(uintptr_t)message, size, (uintptr_t)digest};
        union any_ctx ctx;
        uintptr_t final[] = {(uintptr_t)&ctx, (uintptr_t)digest};

        random_bytes(message, size);
        call((hk_function *)api->once, COUNT(once), once);
        if (size % api->block >= SEARCHED && call_stack_holds(last, SEARCHED))
            fail("%s of %zu bytes leaves its last ones", api->name, size);
        api->init(&ctx);
        api->update(&ctx, message, size);
        call((hk_function *)api->final, COUNT(final), final);
        if (size % api->block >= SEARCHED && call_stack_holds(last, SEARCHED))
            fail("%s: final leaves the last of %zu bytes", api->name, size);
    }
}

/* Starts as if so many bytes had been hashed. */
static void start_from(const struct message_api *api, uint64_t high,
                       uint64_t low)
{
    for (size_t size = 0; size <= 3 * api->block; size += 37) {
        uint8_t digest[MAX_DIGEST], want[MAX_DIGEST];
        union any_ctx ctx;

        api->init(&ctx);
        memcpy(ctx.bytes + api->length, &low, 8);
        if (api->length_high)
            memcpy(ctx.bytes + api->length_high, &high, 8);
        api->update(&ctx, message, size / 3);
        api->update(&ctx, message + size / 3, size - size / 3);
        api->final(&ctx, digest);
        message_model(api, message, size, high, low, want);
        same_bytes(digest, want, api->digest, "%s, %zu bytes after %#llx",
                   api->name, size, (unsigned long long)low);
    }
}

static void counters(const struct message_api *api)
{
    static const unsigned borders[] = {29, 31, 32, 33, 61, 63};

    random_bytes(message, sizeof message);
    for (size_t i = 0; i < COUNT(borders); i++)
        for (unsigned back = 0; back < 3; back++)
            start_from(api, 0, (UINT64_C(1) << borders[i]) - back * api->block);
    start_from(api, 0, 0 - (uint64_t)api->block);
    if (api->length_high) {
        start_from(api, 1, 0 - (uint64_t)api->block);
        start_from(api, UINT64_C(1) << 60, 0 - (uint64_t)api->block);
    }
}

/* Reads "name what digest" from the list of known digests. */
static void known_digest(const char *name, const char *what, uint8_t *digest)
{
    char path[300], line[300], a[20], b[20], hex[2 * MAX_DIGEST + 1];
    FILE *file;

    snprintf(path, sizeof path, "%s/test/vectors/known.txt", settings.tree);
    file = fopen(path, "r");
    if (!file)
        fail("cannot open %s (see --tree)", path);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%19s %19s %128s", a, b, hex) != 3 ||
            strcmp(a, name) || strcmp(b, what))
            continue;
        for (size_t i = 0; i < strlen(hex) / 2; i++) {
            unsigned byte;

            sscanf(hex + 2 * i, "%2x", &byte);
            digest[i] = (uint8_t)byte;
        }
        fclose(file);
        return;
    }
    fail("%s has no %s %s", path, name, what);
}

static void expect_known(const struct message_api *api, const uint8_t *digest,
                         const char *what)
{
    const char *name = strcmp(api->name, "sha1dc") ? api->name : "sha1";
    uint8_t want[MAX_DIGEST];

    known_digest(name, what, want);
    same_bytes(digest, want, api->digest, "%s of %s", api->name, what);
}

static void known(const struct message_api *api)
{
    enum { A = 929271 };
    uint8_t digest[MAX_DIGEST], *as = malloc(A);

    for (unsigned i = 0; i < 256; i++)
        message[i] = (uint8_t)i;
    api->once(message, 256, digest);
    expect_known(api, digest, "bytes-0-to-255");
    if (!as)
        fail("no memory");
    memset(as, 'a', A);
    api->once(as, A, digest);
    free(as);
    expect_known(api, digest, "929271-a");
}

struct message_test {
    const char *name;
    void (*run)(const struct message_api *api);
};

static const struct message_test tests[] = {
    {"lengths", lengths},
    {"alignments", alignments},
    {"splits", splits},
    {"bytes", bytes},
    {"random-pieces", random_pieces},
    {"nothing", nothing},
    {"guards", guards},
    {"digest-alignment", digest_alignment},
    {"clones", clones},
    {"wiped", wiped},
    {"no-trace", no_trace},
    {"counters", counters},
    {"known", known},
};

struct message_job {
    const struct message_api *api;
    const struct message_test *test;
};

static void run_job(const void *subject)
{
    const struct message_job *job = subject;

    job->test->run(job->api);
}

/* ---- really long messages ------------------------------------------------ */

/* Zeros in updates of one MiB. */
static void zeros(const struct message_api *api, uint64_t size, uint8_t *digest)
{
    static const uint8_t mib[1 << 20];
    union any_ctx ctx;

    api->init(&ctx);
    for (; size >= sizeof mib; size -= sizeof mib)
        api->update(&ctx, mib, sizeof mib);
    api->update(&ctx, mib, (size_t)size);
    api->final(&ctx, digest);
}

static const struct message_api *find(const char *name)
{
    size_t i = 0;

    while (strcmp(message_apis[i].name, name))
        i++;
    return &message_apis[i];
}

/* A 32-bit counter of bits wraps here. */
static void half_gib(const void *subject)
{
    static const char *const some[] = {"sha1", "sha256", "sha512"};
    size_t count = settings.quick ? 1 : COUNT(some);

    (void)subject;
    if (RUNNING_ON_VALGRIND)
        skip("hashes 512 MiB");
    for (size_t i = 0; i < count; i++) {
        uint8_t digest[MAX_DIGEST];

        zeros(find(some[i]), UINT64_C(1) << 29, digest);
        expect_known(find(some[i]), digest, "zeros-2^29");
    }
}

/* And here one of bytes, or a 32-bit argument. */
static void four_gib(const void *subject)
{
    const uint64_t size = (UINT64_C(1) << 32) + 1;
    uint8_t digest[MAX_DIGEST];

    (void)subject;
    if (settings.quick)
        skip("hashes 8 GiB");
    zeros(find("sha1"), size, digest);
    expect_known(find("sha1"), digest, "zeros-2^32+1");
    if (size > SIZE_MAX) {
        zeros(find("sha256"), size, digest);
    } else { /* in one call; all of it is the one page of zeros */
        void *data = mmap(
            NULL, (size_t)size, PROT_READ,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE, -1, 0);

        if (data == MAP_FAILED)
            fail("cannot map 4 GiB of zeros");
        find("sha256")->once(data, (size_t)size, digest);
        munmap(data, (size_t)size);
    }
    expect_known(find("sha256"), digest, "zeros-2^32+1");
}

void suite_messages(void)
{
    for (size_t i = 0; i < message_api_count; i++)
        for (size_t j = 0; j < COUNT(tests); j++) {
            struct message_job job = {&message_apis[i], &tests[j]};
            char name[80];

            snprintf(name, sizeof name, "api/%s/%s", job.api->name,
                     job.test->name);
            offer(name, run_job, &job);
        }
    offer("api/2^29-bytes", half_gib, NULL);
    offer("api/2^32+1-bytes", four_gib, NULL);
}
