/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_tester.c - the tester is tested: every kernel of test/broken/broken.def
 * must fail the right test for the right reason
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "kernels.h"
#include "undefined.h"

struct broken {
    struct hk_kernel kernel;
    const char *test, *reason;
};

#define BROKEN_SKIP(algorithm, name, arch, needs, weakest, test, reason)
#define BROKEN_OF(algorithm, name, arch, needs, weakest, test, reason)         \
    HK_SECOND(HK_ARCH_##arch BROKEN_ROW, BROKEN_SKIP, )                        \
    (algorithm, name, arch, needs, weakest, test, reason)
#define BROKEN(...)         BROKEN_OF(sha1, __VA_ARGS__)
#define BROKEN_LANES(...)   BROKEN_OF(sha1x, __VA_ARGS__)
#define BROKEN_RECORDS(...) BROKEN_OF(sha1dcx, __VA_ARGS__)

#define BROKEN_ROW(algorithm, name, arch, needs, weakest, test, reason)        \
    extern hk_function hk_broken_##name;
#include "broken.def"
#undef BROKEN_ROW

#define BROKEN_ROW(algorithm, name, arch, needs, weakest, test, reason)        \
    {{"broken_" #name, #algorithm, #arch, #name, (needs), hk_broken_##name,    \
      weakest},                                                                \
     test,                                                                     \
     reason},
static const struct broken all[] = {
#include "broken.def"
};

static void run_test(const void *subject)
{
    const struct broken *b = subject;
    const struct row_test *test = family_of(b->kernel.algorithm)->tests;

    while (test->name && strcmp(test->name, b->test))
        test++;
    if (test->name)
        test->run(&b->kernel);
    else if (!strcmp(b->test, landing_pad_test.name))
        landing_pad_test.run(&b->kernel);
    else
        fail("there is no test %s", b->test);
}

/* The outcome of a test inside of a test. */
static void must_be_caught(const void *subject)
{
    const struct broken *b = subject;
    const char *reason;
    enum outcome outcome = attempt(run_test, b, &reason);

    if (outcome != NOT_OK)
        fail("passes %s, which should say: %s", b->test, b->reason);
    if (!strstr(reason, b->reason)) {
        char said[200];

        snprintf(said, sizeof said, "%s", reason);
        fail("%s should say \"%s\", but says: %s", b->test, b->reason, said);
    }
}

static bool chosen(const struct broken *b)
{
    const struct hk_kernel *kernel = &b->kernel;

    if (!strcmp(kernel->weakest, "valgrind"))
        return RUNNING_ON_VALGRIND;
    if (settings.cpu)
        return !strcmp(kernel->weakest, settings.cpu);
    return !RUNNING_ON_VALGRIND && !strcmp(kernel->weakest, "any") &&
           !(kernel->needs & ~hk_cpu_features());
}

void suite_tester(void)
{
    for (size_t i = 0; i < COUNT(all); i++) {
        char name[80];

        snprintf(name, sizeof name, "tester/%s/%s", all[i].kernel.variant,
                 all[i].test);
        if (chosen(&all[i]))
            offer(name, must_be_caught, &all[i]);
    }
}
