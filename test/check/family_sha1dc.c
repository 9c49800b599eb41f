/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * family_sha1dc.c - collision-detecting kernels: (state, data, blocks, masks)
 *
 * Masks are compared with the published conditions themselves, attacks are
 * staged for every vector, and everything is compared with the row "ref".
 */
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "banner.h"
#include "check.h"

enum { STATE = 40, BLOCKS = 70, ALIGNMENTS = 64 };

static uint8_t data_buffer[BLOCKS * 64 + ALIGNMENTS];

static size_t call_row(const struct hk_kernel *row, uint32_t state[10],
                       const uint8_t *data, size_t nblocks, uint32_t masks[])
{
    uintptr_t argument[4] = {(uintptr_t)state, (uintptr_t)data, nblocks,
                             (uintptr_t)masks};

    return (size_t)call(row->function, 4, argument);
}

static hk_sha1dc_kernel *reference(void)
{
    return (hk_sha1dc_kernel *)reference_of("sha1dc");
}

/* The state at the beginning of a hash in mid-message. */
static void random_state(uint32_t state[10])
{
    random_bytes(state, STATE / 2);
    memcpy(state + 5, state, STATE / 2);
}

/* The same blocks from the same state, by the row and by the reference. */
static void compare_from(const struct hk_kernel *row, uint32_t state[10],
                         const uint8_t *data, size_t nblocks, const char *what)
{
    uint32_t want[10], want_masks[BLOCKS], masks[BLOCKS], unseen[10];
    size_t stop, want_stop;

    memcpy(want, state, STATE);
    memcpy(unseen, state, STATE);
    want_stop = reference()(want, data, nblocks, want_masks);
    stop = call_row(row, state, data, nblocks, masks);
    if (stop != want_stop)
        fail("returned %zu, not %zu, of %zu blocks%s", stop, want_stop, nblocks,
             what);
    same_bytes(state, want, STATE, "state after %zu blocks%s", nblocks, what);
    same_bytes(masks, want_masks,
               sizeof *masks * (want_stop ? want_stop : nblocks),
               "masks of %zu blocks%s", nblocks, what);

    stop = call_row(row, unseen, data, nblocks, NULL);
    if (stop != want_stop)
        fail("returned %zu, not %zu, of %zu blocks without masks%s", stop,
             want_stop, nblocks, what);
    same_bytes(unseen, want, STATE, "state after %zu blocks without masks%s",
               nblocks, what);
}

static void compare(const struct hk_kernel *row, const uint8_t *data,
                    size_t nblocks, const char *what)
{
    uint32_t state[10];

    random_state(state);
    compare_from(row, state, data, nblocks, what);
}

static const uint8_t *mixed_data(void)
{
    mixed_blocks(data_buffer, BLOCKS);
    random_bytes(data_buffer + BLOCKS * 64, ALIGNMENTS);
    return data_buffer;
}

static void counts(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();

    for (size_t n = 0; n < BLOCKS; n++)
        compare(row, data, n, "");
}

static void random_calls(const struct hk_kernel *row)
{
    for (unsigned i = 0; i < repeat(2000); i++) {
        const uint8_t *data = i % 50 ? data_buffer : mixed_data();

        compare(row, data + 64 * random_below(BLOCKS / 2),
                random_below(BLOCKS / 6), "");
    }
}

static void alignments(const struct hk_kernel *row)
{
    static const size_t some[] = {1, 2, 3, 5, 8};
    static uint8_t moved[BLOCKS * 64 + ALIGNMENTS];
    const uint8_t *data = mixed_data();

    for (unsigned offset = 0; offset < ALIGNMENTS; offset++)
        for (size_t i = 0; i < COUNT(some); i++) {
            char what[40];

            snprintf(what, sizeof what, " at alignment %u", offset);
            memcpy(moved + offset, data, BLOCKS * 64);
            compare(row, moved + offset, some[i], what);
        }
}

static void extremes(const struct hk_kernel *row)
{
    static const uint8_t fills[] = {0x00, 0xff, 0x80, 0x7f, 0x01};

    for (size_t i = 0; i < COUNT(fills); i++) {
        memset(data_buffer, fills[i], sizeof data_buffer);
        for (size_t n = 1; n < 10; n++)
            compare(row, data_buffer, n, " of equal bytes");
    }
}

