/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * report.c - text, JSON and CSV
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define NOISY 0.02 /* differences below this are not worth a word */

/* ---- What is shared ------------------------------------------------------ */

static const char *label(const struct entry *entry)
{
    static char text[64];
    const char *name = entry->name;

    if (entry->function) /* of "sha1_shani" the table needs "shani" */
        name = strchr(name, '_') + 1;
    snprintf(text, sizeof text, "%s%s%s%s", name, *entry->tier ? " (" : "",
             entry->tier, *entry->tier ? ")" : "");
    return text;
}

static const char *size_text(size_t size)
{
    static char text[32];

    if (size < 1024)
        snprintf(text, sizeof text, "%zu B", size);
    else if (size < 1048576)
        snprintf(text, sizeof text, "%zu KiB", size / 1024);
    else
        snprintf(text, sizeof text, "%zu MiB", size / 1048576);
    return text;
}

enum whose { BEST_C, BEST_PEER };

/* The fewest cycles per byte of the group at this size and level, or 0. */
static double best_of(const struct run *run, const struct entry *like,
                      unsigned size, enum whose whose)
{
    double best = 0;

    for (size_t i = 0; i < run->entries.count; i++) {
        const struct entry *entry = &run->entries.list[i];
        double cycles = cycles_per_byte(&run->cells[i][size]);

        if (strcmp(entry->algorithm, like->algorithm) ||
            entry->level != like->level || entry->messages > 1 || cycles == 0 ||
            entry->worker ||
            (whose == BEST_C ? strcmp(entry->source, "C") != 0 : !entry->peer))
            continue;
        if (best == 0 || cycles < best)
            best = cycles;
    }
    return best;
}

/* Colours, on a terminal only: what the library uses, and which side of 1 a
 * ratio is on. Blue and yellow differ for everybody. */
enum colour { PLAIN, BOLD, AHEAD, BEHIND };

static const char *paint(enum colour colour)
{
    static const char *const codes[] = {
        [PLAIN] = "\033[0m",
        [BOLD] = "\033[1m",
        [AHEAD] = "\033[34m",
        [BEHIND] = "\033[33m",
    };
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

    if (!isatty(1) || (no_colour && *no_colour) || !terminal ||
        !strcmp(terminal, "dumb"))
        return "";
    return codes[colour];
}

#define LABEL 24 /* columns */

static void print_label(const struct entry *entry)
{
    const char *used = hk_kernel_in_use(entry->algorithm);
    int in_use = used && entry->function && !strcmp(used, entry->name);

    printf("%s  %-*s%s", in_use ? paint(BOLD) : "", LABEL - 2, label(entry),
           in_use ? paint(PLAIN) : "");
}

static void print_number(int width, int decimals, double value)
{
    if (value > 0)
        printf("%*.*f", width,
               decimals && value >= 100 ? decimals - 1 : decimals, value);
    else
        printf("%*s", width, "-");
}

/* Those that are operations per cycle, or cycles. */
static void print_rates(const char *title, int cycles)
{
    int printed = 0;

    for (int r = 1; r < RATES; r++)
        if (rate_cycles[r] > 0 && (rates[r].scale > 0) == cycles) {
            printf("%s %s %.2f", printed++ ? "," : title, rates[r].name,
                   cycles ? rate_cycles[r] : 1 / rate_cycles[r]);
        }
    if (printed)
        putchar('\n');
}

/* How many times the cycles per byte of another are those of this cell. */
static void print_ratio(int width, double other, const struct cell *cell)
{
    double ratio = cell->count ? other / cycles_per_byte(cell) : 0;

    fputs(paint(ratio >= 1.005  ? AHEAD
                : ratio < 0.995 ? BEHIND
                                : PLAIN),
          stdout);
    print_number(width, 2, ratio);
    fputs(paint(PLAIN), stdout);
}

static void print_machine(const struct run *run)
{
    printf("%s, %.2f GHz; compiler %s; %u rounds in %.0f s\n", cpu_name(),
           run->ghz, __VERSION__, run->rounds, run->seconds);
    print_rates("operations a cycle, measured:", 0);
    print_rates("cycles, measured:", 1);
}

