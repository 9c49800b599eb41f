/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * family_lanes.c - several messages at once: (states, data, number of blocks)
 *
 * Each lane is compared with the row "ref" of the algorithm without the x,
 * which takes its blocks one at a time. Those of sha1dcx have a fourth argument,
 * the records of blocks, and hash as sha1 does; candidates are compared with the
 * published conditions themselves.
 */
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "banner.h"
#include "block.h"
#include "check.h"
#include "kernels.h"
#include "stepped.h"
#include "undefined.h"

enum { STATE = 64, BLOCK = 128, BLOCKS = 20, ALIGNMENTS = 64 };

/* What one call works on. The states are filled by compare. */
struct job {
    const struct hk_kernel *row;
    const struct block_algorithm *algorithm;
    block_kernel *reference;
    size_t lanes, state_size;
    void *state[HK_LANES_MAX];
    const uint8_t *data[HK_LANES_MAX];
    uint32_t *records; /* NULL if there are none */
};

enum { RECORDS = BLOCKS * 6 * HK_LANES_MAX };
static uint32_t record_buffer[RECORDS];
static uint64_t states[HK_LANES_MAX][STATE / 8 + 2];
static uint8_t data_buffer[HK_LANES_MAX][BLOCKS * BLOCK + ALIGNMENTS];

/* A job with random data, different in each lane, in ordinary memory. */
static struct job new_job(const struct hk_kernel *row)
{
    bool detects = !strcmp(row->algorithm, "sha1dcx");
    const char *algorithm = detects ? "sha1x" : row->algorithm;
    char name[20];
    struct job job = {.row = row, .records = detects ? record_buffer : NULL};

    snprintf(name, sizeof name, "%.*s", (int)strlen(algorithm) - 1, algorithm);
    job.algorithm = block_algorithm(name);
    job.reference = (block_kernel *)reference_of(algorithm);
    job.lanes = HK_LANES_OF(row->variant);
    job.state_size = job.algorithm->word * job.algorithm->state_words;
    if (job.lanes < 2 || job.lanes > HK_LANES_MAX)
        fail("the variant does not end with the number of lanes");
    if (detects)
        attack_load();
    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t i = 0; i < job.lanes; i++) {
        job.state[i] = states[i];
        job.data[i] = data_buffer[i];
    }
    return job;
}

static void call_lanes(const struct job *job, size_t nblocks)
{
    uintptr_t argument[4] = {(uintptr_t)job->state, (uintptr_t)job->data,
                             nblocks, (uintptr_t)job->records};

    call(job->row->function, job->records ? 4 : 3, argument);
}

/* A mask in the order of the tables, in that of the records. */
static uint32_t candidates(uint32_t mask)
{
    uint32_t found = 0;

    for (unsigned i = 0; i < VECTORS; i++) {
        const struct vector *v = &vectors[i];
        unsigned place = v->type == 1 ? v->K - 33 : v->K - 25;

        if (v->b == 2)
            place = v->type == 1 ? v->K - 46 : v->K == 46 ? 6 : v->K - 42;
        found |= (mask >> i & 1) << place;
    }
    return found;
}

/* What the call must write to the record of block i. */
static void record(const struct job *job, size_t i, uint64_t (*want)[STATE / 8],
                   uint32_t *to)
{
    for (size_t lane = 0; lane < job->lanes; lane++) {
        const uint32_t *state = (uint32_t *)want[lane];
        uint32_t mask;

        masks_of(job->data[lane] + 64 * i, 1, &mask);
        for (size_t n = 0; n < 5; n++)
            to[n * job->lanes + lane] = state[n];
        to[5 * job->lanes + lane] = candidates(mask);
    }
}

/* Hashes from random states with the row and with the reference. */
static void compare(const struct job *job, size_t nblocks, const char *what)
{
    uint64_t want[HK_LANES_MAX][STATE / 8];
    static uint32_t want_records[RECORDS];
    size_t size = 6 * job->lanes; /* of a record */
    struct job copy = *job;

    for (size_t lane = 0; lane < job->lanes; lane++) {
        random_bytes(job->state[lane], job->state_size);
        memcpy(want[lane], job->state[lane], job->state_size);
    }
    for (size_t i = 0; i < nblocks; i++) {
        if (job->records)
            record(job, i, want, want_records + i * size);
        for (size_t lane = 0; lane < job->lanes; lane++)
            job->reference(want[lane],
                           job->data[lane] + i * job->algorithm->block, 1);
    }
    call_lanes(job, nblocks);
    if (job->records)
        same_bytes(job->records, want_records, nblocks * size * 4,
                   "records of %zu blocks%s", nblocks, what);
    for (size_t lane = 0; lane < job->lanes; lane++)
        same_bytes(job->state[lane], want[lane], job->state_size,
                   "lane %zu: state after %zu blocks%s", lane, nblocks, what);
    same_bytes(job, &copy, sizeof copy, "the arrays of pointers");
}

