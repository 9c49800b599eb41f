/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * worker.c - competitors in another process, one sample at a time
 *
 * A worker is this program with another environment, or as another revision
 * built it. It takes one line per sample on standard input and answers with one
 * line, so that its samples are interleaved with everybody else's, on the same
 * core. The answer to what it does not have is a negative time.
 *
 *     sha1 1 4096 250 OpenSSL
 *     21503.0 <result in hexadecimal>
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

struct worker {
    FILE *to, *from;
};

const uint8_t *bench_data(void)
{
    static _Alignas(64) uint8_t data[DATA_BYTES];
    static int filled;

    if (!filled) {
        uint32_t x = 1;

        for (size_t i = 0; i < DATA_BYTES; i++) {
            x = x * 1664525 + 1013904223;
            data[i] = (uint8_t)(x >> 24);
        }
        filled = 1;
    }
    return data;
}

static double sample_here(const struct entry *entry, const uint8_t *data,
                          size_t size, unsigned reps, uint8_t *out)
{
    double start;

    /* An eighth first: the code is in the cache and its branches are known. */
    entry->run(entry, data, size, reps / 8 + 1, out);
    memset(out, 0, OUT_BYTES);
    start = now_ns();
    entry->run(entry, data, size, reps, out);
    return now_ns() - start;
}

double sample(const struct entry *entry, const uint8_t *data, size_t size,
              unsigned reps, uint8_t *out)
{
    char line[256], *hex;
    double ns;

    if (!entry->worker)
        return sample_here(entry, data, size, reps, out);
    fprintf(entry->worker->to, "%s %d %zu %u %s\n", entry->algorithm,
            entry->level, size, reps, entry->name);
    fflush(entry->worker->to);
    if (!fgets(line, sizeof line, entry->worker->from)) {
        fprintf(stderr, "bench: the process of %s (%s) has ended\n",
                entry->name, entry->tier);
        exit(1);
    }
    ns = strtod(line, &hex);
    for (int i = 0; i < OUT_BYTES; i++) {
        unsigned byte = 0;

        sscanf(hex + 1 + 2 * i, "%2x", &byte);
        out[i] = (uint8_t)byte;
    }
    return ns;
}

struct worker *start_worker(const char *path, const char *const environment[])
{
    struct worker *worker = malloc(sizeof *worker);
    int to[2], from[2];

    if (!worker || pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) {
        perror("bench");
        exit(1);
    }
    fflush(NULL);
    switch (fork()) {
    case -1:
        perror("bench: fork");
        exit(1);
    case 0:
        dup2(to[0], 0);
        dup2(from[1], 1);
        for (int i = 0; environment && environment[i]; i++)
            putenv((char *)environment[i]);
        execl(path ? path : "/proc/self/exe", "bench", "--worker",
              (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    worker->to = fdopen(to[1], "w");
    worker->from = fdopen(from[0], "r");
    return worker;
}

int be_worker(void)
{
    struct entries entries = {0};
    char line[256], algorithm[32], added[32] = "";
    int level, name;
    size_t size;
    unsigned reps;

    while (fgets(line, sizeof line, stdin)) {
        uint8_t out[OUT_BYTES];
        const struct entry *entry = NULL;

        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%31s %d %zu %u %n", algorithm, &level, &size, &reps,
                   &name) < 4 ||
            size > DATA_BYTES)
            return 2;
        if (strcmp(added, algorithm)) {
            entries.count = 0;
            add_rows(&entries, algorithm);
            add_compilers(&entries, algorithm);
            add_peers(&entries, algorithm, 0);
            strcpy(added, algorithm);
        }
        for (size_t i = 0; i < entries.count; i++)
            if (entries.list[i].level == (enum level)level &&
                !strcmp(entries.list[i].name, line + name))
                entry = &entries.list[i];
        memset(out, 0, sizeof out);
        printf("%.1f ",
               entry ? sample(entry, bench_data(), size, reps, out) : -1.0);
        for (int i = 0; i < OUT_BYTES; i++)
            printf("%02x", out[i]);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
