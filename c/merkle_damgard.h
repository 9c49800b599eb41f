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
 * The file itself includes select.h for MD_KERNELS.
 */
#include "padding.h"

#define MD_JOIN(a, b)  MD_JOIN_(a, b)
#define MD_JOIN_(a, b) a##b
#define MD_FUNCTION    MD_JOIN(hk_, MD_NAME)
#define MD_CTX         MD_JOIN(MD_FUNCTION, _ctx)
#define MD_CALL(verb)  MD_JOIN(MD_FUNCTION, verb)
#define MD_SELECT      MD_JOIN(hk_select_, MD_KERNELS)
#if MD_BLOCK == 128
#define MD_LOAD       hk_load_be64
#define MD_STORE      hk_store_be64
#define MD_PUT_DIGEST hk_put_digest64
#else
#define MD_LOAD       hk_load_be32
#define MD_STORE      hk_store_be32
#define MD_PUT_DIGEST hk_put_digest32
#endif
#ifndef MD_COMPRESS
#define MD_COMPRESS(ctx, data, nblocks)                                        \
    (ctx)->kernel((ctx)->state, (data), (nblocks))
#endif
#ifdef MD_RESULT
#define MD_RETURN       int
#define MD_LEAVE(value) return value
#else
#define MD_RETURN       void
#define MD_LEAVE(value) (void)(value)
#define MD_RESULT(ctx)  0
#endif

static const MD_WORD MD_CALL(_initial)[MD_STATE] = MD_INITIAL;

static inline void MD_CALL(_begin)(MD_CTX *ctx)
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

void MD_CALL(_init)(MD_CTX *ctx)
{
    MD_CALL(_begin)(ctx);
}

void MD_CALL(_update)(MD_CTX *ctx, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    unsigned fill;

    if (!ctx->kernel)
        MD_CALL(_begin)(ctx);
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

/* The end of every hash: takes the padded blocks, which are wiped, and gives the
 * digest. */
static inline int MD_CALL(_close)(MD_CTX *ctx, uint8_t padded[2 * MD_BLOCK],
                                  size_t nblocks, uint8_t *digest)
{
    MD_COMPRESS(ctx, padded, nblocks);
    MD_PUT_DIGEST(digest, ctx->state, MD_DIGEST);
    hk_wipe(padded, MD_BLOCK); /* the second block is padding alone */
    return MD_RESULT(ctx);
}

MD_RETURN MD_CALL(_final)(MD_CTX *ctx, uint8_t digest[MD_DIGEST])
{
    uint8_t padded[2 * MD_BLOCK];
    uint64_t high = 0;
    size_t nblocks;
    int result;

    if (!ctx->kernel)
        MD_CALL(_begin)(ctx);
#if MD_BLOCK == 128
    high = ctx->length_high;
#endif
    nblocks = hk_pad(padded, ctx->buffer, high, ctx->length, MD_BLOCK);
    result = MD_CALL(_close)(ctx, padded, nblocks, digest);
    hk_wipe(ctx, sizeof *ctx);
    MD_LEAVE(result);
}

MD_RETURN MD_FUNCTION(const void *data, size_t len, uint8_t digest[MD_DIGEST])
{
    const uint8_t *bytes = data;
    size_t whole = len / MD_BLOCK;
    uint8_t padded[2 * MD_BLOCK];
    MD_CTX ctx;
    size_t nblocks;
    int result;

    /* The padding first: its stores are done while the rest is hashed. */
    if (whole)
        bytes += whole * MD_BLOCK;
    nblocks = hk_pad(padded, bytes, 0, len, MD_BLOCK);
    MD_CALL(_begin)(&ctx);
    if (whole)
        MD_COMPRESS(&ctx, data, whole);
    result = MD_CALL(_close)(&ctx, padded, nblocks, digest);
    hk_wipe(ctx.state, sizeof ctx.state);
    MD_LEAVE(result);
}

#ifdef MD_MIDSTATE
#include "midstate.h"
#endif

#undef MD_FUNCTION
#undef MD_CTX
#undef MD_CALL
#undef MD_SELECT
#undef MD_LOAD
#undef MD_STORE
#undef MD_PUT_DIGEST
#undef MD_COMPRESS
#undef MD_RETURN
#undef MD_LEAVE
#undef MD_RESULT
#undef MD_JOIN
#undef MD_JOIN_
#undef MD_NAME
#undef MD_DIGEST
#undef MD_INITIAL