/* The median and the worst repeat over all cells, and the clock's. */
static void print_noise(const struct run *run)
{
    double sum = 0, worst = 0;
    unsigned cells = 0;
    const struct entry *who = NULL;
    size_t size = 0;

    for (size_t i = 0; i < run->entries.count; i++)
        for (unsigned s = 0; s < SIZES_MAX; s++) {
            const struct cell *cell = &run->cells[i][s];

            if (!cell->count)
                continue;
            sum += cell->repeat;
            cells++;
            if (cell->repeat >= worst) {
                worst = cell->repeat;
                who = &run->entries.list[i];
                size = cell->size;
            }
        }
    if (!who)
        return;
    printf("\nnoise: two halves of the run differ by %.1f %% on average; most,"
           " %.1f %%, for %s %s at %s;\nthe clock %.1f %%.",
           100 * sum / cells, 100 * worst, who->algorithm, label(who),
           size_text(size), 100 * run->rates[CLOCK].repeat);
    if (sum / cells > NOISY || run->rates[CLOCK].repeat > NOISY)
        printf(" This machine was busy: do not quote this run.");
    putchar('\n');
}

/* ---- make bench ---------------------------------------------------------- */

static void print_level(const struct run *run, const char *algorithm,
                        enum level level)
{
    const size_t *sizes = run_sizes(run, algorithm);
    unsigned count = run_size_count(run, algorithm), last = count - 1;
    int lines = 0;

    for (size_t i = 0; i < run->entries.count; i++) {
        const struct entry *entry = &run->entries.list[i];
        const struct cell *cell = &run->cells[i][last];
        double bound = bound_per_byte(entry, cell->size);

        if (strcmp(entry->algorithm, algorithm) || entry->level != level)
            continue;
        if (!lines++) {
            printf("\n%s, %s: cycles per byte\n%*s", algorithm,
                   level == BLOCKS ? "the kernel alone on whole blocks"
                                   : "a digest of one message",
                   LABEL, "");
            for (unsigned s = 0; s < count; s++)
                printf("%7s", size_text(sizes[s]));
            printf("%7s%6s%6s%5s\n", "MB/s", "vs C", "limit", "of");
        }
        print_label(entry);
        for (unsigned s = 0; s < count; s++)
            print_number(7, 2, cycles_per_byte(&run->cells[i][s]));
        print_number(7, 0, megabytes_per_second(cell));
        print_ratio(6, best_of(run, entry, last, BEST_C), cell);
        print_number(6, 2, bound);
        if (bound > 0)
            printf("%4.0f%%", 100 * bound / cycles_per_byte(cell));
        putchar('\n');
    }
}

/* What the detection of collisions costs: each kernel of sha1dc in times of the
 * sha1 kernel of the same variant, if both were measured. */
static void print_detection(const struct run *run)
{
    const size_t *sizes = run_sizes(run, "sha1dc");
    unsigned count = run_size_count(run, "sha1dc");
    int lines = 0;

    for (size_t i = 0; i < run->entries.count; i++)
        for (size_t k = 0; k < run->entries.count; k++) {
            const struct entry *dc = &run->entries.list[i];
            const struct entry *plain = &run->entries.list[k];

            if (dc->level != BLOCKS || plain->level != BLOCKS || dc->worker ||
                plain->worker || strncmp(dc->name, "sha1dc_", 7) ||
                strncmp(plain->name, "sha1_", 5) ||
                strcmp(dc->name + 7, plain->name + 5))
                continue;
            if (!lines++) {
                printf("\nsha1dc, whole blocks: times of sha1 by the same means"
                       "\n%*s",
                       LABEL, "");
                for (unsigned s = 0; s < count; s++)
                    printf("%7s", size_text(sizes[s]));
                putchar('\n');
            }
            print_label(dc);
            for (unsigned s = 0; s < count; s++)
                print_number(7, 3,
                             run->cells[k][s].best > 0
                                 ? run->cells[i][s].best / run->cells[k][s].best
                                 : 0);
            putchar('\n');
        }
}

