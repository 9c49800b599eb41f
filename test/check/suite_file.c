/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_file.c - hashed files, with faults injected into every system call
 *
 * The program is linked with --wrap for the calls below, so that a test can
 * make the n-th of them fail, fall short or be interrupted.
 */
#define _DEFAULT_SOURCE   /* MAP_ANONYMOUS */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "digest.h"
#include "hashkern_file.h"

enum { BUFFER = 64, LONGEST = 5 * BUFFER };

/* ---- Injected faults ----------------------------------------------------- */

enum fault { NONE, FAILS, SHORT, NOTHING, INTERRUPTED, SHORT_THEN_FAILS };

static struct {
    int fd;           /* whose calls are counted; -1: none */
    unsigned calls;   /* so far: writes, and cuts and syncs */
    unsigned at;      /* the call that is faulty */
    enum fault fault; /* what happens then */
    int error;        /* errno of FAILS */
    const void *last; /* where the last write took its data from */
    size_t last_size;
} inject = {-1, 0, 0, NONE, 0, NULL, 0};

static void inject_into(int fd, unsigned at, enum fault fault, int error)
{
    inject.fd = fd;
    inject.calls = 0;
    inject.at = at;
    inject.fault = fault;
    inject.error = error;
}

static void inject_nothing(void)
{
    inject.fd = -1;
}

/* Is this call the faulty one, and does it fail at once? */
static bool faulty(int fd)
{
    if (fd == inject.fd && inject.fault == SHORT_THEN_FAILS &&
        inject.calls == inject.at) {
        inject.calls++;
        errno = inject.error;
        return true;
    }
    if (fd != inject.fd || ++inject.calls != inject.at)
        return false;
    if (inject.fault == FAILS || inject.fault == INTERRUPTED) {
        errno = inject.fault == FAILS ? inject.error : EINTR;
        return true;
    }
    return false;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    if (faulty(fd))
        return -1;
    if (fd == inject.fd) {
        inject.last = data;
        inject.last_size = size;
        if (inject.calls == inject.at && inject.fault == NOTHING)
            return 0;
        if (inject.calls == inject.at && size > 1 &&
            (inject.fault == SHORT || inject.fault == SHORT_THEN_FAILS))
            size = 1;
    }
    return __real_write(fd, data, size);
}

int __wrap_fsync(int fd)
{
    return faulty(fd) ? -1 : __real_fsync(fd);
}

int __wrap_ftruncate(int fd, off_t size)
{
    return faulty(fd) ? -1 : __real_ftruncate(fd, size);
}

/* ---- Files in the making ------------------------------------------------- */

static uint8_t content[LONGEST + 100];

/* An unnamed file that is open for both. */
static int new_file(void)
{
    char name[] = "/tmp/hashkern-check-XXXXXX";
    int fd = mkstemp(name);

    if (fd < 0)
        fail("cannot make a file in /tmp: %s", strerror(errno));
    unlink(name);
    return fd;
}

static hk_file *create(int fd, const char *algorithm)
{
    hk_file *file = hk_file_create(fd, algorithm, BUFFER);

    if (!file)
        fail("hk_file_create: %s", strerror(errno));
    return file;
}

static void must(int result, const char *what)
{
    if (result)
        fail("%s: %s", what, strerror(errno));
}

static void must_fail(int result, int error, const char *what)
{
    if (result != -1)
        fail("%s: returns %d, not -1", what, result);
    if (errno != error)
        fail("%s: %s, not %s", what, strerror(errno), strerror(error));
}

static void digest_of(const struct hk_digest *digest, const void *data,
                      size_t size, uint8_t *to)
{
    union hk_digest_ctx ctx;

    digest->init(&ctx);
    digest->update(&ctx, data, size);
    digest->final(&ctx, to);
}

