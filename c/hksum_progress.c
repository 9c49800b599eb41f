/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_progress.c - how far it is, on standard error
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "hksum.h"

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void start_progress(struct progress *progress, double after)
{
    progress->start = seconds_now();
    progress->next = progress->start + after;
}

void show_progress(struct progress *progress)
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

void end_progress(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}

/* The same for a number of files, unless lines appear on a terminal anyway. */
static struct progress files;

void show_files(struct reading *reading, size_t done, size_t count)
{
    double now;

    if (!reading->progress || isatty(STDOUT_FILENO))
        return;
    now = seconds_now();
    if (!files.next)
        files.next = now + reading->progress_after;
    if (now < files.next)
        return;
    files.next = now + 0.25;
    files.shown = true;
    fprintf(stderr, "\r%zu of %zu files\033[K", done, count);
}

void end_files(void)
{
    end_progress(&files);
    files.shown = false;
}
