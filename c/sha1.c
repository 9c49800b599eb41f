/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1.c - SHA-1 (FIPS 180-4, sections 5.3.1 and 6.1): messages
 */
#include "memory.h"

#define HK_SELECT_sha1   ,
#define SELECT_NAME      hk_select_sha1
#define SELECT_PROTOTYPE HK_SHA1_KERNEL
#include "select.h"

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
