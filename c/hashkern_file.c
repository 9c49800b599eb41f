/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hashkern_file.c - files that end with the digest of what is before it
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "hashkern_file.h"
#include "memory.h"

struct hk_file {
    const struct hk_digest *digest;
    union hk_digest_ctx hash; /* of all length bytes */
    int fd;
    int failed;       /* errno of the first error, which is final; or 0 */
    off_t start;      /* where the descriptor stood; -1: it cannot seek */
    uint64_t length;  /* bytes written, buffered ones included */
    size_t used;      /* bytes in the buffer */
    size_t size;      /* of the buffer */
    uint64_t serial;  /* of the last checkpoint: file number, then a count */
    uint64_t *places; /* serial numbers of the checkpoints that hold, rising */
    size_t place_count, place_room;
    uint8_t buffer[];
};

_Static_assert(sizeof(union hk_digest_ctx) <=
                   sizeof((hk_file_checkpoint *)NULL)->hash,
               "a checkpoint has room for any context");

static unsigned files; /* created by this program */

hk_file *hk_file_create(int fd, const char *algorithm, size_t buffer_size)
{
    const struct hk_digest *digest = hk_digest_named(algorithm);
    off_t start;
    hk_file *file;
    int flags;

    if (!digest) {
        errno = EINVAL;
        return NULL;
    }
    /* Who appends writes at the end, wherever the descriptor stands. */
    flags = fcntl(fd, F_GETFL);
    if (flags < 0)
        return NULL;
    start = lseek(fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
    if (start < 0 && errno != ESPIPE)
        return NULL;
    if (!buffer_size)
        buffer_size = HK_FILE_BUFFER;
    if (buffer_size > SIZE_MAX - sizeof *file) {
        errno = ENOMEM;
        return NULL;
    }
    file = malloc(sizeof *file + buffer_size);
    if (!file)
        return NULL;
    file->digest = digest;
    digest->init(&file->hash);
    file->fd = fd;
    file->failed = 0;
    file->start = start;
    file->length = 0;
    file->used = 0;
    file->size = buffer_size;
    file->serial = (uint64_t)__atomic_add_fetch(&files, 1, __ATOMIC_RELAXED)
                   << 32;
    file->places = NULL;
    file->place_count = file->place_room = 0;
    return file;
}

static int fail(hk_file *file, int error)
{
    file->failed = error;
    errno = error;
    return -1;
}

/* Has the file failed before? Then so does this call, in the same way. */
static bool broken(const hk_file *file)
{
    if (file->failed)
        errno = file->failed;
    return file->failed != 0;
}

/* Writes all of it, however many calls that takes. */
static int write_all(hk_file *file, const uint8_t *data, size_t len)
{
    enum { LONGEST = 1 << 30 }; /* write may refuse more than SSIZE_MAX */

    while (len) {
        ssize_t done = write(file->fd, data, len < LONGEST ? len : LONGEST);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(file, errno);
        if (!done) /* POSIX leaves open what that means; never loop on it */
            return fail(file, EIO);
        data += done;
        len -= (size_t)done;
    }
    return 0;
}

int hk_file_flush(hk_file *file)
{
    if (broken(file) || write_all(file, file->buffer, file->used))
        return -1;
    file->used = 0;
    return 0;
}

int hk_file_write(hk_file *file, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    size_t room = file->size - file->used;

    if (broken(file))
        return -1;
    file->digest->update(&file->hash, bytes, len);
    file->length += len;
    if (len < room) {
        hk_copy(file->buffer + file->used, bytes, len);
        file->used += len;
        return 0;
    }
    if (file->used) { /* fill what has begun, so that writes are whole */
        memcpy(file->buffer + file->used, bytes, room);
        file->used = file->size;
        bytes += room;
        len -= room;
        if (hk_file_flush(file))
            return -1;
    }
    if (len >= file->size) {
        size_t direct = len - len % file->size;

        if (write_all(file, bytes, direct))
            return -1;
        bytes += direct;
        len -= direct;
    }
    hk_copy(file->buffer, bytes, len);
    file->used = len;
    return 0;
}

uint64_t hk_file_length(const hk_file *file)
{
    return file->length;
}

/* Remembers a checkpoint among those that hold. */
static int remember(hk_file *file, uint64_t serial)
{
    if (file->place_count == file->place_room) {
        size_t room = file->place_room ? 2 * file->place_room : 16;
        uint64_t *places = realloc(file->places, room * sizeof *places);

        if (!places)
            return -1;
        file->places = places;
        file->place_room = room;
    }
    file->places[file->place_count++] = serial;
    return 0;
}

int hk_file_checkpoint_here(hk_file *file, hk_file_checkpoint *checkpoint)
{
    if (hk_file_flush(file) || remember(file, file->serial + 1))
        return -1;
    memset(checkpoint, 0, sizeof *checkpoint);
    checkpoint->serial = ++file->serial;
    checkpoint->length = file->length;
    memcpy(checkpoint->hash.bytes, &file->hash, sizeof file->hash);
    return 0;
}

/* How many checkpoints hold up to this one; 0 if it does not. */
static size_t holds(const hk_file *file, uint64_t serial)
{
    size_t from = 0, to = file->place_count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (file->places[middle] < serial)
            from = middle + 1;
        else
            to = middle;
    }
    if (from < file->place_count && file->places[from] == serial)
        return from + 1;
    return 0;
}

