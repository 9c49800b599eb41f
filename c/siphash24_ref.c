/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash24_ref.c - SipHash-2-4 of a whole message, the text of the paper
 */
#include "siphash_ref.h"

HK_SIPHASH_KERNEL(hk_siphash24_ref);

uint64_t hk_siphash24_ref(const uint8_t key[16], const uint8_t *data,
                          size_t length)
{
    return hk_ref_siphash(key, data, length, 2, 4);
}
