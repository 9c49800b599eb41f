/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc.h - what the two APIs of collision-detecting SHA-1 have in common
 */
#ifndef HK_SHA1DC_H
#define HK_SHA1DC_H

#include "hashkern.h"

struct sha1dc_block; /* sha1dc_block.h */
struct sha1dc_twin;

/* Told of each attack, with the engine as user, before the block is taken twice
 * more. */
typedef void hk_sha1dc_report(void *user, const struct sha1dc_block *block,
                              const struct sha1dc_twin *twin);

struct hk_sha1dc_engine {
    hk_sha1dc_kernel *kernel;
    hk_sha1dc_report *report; /* or NULL */
    unsigned options;         /* HK_SHA1DC_* */
    uint32_t chain[5];
    uint32_t found; /* attacks so far */
    uint64_t done;  /* blocks so far, the reported one included */
};

void hk_sha1dc_blocks(struct hk_sha1dc_engine *engine, const uint8_t *data,
                      size_t nblocks);
hk_sha1dc_kernel *hk_sha1dc_best(void);

#endif
