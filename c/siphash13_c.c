/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * siphash13_c.c - SipHash-1-3 of a whole message, portable C
 */
#include "siphash_c.h"

HK_SIPHASH_KERNEL(hk_siphash13_c);

uint64_t hk_siphash13_c(const uint8_t key[16], const uint8_t *data,
                        size_t length)
{
    return hk_c_siphash(key, data, length, 1, 3);
}
