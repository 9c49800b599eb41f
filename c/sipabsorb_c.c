/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sipabsorb_c.c - SipHash, whole words into the state, portable C
 */
#include "siphash_c.h"

HK_SIPABSORB_KERNEL(hk_sipabsorb_c);

void hk_sipabsorb_c(uint64_t state[4], const uint8_t *data, size_t nwords,
                    unsigned rounds)
{
    uint64_t v0 = state[0], v1 = state[1], v2 = state[2], v3 = state[3];

    for (; nwords; nwords--, data += 8) {
        uint64_t m = hk_load_le64(data);

        v3 ^= m;
        for (unsigned i = 0; i < rounds; i++)
            HK_SIPROUND(v0, v1, v2, v3);
        v0 ^= m;
    }
    state[0] = v0;
    state[1] = v1;
    state[2] = v2;
    state[3] = v3;
}
