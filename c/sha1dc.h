/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc.h - what the two APIs of collision-detecting SHA-1 have in common
 */
#ifndef HK_SHA1DC_H
#define HK_SHA1DC_H

#include "cpu.h"
#include "hashkern.h"

struct sha1dc_block; /* sha1dc_block.h */
struct sha1dc_twin;

/* Told of each attack: the block, also as data, and its twin. Called before the
 * block is taken twice more. */
typedef void hk_sha1dc_report(void *user, const uint8_t *data,
                              const struct sha1dc_block *block,
                              const struct sha1dc_twin *twin);

/* Takes whole blocks into the state of ctx, as its options say; report may be
 * NULL. Uses neither length nor buffer. */
HK_HIDDEN void hk_sha1dc_blocks(hk_sha1dc_ctx *ctx, const uint8_t *data,
                                size_t nblocks, hk_sha1dc_report *report,
                                void *user);
HK_HIDDEN hk_sha1dc_kernel *hk_sha1dc_best(void);

#endif
