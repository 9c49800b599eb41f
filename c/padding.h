/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * padding.h - the two ends of a message: padding and digest (FIPS 180-4, 5.1)
 */
#ifndef HK_PADDING_H
#define HK_PADDING_H

#include "memory.h"

/* What follows the whole blocks of a message: its last bytes, 0x80, zeroes, and
 * the length in bits, big-endian, at the end of the block. The length is that of
 * the message in bytes, with its upper half for blocks of 128 bytes. Returns how
 * many blocks that makes, one or two. */
static inline size_t hk_pad(uint8_t *padded, const uint8_t *rest, uint64_t high,
                            uint64_t length, size_t block)
{
    size_t length_size = block / 8;
    size_t fill = (size_t)length % block;
    size_t nblocks = fill < block - length_size ? 1 : 2;
    uint8_t *end = padded + nblocks * block;

    hk_zero(padded + block - length_size, length_size);
    hk_zero(end - block, block);
    hk_copy_last(padded, rest, fill);
    if (length_size == 16)
        hk_store_be64(end - 16, high << 3 | length >> 61);
    hk_store_be64(end - 8, length << 3);
    return nblocks;
}

/* The first size bytes of a state, big-endian. */
static inline void hk_put_digest32(uint8_t *digest, const uint32_t *state,
                                   size_t size)
{
    for (size_t i = 0; i < size; i += 4)
        hk_store_be32(digest + i, state[i / 4]);
}

static inline void hk_put_digest64(uint8_t *digest, const uint64_t *state,
                                   size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8)
        hk_store_be64(digest + i, state[i / 8]);
    if (size % 8) /* SHA-512/224 ends with half a word */
        hk_store_be32(digest + size / 8 * 8, (uint32_t)(state[size / 8] >> 32));
}

#endif