static void counts(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    for (size_t n = 0; n < BLOCKS; n++)
        compare(&job, n, "");
}

/* Lanes at any address each, their states in any order. */
static void random_calls(const struct hk_kernel *row)
{
    for (unsigned i = 0; i < repeat(1000); i++) {
        struct job job = new_job(row);
        size_t turn = random_below((unsigned)job.lanes);

        for (size_t lane = 0; lane < job.lanes; lane++) {
            job.data[lane] += random_below(ALIGNMENTS);
            job.state[lane] = states[(lane + turn) % job.lanes];
        }
        compare(&job, random_below(BLOCKS), "");
    }
}

static void alignments(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    for (size_t lane = 0; lane < job.lanes; lane++)
        for (unsigned offset = 0; offset < ALIGNMENTS; offset++) {
            char what[60];

            snprintf(what, sizeof what, ", lane %zu at alignment %u", lane,
                     offset);
            job.data[lane] = data_buffer[lane] + offset;
            compare(&job, 2, what);
        }
}

/* Extreme words carry and shift in ways that random ones hardly ever do; beside
 * lanes of random ones, they show what leaks from lane to lane. */
static void extremes(const struct hk_kernel *row)
{
    static const uint8_t fills[] = {0x00, 0xff, 0x80, 0x7f, 0x01};

    for (size_t i = 0; i < COUNT(fills); i++) {
        struct job job = new_job(row);

        for (size_t lane = 0; lane < job.lanes; lane++) {
            memset(data_buffer[lane], fills[i], sizeof data_buffer[lane]);
            for (size_t n = 1; n < 5; n++)
                compare(&job, n, " of equal bytes");
        }
    }
}

/* Lanes may hash the same message, or overlapping ones. */
static void same_data(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    for (size_t step = 0; step < 3; step++) {
        for (size_t lane = 0; lane < job.lanes; lane++)
            job.data[lane] = data_buffer[0] + step * 31 * lane;
        for (size_t n = 0; n < 5; n++)
            compare(&job, n, " of overlapping data");
    }
}

/* A long run is the same as its pieces, the states carried over. */
static void resumes(const struct hk_kernel *row)
{
    for (size_t first = 0; first < 9; first++) {
        uint64_t start[HK_LANES_MAX][STATE / 8 + 2], whole[COUNT(start)][10];
        struct job job = new_job(row);

        random_bytes(start, sizeof start);
        memcpy(states, start, sizeof states);
        call_lanes(&job, 9);
        memcpy(whole, states, sizeof states);
        memcpy(states, start, sizeof states);
        call_lanes(&job, first);
        for (size_t lane = 0; lane < job.lanes; lane++)
            job.data[lane] += first * job.algorithm->block;
        call_lanes(&job, 9 - first);
        same_bytes(states, whole, sizeof states, "%zu blocks, then %zu", first,
                   9 - first);
    }
}

static void zero_blocks(const struct hk_kernel *row)
{
    uintptr_t argument[4] = {(uintptr_t)no_access(), (uintptr_t)no_access(), 0,
                             (uintptr_t)no_access()};

    call(row->function, new_job(row).records ? 4 : 3, argument);
}

/* Each lane's data in turn, then all of them, between unreadable pages. */
static void guard_data(const struct hk_kernel *row, void *place(size_t size),
                       const char *what)
{
    for (size_t n = 1; n < 6; n++) {
        struct job job = new_job(row);

        for (size_t lane = 0; lane <= job.lanes; lane++) {
            struct job one = job;

            for (size_t i = 0; i < job.lanes; i++)
                if (lane == i || lane == job.lanes) {
                    uint8_t *data = place(n * job.algorithm->block);

                    random_bytes(data, n * job.algorithm->block);
                    one.data[i] = data;
                }
            compare(&one, n, what);
        }
        guard_release();
    }
}

static void guard_after_data(const struct hk_kernel *row)
{
    skip_if_emulator_overreads(row);
    guard_data(row, at_end, " that end at an unreadable page");
}

static void guard_before_data(const struct hk_kernel *row)
{
    guard_data(row, at_start, " that start after an unreadable page");
}

static void guard_states(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    for (size_t n = 0; n < 3; n++) {
        for (size_t lane = 0; lane < job.lanes; lane++)
            job.state[lane] = at_end(job.state_size);
        compare(&job, n, " with states before unreadable pages");
        for (size_t lane = 0; lane < job.lanes; lane++)
            job.state[lane] = at_start(job.state_size);
        compare(&job, n, " with states after unreadable pages");
        guard_release();
    }
}

