/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * cpu.c - CPU detection: decode pure words, cache one
 *
 * x86: CPUID and XGETBV, as in Intel's Software Developer's Manual, volume 1,
 * sections 13.3 and 14.3. ARM: the hardware capability words of Linux. Never a
 * signal handler, never a trial instruction.
 */
#include "kernels.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__linux__) && !defined(HK_FREESTANDING) &&                       \
    (defined(__arm__) || defined(__aarch64__))
#include <sys/auxv.h>
#define HK_HAVE_GETAUXVAL 1
#endif

unsigned hk_cpu_found;
unsigned hk_cpu_denied;

/* One bit of a word as a feature, or 0. */
static unsigned feature(unsigned long word, unsigned bit, unsigned name)
{
    return word >> bit & 1 ? name : 0;
}

unsigned hk_cpu_decode_x86(const struct hk_x86_words *w)
{
    unsigned found = feature(w->leaf1_edx, 26, HK_CPU_SSE2);
    int xsave = w->leaf1_ecx >> 27 & 1;
    int ymm_saved = xsave && (w->xcr0 & 6) == 6;
    int zmm_saved = xsave && (w->xcr0 & 0xe6) == 0xe6;
    uint32_t avx512 =
        1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* F DQ BW VL */
    uint32_t leaf7_ebx = w->max_leaf >= 7 ? w->leaf7_ebx : 0;

    /* Each tier stands on the one below: a machine that shows AVX2 without
     * AVX, or SHA without SSSE3, is not believed. */
    if (!found)
        return 0;
    found |= feature(w->leaf1_ecx, 9, HK_CPU_SSSE3);
    if (!(found & HK_CPU_SSSE3))
        return found;
    found |= feature(w->leaf1_ecx, 19, HK_CPU_SSE41);
    if (!(found & HK_CPU_SSE41))
        return found;
    found |= feature(leaf7_ebx, 29, HK_CPU_SHANI);
    /* The BMI kernels use VEX encodings of general registers, which need no
     * saved ymm state but exist only where AVX does. */
    found |= feature(leaf7_ebx, 3, HK_CPU_BMI1);
    found |= feature(leaf7_ebx, 8, HK_CPU_BMI2);
    if (ymm_saved)
        found |= feature(w->leaf1_ecx, 28, HK_CPU_AVX);
    if (found & HK_CPU_AVX)
        found |= feature(leaf7_ebx, 5, HK_CPU_AVX2);
    if ((found & HK_CPU_AVX2) && zmm_saved && (leaf7_ebx & avx512) == avx512)
        found |= HK_CPU_AVX512;
    return found;
}

unsigned hk_cpu_decode_arm(const struct hk_arm_words *w)
{
    unsigned found = 0;
    unsigned architecture = 0;
    const char *p = w->platform;

    /* "v7l": the architecture number, as uname and AT_PLATFORM give it. With an
     * m behind it, the M profile has no ARM state. */
    if (p && *p == 'v')
        for (p++; *p >= '0' && *p <= '9'; p++)
            architecture = architecture * 10 + (unsigned)(*p - '0');
    if (!p || *p != 'm')
        found |= HK_CPU_A32;
    if (architecture >= 6 && found)
        found |= HK_CPU_V6;
    if (architecture >= 7)
        found |= HK_CPU_T2;
    found |= feature(w->hwcap, 12, HK_CPU_NEON);
    /* NEON, TLS and VFPv4 capabilities exist on ARMv7 and later only. */
    if (found & HK_CPU_NEON)
        found |= HK_CPU_A32 | HK_CPU_V6 | HK_CPU_T2;
    found |= feature(w->hwcap2, 2, HK_CPU_SHA1);
    found |= feature(w->hwcap2, 3, HK_CPU_SHA2);
    if (!(found & HK_CPU_NEON))
        found &= ~(HK_CPU_SHA1 | HK_CPU_SHA2);
    return found;
}

unsigned hk_cpu_decode_aarch64(const struct hk_arm_words *w)
{
    unsigned found = feature(w->hwcap, 1, HK_CPU_NEON);

    if (!found)
        return 0;
    found |= feature(w->hwcap, 5, HK_CPU_SHA1);
    found |= feature(w->hwcap, 6, HK_CPU_SHA2);
    found |= feature(w->hwcap, 21, HK_CPU_SHA512);
    return found;
}

/* What the compiler was told that the CPU has, where nobody can be asked. */
#if !defined(__x86_64__) && !defined(__i386__) && !defined(HK_HAVE_GETAUXVAL)
static unsigned compiled_for(void)
{
    unsigned found = 0;

#if defined(__aarch64__)
    found |= HK_CPU_NEON;
#ifdef __ARM_FEATURE_SHA2
    found |= HK_CPU_SHA1 | HK_CPU_SHA2;
#endif
#ifdef __ARM_FEATURE_SHA512
    found |= HK_CPU_SHA512;
#endif
#elif defined(__arm__)
#ifndef HK_LACKS_A32
    found |= HK_CPU_A32;
#endif
#ifndef HK_LACKS_V6
    found |= HK_CPU_V6;
#endif
#ifndef HK_LACKS_T2
    found |= HK_CPU_T2;
#endif
#ifndef HK_LACKS_NEON
    found |= HK_CPU_NEON;
#endif
#ifndef HK_LACKS_SHA1
    found |= HK_CPU_SHA1;
#endif
#ifndef HK_LACKS_SHA2
    found |= HK_CPU_SHA2;
#endif
#endif
    return found;
}
#endif

static unsigned ask(void)
{
#if defined(__x86_64__) || defined(__i386__)
    struct hk_x86_words w = {0, 0, 0, 0, 0};
    unsigned eax, ebx, ecx, edx;

    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
        return 0;
    w.max_leaf = eax;
    if (w.max_leaf >= 1) {
        __cpuid(1, eax, ebx, ecx, edx);
        w.leaf1_ecx = ecx;
        w.leaf1_edx = edx;
    }
    if (w.max_leaf >= 7) {
        __cpuid_count(7, 0, eax, ebx, ecx, edx);
        w.leaf7_ebx = ebx;
    }
    if (w.leaf1_ecx >> 27 & 1)
        __asm__ volatile("xgetbv" : "=a"(w.xcr0), "=d"(edx) : "c"(0));
    return hk_cpu_decode_x86(&w);
#elif defined(HK_HAVE_GETAUXVAL)
    struct hk_arm_words w = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2),
                             (const char *)getauxval(AT_PLATFORM)};
#ifdef __aarch64__
    return hk_cpu_decode_aarch64(&w);
#else
    return hk_cpu_decode_arm(&w);
#endif
#else
    return compiled_for();
#endif
}

unsigned hk_cpu_detect(void)
{
    unsigned found = ask() | HK_CPU_KNOWN;

    __atomic_store_n(&hk_cpu_found, found, __ATOMIC_RELAXED);
    return found;
}

unsigned hk_cpu_features(void)
{
    return hk_cpu_now() & ~HK_CPU_KNOWN;
}

void hk_cpu_limit(unsigned mask)
{
    __atomic_store_n(&hk_cpu_denied, ~(mask | HK_CPU_KNOWN), __ATOMIC_RELAXED);
}
