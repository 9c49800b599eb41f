/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * check.h - the harness that every test of the check program stands on
 *
 * A test is a function that returns if all is well and calls fail() if not;
 * the first failure ends it. A fault inside a test (SIGSEGV, SIGILL, SIGBUS,
 * a test that does not end) is a failure of that test and the run goes on.
 *
 * TO ADD A FAMILY of kernels (all algorithms with one prototype):
 *
 *   1. write test/check/family_<x>.c: tests `void f(const struct hk_kernel *)`
 *      that reach the kernel only through call() (calling convention, stack
 *      and registers are then checked at each call), and at the end
 *          const struct family family_<x> = {"<x>", algorithms, tests};
 *   2. declare it below and add it to the list in test/check/families.c.
 *
 * Every row of kernels.def whose algorithm is in that list then runs every one
 * of those tests, natively and on its weakest CPU. An algorithm in no family
 * fails the run.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hashkern.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- families and suites (families.c) ------------------------------------ */

typedef void row_test_function(const struct hk_kernel *row);

struct row_test {
    const char *name; /* NULL ends the list */
    row_test_function *run;
    unsigned when;
};

/* Bits of when: every row and run, less those that cannot or need not. */
enum {
    ANY_ROW = 0,
    ASM_ROW = 1,      /* what C does not promise */
    NOT_VALGRIND = 2, /* needs the trampoline: registers, stack, single steps */
    ONLY_VALGRIND = 4, /* needs valgrind */
    STRICT_ROW = 8,    /* ARM kernels that load bytes only */
    RECORD_ROW = 16    /* kernels with lanes that write records */
};

struct family {
    const char *name;
    const char *const *algorithms; /* ends with NULL */
    const struct row_test *tests;
};

extern const struct family family_block;
extern const struct family family_lanes;
extern const struct family family_sha1dc;
extern const struct family family_siphash;
extern const struct family family_sipabsorb;

/* The family of an algorithm, NULL if there is none. */
const struct family *family_of(const char *algorithm);

/* The function of the row "ref" of an algorithm, with or without an x. */
hk_function *reference_of(const char *algorithm);

/* The instruction that an indirect call must land on; for every family. */
extern const struct row_test landing_pad_test;

/* A suite offers its tests one by one; the list ends with NULL. */
typedef void suite_function(void);
extern suite_function *const suites[];
/* These also run for --cpu. */
extern suite_function *const row_suites[];

suite_function suite_tester;
suite_function suite_rows;
suite_function suite_cpu;
suite_function suite_dispatch;
suite_function suite_messages;
suite_function suite_midstate;
suite_function suite_many;
suite_function suite_file;
suite_function suite_siphash;
suite_function suite_sha1dc;
suite_function suite_detectcoll;

/* Offers a test: it is run, listed or passed over as the command line asks. */
void offer(const char *name, void (*run)(const void *subject),
           const void *subject);

/* ---- outcome (outcome.c) ------------------------------------------------- */

/* Ends the running test as failed, or as one that cannot run here. */
_Noreturn void fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
_Noreturn void skip(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Fails with the message unless the bytes are equal; names the first that is
 * not. */
void same_bytes(const void *got, const void *want, size_t size,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

enum outcome { OK, NOT_OK, SKIPPED };

/* Runs a test and catches what it does; the reason is its fail() or skip()
 * text, valid until the next call. A test may attempt another one. */
enum outcome attempt(void (*run)(const void *subject), const void *subject,
                     const char **reason);

/* ---- settings (check.c) -------------------------------------------------- */

struct settings {
    uint64_t seed;
    bool quick;       /* under an emulator or sanitizer: fewer repetitions */
    const char *cpu;  /* only rows whose weakest CPU model this is */
    const char *tree; /* where the source tree is, for vectors and banners */
};
extern struct settings settings;

/* full repetitions, or a tenth of them in a quick run */
unsigned repeat(unsigned full);

/* Asks for a digest before anything else is called (suite_dispatch.c). */
void dispatch_first_call(const void *subject);

/* ---- memory between guard pages (guard.c) -------------------------------- */

/* A block of size bytes that ends (at_end) or starts (at_start) directly at an
 * unreadable page. It stays until the test ends. */
void *at_end(size_t size);
void *at_start(size_t size);
/* The same, but unreadable as a whole. */
void *no_access(void);
/* Skips the test of an AVX2 row that ends data at an unreadable page, if this is
 * an emulator that reads 32 bytes for the 16 that VINSERTI128 takes (QEMU up to
 * 10.0 at least); processors are not so. */
void skip_if_emulator_overreads(const struct hk_kernel *row);
/* Releases all of them (the runner does, after each test). */
void guard_release(void);
/* Describes an address in or around them: "1 byte past ..."; NULL if none. */
const char *guard_explain(uintptr_t address);

/* ---- random data (random.c) ---------------------------------------------- */

/* Reproducible from the seed and the name of the test. */
void random_start(uint64_t seed, const char *name);
uint64_t random_word(void);
unsigned random_below(unsigned limit);
void random_bytes(void *to, size_t size);

/* ---- the hostile call (call.c) ------------------------------------------- */

/* How the next calls are made; the runner resets it before each test. */
struct call_options {
    bool clean_upper;  /* x86: enter with clean upper halves, and demand
                               that they are clean at return */
    unsigned misalign; /* i386: entry stack pointer lower by this: 0..12 */
};
extern struct call_options call_options;

/* Calls the function with these arguments through the trampoline, with garbage
 * in every register that carries none, and fails if it breaks the calling
 * convention. Returns the function's result. */
uint64_t call(hk_function *function, size_t count, const uintptr_t *argument);

/* Bytes below the entry stack pointer that the last call wrote to. */
size_t call_stack_used(void);

/* Whether the last call left these bytes below the entry stack pointer. Skips the
 * test under valgrind, which calls directly. */
int call_stack_holds(const void *bytes, size_t size);

#endif