/* The arrays end where memory does, and have the alignment of a pointer. */
static void guard_arrays(const struct hk_kernel *row)
{
    struct job job = new_job(row);
    size_t size = job.lanes * sizeof *job.state;
    uintptr_t argument[4];

    for (unsigned end = 0; end < 2; end++) {
        void *state = (end ? at_end : at_start)(size);
        void *data = (end ? at_end : at_start)(size);

        memcpy(state, job.state, size);
        memcpy(data, job.data, size);
        argument[0] = (uintptr_t)state;
        argument[1] = (uintptr_t)data;
        argument[2] = 2;
        argument[3] = (uintptr_t)job.records;
        call(row->function, job.records ? 4 : 3, argument);
        same_bytes(state, job.state, size, "the array of states");
        same_bytes(data, job.data, size, "the array of data");
        guard_release();
    }
}

/* A state has the alignment of its word and no more. */
static void state_alignment(const struct hk_kernel *row)
{
    static uint64_t room[HK_LANES_MAX][(STATE + ALIGNMENTS) / 8];
    struct job job = new_job(row);

    for (size_t offset = 0; offset < ALIGNMENTS;
         offset += job.algorithm->word) {
        for (size_t lane = 0; lane < job.lanes; lane++)
            job.state[lane] =
                (uint8_t *)room[lane] +
                (offset + lane * job.algorithm->word) % ALIGNMENTS;
        compare(&job, 2, " with the state at an odd word");
    }
}

/* Writes nothing around the states, and nothing to the data. */
static void writes(const struct hk_kernel *row)
{
    static uint8_t copy[HK_LANES_MAX][sizeof data_buffer[0]];
    uint64_t room[HK_LANES_MAX][STATE / 4], before[HK_LANES_MAX][STATE / 4];
    struct job job = new_job(row);

    memcpy(copy, data_buffer, sizeof copy);
    random_bytes(before, sizeof before);
    memcpy(room, before, sizeof room);
    for (size_t lane = 0; lane < job.lanes; lane++)
        job.state[lane] = room[lane] + 4;
    compare(&job, 3, "");
    for (size_t lane = 0; lane < job.lanes; lane++)
        memcpy(before[lane] + 4, room[lane] + 4, job.state_size);
    same_bytes(room, before, sizeof room, "memory around the states");
    same_bytes(data_buffer, copy, sizeof copy, "the data");
}

#if defined(__x86_64__) || defined(__i386__)
static void clean_upper_halves(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    call_options.clean_upper = true;
    for (size_t n = 0; n < 6; n++)
        compare(&job, n, "");
}
#endif

#ifdef __i386__
static void stack_alignment(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    for (unsigned offset = 0; offset < 16; offset += 4) {
        call_options.misalign = offset;
        for (size_t n = 0; n < 5; n++)
            compare(&job, n, " on an oddly aligned stack");
    }
}
#endif

/* As if an interrupt and a debugger came before every instruction. */
static void every_instruction(const struct hk_kernel *row)
{
    struct job job = new_job(row);

    stepped_judge(row);
    for (size_t n = 0; n < 3; n++)
        compare(&job, n, " with memory below the stack overwritten");
}

/* valgrind watches: data and states are secret, the pointers to them are not,
 * and there is nothing around the data. */
static void constant_time(const struct hk_kernel *row)
{
    for (size_t n = 0; n < 4; n++) {
        struct job job = new_job(row);
        unsigned long before = VALGRIND_COUNT_ERRORS;

        random_bytes(states, sizeof states);
        VALGRIND_MAKE_MEM_NOACCESS(data_buffer, sizeof data_buffer);
        for (size_t lane = 0; lane < job.lanes; lane++) {
            job.data[lane] += job.algorithm->block;
            VALGRIND_MAKE_MEM_UNDEFINED(job.data[lane],
                                        n * job.algorithm->block);
            VALGRIND_MAKE_MEM_UNDEFINED(job.state[lane], job.state_size);
        }
        call_lanes(&job, n);
        VALGRIND_MAKE_MEM_DEFINED(data_buffer, sizeof data_buffer);
        VALGRIND_MAKE_MEM_DEFINED(states, sizeof states);
        if (VALGRIND_COUNT_ERRORS != before)
            fail("%zu blocks: a branch or address depends on data, or memory "
                 "around it is used",
                 n);
    }
}

