/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * family_block.c - block kernels: (state, data, number of blocks)
 *
 * Each is compared with the row "ref" of its algorithm, block by block.
 */
#include <stdio.h>
#include <string.h>

#include "banner.h"
#include "block.h"
#include "check.h"
#include "messages.h"
#include "stepped.h"
#include "undefined.h"

const struct block_algorithm block_algorithms[] = {
    /* name, bytes in a word, words in the state, bytes in a block */
    {"sha1", 4, 5, 64},
    {"sha256", 4, 8, 64},
    {"sha512", 8, 8, 128},
    {NULL, 0, 0, 0},
};

enum { STATE = 64, BLOCK = 128, BLOCKS = 66, ALIGNMENTS = 64 };

const struct block_algorithm *block_algorithm(const char *name)
{
    const struct block_algorithm *a = block_algorithms;

    while (a->name && strcmp(a->name, name))
        a++;
    return a;
}

static size_t state_size(const struct block_algorithm *a)
{
    return a->word * a->state_words;
}

static void call_row(const struct hk_kernel *row, void *state,
                     const uint8_t *data, size_t nblocks)
{
    uintptr_t argument[3] = {(uintptr_t)state, (uintptr_t)data, nblocks};

    call(row->function, 3, argument);
}

/* Hashes the same blocks from the same random state with the row and with the
 * reference, which takes them one at a time. State lies where it is given. */
static void compare_at(const struct hk_kernel *row, void *state,
                       const uint8_t *data, size_t nblocks, const char *what)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    block_kernel *reference = (block_kernel *)reference_of(row->algorithm);
    uint64_t want[STATE / 8];

    random_bytes(state, state_size(a));
    memcpy(want, state, state_size(a));
    for (size_t i = 0; i < nblocks; i++)
        reference(want, data + i * a->block, 1);
    call_row(row, state, data, nblocks);
    same_bytes(state, want, state_size(a), "state after %zu blocks%s", nblocks,
               what);
}

static void compare(const struct hk_kernel *row, const uint8_t *data,
                    size_t nblocks, const char *what)
{
    uint64_t state[STATE / 8];

    compare_at(row, state, data, nblocks, what);
}

static uint8_t data_buffer[BLOCKS * BLOCK + ALIGNMENTS];

static const uint8_t *random_data(void)
{
    random_bytes(data_buffer, sizeof data_buffer);
    return data_buffer;
}

static void counts(const struct hk_kernel *row)
{
    const uint8_t *data = random_data();

    for (size_t n = 0; n < BLOCKS; n++)
        compare(row, data, n, "");
}

static void random_calls(const struct hk_kernel *row)
{
    const uint8_t *data = random_data();

    for (unsigned i = 0; i < repeat(2000); i++)
        compare(row, data + random_below(ALIGNMENTS), random_below(BLOCKS / 6),
                "");
}

static void alignments(const struct hk_kernel *row)
{
    static const size_t some[] = {1, 2, 3, 5, 8};
    const uint8_t *data = random_data();

    for (unsigned offset = 0; offset < ALIGNMENTS; offset++)
        for (size_t i = 0; i < COUNT(some); i++) {
            char what[40];

            snprintf(what, sizeof what, " at alignment %u", offset);
            compare(row, data + offset, some[i], what);
        }
}

/* Extreme words carry and shift in ways that random ones hardly ever do. */
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
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    const uint8_t *data = random_data();

    for (size_t first = 0; first < 12; first++) {
        uint64_t whole[STATE / 8], parts[STATE / 8];

        random_bytes(whole, sizeof whole);
        memcpy(parts, whole, sizeof whole);
        call_row(row, whole, data, 12);
        call_row(row, parts, data, first);
        call_row(row, parts, data + first * a->block, 12 - first);
        same_bytes(parts, whole, state_size(a), "%zu blocks, then %zu", first,
                   12 - first);
    }
}

static void zero_blocks(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    uint8_t *state = at_end(state_size(a));
    uint8_t before[STATE];

    random_bytes(state, state_size(a));
    memcpy(before, state, state_size(a));
    call_row(row, state, no_access(), 0);
    same_bytes(state, before, state_size(a), "state after no block");
}

static void guard_after_data(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);

    skip_if_emulator_overreads(row);
    for (size_t n = 1; n < 18; n++) {
        uint8_t *data = at_end(n * a->block);

        random_bytes(data, n * a->block);
        compare(row, data, n, " that end at an unreadable page");
        guard_release();
    }
}

static void guard_before_data(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);

    for (size_t n = 1; n < 18; n++) {
        uint8_t *data = at_start(n * a->block);

        random_bytes(data, n * a->block);
        compare(row, data, n, " that start after an unreadable page");
        guard_release();
    }
}

static void guard_state(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    const uint8_t *data = random_data();

    for (size_t n = 1; n < 5; n++) {
        compare_at(row, at_end(state_size(a)), data, n,
                   " with the state before an unreadable page");
        compare_at(row, at_start(state_size(a)), data, n,
                   " with the state after an unreadable page");
        guard_release();
    }
}

/* The state has the alignment of its word and no more. */
static void state_alignment(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    uint64_t room[(STATE + ALIGNMENTS) / 8];
    const uint8_t *data = random_data();

    for (size_t offset = 0; offset < ALIGNMENTS; offset += a->word)
        compare_at(row, (uint8_t *)room + offset, data, 2,
                   " with the state at an odd word");
}

