/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_check.c - checksum lists, verified
 *
 * A line of a list is one of
 *
 *     DIGEST  NAME           the usual form: a blank, then a blank or *
 *     DIGEST NAME            "reversed", with one blank; not mixed with the above
 *     ALGORITHM (NAME) = DIGEST
 *
 * each perhaps after blanks and a backslash, which says that backslash, newline
 * and carriage return stand in the name as two characters.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>

#include "hksum.h"

struct line {
    char *digest; /* hexadecimal */
    char *name;
    bool escaped;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Whether text is as many hexadecimal digits as the digest has, and no more. */
static bool is_digest(const char *text, unsigned digits)
{
    return strspn(text, "0123456789abcdefABCDEF") == digits && !text[digits];
}

/* Undoes the escapes of a name in place; false if it has a wrong one, or a NUL
 * before its end. */
static bool unescape(char *name, const char *end)
{
    char *to = name;

    if (memchr(name, '\0', (size_t)(end - name)))
        return false;
    for (; *name; name++) {
        if (*name == '\\') {
            switch (*++name) {
            case 'n':
                *to++ = '\n';
                break;
            case 'r':
                *to++ = '\r';
                break;
            case '\\':
                *to++ = '\\';
                break;
            default:
                return false;
            }
        } else {
            *to++ = *name;
        }
    }
    *to = '\0';
    return true;
}

/* "NAME) = DIGEST": the name ends at the last parenthesis. */
static bool split_tagged(char *text, char *end, unsigned digits,
                         struct line *line)
{
    line->name = text;
    do
        if (end-- == text)
            return false;
    while (*end != ')');
    *end = '\0';
    if (line->escaped && !unescape(line->name, end))
        return false;
    end++;
    while (is_blank(*end))
        end++;
    if (*end++ != '=')
        return false;
    while (is_blank(*end))
        end++;
    line->digest = end;
    return is_digest(end, digits);
}

/* Which of the first two forms the lists have: the first good line decides, so
 * that nobody can turn a name into another by adding or taking a blank. */
static enum { UNDECIDED, USUAL, REVERSED } form;

/* Takes the line from text to end (where there is a NUL) apart, in place. There
 * may be NULs before the end: a name does not go on after one. */
static bool split(char *text, char *end, const struct algorithm *algorithm,
                  struct line *line)
{
    unsigned digits = 2 * algorithm->bytes;
    size_t tag = strlen(algorithm->tag);

    while (is_blank(*text))
        text++;
    line->escaped = *text == '\\';
    text += line->escaped;
    if (!strncmp(text, algorithm->tag, tag)) {
        text += tag;
        text += *text == ' ';
        return *text == '(' && split_tagged(text + 1, end, digits, line);
    }