/* Other states and other data take the same path through the code. */
static void same_path(const struct hk_kernel *row)
{
    uint64_t first = 0;
    unsigned length = 0;

    stepped_trace();
    for (unsigned i = 0; i < 3; i++) {
        struct job job = new_job(row);
        unsigned this_length;
        uint64_t path;

        compare(&job, 2, "");
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
    size_t promised = banner_stack(row);
    struct job job = new_job(row);

    for (size_t n = 0; n < 6; n++) {
        compare(&job, n, "");
        if (call_stack_used() > promised)
            fail("uses %zu bytes of stack for %zu blocks, the banner says %zu",
                 call_stack_used(), n, promised);
    }
}

/* ---- records -------------------------------------------------------------- */

/* Candidates are so rare in random blocks that they are compared in many. */
static void many_masks(const struct hk_kernel *row)
{
    for (unsigned i = 0; i < repeat(1500); i++) {
        struct job job = new_job(row);

        for (size_t lane = 0; lane < job.lanes; lane++)
            mixed_blocks(data_buffer[lane], BLOCKS);
        compare(&job, BLOCKS, ", many with candidates");
    }
}

/* Each vector in each lane and in each of the first blocks, and near it: one bit
 * of the message makes the difference. */
static void each_vector(const struct hk_kernel *row)
{
    for (unsigned v = 0; v < VECTORS; v++) {
        struct job job = new_job(row);
        struct crafter one;

        craft_for(&one, v);
        for (size_t lane = 0; lane < job.lanes; lane++)
            for (size_t at = 0; at < 3; at++) {
                uint8_t *block = data_buffer[lane] + 64 * at;
                uint32_t mask;

                craft(&one, block);
                masks_of(block, 1, &mask);
                if (!(mask >> v & 1))
                    fail("a block crafted for %.8s is not", vectors[v].name);
                compare(&job, 3, " with a vector in one lane");
                block[random_below(64)] ^= (uint8_t)(1u << random_below(8));
                compare(&job, 3, " with a bit flipped");
            }
    }
}

/* Real attacks in a lane, from the initial value and any other. */
static void attack_files(const struct hk_kernel *row)
{
    for (size_t i = 0; i < COUNT(collision_files); i++) {
        struct job job = new_job(row);

        for (size_t lane = 0; lane < job.lanes; lane++) {
            struct job one = new_job(row);

            compare(&one,
                    collision_file(collision_files[i], data_buffer[lane]) / 64,
                    " with a collision in a lane");
        }
    }
}

static void guard_records(const struct hk_kernel *row)
{
    for (size_t n = 1; n < BLOCKS; n++) {
        struct job job = new_job(row);
        size_t size = n * 6 * job.lanes * 4;

        job.records = at_end(size);
        compare(&job, n, " with records before an unreadable page");
        job.records = at_start(size);
        compare(&job, n, " with records after an unreadable page");
        guard_release();
    }
}

/* Records have the alignment of their word and no more; nothing is written
 * around them. */
static void around_records(const struct hk_kernel *row)
{
    static uint32_t room[RECORDS + 64], before[RECORDS + 64];

    for (size_t offset = 0; offset < 16; offset++)
        for (size_t n = 0; n < 4; n++) {
            struct job job = new_job(row);
            size_t end = 16 + offset + n * 6 * job.lanes;

            random_bytes(before, sizeof before);
            memcpy(room, before, sizeof room);
            job.records = room + 16 + offset;
            compare(&job, n, " at an odd word");
            same_bytes(room, before, (16 + offset) * 4,
                       "memory before the records");
            same_bytes(room + end, before + end, 64,
                       "memory after the records");
        }
}

static const char *const algorithms[] = {"sha1x", "sha256x", "sha512x",
                                         "sha1dcx", NULL};

static const struct row_test tests[] = {
    {"counts", counts, ANY_ROW},
    {"random", random_calls, ANY_ROW},
    {"alignments", alignments, ANY_ROW},
    {"extremes", extremes, ANY_ROW},
    {"same-data", same_data, ANY_ROW},
    {"resumes", resumes, ANY_ROW},
    {"zero-blocks", zero_blocks, ANY_ROW},
    {"guard-after-data", guard_after_data, ANY_ROW},
    {"guard-before-data", guard_before_data, ANY_ROW},
    {"guard-states", guard_states, ANY_ROW},
    {"guard-arrays", guard_arrays, ANY_ROW},
    {"state-alignment", state_alignment, ANY_ROW},
    {"writes", writes, ANY_ROW},
    {"stack-use", stack_use, ASM_ROW | NOT_VALGRIND},
    {"every-instruction", every_instruction, ASM_ROW | NOT_VALGRIND},
    {"same-path", same_path, NOT_VALGRIND},
    {"constant-time", constant_time, ONLY_VALGRIND},
    {"masks", many_masks, RECORD_ROW},
    {"each-vector", each_vector, RECORD_ROW},
    {"attack-files", attack_files, RECORD_ROW},
    {"guard-records", guard_records, RECORD_ROW},
    {"around-records", around_records, RECORD_ROW},
#if defined(__x86_64__) || defined(__i386__)
    {"clean-upper-halves", clean_upper_halves, ANY_ROW},
#endif
#ifdef __i386__
    {"stack-alignment", stack_alignment, ASM_ROW},
#endif
    {NULL, NULL, ANY_ROW},
};

const struct family family_lanes = {"lanes", algorithms, tests};