void report_table(const struct run *run)
{
    const char *algorithm = "";

    print_machine(run);
    for (size_t i = 0; i < run->entries.count; i++)
        if (strcmp(run->entries.list[i].algorithm, algorithm)) {
            algorithm = run->entries.list[i].algorithm;
            print_level(run, algorithm, BLOCKS);
            print_level(run, algorithm, MESSAGES);
        }
    print_detection(run);
    print_noise(run);
}

/* ---- make compare -------------------------------------------------------- */

void report_compare(const struct run *run)
{
    const char *algorithm = "";
    int peers = 0;

    print_machine(run);
    if (run->file)
        printf("file: %s, %.0f MB\n", run->file, (double)run->file_bytes / 1e6);
    for (size_t i = 0; i < run->entries.count; i++)
        peers |= run->entries.list[i].peer != NULL;
    for (size_t i = 0; i < run->entries.count; i++) {
        const struct entry *entry = &run->entries.list[i];
        const size_t *sizes = run_sizes(run, entry->algorithm);
        unsigned count = run_size_count(run, entry->algorithm);
        unsigned last = count - 1;
        const struct cell *cell = &run->cells[i][last];
        double bound = bound_per_byte(entry, cell->size);

        if (strcmp(algorithm, entry->algorithm)) {
            algorithm = entry->algorithm;
            printf("\n%s%-*s%s", paint(BOLD), LABEL, algorithm, paint(PLAIN));
            for (unsigned s = 0; s < count; s++)
                printf("%8s", size_text(sizes[s]));
            printf("%9s", "vs C");
            if (peers)
                printf("%9s", "vs peer");
            printf("%9s%6s", "limit", "of");
            if (run->file)
                printf("%8s", "file");
            printf("\n%*s%*s", LABEL, "", 8 * (int)count, "cycles per byte");
            printf("%9s", "times");
            if (peers)
                printf("%9s", "times");
            printf("%9s%6s", "cyc/byte", "it");
            if (run->file)
                printf("%8s", "MB/s");
            putchar('\n');
        }
        print_label(entry);
        for (unsigned s = 0; s < count; s++)
            print_number(8, 2, cycles_per_byte(&run->cells[i][s]));
        print_ratio(9, best_of(run, entry, last, BEST_C), cell);
        if (peers)
            print_ratio(9, best_of(run, entry, last, BEST_PEER), cell);
        print_number(9, 2, bound);
        if (bound > 0)
            printf("%5.0f%%", 100 * bound / cycles_per_byte(cell));
        else
            printf("%6s", "-");
        if (run->file)
            print_number(8, 0, megabytes_per_second(&run->files[i]));
        putchar('\n');
    }
    print_noise(run);
}

/* ---- make bench-diff ----------------------------------------------------- */

/* Each kernel against itself in another revision: how many percent more time it
 * takes now, with a mark where that is more than noise. */
void report_diff(const struct run *run)
{
    const char *algorithm = "";
    double noise = run->rates[CLOCK].repeat;
    unsigned marked = 0;

    print_machine(run);
    printf("percent more cycles than the base (negative: faster); * where that "
           "is beyond the noise\n");
    for (size_t i = 0; i + 1 < run->entries.count; i++) {
        const struct entry *entry = &run->entries.list[i];
        const size_t *sizes = run_sizes(run, entry->algorithm);
        unsigned count = run_size_count(run, entry->algorithm);

        if (run->entries.list[i + 1].worker == NULL || entry->worker)
            continue; /* no base */
        if (strcmp(algorithm, entry->algorithm)) {
            algorithm = entry->algorithm;
            printf("\n%-28s", algorithm);
            for (unsigned s = 0; s < count; s++)
                printf("%9s", size_text(sizes[s]));
            putchar('\n');
        }
        printf("%-18s%-10s", label(entry),
               entry->level == BLOCKS ? "blocks" : "messages");
        for (unsigned s = 0; s < count; s++) {
            const struct cell *now = &run->cells[i][s];
            const struct cell *base = &run->cells[i + 1][s];
            double change, doubt = 0.01 + noise;

            if (!now->count) {
                printf("%9s", "-");
                continue;
            }
            change = now->best / base->best - 1;
            doubt += now->repeat + base->repeat;
            printf("%8.1f%c", 100 * change,
                   change > doubt || change < -doubt ? '*' : ' ');
            marked += change > doubt || change < -doubt;
        }
        putchar('\n');
    }
    printf("\n%u marked\n", marked);
    print_noise(run);
}

