/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1detectcoll.c - the drop-in libsha1detectcoll, over hk_sha1dc
 */
#include "memory.h"
#include "sha1dc.h"
#include "sha1dc/sha1.h"
#include "sha1dc_block.h"

#ifndef SHA1DC_INIT_SAFE_HASH_DEFAULT
#define SHA1DC_INIT_SAFE_HASH_DEFAULT 1
#endif

void SHA1DCInit(SHA1_CTX *ctx)
{
    static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                        0x10325476, 0xc3d2e1f0};

    ctx->total = 0;
    hk_copy(ctx->ihv, initial, sizeof initial);
    ctx->found_collision = 0;
    ctx->safe_hash = SHA1DC_INIT_SAFE_HASH_DEFAULT;
    ctx->detect_coll = 1;
    ctx->ubc_check = 1;
    ctx->reduced_round_coll = 0;
    ctx->callback = NULL;
}

void SHA1DCSetSafeHash(SHA1_CTX *ctx, int on)
{
    ctx->safe_hash = on != 0;
}

void SHA1DCSetUseUBC(SHA1_CTX *ctx, int on)
{
    ctx->ubc_check = on != 0;
}

void SHA1DCSetUseDetectColl(SHA1_CTX *ctx, int on)
{
    ctx->detect_coll = on != 0;
}

void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *ctx, int on)
{
    ctx->reduced_round_coll = on != 0;
}

void SHA1DCSetCallback(SHA1_CTX *ctx, collision_block_callback callback)
{
    ctx->callback = callback;
}

/* Where the blocks of one call lie. */
struct place {
    SHA1_CTX *ctx;
    const uint8_t *data;
    uint64_t offset; /* of data in the message */
};

static void report(void *user, const uint8_t *data,
                   const struct sha1dc_block *block,
                   const struct sha1dc_twin *twin)
{
    struct place *place = user;
    SHA1_CTX *ctx = place->ctx;

    ctx->found_collision = 1;
    hk_copy(ctx->ihv1, block->input, sizeof ctx->ihv1);
    hk_copy(ctx->ihv2, twin->input, sizeof ctx->ihv2);
    hk_copy(ctx->m1, block->W, sizeof ctx->m1);
    hk_copy(ctx->m2, twin->W, sizeof ctx->m2);
    if (ctx->callback)
        ctx->callback(place->offset + (uint64_t)(data - place->data), ctx->ihv1,
                      ctx->ihv2, ctx->m1, ctx->m2);
}

static void blocks(SHA1_CTX *ctx, uint64_t offset, const uint8_t *data,
                   size_t nblocks)
{
    struct place place = {ctx, data, offset};
    hk_sha1dc_ctx hash;

    hash.kernel = hk_sha1dc_best();
    hash.options = (ctx->safe_hash ? HK_SHA1DC_SAFE_HASH : 0) |
                   (ctx->detect_coll ? 0 : HK_SHA1DC_NO_DETECTION) |
                   (ctx->ubc_check ? 0 : HK_SHA1DC_ALL_VECTORS) |
                   (ctx->reduced_round_coll ? HK_SHA1DC_REDUCED_ROUNDS : 0);
    hash.found = 0;
    hk_copy(hash.state, ctx->ihv, sizeof ctx->ihv);
    hk_copy(hash.state + 5, ctx->ihv, sizeof ctx->ihv);
    hk_sha1dc_blocks(&hash, data, nblocks, report, &place);
    hk_copy(ctx->ihv, hash.state, sizeof ctx->ihv);
}

void SHA1DCUpdate(SHA1_CTX *ctx, const char *data, size_t len)
{
    const uint8_t *bytes = (const uint8_t *)data;
    size_t fill = (size_t)ctx->total % 64, whole;

    if (fill && len >= 64 - fill) {
        hk_copy(ctx->buffer + fill, bytes, 64 - fill);
        blocks(ctx, ctx->total - fill, ctx->buffer, 1);
        ctx->total += 64 - fill;
        bytes += 64 - fill;
        len -= 64 - fill;
        fill = 0;
    }
    whole = fill ? 0 : len / 64;
    if (whole) {
        blocks(ctx, ctx->total, bytes, whole);
        ctx->total += 64 * whole;
        bytes += 64 * whole;
        len %= 64;
    }
    hk_copy(ctx->buffer + fill, bytes, len);
    ctx->total += len;
}

int SHA1DCFinal(unsigned char digest[20], SHA1_CTX *ctx)
{
    static const char padding[64] = {(char)0x80};
    uint64_t length = ctx->total;
    size_t fill = (size_t)length % 64;

    SHA1DCUpdate(ctx, padding, fill < 56 ? 56 - fill : 120 - fill);
    hk_store_be64(ctx->buffer + 56, length << 3);
    /* In this block the other library counts from the end of what was added,
     * and so calls back with 8 bytes less. */
    blocks(ctx, ctx->total - 64, ctx->buffer, 1);
    for (unsigned i = 0; i < 5; i++)
        hk_store_be32(digest + 4 * i, ctx->ihv[i]);
    return ctx->found_collision;
}
