/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum.c - options; digests of files, printed
 *
 * Called by the name of a coreutils checksum tool (sha256sum, by a link), it
 * takes that tool's options and behaves as it does, messages included. Under
 * any other name -a chooses the algorithm and there are a few options more.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hksum.h"

/* ---- Output -------------------------------------------------------------- */

static char delimiter = '\n';

bool needs_escape(const char *name)
{
    return delimiter == '\n' && strpbrk(name, "\\\n\r");
}

void print_name(const char *name, bool escaped)
{
    if (!escaped) {
        fputs(name, stdout);
        return;
    }
    for (; *name; name++) {
        if (*name == '\n')
            fputs("\\n", stdout);
        else if (*name == '\r')
            fputs("\\r", stdout);
        else if (*name == '\\')
            fputs("\\\\", stdout);
        else
            putchar(*name);
    }
}

/* Each line leaves at once, so that those of several processes on one pipe do
 * not mix, and a full disk is known before more work is done. */
void end_output(void)
{
    putchar(delimiter);
    if (fflush(stdout)) {
        complain(errno, "write error");
        _exit(1);
    }
}

static void print_digest(const struct algorithm *algorithm,
                         const uint8_t *digest)
{
    for (unsigned i = 0; i < algorithm->bytes; i++)
        printf("%02x", digest[i]);
}

struct style {
    bool tag, binary;
};

static void print_line(const struct algorithm *algorithm, struct style style,
                       const char *name, const uint8_t *digest)
{
    bool escaped = needs_escape(name);

    if (escaped)
        putchar('\\');
    if (style.tag) {
        printf("%s (", algorithm->tag);
        print_name(name, escaped);
        fputs(") = ", stdout);
        print_digest(algorithm, digest);
    } else {
        print_digest(algorithm, digest);
        fputs(style.binary ? " *" : "  ", stdout);
        print_name(name, escaped);
    }
    end_output();
}

/* ---- Help ---------------------------------------------------------------- */

static void try_help(void)
{
    fprintf(stderr, "Try '%s --help' for more information.\n", program);
    exit(1);
}

static void wrong_use(const char *message)
{
    complain(0, "%s", message);
    try_help();
}

static const char help_options[] =
    "  -b, --binary          mark names with * (files are read as they are)\n"
    "  -c, --check           read digests and names from each FILE, and check\n"
    "      --tag             print lines that name the algorithm\n"
    "  -t, --text            mark names with a blank (the default)\n"
    "  -z, --zero            end lines with NUL and do not escape names\n"
    "      --help            print this and exit\n"
    "      --version         print the version and exit\n"
    "\n"
    "With --check:\n"
    "      --ignore-missing  pass over files that do not exist\n"
    "      --quiet           print no line for a file that is right\n"
    "      --status          print nothing; the exit status tells\n"
    "      --strict          a line of another form is a failure, too\n"
    "  -w, --warn            say which lines have another form\n";

static const char help_more[] = "\n"
                                "  -a, --algorithm=NAME  one of:";

static const char help_last[] =
    "      --list            list the kernels, and which are in use\n"
    "  -j, --jobs=N          hash files in N threads, 0: one for each\n"
    "                        processor; the output keeps the order of names\n"
    "      --kernel=NAME     use that kernel\n"
    "      --key=HEX         the 16 bytes of a SipHash key\n"
    "      --progress        show on standard error how far it is (on a\n"
    "                        terminal: by itself, when a file takes long)\n";

static void help(const struct algorithm *fixed)
{
    printf(
        "Usage: %s %s[OPTION]... [FILE]...\n"
        "Print or check %s digests. Without FILE, or if it is -, of standard "
        "input.\n\n",
        program, fixed ? "" : "-a ALGORITHM ",
        fixed ? fixed->tag : "SHA-1, SHA-2 or SipHash");
    fputs(help_options, stdout);
    if (!fixed) {
        fputs(help_more, stdout);
        for (size_t i = 0; i < algorithm_count; i++)
            printf("%s%s", i % 6 ? " " : "\n                          ",
                   algorithms[i].name);
        putchar('\n');
        fputs(help_last, stdout);
    }
    fputs("\nThe exit status is 0, or 1 if anything failed.\n", stdout);
}

/* ---- Options ------------------------------------------------------------- */

