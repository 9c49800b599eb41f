/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc.c - fuzz target: every collision-detecting row against "ref"
 *
 * The input is read as a little program that makes blocks, since blocks at
 * random hardly ever satisfy the conditions of a vector:
 *
 *     byte 0        rows are called with an array for masks if it is odd
 *     byte 1        vector of an attack to be staged on the first block; none
 *                   from 32 on
 *     20 bytes      the chaining value
 *     then for each block 4 bytes, a set of vectors, and 64 bytes, the block,
 *     which is changed as little as it takes to satisfy as many of the set as
 *     can be satisfied
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "check.h"

enum { BLOCKS = 40, HEAD = 22, RECORD = 68 };

struct settings settings = {.tree = "."};
HK_SHA1DC_KERNEL(hk_sha1dc_ref);

/* What attack.c needs of the check program. */
void fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

static size_t read_blocks(const uint8_t *input, size_t size,
                          uint8_t data[BLOCKS * 64])
{
    size_t n;

    for (n = 0; n < BLOCKS && size >= RECORD; n++) {
        struct crafter crafter = {0};
        uint32_t set;

        memcpy(&set, input, 4);
        memcpy(data + 64 * n, input + 4, 64);
        for (unsigned v = 0; v < VECTORS; v++)
            if (set >> v & 1)
                craft_join(&crafter, v);
        craft_nearby(&crafter, data + 64 * n);
        input += RECORD;
        size -= RECORD;
    }
    return n;
}

static void compare(const struct hk_kernel *row, const uint32_t state[10],
                    const uint8_t *data, size_t nblocks, bool want_masks)
{
    uint32_t want[10], got[10], masks[BLOCKS], row_masks[BLOCKS];
    hk_sha1dc_kernel *kernel = (hk_sha1dc_kernel *)row->function;
    size_t stop, row_stop;

    memcpy(want, state, sizeof want);
    memcpy(got, state, sizeof got);
    stop = hk_sha1dc_ref(want, data, nblocks, masks);
    row_stop = kernel(got, data, nblocks, want_masks ? row_masks : NULL);
    if (row_stop != stop)
        fail("%s: returned %zu, not %zu", row->name, row_stop, stop);
    if (memcmp(got, want, sizeof got))
        fail("%s: another state", row->name);
    if (want_masks && memcmp(row_masks, masks, 4 * (stop ? stop : nblocks)))
        fail("%s: other masks", row->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint32_t state[10];
    size_t nblocks, count;
    const struct hk_kernel *rows = hk_kernels(&count);
    uint8_t *data, room[BLOCKS * 64];

    attack_load();
    if (size < HEAD)
        return 0;
    nblocks = read_blocks(input + HEAD, size - HEAD, room);
    memcpy(state, input + 2, 20);
    memcpy(state + 5, state, 20);
    if (nblocks && input[1] < VECTORS)
        stage(room, state, input[1], state + 5);

    /* On the heap, where a byte too far is noticed in what C reads. */
    data = malloc(64 * nblocks + !nblocks);
    memcpy(data, room, 64 * nblocks);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(rows[i].algorithm, "sha1dc") &&
            !(rows[i].needs & ~hk_cpu_features()))
            compare(&rows[i], state, data, nblocks, input[0] & 1);
    free(data);
    return 0;
}
