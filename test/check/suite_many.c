/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_many.c - many messages in one call, and trees of chunks, against the
 * same messages one by one
 */
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "check.h"
#include "messages.h"

enum { MOST = 40, LONGEST = 2000, TOTAL = 60000 };

static uint8_t bytes[TOTAL];
static const void *data[MOST];
static size_t len[MOST];
static uint8_t digests[MOST * MAX_DIGEST];

/* Hashes the first count messages, and compares. */
static void compare(const struct message_api *api, size_t count,
                    const char *what)
{
    uint8_t want[MAX_DIGEST];

    memset(digests, 0xa5, sizeof digests);
    api->many(count, data, len, digests);
    for (size_t i = 0; i < count; i++) {
        api->once(data[i], len[i], want);
        same_bytes(digests + i * api->digest, want, api->digest,
                   "%s: message %zu of %zu, %zu bytes, %s", api->name, i, count,
                   len[i], what);
    }
    for (size_t i = count * api->digest; i < sizeof digests; i++)
        if (digests[i] != 0xa5)
            fail("%s: wrote beyond the digests of %zu messages", api->name,
                 count);
}

static void equal_lengths(const struct message_api *api)
{
    static const size_t lengths[] = {0, 1, 55, 56, 64, 119, 128, 300, 1024};

    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < MOST; i++)
        data[i] = bytes + i * 1024;
    for (size_t l = 0; l < COUNT(lengths); l++) {
        for (size_t i = 0; i < MOST; i++)
            len[i] = lengths[l];
        for (size_t count = 0; count <= MOST; count++)
            compare(api, count, "all of one length");
    }
}

/* Lengths that fill lanes badly: every one, then long and short ones. */
static void ragged(const struct message_api *api)
{
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < MOST; i++) {
        data[i] = bytes + i * 7;
        len[i] = i * 13;
    }
    for (size_t count = 0; count <= MOST; count++)
        compare(api, count, "of growing lengths");
    for (size_t i = 0; i < MOST; i++)
        len[i] = (MOST - i) * 29;
    for (size_t count = 0; count <= MOST; count++)
        compare(api, count, "of shrinking lengths");
    for (size_t odd = 0; odd < MOST; odd++) {
        for (size_t i = 0; i < MOST; i++)
            len[i] = i == odd ? LONGEST : i % 3;
        compare(api, MOST, "one of them long");
    }
}

static void random_lists(const struct message_api *api)
{
    for (unsigned round = 0; round < repeat(1000); round++) {
        unsigned longest = 1 + random_below(LONGEST);
        unsigned empty = random_below(5);

        random_bytes(bytes, LONGEST + 64);
        for (size_t i = 0; i < MOST; i++) {
            data[i] = bytes + random_below(64);
            len[i] = random_below(5) < empty ? 0 : random_below(longest);
        }
        compare(api, random_below(MOST + 1), "at random");
    }
}

/* Every set of features: each kernel with lanes, and none. */
static void features(const struct message_api *api)
{
    unsigned found = hk_cpu_features(), some = found;

    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < MOST; i++) {
        data[i] = bytes + i;
        len[i] = (i * 71) % 400;
    }
    for (;; some = (some - 1) & found) {
        hk_cpu_limit(some);
        for (size_t count = 0; count < 12; count++)
            compare(api, count, "with fewer features");
        compare(api, 20 + some % 20, "with fewer features");
        if (!some)
            break;
    }
    hk_cpu_limit(~0u);
}

static void nothing(const struct message_api *api)
{
    void *forbidden = no_access();

    api->many(0, NULL, NULL, NULL);
    api->many(0, forbidden, forbidden, forbidden);
    for (size_t i = 0; i < MOST; i++) {
        data[i] = i % 2 ? forbidden : NULL;
        len[i] = 0;
    }
    for (size_t count = 0; count <= MOST; count++)
        compare(api, count, "empty");
}

