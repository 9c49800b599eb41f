/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * xcheck_main.c - runs single instructions on given registers and memory
 *
 * Reads requests from standard input, each the number of a unit (32 bits) and
 * the registers before it; answers with the registers after it, the number of
 * 32-bit words of memory that changed, and for each its index and value. The
 * units and what surrounds them are written by xcheck_stub.py.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SCRATCH_WORDS (65536 / 4)
#define FILL_START    (SCRATCH_WORDS / 2 - 64)
#define FILL_END      (SCRATCH_WORDS / 2 + 256)

struct unit {
    void (*enter)(void *); /* loads the registers, then jumps to the code */
    void *code;
    void *fill; /* if not null, memory about its middle holds this address */
};

extern const struct unit xcheck_units[];
extern uint8_t xcheck_context[];
extern const uint32_t xcheck_context_size;
extern uint32_t xcheck_scratch[SCRATCH_WORDS];

static uint32_t pattern[SCRATCH_WORDS], filled[SCRATCH_WORDS];

/* The contents of memory before each unit; xcheck_sides.py makes the same. */
static void make_pattern(void)
{
    uint32_t x = 1;

    for (unsigned i = 0; i < SCRATCH_WORDS; i++) {
        x = x * 1664525 + 1013904223;
        pattern[i] = x ^ x >> 15;
    }
}

static const uint32_t *before(const struct unit *unit)
{
    if (!unit->fill)
        return pattern;
    memcpy(filled, pattern, sizeof filled);
    for (unsigned i = FILL_START; i < FILL_END; i += sizeof(void *) / 4)
        memcpy(&filled[i], &unit->fill, sizeof unit->fill);
    return filled;
}

int main(void)
{
    uint32_t number;

    make_pattern();
    while (fread(&number, sizeof number, 1, stdin) == 1) {
        const struct unit *unit = &xcheck_units[number];
        const uint32_t *old = before(unit);
        uint32_t changes = 0;

        if (fread(xcheck_context, xcheck_context_size, 1, stdin) != 1)
            return 1;
        memcpy(xcheck_scratch, old, sizeof pattern);
        unit->enter(unit->code);
        fwrite(xcheck_context, xcheck_context_size, 1, stdout);
        for (uint32_t i = 0; i < SCRATCH_WORDS; i++)
            changes += xcheck_scratch[i] != old[i];
        fwrite(&changes, sizeof changes, 1, stdout);
        for (uint32_t i = 0; i < SCRATCH_WORDS; i++) {
            if (xcheck_scratch[i] != old[i]) {
                fwrite(&i, sizeof i, 1, stdout);
                fwrite(&xcheck_scratch[i], 4, 1, stdout);
            }
        }
        fflush(stdout); /* the next may be the last */
    }
    return 0;
}
