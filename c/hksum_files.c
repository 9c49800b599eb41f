/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_files.c - many files: side by side in lanes, and in threads
 *
 * Files of moderate size are read into one buffer, as many as fit, and hashed
 * together (hk_sha1_many). All others, and what is not a regular file, are read
 * and hashed piece by piece, each alone and in its turn. With several threads
 * the names are cut into runs, each thread takes the next run, and the first
 * one tells of them in order. Memory does not grow with the number of files.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hksum.h"

/* A group gets no more files when it has so many, or so many bytes that they are
 * just still in the second-level cache when they are hashed; but it fills all
 * lanes first, which is worth more. Files of up to GROUP_BYTES are hashed in
 * groups. */
enum { GROUP_FILES = 64, GROUP_FULL = 768 << 10, GROUP_BYTES = 4 << 20 };

struct group {
    size_t lanes;   /* of the kernel that will hash them */
    uint8_t *bytes; /* GROUP_BYTES, behind this */
    size_t used, count;
    const void *data[GROUP_FILES];
    size_t len[GROUP_FILES];
    size_t number[GROUP_FILES]; /* of the file's outcome */
    uint8_t digests[GROUP_FILES * DIGEST_MAX];
    uint8_t attack[GROUP_FILES];
};

/* ---- Lanes --------------------------------------------------------------- */

enum fit { TAKEN, FULL, ALONE };

/* Reads a whole file behind the others of the group. FULL: it may fit into the
 * next group. ALONE: it must be read piece by piece. */
static enum fit take(struct reading *reading, struct group *group,
                     const char *name, struct outcome *outcome, size_t number)
{
    uint8_t *to = group->bytes + group->used;
    size_t room = GROUP_BYTES - group->used, size = 0;
    struct stat status;
    ssize_t n = 0;
    int fd;

    if (group->count == GROUP_FILES ||
        (group->used >= GROUP_FULL && group->count % group->lanes == 0))
        return FULL;
    if (!strcmp(name, "-"))
        return ALONE;
    /* What blocks, or does not end, is opened only when its turn has come. */
    if (!stat(name, &status) &&
        (!S_ISREG(status.st_mode) || status.st_size >= GROUP_BYTES))
        return ALONE;
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        outcome->error = errno;
        outcome->result = reading->ignore_missing && errno == ENOENT
                              ? READ_MISSING
                              : READ_FAILED;
        return TAKEN;
    }
    while (size < room && (n = read_some(fd, to + size, room - size)) > 0)
        size += (size_t)n;
    outcome->error = n < 0 ? errno : 0;
    if (close(fd) && !outcome->error)
        outcome->error = errno;
    if (size == room && n > 0)
        return group->count ? FULL : ALONE;
    if (size == room && !room)
        return FULL;
    outcome->result = outcome->error ? READ_FAILED : READ_OK;
    if (!outcome->error) {
        group->data[group->count] = to;
        group->len[group->count] = size;
        group->number[group->count++] = number;
        group->used += size;
    }
    return TAKEN;
}

static void hash_group(struct reading *reading, struct group *group,
                       struct outcome *outcomes)
{
    size_t bytes = reading->algorithm->bytes;

    reading->algorithm->many(group->count, group->data, group->len,
                             group->digests, group->attack);
    for (size_t i = 0; i < group->count; i++) {
        struct outcome *outcome = &outcomes[group->number[i]];

        memcpy(outcome->digest, group->digests + i * bytes, bytes);
        if (group->attack[i])
            outcome->result = READ_ATTACK;
    }
    group->count = group->used = 0;
}

/* Hashes the first of the files, as many as go together; returns how many. */
static size_t hash_some(struct reading *reading, struct group *group,
                        char *const names[], size_t count,
                        struct outcome *outcomes)
{
    size_t n = 0;
    enum fit fit = TAKEN;

    if (group && reading->algorithm->many && !chosen_kernel && count > 1)
        while (n < count &&
               (fit = take(reading, group, names[n], &outcomes[n], n)) == TAKEN)
            n++;
    if (group)
        hash_group(reading, group, outcomes);
    if (!n)
        read_file(reading, names[n++], &outcomes[0]);
    return n;
}

/* ---- Threads ------------------------------------------------------------- */

/* Most files of a run; the runs that may be under way for each thread. */
enum { RUN_FILES = GROUP_FILES, RUNS_AHEAD = 4, JOBS_MAX = 256 };

struct run {
    bool finished;
    struct outcome outcomes[RUN_FILES];
};

struct work {
    char *const *names;
    size_t count, run_files;
    size_t next; /* number of the run to be taken next */
    size_t told; /* runs that were told of */
    struct run *runs;
    size_t ahead; /* how many there are room for */
    struct reading *reading;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static size_t files_of_run(const struct work *work, size_t run)
{
    size_t left = work->count - run * work->run_files;

