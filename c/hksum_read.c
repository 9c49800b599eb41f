/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_read.c - a file's digest: reading, progress
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hksum.h"

/* What read() copied here is hashed from the second-level cache, and a system
 * call is a small part of the work; 64 KiB to 1 MiB are alike. Mapping the file
 * costs more, and a file that gets shorter meanwhile would be a SIGBUS. */
#define BUFFER 131072

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Progress ------------------------------------------------------------ */

struct progress {
    bool shown;
    const char *name;
    double start, next;   /* seconds; next: when to show it again */
    uint64_t done, total; /* total: 0 if unknown */
};

static void show_progress(struct progress *progress)
{
    double now, seconds, rate;

    now = seconds_now();
    if (now < progress->next)
        return;
    progress->next = now + 0.25;
    progress->shown = true;
    seconds = now - progress->start;
    rate = (double)progress->done / seconds;
    fprintf(stderr, "\r%s: %.1f MB, %.0f MB/s", quoted(progress->name),
            (double)progress->done / 1e6, rate / 1e6);
    if (progress->total > progress->done)
        fprintf(stderr, ", %.0f %%, %.0f s left",
                100.0 * (double)progress->done / (double)progress->total,
                (double)(progress->total - progress->done) / rate);
    fputs("\033[K", stderr);
}

static void end_progress(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}

/* ---- Reading ------------------------------------------------------------- */

static ssize_t read_some(int fd, void *buffer, size_t size)
{
    ssize_t n;

    do
        n = read(fd, buffer, size);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Hashes what is left of fd; 0 or the error. */
static int hash_all(const struct reading *reading, int fd, const char *name,
                    union hash *hash)
{
    static _Alignas(64) uint8_t buffer[BUFFER];
    struct progress progress = {.name = name};
    struct stat status;
    ssize_t n;

    if (reading->progress) {
        progress.start = seconds_now();
        progress.next = progress.start + reading->progress_after;
        if (!fstat(fd, &status) && S_ISREG(status.st_mode))
            progress.total = (uint64_t)status.st_size;
    }
    while ((n = read_some(fd, buffer, sizeof buffer)) > 0) {
        reading->algorithm->add(hash, buffer, (size_t)n);
        progress.done += (uint64_t)n;
        if (reading->progress)
            show_progress(&progress);
    }
    end_progress(&progress);
    return n < 0 ? errno : 0;
}

enum read_result hash_file(struct reading *reading, const char *name,
                           uint8_t *digest)
{
    bool standard = !strcmp(name, "-");
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    union hash hash;
    int error;

    if (standard)
        reading->used_stdin = true;
    if (fd < 0) {
        if (reading->ignore_missing && errno == ENOENT)
            return READ_MISSING;
        complain(errno, "%s", quoted(name));
        return READ_FAILED;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    reading->algorithm->start(&hash);
    error = hash_all(reading, fd, name, &hash);
    if (!standard && close(fd) && !error)
        error = errno;
    if (error) {
        complain(error, "%s", quoted(name));
        return READ_FAILED;
    }
    if (reading->algorithm->end(&hash, digest)) {
        complain(0, "%s: made by a collision attack on SHA-1", quoted(name));
        return READ_ATTACK;
    }
    return READ_OK;
}
