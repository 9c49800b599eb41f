/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * cpu.h - what the CPU can do: pure decoding, and the one cached word
 */
#ifndef HK_CPU_H
#define HK_CPU_H

#include <stdint.h>

#include "hashkern.h"

/* What CPUID and XGETBV answered. Leaves above max_leaf are left zero. */
struct hk_x86_words {
    uint32_t max_leaf;  /* leaf 0, EAX */
    uint32_t leaf1_ecx; /* leaf 1 */
    uint32_t leaf1_edx;
    uint32_t leaf7_ebx; /* leaf 7, sub-leaf 0; not read if max_leaf < 7 */
    uint32_t xcr0;      /* XGETBV(0); not read unless OSXSAVE is set */
};

/* What the kernel told the program (getauxval). */
struct hk_arm_words {
    unsigned long hwcap;  /* AT_HWCAP */
    unsigned long hwcap2; /* AT_HWCAP2 */
    const char *platform; /* AT_PLATFORM, "v7l"; NULL if unknown */
};

/* Pure functions: HK_CPU_* bits from the words above. Unit-tested on tables, on
 * every architecture. */
unsigned hk_cpu_decode_x86(const struct hk_x86_words *words);
unsigned hk_cpu_decode_arm(const struct hk_arm_words *words);
unsigned hk_cpu_decode_aarch64(const struct hk_arm_words *words);

/* The cache: 0 until the first question, then HK_CPU_KNOWN and the features.
 * Every thread that finds it 0 stores the same value. */
#define HK_CPU_KNOWN 0x80000000u
#define HK_HIDDEN    __attribute__((visibility("hidden")))
extern HK_HIDDEN unsigned hk_cpu_found;
extern HK_HIDDEN unsigned
    hk_cpu_denied; /* the complement of hk_cpu_limit's mask */
unsigned hk_cpu_detect(void);

static inline unsigned hk_cpu_now(void)
{
    unsigned found = __atomic_load_n(&hk_cpu_found, __ATOMIC_RELAXED);

    if (!found)
        found = hk_cpu_detect();
    return found & ~__atomic_load_n(&hk_cpu_denied, __ATOMIC_RELAXED);
}

#endif
