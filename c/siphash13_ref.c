/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash13_ref.c - SipHash-1-3 of a whole message, the text of the paper
 */
#include "siphash_ref.h"

HK_SIPHASH_KERNEL(hk_siphash13_ref);

uint64_t hk_siphash13_ref(const uint8_t key[16], const uint8_t *data,
                          size_t length)
{
    return hk_ref_siphash(key, data, length, 1, 3);
}