/* The descriptor's file holds, from start on, these bytes and their digest. */
static void must_hold(int fd, off_t start, const struct hk_digest *digest,
                      const uint8_t *data, size_t size)
{
    uint8_t got[LONGEST + 200], want[HK_DIGEST_LONGEST];
    ssize_t have = pread(fd, got, sizeof got, start);
    enum hk_file_verdict verdict;

    if (have != (ssize_t)(size + digest->size))
        fail("the file has %zd bytes, not %zu + %zu", have, size, digest->size);
    same_bytes(got, data, size, "content");
    digest_of(digest, data, size, want);
    same_bytes(got + size, want, digest->size, "trailer of %s", digest->name);
    lseek(fd, start, SEEK_SET);
    verdict = hk_file_verify(fd, digest->name, HK_FILE_ALL);
    if (verdict != HK_FILE_OK)
        fail("verify: %s", hk_file_verdict_text(verdict));
    verdict = hk_file_verify_memory(got, (size_t)have, digest->name, size);
    if (verdict != HK_FILE_OK)
        fail("verify_memory: %s", hk_file_verdict_text(verdict));
}

/* ---- Writing ------------------------------------------------------------- */

static void lengths(const void *unused)
{
    (void)unused;
    random_bytes(content, sizeof content);
    for (size_t i = 0; i < hk_digest_count; i++)
        for (size_t size = 0; size <= LONGEST;
             size += settings.quick ? 13 : 1) {
            int fd = new_file();
            hk_file *file = create(fd, hk_digests[i].name);
            uint8_t digest[HK_DIGEST_LONGEST], want[HK_DIGEST_LONGEST];

            must(hk_file_write(file, content, size), "write");
            if (hk_file_length(file) != size)
                fail("length %llu after %zu bytes",
                     (unsigned long long)hk_file_length(file), size);
            must(hk_file_finalize(file, HK_FILE_TRAILER, digest), "finalize");
            digest_of(&hk_digests[i], content, size, want);
            same_bytes(digest, want, hk_digests[i].size, "digest");
            must_hold(fd, 0, &hk_digests[i], content, size);
            close(fd);
        }
}

static void pieces(const void *unused)
{
    const struct hk_digest *sha1 = hk_digest_named("sha1");

    (void)unused;
    random_bytes(content, sizeof content);
    for (unsigned round = 0; round < repeat(500); round++) {
        int fd = new_file();
        hk_file *file = create(fd, "sha1");
        size_t done = 0;

        while (done < LONGEST) {
            size_t piece = random_below(random_below(2) ? 8 : 3 * BUFFER);

            if (piece > LONGEST - done)
                piece = LONGEST - done;
            must(hk_file_write(file, content + done, piece), "write");
            done += piece;
            if (!random_below(8))
                must(hk_file_flush(file), "flush");
        }
        must(hk_file_finalize(file, HK_FILE_TRAILER | HK_FILE_FSYNC, NULL),
             "finalize");
        must_hold(fd, 0, sha1, content, LONGEST);
        close(fd);
    }
}

/* A long write is not copied, and is not cut into buffers. */
static void straight(const void *unused)
{
    int fd = new_file();
    hk_file *file = create(fd, "sha1");

    (void)unused;
    inject_into(fd, 0, NONE, 0);
    must(hk_file_write(file, content, 4 * BUFFER), "write");
    if (inject.calls != 1 || inject.last != content)
        fail("%u writes, the last from a copy: %d", inject.calls,
             inject.last != content);
    must(hk_file_write(file, content, BUFFER), "write");
    if (inject.calls != 2 || inject.last != content)
        fail("a write as long as the buffer was copied");
    for (unsigned i = 0; i < BUFFER - 1; i++)
        must(hk_file_write(file, content + i, 1), "write");
    if (inject.calls != 2)
        fail("small writes were not buffered");
    must(hk_file_write(file, content, 3 * BUFFER + 7), "write");
    if (inject.calls != 4)
        fail("%u writes, not one buffer and one run", inject.calls);
    inject_nothing();
    must(hk_file_finalize(file, 0, NULL), "finalize");
    close(fd);
}

/* 128 KiB are buffered where nothing else is asked for. */
static void default_buffer(const void *unused)
{
    static const uint8_t piece[1024];
    int fd = new_file();
    hk_file *file = hk_file_create(fd, "sha1", 0);

    (void)unused;
    must(!file, "create");
    inject_into(fd, 0, NONE, 0);
    for (unsigned i = 0; i < 127; i++)
        must(hk_file_write(file, piece, sizeof piece), "write");
    must(hk_file_write(file, piece, sizeof piece - 1), "write");
    if (inject.calls)
        fail("written before 128 KiB");
    must(hk_file_write(file, piece, 2), "write");
    if (inject.calls != 1 || inject.last_size != 128 * sizeof piece)
        fail("%u writes, the last of %zu bytes", inject.calls,
             inject.last_size);
    inject_nothing();
    hk_file_discard(file);
    close(fd);
}

