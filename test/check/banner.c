/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * banner.c - reads the banner at the top of a kernel's source
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "banner.h"
#include "check.h"

static FILE *open_source(const struct hk_kernel *row)
{
    bool nasm = !strcmp(row->arch, "x86_64") || !strcmp(row->arch, "i386");
    const char *suffix = nasm ? "asm" : "S";
    char path[300];
    FILE *file;

    if (!strncmp(row->name, "broken_", 7))
        snprintf(path, sizeof path, "%s/test/broken/%s.%s", settings.tree,
                 row->arch, suffix);
    else
        snprintf(path, sizeof path, "%s/asm/%s/%s.%s", settings.tree, row->arch,
                 row->name, suffix);
    file = fopen(path, "r");
    if (!file)
        fail("cannot open %s (see --tree)", path);
    return file;
}

size_t banner_stack(const struct hk_kernel *row)
{
    char line[200];
    unsigned bytes = 0;
    bool found = false;
    FILE *file;

    if (!strcmp(row->arch, "any"))
        return SIZE_MAX;
    file = open_source(row);
    while (!found && fgets(line, sizeof line, file))
        found = sscanf(line, "%*[;* ]Stack %u", &bytes) == 1;
    fclose(file);
    if (!found)
        fail("the banner of %s does not say how much stack it uses", row->name);
    return bytes;
}
