/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha256.c - SHA-224 and SHA-256 (FIPS 180-4, sections 6.2 and 6.3): messages
 */
#include "memory.h"

#define HK_SELECT_sha256 ,
#define SELECT_NAME      hk_select_sha256
#define SELECT_PROTOTYPE HK_SHA256_KERNEL
#include "select.h"

#define MD_KERNELS  sha256
#define MD_WORD     uint32_t
#define MD_STATE    8
#define MD_BLOCK    64
#define MD_MIDSTATE HK_SHA256_MIDSTATE

/* Section 5.3.2 */
#define MD_NAME   sha224
#define MD_DIGEST HK_SHA224_DIGEST
#define MD_INITIAL                                                             \
    {                                                                          \
        0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31,            \
            0x68581511, 0x64f98fa7, 0xbefa4fa4                                 \
    }
#include "merkle_damgard.h"

/* Section 5.3.3 */
#define MD_NAME   sha256
#define MD_DIGEST HK_SHA256_DIGEST
#define MD_INITIAL                                                             \
    {                                                                          \
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,            \
            0x9b05688c, 0x1f83d9ab, 0x5be0cd19                                 \
    }
#include "merkle_damgard.h"