/* Content may start anywhere in a file. */
static void later_start(const void *unused)
{
    int fd = new_file();
    hk_file_checkpoint here;
    hk_file *file;

    (void)unused;
    random_bytes(content, sizeof content);
    must(write(fd, "header", 6) != 6, "write");
    file = create(fd, "sha256");
    must(hk_file_write(file, content, 10), "write");
    must(hk_file_checkpoint_here(file, &here), "checkpoint");
    must(hk_file_write(file, content, BUFFER + 10), "write");
    must(hk_file_truncate(file, &here), "truncate");
    must(hk_file_write(file, content + 10, 90), "write");
    must(hk_file_finalize(file, HK_FILE_TRAILER, NULL), "finalize");
    must_hold(fd, 6, hk_digest_named("sha256"), content, 100);
    close(fd);
}

/* Who appends writes behind what is there, and cuts no further back. */
static void appended(const void *unused)
{
    (void)unused;
    random_bytes(content, sizeof content);
    for (size_t before = 0; before < 100; before += 33) {
        int fd = new_file();
        hk_file_checkpoint here;
        hk_file *file;

        must(write(fd, "header", 6) != 6, "write");
        lseek(fd, 0, SEEK_SET);
        must(fcntl(fd, F_SETFL, O_APPEND), "fcntl");
        file = create(fd, "sha256");
        must(hk_file_write(file, content, before), "write");
        must(hk_file_checkpoint_here(file, &here), "checkpoint");
        must(hk_file_write(file, content, BUFFER + 10), "write");
        must(hk_file_truncate(file, &here), "truncate");
        must(hk_file_write(file, content + before, 100), "write");
        must(hk_file_finalize(file, HK_FILE_TRAILER, NULL), "finalize");
        must_hold(fd, 6, hk_digest_named("sha256"), content, before + 100);
        close(fd);
    }
}

static void unhashed(const void *unused)
{
    int fd = new_file();
    hk_file *file = create(fd, "sha1");
    uint8_t digest[20], bytes[30] = {1};
    static const uint8_t zero[20];

    (void)unused;
    must(hk_file_write(file, content, 10), "write");
    must(hk_file_finalize(file, HK_FILE_TRAILER | HK_FILE_NO_HASH, digest),
         "finalize");
    same_bytes(digest, zero, 20, "digest of a file without one");
    if (pread(fd, bytes, sizeof bytes, 0) != 30)
        fail("the trailer is missing");
    same_bytes(bytes + 10, zero, 20, "trailer of a file without digest");
    lseek(fd, 0, SEEK_SET);
    if (hk_file_verify(fd, "sha1", HK_FILE_ALL) != HK_FILE_NOT_HASHED ||
        hk_file_verify_memory(bytes, 30, "sha1", 10) != HK_FILE_NOT_HASHED)
        fail("an all-zero trailer is not told apart");
    close(fd);
}

static void no_trailer(const void *unused)
{
    int fd = new_file();
    hk_file *file = create(fd, "sha1");

    (void)unused;
    must(hk_file_write(file, content, 10), "write");
    must(hk_file_finalize(file, 0, NULL), "finalize");
    if (lseek(fd, 0, SEEK_END) != 10)
        fail("the file has a trailer that was not asked for");
    close(fd);
}

/* ---- Checkpoints --------------------------------------------------------- */