/* Messages, lists and digests all end, or start, where memory does. */
static void guards(const struct message_api *api)
{
    for (size_t count = 1; count < 20; count += 3)
        for (unsigned end = 0; end < 2; end++) {
            void *(*place)(size_t size) = end ? at_end : at_start;
            const void **pointers = place(count * sizeof *pointers);
            size_t *sizes = place(count * sizeof *sizes);
            uint8_t *out = place(count * api->digest);

            for (size_t i = 0; i < count; i++) {
                uint8_t *message;

                sizes[i] = (i * 37 + count) % 300;
                message = place(sizes[i]);
                random_bytes(message, sizes[i]);
                pointers[i] = message;
            }
            api->many(count, pointers, sizes, out);
            for (size_t i = 0; i < count; i++) {
                uint8_t want[MAX_DIGEST];

                api->once(pointers[i], sizes[i], want);
                same_bytes(out + i * api->digest, want, api->digest,
                           "%s: message %zu beside an unreadable page",
                           api->name, i);
            }
            guard_release();
        }
}

/* The stack does not grow with the number of messages. (The address sanitizer
 * puts room between all that stands there.) There are records of blocks on it for
 * collision detection, and its kernels need more. */
#ifdef __SANITIZE_ADDRESS__
enum { STACK_BOUND = 12000, STACK_RECORDS = 6000 };
#else
enum { STACK_BOUND = 6000, STACK_RECORDS = 4000 };
#endif
static void stack(const struct message_api *api)
{
    static const void *same[1000];
    static size_t sizes[COUNT(same)];
    static uint8_t out[COUNT(same) * MAX_DIGEST];
    uintptr_t argument[4] = {0, (uintptr_t)same, (uintptr_t)sizes,
                             (uintptr_t)out};

    size_t bound = STACK_BOUND;

    if (!strcmp(api->name, "sha1dc"))
        bound += STACK_RECORDS;
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < COUNT(same); i++) {
        same[i] = bytes;
        sizes[i] = i % 300;
    }
    for (size_t count = 1; count <= COUNT(same); count += 333) {
        argument[0] = count;
        call((hk_function *)api->many, 4, argument);
        if (call_stack_used() > bound)
            fail("%s: %zu bytes of stack for %zu messages", api->name,
                 call_stack_used(), count);
    }
}

/* The digest of the chunks' digests, all of them in memory. */
static void tree_model(const struct message_api *api, const uint8_t *message,
                       size_t size, size_t chunk, uint8_t *digest)
{
    static uint8_t all[(TOTAL / 7 + 1) * MAX_DIGEST];
    size_t count = 0;

    for (size_t at = 0; at < size; at += chunk) {
        size_t piece = chunk < size - at ? chunk : size - at;

        api->once(message + at, piece, all + count++ * api->digest);
    }
    api->once(all, count * api->digest, digest);
}

static void trees(const struct message_api *api)
{
    static const size_t chunks[] = {7, 64, 100, 1000, 4096, TOTAL};

    random_bytes(bytes, sizeof bytes);
    for (size_t c = 0; c < COUNT(chunks); c++)
        for (size_t size = 0; size < TOTAL; size += 1 + size / 3) {
            uint8_t got[MAX_DIGEST], want[MAX_DIGEST];

            if (size / chunks[c] > 200)
                break;
            api->tree(bytes, size, chunks[c], got);
            tree_model(api, bytes, size, chunks[c], want);
            same_bytes(got, want, api->digest,
                       "%s of %zu bytes in chunks of %zu", api->name, size,
                       chunks[c]);
            api->tree(bytes, size, 0, got);
            tree_model(api, bytes, size, size + 1, want);
            same_bytes(got, want, api->digest, "%s of %zu bytes in one chunk",
                       api->name, size);
        }
}

/* Messages that were made by attacks, told from the others. */
static void judge(size_t count, const char *what)
{
    static uint8_t attack[MOST + 1];
    size_t attacks = 0, found;

    memset(attack, 0xa5, sizeof attack);
    memset(digests, 0xa5, sizeof digests);
    found = hk_sha1dc_many_each(count, data, len, (void *)digests, attack);
    for (size_t i = 0; i < count; i++) {
        uint8_t want[HK_SHA1_DIGEST];
        int one = hk_sha1dc(data[i], len[i], want);

        attacks += (size_t)one;
        if (attack[i] != one)
            fail("message %zu of %zu: attack %u, not %d, %s", i, count,
                 attack[i], one, what);
        same_bytes(digests + i * sizeof want, want, sizeof want,
                   "message %zu of %zu, %s", i, count, what);
    }
    if (found != attacks)
        fail("%zu attacks, not %zu, among %zu messages, %s", found, attacks,
             count, what);
    if (attack[count] != 0xa5)
        fail("wrote beyond the verdicts on %zu messages", count);
    if (hk_sha1dc_many(count, data, len, (void *)digests) != attacks)
        fail("another number of attacks without room for verdicts, %s", what);
}

