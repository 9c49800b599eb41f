/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc_many.c - SHA-1 with collision detection of many messages
 */
#include "hashkern.h"

size_t hk_sha1dc_many(size_t count, const void *const data[],
                      const size_t len[], uint8_t (*digest)[HK_SHA1_DIGEST])
{
    return hk_sha1dc_many_each(count, data, len, digest, NULL);
}

size_t hk_sha1dc_many_each(size_t count, const void *const data[],
                           const size_t len[],
                           uint8_t (*digest)[HK_SHA1_DIGEST], uint8_t attack[])
{
    size_t attacks = 0;

    for (size_t i = 0; i < count; i++) {
        int found = hk_sha1dc(data[i], len[i], digest[i]);

        if (attack)
            attack[i] = (uint8_t)found;
        attacks += (size_t)found;
    }
    return attacks;
}

int hk_sha1dc_tree(const void *data, size_t len, size_t chunk,
                   uint8_t digest[HK_SHA1_DIGEST])
{
    const uint8_t *rest = data;
    hk_sha1dc_ctx all;
    int found = 0;

    hk_sha1dc_init(&all);
    while (len) {
        size_t size = chunk && chunk < len ? chunk : len;
        uint8_t one[HK_SHA1_DIGEST];

        found |= hk_sha1dc(rest, size, one);
        hk_sha1dc_update(&all, one, sizeof one);
        rest += size;
        len -= size;
    }
    return hk_sha1dc_final(&all, digest) | found;
}