/* What is cut away leaves no trace, whatever the lengths and the algorithm. */
static void cut_back(const void *unused)
{
    (void)unused;
    random_bytes(content, sizeof content);
    for (size_t i = 0; i < hk_digest_count; i++)
        for (size_t before = 0; before < 2 * BUFFER;
             before += settings.quick ? 29 : 11)
            for (size_t lost = 0; lost < 3 * BUFFER; lost += 31) {
                int fd = new_file();
                hk_file *file = create(fd, hk_digests[i].name);
                hk_file_checkpoint here;

                must(hk_file_write(file, content, before), "write");
                must(hk_file_checkpoint_here(file, &here), "checkpoint");
                must(hk_file_write(file, content + 1, lost), "write");
                must(hk_file_truncate(file, &here), "truncate");
                if (hk_file_length(file) != before)
                    fail("length after the cut");
                must(hk_file_write(file, content + before, 50), "write");
                must(hk_file_truncate(file, &here), "truncate again");
                must(hk_file_write(file, content + before, 99), "write");
                must(hk_file_finalize(file, HK_FILE_TRAILER, NULL), "end");
                must_hold(fd, 0, &hk_digests[i], content, before + 99);
                close(fd);
            }
}

/* A checkpoint is refused by another file, and once it was cut away; refusal
 * does the file no harm. */
static void refused(const void *unused)
{
    int fd = new_file(), other_fd = new_file();
    hk_file *file = create(fd, "sha1"), *other = create(other_fd, "sha1");
    hk_file_checkpoint first, second, third, foreign;

    (void)unused;
    random_bytes(content, sizeof content);
    must(hk_file_checkpoint_here(other, &foreign), "checkpoint");
    must(hk_file_write(file, content, 10), "write");
    must(hk_file_checkpoint_here(file, &first), "checkpoint");
    must(hk_file_write(file, content, 10), "write");
    must(hk_file_checkpoint_here(file, &second), "checkpoint");
    must(hk_file_truncate(file, &first), "truncate");
    must_fail(hk_file_truncate(file, &second), EINVAL, "cut away");
    must(hk_file_write(file, content + 10, 20), "write");
    must_fail(hk_file_truncate(file, &second), EINVAL, "cut away, regrown");
    must_fail(hk_file_truncate(file, &foreign), EINVAL, "of another file");
    must(hk_file_checkpoint_here(file, &third), "checkpoint");
    must(hk_file_write(file, content, BUFFER), "write");
    must(hk_file_truncate(file, &third), "truncate");
    must(hk_file_finalize(file, HK_FILE_TRAILER, NULL), "finalize");
    must_hold(fd, 0, hk_digest_named("sha1"), content, 30);
    hk_file_discard(other);
    hk_file_discard(NULL);
    close(fd);
    close(other_fd);
}

static void many_checkpoints(const void *unused)
{
    static hk_file_checkpoint here[300];
    int fd = new_file();
    hk_file *file = create(fd, "sha1dc");

    (void)unused;
    random_bytes(content, sizeof content);
    for (unsigned i = 0; i < COUNT(here); i++) {
        must(hk_file_checkpoint_here(file, &here[i]), "checkpoint");
        must(hk_file_write(file, content + i, 1), "write");
    }
    for (unsigned i = COUNT(here); i-- > 200;)
        must(hk_file_truncate(file, &here[i]), "truncate");
    must_fail(hk_file_truncate(file, &here[250]), EINVAL, "cut away");
    must(hk_file_finalize(file, HK_FILE_TRAILER, NULL), "finalize");
    must_hold(fd, 0, hk_digest_named("sha1dc"), content, 200);
    close(fd);
}

/* ---- Errors -------------------------------------------------------------- */

/* Writes, cuts back, writes and ends; the result of the first step to fail. */
static int make_file(int fd)
{
    hk_file *file = create(fd, "sha1");
    hk_file_checkpoint here;

    if (hk_file_write(file, content, BUFFER / 2) ||
        hk_file_write(file, content + BUFFER / 2, 2 * BUFFER) ||
        hk_file_checkpoint_here(file, &here) ||
        hk_file_write(file, content, BUFFER) || hk_file_truncate(file, &here) ||
        hk_file_write(file, content + 2 * BUFFER + BUFFER / 2, BUFFER)) {
        int error = errno;

        must_fail(hk_file_write(file, content, 1), error, "write, later");
        must_fail(hk_file_flush(file), error, "flush, later");
        must_fail(hk_file_checkpoint_here(file, &here), error, "checkpoint");
        must_fail(hk_file_finalize(file, HK_FILE_TRAILER, NULL), error, "end");
        return -1;
    }
    return hk_file_finalize(file, HK_FILE_TRAILER | HK_FILE_FSYNC, NULL);
}

