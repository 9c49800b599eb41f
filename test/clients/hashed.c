/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hashed.c - a small client of hashkern_file.h, for gitfiles.py
 *
 *     hashed verify ALGORITHM [LENGTH] <file
 *     hashed index ALGORITHM BUFFER <listing >index
 *
 * verify prints the verdict on a file. index writes an index of git, version 2,
 * of what "git ls-tree -r -z" lists. Before each entry it writes one that nobody
 * asked for, and cuts it off again.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hashkern_file.h"

enum { LONGEST_ID = 32, STAT_WORDS = 10, MODE_WORD = 6, LONGEST_FLAG = 0xfff };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "hashed: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void must(int result, const char *what)
{
    if (result)
        die(what);
}

static int verify(const char *algorithm, const char *length)
{
    enum hk_file_verdict verdict =
        hk_file_verify(STDIN_FILENO, algorithm,
                       length ? strtoull(length, NULL, 10) : HK_FILE_ALL);

    if (verdict == HK_FILE_ERROR)
        die(algorithm);
    puts(hk_file_verdict_text(verdict));
    return verdict != HK_FILE_OK;
}

static uint8_t *store_be32(uint8_t *to, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *to++ = (uint8_t)(word >> shift);
    return to;
}

/* An entry without what stat would tell: git looks at the file when it needs
 * that. Padded with 1 to 8 zero bytes to a multiple of 8. */
static void write_entry(hk_file *file, uint32_t mode, const uint8_t *id,
                        size_t id_size, const char *name)
{
    static const uint8_t zeros[8];
    uint8_t head[4 * STAT_WORDS + LONGEST_ID + 2], *end = head;
    size_t name_size = strlen(name);
    size_t flag = name_size < LONGEST_FLAG ? name_size : LONGEST_FLAG;

    for (int word = 0; word < STAT_WORDS; word++)
        end = store_be32(end, word == MODE_WORD ? mode : 0);
    memcpy(end, id, id_size);
    end += id_size;
    *end++ = (uint8_t)(flag >> 8);
    *end++ = (uint8_t)flag;
    must(hk_file_write(file, head, (size_t)(end - head)), "entry");
    must(hk_file_write(file, name, name_size), "name");
    must(hk_file_write(file, zeros, 8 - ((size_t)(end - head) + name_size) % 8),
         "padding");
}

/* Hexadecimal digits up to a tab; the number of bytes, 0 if it is no id. */
static size_t parse_id(const char *text, uint8_t *id)
{
    size_t size = 0;
    unsigned byte;

    while (*text != '\t' && size < LONGEST_ID &&
           sscanf(text, "%2x", &byte) == 1) {
        id[size++] = (uint8_t)byte;
        text += 2;
    }
    return *text == '\t' ? size : 0;
}

static int write_index(const char *algorithm, const char *buffer)
{
    hk_file *file =
        hk_file_create(STDOUT_FILENO, algorithm, strtoul(buffer, NULL, 10));
    uint8_t header[12], *end = header;
    char *line = NULL, *listing = NULL;
    size_t room = 0, size = 0, count = 0;
    FILE *kept = open_memstream(&listing, &size);

    if (!file || !kept)
        die("create");
    while (getdelim(&line, &room, '\0', stdin) > 0) {
        fwrite(line, 1, strlen(line) + 1, kept);
        count++;
    }
    must(fclose(kept), "memory");

    memcpy(end, "DIRC", 4);
    end = store_be32(end + 4, 2);
    store_be32(end, (uint32_t)count);
    must(hk_file_write(file, header, sizeof header), "header");
    for (const char *at = listing; at < listing + size; at += strlen(at) + 1) {
        unsigned mode;
        int id_at = 0;
        uint8_t id[LONGEST_ID];
        size_t id_size;
        hk_file_checkpoint here;

        if (sscanf(at, "%o %*s %n", &mode, &id_at) < 1 || !id_at)
            die("no line of ls-tree");
        id_size = parse_id(at + id_at, id);
        if (!id_size)
            die("no object id");
        must(hk_file_checkpoint_here(file, &here), "checkpoint");
        write_entry(file, mode, id, id_size, "not of this repository");
        must(hk_file_truncate(file, &here), "truncate");
        write_entry(file, mode, id, id_size, strchr(at, '\t') + 1);
    }
    must(hk_file_finalize(file, HK_FILE_TRAILER | HK_FILE_FSYNC, NULL), "end");
    free(line);
    free(listing);
    return 0;
}

int main(int argc, char **argv)
{
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "verify"))
        return verify(argv[2], argv[3]);
    if (argc == 4 && !strcmp(argv[1], "index"))
        return write_index(argv[2], argv[3]);
    fputs("usage: hashed verify ALGORITHM [LENGTH] | index ALGORITHM BUFFER\n",
          stderr);
    return 2;
}
