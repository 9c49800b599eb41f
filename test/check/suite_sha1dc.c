/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_sha1dc.c - collision-detecting SHA-1: tables, messages, options
 */
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "check.h"

enum { DIGEST = 20, LONGEST = 400 };

static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                    0x10325476, 0xc3d2e1f0};

static void to_digest(const char *hex, uint8_t digest[DIGEST])
{
    for (unsigned i = 0; i < DIGEST; i++) {
        unsigned byte;

        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            fail("bad digest in the test: %s", hex);
        digest[i] = (uint8_t)byte;
    }
}

/* ---- tables -------------------------------------------------------------- */

static const uint32_t def_vectors[VECTORS][4] = {
#define I                              1
#define II                             2
#define VECTOR(bit, type, K, b, testt) [bit] = {type, K, b, testt},
#include "sha1dc.def"
#undef I
#undef II
};

#define K32 ,
static const uint32_t differences[1 + 16 * VECTORS] = {0
#include "../asm/sha1dc_k.inc"
};

static const uint32_t def_conditions[CONDITIONS][6] = {
#define CONDITION(...) {__VA_ARGS__},
#include "sha1dc.def"
};

/* The library's tables are those of test/sha1dc. */
static void tables(const void *unused)
{
    (void)unused;
    attack_load();
    for (unsigned v = 0; v < VECTORS; v++) {
        const struct vector *want = &vectors[v];
        uint32_t head[4] = {want->type, want->K, want->b, want->testt};

        same_bytes(def_vectors[v], head, sizeof head, "vector %u", v);
        same_bytes(differences + 1 + 16 * v, want->dm, 64, "difference of %.8s",
                   want->name);
        for (unsigned t = 16; t < 80; t++) {
            uint32_t x = want->dm[t - 3] ^ want->dm[t - 8] ^ want->dm[t - 14] ^
                         want->dm[t - 16];

            if (want->dm[t] != (x << 1 | x >> 31))
                fail("%.8s is no expanded message at %u", want->name, t);
        }
    }
    for (unsigned i = 0; i < CONDITIONS; i++) {
        const struct condition *want = &conditions[i];
        uint32_t row[6] = {want->i,     want->bit_i, want->j,
                           want->bit_j, want->value, want->mask};

        same_bytes(def_conditions[i], row, sizeof row, "condition %u", i);
    }
}

/* The relations say of each vector what the conditions say, no more, no less. */
static void basis(const void *unused)
{
    static struct crafter by_conditions, by_relations;

    (void)unused;
    attack_load();
    for (unsigned v = 0; v < VECTORS; v++) {
        unsigned K = vectors[v].K, rows;

        craft_for(&by_conditions, v);
        rows = by_conditions.rows;
        memset(&by_relations, 0, sizeof by_relations);
        for (unsigned i = 0; i < RELATIONS; i++) {
            const struct relation *r = &relations[i];
            unsigned t = K + (unsigned)r->offset;
            struct condition c = {
                t,        r->bit_a,           t + (unsigned)r->distance,
                r->bit_b, (unsigned)r->value, 0};

            if (r->type != vectors[v].type || r->b != vectors[v].b ||
                !(r->Ks >> K & 1))
                continue;
            if (!craft_add(&by_conditions, &c) || by_conditions.rows != rows)
                fail("relation %u is none of %.8s", i, vectors[v].name);
            if (!craft_add(&by_relations, &c))
                fail("relations of %.8s contradict", vectors[v].name);
        }
        if (by_relations.rows != rows)
            fail("%u relations of %.8s are independent, not %u",
                 by_relations.rows, vectors[v].name, rows);
    }
}

/* ---- the public collisions ----------------------------------------------- */