enum {
    IGNORE_MISSING = 256,
    QUIET,
    STATUS,
    STRICT,
    TAG,
    HELP,
    VERSION,
    KERNEL,
    KEY,
    LIST,
    PROGRESS
};

#define COREUTILS_OPTIONS                                                      \
    {"binary", no_argument, NULL, 'b'}, {"check", no_argument, NULL, 'c'},     \
        {"ignore-missing", no_argument, NULL, IGNORE_MISSING},                 \
        {"quiet", no_argument, NULL, QUIET},                                   \
        {"status", no_argument, NULL, STATUS},                                 \
        {"warn", no_argument, NULL, 'w'},                                      \
        {"strict", no_argument, NULL, STRICT},                                 \
        {"tag", no_argument, NULL, TAG}, {"text", no_argument, NULL, 't'},     \
        {"zero", no_argument, NULL, 'z'}, {"help", no_argument, NULL, HELP},   \
    {                                                                          \
        "version", no_argument, NULL, VERSION                                  \
    }

static const struct option coreutils_options[] = {COREUTILS_OPTIONS, {0}};

static const struct option all_options[] = {
    COREUTILS_OPTIONS,
    {"algorithm", required_argument, NULL, 'a'},
    {"kernel", required_argument, NULL, KERNEL},
    {"jobs", required_argument, NULL, 'j'},
    {"key", required_argument, NULL, KEY},
    {"list", no_argument, NULL, LIST},
    {"progress", no_argument, NULL, PROGRESS},
    {0}};

struct options {
    const struct algorithm *algorithm;
    bool check, tag;
    int binary; /* -1: not said */
    const char *kernel, *key;
    bool progress;
    struct checking checking;
};

/* Those that make no sense together, in the order in which they are told. */
static void refuse_contradictions(const struct options *options)
{
    const struct checking *checking = &options->checking;

    if (options->tag && options->binary == 0)
        wrong_use("--tag does not support --text mode");
    if (options->check && delimiter != '\n')
        wrong_use(
            "the --zero option is not supported when verifying checksums");
    if (options->check && options->tag)
        wrong_use("the --tag option is meaningless when verifying checksums");
    if (options->check && options->binary >= 0)
        wrong_use("the --binary and --text options are meaningless when "
                  "verifying checksums");
    if (options->check)
        return;
    if (checking->reading->ignore_missing)
        wrong_use("the --ignore-missing option is meaningful only when "
                  "verifying checksums");
    if (checking->status)
        wrong_use("the --status option is meaningful only when verifying "
                  "checksums");
    if (checking->warn)
        wrong_use("the --warn option is meaningful only when verifying "
                  "checksums");
    if (checking->quiet)
        wrong_use("the --quiet option is meaningful only when verifying "
                  "checksums");
    if (checking->strict)
        wrong_use("the --strict option is meaningful only when verifying "
                  "checksums");
}

/* A number of threads; 0: as many as there are processors. */
static unsigned read_jobs(const char *text)
{
    size_t length = strlen(text);
    long processors;

    if (!length || length > 4 || strspn(text, "0123456789") != length) {
        complain(0, "%s is no number of jobs", quoted(text));
        try_help();
    }
    if (atoi(text))
        return (unsigned)atoi(text);
    processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 1 ? (unsigned)processors : 1;
}

static void read_options(int argc, char *argv[], struct options *options)
{
    const struct algorithm *fixed = options->algorithm;
    struct checking *checking = &options->checking;
    int option;

    while ((option = getopt_long(argc, argv, fixed ? "bctwz" : "bctwza:j:",
                                 fixed ? coreutils_options : all_options,
                                 NULL)) != -1)
        switch (option) {
        case 'a':
            options->algorithm = find_algorithm(optarg, strlen(optarg));
            if (!options->algorithm) {
                complain(0, "unknown algorithm %s", quoted(optarg));
                try_help();
            }
            break;
        case 'b':
            options->binary = 1;
            break;
        case 'c':
            options->check = true;
            break;
        case 'j':
            checking->reading->jobs = read_jobs(optarg);
            break;
        case 't':
            options->binary = 0;
            break;
        case 'z':
            delimiter = '\0';
            break;
        case TAG:
            options->tag = true;
            options->binary = 1;
            break;
        case 'w':
        case STATUS:
        case QUIET: /* the last one counts */
            checking->warn = option == 'w';
            checking->status = option == STATUS;
            checking->quiet = option == QUIET;
            break;
        case STRICT:
            checking->strict = true;
            break;
        case IGNORE_MISSING:
            checking->reading->ignore_missing = true;
            break;
        case KERNEL:
            options->kernel = optarg;
            break;
        case KEY:
            options->key = optarg;
            break;
        case PROGRESS:
            options->progress = true;
            break;
        case LIST:
            list_kernels();
            exit(0);
        case HELP:
            help(fixed);
            exit(0);
        case VERSION:
            printf("%s (hashkern) " HK_VERSION "\n", fixed ? program : "hksum");
            exit(0);
        default:
            try_help();
        }
}