int hk_file_truncate(hk_file *file, const hk_file_checkpoint *checkpoint)
{
    size_t count = holds(file, checkpoint->serial);
    off_t end;

    if (broken(file))
        return -1;
    if (!count) {
        errno = EINVAL;
        return -1;
    }
    if (file->start < 0) {
        errno = ESPIPE;
        return -1;
    }
    /* All that is buffered was written after the checkpoint, which flushed. */
    file->used = 0;
    end = file->start + (off_t)checkpoint->length;
    while (ftruncate(file->fd, end))
        if (errno != EINTR)
            return fail(file, errno);
    if (lseek(file->fd, end, SEEK_SET) < 0)
        return fail(file, errno);
    file->length = checkpoint->length;
    file->place_count = count;
    memcpy(&file->hash, checkpoint->hash.bytes, sizeof file->hash);
    return 0;
}

static int finalize(hk_file *file, unsigned flags, uint8_t *trailer)
{
    size_t size = file->digest->size;

    if (hk_file_flush(file))
        return -1;
    if (flags & HK_FILE_NO_HASH)
        memset(trailer, 0, size);
    else if (file->digest->final(&file->hash, trailer))
        return fail(file, EBADMSG);
    if (flags & HK_FILE_TRAILER && write_all(file, trailer, size))
        return -1;
    while (flags & HK_FILE_FSYNC && fsync(file->fd))
        if (errno != EINTR)
            return fail(file, errno);
    return 0;
}

int hk_file_finalize(hk_file *file, unsigned flags, uint8_t *digest)
{
    uint8_t trailer[HK_DIGEST_LONGEST];
    int result = finalize(file, flags, trailer);
    int error = errno;

    if (!result && digest)
        memcpy(digest, trailer, file->digest->size);
    hk_file_discard(file);
    errno = error;
    return result;
}

void hk_file_discard(hk_file *file)
{
    if (!file)
        return;
    hk_wipe(&file->hash, sizeof file->hash);
    free(file->places);
    free(file);
}

/* ---- Verifying ----------------------------------------------------------- */

/* The verdict once content and trailer are there and nothing is after them. */
static enum hk_file_verdict judge(const struct hk_digest *digest,
                                  union hk_digest_ctx *hash,
                                  const uint8_t *trailer)
{
    uint8_t computed[HK_DIGEST_LONGEST];
    int attack = digest->final(hash, computed);
    uint8_t any = 0, differ = 0;

    for (size_t i = 0; i < digest->size; i++) {
        any |= trailer[i];
        differ |= trailer[i] ^ computed[i];
    }
    if (attack)
        return HK_FILE_ATTACK;
    if (!any)
        return HK_FILE_NOT_HASHED;
    return differ ? HK_FILE_MISMATCH : HK_FILE_OK;
}

