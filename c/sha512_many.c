/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha512_many.c - SHA-384, SHA-512 and SHA-512/t of many messages at once
 */
#include "memory.h"

#define HK_SELECT_sha512 ,
#define SELECT_NAME      hk_select_sha512
#define SELECT_PROTOTYPE HK_SHA512_KERNEL
#include "select.h"
#undef HK_SELECT_sha512

#define HK_SELECT_sha512x ,
#define LN_WORD           uint64_t
#define LN_STATE          8
#define LN_BLOCK          128
#define LN_PUT_DIGEST     hk_put_digest64
#define LN_KERNEL         hk_sha512x_kernel
#define LN_PROTOTYPE      HK_SHA512X_KERNEL
#define LN_ONE_KERNEL     hk_sha512_kernel
#define LN_SELECT_ONE     hk_select_sha512
#define LN_WORTH          3
#include "lanes.h"

LN_API(sha384, HK_SHA384_DIGEST)
LN_API(sha512, HK_SHA512_DIGEST)
LN_API(sha512_224, HK_SHA512_224_DIGEST)
LN_API(sha512_256, HK_SHA512_256_DIGEST)
