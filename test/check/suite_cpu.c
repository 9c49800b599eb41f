/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_cpu.c - detection as a pure function of what the CPU and the kernel say
 *
 * Each line is a machine, most of them one that some library was wrong about.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "cpu.h"

/* CPUID leaf 1 */
enum {
    SSE2_D = 1 << 26,
    SSSE3_C = 1 << 9,
    SSE41_C = 1 << 19,
    OSXSAVE_C = 1 << 27,
    AVX_C = 1 << 28,
    WESTMERE_C = SSSE3_C | SSE41_C,
    HASWELL_C = WESTMERE_C | OSXSAVE_C | AVX_C
};

/* CPUID leaf 7 */
enum {
    BMI1_B = 1 << 3,
    AVX2_B = 1 << 5,
    BMI2_B = 1 << 8,
    SHA_B = 1 << 29,
    HASWELL_B = BMI1_B | AVX2_B | BMI2_B
};
#define AVX512F_B  (1u << 16)
#define AVX512DQ_B (1u << 17)
#define AVX512BW_B (1u << 30)
#define AVX512VL_B (1u << 31)
#define SKYLAKE_B  (HASWELL_B | AVX512F_B | AVX512DQ_B | AVX512BW_B | AVX512VL_B)

enum {
    WESTMERE = HK_CPU_SSE2 | HK_CPU_SSSE3 | HK_CPU_SSE41,
    BMI = HK_CPU_BMI1 | HK_CPU_BMI2,
    HASWELL = WESTMERE | HK_CPU_AVX | HK_CPU_AVX2 | BMI,
    SKYLAKE = HASWELL | HK_CPU_AVX512
};

