/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * library.c - the whole library in firmware: no libc, no operating system
 *
 * libhashkern.a for bare metal and one CPU must link with nothing but libgcc,
 * choose kernels of that CPU, and give the digests of the standard. Says the
 * verdict, and returns it as the exit status, by semihosting. The build defines
 * NAME, and KERNEL: the variant that SHA-256 must use.
 */
#include "firmware.h"
#include "hashkern.h"

static void print(const char *text)
{
    semihost(4, text); /* SYS_WRITE0 */
}

static void leave(int failed) __attribute__((noreturn));
static void leave(int failed)
{
    /* ADP_Stopped_ApplicationExit, or a run-time error: exit status 1. */
    semihost(0x18, (const void *)(failed ? 0x20023u : 0x20026u));
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

/* The digests of "abc", from FIPS 180-4's examples. */
static const uint8_t sha1_abc[HK_SHA1_DIGEST] = {
    0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
    0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
static const uint8_t sha256_abc[HK_SHA256_DIGEST] = {
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
    0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
    0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
static const uint8_t sha512_abc[HK_SHA512_DIGEST] = {
    0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba, 0xcc, 0x41, 0x73,
    0x49, 0xae, 0x20, 0x41, 0x31, 0x12, 0xe6, 0xfa, 0x4e, 0x89, 0xa9,
    0x7e, 0xa2, 0x0a, 0x9e, 0xee, 0xe6, 0x4b, 0x55, 0xd3, 0x9a, 0x21,
    0x92, 0x99, 0x2a, 0x27, 0x4f, 0xc1, 0xa8, 0x36, 0xba, 0x3c, 0x23,
    0xa3, 0xfe, 0xeb, 0xbd, 0x45, 0x4d, 0x44, 0x23, 0x64, 0x3c, 0xe8,
    0x0e, 0x2a, 0x9a, 0xc9, 0x4f, 0xa5, 0x4c, 0xa4, 0x9f};

static int same(const uint8_t *a, const uint8_t *b, unsigned n)
{
    unsigned differ = 0;

    while (n--)
        differ |= (unsigned)*a++ ^ *b++;
    return !differ;
}

static int ends(const char *name, const char *end)
{
    while (*name && *name != '_')
        name++;
    for (name++; *name && *name == *end; name++, end++)
        ;
    return *name == *end;
}

/* A long message in uneven pieces at odd addresses, against one call. */
static void pieces(void)
{
    static uint8_t message[1001];
    uint8_t got[HK_SHA256_DIGEST], want[HK_SHA256_DIGEST];
    hk_sha256_ctx ctx;
    unsigned at = 0;

    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i * i >> 3);
    hk_sha256(message, sizeof message, want);
    hk_sha256_init(&ctx);
    for (unsigned n = 1; at + n < sizeof message; at += n, n += 7)
        hk_sha256_update(&ctx, message + at, n);
    hk_sha256_update(&ctx, message + at, sizeof message - at);
    hk_sha256_final(&ctx, got);
    if (!same(got, want, sizeof want))
        fail("SHA-256 in pieces differs");
}

void firmware_main(void)
{
    uint8_t digest[HK_SHA512_DIGEST];
    const char *kernel = hk_kernel_in_use("sha256");

    hk_sha1("abc", 3, digest);
    if (!same(digest, sha1_abc, sizeof sha1_abc))
        fail("SHA-1 of abc is wrong");
    if (hk_sha1dc("abc", 3, digest) || !same(digest, sha1_abc, sizeof sha1_abc))
        fail("SHA-1 of abc with collision detection is wrong");
    hk_sha256("abc", 3, digest);
    if (!same(digest, sha256_abc, sizeof sha256_abc))
        fail("SHA-256 of abc is wrong");
    hk_sha512("abc", 3, digest);
    if (!same(digest, sha512_abc, sizeof sha512_abc))
        fail("SHA-512 of abc is wrong");
    pieces();
    if (!ends(kernel, KERNEL))
        fail(kernel);
    print("ok - " NAME ": digests of the standard, by ");
    print(kernel);
    print("\n");
    leave(0);
}