static const struct {
    const char *digest, *safe, *safe_reduced;
} expected[] = {
    {"f92d74e3874587aaf443d1db961d4e26dde13e9c",
     "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d",
     "faa73386988c49f5f938ed99a3732e741ba71587"},
    {"f92d74e3874587aaf443d1db961d4e26dde13e9c",
     "29f38ae9fd98e2931120fa0bf213e024250d3f6a",
     "eaeef9336b59273f4962fabbb27d18c05536fc97"},
    {"8ac60ba76f1999a1ab70223f225aefdc78d4ddc0",
     "4f3d9be4a472c4dae83c6314aa6c36a064c1fd14",
     "4f3d9be4a472c4dae83c6314aa6c36a064c1fd14"},
    {"8ac60ba76f1999a1ab70223f225aefdc78d4ddc0",
     "9ed5d77a4f48be1dbf3e9e15650733eb850897f2",
     "9ed5d77a4f48be1dbf3e9e15650733eb850897f2"},
    {"a56374e1cf4c3746499bc7c0acb39498ad2ee185",
     "a56374e1cf4c3746499bc7c0acb39498ad2ee185",
     "dd39885a2a5d8f59030b451e00cb45da9f9d3828"},
};

static bool is_reduced(unsigned file)
{
    return strstr(collision_files[file], "reduced");
}

/* What the hash of a file with these options must be; the verdict. */
static int expect(unsigned file, unsigned options, uint8_t digest[DIGEST])
{
    bool reduced = options & HK_SHA1DC_REDUCED_ROUNDS;
    bool off = options & HK_SHA1DC_NO_DETECTION;
    const char *hex = expected[file].digest;

    if (!off && options & HK_SHA1DC_SAFE_HASH)
        hex = reduced ? expected[file].safe_reduced : expected[file].safe;
    to_digest(hex, digest);
    return !off && (reduced || !is_reduced(file));
}

static void judge(unsigned file, unsigned options, int verdict,
                  const uint8_t digest[DIGEST], const char *how, size_t where)
{
    uint8_t want[DIGEST];

    if (verdict != expect(file, options, want))
        fail("%s, options %u, %s %zu: verdict %d", collision_files[file],
             options, how, where, verdict);
    same_bytes(digest, want, DIGEST, "%s, options %u, %s %zu",
               collision_files[file], options, how, where);
}

/* Detection is off for the first blocks, then on again: it judges what comes then,
 * and the digest is the same. */
static void switched(const void *unused)
{
    enum { BEFORE = 10 * 64 };
    uint8_t data[BEFORE + COLLISION_MAX], got[DIGEST], want[DIGEST];

    (void)unused;
    for (size_t before = 0; before <= BEFORE; before += 64) {
        hk_sha1dc_ctx ctx;

        random_bytes(data, sizeof data);
        hk_sha1dc_init(&ctx);
        hk_sha1dc_options(&ctx, HK_SHA1DC_NO_DETECTION);
        hk_sha1dc_update(&ctx, data, before);
        hk_sha1dc_options(&ctx, 0);
        hk_sha1dc_update(&ctx, data + before, sizeof data - before);
        if (hk_sha1dc_final(&ctx, got))
            fail("an attack in random data after %zu bytes", before);
        hk_sha1(data, sizeof data, want);
        same_bytes(got, want, DIGEST, "off for %zu bytes", before);
    }
}

static void files(const void *unused)
{
    (void)unused;
    for (unsigned file = 0; file < COUNT(expected); file++)
        for (unsigned options = 0; options < 16; options++) {
            uint8_t data[COLLISION_MAX], digest[DIGEST];
            size_t size = collision_file(collision_files[file], data);
            hk_sha1dc_ctx ctx;

            hk_sha1dc_init(&ctx);
            hk_sha1dc_options(&ctx, options);
            hk_sha1dc_update(&ctx, data, size);
            judge(file, options, hk_sha1dc_final(&ctx, digest), digest, "whole",
                  size);
            if (!options)
                judge(file, 0, hk_sha1dc(data, size, digest), digest,
                      "one shot", size);
        }
}

