/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * messages.h - the hash functions of the API in one shape, and a second opinion
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "hashkern.h"

struct message_api {
    const char *name;
    const char *kernels;        /* the algorithm column of its kernels */
    size_t digest, block, ctx;  /* bytes */
    size_t length, length_high; /* where ctx counts bytes; 0: it does not */
    size_t state;               /* where ctx has the chaining value */
    void (*init)(void *ctx);
    void (*update)(void *ctx, const void *data, size_t size);
    void (*final)(void *ctx, uint8_t *digest);
    void (*once)(const void *data, size_t size, uint8_t *digest);
    void (*many)(size_t count, const void *const data[], const size_t size[],
                 uint8_t *digests);
    void (*tree)(const void *data, size_t size, size_t chunk, uint8_t *digest);
};
extern const struct message_api message_apis[];
extern const size_t message_api_count;

enum { MAX_DIGEST = 64, MAX_BLOCK = 128 };

/* Room for any context, aligned for it. */
union any_ctx {
    hk_sha1_ctx sha1;
    hk_sha1dc_ctx sha1dc;
    hk_sha256_ctx sha256;
    hk_sha512_ctx sha512;
    uint8_t bytes[sizeof(hk_sha512_ctx)];
};

/* Makes a started context use this kernel. */
void message_use(void *ctx, const struct hk_kernel *row);

/* The digest of a message of less than 4 KiB that follows earlier bytes, worked
 * out the slow way: the whole padded message in memory, hashed by the row "ref".
 * Those earlier bytes, whole blocks, are known only by their number. */
void message_model(const struct message_api *api, const uint8_t *data,
                   size_t size, uint64_t earlier_high, uint64_t earlier,
                   uint8_t *digest);

/* CAVP's short, long and Monte Carlo vectors (cavp.c), on this kernel. */
void cavp(const struct message_api *api, const struct hk_kernel *row);

#endif