/* A long run is the same as its pieces, the state carried over. */
static void resumes(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();

    for (size_t first = 0; first < 12; first++) {
        uint32_t whole[10], parts[10];

        random_state(whole);
        memcpy(parts, whole, STATE);
        call_row(row, whole, data, 12, NULL);
        call_row(row, parts, data, first, NULL);
        call_row(row, parts, data + first * 64, 12 - first, NULL);
        same_bytes(parts, whole, STATE, "%zu blocks, then %zu", first,
                   12 - first);
    }
}

static void zero_blocks(const struct hk_kernel *row)
{
    uint32_t *state = at_end(STATE);
    uint8_t before[STATE];

    random_bytes(state, STATE); /* halves that differ are kept as well */
    memcpy(before, state, STATE);
    if (call_row(row, state, no_access(), 0, no_access()))
        fail("found an attack in no block");
    same_bytes(state, before, STATE, "state after no block");
}

static void guard_data(const struct hk_kernel *row)
{
    for (size_t n = 1; n < 18; n++) {
        uint8_t *end = at_end(n * 64), *start = at_start(n * 64);

        mixed_blocks(end, n);
        compare(row, end, n, " that end at an unreadable page");
        mixed_blocks(start, n);
        compare(row, start, n, " that start after an unreadable page");
        guard_release();
    }
}

static void guard_state(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();

    for (size_t n = 1; n < 9; n++) {
        uint32_t *end = at_end(STATE), *start = at_start(STATE);

        random_state(end);
        compare_from(row, end, data, n,
                     " with the state before an unreadable page");
        random_state(start);
        compare_from(row, start, data, n,
                     " with the state after an unreadable page");
        guard_release();
    }
}

static void guard_masks(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();
    uint32_t want[BLOCKS], state[10];

    masks_of(data, BLOCKS, want);
    for (size_t n = 1; n < 18; n++) {
        uint32_t *end = at_end(n * 4), *start = at_start(n * 4);

        random_state(state);
        call_row(row, state, data, n, end);
        same_bytes(end, want, n * 4, "%zu masks before an unreadable page", n);
        random_state(state);
        call_row(row, state, data, n, start);
        same_bytes(start, want, n * 4, "%zu masks after an unreadable page", n);
        guard_release();
    }
}

/* State and masks have the alignment of their word and no more. */
static void word_alignment(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();
    uint32_t want[BLOCKS], room[BLOCKS + ALIGNMENTS / 4];

    masks_of(data, BLOCKS, want);
    for (size_t offset = 0; offset < ALIGNMENTS / 4; offset++) {
        uint32_t state[10];

        random_state(room + offset);
        compare_from(row, room + offset, data, 9,
                     " with the state at an odd word");
        random_state(state);
        call_row(row, state, data, 9, room + offset);
        same_bytes(room + offset, want, 9 * 4, "masks at an odd word");
    }
}

/* Writes nothing around state and masks, and nothing to the data. */
static void writes(const struct hk_kernel *row)
{
    uint32_t room[10 + 32], before[10 + 32];
    static uint8_t copy[sizeof data_buffer];

    memcpy(copy, mixed_data(), sizeof copy);
    for (size_t n = 1; n < 9; n++) {
        random_bytes(before, sizeof before);
        memcpy(room, before, sizeof room);
        random_state(room + 16);
        compare_from(row, room + 16, data_buffer, n, "");
        same_bytes(room, before, 64, "memory before the state");
        same_bytes(room + 26, before + 26, 64, "memory after the state");

        memcpy(room, before, sizeof room);
        random_state(before);
        call_row(row, before, data_buffer, n, room + 16);
        same_bytes(room + 16 + n, before + 16 + n, 64,
                   "memory after the masks");
        same_bytes(data_buffer, copy, sizeof copy, "the data");
    }
}

/* ---- masks --------------------------------------------------------------- */

static void masks(const struct hk_kernel *row)
{
    enum { CHUNK = 2048 };
    static uint8_t data[CHUNK * 64];
    static uint32_t got[CHUNK], want[CHUNK];
    hk_sha1_kernel *sha1 = (hk_sha1_kernel *)reference_of("sha1");
    uint32_t state[10], chain[5];
    unsigned chunks = 10000000 / CHUNK + 1;

    if (!strcmp(row->arch, "any"))
        chunks /= 10;
    if (settings.quick)
        chunks = 100000 / CHUNK + 1;
    for (unsigned i = 0; i < chunks; i++) {
        mixed_blocks(data, CHUNK);
        masks_of(data, CHUNK, want);
        random_state(state);
        memcpy(chain, state, sizeof chain);
        if (call_row(row, state, data, CHUNK, got))
            fail("found an attack in random blocks");
        for (unsigned n = 0; n < CHUNK; n++)
            if (got[n] != want[n])
                fail("mask %08x, not %08x, of block %u", got[n], want[n], n);
        if (i % 16)
            continue;
        sha1(chain, data, CHUNK);
        same_bytes(state, chain, sizeof chain, "chaining value");
        same_bytes(state + 5, chain, sizeof chain, "second chaining value");
    }
}

