/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc_ref.c - collision-detecting SHA-1, one step after the other
 *
 * Slow and obvious: every other kernel is compared with it.
 */
#include "hashkern.h"
#include "sha1dc_block.h"

HK_SHA1DC_KERNEL(hk_sha1dc_ref);

/* Does one of the vectors in mask explain this block? */
static int confirmed(const struct sha1dc_block *block, uint32_t mask)
{
    struct sha1dc_twin twin;

    for (unsigned i = 0; i < SHA1DC_VECTORS; i++) {
        if (!(mask >> i & 1))
            continue;
        sha1dc_find_twin(&twin, block, i);
        if (sha1dc_same(twin.output, block->output))
            return 1;
    }
    return 0;
}

size_t hk_sha1dc_ref(uint32_t state[10], const uint8_t *data, size_t nblocks,
                     uint32_t masks[])
{
    uint32_t *chain = state, *feed = state + 5;

    for (size_t i = 0; i < nblocks; i++) {
        struct sha1dc_block block;
        uint32_t mask;

        sha1dc_compress(&block, chain, feed, data + 64 * i);
        mask = sha1dc_mask(block.W);
        if (masks)
            masks[i] = mask;
        hk_copy(chain, block.output, sizeof block.output);
        if (confirmed(&block, mask))
            return i + 1;
        hk_copy(feed, block.output, sizeof block.output);
    }
    return 0;
}
