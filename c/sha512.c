/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha512.c - SHA-384, SHA-512 and SHA-512/t (FIPS 180-4, 6.4 to 6.7): messages
 */
#include "memory.h"

#define HK_SELECT_sha512 ,
#define SELECT_NAME      hk_select_sha512
#define SELECT_PROTOTYPE HK_SHA512_KERNEL
#include "select.h"

#define MD_KERNELS  sha512
#define MD_WORD     uint64_t
#define MD_STATE    8
#define MD_BLOCK    128
#define MD_MIDSTATE HK_SHA512_MIDSTATE

/* Section 5.3.4 */
#define MD_NAME   sha384
#define MD_DIGEST HK_SHA384_DIGEST
#define MD_INITIAL                                                             \
    {                                                                          \
        0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,            \
            0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,        \
            0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4                             \
    }
#include "merkle_damgard.h"

/* Section 5.3.5 */
#define MD_NAME   sha512
#define MD_DIGEST HK_SHA512_DIGEST
#define MD_INITIAL                                                             \
    {                                                                          \
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,            \
            0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,        \
            0x1f83d9abfb41bd6b, 0x5be0cd19137e2179                             \
    }
#include "merkle_damgard.h"

/* Section 5.3.6.1 */
#define MD_NAME   sha512_224
#define MD_DIGEST HK_SHA512_224_DIGEST
#define MD_INITIAL                                                             \
    {                                                                          \
        0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82,            \
            0x679dd514582f9fcf, 0x0f6d2b697bd44da8, 0x77e36f7304c48942,        \
            0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1                             \
    }
#include "merkle_damgard.h"

/* Section 5.3.6.2 */
#define MD_NAME   sha512_256
#define MD_DIGEST HK_SHA512_256_DIGEST
#define MD_INITIAL                                                             \
    {                                                                          \
        0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151,            \
            0x963877195940eabd, 0x96283ee2a88effe3, 0xbe5e1e2553863992,        \
            0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2                             \
    }
#include "merkle_damgard.h"