/* ---- attacks ------------------------------------------------------------- */

/* A block in the buffer, an attack with this vector staged on it: the row must
 * see it, and must not after any bit of what is added is changed. */
static void attack(const struct hk_kernel *row, const uint8_t *data,
                   unsigned vector, size_t nblocks)
{
    uint32_t start[5], feed[5], state[10];
    char what[60];

    random_bytes(start, sizeof start);
    stage(data, start, vector, feed);
    memcpy(state, start, sizeof start);
    memcpy(state + 5, feed, sizeof feed);
    snprintf(what, sizeof what, ", an attack with %.8s in the first",
             vectors[vector].name);
    compare_from(row, state, data, nblocks, what);

    memcpy(state, start, sizeof start);
    memcpy(state + 5, feed, sizeof feed);
    if (call_row(row, state, data, nblocks, NULL) != 1)
        fail("missed an attack with %.8s, %zu blocks", vectors[vector].name,
             nblocks);
    for (unsigned bit = 0; bit < 160; bit++) {
        memcpy(state, start, sizeof start);
        memcpy(state + 5, feed, sizeof feed);
        state[5 + bit / 32] ^= (uint32_t)1 << bit % 32;
        if (call_row(row, state, data, nblocks, NULL))
            fail("attack with %.8s although bit %u is wrong, %zu blocks",
                 vectors[vector].name, bit, nblocks);
    }
}

/* Every vector, alone and among the others that the block may belong to,
 * followed by blocks of all kinds. */
static void attacks(const struct hk_kernel *row)
{
    mixed_data();
    for (unsigned v = 0; v < VECTORS; v++) {
        struct crafter one;

        craft_for(&one, v);
        for (unsigned i = 0; i < 7; i++) {
            craft(&one, data_buffer);
            attack(row, data_buffer, v, 1 + i);
        }
    }
    for (unsigned i = 0; i < repeat(20); i++) {
        struct crafter many;

        mixed_data();
        craft_for_many(&many);
        craft(&many, data_buffer);
        for (unsigned v = 0; v < VECTORS; v++)
            if (many.set >> v & 1)
                attack(row, data_buffer, v, 1 + random_below(7));
    }
}

/* Candidates in every block, up to twelve in each, or in runs of a few blocks
 * up to the last one: whatever waits to be tried overflows. */
static void crowded(const struct hk_kernel *row)
{
    mixed_data();
    for (unsigned i = 0; i < repeat(40); i++) {
        size_t first = 0, n = 1 + random_below(BLOCKS);
        struct crafter many;

        for (size_t k = 0; k < n; k++) {
            if (k == first)
                craft_for_many(&many);
            craft(&many, data_buffer + 64 * k);
            if (i % 2 && random_below(5) == 0) {
                size_t plain = random_below(6);

                if (plain > n - k - 1)
                    plain = n - k - 1;
                k += plain;
                first = k + 1;
            }
        }
        craft(&many, data_buffer + 64 * (n - 1));
        compare(row, data_buffer, n, ", most with candidates");
    }
}

/* Real attacks from their initial value, other blocks behind them. The hash
 * goes on after each. */
static void collisions(const struct hk_kernel *row)
{
    static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                        0x10325476, 0xc3d2e1f0};
    static uint8_t data[COLLISION_MAX + 64 * 20];

    mixed_data();
    for (size_t i = 0; i < COUNT(collision_files); i++) {
        size_t blocks = collision_file(collision_files[i], data) / 64;
        bool reduced = strstr(collision_files[i], "reduced");

        for (size_t more = 0; more < 20; more++) {
            uint32_t state[10];
            size_t stop;

            memcpy(data + 64 * blocks, data_buffer, 64 * more);
            memcpy(state, initial, 20);
            memcpy(state + 5, initial, 20);
            stop = call_row(row, state, data, blocks + more, NULL);
            if (stop != (reduced ? 0 : blocks))
                fail("%s: returned %zu, %zu blocks follow", collision_files[i],
                     stop, more);
            memcpy(state, initial, 20);
            memcpy(state + 5, initial, 20);
            compare_from(row, state, data, blocks + more, " with a collision");
            if (!stop)
                continue;
            memcpy(state + 5, state, 20);
            compare_from(row, state, data + 64 * stop, more,
                         " after a collision");
        }
    }
}

