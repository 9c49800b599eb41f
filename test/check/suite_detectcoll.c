/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_detectcoll.c - the drop-in libsha1detectcoll
 *
 * That its results are those of the library whose place it takes is shown where
 * that library is at hand: ci/clients.sh.
 */
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "check.h"
#include "sha1dc/sha1.h"

enum { DIGEST = 20 };

/* What the options mean in hashkern.h. */
static unsigned same_options(const SHA1_CTX *ctx)
{
    return (ctx->safe_hash ? HK_SHA1DC_SAFE_HASH : 0) |
           (ctx->ubc_check ? 0 : HK_SHA1DC_ALL_VECTORS) |
           (ctx->detect_coll ? 0 : HK_SHA1DC_NO_DETECTION) |
           (ctx->reduced_round_coll ? HK_SHA1DC_REDUCED_ROUNDS : 0);
}

/* Sets any option to a value of any kind; on is not always 1. */
static void set_options(SHA1_CTX *ctx, unsigned options)
{
    static const int on[] = {1, -1, 256};

    SHA1DCSetSafeHash(ctx, options & 1 ? on[options % 3] : 0);
    SHA1DCSetUseUBC(ctx, options & 2 ? on[options % 3] : 0);
    SHA1DCSetUseDetectColl(ctx, options & 4 ? on[options % 3] : 0);
    SHA1DCSetDetectReducedRoundCollision(ctx,
                                         options & 8 ? on[options % 3] : 0);
}

static void compare(SHA1_CTX *ctx, const uint8_t *data, size_t size,
                    const char *what, size_t where)
{
    unsigned char got[DIGEST];
    uint8_t want[DIGEST];
    hk_sha1dc_ctx other;
    int found = SHA1DCFinal(got, ctx), want_found;

    hk_sha1dc_init(&other);
    hk_sha1dc_options(&other, same_options(ctx));
    hk_sha1dc_update(&other, data, size);
    want_found = hk_sha1dc_final(&other, want);
    if (!found != !want_found)
        fail("verdict %d on %zu bytes, %s %zu", found, size, what, where);
    same_bytes(got, want, DIGEST, "digest of %zu bytes, %s %zu", size, what,
               where);
}

static void defaults(const void *unused)
{
    SHA1_CTX ctx;

    (void)unused;
    memset(&ctx, 0xff, sizeof ctx);
    SHA1DCInit(&ctx);
    if (same_options(&ctx) != HK_SHA1DC_SAFE_HASH || ctx.callback)
        fail("options of a new context: %#x", same_options(&ctx));
    if (sizeof ctx != 2400 && sizeof(void *) == 8)
        fail("the context has %zu bytes", sizeof ctx);
}

/* All options, all files, split at every byte; a copy of the context goes on by
 * itself. */
static void files(const void *unused)
{
    (void)unused;
    for (unsigned options = 0; options < 16; options++)
        for (unsigned file = 0; file < COUNT(collision_files); file++) {
            uint8_t data[COLLISION_MAX];
            size_t size = collision_file(collision_files[file], data);

            for (size_t cut = 0; cut <= size; cut += options & 2 ? 1 : 37) {
                SHA1_CTX ctx, clone;

                SHA1DCInit(&ctx);
                set_options(&ctx, options);
                SHA1DCUpdate(&ctx, (char *)data, cut);
                memcpy(&clone, &ctx, sizeof clone);
                SHA1DCUpdate(&ctx, (char *)data + cut, size - cut);
                compare(&ctx, data, size, "split at", cut);
                SHA1DCUpdate(&clone, (char *)data + cut, size - cut);
                compare(&clone, data, size, "cloned at", cut);
            }
        }
}

static void lengths(const void *unused)
{
    static uint8_t data[64 * 20];

    (void)unused;
    mixed_blocks(data, 20);
    for (unsigned options = 0; options < 16; options++)
        for (size_t size = 0; size <= 200; size++) {
            SHA1_CTX ctx;

            SHA1DCInit(&ctx);
            set_options(&ctx, options);
            SHA1DCUpdate(&ctx, (char *)data, size);
            SHA1DCUpdate(&ctx, NULL, 0);
            compare(&ctx, data, size, "options", options);
        }
    for (unsigned i = 0; i < repeat(500); i++) {
        size_t size = random_below(sizeof data), done = 0;
        SHA1_CTX ctx;

        SHA1DCInit(&ctx);
        while (done < size) {
            size_t some = 1 + random_below(150);

            some = some > size - done ? size - done : some;
            SHA1DCUpdate(&ctx, (char *)data + done, some);
            done += some;
        }
        compare(&ctx, data, size, "in pieces", i);
    }
}

/* ---- the callback -------------------------------------------------------- */

static unsigned calls;
static uint64_t call_offset;

static void compress(uint32_t state[5], const uint32_t W[80])
{
    hk_sha1_kernel *sha1 = (hk_sha1_kernel *)reference_of("sha1");
    uint8_t block[64];

    for (unsigned n = 0; n < 64; n++)
        block[n] = (uint8_t)(W[n / 4] >> (24 - 8 * (n % 4)));
    sha1(state, block, 1);
}

/* What it is told must be a collision. */
static void called(uint64_t offset, const uint32_t ihvin1[5],
                   const uint32_t ihvin2[5], const uint32_t m1[80],
                   const uint32_t m2[80])
{
    uint32_t out1[5], out2[5];

    calls++;
    call_offset = offset;
    memcpy(out1, ihvin1, sizeof out1);
    memcpy(out2, ihvin2, sizeof out2);
    if (!memcmp(m1, m2, 80 * 4))
        fail("the blocks do not differ");
    compress(out1, m1);
    compress(out2, m2);
    same_bytes(out2, out1, sizeof out1, "chaining value after the other block");
}

static void callback(const void *unused)
{
    (void)unused;
    for (unsigned file = 0; file < COUNT(collision_files) - 1; file++) {
        uint8_t data[COLLISION_MAX];
        size_t size = collision_file(collision_files[file], data);

        for (size_t cut = 0; cut <= size; cut += 13) {
            unsigned char digest[DIGEST];
            SHA1_CTX ctx;

            calls = 0;
            SHA1DCInit(&ctx);
            SHA1DCSetCallback(&ctx, called);
            SHA1DCUpdate(&ctx, (char *)data, cut);
            SHA1DCUpdate(&ctx, (char *)data + cut, size - cut);
            SHA1DCFinal(digest, &ctx);
            if (calls != 1 || call_offset != size - 64)
                fail("%s: %u calls, offset %u", collision_files[file], calls,
                     (unsigned)call_offset);
            if (!ctx.found_collision || ctx.m1[0] >> 24 != data[size - 64])
                fail("%s: nothing in the context", collision_files[file]);

            SHA1DCInit(&ctx);
            SHA1DCSetCallback(&ctx, called);
            SHA1DCSetCallback(&ctx, NULL);
            SHA1DCUpdate(&ctx, (char *)data, size);
            SHA1DCFinal(digest, &ctx);
            if (calls != 1)
                fail("called although no callback is set");
        }
    }
}

void suite_detectcoll(void)
{
    offer("detectcoll/defaults", defaults, NULL);
    offer("detectcoll/files", files, NULL);
    offer("detectcoll/lengths", lengths, NULL);
    offer("detectcoll/callback", callback, NULL);
}
