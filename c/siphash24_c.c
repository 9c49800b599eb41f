/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash24_c.c - SipHash-2-4 of a whole message, portable C
 */
#include "siphash_c.h"

HK_SIPHASH_KERNEL(hk_siphash24_c);

uint64_t hk_siphash24_c(const uint8_t key[16], const uint8_t *data,
                        size_t length)
{
    return hk_c_siphash(key, data, length, 2, 4);
}
