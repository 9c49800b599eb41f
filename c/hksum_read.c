/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_read.c - a file's digest: reading
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hksum.h"

/* What read() copied here is hashed from the second-level cache, and a system
 * call is a small part of the work; 64 KiB to 1 MiB are alike. Mapping the file
 * is no faster than a thread that reads ahead, and a file that gets shorter
 * meanwhile would be a SIGBUS. */
#define BUFFER 131072

/* A file of this size is worth a thread that reads ahead. */
#define LARGE (4 << 20)

void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);

    if (!memory) {
        complain(0, "memory exhausted");
        exit(1);
    }
    return memory;
}

ssize_t read_some(int fd, void *buffer, size_t size)
{
    ssize_t n;

    do
        n = read(fd, buffer, size);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Hashes what is left of fd; 0 or the error. */
static int hash_all(struct reading *reading, int fd, const char *name,
                    union hash *hash)
{
    struct progress progress = {.name = name};
    struct ahead *ahead = NULL;
    const uint8_t *piece;
    struct stat status;
    ssize_t n;
    int error;

    if (!fstat(fd, &status) && S_ISREG(status.st_mode))
        progress.total = (uint64_t)status.st_size;
    if (reading->progress)
        start_progress(&progress, reading->progress_after);
    if (progress.total >= LARGE && !reading->beside_others)
        ahead = start_ahead(fd);
    if (!ahead && !reading->buffer)
        reading->buffer = allocate(BUFFER);
    piece = reading->buffer;
    while ((n = ahead ? next_ahead(ahead, &piece)
                      : read_some(fd, reading->buffer, BUFFER)) > 0) {
        reading->algorithm->add(hash, piece, (size_t)n);
        if (ahead)
            give_back(ahead);
        progress.done += (uint64_t)n;
        if (reading->progress)
            show_progress(&progress);
    }
    error = n < 0 ? errno : 0;
    if (ahead)
        end_ahead(ahead);
    end_progress(&progress);
    return error;
}

void read_file(struct reading *reading, const char *name,
               struct outcome *outcome)
{
    bool standard = !strcmp(name, "-");
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    union hash hash;

    if (standard)
        reading->used_stdin = true;
    outcome->result = READ_FAILED;
    if (fd < 0) {
        outcome->error = errno;
        if (reading->ignore_missing && errno == ENOENT)
            outcome->result = READ_MISSING;
        return;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    reading->algorithm->start(&hash);
    outcome->error = hash_all(reading, fd, name, &hash);
    if (!standard && close(fd) && !outcome->error)
        outcome->error = errno;
    if (!outcome->error)
        outcome->result = reading->algorithm->end(&hash, outcome->digest)
                              ? READ_ATTACK
                              : READ_OK;
}

void tell_outcome(const struct outcome *outcome, const char *name)
{
    if (outcome->result == READ_FAILED)
        complain(outcome->error, "%s", quoted(name));
    if (outcome->result == READ_ATTACK)
        complain(0, "%s: made by a collision attack on SHA-1", quoted(name));
}