static const struct x86_case {
    const char *what;
    struct hk_x86_words words; /* max leaf, 1.ecx, 1.edx, 7.ebx, xcr0 */
    unsigned features;
} x86_cases[] = {
    {"no CPUID", {0, 0, 0, 0, 0}, 0},
    {"a Pentium II", {2, 0, 0x0183fbff, 0, 0}, 0},
    {"a Pentium III, max leaf 3", {3, 0, 0x0383fbff, 0xffffffff, 0}, 0},
    {"SSE2 only", {5, 0, SSE2_D, 0, 0}, HK_CPU_SSE2},
    {"SSSE3", {10, SSSE3_C, SSE2_D, 0, 0}, HK_CPU_SSE2 | HK_CPU_SSSE3},
    {"Westmere", {11, WESTMERE_C, SSE2_D, 0, 0}, WESTMERE},
    {"Haswell", {13, HASWELL_C, SSE2_D, HASWELL_B, 7}, HASWELL},
    {"Zen",
     {13, HASWELL_C, SSE2_D, HASWELL_B | SHA_B, 7},
     HASWELL | HK_CPU_SHANI},
    {"Goldmont: SHA without AVX",
     {21, WESTMERE_C, SSE2_D, SHA_B, 0},
     WESTMERE | HK_CPU_SHANI},
    {"AVX without OSXSAVE",
     {13, HASWELL_C & ~OSXSAVE_C, SSE2_D, HASWELL_B, 0},
     WESTMERE | BMI},
    {"XCR0 left from elsewhere, no OSXSAVE",
     {13, HASWELL_C & ~OSXSAVE_C, SSE2_D, HASWELL_B, 7},
     WESTMERE | BMI},
    {"XCR0 without ymm", {13, HASWELL_C, SSE2_D, HASWELL_B, 3}, WESTMERE | BMI},
    {"XCR0 without xmm", {13, HASWELL_C, SSE2_D, HASWELL_B, 5}, WESTMERE | BMI},
    {"max leaf 4, garbage in leaf 7",
     {4, HASWELL_C, SSE2_D, 0xffffffff, 7},
     WESTMERE | HK_CPU_AVX},
    {"max leaf 6, garbage in leaf 7",
     {6, WESTMERE_C, SSE2_D, 0xffffffff, 0},
     WESTMERE},
    {"AVX2 without AVX",
     {13, HASWELL_C & ~AVX_C, SSE2_D, HASWELL_B, 7},
     WESTMERE | BMI},
    {"AVX-512BW and VL, no SHA",
     {13, HASWELL_C, SSE2_D, 0xc0000000, 7},
     WESTMERE | HK_CPU_AVX},
    {"Skylake-X", {22, HASWELL_C, SSE2_D, SKYLAKE_B, 0xe7}, SKYLAKE},
    {"Ice Lake and Zen 4: AVX-512 and SHA",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B | SHA_B, 0x2e7},
     SKYLAKE | HK_CPU_SHANI},
    {"AVX-512 on a system that saves no zmm registers",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B, 7},
     HASWELL},
    {"XCR0 without opmasks", {22, HASWELL_C, SSE2_D, SKYLAKE_B, 0xc7}, HASWELL},
    {"XCR0 without upper halves of zmm",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B, 0xa7},
     HASWELL},
    {"XCR0 without zmm16 to zmm31",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B, 0x67},
     HASWELL},
    {"XCR0 with zmm but no ymm",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B, 0xe3},
     WESTMERE | BMI},
    {"Knights Landing: AVX-512F without BW",
     {13, HASWELL_C, SSE2_D, HASWELL_B | AVX512F_B, 0xe7},
     HASWELL},
    {"AVX-512 without F",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B & ~AVX512F_B, 0xe7},
     HASWELL},
    {"AVX-512 without DQ",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B & ~AVX512DQ_B, 0xe7},
     HASWELL},
    {"AVX-512 without BW",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B & ~AVX512BW_B, 0xe7},
     HASWELL},
    {"AVX-512 without VL",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B & ~AVX512VL_B, 0xe7},
     HASWELL},
    {"AVX-512 without AVX2",
     {22, HASWELL_C, SSE2_D, SKYLAKE_B & ~AVX2_B, 0xe7},
     HASWELL & ~HK_CPU_AVX2},
    {"AVX-512 without OSXSAVE",
     {22, HASWELL_C & ~OSXSAVE_C, SSE2_D, SKYLAKE_B, 0xe7},
     WESTMERE | BMI},
    {"max leaf 6, AVX-512 in leaf 7",
     {6, HASWELL_C, SSE2_D, SKYLAKE_B, 0xe7},
     WESTMERE | HK_CPU_AVX},
    {"the SHA bit alone in leaf 7",
     {13, WESTMERE_C, SSE2_D, 0x20000000, 0},
     WESTMERE | HK_CPU_SHANI},
    {"SHA without SSSE3", {13, SSE41_C, SSE2_D, SHA_B, 0}, HK_CPU_SSE2},
    {"SHA without SSE4.1",
     {13, SSSE3_C, SSE2_D, SHA_B, 0},
     HK_CPU_SSE2 | HK_CPU_SSSE3},
    {"everything but SSE2", {13, HASWELL_C, 0, 0xffffffff, 7}, 0},
    {"every bit",
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     SKYLAKE | HK_CPU_SHANI},
};

/* AT_HWCAP and AT_HWCAP2 of 32-bit ARM and AArch64 */
enum {
    NEON = 1 << 12,
    SHA1_2 = 1 << 2,
    SHA2_2 = 1 << 3,
    ASIMD = 1 << 1,
    SHA1_64 = 1 << 5,
    SHA2_64 = 1 << 6,
    SHA512_64 = 1 << 21
};
enum {
    ARMV6 = HK_CPU_A32 | HK_CPU_V6,
    ARMV7 = ARMV6 | HK_CPU_T2,
    ARMV7_NEON = ARMV7 | HK_CPU_NEON
};

