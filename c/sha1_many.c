/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1_many.c - SHA-1 of many messages at once
 */
#include "memory.h"

#define HK_SELECT_sha1   ,
#define SELECT_NAME      hk_select_sha1
#define SELECT_PROTOTYPE HK_SHA1_KERNEL
#include "select.h"
#undef HK_SELECT_sha1

#define HK_SELECT_sha1x ,
#define LN_WORD         uint32_t
#define LN_STATE        5
#define LN_BLOCK        64
#define LN_PUT_DIGEST   hk_put_digest32
#define LN_KERNEL       hk_sha1x_kernel
#define LN_PROTOTYPE    HK_SHA1X_KERNEL
#define LN_ONE_KERNEL   hk_sha1_kernel
#define LN_SELECT_ONE   hk_select_sha1
#define LN_WORTH        5
#include "lanes.h"

LN_API(sha1, HK_SHA1_DIGEST)
