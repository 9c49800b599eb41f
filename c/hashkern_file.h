/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hashkern_file.h - files that end with the digest of what is before it
 *
 * Version control keeps its packs and indexes so: the content, then, as a
 * trailer, the digest of the content. These functions write such a file through
 * a buffer, hashing as they go, and verify one. They need POSIX and malloc; the
 * rest of the library does not.
 *
 *     hk_file *file = hk_file_create(fd, "sha1dc", 0);
 *     if (file && !hk_file_write(file, data, len) &&
 *         !hk_file_finalize(file, HK_FILE_TRAILER | HK_FILE_FSYNC, digest))
 *         ...                                   the file is whole
 *
 * ERRORS
 *
 * Functions that return int return 0, or -1 with errno set. The first error of
 * a file is final: nothing more is written, and every later call fails with the
 * same errno. hk_file_finalize and hk_file_discard release the file in any
 * case. The descriptor belongs to the caller: no function closes it. Writes
 * interrupted by a signal (EINTR) or cut short go on; a full disk is ENOSPC, a
 * closed pipe is EPIPE (the caller decides about SIGPIPE).
 *
 * An hk_file may be used by one thread at a time.
 */
#ifndef HASHKERN_FILE_H
#define HASHKERN_FILE_H

#include <sys/types.h>

#include "hashkern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Writing ------------------------------------------------------------- */

typedef struct hk_file hk_file;

#define HK_FILE_BUFFER ((size_t)128 * 1024) /* bytes */

/* Starts at the place where the descriptor stands, or with O_APPEND at the end of
 * the file. The algorithm is a name:
 * "sha1", "sha1dc", "sha224", "sha256", "sha384", "sha512", "sha512_224" or
 * "sha512_256". Buffers up to buffer_size bytes, HK_FILE_BUFFER if that is 0.
 * NULL with errno EINVAL (no such algorithm), EBADF or ENOMEM. */
hk_file *hk_file_create(int fd, const char *algorithm, size_t buffer_size);

/* Appends len bytes. Nothing is copied of a write that is as long as the buffer
 * or longer: it goes straight to the descriptor. */
int hk_file_write(hk_file *file, const void *data, size_t len);

/* Hands what is buffered to the descriptor. */
int hk_file_flush(hk_file *file);

/* Bytes written so far, buffered ones included. */
uint64_t hk_file_length(const hk_file *file);

/* A place to come back to: the length and the hash up to there. It is plain
 * data, comes only from a file, and is good only for that file, until the file
 * is cut back to an earlier place. */
typedef struct hk_file_checkpoint {
    uint64_t serial; /* no two checkpoints of a program have the same */
    uint64_t length;
    union {
        uint64_t align;
        uint8_t bytes[256];
    } hash;
} hk_file_checkpoint;

/* Flushes, and notes the place; a new file has one, too. The file remembers
 * each with 8 bytes. ENOMEM is not final. */
int hk_file_checkpoint_here(hk_file *file, hk_file_checkpoint *checkpoint);

/* Cuts the file back to the place: what was written since never was. As often
 * as you like. Fails with EINVAL for a place that is not of this file, or that
 * was cut away since, and with ESPIPE for a pipe; neither is final. */
int hk_file_truncate(hk_file *file, const hk_file_checkpoint *checkpoint);

/* What hk_file_finalize does beside flushing; any of them together. */
#define HK_FILE_TRAILER 0x1u /* append the digest */
#define HK_FILE_FSYNC   0x2u /* fsync before it returns */
#define HK_FILE_NO_HASH 0x4u /* the digest is all zero: "not hashed" */

/* Ends and releases the file. digest (NULL if not wanted) receives the digest;
 * it is written only on success. With "sha1dc", content made by a collision
 * attack is an error, EBADMSG, and no trailer is written. */
int hk_file_finalize(hk_file *file, unsigned flags, uint8_t *digest);

/* Releases the file; what is buffered is lost. NULL is allowed. */
void hk_file_discard(hk_file *file);

/* ---- Verifying ----------------------------------------------------------- */

enum hk_file_verdict {
    HK_FILE_OK = 0,
    HK_FILE_ERROR = -1,     /* cannot be read: errno tells */
    HK_FILE_TOO_SHORT = 1,  /* no room for content and trailer */
    HK_FILE_TOO_LONG = 2,   /* bytes after the trailer */
    HK_FILE_NOT_HASHED = 3, /* the trailer is all zero */
    HK_FILE_MISMATCH = 4,   /* the trailer is not the content's digest */
    HK_FILE_ATTACK = 5      /* "sha1dc": made by a collision attack */
};

/* The length of the content, where it is not known otherwise: all but the
 * trailer. */
#define HK_FILE_ALL UINT64_MAX

/* Verifies what is in memory: length bytes of content, then the trailer. An
 * all-zero trailer is HK_FILE_NOT_HASHED, not a mismatch: the caller decides
 * whether that is allowed. */
enum hk_file_verdict hk_file_verify_memory(const void *data, size_t size,
                                           const char *algorithm,
                                           uint64_t length);

/* The same for the rest of a file, from where the descriptor stands to its end,
 * in pieces; pipes will do. */
enum hk_file_verdict hk_file_verify(int fd, const char *algorithm,
                                    uint64_t length);

/* An English sentence for a verdict. */
const char *hk_file_verdict_text(enum hk_file_verdict verdict);

#ifdef __cplusplus
}
#endif

#endif