static void every_call_fails(const void *unused)
{
    static const int errors[] = {ENOSPC, EIO, EDQUOT, EFBIG};
    unsigned calls;
    int fd = new_file();

    (void)unused;
    random_bytes(content, sizeof content);
    inject_into(fd, 0, NONE, 0);
    must(make_file(fd), "without fault");
    calls = inject.calls;
    must_hold(fd, 0, hk_digest_named("sha1"), content, 3 * BUFFER + BUFFER / 2);
    close(fd);
    if (calls < 6)
        fail("only %u system calls", calls);
    for (unsigned at = 1; at <= calls; at++) {
        for (size_t i = 0; i < COUNT(errors); i++) {
            fd = new_file();
            inject_into(fd, at, FAILS, errors[i]);
            must_fail(make_file(fd), errors[i], "call fails");
            if (inject.calls != at)
                fail("%u more calls after an error", inject.calls - at);
            close(fd);
        }
        for (enum fault fault = SHORT; fault <= INTERRUPTED; fault++) {
            if (fault == NOTHING)
                continue;
            fd = new_file();
            inject_into(fd, at, fault, 0);
            must(make_file(fd), "short or interrupted call");
            inject_nothing();
            must_hold(fd, 0, hk_digest_named("sha1"), content,
                      3 * BUFFER + BUFFER / 2);
            close(fd);
        }
    }
    inject_nothing();
}

/* A write that falls short before the disk is full: no digest comes back, and
 * the file's own digest is never written. */
static void short_then_full(const void *unused)
{
    unsigned calls;
    int fd = new_file();

    (void)unused;
    random_bytes(content, sizeof content);
    inject_into(fd, 0, NONE, 0);
    must(make_file(fd), "without fault");
    calls = inject.calls;
    close(fd);
    for (unsigned at = 1; at < calls; at++) {
        uint8_t whole[LONGEST];
        ssize_t size;

        fd = new_file();
        inject_into(fd, at, SHORT_THEN_FAILS, ENOSPC);
        must_fail(make_file(fd), ENOSPC, "full after a short write");
        inject_nothing();
        size = pread(fd, whole, sizeof whole, 0);
        if (size > 0 && hk_file_verify_memory(whole, (size_t)size, "sha1",
                                              HK_FILE_ALL) == HK_FILE_OK)
            fail("half a file passes for a whole one");
        close(fd);
    }
}

/* Finalize that fails at any of its steps leaves the caller's digest alone. */
static void no_digest_on_error(const void *unused)
{
    (void)unused;
    for (unsigned at = 1; at <= 3; at++) { /* content, trailer, fsync */
        uint8_t digest[20], before[20];
        int fd = new_file();
        hk_file *file = create(fd, "sha1");

        random_bytes(digest, sizeof digest);
        memcpy(before, digest, sizeof digest);
        must(hk_file_write(file, content, 10), "write");
        inject_into(fd, at, FAILS, EIO);
        must_fail(
            hk_file_finalize(file, HK_FILE_TRAILER | HK_FILE_FSYNC, digest),
            EIO, "finalize");
        inject_nothing();
        same_bytes(digest, before, sizeof digest, "digest, untouched");
        close(fd);
    }
}

/* The system's own limit cuts a write in the middle. */
static void file_size_limit(const void *unused)
{
    struct rlimit old, low;
    int fd = new_file(), result, error;
    hk_file *file = create(fd, "sha1");

    (void)unused;
    if (getrlimit(RLIMIT_FSIZE, &old))
        fail("getrlimit: %s", strerror(errno));
    low = old;
    low.rlim_cur = BUFFER + 10;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &low))
        fail("setrlimit: %s", strerror(errno));
    result = hk_file_write(file, content, 3 * BUFFER);
    error = errno;
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    errno = error;
    must_fail(result, EFBIG, "beyond the limit");
    if (lseek(fd, 0, SEEK_END) != BUFFER + 10)
        fail("the limit was not reached");
    must_fail(hk_file_finalize(file, HK_FILE_TRAILER, NULL), EFBIG, "end");
    close(fd);
}