/* Split at every byte, the second part also to a clone of the context. */
static void file_splits(const void *unused)
{
    static const unsigned some[] = {
        0, HK_SHA1DC_SAFE_HASH, HK_SHA1DC_REDUCED_ROUNDS | HK_SHA1DC_SAFE_HASH};

    (void)unused;
    for (unsigned file = 0; file < COUNT(expected); file++)
        for (unsigned i = 0; i < COUNT(some); i++) {
            uint8_t data[COLLISION_MAX], digest[DIGEST];
            size_t size = collision_file(collision_files[file], data);
            hk_sha1dc_ctx ctx, clone;

            for (size_t cut = 0; cut <= size; cut++) {
                hk_sha1dc_init(&ctx);
                hk_sha1dc_options(&ctx, some[i]);
                hk_sha1dc_update(&ctx, data, cut);
                memcpy(&clone, &ctx, sizeof clone);
                hk_sha1dc_update(&ctx, data + cut, size - cut);
                judge(file, some[i], hk_sha1dc_final(&ctx, digest), digest,
                      "split at", cut);
                hk_sha1dc_update(&clone, data + cut, size - cut);
                judge(file, some[i], hk_sha1dc_final(&clone, digest), digest,
                      "cloned at", cut);
            }
            hk_sha1dc_init(&ctx);
            hk_sha1dc_options(&ctx, some[i]);
            for (size_t n = 0; n < size; n++)
                hk_sha1dc_update(&ctx, data + n, 1);
            judge(file, some[i], hk_sha1dc_final(&ctx, digest), digest,
                  "byte by byte", size);
        }
}

static void file_alignments(const void *unused)
{
    (void)unused;
    for (unsigned file = 0; file < COUNT(expected); file++)
        for (size_t offset = 0; offset < 64; offset++) {
            uint8_t data[COLLISION_MAX], room[COLLISION_MAX + 64];
            uint8_t digest[DIGEST];
            size_t size = collision_file(collision_files[file], data);

            memcpy(room + offset, data, size);
            judge(file, 0, hk_sha1dc(room + offset, size, digest), digest,
                  "at alignment", offset);
        }
}

/* A collision behind 0 to 200 other blocks. None are known that lead back to
 * the initial value, so it is put back by hand. */
static void file_positions(const void *unused)
{
    static uint8_t before[200 * 64];

    (void)unused;
    mixed_blocks(before, 200);
    for (unsigned file = 0; file < COUNT(expected); file++)
        for (size_t blocks = 0; blocks <= 200; blocks++) {
            uint8_t data[COLLISION_MAX], digest[DIGEST];
            size_t size = collision_file(collision_files[file], data);
            hk_sha1dc_ctx ctx;

            hk_sha1dc_init(&ctx);
            hk_sha1dc_update(&ctx, before, 64 * blocks);
            memcpy(ctx.state, initial, sizeof initial);
            memcpy(ctx.state + 5, initial, sizeof initial);
            hk_sha1dc_update(&ctx, data, size);
            if (hk_sha1dc_final(&ctx, digest) != !is_reduced(file))
                fail("%s behind %zu blocks", collision_files[file], blocks);
        }
}

/* ---- messages without an attack ------------------------------------------ */

static uint8_t message[64 * 100 + 64];

static void same_as_sha1(hk_sha1dc_ctx *ctx, const uint8_t *data, size_t size,
                         const char *what)
{
    uint8_t digest[DIGEST], want[DIGEST];

    hk_sha1(data, size, want);
    if (hk_sha1dc_final(ctx, digest))
        fail("found an attack in %zu bytes%s", size, what);
    same_bytes(digest, want, DIGEST, "digest of %zu bytes%s", size, what);
}

static void plain(const void *unused)
{
    (void)unused;
    mixed_blocks(message, 101);
    for (unsigned options = 0; options < 16; options++)
        for (size_t size = 0; size <= (options < 4 ? LONGEST : 130); size++) {
            hk_sha1dc_ctx ctx;

            hk_sha1dc_init(&ctx);
            hk_sha1dc_options(&ctx, options);
            hk_sha1dc_update(&ctx, message, size);
            same_as_sha1(&ctx, message, size, "");
        }
    for (unsigned i = 0; i < repeat(300); i++) {
        size_t size = random_below(sizeof message), done = 0;
        hk_sha1dc_ctx ctx;

        if (i % 50 == 0)
            mixed_blocks(message, 101);
        memset(&ctx, 0, sizeof ctx); /* which is a new one */
        while (done < size) {
            size_t some = 1 + random_below(random_below(2) ? 1000 : 70);

            if (some > size - done)
                some = size - done;
            hk_sha1dc_update(&ctx, message + done, some);
            done += some;
        }
        same_as_sha1(&ctx, message, size, " in pieces");
    }
}

