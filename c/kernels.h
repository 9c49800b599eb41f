/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * kernels.h - reading kernels.def with the preprocessor
 *
 * Including kernels.def after this file calls, for each row of this machine's
 * architecture (and of "any") whose algorithm was selected by
 *
 *     #define HK_SELECT_sha1 ,
 *
 * the macro HK_ROW(algorithm, arch, variant, needs, weakest) that the including
 * file defines. Rows of other architectures and algorithms vanish.
 */
#ifndef HK_KERNELS_H
#define HK_KERNELS_H

#include "cpu.h"
#include "hashkern.h"

#define HK_ARCH_any ,
#ifndef HK_NO_ASM
#if defined(__x86_64__) && !defined(__ILP32__)
#define HK_ARCH_x86_64 ,
#elif defined(__i386__)
#define HK_ARCH_i386 ,
#elif defined(__arm__) && !defined(__ARM_BIG_ENDIAN)
#define HK_ARCH_armv7 ,
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define HK_ARCH_aarch64 ,
#endif
#endif

/* Kernels that the CPU lacks what they need for are left out where the CPU is
 * known when this is compiled: the Makefile says so for CPU=, and where there is
 * nobody to ask at run time it depends on the compiler's flags. The first name
 * in the column "needs" decides. */
#define HK_LACKS x, HK_ROW_SKIP,
#if defined(HK_FREESTANDING) && defined(__arm__)
#ifndef __ARM_ARCH_ISA_ARM
#define HK_LACKS_A32 HK_LACKS
#endif
#if !defined(__ARM_ARCH_ISA_ARM) || !defined(__ARM_FEATURE_UNALIGNED)
#define HK_LACKS_V6 HK_LACKS
#endif
#if !defined(__ARM_ARCH_ISA_THUMB) || __ARM_ARCH_ISA_THUMB < 2 ||              \
    !defined(__ARM_FEATURE_UNALIGNED)
#define HK_LACKS_T2 HK_LACKS
#endif
#ifndef __ARM_NEON
#define HK_LACKS_NEON HK_LACKS
#endif
#if !defined(__ARM_NEON) ||                                                    \
    !(defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO))
#define HK_LACKS_SHA1 HK_LACKS
#define HK_LACKS_SHA2 HK_LACKS
#endif
#endif

/* HK_SECOND(x TAKE, SKIP, ): TAKE if x expands to a comma, SKIP otherwise. */
#define HK_SECOND(...)                 HK_SECOND_(__VA_ARGS__)
#define HK_SECOND_(first, second, ...) second

#define HK_ROW_SKIP(algorithm, arch, variant, needs, weakest)
#define KERNEL(algorithm, arch, variant, needs, weakest)                       \
    HK_SECOND(HK_ARCH_##arch HK_ROW_ARCH, HK_ROW_SKIP, )                       \
    (algorithm, arch, variant, needs, weakest)
#define HK_ROW_ARCH(algorithm, arch, variant, needs, weakest)                  \
    HK_SECOND_AGAIN(HK_SELECT_##algorithm HK_ROW_CPU, HK_ROW_SKIP, )           \
    (algorithm, arch, variant, needs, weakest)
#define HK_SECOND_AGAIN(...)                 HK_SECOND_AGAIN_(__VA_ARGS__)
#define HK_SECOND_AGAIN_(first, second, ...) second
#define HK_ROW_CPU(algorithm, arch, variant, needs, weakest)                   \
    HK_SECOND_LAST(HK_LACKS_##needs, HK_ROW, )                                 \
    (algorithm, arch, variant, needs, weakest)
#define HK_SECOND_LAST(...)                 HK_SECOND_LAST_(__VA_ARGS__)
#define HK_SECOND_LAST_(first, second, ...) second

/* The feature names of the table's column "needs". */
enum {
    SSE2 = HK_CPU_SSE2,
    SSSE3 = HK_CPU_SSSE3,
    SSE41 = HK_CPU_SSE41,
    AVX = HK_CPU_AVX,
    AVX2 = HK_CPU_AVX2,
    BMI1 = HK_CPU_BMI1,
    BMI2 = HK_CPU_BMI2,
    SHANI = HK_CPU_SHANI,
    AVX512 = HK_CPU_AVX512,
    A32 = HK_CPU_A32,
    V6 = HK_CPU_V6,
    T2 = HK_CPU_T2,
    NEON = HK_CPU_NEON,
    SHA1 = HK_CPU_SHA1,
    SHA2 = HK_CPU_SHA2,
    SHA512 = HK_CPU_SHA512
};

/* The lanes of a kernel sha256x, from its variant, which ends with an x and their
 * number, of one digit or two: of a row, and of a string. */
static inline unsigned hk_lanes(const char *end)
{
    return end[-2] == 'x' ? (unsigned)(end[-1] - '0')
                          : (unsigned)((end[-2] - '0') * 10 + end[-1] - '0');
}
#define HK_LANES(variant)    hk_lanes(&#variant[sizeof #variant - 1])
#define HK_LANES_OF(variant) hk_lanes((variant) + strlen(variant))
#define HK_LANES_MAX         16

#endif