/* A real attack at each place of the list, among messages of random blocks and of
 * blocks with candidates, then in several; once or twice in a message. */
static void attacks(const void *subject)
{
    static uint8_t files[COUNT(collision_files)][2 * COLLISION_MAX + 640];
    size_t size[COUNT(collision_files)];

    (void)subject;
    for (size_t f = 0; f < COUNT(collision_files); f++)
        size[f] = collision_file(collision_files[f], files[f]);
    for (unsigned round = 0; round < repeat(20); round++) {
        mixed_blocks(bytes, TOTAL / 64);
        for (size_t f = 0; f < COUNT(collision_files); f++) {
            uint8_t *rest = files[f] + size[f];

            memcpy(rest, bytes, sizeof files[f] - size[f]);
            for (size_t at = 0; at < MOST; at++) {
                size_t count = at + 1 + random_below((unsigned)(MOST - at));

                for (size_t i = 0; i < MOST; i++) {
                    data[i] = bytes + i * 64;
                    len[i] = random_below(LONGEST);
                }
                data[at] = files[f];
                len[at] = size[f] + random_below(COLLISION_MAX);
                judge(count, "one of them an attack");
                for (size_t i = random_below(4); i < MOST;
                     i += 1 + random_below(6)) {
                    size_t other = random_below(COUNT(collision_files));

                    data[i] = files[other];
                    len[i] = size[other] + random_below(600);
                }
                judge(count, "some of them attacks");
            }
        }
    }
}

/* Trees of which a chunk, or the list of their digests, is an attack. */
static void attacked_trees(const void *subject)
{
    uint8_t got[HK_SHA1_DIGEST], want[HK_SHA1_DIGEST];

    (void)subject;
    for (size_t f = 0; f < COUNT(collision_files); f++)
        for (size_t at = 0; at < 70; at++) {
            uint8_t file[COLLISION_MAX];
            size_t size = collision_file(collision_files[f], file);
            int found;

            random_bytes(bytes, 70 * size);
            memcpy(bytes + at * size, file, size);
            found = hk_sha1dc_tree(bytes, 70 * size, size, got);
            if (found != hk_sha1dc(file, size, want))
                fail("%s as chunk %zu: %d", collision_files[f], at, found);
            hk_sha1_tree(bytes, 70 * size, size, want);
            same_bytes(got, want, sizeof got, "tree with %s as chunk %zu",
                       collision_files[f], at);
        }
}

/* The attacks are found with every set of features, too. */
static void attack_features(const void *subject)
{
    static uint8_t file[COLLISION_MAX];
    unsigned present = hk_cpu_features(), some = present;
    size_t size = collision_file(collision_files[0], file);

    (void)subject;
    mixed_blocks(bytes, TOTAL / 64);
    for (;; some = (some - 1) & present) {
        hk_cpu_limit(some);
        for (size_t at = 0; at < 17; at++) {
            for (size_t i = 0; i < MOST; i++) {
                data[i] = bytes + i * 64;
                len[i] = i * 29;
            }
            data[at] = file;
            len[at] = size;
            judge(20, "with fewer features");
        }
        if (!some)
            break;
    }
    hk_cpu_limit(~0u);
}

struct job {
    const struct message_api *api;
    void (*test)(const struct message_api *api);
};

static void run(const void *subject)
{
    const struct job *job = subject;

    job->test(job->api);
}

void suite_many(void)
{
    static const struct {
        const char *name;
        void (*test)(const struct message_api *api);
    } tests[] = {
        {"equal-lengths", equal_lengths},
        {"ragged", ragged},
        {"random", random_lists},
        {"features", features},
        {"nothing", nothing},
        {"guards", guards},
        {"stack", stack},
        {"trees", trees},
    };

    for (size_t i = 0; i < message_api_count; i++)
        for (size_t t = 0; t < COUNT(tests); t++) {
            struct job job = {&message_apis[i], tests[t].test};
            char name[60];

            snprintf(name, sizeof name, "many/%s/%s", message_apis[i].name,
                     tests[t].name);
            offer(name, run, &job);
        }
    offer("many/sha1dc/attacks", attacks, NULL);
    offer("many/sha1dc/attack-features", attack_features, NULL);
    offer("many/sha1dc/attacked-trees", attacked_trees, NULL);
}