/* Writes nothing around the state, and nothing to the data. */
static void writes(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    uint64_t room[STATE / 8 + 16], before[STATE / 8 + 16];
    static uint8_t copy[sizeof data_buffer];

    memcpy(copy, random_data(), sizeof copy);
    random_bytes(before, sizeof before);
    memcpy(room, before, sizeof room);
    compare_at(row, room + 8, data_buffer, 3, "");
    same_bytes(room, before, 64, "memory before the state");
    same_bytes((uint8_t *)(room + 8) + state_size(a),
               (uint8_t *)(before + 8) + state_size(a),
               sizeof room - 64 - state_size(a), "memory after the state");
    same_bytes(data_buffer, copy, sizeof copy, "the data");
}

/* Every call above was judged; the next tests enter in other ways. */
#if defined(__x86_64__) || defined(__i386__)
static void clean_upper_halves(const struct hk_kernel *row)
{
    const uint8_t *data = random_data();

    call_options.clean_upper = true;
    for (size_t n = 0; n < 10; n++)
        compare(row, data, n, " entered with clean upper halves");
}
#endif

#ifdef __i386__
static void stack_alignment(const struct hk_kernel *row)
{
    const uint8_t *data = random_data();

    for (unsigned offset = 0; offset < 16; offset += 4) {
        call_options.misalign = offset;
        for (size_t n = 0; n < 5; n++)
            compare(row, data, n, " on an oddly aligned stack");
    }
}
#endif

/* As if an interrupt and a debugger came before every instruction. */
static void every_instruction(const struct hk_kernel *row)
{
    const uint8_t *data = random_data();

    stepped_judge(row);
    for (size_t n = 0; n < 3; n++)
        compare(row, data, n, " with memory below the stack overwritten");
}

#if defined(__arm__) || defined(__aarch64__)
static void byte_loads(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);

    stepped_byte_loads(random_data(), 2 * a->block);
    compare(row, data_buffer, 2, "");
}
#endif

/* valgrind watches: data and state are secret, and there is nothing around the
 * data. */
static void constant_time(const struct hk_kernel *row)
{
    const struct block_algorithm *a = block_algorithm(row->algorithm);
    uint8_t *data = data_buffer + a->block;
    uint64_t state[STATE / 8];

    random_data();
    for (size_t n = 0; n < 6; n++) {
        size_t size = n * a->block;
        unsigned long before = VALGRIND_COUNT_ERRORS;

        random_bytes(state, sizeof state);
        VALGRIND_MAKE_MEM_NOACCESS(data_buffer, sizeof data_buffer);
        VALGRIND_MAKE_MEM_UNDEFINED(data, size);
        VALGRIND_MAKE_MEM_UNDEFINED(state, state_size(a));
        call_row(row, state, data, n);
        VALGRIND_MAKE_MEM_DEFINED(data_buffer, sizeof data_buffer);
        VALGRIND_MAKE_MEM_DEFINED(state, sizeof state);
        if (VALGRIND_COUNT_ERRORS != before)
            fail("%zu blocks: a branch or address depends on data, or memory "
                 "around it is used",
                 n);
    }
}

/* Another state and other data take the same path through the code. */
static void same_path(const struct hk_kernel *row)
{
    uint64_t first = 0;
    unsigned length = 0;

    stepped_trace();
    for (unsigned i = 0; i < 3; i++) {
        unsigned this_length;
        uint64_t path;

        compare(row, random_data(), 2, "");
        path = stepped_path(&this_length);
        if (!this_length)
            fail("no instruction was seen");
        if (i && path != first)
            fail("the path depends on data: %u instructions, then %u", length,
                 this_length);
        first = path;
        length = this_length;
    }
}

static void stack_use(const struct hk_kernel *row)
{
    const uint8_t *data = random_data();
    size_t promised = banner_stack(row);

    for (size_t n = 0; n < 10; n++) {
        compare(row, data, n, "");
        if (call_stack_used() > promised)
            fail("uses %zu bytes of stack for %zu blocks, the banner says %zu",
                 call_stack_used(), n, promised);
    }
}

/* Every hash function on these kernels, on this one. */
static void official_vectors(const struct hk_kernel *row)
{
    for (size_t i = 0; i < message_api_count; i++)
        if (!strcmp(message_apis[i].kernels, row->algorithm))
            cavp(&message_apis[i], row);
}

static const char *const algorithms[] = {"sha1", "sha256", "sha512", NULL};

static const struct row_test tests[] = {
    {"counts", counts, ANY_ROW},
    {"random", random_calls, ANY_ROW},
    {"alignments", alignments, ANY_ROW},
    {"extremes", extremes, ANY_ROW},
    {"resumes", resumes, ANY_ROW},
    {"zero-blocks", zero_blocks, ANY_ROW},
    {"guard-after-data", guard_after_data, ANY_ROW},
    {"guard-before-data", guard_before_data, ANY_ROW},
    {"guard-state", guard_state, ANY_ROW},
    {"state-alignment", state_alignment, ANY_ROW},
    {"writes", writes, ANY_ROW},
    {"official-vectors", official_vectors, ANY_ROW},
    {"stack-use", stack_use, ASM_ROW | NOT_VALGRIND},
    {"every-instruction", every_instruction, ASM_ROW | NOT_VALGRIND},
    {"same-path", same_path, NOT_VALGRIND},
    {"constant-time", constant_time, ONLY_VALGRIND},
#if defined(__arm__) || defined(__aarch64__)
    {"byte-loads", byte_loads, STRICT_ROW},
#endif
#if defined(__x86_64__) || defined(__i386__)
    {"clean-upper-halves", clean_upper_halves, ANY_ROW},
#endif
#ifdef __i386__
    {"stack-alignment", stack_alignment, ASM_ROW},
#endif
    {NULL, NULL, ANY_ROW},
};

const struct family family_block = {"block", algorithms, tests};