/* Somebody closes the descriptor under the file. */
static void closed_under_it(const void *unused)
{
    int fd = new_file();
    hk_file *file = create(fd, "sha1");

    (void)unused;
    must(hk_file_write(file, content, 10), "write");
    close(fd);
    must_fail(hk_file_flush(file), EBADF, "flush");
    must_fail(hk_file_write(file, content, 1), EBADF, "write");
    must_fail(hk_file_finalize(file, HK_FILE_TRAILER, NULL), EBADF, "end");
}

/* Every way to let go of a file that is not finished; the leak checker of a
 * sanitized run watches. */
static void discarded(const void *unused)
{
    int fd = new_file();

    (void)unused;
    for (unsigned what = 0; what < 16; what++) {
        hk_file *file = create(fd, what & 1 ? "sha1dc" : "sha512");
        hk_file_checkpoint here;

        if (what & 2)
            must(hk_file_checkpoint_here(file, &here), "checkpoint");
        if (what & 4)
            must(hk_file_write(file, content, BUFFER + 3), "write");
        if (what & 2 && what & 8)
            must(hk_file_truncate(file, &here), "truncate");
        if (what & 8) {
            inject_into(fd, 1, FAILS, ENOSPC);
            (void)hk_file_write(file, content, BUFFER);
            inject_nothing();
        }
        hk_file_discard(file);
    }
    close(fd);
}

/* A write of nothing must not go on for ever. */
static void nothing_written(const void *unused)
{
    int fd = new_file();
    hk_file *file = create(fd, "sha1");

    (void)unused;
    inject_into(fd, 1, NOTHING, 0);
    must_fail(hk_file_write(file, content, BUFFER), EIO, "write of nothing");
    inject_nothing();
    hk_file_discard(file);
    close(fd);
}

static void real_errors(const void *unused)
{
    int fd = open("/dev/full", O_WRONLY), ends[2];
    hk_file_checkpoint here;
    hk_file *file;

    (void)unused;
    if (fd >= 0) {
        file = create(fd, "sha1");
        must(hk_file_write(file, content, 10), "buffered write");
        must_fail(hk_file_flush(file), ENOSPC, "full disk");
        must_fail(hk_file_finalize(file, HK_FILE_TRAILER, NULL), ENOSPC, "end");
        close(fd);
    }
    if (pipe(ends))
        fail("pipe: %s", strerror(errno));
    file = create(ends[1], "sha1");
    must(hk_file_checkpoint_here(file, &here), "checkpoint of a pipe");
    must_fail(hk_file_truncate(file, &here), ESPIPE, "truncate of a pipe");
    must(hk_file_write(file, content, 10), "write");
    must(hk_file_flush(file), "a refused cut is not final");
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    must_fail(hk_file_write(file, content, BUFFER), EPIPE, "closed pipe");
    signal(SIGPIPE, SIG_DFL);
    hk_file_discard(file);
    close(ends[1]);
    if (hk_file_create(ends[1], "sha1", 0) || errno != EBADF)
        fail("a closed descriptor was taken");
    fd = new_file();
    if (hk_file_create(fd, "md5", 0) || errno != EINVAL)
        fail("an unknown algorithm was taken");
    if (hk_file_create(fd, "sha1", SIZE_MAX) || errno != ENOMEM)
        fail("an impossible buffer was taken");
    if (hk_file_verify(fd, "md5", HK_FILE_ALL) != HK_FILE_ERROR ||
        hk_file_verify_memory("", 0, "md5", 0) != HK_FILE_ERROR)
        fail("an unknown algorithm was verified");
    close(fd);
    if (hk_file_verify(fd, "sha1", HK_FILE_ALL) != HK_FILE_ERROR ||
        errno != EBADF)
        fail("a closed descriptor was verified");
    fd = open("/", O_RDONLY);
    if (hk_file_verify(fd, "sha1", HK_FILE_ALL) != HK_FILE_ERROR)
        fail("a folder was verified");
    close(fd);
}

/* ---- Verifying ----------------------------------------------------------- */

