/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha256_many.c - SHA-224 and SHA-256 of many messages at once
 */
#include "memory.h"

#define HK_SELECT_sha256 ,
#define SELECT_NAME      hk_select_sha256
#define SELECT_PROTOTYPE HK_SHA256_KERNEL
#include "select.h"
#undef HK_SELECT_sha256

#define HK_SELECT_sha256x ,
#define LN_WORD           uint32_t
#define LN_STATE          8
#define LN_BLOCK          64
#define LN_PUT_DIGEST     hk_put_digest32
#define LN_KERNEL         hk_sha256x_kernel
#define LN_PROTOTYPE      HK_SHA256X_KERNEL
#define LN_ONE_KERNEL     hk_sha256_kernel
#define LN_SELECT_ONE     hk_select_sha256
#define LN_WORTH          7
#include "lanes.h"

LN_API(sha224, HK_SHA224_DIGEST)
LN_API(sha256, HK_SHA256_DIGEST)
