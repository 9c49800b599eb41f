/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * threads.c - the first use of the library, by eight threads at once
 *
 * Built with ThreadSanitizer, which stops the program at a race. Each round
 * forgets what is known of the CPU, so that all threads find it out at the same
 * moment; one more thread moves the limit to and fro. Reports in TAP.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"

enum { THREADS = 8, ROUNDS = 200, HASHES = 20 };

/* FIPS 180-1, appendix A: SHA-1 of "abc" */
static const uint8_t abc[20] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81,
                                0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50,
                                0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};

static pthread_barrier_t start;
static bool good[THREADS];

static void *hash(void *argument)
{
    bool *result = argument;
    uint8_t digest[20];

    pthread_barrier_wait(&start);
    for (unsigned i = 0; i < HASHES; i++) {
        hk_sha1("abc", 3, digest);
        *result = *result && !memcmp(digest, abc, sizeof abc) &&
                  hk_kernel_in_use("sha1");
    }
    return NULL;
}

static void *limit(void *argument)
{
    pthread_barrier_wait(&start);
    for (unsigned i = 0; i < HASHES; i++)
        hk_cpu_limit(i % 2 ? ~0u : 0);
    return argument;
}

static bool run_round(void)
{
    pthread_t threads[THREADS + 1];
    bool all = true;

    hk_cpu_found = 0;
    pthread_barrier_init(&start, NULL, THREADS + 1);
    for (unsigned i = 0; i < THREADS; i++) {
        good[i] = true;
        if (pthread_create(&threads[i], NULL, hash, &good[i]))
            return false;
    }
    if (pthread_create(&threads[THREADS], NULL, limit, NULL))
        return false;
    for (unsigned i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++)
        all = all && good[i];
    pthread_barrier_destroy(&start);
    return all;
}

int main(void)
{
    bool all = true;

    for (unsigned i = 0; i < ROUNDS && all; i++)
        all = run_round();
    printf("TAP version 13\n%s 1 - threads/first-use\n1..1\n",
           all ? "ok" : "not ok");
    return !all;
}
