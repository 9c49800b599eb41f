/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_rows.c - every row of kernels.def through the tests of its family
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "stepped.h"
#include "undefined.h"

struct row_job {
    const struct hk_kernel *row;
    row_test_function *run;
};

static void run_row(const void *subject)
{
    const struct row_job *job = subject;

    job->run(job->row);
}

/* The weakest CPU of a row must have what the row says that it needs. */
static void needs(const struct hk_kernel *row)
{
    unsigned missing = row->needs & ~hk_cpu_features();

    if (missing == HK_CPU_SHANI)
        skip("this emulator has no SHA-NI; QEMU has it from version 8.2 on");
    if (missing)
        fail("%s lacks features that the row needs: %#x", settings.cpu,
             missing);
}

static void no_family(const struct hk_kernel *row)
{
    fail("no family of the check program tests %s", row->algorithm);
}

static void not_here(const struct hk_kernel *row)
{
    skip("%s shows a CPU without what this row needs: %#x",
         RUNNING_ON_VALGRIND ? "valgrind" : "this machine",
         row->needs & ~hk_cpu_features());
}

/* No model of the emulator has what the row needs: other runs cannot stand in. */
static bool native_only(const struct hk_kernel *row)
{
    return !strncmp(row->weakest, "native:", 7);
}

/* An indirect call must land on an instruction that says so, or hardware that
 * guards control flow stops the program. */
static void landing_pad(const struct hk_kernel *row)
{
#if defined(__x86_64__)
    static const uint8_t pad[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const char *name = "endbr64";
#elif defined(__aarch64__)
    static const uint8_t pad[] = {0x5f, 0x24, 0x03, 0xd5};
    const char *name = "bti c";
#else
    static const uint8_t pad[1];
    const char *name = NULL; /* endbr32 is not for every i386 */
#endif
    uint8_t start[sizeof pad];

    memcpy(start, (const uint8_t *)(uintptr_t)row->function, sizeof start);
    if (name && memcmp(start, pad, sizeof pad))
        fail("the kernel does not begin with %s", name);
}

const struct row_test landing_pad_test = {"landing-pad", landing_pad, ASM_ROW};

static void offer_row(const struct hk_kernel *row, const struct row_test *test)
{
    char name[80];
    struct row_job job = {row, test->run};

    if (test->when & ASM_ROW && !strcmp(row->arch, "any"))
        return;
    if (test->when & STRICT_ROW && !stepped_is_strict(row))
        return;
    if (test->when & RECORD_ROW && strcmp(row->algorithm, "sha1dcx") != 0)
        return;
    if (test->when & (RUNNING_ON_VALGRIND ? NOT_VALGRIND : ONLY_VALGRIND))
        return;
    snprintf(name, sizeof name, "%s/%s", row->name, test->name);
    offer(name, run_row, &job);
}

static void offer_all(const struct hk_kernel *row)
{
    static const struct row_test needs_test = {"needs", needs, ANY_ROW};
    static const struct row_test orphan = {"family", no_family, ANY_ROW};
    static const struct row_test absent = {"not-here", not_here, ANY_ROW};
    const struct family *family = family_of(row->algorithm);
    unsigned missing = row->needs & ~hk_cpu_features();

    if (settings.cpu && strcmp(row->weakest, settings.cpu))
        return;
    if (settings.cpu)
        offer_row(row, &needs_test);
    if (missing && (RUNNING_ON_VALGRIND || native_only(row)))
        offer_row(row, &absent);
    if (missing)
        return;
    if (!family) {
        offer_row(row, &orphan);
        return;
    }
#if defined(__x86_64__) || defined(__aarch64__)
    offer_row(row, &landing_pad_test);
#endif
    for (const struct row_test *test = family->tests; test->name; test++)
        offer_row(row, test);
}

void suite_rows(void)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    for (size_t i = 0; i < count; i++)
        offer_all(&rows[i]);
}
