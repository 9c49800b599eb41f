/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * family_sipabsorb.c - SipHash absorbing kernels: (state, data, words, rounds)
 *
 * Each is compared with the row "ref" of its algorithm.
 */
#include <string.h>

#include "banner.h"
#include "check.h"

enum { STATE = 32, WORDS = 40, ALIGNMENTS = 16 };

static uint8_t data_buffer[8 * WORDS + ALIGNMENTS];

static void call_row(const struct hk_kernel *row, void *state,
                     const uint8_t *data, size_t nwords, unsigned rounds)
{
    /* The upper half of a 32-bit argument is the callee's to ignore. */
    uintptr_t garbage = sizeof(uintptr_t) > 4 ? random_word() : 0;
    uintptr_t argument[4] = {(uintptr_t)state, (uintptr_t)data, nwords,
                             (garbage & ~(uintptr_t)0xffffffff) | rounds};

    call(row->function, 4, argument);
}

static void compare_at(const struct hk_kernel *row, void *state,
                       const uint8_t *data, size_t nwords, unsigned rounds,
                       const char *what)
{
    hk_sipabsorb_kernel *reference =
        (hk_sipabsorb_kernel *)reference_of(row->algorithm);
    uint64_t want[STATE / 8];

    random_bytes(state, STATE);
    memcpy(want, state, STATE);
    reference(want, data, nwords, rounds);
    call_row(row, state, data, nwords, rounds);
    same_bytes(state, want, STATE, "state after %zu words of %u rounds%s",
               nwords, rounds, what);
}

static void compare(const struct hk_kernel *row, const uint8_t *data,
                    size_t nwords, unsigned rounds, const char *what)
{
    uint64_t state[STATE / 8];

    compare_at(row, state, data, nwords, rounds, what);
}

static void counts(const struct hk_kernel *row)
{
    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t n = 0; n <= WORDS; n++)
        for (unsigned rounds = 1; rounds < 6; rounds++)
            compare(row, data_buffer + random_below(ALIGNMENTS), n, rounds, "");
    compare(row, data_buffer, 3, 255, "");
}

static void alignments(const struct hk_kernel *row)
{
    random_bytes(data_buffer, sizeof data_buffer);
    for (unsigned offset = 0; offset < ALIGNMENTS; offset++)
        for (size_t n = 1; n < 5; n++)
            compare(row, data_buffer + offset, n, 2, " at an odd address");
}

static void no_words(const struct hk_kernel *row)
{
    uint8_t *state = at_end(STATE);
    uint8_t before[STATE];

    random_bytes(state, STATE);
    memcpy(before, state, STATE);
    call_row(row, state, no_access(), 0, 2);
    same_bytes(state, before, STATE, "state after no word");
}

static void guards(const struct hk_kernel *row)
{
    for (size_t n = 1; n < 9; n++)
        for (unsigned rounds = 1; rounds < 3; rounds++) {
            uint8_t *end = at_end(8 * n), *start = at_start(8 * n);

            random_bytes(end, 8 * n);
            random_bytes(start, 8 * n);
            compare_at(row, at_end(STATE), end, n, rounds,
                       " before an unreadable page");
            compare_at(row, at_start(STATE), start, n, rounds,
                       " after an unreadable page");
            guard_release();
        }
}

static void stack_use(const struct hk_kernel *row)
{
    size_t promised = banner_stack(row);

    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t n = 0; n < 5; n++) {
        compare(row, data_buffer, n, 2, "");
        if (call_stack_used() > promised)
            fail("uses %zu bytes of stack for %zu words, the banner says %zu",
                 call_stack_used(), n, promised);
    }
}

static const char *const algorithms[] = {"sipabsorb", NULL};

static const struct row_test tests[] = {
    {"counts", counts, ANY_ROW},       {"alignments", alignments, ANY_ROW},
    {"no-words", no_words, ANY_ROW},   {"guards", guards, ANY_ROW},
    {"stack-use", stack_use, ASM_ROW}, {NULL, NULL, ANY_ROW},
};

const struct family family_sipabsorb = {"sipabsorb", algorithms, tests};
