/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum.h - the parts of the command-line tool
 *
 *   hksum.c            options; digests of files, printed
 *   hksum_check.c      checksum lists, verified
 *   hksum_algorithm.c  the algorithms behind one interface; --list
 *   hksum_read.c       a file's digest: reading
 *   hksum_progress.c   how far it is, on standard error
 *   hksum_ahead.c      a thread that reads a large file ahead
 *   hksum_files.c      many files: side by side in lanes, and in threads
 *   hksum_message.c    error messages, names quoted as a shell reads them
 */
#ifndef HKSUM_H
#define HKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hashkern.h"

/* ---- hksum_algorithm.c --------------------------------------------------- */

#define DIGEST_MAX 64

union hash {
    hk_sha1_ctx sha1;
    hk_sha1dc_ctx sha1dc;
    hk_sha224_ctx sha224;
    hk_sha256_ctx sha256;
    hk_sha384_ctx sha384;
    hk_sha512_ctx sha512;
    hk_sha512_224_ctx sha512_224;
    hk_sha512_256_ctx sha512_256;
    hk_siphash_ctx siphash;
};

struct algorithm {
    const char *name; /* as given to -a */
    const char *tag;  /* as in "SHA1 (file) = ..." */
    const char *rows; /* its kernels in the table */
    bool coreutils;   /* there is a tool of this name with "sum" appended */
    bool keyed;
    unsigned bytes; /* of the digest */
    void (*start)(union hash *hash);
    void (*add)(union hash *hash, const void *data, size_t len);
    int (*end)(union hash *hash, uint8_t *digest); /* 1: an attack was found */
    /* Many messages at once, digests one behind the other; attack[i] is what end
     * would return. NULL: one by one only. */
    void (*many)(size_t count, const void *const data[], const size_t len[],
                 uint8_t *digests, uint8_t *attack);
};

extern const struct algorithm algorithms[];
extern const size_t algorithm_count;
const struct algorithm *find_algorithm(const char *name, size_t length);

/* The kernel that --kernel asked for, and the key of --key. */
extern hk_function *chosen_kernel;
extern uint8_t chosen_key[HK_SIPHASH_KEY];

/* Chooses a kernel by its name, "sha1_avx2" or "avx2"; false with a message if
 * there is none or this CPU cannot run it. */
bool choose_kernel(const struct algorithm *algorithm, const char *name);
bool set_key(const char *hex);
void list_kernels(void);

/* ---- hksum_read.c -------------------------------------------------------- */

enum read_result {
    READ_OK,
    READ_ATTACK,  /* the digest is good, the file is not */
    READ_MISSING, /* no such file, and that is not an error */
    READ_FAILED   /* a message was printed */
};

struct reading {
    const struct algorithm *algorithm;
    unsigned jobs; /* threads */
    bool ignore_missing;
    bool progress;
    double progress_after; /* seconds in one file */
    bool used_stdin;       /* set when "-" was read */
    bool beside_others;    /* in one of several threads that read */
    uint8_t *buffer;       /* of this thread, made when needed */
};

/* What became of a file, before anybody is told. */
struct outcome {
    enum read_result result;
    int error; /* errno of READ_FAILED */
    uint8_t digest[DIGEST_MAX];
};

/* Hashes a file piece by piece. Says nothing but how far it is. */
void read_file(struct reading *reading, const char *name,
               struct outcome *outcome);

/* read() again after a signal. */
ssize_t read_some(int fd, void *buffer, size_t size);

void *allocate(size_t size); /* or end the program */

/* The message on an outcome, if there is one. */
void tell_outcome(const struct outcome *outcome, const char *name);

/* ---- hksum_progress.c ---------------------------------------------------- */

struct progress {
    bool shown;
    const char *name;
    double start, next;   /* seconds; next: when to show it again */
    uint64_t done, total; /* total: 0 if unknown */
};

/* Each newer line takes the place of the one before. Of one file, from so many
 * seconds on: */
void start_progress(struct progress *progress, double after);
void show_progress(struct progress *progress);
void end_progress(struct progress *progress);

/* The same for a number of files. */
void show_files(struct reading *reading, size_t done, size_t count);
void end_files(void);

/* ---- hksum_ahead.c ------------------------------------------------------- */

/* Starts to read fd ahead; NULL if there is no core or memory to spare. */
struct ahead *start_ahead(int fd);

/* The next piece, as read() would give it; to be given back when it is used. */
ssize_t next_ahead(struct ahead *ahead, const uint8_t **bytes);
void give_back(struct ahead *ahead);
void end_ahead(struct ahead *ahead);

/* ---- hksum_files.c ------------------------------------------------------- */

/* Told of each file, in the order of the names. */
typedef void file_done(void *user, size_t number,
                       const struct outcome *outcome);

void hash_files(struct reading *reading, char *const names[], size_t count,
                file_done *done, void *user);

/* ---- hksum_check.c ------------------------------------------------------- */

struct checking {
    struct reading *reading;
    bool status, quiet, warn, strict;
};

/* Verifies one list; true if all is well. */
bool check_list(const struct checking *checking, const char *name);

/* ---- hksum.c ------------------------------------------------------------- */

/* A file's name in a line of output; escaped: backslash, newline and carriage
 * return as two characters each. */
void print_name(const char *name, bool escaped);
bool needs_escape(const char *name);

/* Ends a line of output; a failure ends the program. */
void end_output(void);

/* ---- hksum_message.c ----------------------------------------------------- */

extern const char *program;

/* "program: message" on standard error, after all that was printed before; with
 * ": reason" if error is not 0. */
void complain(int error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The name as a shell would read it, in quotes if it needs any. Valid until the
 * call after next. */
const char *quoted(const char *name);

#endif