/* The chaining value in front of a real attack can be had from any block, by
 * what is added to it. So a collision in the second block and later can follow
 * any kind of first block. */
static void collisions_later(const struct hk_kernel *row)
{
    static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe,
                                        0x10325476, 0xc3d2e1f0};
    static uint8_t data[64 + COLLISION_MAX + 64 * 8];
    hk_sha1_kernel *sha1 = (hk_sha1_kernel *)reference_of("sha1");

    for (size_t i = 0; i < COUNT(collision_files) - 1; i++) {
        uint8_t file[COLLISION_MAX];
        size_t blocks = collision_file(collision_files[i], file) / 64;
        uint32_t chain[5];

        memcpy(chain, initial, sizeof chain);
        for (size_t from = 0; from < blocks; from++) {
            for (unsigned round = 0; round < repeat(40); round++) {
                size_t left = blocks - from, more = random_below(9), stop;
                uint32_t state[10], again[10], after[5];
                struct crafter many;

                mixed_blocks(data, 1 + left + more);
                if (round % 2) {
                    craft_for_many(&many);
                    craft(&many, data);
                }
                memcpy(data + 64, file + 64 * from, 64 * left);
                random_bytes(state, 20);
                memcpy(after, state, 20);
                sha1(after, data, 1);
                for (unsigned n = 0; n < 5; n++)
                    state[5 + n] = chain[n] - (after[n] - state[n]);
                memcpy(again, state, STATE);
                compare_from(row, state, data, 1 + left + more,
                             " with a collision behind one block");
                stop = call_row(row, again, data, 1 + left + more, NULL);
                if (stop != 1 + left)
                    fail("returned %zu, not %zu, of %zu blocks", stop, 1 + left,
                         1 + left + more);
            }
            sha1(chain, file + 64 * from, 1);
        }
    }
}

/* ---- other ways to enter ------------------------------------------------- */

#if defined(__x86_64__) || defined(__i386__)
static void clean_upper_halves(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();

    call_options.clean_upper = true;
    for (size_t n = 0; n < 20; n++)
        compare(row, data, n, " entered with clean upper halves");
}
#endif

#ifdef __i386__
static void stack_alignment(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();

    for (unsigned offset = 0; offset < 16; offset += 4) {
        call_options.misalign = offset;
        for (size_t n = 0; n < 9; n++)
            compare(row, data, n, " on an oddly aligned stack");
    }
}
#endif

static void stack_use(const struct hk_kernel *row)
{
    const uint8_t *data = mixed_data();
    size_t promised = banner_stack(row);

    for (size_t n = 0; n < BLOCKS; n++) {
        compare(row, data, n, "");
        if (call_stack_used() > promised)
            fail("uses %zu bytes of stack for %zu blocks, the banner says %zu",
                 call_stack_used(), n, promised);
    }
}

static const char *const algorithms[] = {"sha1dc", NULL};

static const struct row_test tests[] = {
    {"counts", counts, ANY_ROW},
    {"random", random_calls, ANY_ROW},
    {"alignments", alignments, ANY_ROW},
    {"extremes", extremes, ANY_ROW},
    {"resumes", resumes, ANY_ROW},
    {"zero-blocks", zero_blocks, ANY_ROW},
    {"guard-data", guard_data, ANY_ROW},
    {"guard-state", guard_state, ANY_ROW},
    {"guard-masks", guard_masks, ANY_ROW},
    {"word-alignment", word_alignment, ANY_ROW},
    {"writes", writes, ANY_ROW},
    {"masks", masks, ANY_ROW},
    {"attacks", attacks, ANY_ROW},
    {"crowded", crowded, ANY_ROW},
    {"collisions", collisions, ANY_ROW},
    {"collisions-later", collisions_later, ANY_ROW},
    {"stack-use", stack_use, ASM_ROW},
#if defined(__x86_64__) || defined(__i386__)
    {"clean-upper-halves", clean_upper_halves, ANY_ROW},
#endif
#ifdef __i386__
    {"stack-alignment", stack_alignment, ASM_ROW},
#endif
    {NULL, NULL, ANY_ROW},
};

const struct family family_sha1dc = {"sha1dc", algorithms, tests};
