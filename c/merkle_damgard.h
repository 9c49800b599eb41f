/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * merkle_damgard.h - streaming and one-shot hashing on a block kernel
 *
 * FIPS 180-4, section 5.1 (padding) and 6 (hash computation). A file that
 * implements an algorithm defines the following and includes this once for each
 * algorithm; it gets hk_<name>_init, _update, _final and hk_<name>.
 *
 *     MD_NAME           sha256
 *     MD_KERNELS        sha256, the algorithm column of kernels.def
 *     MD_WORD           uint32_t or uint64_t
 *     MD_STATE          words in the state
 *     MD_BLOCK          bytes in a block: 64 or 128
 *     MD_DIGEST         bytes in the digest
 *     MD_INITIAL        {initial hash value, section 5.3}
 *     MD_MIDSTATE       bytes of an exported midstate; undefined: there is none
 *
 * and, only if the kernels do more than hash,
 *
 *     MD_COMPRESS(ctx, data, nblocks)   takes whole blocks into the state
 *     MD_INIT_MORE(ctx)                 sets the members that only it has
 *     MD_RESULT(ctx)                    int that _final and hk_<name> return
 *
 * The file itself includes kernels.h and defines HK_ROW as HK_ROW_SELECT.
 */
#define MD_JOIN(a, b)  MD_JOIN_(a, b)
#define MD_JOIN_(a, b) a##b
#define MD_FUNCTION    MD_JOIN(hk_, MD_NAME)
#define MD_CTX         MD_JOIN(MD_FUNCTION, _ctx)
#define MD_CALL(verb)  MD_JOIN(MD_FUNCTION, verb)
#define MD_SELECT      MD_JOIN(hk_select_, MD_KERNELS)
#define MD_LENGTH_SIZE (MD_BLOCK / 8) /* bytes of the length in the padding */
#ifndef MD_COMPRESS
#define MD_COMPRESS(ctx, data, nblocks)                                        \
    (ctx)->kernel((ctx)->state, (data), (nblocks))
#endif
#ifdef MD_RESULT
#define MD_RETURN int
#else
#define MD_RETURN void
#endif

static const MD_WORD MD_CALL(_initial)[MD_STATE] = MD_INITIAL;

void MD_CALL(_init)(MD_CTX *ctx)
{
    ctx->kernel = MD_SELECT();
    ctx->length = 0;
#if MD_BLOCK == 128
    ctx->length_high = 0;
#endif
    for (unsigned i = 0; i < MD_STATE; i++)
        ctx->state[i] = MD_CALL(_initial)[i];
#ifdef MD_INIT_MORE
    MD_INIT_MORE(ctx);
#endif
}

void MD_CALL(_update)(MD_CTX *ctx, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    unsigned fill;

    if (!ctx->kernel)
        MD_CALL(_init)(ctx);
    fill = (unsigned)ctx->length % MD_BLOCK;
    ctx->length += len;
#if MD_BLOCK == 128
    ctx->length_high += ctx->length < len;
#endif
    if (fill) {
        size_t take = MD_BLOCK - fill;

        if (take > len)
            take = len;
        hk_copy(ctx->buffer + fill, bytes, take);
        if (fill + take < MD_BLOCK)
            return;
        MD_COMPRESS(ctx, ctx->buffer, 1);
        bytes += take;
        len -= take;
    }
    if (len >= MD_BLOCK) {
        size_t nblocks = len / MD_BLOCK;

        MD_COMPRESS(ctx, bytes, nblocks);
        bytes += nblocks * MD_BLOCK;
        len %= MD_BLOCK;
    }
    hk_copy(ctx->buffer, bytes, len);
}

/* The last block: the message's bit length at its very end, big-endian. */
static inline void MD_CALL(_put_length)(uint8_t *end, uint64_t high,
                                        uint64_t bytes)
{
#if MD_BLOCK == 128
    hk_store_be64(end - 16, high << 3 | bytes >> 61);
#else
    (void)high;
#endif
    hk_store_be64(end - 8, bytes << 3);
}

static inline void MD_CALL(_put_digest)(uint8_t *digest, const MD_WORD *state)
{
    unsigned word = sizeof(MD_WORD);

    for (unsigned i = 0; i < MD_DIGEST; i++)
        digest[i] = (uint8_t)(state[i / word] >> 8 * (word - 1 - i % word));
}

MD_RETURN MD_CALL(_final)(MD_CTX *ctx, uint8_t digest[MD_DIGEST])
{
    unsigned fill;
    uint64_t high = 0;
#ifdef MD_RESULT
    int result;
#endif

    if (!ctx->kernel)
        MD_CALL(_init)(ctx);
    fill = (unsigned)ctx->length % MD_BLOCK;
#if MD_BLOCK == 128
    high = ctx->length_high;
#endif
    ctx->buffer[fill++] = 0x80;
    if (fill > MD_BLOCK - MD_LENGTH_SIZE) {
        hk_fill(ctx->buffer + fill, 0, MD_BLOCK - fill);
        MD_COMPRESS(ctx, ctx->buffer, 1);
        fill = 0;
    }
    hk_fill(ctx->buffer + fill, 0, MD_BLOCK - fill);
    MD_CALL(_put_length)(ctx->buffer + MD_BLOCK, high, ctx->length);
    MD_COMPRESS(ctx, ctx->buffer, 1);
    MD_CALL(_put_digest)(digest, ctx->state);
#ifdef MD_RESULT
    result = MD_RESULT(ctx);
    hk_wipe(ctx, sizeof *ctx);
    return result;
#else
    hk_wipe(ctx, sizeof *ctx);
#endif
}

MD_RETURN MD_FUNCTION(const void *data, size_t len, uint8_t digest[MD_DIGEST])
{
    MD_CTX ctx;

    MD_CALL(_init)(&ctx);
    MD_CALL(_update)(&ctx, data, len);
#ifdef MD_RESULT
    return MD_CALL(_final)(&ctx, digest);
#else
    MD_CALL(_final)(&ctx, digest);
#endif
}

#ifdef MD_MIDSTATE
#include "midstate.h"
#endif

#undef MD_FUNCTION
#undef MD_CTX
#undef MD_CALL
#undef MD_SELECT
#undef MD_LENGTH_SIZE
#undef MD_COMPRESS
#undef MD_RETURN
#undef MD_JOIN
#undef MD_JOIN_
#undef MD_NAME
#undef MD_DIGEST
#undef MD_INITIAL