static void contexts(const void *unused)
{
    hk_sha1dc_ctx ctx, zero;
    uint8_t digest[DIGEST + 8], want[DIGEST];

    (void)unused;
    memset(&zero, 0, sizeof zero);
    random_bytes(message, 200);
    hk_sha1(message, 200, want);
    for (unsigned offset = 0; offset < 8; offset++) {
        hk_sha1dc_init(&ctx);
        hk_sha1dc_update(&ctx, NULL, 0);
        hk_sha1dc_update(&ctx, message, 200);
        hk_sha1dc_final(&ctx, digest + offset);
        same_bytes(digest + offset, want, DIGEST, "digest at an odd address");
        same_bytes(&ctx, &zero, sizeof ctx, "context after final");
        hk_sha1dc_update(&ctx, message, 200);
        hk_sha1dc_final(&ctx, digest);
        same_bytes(digest, want, DIGEST, "digest after final");
    }
    if (strncmp(hk_kernel_in_use("sha1dc"), "sha1dc_", 7))
        fail("%s is in use", hk_kernel_in_use("sha1dc"));
}

/* ---- scan ---------------------------------------------------------------- */

static void scan(const void *unused)
{
    static const uint32_t last = (uint32_t)1 << 27; /* II(52,0) */
    static struct hk_sha1dc_verdict verdicts[100];
    static uint32_t want[100];

    (void)unused;
    for (unsigned i = 0; i < repeat(20); i++) {
        uint32_t state[5], chain[10];

        mixed_blocks(message, 100);
        masks_of(message, 100, want);
        random_bytes(state, sizeof state);
        memcpy(chain, state, sizeof state);
        memcpy(chain + 5, state, sizeof state);
        hk_sha1dc_scan(state, message, 100, verdicts);
        ((hk_sha1dc_kernel *)reference_of("sha1dc"))(chain, message, 100, NULL);
        same_bytes(state, chain, sizeof state, "state after a scan");
        for (unsigned n = 0; n < 100; n++)
            if (verdicts[n].candidates != want[n] || verdicts[n].confirmed ||
                verdicts[n].reduced)
                fail("verdict %08x %08x %08x, not %08x and nothing",
                     verdicts[n].candidates, verdicts[n].confirmed,
                     verdicts[n].reduced, want[n]);
    }
    for (unsigned file = 0; file < COUNT(expected); file++) {
        uint8_t data[COLLISION_MAX];
        size_t blocks = collision_file(collision_files[file], data) / 64;
        size_t final = is_reduced(file) ? 1 : blocks - 1;
        uint32_t state[5];

        masks_of(data, blocks, want);
        memcpy(state, initial, sizeof state);
        hk_sha1dc_scan(state, data, blocks, verdicts);
        for (size_t n = 0; n < blocks; n++) {
            struct hk_sha1dc_verdict *v = &verdicts[n];
            bool confirmed = n == final && !is_reduced(file);

            if (v->candidates != want[n] ||
                v->confirmed != (confirmed ? last : 0))
                fail("%s, block %zu: verdict %08x %08x", collision_files[file],
                     n, v->candidates, v->confirmed);
        }
        if (is_reduced(file) && verdicts[final].reduced != last)
            fail("the reduced collision is not seen");
    }
}

void suite_sha1dc(void)
{
    offer("sha1dc/tables", tables, NULL);
    offer("sha1dc/basis", basis, NULL);
    offer("sha1dc/switched", switched, NULL);
    offer("sha1dc/files", files, NULL);
    offer("sha1dc/file-splits", file_splits, NULL);
    offer("sha1dc/file-alignments", file_alignments, NULL);
    offer("sha1dc/file-positions", file_positions, NULL);
    offer("sha1dc/plain", plain, NULL);
    offer("sha1dc/contexts", contexts, NULL);
    offer("sha1dc/scan", scan, NULL);
}
