/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1.c - SHA-1 (FIPS 180-4, sections 5.3.1 and 6.1): messages
 */
#define HK_SELECT_sha1 ,
#include "kernels.h"
#include "memory.h"

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    HK_SHA1_KERNEL(hk_sha1_##variant);
#include "kernels.def"
#undef HK_ROW

/* The first row of the table that this CPU can run. */
static inline hk_sha1_kernel *hk_select_sha1(void)
{
    unsigned features = hk_cpu_now();

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    if (!((needs) & ~features))                                                \
        return hk_sha1_##variant;
#include "kernels.def"
#undef HK_ROW
    return NULL; /* not reached: the C rows need nothing */
}

#define MD_NAME    sha1
#define MD_KERNELS sha1
#define MD_WORD    uint32_t
#define MD_STATE   5
#define MD_BLOCK   64
#define MD_DIGEST  20
#define MD_INITIAL                                                             \
    {                                                                          \
        0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0             \
    }
#include "merkle_damgard.h"
