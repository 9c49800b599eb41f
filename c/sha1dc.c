/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc.c - SHA-1 with collision detection: messages, options, forensics
 *
 * The kernels do what nearly every block needs. What only the options ask for,
 * and what happens after an attack was found, is done here in plain C.
 */
#include "memory.h"
#include "sha1dc.h"
#include "sha1dc_block.h"

#define HK_SELECT_sha1   ,
#define SELECT_NAME      hk_select_sha1
#define SELECT_PROTOTYPE HK_SHA1_KERNEL
#include "select.h"
#undef HK_SELECT_sha1

#define HK_SELECT_sha1dc ,
#define SELECT_NAME      hk_select_sha1dc
#define SELECT_PROTOTYPE HK_SHA1DC_KERNEL
#include "select.h"

/* Reports the attack that ends with this block, if the options see one: the
 * first vector that explains it, as the kernels and the reference find it. */
static int examine(const struct sha1dc_block *block, unsigned options,
                   hk_sha1dc_report *report, void *user, const uint8_t *data)
{
    uint32_t mask = 0xffffffff;

    if (!(options & HK_SHA1DC_ALL_VECTORS))
        mask = sha1dc_mask(block->W);
    for (unsigned i = 0; i < SHA1DC_VECTORS; i++) {
        struct sha1dc_twin twin;

        if (!(mask >> i & 1))
            continue;
        sha1dc_find_twin(&twin, block, i);
        if (sha1dc_same(twin.output, block->output) ||
            ((options & HK_SHA1DC_REDUCED_ROUNDS) &&
             sha1dc_same(twin.input, block->input))) {
            if (report)
                report(user, data, block, &twin);
            return 1;
        }
    }
    return 0;
}

/* The whole effect of an attack on the hash: counted, and if wanted, the block
 * taken twice more, so that the digests of the two messages differ. */
static void attacked(hk_sha1dc_ctx *ctx, const uint8_t *block)
{
    if (ctx->found + 1)
        ctx->found++;
    if (ctx->options & HK_SHA1DC_SAFE_HASH) {
        hk_select_sha1()(ctx->state, block, 1);
        hk_select_sha1()(ctx->state, block, 1);
    }
    hk_copy(ctx->state + 5, ctx->state, 20);
}

/* Every block by the text: for options that the kernels do not know. */
static void slowly(hk_sha1dc_ctx *ctx, const uint8_t *data, size_t nblocks,
                   hk_sha1dc_report *report, void *user)
{
    struct sha1dc_block block;

    for (; nblocks; nblocks--, data += 64) {
        sha1dc_compress(&block, ctx->state, ctx->state + 5, data);
        hk_copy(ctx->state, block.output, sizeof block.output);
        hk_copy(ctx->state + 5, block.output, sizeof block.output);
        if (examine(&block, ctx->options, report, user, data))
            attacked(ctx, data);
    }
}

void hk_sha1dc_blocks(hk_sha1dc_ctx *ctx, const uint8_t *data, size_t nblocks,
                      hk_sha1dc_report *report, void *user)
{
    if (ctx->options & HK_SHA1DC_NO_DETECTION) {
        hk_select_sha1()(ctx->state, data, nblocks);
        hk_copy(ctx->state + 5, ctx->state, 20);
        return;
    }
    if (ctx->options & (HK_SHA1DC_ALL_VECTORS | HK_SHA1DC_REDUCED_ROUNDS)) {
        slowly(ctx, data, nblocks, report, user);
        return;
    }
    for (;;) {
        size_t taken = ctx->kernel(ctx->state, data, nblocks, NULL);
        const uint8_t *last;

        if (!taken)
            return;
        data += 64 * taken;
        nblocks -= taken;
        last = data - 64;
        if (report) {
            struct sha1dc_block block;

            sha1dc_compress(&block, ctx->state + 5, ctx->state + 5, last);
            examine(&block, ctx->options, report, user, last);
        }
        attacked(ctx, last);
    }
}

hk_sha1dc_kernel *hk_sha1dc_best(void)
{
    return hk_select_sha1dc();
}

/* ---- Messages ------------------------------------------------------------ */

#define MD_NAME    sha1dc
#define MD_KERNELS sha1dc
#define MD_WORD    uint32_t
#define MD_STATE   10
#define MD_BLOCK   64
#define MD_DIGEST  20
#define MD_INITIAL                                                             \
    {                                                                          \
        0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,            \
            0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0         \
    }
#define MD_COMPRESS(ctx, data, nblocks)                                        \
    hk_sha1dc_blocks(ctx, data, nblocks, NULL, NULL)
#define MD_INIT_MORE(ctx) ((ctx)->options = (ctx)->found = 0)
#define MD_RESULT(ctx)    ((ctx)->found != 0)
#include "merkle_damgard.h"

void hk_sha1dc_options(hk_sha1dc_ctx *ctx, unsigned options)
{
    if (!ctx->kernel)
        hk_sha1dc_init(ctx);
    ctx->options = options;
}

/* ---- Forensics ----------------------------------------------------------- */

void hk_sha1dc_scan(uint32_t state[5], const void *data, size_t nblocks,
                    struct hk_sha1dc_verdict verdicts[])
{
    hk_sha1dc_kernel *kernel = hk_select_sha1dc();
    const uint8_t *bytes = data;

    for (size_t n = 0; n < nblocks; n++, bytes += 64) {
        struct hk_sha1dc_verdict verdict = {0, 0, 0};
        uint32_t both[10];

        hk_copy(both, state, 20);
        hk_copy(both + 5, state, 20);
        kernel(both, bytes, 1, &verdict.candidates);
        if (verdict.candidates) {
            struct sha1dc_block block;
            struct sha1dc_twin twin;

            sha1dc_compress(&block, state, state, bytes);
            for (unsigned i = 0; i < SHA1DC_VECTORS; i++) {
                uint32_t bit = (uint32_t)1 << i;

                if (!(verdict.candidates & bit))
                    continue;
                sha1dc_find_twin(&twin, &block, i);
                if (sha1dc_same(twin.output, block.output))
                    verdict.confirmed |= bit;
                if (sha1dc_same(twin.input, block.input))
                    verdict.reduced |= bit;
            }
        }
        verdicts[n] = verdict;
        hk_copy(state, both, 20);
    }
}