static const struct arm_case {
    const char *what;
    struct hk_arm_words words;
    unsigned features;
} arm_cases[] = {
    {"nothing known", {0, 0, NULL}, HK_CPU_A32},
    {"ARMv4T", {0, 0, "v4l"}, HK_CPU_A32},
    {"ARM926", {0x97, 0, "v5l"}, HK_CPU_A32},
    {"ARM1176", {0x97, 0, "v6l"}, ARMV6},
    {"Cortex-M3", {0, 0, "v7ml"}, HK_CPU_T2},
    {"Cortex-M0", {0, 0, "v6ml"}, 0},
    {"ARMv7 without NEON", {0x97, 0, "v7l"}, ARMV7},
    {"Cortex-A9", {NEON, 0, "v7l"}, ARMV7_NEON},
    {"big-endian Cortex-A9", {NEON, 0, "v7b"}, ARMV7_NEON},
    {"NEON, no platform", {NEON, 0, NULL}, ARMV7_NEON},
    {"Cortex-A53", {NEON, 0x1f, "v8l"}, ARMV7_NEON | HK_CPU_SHA1 | HK_CPU_SHA2},
    {"SHA1 only", {NEON, 0x4, "v8l"}, ARMV7_NEON | HK_CPU_SHA1},
    {"SHA2 only", {NEON, 0x8, "v8l"}, ARMV7_NEON | HK_CPU_SHA2},
    {"AES, PMULL and CRC32 only", {NEON, 0x13, "v8l"}, ARMV7_NEON},
    {"SHA without NEON", {0, SHA1_2 | SHA2_2, "v8l"}, ARMV7},
    {"a two-digit architecture", {0, 0, "v10l"}, ARMV7},
    {"no architecture", {0, 0, "vl"}, HK_CPU_A32},
    {"another platform", {0, 0, "iwmmxt"}, HK_CPU_A32},
};

static const struct arm_case aarch64_cases[] = {
    {"nothing", {0, 0, NULL}, 0},
    {"Cortex-A72 without cryptography",
     {0x3 | 1 << 7, 0, "aarch64"},
     HK_CPU_NEON},
    {"Cortex-A53",
     {ASIMD | SHA1_64 | SHA2_64, 0, "aarch64"},
     HK_CPU_NEON | HK_CPU_SHA1 | HK_CPU_SHA2},
    {"SHA1 only", {ASIMD | SHA1_64, 0, "aarch64"}, HK_CPU_NEON | HK_CPU_SHA1},
    {"SHA512 only",
     {ASIMD | SHA512_64, 0, "aarch64"},
     HK_CPU_NEON | HK_CPU_SHA512},
    {"the bits of 32-bit ARM", {NEON, 0x1f, "v8l"}, 0},
    {"AES and CRC32 only",
     {ASIMD | 1 << 3 | 1 << 7, 0, "aarch64"},
     HK_CPU_NEON},
    {"no ASIMD", {SHA1_64 | SHA2_64 | SHA512_64, 0, "aarch64"}, 0},
    {"SHA3 and SM3, no SHA512", {ASIMD | 3 << 17, 0, "aarch64"}, HK_CPU_NEON},
};

static void expect(const char *what, unsigned got, unsigned want)
{
    if (got != want)
        fail("%s: features %#x, should be %#x", what, got, want);
}

static void x86(const void *subject)
{
    (void)subject;
    for (size_t i = 0; i < COUNT(x86_cases); i++)
        expect(x86_cases[i].what, hk_cpu_decode_x86(&x86_cases[i].words),
               x86_cases[i].features);
}

static void arm(const void *subject)
{
    (void)subject;
    for (size_t i = 0; i < COUNT(arm_cases); i++)
        expect(arm_cases[i].what, hk_cpu_decode_arm(&arm_cases[i].words),
               arm_cases[i].features);
}

static void aarch64(const void *subject)
{
    (void)subject;
    for (size_t i = 0; i < COUNT(aarch64_cases); i++)
        expect(aarch64_cases[i].what,
               hk_cpu_decode_aarch64(&aarch64_cases[i].words),
               aarch64_cases[i].features);
}

void suite_cpu(void)
{
    offer("cpu/x86", x86, NULL);
    offer("cpu/arm", arm, NULL);
    offer("cpu/aarch64", aarch64, NULL);
}
