/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash.c - SipHash (Aumasson and Bernstein 2012): messages
 */
#include "memory.h"
#include "siphash_c.h"

#define HK_SELECT_siphash24 ,
#define SELECT_NAME         hk_select_siphash24
#define SELECT_PROTOTYPE    HK_SIPHASH_KERNEL
#include "select.h"
#undef HK_SELECT_siphash24

#define HK_SELECT_siphash13 ,
#define SELECT_NAME         hk_select_siphash13
#define SELECT_PROTOTYPE    HK_SIPHASH_KERNEL
#include "select.h"
#undef HK_SELECT_siphash13

#define HK_SELECT_sipabsorb ,
#define SELECT_NAME         hk_select_sipabsorb
#define SELECT_PROTOTYPE    HK_SIPABSORB_KERNEL
#include "select.h"
#undef HK_SELECT_sipabsorb

uint64_t hk_siphash24(const uint8_t key[16], const void *data, size_t len)
{
    return hk_select_siphash24()(key, data, len);
}

uint64_t hk_siphash13(const uint8_t key[16], const void *data, size_t len)
{
    return hk_select_siphash13()(key, data, len);
}

/* The 128-bit output starts from another state and ends with other marks. */
enum {
    WIDE_START = 0xee,
    NARROW_END = 0xff,
    WIDE_END = 0xee,
    WIDE_AGAIN = 0xdd
};

static void start(hk_siphash_ctx *ctx, const uint8_t key[16], unsigned c_rounds,
                  unsigned d_rounds, int narrow, int wide)
{
    uint64_t k0 = hk_load_le64(key), k1 = hk_load_le64(key + 8);

    ctx->narrow[0] = k0 ^ 0x736f6d6570736575;
    ctx->narrow[1] = k1 ^ 0x646f72616e646f6d;
    ctx->narrow[2] = k0 ^ 0x6c7967656e657261;
    ctx->narrow[3] = k1 ^ 0x7465646279746573;
    for (unsigned i = 0; i < 4; i++)
        ctx->wide[i] = ctx->narrow[i];
    ctx->wide[1] ^= WIDE_START;
    ctx->length = 0;
    ctx->c_rounds = (uint8_t)c_rounds;
    ctx->d_rounds = (uint8_t)d_rounds;
    ctx->has_narrow = (uint8_t)narrow;
    ctx->has_wide = (uint8_t)wide;
}

void hk_siphash_init(hk_siphash_ctx *ctx, const uint8_t key[16],
                     unsigned c_rounds, unsigned d_rounds)
{
    start(ctx, key, c_rounds, d_rounds, 1, 1);
}

void hk_siphash_init64(hk_siphash_ctx *ctx, const uint8_t key[16],
                       unsigned c_rounds, unsigned d_rounds)
{
    start(ctx, key, c_rounds, d_rounds, 1, 0);
}

void hk_siphash_init128(hk_siphash_ctx *ctx, const uint8_t key[16],
                        unsigned c_rounds, unsigned d_rounds)
{
    start(ctx, key, c_rounds, d_rounds, 0, 1);
}

static void absorb(hk_siphash_ctx *ctx, const uint8_t *data, size_t nwords)
{
    hk_sipabsorb_kernel *kernel = hk_select_sipabsorb();

    if (ctx->has_narrow)
        kernel(ctx->narrow, data, nwords, ctx->c_rounds);
    if (ctx->has_wide)
        kernel(ctx->wide, data, nwords, ctx->c_rounds);
}

void hk_siphash_update(hk_siphash_ctx *ctx, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    unsigned fill = (unsigned)ctx->length % 8;

    ctx->length += len;
    if (fill) {
        while (fill < 8 && len)
            ctx->buffer[fill++] = *bytes++, len--;
        if (fill < 8)
            return;
        absorb(ctx, ctx->buffer, 1);
    }
    if (len >= 8) {
        absorb(ctx, bytes, len / 8);
        bytes += len / 8 * 8;
        len %= 8;
    }
    for (unsigned i = 0; i < len; i++)
        ctx->buffer[i] = bytes[i];
}

static void finish_rounds(uint64_t v[4], unsigned rounds)
{
    while (rounds--)
        HK_SIPROUND(v[0], v[1], v[2], v[3]);
}

/* The last word: what is left of the message, and the length modulo 256. */
static void last_word(hk_siphash_ctx *ctx)
{
    hk_fill(ctx->buffer + ctx->length % 8, 0, 8 - ctx->length % 8);
    ctx->buffer[7] = (uint8_t)ctx->length;
    absorb(ctx, ctx->buffer, 1);
}

uint64_t hk_siphash_final64(hk_siphash_ctx *ctx)
{
    uint64_t *v = ctx->narrow;
    uint64_t output = 0;

    if (ctx->has_narrow) {
        last_word(ctx);
        v[2] ^= NARROW_END;
        finish_rounds(v, ctx->d_rounds);
        output = v[0] ^ v[1] ^ v[2] ^ v[3];
    }
    hk_wipe(ctx, sizeof *ctx);
    return output;
}

void hk_siphash_final128(hk_siphash_ctx *ctx, uint8_t digest[16])
{
    uint64_t *v = ctx->wide;
    uint64_t low = 0, high = 0;

    if (ctx->has_wide) {
        last_word(ctx);
        v[2] ^= WIDE_END;
        finish_rounds(v, ctx->d_rounds);
        low = v[0] ^ v[1] ^ v[2] ^ v[3];
        v[1] ^= WIDE_AGAIN;
        finish_rounds(v, ctx->d_rounds);
        high = v[0] ^ v[1] ^ v[2] ^ v[3];
    }
    hk_store_le64(digest, low);
    hk_store_le64(digest + 8, high);
    hk_wipe(ctx, sizeof *ctx);
}

static void wide(const uint8_t key[16], const void *data, size_t len,
                 uint8_t digest[16], unsigned c_rounds, unsigned d_rounds)
{
    hk_siphash_ctx ctx;

    hk_siphash_init128(&ctx, key, c_rounds, d_rounds);
    hk_siphash_update(&ctx, data, len);
    hk_siphash_final128(&ctx, digest);
}

void hk_siphash24_128(const uint8_t key[16], const void *data, size_t len,
                      uint8_t digest[16])
{
    wide(key, data, len, digest, 2, 4);
}

void hk_siphash13_128(const uint8_t key[16], const void *data, size_t len,
                      uint8_t digest[16])
{
    wide(key, data, len, digest, 1, 3);
}