    return left < work->run_files ? left : work->run_files;
}

static void hash_run(struct work *work, struct reading *reading,
                     struct group *group, size_t number)
{
    struct run *run = &work->runs[number % work->ahead];
    char *const *names = work->names + number * work->run_files;
    size_t count = files_of_run(work, number);

    for (size_t i = 0; i < count;)
        i += hash_some(reading, group, names + i, count - i, run->outcomes + i);
}

/* "sha1x_avx512x16" has sixteen. */
static size_t lanes_in_use(const struct algorithm *algorithm)
{
    char name[32];
    const char *kernel;

    snprintf(name, sizeof name, "%sx", algorithm->rows);
    kernel = hk_kernel_in_use(name);
    return kernel ? strtoul(strrchr(kernel, 'x') + 1, NULL, 10) : 1;
}

/* NULL if there is no memory for one: then files are hashed one by one. */
static struct group *new_group(const struct algorithm *algorithm)
{
    struct group *group = malloc(sizeof *group + GROUP_BYTES);

    if (group) {
        group->lanes = lanes_in_use(algorithm);
        group->bytes = (uint8_t *)(group + 1);
        group->count = group->used = 0;
    }
    return group;
}

static void *work_on(void *user)
{
    struct work *work = user;
    struct group *group = new_group(work->reading->algorithm);
    struct reading reading;

    pthread_mutex_lock(&work->lock);
    reading = *work->reading;
    reading.progress = false;
    reading.beside_others = true;
    reading.buffer = NULL;
    while (work->next * work->run_files < work->count) {
        size_t number = work->next;

        if (number >= work->told + work->ahead) {
            pthread_cond_wait(&work->changed, &work->lock);
            continue;
        }
        work->next++;
        pthread_mutex_unlock(&work->lock);
        hash_run(work, &reading, group, number);
        pthread_mutex_lock(&work->lock);
        work->runs[number % work->ahead].finished = true;
        pthread_cond_broadcast(&work->changed);
    }
    work->reading->used_stdin |= reading.used_stdin;
    pthread_mutex_unlock(&work->lock);
    free(reading.buffer);
    free(group);
    return NULL;
}

/* False if no thread can be started: then nothing was done. */
static bool hash_in_threads(struct reading *reading, char *const names[],
                            size_t count, file_done *done, void *user)
{
    struct work work = {.names = names, .count = count, .reading = reading};
    unsigned jobs = reading->jobs < JOBS_MAX ? reading->jobs : JOBS_MAX;
    pthread_t threads[JOBS_MAX];
    unsigned started = 0;
    size_t told = 0;
    bool any;
    int error = 0;

    /* Short runs when there are few files, so that all threads have some. */
    work.run_files = count / (RUNS_AHEAD * jobs);
    if (work.run_files < 1)
        work.run_files = 1;
    if (work.run_files > RUN_FILES)
        work.run_files = RUN_FILES;
    work.ahead = (size_t)RUNS_AHEAD * jobs;
    work.runs = allocate(work.ahead * sizeof *work.runs);
    for (size_t i = 0; i < work.ahead; i++)
        work.runs[i].finished = false;
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.changed, NULL);
    while (started < jobs && !error) {
        error = pthread_create(&threads[started], NULL, work_on, &work);
        started += !error;
    }
    for (size_t number = 0; started && told < count; number++) {
        struct run *run = &work.runs[number % work.ahead];

        pthread_mutex_lock(&work.lock);
        while (!run->finished)
            pthread_cond_wait(&work.changed, &work.lock);
        pthread_mutex_unlock(&work.lock);
        end_files();
        for (size_t i = 0; i < files_of_run(&work, number); i++)
            done(user, told++, &run->outcomes[i]);
        show_files(reading, told, count);
        pthread_mutex_lock(&work.lock);
        run->finished = false;
        work.told++;
        pthread_cond_broadcast(&work.changed);
        pthread_mutex_unlock(&work.lock);
    }
    end_files();
    any = started > 0;
    while (started)
        pthread_join(threads[--started], NULL);
    pthread_cond_destroy(&work.changed);
    pthread_mutex_destroy(&work.lock);
    free(work.runs);
    return any;
}

/* ---- Both ---------------------------------------------------------------- */

void hash_files(struct reading *reading, char *const names[], size_t count,
                file_done *done, void *user)
{
    struct outcome outcomes[GROUP_FILES];
    struct group *group;

    if (reading->jobs > 1 && count > 1 &&
        hash_in_threads(reading, names, count, done, user))
        return;
    if (count == 1) {
        read_file(reading, names[0], &outcomes[0]);
        done(user, 0, &outcomes[0]);
        return;
    }
    group = new_group(reading->algorithm);
    for (size_t told = 0; told < count;) {
        size_t most = count - told < GROUP_FILES ? count - told : GROUP_FILES;
        size_t n = hash_some(reading, group, names + told, most, outcomes);

        end_files();
        for (size_t i = 0; i < n; i++)
            done(user, told + i, &outcomes[i]);
        told += n;
        show_files(reading, told, count);
    }
    end_files();
    free(group);
}
