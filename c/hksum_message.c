/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hksum_message.c - error messages, names quoted as a shell reads them
 */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "hksum.h"

const char *program = "hksum";

void complain(int error, const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, "%s: ", program);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (error)
        fprintf(stderr, ": %s", strerror(error));
    fputc('\n', stderr);
}

/* How many bytes at text form one printable character; 0 if it is none. */
static size_t printable(const char *text)
{
    wchar_t wide;
    mbstate_t state;
    size_t n;

    memset(&state, 0, sizeof state);
    n = mbrtowc(&wide, text, strnlen(text, MB_CUR_MAX), &state);
    return n == 0 || n == (size_t)-1 || n == (size_t)-2 ||
                   !iswprint((wint_t)wide)
               ? 0
               : n;
}

/* Whether a shell, or a reader of the message, would take the name for more or
 * less than a name. */
static bool is_special(const char *name, const char *at)
{
    if (strchr(" !\"$&'()*:;<=>?[\\^`|", *at))
        return true;
    if (strchr("#~", *at))
        return at == name;
    if (strchr("{}", *at))
        return at == name && !at[1];
    return false;
}

/* Whether a character means itself within double quotes, to the shell and in
 * C. Those that are special elsewhere only are left to single quotes. */
static bool is_plain(const char *name, const char *at)
{
    if (strchr("!\"$&()*;<=>?[\\^`|", *at))
        return false;
    if (strchr("#~{}", *at))
        return is_special(name, at);
    return true;
}

static char *escape(char *to, unsigned char byte)
{
    static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr";
    const char *letter = NULL;

    for (const char *l = letters; *l && !letter; l += 2)
        if ((unsigned char)*l == byte)
            letter = l + 1;
    if (letter)
        return to + sprintf(to, "\\%c", *letter);
    return to + sprintf(to, "\\%03o", byte);
}

const char *quoted(const char *name)
{
    static char *kept[2];
    static unsigned next;
    bool special = !*name, apostrophe = false, plain = true;
    bool in_escapes = false; /* within $'...' */
    char *text, *to;
    size_t n;

    for (const char *at = name; *at; at += n ? n : 1) {
        n = printable(at);
        special |= !n || is_special(name, at);
        plain &= n && is_plain(name, at);
        apostrophe |= *at == '\'';
    }
    if (!special)
        return name;

    text = malloc(9 * strlen(name) + 8); /* '$'\ooo'' for each byte */
    if (!text)
        return name;
    free(kept[++next % 2]);
    kept[next % 2] = text;

    if (apostrophe && plain) {
        sprintf(text, "\"%s\"", name);
        return text;
    }
    to = text;
    *to++ = '\'';
    for (const char *at = name; *at; at += n ? n : 1) {
        n = printable(at);
        if (!n) {
            if (!in_escapes)
                to = stpcpy(to, "'$'");
            in_escapes = true;
            to = escape(to, (unsigned char)*at);
        } else if (*at == '\'') {
            to = stpcpy(to, "'\\''");
            in_escapes = false;
        } else {
            if (in_escapes)
                to = stpcpy(to, "''");
            in_escapes = false;
            memcpy(to, at, n);
            to += n;
        }
    }
    strcpy(to, "'");
    return text;
}
