/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * bench.c - rounds and statistics
 *
 * In every round each competitor hashes each size once, long enough for the
 * clock, and the rates of the machine are measured among them. A disturbance
 * can only add time, so the least time over all rounds is the result; whatever
 * slows the machine for a while slows all of them.
 *
 * How far to trust it: the rounds are split in two halves, and the worse half's
 * best is compared with the better's. That is about how much a second run of
 * this program would differ.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#define SAMPLE_NS  20000.0 /* the shortest sample */
#define ROUNDS_MIN 8
#define FILE_NS    20e9 /* for all rounds over the file, after the second */

static void *grow(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);

    if (!p) {
        perror("bench");
        exit(1);
    }
    return p;
}

void add_entry(struct entries *entries, const struct entry *entry)
{
    if (entries->count == entries->room) {
        entries->room = 2 * entries->room + 16;
        entries->list =
            grow(entries->list, entries->room * sizeof *entries->list);
    }
    entries->list[entries->count++] = *entry;
}

/* ---- Statistics ---------------------------------------------------------- */

static double cycle_ns; /* now: read_clock's last answer */

static void add_sample(struct cell *cell, double ns)
{
    if (cycle_ns == 0)
        return;
    if (cell->count == cell->room) {
        cell->room = 2 * cell->room + 64;
        cell->ns = grow(cell->ns, cell->room * sizeof *cell->ns);
        cell->cycles = grow(cell->cycles, cell->room * sizeof *cell->cycles);
    }
    cell->ns[cell->count] = ns / cell->reps;
    cell->cycles[cell->count++] = ns / cell->reps / cycle_ns;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double least(const double *values, unsigned count)
{
    double best = values[0];

    for (unsigned i = 1; i < count; i++)
        if (values[i] < best)
            best = values[i];
    return best;
}

static void finish_cell(struct cell *cell)
{
    unsigned half = cell->count / 2;
    double first, second;

    if (!cell->count)
        return;
    first = least(cell->cycles, half ? half : 1);
    second = least(cell->cycles + half, cell->count - half);
    cell->best = first < second ? first : second;
    cell->repeat = (first < second ? second : first) / cell->best - 1;
    qsort(cell->ns, cell->count, sizeof *cell->ns, by_value);
    cell->best_ns = cell->ns[0];
    cell->median_ns = cell->ns[cell->count / 2];
}

const size_t *run_sizes(const struct run *run, const char *algorithm)
{
    const struct family *family = find_family(algorithm);

    return run->compare ? family->compare_sizes : family->sizes;
}

unsigned run_size_count(const struct run *run, const char *algorithm)
{
    unsigned count = 0;

    while (run_sizes(run, algorithm)[count])
        count++;
    return count;
}

double cycles_per_byte(const struct cell *cell)
{
    return cell->size ? cell->best / cell->bytes : 0;
}

double megabytes_per_second(const struct cell *cell)
{
    return cell->count ? cell->bytes / cell->best_ns * 1e3 : 0;
}

double bound_per_byte(const struct entry *entry, size_t size)
{
    const struct family *family = find_family(entry->algorithm);
    size_t bytes = size;
    double bound;

    if (entry->worker || entry->peer)
        return 0;
    bound = bound_cycles(entry->algorithm, entry->needs, entry->lanes, NULL);
    if (entry->level == MESSAGES)
        bytes += family->padding;
    bound *= (double)((bytes + family->block - 1) / family->block);
    if (bound > 0 && entry->level == MESSAGES)
        bound += family->finish;
    return bound / (double)size;
}

const char *bound_why(const struct entry *entry)
{
    const char *why = "";

    if (!entry->worker && !entry->peer)
        bound_cycles(entry->algorithm, entry->needs, entry->lanes, &why);
    return why;
}

/* ---- Rounds -------------------------------------------------------------- */

/* No time of a wrong answer: every competitor must agree with the reference,
 * at its level, on every size that will be measured. */
static void check_answers(struct run *run)
{
    const uint8_t *data = bench_data();

    for (size_t i = 0; i < run->entries.count; i++) {
        const struct entry *entry = &run->entries.list[i], *reference = NULL;

        for (size_t k = 0; k < run->entries.count; k++) {
            const struct entry *other = &run->entries.list[k];
            const char *variant = strrchr(other->name, '_');

            if (!strcmp(other->algorithm, entry->algorithm) &&
                other->level == entry->level && variant &&
                !strcmp(variant, "_ref"))
                reference = other;
        }
        for (unsigned s = 0; s < SIZES_MAX; s++) {
            uint8_t expected[OUT_BYTES] = {0}, got[OUT_BYTES] = {0};
            size_t size = run->cells[i][s].size;

            if (!size)
                continue;
            sample(entry, data, size, 1, got);
            if (!reference) {
                fprintf(stderr, "bench: %s has no reference kernel\n",
                        entry->algorithm);
                exit(1);
            }
            sample(reference, data, size, 1, expected);
            if (memcmp(expected, got, OUT_BYTES)) {
                fprintf(stderr, "bench: %s of %zu bytes by %s%s is wrong\n",
                        entry->algorithm, size, entry->name, entry->tier);
                exit(1);
            }
        }
    }
}

/* How many repetitions make a sample long enough. */
static void choose_reps(struct run *run)
{
    const uint8_t *data = bench_data();
    uint8_t out[OUT_BYTES];

    for (size_t i = 0; i < run->entries.count; i++)
        for (unsigned s = 0; s < SIZES_MAX; s++) {
            struct cell *cell = &run->cells[i][s];
            double ns = 1;

            if (!cell->size)
                continue;
            for (cell->reps = 1; cell->reps < 1u << 20; cell->reps *= 4) {
                ns = sample(&run->entries.list[i], data, cell->size, cell->reps,
                            out);
                if (ns > SAMPLE_NS / 8)
                    break;
            }
            cell->reps = (unsigned)(cell->reps * SAMPLE_NS / ns) + 1;
        }
}

static void measure_rates(struct run *run)
{
    for (int r = 0; r < RATES; r++) {
        struct cell *cell = &run->rates[r];
        double start;

        cycle_ns = read_clock();
        if (!rates[r].run || (rates[r].needs & ~hk_cpu_features()))
            continue;
        cell->size = 1;
        cell->reps = rates[r].operations;
        start = now_ns();
        rates[r].run();
        add_sample(cell, now_ns() - start);
    }
}

static void measure_round(struct run *run)
{
    const uint8_t *data = bench_data();
    uint8_t out[OUT_BYTES];

    for (size_t i = 0; i < run->entries.count; i++) {
        if (i % 8 == 0)
            measure_rates(run);
        cycle_ns = read_clock();
        for (unsigned s = 0; s < SIZES_MAX; s++) {
            struct cell *cell = &run->cells[i][s];

            if (cell->size)
                add_sample(cell, sample(&run->entries.list[i], data, cell->size,
                                        cell->reps, out));
        }
    }
}

uint8_t file_buffer[FILE_BUFFER];

size_t read_file(int fd)
{
    ssize_t n = read(fd, file_buffer, sizeof file_buffer);

    if (n < 0) {
        perror("bench: read");
        exit(1);
    }
    return (size_t)n;
}

/* The file, end to end: read from the page cache and hashed. */
static void measure_file(struct run *run)
{
    uint8_t out[OUT_BYTES];
    int fd = open(run->file, O_RDONLY | O_CLOEXEC);
    struct stat status;
    double begin;

    if (fd < 0 || fstat(fd, &status)) {
        perror(run->file);
        exit(1);
    }
    run->file_bytes = (size_t)status.st_size;
    while (read_file(fd) > 0)
        ;
    begin = now_ns();
    run->files = calloc(run->entries.count, sizeof *run->files);
    for (int round = 0; round < 2 || now_ns() - begin < FILE_NS; round++)
        for (size_t i = 0; i < run->entries.count; i++) {
            const struct entry *entry = &run->entries.list[i];
            struct cell *cell = &run->files[i];
            double start;

            if (!entry->file || entry->worker)
                continue;
            cell->size = run->file_bytes;
            cell->bytes = (double)run->file_bytes;
            cell->reps = 1;
            cycle_ns = read_clock();
            start = now_ns();
            lseek(fd, 0, SEEK_SET);
            entry->file(entry, fd, out);
            add_sample(cell, now_ns() - start);
        }
    close(fd);
    for (size_t i = 0; i < run->entries.count; i++)
        finish_cell(&run->files[i]);
}

static void measure(struct run *run, double seconds)
{
    double start = now_ns(), last = start;
    int tell = isatty(2);

    run->cells = calloc(run->entries.count, sizeof *run->cells);
    for (size_t i = 0; i < run->entries.count; i++)
        for (unsigned s = 0;; s++) {
            const struct entry *entry = &run->entries.list[i];
            size_t size = run_sizes(run, entry->algorithm)[s];

            if (!size)
                break;
            if (entry->level == MESSAGES ||
                size % find_family(entry->algorithm)->block == 0)
                run->cells[i][s].size = size;
            run->cells[i][s].bytes = (double)size * entry->messages;
        }
    check_answers(run);
    choose_reps(run);
    for (run->rounds = 0;
         run->rounds < ROUNDS_MIN || now_ns() - start < seconds * 1e9;
         run->rounds++) {
        measure_round(run);
        if (tell && now_ns() - last > 1e9) {
            last = now_ns();
            fprintf(stderr, "\r%.0f of %.0f s ", (last - start) / 1e9, seconds);
        }
    }
    run->seconds = (now_ns() - start) / 1e9;
    if (tell)
        fprintf(stderr, "\r                  \r");
    for (size_t i = 0; i < run->entries.count; i++)
        for (unsigned s = 0; s < SIZES_MAX; s++)
            finish_cell(&run->cells[i][s]);
    for (int r = 0; r < RATES; r++) {
        finish_cell(&run->rates[r]);
        rate_cycles[r] = run->rates[r].best;
    }
    run->ghz = run->rates[CLOCK].count
                   ? rates[CLOCK].scale / run->rates[CLOCK].best_ns
                   : 0;
    if (run->file)
        measure_file(run);
}

/* Migrating to another core costs time and may change the clock. */
static void stay_on_this_cpu(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((unsigned)sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Puts beside each entry the same one of another program. */
static void add_base(struct entries *entries, const char *program)
{
    struct entries both = {0};
    struct worker *worker = start_worker(program, NULL);

    for (size_t i = 0; i < entries->count; i++) {
        struct entry entry = entries->list[i];
        uint8_t out[OUT_BYTES];

        add_entry(&both, &entry);
        entry.worker = worker;
        entry.tier = "base";
        if (sample(&entry, bench_data(), find_family(entry.algorithm)->block, 1,
                   out) < 0)
            fprintf(stderr, "bench: %s is new\n", entry.name);
        else
            add_entry(&both, &entry);
    }
    *entries = both;
}

/* ---- Options ------------------------------------------------------------- */

static const char usage[] =
    "usage: bench [OPTION]... [ALGORITHM]...\n"
    "  --compare       the short table: three sizes and a file\n"
    "  --file FILE     the file to hash, with --compare\n"
    "  --compilers     the C kernels also by each compiler here, at -O3\n"
    "  --peers         other libraries too, where present\n"
    "  --tiers         and these held back to older instruction sets\n"
    "  --seconds N     measure that long (default 20)\n"
    "  --against PROG  compare with this program as another revision built it\n"
    "  --json, --csv   instead of the table\n";

static int given(char *const names[], const char *algorithm)
{
    if (!*names)
        return 1;
    for (; *names; names++)
        if (!strcmp(*names, algorithm))
            return 1;
    return 0;
}

int main(int argc, char *argv[])
{
    static struct run run;
    enum {
        COMPARE = 256,
        FILE_NAME,
        COMPILERS,
        PEERS,
        TIERS,
        SECONDS,
        AGAINST,
        JSON,
        CSV,
        WORKER
    };
    static const struct option options[] = {
        {"compare", no_argument, NULL, COMPARE},
        {"file", required_argument, NULL, FILE_NAME},
        {"compilers", no_argument, NULL, COMPILERS},
        {"peers", no_argument, NULL, PEERS},
        {"tiers", no_argument, NULL, TIERS},
        {"seconds", required_argument, NULL, SECONDS},
        {"against", required_argument, NULL, AGAINST},
        {"json", no_argument, NULL, JSON},
        {"csv", no_argument, NULL, CSV},
        {"worker", no_argument, NULL, WORKER},
        {0}};
    void (*report)(const struct run *) = report_table;
    int option, compilers = 0, peers = 0, tiers = 0;
    size_t count, unknown = 0;
    const struct hk_kernel *rows = hk_kernels(&count);
    double seconds = 20;
    const char *against = NULL;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case COMPARE:
            run.compare = 1;
            if (report == report_table)
                report = report_compare;
            break;
        case FILE_NAME:
            run.file = optarg;
            break;
        case COMPILERS:
            compilers = 1;
            break;
        case TIERS:
            tiers = 1; /* fall through */
        case PEERS:
            peers = 1;
            break;
        case SECONDS:
            seconds = atof(optarg);
            break;
        case AGAINST:
            against = optarg;
            report = report_diff;
            break;
        case JSON:
            report = report_json;
            break;
        case CSV:
            report = report_csv;
            break;
        case WORKER:
            return be_worker();
        default:
            fputs(usage, stderr);
            return 2;
        }

    stay_on_this_cpu();
    if (emulated()) {
        fprintf(stderr,
                "bench: no times are printed here: %s.\n"
                "bench: \"make compare\" and \"make cost\" count instructions "
                "instead.\n",
                emulated());
        return 3;
    }
    for (size_t i = 0; i < count; i++)
        if ((!i || strcmp(rows[i].algorithm, rows[i - 1].algorithm)) &&
            !strchr(rows[i].algorithm, 'x') && /* lanes come with the rest */
            given(argv + optind, rows[i].algorithm)) {
            unknown += add_rows(&run.entries, rows[i].algorithm);
            if (compilers)
                add_compilers(&run.entries, rows[i].algorithm);
            if (peers)
                add_peers(&run.entries, rows[i].algorithm, tiers);
        }
    if (against)
        add_base(&run.entries, against);
    if (!run.entries.count) {
        fprintf(stderr, "bench: no kernel of such an algorithm\n");
        return 2;
    }
    if (run.compare) {
        /* Messages only: that is what everybody offers. */
        size_t kept = 0;

        for (size_t i = 0; i < run.entries.count; i++)
            if (run.entries.list[i].level == MESSAGES)
                run.entries.list[kept++] = run.entries.list[i];
        run.entries.count = kept;
    }
    measure(&run, seconds);
    report(&run);
    return unknown ? 1 : 0;
}
