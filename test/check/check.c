/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * check.c - the check program: options, and the report in TAP
 *
 * The Test Anything Protocol: "ok 1 - name", "not ok 2 - name",
 * "ok 3 - name # SKIP reason", and the plan "1..3" at the end. A run without a
 * plan died on the way.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

struct settings settings = {.tree = "."};

static const char *filter;
static bool list;
static unsigned offered, failed;

static const char usage[] =
    "usage: check [--list] [--filter TEXT] [--seed N] [--cpu MODEL] [--quick]\n"
    "             [--tree DIRECTORY]\n"
    "  --list     name the tests, run none\n"
    "  --filter   only tests with TEXT in their name\n"
    "  --seed     repeat a run with the seed that it printed\n"
    "  --cpu      only the kernels whose weakest CPU in kernels.def is MODEL\n"
    "  --quick    fewer repetitions, for emulators and sanitizers\n"
    "  --tree     where the source tree lies, if not here\n";

unsigned repeat(unsigned full)
{
    return settings.quick ? (full + 9) / 10 : full;
}

void offer(const char *name, void (*run)(const void *subject),
           const void *subject)
{
    const char *reason;
    enum outcome outcome;

    if (filter && !strstr(name, filter))
        return;
    if (list) {
        puts(name);
        return;
    }
    random_start(settings.seed, name);
    outcome = attempt(run, subject, &reason);
    offered++;
    failed += outcome == NOT_OK;
    printf("%s %u - %s%s%s\n", outcome == NOT_OK ? "not ok" : "ok", offered,
           name, outcome == SKIPPED ? " # SKIP " : "",
           outcome == SKIPPED ? reason : "");
    if (outcome == NOT_OK)
        printf("# %s\n", reason);
    fflush(stdout);
}

static uint64_t number(const char *text)
{
    char *end;
    uint64_t value;

    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno || end == text || *end) {
        fprintf(stderr, "check: not a number: %s\n", text);
        exit(2);
    }
    return value;
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = argv[i + 1];

        if (!strcmp(option, "--list")) {
            list = true;
            continue;
        }
        if (!strcmp(option, "--quick")) {
            settings.quick = true;
            continue;
        }
        if (value && !strcmp(option, "--filter"))
            filter = value;
        else if (value && !strcmp(option, "--seed"))
            settings.seed = number(value);
        else if (value && !strcmp(option, "--cpu"))
            settings.cpu = value;
        else if (value && !strcmp(option, "--tree"))
            settings.tree = value;
        else {
            fputs(usage, stderr);
            exit(2);
        }
        i++;
    }
}

int main(int argc, char **argv)
{
    const char *reason;

    /* Before anything else; what it found is judged by a test. */
    attempt(dispatch_first_call, NULL, &reason);
    settings.seed = (uint64_t)time(NULL) * 1000003 + (uint64_t)clock();
    read_options(argc, argv);
    if (!list)
        printf("TAP version 13\n# seed %" PRIu64 ", CPU features %#x\n",
               settings.seed, hk_cpu_features());
    for (suite_function *const *suite = row_suites; *suite; suite++)
        (*suite)();
    for (suite_function *const *suite = suites; !settings.cpu && *suite;
         suite++)
        (*suite)();
    if (!list)
        printf("1..%u\n", offered);
    return failed != 0;
}
