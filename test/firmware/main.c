/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * main.c - one kernel in firmware: no libc, no operating system
 *
 * Hashes a built-in message whose hash the standard gives, and messages at odd
 * addresses against the C reference; measures the stack by painting it; says
 * the verdict, and returns it as the exit status, by semihosting.
 *
 * The build defines KERNEL (hk_sha1_t1), REFERENCE (hk_sha1_ref), FAMILY_<x>
 * (sha1, sha256, sha512, siphash, sipabsorb), NAME, and STACK: the bytes that
 * the kernel's banner promises.
 */
#include "firmware.h"
#include "hashkern.h"

enum { MOST = 4, ODD = 8 };

#if defined(FAMILY_sha1)
HK_SHA1_KERNEL(KERNEL);
HK_SHA1_KERNEL(REFERENCE);
enum { UNIT = 64, WORDS = 5 };
typedef uint32_t word;
/* "abc" (FIPS 180-4's example), from the initial value, section 5.3.1 */
static const word initial[WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                    0x10325476, 0xc3d2e1f0};
static const word expected[WORDS] = {0xa9993e36, 0x4706816a, 0xba3e2571,
                                     0x7850c26c, 0x9cd0d89d};
#elif defined(FAMILY_sha256)
HK_SHA256_KERNEL(KERNEL);
HK_SHA256_KERNEL(REFERENCE);
enum { UNIT = 64, WORDS = 8 };
typedef uint32_t word;
static const word initial[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                    0xa54ff53a, 0x510e527f, 0x9b05688c,
                                    0x1f83d9ab, 0x5be0cd19};
static const word expected[WORDS] = {0xba7816bf, 0x8f01cfea, 0x414140de,
                                     0x5dae2223, 0xb00361a3, 0x96177a9c,
                                     0xb410ff61, 0xf20015ad};
#elif defined(FAMILY_sha512)
HK_SHA512_KERNEL(KERNEL);
HK_SHA512_KERNEL(REFERENCE);
enum { UNIT = 128, WORDS = 8 };
typedef uint64_t word;
static const word initial[WORDS] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
                                    0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                    0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                    0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
static const word expected[WORDS] = {0xddaf35a193617aba, 0xcc417349ae204131,
                                     0x12e6fa4e89a97ea2, 0x0a9eeee64b55d39a,
                                     0x2192992a274fc1a8, 0x36ba3c23a3feebbd,
                                     0x454d4423643ce80e, 0x2a9ac94fa54ca49f};
#elif defined(FAMILY_siphash)
HK_SIPHASH_KERNEL(KERNEL);
HK_SIPHASH_KERNEL(REFERENCE);
enum { UNIT = 13, WORDS = 1 };
typedef uint64_t word;
#elif defined(FAMILY_sipabsorb)
HK_SIPABSORB_KERNEL(KERNEL);
HK_SIPABSORB_KERNEL(REFERENCE);
enum { UNIT = 8, WORDS = 4 };
typedef uint64_t word;
#else
#error "no family"
#endif

static union {
    uint64_t align;
    uint8_t bytes[MOST * UNIT + ODD];
} data;

/* The kernel, or the reference, on n units of data. */
static void run(int reference, word *state, const uint8_t *bytes, unsigned n)
{
#ifdef FAMILY_siphash
    *state = (reference ? REFERENCE : KERNEL)(bytes, bytes, n * UNIT);
#elif defined(FAMILY_sipabsorb)
    (reference ? REFERENCE : KERNEL)(state, bytes, n, 2);
#else
    (reference ? REFERENCE : KERNEL)(state, bytes, n);
#endif
}

/* ---- Words to the outside ------------------------------------------------ */

static void print(const char *text)
{
    semihost(4, text); /* SYS_WRITE0 */
}

static void print_number(unsigned n)
{
    char digits[12];
    char *p = digits + sizeof digits;

    *--p = '\0';
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    print(p);
}

static void leave(int failed) __attribute__((noreturn));
static void leave(int failed)
{
#ifdef __aarch64__
    uint64_t reason[2] = {0x20026, (uint64_t)failed};

    semihost(0x18, reason); /* SYS_EXIT */
#else
    /* ADP_Stopped_ApplicationExit, or a run-time error: exit status 1. */
    semihost(0x18, (const void *)(failed ? 0x20023u : 0x20026u));
#endif
    for (;;)
        ;
}

static void fail(const char *what) __attribute__((noreturn));
static void fail(const char *what)
{
    print("not ok - " NAME ": ");
    print(what);
    print("\n");
    leave(1);
}

void firmware_fault(void)
{
    fail("a fault: unaligned access, or an instruction this CPU lacks");
}

/* ---- Tests --------------------------------------------------------------- */

static int same(const word *a, const word *b)
{
    int equal = 1;

    for (unsigned i = 0; i < WORDS; i++)
        equal &= a[i] == b[i];
    return equal;
}

static uint32_t seed = 1;

static uint8_t random_byte(void)
{
    seed = seed * 1664525 + 1013904223;
    return (uint8_t)(seed >> 24);
}

static void known_answer(void)
{
#if defined(FAMILY_siphash) || defined(FAMILY_sipabsorb)
    /* No answer is published for these inputs; the reference has to do. */
#else
    word state[WORDS];

    for (unsigned i = 0; i < UNIT; i++)
        data.bytes[i] = 0;
    data.bytes[0] = 'a';
    data.bytes[1] = 'b';
    data.bytes[2] = 'c';
    data.bytes[3] = 0x80;
    data.bytes[UNIT - 1] = 24;
    for (unsigned i = 0; i < WORDS; i++)
        state[i] = initial[i];
    run(0, state, data.bytes, 1);
    if (!same(state, expected))
        fail("the hash of abc is wrong");
#endif
}

static void odd_addresses(void)
{
    for (unsigned odd = 0; odd < ODD; odd++)
        for (unsigned n = 0; n <= MOST; n++) {
            word got[WORDS], want[WORDS];

            for (unsigned i = 0; i < sizeof data.bytes; i++)
                data.bytes[i] = random_byte();
            for (unsigned i = 0; i < WORDS; i++)
                got[i] = want[i] = (word)(seed * 0x9e3779b97f4a7c15u + i);
            run(0, got, data.bytes + odd, n);
            run(1, want, data.bytes + odd, n);
            if (!same(got, want))
                fail("differs from the reference");
        }
}

/* Runs the kernel on a painted stack, and looks how deep the paint is gone. */
enum { PAINTED = 2048, PAINT = 0xa5 };

static unsigned stack_used(void)
{
    static _Alignas(16) uint8_t stack[PAINTED];
    unsigned untouched = 0;

    for (unsigned i = 0; i < PAINTED; i++)
        stack[i] = PAINT;
#ifdef FAMILY_siphash
    call_on_stack(stack + PAINTED, (void (*)(void))KERNEL,
                  (uintptr_t)data.bytes, (uintptr_t)data.bytes, MOST * UNIT, 0);
#else
    static word state[WORDS];

    call_on_stack(stack + PAINTED, (void (*)(void))KERNEL, (uintptr_t)state,
                  (uintptr_t)data.bytes, MOST, 2);
#endif
    while (untouched < PAINTED && stack[untouched] == PAINT)
        untouched++;
    return PAINTED - untouched;
}

void firmware_main(void)
{
    unsigned used;

    known_answer();
    odd_addresses();
    used = stack_used();
    if (used > STACK)
        fail("uses more stack than its banner says");
    print("ok - " NAME ": right at every address; stack ");
    print_number(used);
    print(" of ");
    print_number(STACK);
    print("\n");
    leave(0);
}
