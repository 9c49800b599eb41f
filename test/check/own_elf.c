/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * own_elf.c - sections and symbols of the running program, from /proc/self/exe
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "check.h"
#include "own_elf.h"

typedef ElfW(Ehdr) file_header;
typedef ElfW(Shdr) section_header;
typedef ElfW(Sym) symbol;

static const uint8_t *file(void)
{
    static const uint8_t *map;
    struct stat status;
    void *all;
    int fd;

    if (map)
        return map;
    fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status))
        fail("cannot read /proc/self/exe");
    all = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (all == MAP_FAILED)
        fail("cannot map /proc/self/exe");
    map = all;
    return map;
}

static const section_header *sections(unsigned *count)
{
    const file_header *header = (const file_header *)file();

    *count = header->e_shnum;
    return (const section_header *)(file() + header->e_shoff);
}

static const section_header *find(const char *name)
{
    unsigned count;
    const section_header *all = sections(&count);
    unsigned names = ((const file_header *)file())->e_shstrndx;

    for (unsigned i = 0; i < count; i++)
        if (!strcmp((const char *)file() + all[names].sh_offset +
                        all[i].sh_name,
                    name))
            return &all[i];
    return NULL;
}

const uint8_t *elf_section(const char *name, size_t *size, uintptr_t *address)
{
    const section_header *section = find(name);

    if (!section)
        return NULL;
    *size = section->sh_size;
    *address = section->sh_addr;
    return file() + section->sh_offset;
}

static const symbol *symbols(size_t *count, const char **names)
{
    const section_header *table = find(".symtab"), *strings = find(".strtab");

    if (!table || !strings)
        fail("the check program was stripped of its symbols");
    *count = table->sh_size / sizeof(symbol);
    *names = (const char *)file() + strings->sh_offset;
    return (const symbol *)(file() + table->sh_offset);
}

uintptr_t elf_bias(void)
{
    static uintptr_t bias;
    static bool known;
    size_t count;
    const char *names;
    const symbol *all = symbols(&count, &names);

    for (size_t i = 0; !known && i < count; i++)
        if (!strcmp(names + all[i].st_name, "hk_tramp_call")) {
            bias = (uintptr_t)hk_tramp_call - all[i].st_value;
            known = true;
        }
    return bias;
}

size_t elf_function_size(uintptr_t start)
{
    size_t count;
    const char *names;
    const symbol *all = symbols(&count, &names);

    for (size_t i = 0; i < count; i++)
        if ((all[i].st_info & 15) == STT_FUNC &&
            (all[i].st_value & ~(uintptr_t)1) == start - elf_bias())
            return all[i].st_size;
    return 0;
}

void elf_mark(uintptr_t start, size_t size, char *marks)
{
    uintptr_t file_start = start - elf_bias();
    size_t count;
    const char *names;
    const symbol *all = symbols(&count, &names);

    for (size_t i = 0; i < count; i++)
        if (names[all[i].st_name] == '$' && all[i].st_value - file_start < size)
            marks[(all[i].st_value - file_start) / 2] =
                names[all[i].st_name + 1];
}