/* The algorithm whose coreutils tool the program is called as, if any. */
static const struct algorithm *called_as(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    const struct algorithm *algorithm = NULL;

    if (length > 3 && !strcmp(name + length - 3, "sum"))
        algorithm = find_algorithm(name, length - 3);
    return algorithm && algorithm->coreutils ? algorithm : NULL;
}

/* A file must not get the number of a standard descriptor that is closed, and be
 * read or written in its place. Something takes it with which both fail as they
 * do with one that is closed. Returns whether standard input was. */
static bool hold_descriptors(void)
{
    bool no_input = false;

    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        no_input |= fd == STDIN_FILENO;
        if (open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            break; /* no such device: then it is as it was */
    }
    return no_input;
}

/* Output that is lost at the very end is an error, too. */
static void close_output(void)
{
    if (ferror(stdout) || fclose(stdout)) {
        fprintf(stderr, "%s: write error: %s\n", program, strerror(errno));
        _exit(1);
    }
}

/* ---- Digests ------------------------------------------------------------- */

struct printing {
    const struct options *options;
    char *const *names;
    bool good;
};

static void print_outcome(void *user, size_t number,
                          const struct outcome *outcome)
{
    struct printing *printing = user;
    const struct options *options = printing->options;
    const char *name = printing->names[number];

    tell_outcome(outcome, name);
    if (outcome->result != READ_OK)
        printing->good = false;
    if (outcome->result == READ_OK || outcome->result == READ_ATTACK)
        print_line(options->algorithm,
                   (struct style){options->tag, options->binary == 1}, name,
                   outcome->digest);
}

static bool print_digests(const struct options *options, char *const names[])
{
    struct printing printing = {options, names, true};
    size_t count = 0;

    while (names[count])
        count++;
    hash_files(options->checking.reading, names, count, print_outcome,
               &printing);
    return printing.good;
}

int main(int argc, char *argv[])
{
    static char dash[] = "-", *standard_input[] = {dash, NULL};
    struct reading reading = {0};
    struct options options = {.binary = -1, .checking = {.reading = &reading}};
    bool good = true, own_name, no_input;
    char **names;

    no_input = hold_descriptors();
    if (argc > 0)
        program = argv[0];
    setlocale(LC_CTYPE, "");
    setvbuf(stdout, NULL, _IOLBF, 0);
    atexit(close_output);
    options.algorithm = called_as(program);
    own_name = !options.algorithm;
    read_options(argc, argv, &options);
    if (!options.algorithm)
        wrong_use("no algorithm; name one with -a");
    refuse_contradictions(&options);
    if (options.kernel && !choose_kernel(options.algorithm, options.kernel))
        return 1;
    if (options.key && !options.algorithm->keyed)
        wrong_use("the --key option is for SipHash");
    if (options.algorithm->keyed && !options.key)
        wrong_use("SipHash needs a key; give one with --key");
    if (options.key && !set_key(options.key))
        try_help();

    reading.algorithm = options.algorithm;
    reading.progress = options.progress || (own_name && isatty(STDERR_FILENO));
    reading.progress_after = options.progress ? 0.5 : 2;
    names = optind < argc ? argv + optind : standard_input;
    if (options.check)
        for (; *names; names++)
            good &= check_list(&options.checking, *names);
    else
        good = print_digests(&options, names);
    free(reading.buffer);
    if (reading.used_stdin && (close(STDIN_FILENO) || no_input)) {
        complain(no_input ? EBADF : errno, "standard input");
        good = false;
    }
    return good ? 0 : 1;
}
