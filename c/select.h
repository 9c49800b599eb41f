/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * select.h - the kernel of an algorithm, as the table orders them
 *
 * Include once for each algorithm, after defining
 *
 *     #define HK_SELECT_sha1   ,                 opens its rows (kernels.h)
 *     #define SELECT_NAME      hk_select_sha1    the function to define
 *     #define SELECT_PROTOTYPE HK_SHA1_KERNEL    of its kernels (hashkern.h)
 *
 * hk_select_sha1() is then the first row that this CPU can run. The C rows need
 * nothing, so there always is one; where the first row needs nothing, the CPU is
 * not even asked. #undef HK_SELECT_sha1 closes the rows again.
 */
#include "kernels.h"

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    SELECT_PROTOTYPE(hk_##algorithm##_##variant);
#include "kernels.def"
#undef HK_ROW

static inline SELECT_PROTOTYPE((*SELECT_NAME(void)))
{
#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    if (!(needs) || !((needs) & ~hk_cpu_now()))                                \
        return hk_##algorithm##_##variant;
#include "kernels.def"
#undef HK_ROW
    return NULL; /* not reached */
}

#undef SELECT_NAME
#undef SELECT_PROTOTYPE
