/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sipabsorb_ref.c - SipHash, whole words into the state, the text of the paper
 */
#include "siphash_ref.h"

HK_SIPABSORB_KERNEL(hk_sipabsorb_ref);

void hk_sipabsorb_ref(uint64_t state[4], const uint8_t *data, size_t nwords,
                      unsigned rounds)
{
    for (; nwords; nwords--, data += 8)
        hk_ref_sipword(state, hk_ref_load(data, 8), rounds);
}