/* ---- For programs -------------------------------------------------------- */

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char)*text >= ' ')
            putchar(*text);
    }
    putchar('"');
}

static void json_cell(const struct run *run, size_t i, const struct cell *cell,
                      int *more)
{
    const struct entry *entry = &run->entries.list[i];
    double bound = bound_per_byte(entry, cell->size);

    if (!cell->count)
        return;
    printf("%s\n    {\"algorithm\": ", (*more)++ ? "," : "");
    print_string(entry->algorithm);
    printf(", \"name\": ");
    print_string(entry->name);
    printf(", \"source\": ");
    print_string(entry->source);
    printf(", \"tier\": ");
    print_string(entry->tier);
    printf(", \"level\": \"%s\", \"bytes\": %zu,\n     \"messages\": %u, "
           "\"ns\": %.3f, "
           "\"median_ns\": %.3f, \"repeat\": %.5f, \"samples\": %u, "
           "\"cycles_per_byte\": %.4f, \"MB_per_s\": %.1f, \"limit\": ",
           entry->level == BLOCKS ? "blocks" : "messages", cell->size,
           entry->messages, cell->best_ns, cell->median_ns, cell->repeat,
           cell->count, cycles_per_byte(cell), megabytes_per_second(cell));
    if (bound > 0)
        printf("%.4f, \"limit_by\": \"%s\"}", bound, bound_why(entry));
    else
        printf("null}");
}

void report_json(const struct run *run)
{
    int more = 0;

    printf("{\n  \"cpu\": ");
    print_string(cpu_name());
    printf(",\n  \"compiler\": ");
    print_string(__VERSION__);
    printf(",\n  \"ghz\": %.4f,\n  \"clock_repeat\": %.5f,\n  \"rounds\": %u,\n"
           "  \"rates\": {",
           run->ghz, run->rates[CLOCK].repeat, run->rounds);
    for (int r = 1; r < RATES; r++)
        if (rate_cycles[r] > 0)
            printf("%s\"%s\": {\"cycles\": %.4f}", more++ ? ", " : "",
                   rates[r].name, rate_cycles[r]);
    more = 0;
    printf("},\n  \"results\": [");
    for (size_t i = 0; i < run->entries.count; i++) {
        for (unsigned s = 0; s < SIZES_MAX; s++)
            json_cell(run, i, &run->cells[i][s], &more);
        if (run->files)
            json_cell(run, i, &run->files[i], &more);
    }
    printf("\n  ]\n}\n");
}

static void csv_cell(const struct run *run, size_t i, const struct cell *cell)
{
    const struct entry *entry = &run->entries.list[i];

    if (cell->count)
        printf("%s,%s,%s,%s,%s,%zu,%u,%.3f,%.3f,%.5f,%.4f,%.1f,%.4f\n",
               entry->algorithm, entry->name, entry->source, entry->tier,
               entry->level == BLOCKS ? "blocks" : "messages", cell->size,
               entry->messages, cell->best_ns, cell->median_ns, cell->repeat,
               cycles_per_byte(cell), megabytes_per_second(cell),
               bound_per_byte(entry, cell->size));
}

void report_csv(const struct run *run)
{
    puts("algorithm,name,source,tier,level,bytes,messages,ns,median_ns,repeat,"
         "cycles_per_byte,MB_per_s,limit");
    for (size_t i = 0; i < run->entries.count; i++) {
        for (unsigned s = 0; s < SIZES_MAX; s++)
            csv_cell(run, i, &run->cells[i][s]);
        if (run->files)
            csv_cell(run, i, &run->files[i]);
    }
}