/* As after a power cut: no beginning of a file passes for the whole. */
static void cut_short(const void *unused)
{
    uint8_t whole[100 + 20];
    struct {
        uint64_t length;
        enum hk_file_verdict verdict;
    } asked[2] = {{100, HK_FILE_TOO_SHORT}, {HK_FILE_ALL, HK_FILE_MISMATCH}};

    (void)unused;
    random_bytes(whole, sizeof whole);
    digest_of(hk_digest_named("sha1"), whole, 100, whole + 100);
    for (size_t size = 0; size <= sizeof whole; size++) {
        int fd = new_file();

        must(write(fd, whole, size) != (ssize_t)size, "write");
        for (size_t i = 0; i < COUNT(asked); i++) {
            enum hk_file_verdict want = size == sizeof whole ? HK_FILE_OK
                                        : size < 20          ? HK_FILE_TOO_SHORT
                                                             : asked[i].verdict;
            enum hk_file_verdict got =
                hk_file_verify_memory(whole, size, "sha1", asked[i].length);

            if (got != want)
                fail("%zu bytes in memory: %s", size,
                     hk_file_verdict_text(got));
            lseek(fd, 0, SEEK_SET);
            got = hk_file_verify(fd, "sha1", asked[i].length);
            if (got != want)
                fail("%zu bytes in a file: %s", size,
                     hk_file_verdict_text(got));
        }
        close(fd);
    }
}

static void garbage_after(const void *unused)
{
    uint8_t whole[100 + 20 + 5];

    (void)unused;
    random_bytes(whole, sizeof whole);
    digest_of(hk_digest_named("sha1"), whole, 100, whole + 100);
    for (size_t more = 1; more <= 5; more++) {
        int fd = new_file();

        must(write(fd, whole, 120 + more) != (ssize_t)(120 + more), "write");
        lseek(fd, 0, SEEK_SET);
        if (hk_file_verify(fd, "sha1", 100) != HK_FILE_TOO_LONG ||
            hk_file_verify_memory(whole, 120 + more, "sha1", 100) !=
                HK_FILE_TOO_LONG)
            fail("%zu bytes after the trailer were not noticed", more);
        close(fd);
    }
}

