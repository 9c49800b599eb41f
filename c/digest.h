/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * digest.h - the unkeyed algorithms by name, for programs that choose at run
 * time: the tool, hashed files. Not part of the freestanding core.
 */
#ifndef HK_DIGEST_H
#define HK_DIGEST_H

#include "hashkern.h"

#define HK_DIGEST_LONGEST HK_SHA512_DIGEST /* bytes */

/* A context of any of them: plain data, copying it clones the hash. */
union hk_digest_ctx {
    hk_sha1_ctx sha1;
    hk_sha1dc_ctx sha1dc;
    hk_sha224_ctx sha224;
    hk_sha256_ctx sha256;
    hk_sha384_ctx sha384;
    hk_sha512_ctx sha512;
    hk_sha512_224_ctx sha512_224;
    hk_sha512_256_ctx sha512_256;
};

struct hk_digest {
    const char *name;    /* "sha512_224", as in hk_sha512_224 */
    const char *kernels; /* "sha512": the algorithm column of kernels.def */
    size_t size;         /* bytes of the digest */
    void (*init)(union hk_digest_ctx *);
    void (*update)(union hk_digest_ctx *, const void *, size_t);
    /* Returns 1 if the message was made by a collision attack (sha1dc). */
    int (*final)(union hk_digest_ctx *, uint8_t *);
};

extern const struct hk_digest hk_digests[];
extern const size_t hk_digest_count;

/* NULL if there is none of that name. */
const struct hk_digest *hk_digest_named(const char *name);

#endif
