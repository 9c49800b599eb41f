/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * guard.c - memory with an unreadable page directly before and after it
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

struct block {
    uint8_t *map;
    size_t map_size;
    uint8_t *start;
    size_t size;
};

static struct block blocks[40];
static unsigned used;

/* Maps room for size bytes with a guard page at both ends. */
static struct block *map_block(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = (size + page - 1) / page * page;
    struct block *b = &blocks[used];

    if (used == COUNT(blocks))
        fail("the test uses too many guarded blocks");
    b->map_size = room + 2 * page;
    b->map =
        mmap(NULL, b->map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b->map == MAP_FAILED)
        fail("mmap of %zu bytes", b->map_size);
    if (room && mprotect(b->map + page, room, PROT_READ | PROT_WRITE))
        fail("mprotect of %zu bytes", room);
    b->start = b->map + page;
    b->size = size;
    used++;
    return b;
}

void *at_start(size_t size)
{
    return map_block(size)->start;
}

void *at_end(size_t size)
{
    struct block *b = map_block(size);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    b->start = b->map + b->map_size - page - size;
    return b->start;
}

void *no_access(void)
{
    return at_start(0);
}

void guard_release(void)
{
    while (used) {
        used--;
        munmap(blocks[used].map, blocks[used].map_size);
    }
}

const char *guard_explain(uintptr_t address)
{
    static char text[80];

    for (unsigned i = 0; i < used; i++) {
        const struct block *b = &blocks[i];
        uintptr_t start = (uintptr_t)b->start;

        if (address - (uintptr_t)b->map >= b->map_size)
            continue;
        if (address < start)
            snprintf(text, sizeof text, "%zu before the start of the %zu bytes",
                     (size_t)(start - address), b->size);
        else
            snprintf(text, sizeof text, "%zu past the end of the %zu bytes",
                     (size_t)(address - start - b->size), b->size);
        return text;
    }
    return NULL;
}