static void every_bit(const void *unused)
{
    uint8_t whole[40 + 20];

    (void)unused;
    random_bytes(whole, sizeof whole);
    digest_of(hk_digest_named("sha1"), whole, 40, whole + 40);
    for (unsigned bit = 0; bit < 8 * sizeof whole; bit++) {
        whole[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (hk_file_verify_memory(whole, sizeof whole, "sha1", HK_FILE_ALL) !=
            HK_FILE_MISMATCH)
            fail("bit %u does not matter", bit);
        whole[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

/* Longer than the buffer that verify reads into, through a pipe-like trickle of
 * pieces in a file, by every algorithm. */
static void long_file(const void *unused)
{
    size_t size = HK_FILE_BUFFER * 2 + 77;
    uint8_t *data = at_end(size);

    (void)unused;
    random_bytes(data, size);
    for (size_t i = 0; i < hk_digest_count; i++)
        for (size_t cut = 0; cut < 2; cut++) {
            int fd = new_file();
            hk_file *file = hk_file_create(fd, hk_digests[i].name, 0);
            enum hk_file_verdict verdict;

            must(!file, "create");
            must(hk_file_write(file, data, size - 77 * cut), "write");
            must(hk_file_finalize(file, HK_FILE_TRAILER, NULL), "finalize");
            lseek(fd, 0, SEEK_SET);
            verdict = hk_file_verify(fd, hk_digests[i].name, size - 77 * cut);
            if (verdict != HK_FILE_OK)
                fail("%s: %s", hk_digests[i].name,
                     hk_file_verdict_text(verdict));
            for (size_t less = 1; less < size - 77; less *= 3) {
                lseek(fd, 0, SEEK_SET);
                verdict = hk_file_verify(fd, hk_digests[i].name,
                                         size - 77 * cut - less);
                if (verdict != HK_FILE_TOO_LONG)
                    fail("%s, %zu bytes more than expected: %s",
                         hk_digests[i].name, less,
                         hk_file_verdict_text(verdict));
            }
            close(fd);
        }
}

static void attack(const void *unused)
{
    uint8_t bytes[320 + 20], digest[20];
    char path[300];
    int fd, in;
    hk_file *file;

    (void)unused;
    snprintf(path, sizeof path, "%s/test/sha1dc/shattered-1.320.bin",
             settings.tree);
    in = open(path, O_RDONLY);
    if (in < 0 || read(in, bytes, 320) != 320)
        fail("cannot read %s", path);
    close(in);
    fd = new_file();
    file = create(fd, "sha1dc");
    must(hk_file_write(file, bytes, 320), "write");
    must_fail(hk_file_finalize(file, HK_FILE_TRAILER, NULL), EBADMSG, "attack");
    if (lseek(fd, 0, SEEK_END) != 320)
        fail("a trailer was written");
    close(fd);
    hk_sha1(bytes, 320, digest);
    memcpy(bytes + 320, digest, 20);
    if (hk_file_verify_memory(bytes, 340, "sha1dc", 320) != HK_FILE_ATTACK)
        fail("the attack was not reported");
    if (hk_file_verify_memory(bytes, 340, "sha1", 320) != HK_FILE_OK)
        fail("plain SHA-1 knows no attacks");
}

/* size bytes of zero, without the memory for it: one short file, mapped again
 * and again. Stays until the program ends. */
static const uint8_t *all_zero(size_t size)
{
    size_t piece = (size_t)1 << 26;
    int fd = new_file();
    uint8_t *start = mmap(NULL, size, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (start == MAP_FAILED || ftruncate(fd, (off_t)piece))
        fail("cannot map %zu bytes: %s", size, strerror(errno));
    for (size_t at = 0; at < size; at += piece)
        if (mmap(start + at, size - at < piece ? size - at : piece, PROT_READ,
                 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
            fail("cannot map a file: %s", strerror(errno));
    close(fd);
    return start;
}

/* Counts beyond 4 GiB, in one write where size_t allows. */
static void beyond_4_gib(const void *unused)
{
    uint64_t total = ((uint64_t)1 << 32) + 5;
    int fd = open("/dev/null", O_WRONLY);
    size_t piece = sizeof(size_t) > 4 ? (size_t)total : (size_t)1 << 26;
    const uint8_t *zeros;
    hk_file *file;
    uint8_t digest[20];
    hk_sha1_ctx ctx;
    uint8_t want[20];

    (void)unused;
    if (settings.quick)
        skip("hashes 8 GiB");
    zeros = all_zero(piece);
    file = create(fd, "sha1");
    hk_sha1_init(&ctx);
    for (uint64_t done = 0; done < total;) {
        size_t now = total - done < piece ? (size_t)(total - done) : piece;

        must(hk_file_write(file, zeros, now), "write");
        done += now;
    }
    for (uint64_t done = 0; done < total;) {
        size_t now = total - done < 1 << 26 ? (size_t)(total - done) : 1 << 26;

        hk_sha1_update(&ctx, zeros, now);
        done += now;
    }
    if (hk_file_length(file) != total)
        fail("the length is wrong beyond 4 GiB");
    must(hk_file_finalize(file, 0, digest), "finalize");
    hk_sha1_final(&ctx, want);
    same_bytes(digest, want, 20, "digest beyond 4 GiB");
    close(fd);
}

void suite_file(void)
{
    offer("file/lengths", lengths, NULL);
    offer("file/pieces", pieces, NULL);
    offer("file/straight", straight, NULL);
    offer("file/default-buffer", default_buffer, NULL);
    offer("file/later-start", later_start, NULL);
    offer("file/appended", appended, NULL);
    offer("file/unhashed", unhashed, NULL);
    offer("file/no-trailer", no_trailer, NULL);
    offer("file/cut-back", cut_back, NULL);
    offer("file/refused", refused, NULL);
    offer("file/many-checkpoints", many_checkpoints, NULL);
    offer("file/every-call-fails", every_call_fails, NULL);
    offer("file/short-then-full", short_then_full, NULL);
    offer("file/no-digest-on-error", no_digest_on_error, NULL);
    offer("file/file-size-limit", file_size_limit, NULL);
    offer("file/closed-under-it", closed_under_it, NULL);
    offer("file/discarded", discarded, NULL);
    offer("file/nothing-written", nothing_written, NULL);
    offer("file/real-errors", real_errors, NULL);
    offer("file/cut-short", cut_short, NULL);
    offer("file/garbage-after", garbage_after, NULL);
    offer("file/every-bit", every_bit, NULL);
    offer("file/long-file", long_file, NULL);
    offer("file/attack", attack, NULL);
    offer("file/beyond-4-gib", beyond_4_gib, NULL);
}