    if (end - text < (ptrdiff_t)digits + 2 || !is_blank(text[digits]))
        return false;
    text[digits] = '\0';
    line->digest = text;
    if (!is_digest(text, digits))
        return false;
    text += digits + 1;
    if (end - text == 1 || (*text != ' ' && *text != '*')) {
        if (form == USUAL)
            return false;
        form = REVERSED;
    } else if (form != REVERSED) {
        form = USUAL;
        text++;
    }
    line->name = text;
    return !line->escaped || unescape(text, end);
}

static bool same_digest(const char *hex, const uint8_t *digest, unsigned bytes)
{
    static const char digits[] = "0123456789abcdef";

    for (unsigned i = 0; i < bytes; i++)
        if (tolower((unsigned char)hex[2 * i]) != digits[digest[i] >> 4] ||
            tolower((unsigned char)hex[2 * i + 1]) != digits[digest[i] & 15])
            return false;
    return true;
}

/* ---- A whole list -------------------------------------------------------- */

struct counts {
    uintmax_t good_lines, bad_lines, unread, mismatched, matched;
};

static void print_verdict(const struct line *line, const char *verdict)
{
    bool escaped = needs_escape(line->name);

    if (escaped)
        putchar('\\');
    print_name(line->name, escaped);
    printf(": %s", verdict);
    end_output();
}

static void check_outcome(const struct checking *checking,
                          const struct line *line,
                          const struct outcome *outcome, struct counts *counts)
{
    unsigned bytes = checking->reading->algorithm->bytes;

    tell_outcome(outcome, line->name);
    switch (outcome->result) {
    case READ_MISSING:
        break;
    case READ_FAILED:
        counts->unread++;
        if (!checking->status)
            print_verdict(line, "FAILED open or read");
        break;
    case READ_OK:
        if (same_digest(line->digest, outcome->digest, bytes)) {
            counts->matched++;
            if (!checking->status && !checking->quiet)
                print_verdict(line, "OK");
            break;
        } /* fall through */
    case READ_ATTACK:
        counts->mismatched++;
        if (!checking->status)
            print_verdict(line, "FAILED");
        break;
    }
}

/* Lines that are checked together. Bad ones are told of in their place. */
enum { WINDOW = 4096 };

struct window {
    const struct checking *checking;
    const char *list; /* its name */
    struct counts *counts;
    size_t count;
    struct line lines[WINDOW];
    char *text[WINDOW], *names[WINDOW];
    size_t bad_count, bad_told;
    uintmax_t bad[WINDOW];    /* their numbers, */
    size_t bad_after[WINDOW]; /* and how many good lines came before */
};

static void tell_bad_lines(struct window *window, size_t before)
{
    for (; window->bad_told < window->bad_count &&
           window->bad_after[window->bad_told] <= before;
         window->bad_told++)
        complain(0, "%s: %ju: improperly formatted %s checksum line",
                 quoted(window->list), window->bad[window->bad_told],
                 window->checking->reading->algorithm->tag);
}

static void check_done(void *user, size_t number, const struct outcome *outcome)
{
    struct window *window = user;

    tell_bad_lines(window, number);
    check_outcome(window->checking, &window->lines[number], outcome,
                  window->counts);
}

static void check_window(struct window *window)
{
    hash_files(window->checking->reading, window->names, window->count,
               check_done, window);
    tell_bad_lines(window, window->count);
    for (size_t i = 0; i < window->count; i++)
        free(window->text[i]);
    window->count = window->bad_count = window->bad_told = 0;
}

static void warn_of(uintmax_t count, const char *one, const char *many)
{
    if (count)
        complain(0, "WARNING: %ju %s", count, count == 1 ? one : many);
}

/* Says what was wrong with the list and its files; true if nothing was. */
static bool sum_up(const struct checking *checking, const char *name,
                   const struct counts *counts)
{
    if (!counts->good_lines) {
        complain(0, "%s: no properly formatted checksum lines found",
                 quoted(name));
        return false;
    }
    if (!checking->status) {
        warn_of(counts->bad_lines, "line is improperly formatted",
                "lines are improperly formatted");
        warn_of(counts->unread, "listed file could not be read",
                "listed files could not be read");
        warn_of(counts->mismatched, "computed checksum did NOT match",
                "computed checksums did NOT match");
        if (checking->reading->ignore_missing && !counts->matched)
            complain(0, "%s: no file was verified", quoted(name));
    }
    return !counts->unread && !counts->mismatched &&
           (counts->matched || !checking->reading->ignore_missing) &&
           !(counts->bad_lines && checking->strict);
}

bool check_list(const struct checking *checking, const char *name)
{
    const struct algorithm *algorithm = checking->reading->algorithm;
    bool standard = !strcmp(name, "-");
    FILE *list = standard ? stdin : fopen(name, "re");
    struct counts counts = {0};
    struct window *window;
    uintmax_t number = 0;
    char *text = NULL;
    size_t room = 0, most = 1;
    struct stat status;
    ssize_t length;
    int error = 0;

    if (standard) {
        checking->reading->used_stdin = true;
        name = "standard input";
    }
    if (!list) {
        complain(errno, "%s", quoted(name));
        return false;
    }
    /* From a pipe, each line is checked when it comes. */
    if (checking->reading->jobs > 1 ||
        (!fstat(fileno(list), &status) && S_ISREG(status.st_mode)))
        most = WINDOW;
    window = allocate(sizeof *window);
    window->checking = checking;
    window->list = name;
    window->counts = &counts;
    window->count = window->bad_count = window->bad_told = 0;
    while (errno = 0, (length = getline(&text, &room, list)) > 0) {
        struct line line;

        number++;
        if (text[0] == '#')
            continue;
        if (text[length - 1] == '\n')
            text[--length] = '\0';
        if (length && text[length - 1] == '\r')
            text[--length] = '\0';
        if (!length)
            continue;
        if (split(text, text + length, algorithm, &line) &&
            !(standard && !strcmp(line.name, "-"))) {
            counts.good_lines++;
            window->lines[window->count] = line;
            window->names[window->count] = line.name;
            window->text[window->count++] = text;
            text = NULL;
            room = 0;
        } else {
            counts.bad_lines++;
            if (checking->warn) {
                window->bad[window->bad_count] = number;
                window->bad_after[window->bad_count++] = window->count;
            }
        }
        if (window->count == most || window->bad_count == most)
            check_window(window);
    }
    if (ferror(list))
        error = errno ? errno : EIO;
    check_window(window);
    free(window);
    free(text);
    if (!standard && fclose(list) && !error)
        error = errno;
    if (standard)
        clearerr(list);
    if (error) {
        complain(0, "%s: read error", quoted(name));
        return false;
    }
    return sum_up(checking, name, &counts);
}
