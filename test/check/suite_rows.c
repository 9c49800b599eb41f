/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_rows.c - every row of kernels.def through the tests of its family
 */
#include <stdio.h>
#include <string.h>

#include "check.h"

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

static void offer_row(const struct hk_kernel *row, const struct row_test *test)
{
    char name[80];
    struct row_job job = {row, test->run};

    snprintf(name, sizeof name, "%s/%s", row->name, test->name);
    offer(name, run_row, &job);
}

/* Rows that this CPU can run, or those whose weakest CPU was asked for. */
static bool chosen(const struct hk_kernel *row)
{
    if (settings.cpu)
        return !strcmp(row->weakest, settings.cpu);
    return !(row->needs & ~hk_cpu_features());
}

void suite_rows(void)
{
    static const struct row_test needs_test = {"needs", needs, ANY_ROW};
    static const struct row_test orphan = {"family", no_family, ANY_ROW};
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);

    for (size_t i = 0; i < count; i++) {
        const struct family *family = family_of(rows[i].algorithm);

        if (!chosen(&rows[i]))
            continue;
        if (settings.cpu)
            offer_row(&rows[i], &needs_test);
        if (settings.cpu && rows[i].needs & ~hk_cpu_features())
            continue;
        if (!family) {
            offer_row(&rows[i], &orphan);
            continue;
        }
        for (const struct row_test *test = family->tests; test->name; test++)
            if (test->rows == ANY_ROW || strcmp(rows[i].arch, "any"))
                offer_row(&rows[i], test);
    }
}
