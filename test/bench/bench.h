/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * bench.h - timing: what competes, how it is called, what bounds it
 *
 *   machine.c   the clock, and what one core can do per cycle
 *   family.c    one adapter for each algorithm of kernels.def, and its bounds
 *   compilers.c the C rows by each compiler at -O3
 *   peers.c     other libraries, opened when present
 *   worker.c    competitors in another process, one sample at a time
 *   report.c    text, JSON and CSV
 *   bench.c     rounds and statistics
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "hashkern.h"

/* ---- Competitors --------------------------------------------------------- */

enum level {
    BLOCKS,  /* a kernel alone: whole blocks, no padding */
    MESSAGES /* a digest of each message, padding included */
};

struct entry;

/* Hashes the size bytes at data, reps times. The result (a state for BLOCKS, a
 * digest for MESSAGES) goes to out, so that it can be compared. */
typedef void run_function(const struct entry *entry, const uint8_t *data,
                          size_t size, unsigned reps, uint8_t *out);

#define OUT_BYTES 64 /* of the largest result */

/* Hashes what is left of an open file, read through the buffer. */
typedef void file_function(const struct entry *entry, int fd, uint8_t *out);

#define FILE_BUFFER 131072
extern uint8_t file_buffer[FILE_BUFFER];
size_t read_file(int fd); /* fills file_buffer; 0 at the end */

struct entry {
    const char *algorithm;
    const char *name;   /* of a row: "sha1_shani"; of a peer: "OpenSSL" */
    const char *source; /* "asm", "C", "API" or the peer's library */
    const char *tier;   /* "" or what the peer was told to stop at */
    enum level level;
    unsigned messages; /* at once, all of the same size */
    int lanes;         /* their chains do not bound it */
    run_function *run;
    file_function *file;   /* NULL: not for BLOCKS */
    hk_function *function; /* the kernel */
    unsigned needs;        /* the kernel's */
    const void *peer;      /* private to peers.c */
    struct worker *worker; /* NULL: runs in this process */
};

struct entries {
    struct entry *list;
    size_t count, room;
};

void add_entry(struct entries *entries, const struct entry *entry);

/* ---- family.c ------------------------------------------------------------ */

#define SIZES_MAX 10

struct family {
    const char *algorithm;
    unsigned block;   /* bytes */
    unsigned padding; /* bytes that a message gets at least: 0x80 and length */
    unsigned finish;  /* cycles that a message takes at least after the last */
    const size_t *sizes;         /* of make bench, 0 at the end */
    const size_t *compare_sizes; /* of make compare */
    run_function *blocks, *message, *call, *lanes, *many;
    file_function *file;
};

const struct family *find_family(const char *algorithm);

/* Adds each row of kernels.def that this CPU can run, at both levels, and the
 * API's own one-shot call. Returns how many rows have no adapter here. */
size_t add_rows(struct entries *entries, const char *algorithm);

/* Adds a kernel at each level it has; level, run and file are filled in. */
void add_row(struct entries *entries, const struct family *family,
             const struct entry *row);

/* The bound on one block in cycles for code with these needs, from the rates
 * measured in this run, and what sets it; 0 if none is documented. */
double bound_cycles(const char *algorithm, unsigned needs, int lanes,
                    const char **why);

/* ---- compilers.c --------------------------------------------------------- */

void add_compilers(struct entries *entries, const char *algorithm);

/* ---- machine.c ----------------------------------------------------------- */

enum rate {
    CLOCK,        /* dependent multiplications (x86) or additions (ARM) */
    ALU,          /* independent integer operations */
    ROTATE,       /* independent rotates */
    VECTOR,       /* independent vector additions */
    SLOTS,        /* anything: no-operations */
    SHA1_4,       /* dependent sha1rnds4: four rounds of SHA-1 */
    SHA256_2,     /* dependent sha256rnds2: two rounds of SHA-256 */
    SHA1_LANES,   /* independent sha1rnds4 */
    SHA256_LANES, /* independent sha256rnds2 */
    ZMM,          /* independent additions of 512 bits */
    RATES
};

struct rate_info {
    const char *name, *unit;
    unsigned needs;
    unsigned operations; /* in one call of run */
    double scale;        /* 0: report operations per cycle, else cycles */
    void (*run)(void);
};

extern const struct rate_info rates[RATES];
double now_ns(void);

/* Why times mean nothing here, or NULL on real hardware. */
const char *emulated(void);
const char *cpu_name(void);

/* Cycles for one operation, the least of this run; 0: not measured. */
extern double rate_cycles[RATES];

/* Runs the clock, and gives nanoseconds for one cycle now; 0 if this core is
 * too disturbed to tell, so that nothing should be measured now. */
double read_clock(void);

/* ---- peers.c ------------------------------------------------------------- */

/* Adds what the libraries of this machine offer; with tiers also each of them
 * held back to older instruction sets, in processes of their own. */
void add_peers(struct entries *entries, const char *algorithm, int tiers);

/* ---- worker.c ------------------------------------------------------------ */

/* One sample: best warm, then reps runs of size bytes, in nanoseconds. */
double sample(const struct entry *entry, const uint8_t *data, size_t size,
              unsigned reps, uint8_t *out);

/* Starts a program as a worker, this one if path is NULL, with name=value in its
 * environment. */
struct worker *start_worker(const char *path, const char *const environment[]);

/* Answers requests on standard input until it ends. */
int be_worker(void);

/* The message that all of them hash, the same in every process. */
#define DATA_BYTES 1048576
const uint8_t *bench_data(void);

/* ---- Results ------------------------------------------------------------- */

/* Samples of one competitor at one size, of one rate, or of a whole file. */
struct cell {
    size_t size;  /* bytes of the message; 0: not measured */
    double bytes; /* of all messages that are hashed at once */
    unsigned reps;
    unsigned count, room;
    double *ns, *cycles;             /* of each sample, for one message */
    double best_ns, median_ns, best; /* best: cycles */
    double repeat; /* best of the worse half of the rounds over best, - 1 */
};

struct run {
    struct entries entries;
    int compare;
    struct cell (*cells)[SIZES_MAX]; /* of each entry */
    struct cell *files;              /* of each entry, if there is a file */
    struct cell rates[RATES];
    const char *file;
    size_t file_bytes;
    unsigned rounds;
    double seconds, ghz;
};

/* The sizes of an algorithm in this run, and how many. */
const size_t *run_sizes(const struct run *run, const char *algorithm);
unsigned run_size_count(const struct run *run, const char *algorithm);

/* Cycles per byte of a cell; the bound on it, 0 if there is none. */
double cycles_per_byte(const struct cell *cell);
double megabytes_per_second(const struct cell *cell);
double bound_per_byte(const struct entry *entry, size_t size);
const char *bound_why(const struct entry *entry);

void report_table(const struct run *run);   /* make bench */
void report_compare(const struct run *run); /* make compare */
void report_diff(const struct run *run);    /* make bench-diff */
void report_json(const struct run *run);
void report_csv(const struct run *run);

#endif
