/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * cavp.c - NIST's Cryptographic Algorithm Validation Program: vectors
 *
 * test/vectors/<name>.cavp, as test/vectors/from_cavp.py describes it: short
 * and long messages, and the Monte Carlo test of the SHA Validation System
 * (section 6.4): 100 checkpoints of 1000 digests each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "messages.h"

/* The whole file, which is kept. */
static const uint8_t *load(const char *name)
{
    static struct {
        const char *name;
        uint8_t *contents;
    } loaded[8];
    size_t i = 0;
    char path[300];
    FILE *file;
    long size;

    while (loaded[i].name && strcmp(loaded[i].name, name))
        i++;
    if (loaded[i].name)
        return loaded[i].contents;
    snprintf(path, sizeof path, "%s/test/vectors/%s.cavp", settings.tree, name);
    file = fopen(path, "rb");
    if (!file)
        fail("cannot open %s (see --tree)", path);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    loaded[i].contents = malloc((size_t)size);
    if (!loaded[i].contents ||
        fread(loaded[i].contents, 1, (size_t)size, file) != (size_t)size)
        fail("cannot read %s", path);
    fclose(file);
    loaded[i].name = name;
    return loaded[i].contents;
}

static uint32_t number(const uint8_t **at)
{
    uint32_t value = (uint32_t)(*at)[0] | (uint32_t)(*at)[1] << 8 |
                     (uint32_t)(*at)[2] << 16 | (uint32_t)(*at)[3] << 24;

    *at += 4;
    return value;
}

static void hash(const struct message_api *api, const struct hk_kernel *row,
                 const uint8_t *data, size_t size, uint8_t *digest)
{
    union any_ctx ctx;

    api->init(&ctx);
    message_use(&ctx, row);
    api->update(&ctx, data, size);
    api->final(&ctx, digest);
}

/* Each digest is that of the three before it. */
static void monte_carlo(const struct message_api *api,
                        const struct hk_kernel *row, const uint8_t *at)
{
    size_t size = api->digest;
    unsigned checkpoints = repeat(100);
    uint8_t window[4 * MAX_DIGEST];

    for (unsigned i = 0; i < checkpoints; i++, at += size) {
        for (unsigned j = 0; j < 3; j++)
            memcpy(window + j * size, at, size);
        for (unsigned j = 0; j < 1000; j++) {
            hash(api, row, window, 3 * size, window + 3 * size);
            memmove(window, window + size, 3 * size);
        }
        same_bytes(window + 2 * size, at + size, size,
                   "%s Monte Carlo checkpoint %u", api->name, i);
    }
}

void cavp(const struct message_api *api, const struct hk_kernel *row)
{
    /* sha1dc hashes as sha1 does. */
    const uint8_t *at = load(strcmp(api->name, "sha1dc") ? api->name : "sha1");
    uint32_t count = number(&at);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = number(&at);
        uint8_t digest[MAX_DIGEST];

        hash(api, row, at, size, digest);
        same_bytes(digest, at + size, api->digest, "%s of vector %u, %u bytes",
                   api->name, i, size);
        at += size + api->digest;
    }
    monte_carlo(api, row, at);
}