enum hk_file_verdict hk_file_verify_memory(const void *data, size_t size,
                                           const char *algorithm,
                                           uint64_t length)
{
    const struct hk_digest *digest = hk_digest_named(algorithm);
    union hk_digest_ctx hash;

    if (!digest) {
        errno = EINVAL;
        return HK_FILE_ERROR;
    }
    if (size < digest->size)
        return HK_FILE_TOO_SHORT;
    if (length == HK_FILE_ALL)
        length = size - digest->size;
    if (size - digest->size < length)
        return HK_FILE_TOO_SHORT;
    if (size - digest->size > length)
        return HK_FILE_TOO_LONG;
    digest->init(&hash);
    digest->update(&hash, data, (size_t)length);
    return judge(digest, &hash, (const uint8_t *)data + length);
}

/* Reads until the buffer is full or the file ends; -1 on an error. */
static ssize_t read_full(int fd, uint8_t *buffer, size_t size)
{
    size_t have = 0;

    while (have < size) {
        ssize_t got = read(fd, buffer + have, size - have);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (!got)
            break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

/* Hashes all that cannot be the trailer, and keeps the last bytes back. */
static enum hk_file_verdict verify(int fd, const struct hk_digest *digest,
                                   uint64_t length, uint8_t *buffer)
{
    size_t kept = 0; /* bytes at the start of the buffer, not yet hashed */
    uint64_t hashed = 0;
    union hk_digest_ctx hash;

    digest->init(&hash);
    for (;;) {
        ssize_t got = read_full(fd, buffer + kept, HK_FILE_BUFFER - kept);
        size_t content;

        if (got < 0)
            return HK_FILE_ERROR;
        if (!got)
            break;
        kept += (size_t)got;
        if (kept <= digest->size)
            continue;
        content = kept - digest->size;
        if (length != HK_FILE_ALL && content > length - hashed)
            return HK_FILE_TOO_LONG;
        digest->update(&hash, buffer, content);
        hashed += content;
        kept = digest->size;
        memmove(buffer, buffer + content, kept);
    }
    if (kept < digest->size || (length != HK_FILE_ALL && hashed < length))
        return HK_FILE_TOO_SHORT;
    return judge(digest, &hash, buffer);
}

enum hk_file_verdict hk_file_verify(int fd, const char *algorithm,
                                    uint64_t length)
{
    const struct hk_digest *digest = hk_digest_named(algorithm);
    enum hk_file_verdict verdict;
    uint8_t *buffer;
    int error;

    if (!digest) {
        errno = EINVAL;
        return HK_FILE_ERROR;
    }
    buffer = malloc(HK_FILE_BUFFER);
    if (!buffer)
        return HK_FILE_ERROR;
    verdict = verify(fd, digest, length, buffer);
    error = errno;
    free(buffer);
    errno = error;
    return verdict;
}

const char *hk_file_verdict_text(enum hk_file_verdict verdict)
{
    switch (verdict) {
    case HK_FILE_OK:
        return "the content has the digest that its trailer says";
    case HK_FILE_ERROR:
        return "cannot be read";
    case HK_FILE_TOO_SHORT:
        return "too short for its content and trailer";
    case HK_FILE_TOO_LONG:
        return "bytes after the trailer";
    case HK_FILE_NOT_HASHED:
        return "written without a digest: the trailer is all zero";
    case HK_FILE_MISMATCH:
        return "the content does not have the digest that its trailer says";
    case HK_FILE_ATTACK:
        return "the content was made by a SHA-1 collision attack";
    }
    return "no such verdict";
}
