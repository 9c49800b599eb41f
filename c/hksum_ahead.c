/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_ahead.c - a thread that reads a large file ahead of who hashes it
 *
 * To copy a file from the page cache takes a sixth of the time of hashing it,
 * and from a disk much more. On another core that costs no time. The reader
 * fills slots in turn; the hash takes them in turn, and gives each back when it
 * asks for the next.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "hksum.h"

/* Together a part of the second-level cache. The reader sleeps when all slots
 * are full, until half of them are empty: two system calls for four reads. */
enum { SLOTS = 8, SLOT_BYTES = 128 << 10 };

struct ahead {
    int fd;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned filled, taken; /* slots, of all that ever were */
    bool stop;              /* nobody wants more */
    ssize_t size[SLOTS];    /* as read() gave it */
    int error;              /* of a size below 0 */
    uint8_t *bytes;         /* SLOTS * SLOT_BYTES */
};

static void *read_ahead(void *user)
{
    struct ahead *ahead = user;
    ssize_t n = 1;

    pthread_mutex_lock(&ahead->lock);
    while (n > 0 && !ahead->stop) {
        unsigned slot = ahead->filled % SLOTS;

        if (ahead->filled - ahead->taken == SLOTS) {
            while (ahead->filled - ahead->taken > SLOTS / 2 && !ahead->stop)
                pthread_cond_wait(&ahead->changed, &ahead->lock);
            continue;
        }
        pthread_mutex_unlock(&ahead->lock);
        n = read_some(ahead->fd, ahead->bytes + slot * SLOT_BYTES, SLOT_BYTES);
        if (n < 0)
            ahead->error = errno;
        pthread_mutex_lock(&ahead->lock);
        ahead->size[slot] = n;
        ahead->filled++;
        pthread_cond_signal(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

static bool other_core(void)
{
    cpu_set_t cores;

    return !sched_getaffinity(0, sizeof cores, &cores) && CPU_COUNT(&cores) > 1;
}

struct ahead *start_ahead(int fd)
{
    struct ahead *ahead;

    if (!other_core())
        return NULL;
    ahead = malloc(sizeof *ahead);
    if (!ahead)
        return NULL;
    *ahead = (struct ahead){.fd = fd, .bytes = malloc(SLOTS * SLOT_BYTES)};
    if (!ahead->bytes) {
        free(ahead);
        return NULL;
    }
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->thread, NULL, read_ahead, ahead)) {
        free(ahead->bytes);
        free(ahead);
        return NULL;
    }
    return ahead;
}

ssize_t next_ahead(struct ahead *ahead, const uint8_t **bytes)
{
    unsigned slot;

    pthread_mutex_lock(&ahead->lock);
    while (ahead->filled == ahead->taken)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    slot = ahead->taken % SLOTS;
    pthread_mutex_unlock(&ahead->lock);
    *bytes = ahead->bytes + slot * SLOT_BYTES;
    if (ahead->size[slot] < 0)
        errno = ahead->error;
    return ahead->size[slot];
}

void give_back(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->taken++;
    if (ahead->filled - ahead->taken == SLOTS / 2)
        pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

void end_ahead(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->stop = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead->bytes);
    free(ahead);
}
