/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc/sha1.h - the interface of libsha1detectcoll, on hashkern's kernels
 *
 * Programs that use SHA-1 with collision detection, git among them, include this
 * file as <sha1dc/sha1.h> and link with -lsha1detectcoll. The library from
 * hashkern takes the place of the one by Stevens and Shumow: same names, same
 * results for every option, same layout of the context, so that a program built
 * for one can run with the other.
 *
 * New programs better use hk_sha1dc_* in hashkern.h.
 */
#ifndef SHA1DC_SHA1_H
#define SHA1DC_SHA1_H

#ifndef SHA1DC_NO_STANDARD_INCLUDES
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Told of each attack: where its last block begins in the message, the chaining
 * values before that block and before the one it collides with, and all eighty
 * words of both. */
typedef void (*collision_block_callback)(uint64_t offset,
                                         const uint32_t ihvin1[5],
                                         const uint32_t ihvin2[5],
                                         const uint32_t m1[80],
                                         const uint32_t m2[80]);

/* May be copied in mid-message, which clones the hash. */
typedef struct {
    uint64_t total; /* bytes so far */
    uint32_t ihv[5];
    unsigned char buffer[64];
    int found_collision;
    int safe_hash;
    int detect_coll;
    int ubc_check;
    int reduced_round_coll;
    collision_block_callback callback;

    /* Of the last attack, if there was one. */
    uint32_t ihv1[5];
    uint32_t ihv2[5];
    uint32_t m1[80];
    uint32_t m2[80];
    uint32_t unused[80][5]; /* as large as the other library's */
} SHA1_CTX;

void SHA1DCInit(SHA1_CTX *ctx);

/* Options, each on if not 0. They hold from the next block on. */

/* The last block of an attack is hashed three times, so that the digests of two
 * colliding messages differ from each other, and from SHA-1. Default: on, unless
 * the library was built with -DSHA1DC_INIT_SAFE_HASH_DEFAULT=0. */
void SHA1DCSetSafeHash(SHA1_CTX *ctx, int on);
/* Only blocks that satisfy the unavoidable bit conditions are tried; off finds
 * nothing more and is many times slower. Default: on. */
void SHA1DCSetUseUBC(SHA1_CTX *ctx, int on);
/* Attacks are looked for at all. Default: on. */
void SHA1DCSetUseDetectColl(SHA1_CTX *ctx, int on);
/* Collisions of SHA-1 with fewer rounds count as well. Default: off. */
void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *ctx, int on);
/* NULL, the default: nobody is told. */
void SHA1DCSetCallback(SHA1_CTX *ctx, collision_block_callback callback);

void SHA1DCUpdate(SHA1_CTX *ctx, const char *data, size_t len);

/* Writes the digest; returns 0 if there was no attack. */
int SHA1DCFinal(unsigned char digest[20], SHA1_CTX *ctx);

#ifdef __cplusplus
}
#endif

#ifdef SHA1DC_CUSTOM_TRAILING_INCLUDE_SHA1_H
#include SHA1DC_CUSTOM_TRAILING_INCLUDE_SHA1_H
#endif

#endif
