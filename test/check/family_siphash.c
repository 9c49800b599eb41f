/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * family_siphash.c - one-shot SipHash kernels: (key, data, length) -> 64 bits
 *
 * Each is compared with the row "ref" of its algorithm.
 */
#include <stdio.h>
#include <string.h>

#include "banner.h"
#include "check.h"

enum { KEY = 16, LENGTHS = 300, ALIGNMENTS = 16 };

static uint8_t data_buffer[LENGTHS + ALIGNMENTS];

static void compare_at(const struct hk_kernel *row, const uint8_t *key,
                       const uint8_t *data, size_t length, const char *what)
{
    uintptr_t argument[3] = {(uintptr_t)key, (uintptr_t)data, length};
    hk_siphash_kernel *reference =
        (hk_siphash_kernel *)reference_of(row->algorithm);
    uint64_t got = call(row->function, 3, argument);
    uint64_t want = reference(key, data, length);

    same_bytes(&got, &want, sizeof got, "hash of %zu bytes%s", length, what);
}

static void compare(const struct hk_kernel *row, const uint8_t *data,
                    size_t length, const char *what)
{
    uint8_t key[KEY];

    random_bytes(key, KEY);
    compare_at(row, key, data, length, what);
}

static void lengths(const struct hk_kernel *row)
{
    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t length = 0; length <= LENGTHS; length++)
        for (unsigned offset = 0; offset < ALIGNMENTS; offset++) {
            char what[40];

            snprintf(what, sizeof what, " at alignment %u", offset);
            compare(row, data_buffer + offset, length, what);
        }
}

static void extremes(const struct hk_kernel *row)
{
    static const uint8_t fills[] = {0x00, 0xff, 0x80, 0x7f, 0x01};
    uint8_t key[KEY];

    for (size_t i = 0; i < COUNT(fills); i++)
        for (size_t j = 0; j < COUNT(fills); j++) {
            memset(key, fills[i], KEY);
            memset(data_buffer, fills[j], sizeof data_buffer);
            for (size_t length = 0; length < 40; length++)
                compare_at(row, key, data_buffer, length, " of equal bytes");
        }
}

/* The tail is the place where a kernel is tempted to read too far. */
static void guard_after_data(const struct hk_kernel *row)
{
    for (size_t length = 1; length < 70; length++) {
        uint8_t *data = at_end(length);

        random_bytes(data, length);
        compare(row, data, length, " that end at an unreadable page");
        guard_release();
    }
}

static void guard_before_data(const struct hk_kernel *row)
{
    for (size_t length = 1; length < 70; length++) {
        uint8_t *data = at_start(length);

        random_bytes(data, length);
        compare(row, data, length, " that start after an unreadable page");
        guard_release();
    }
}

static void no_data(const struct hk_kernel *row)
{
    compare(row, no_access(), 0, " in an unreadable page");
    compare(row, NULL, 0, " at NULL");
}

static void guard_key(const struct hk_kernel *row)
{
    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t length = 0; length < 20; length++) {
        uint8_t *end = at_end(KEY), *start = at_start(KEY);

        random_bytes(end, KEY);
        random_bytes(start, KEY);
        compare_at(row, end, data_buffer, length,
                   " with the key before an unreadable page");
        compare_at(row, start, data_buffer, length,
                   " with the key after an unreadable page");
        guard_release();
    }
}

/* The key is bytes, at any address. */
static void key_alignment(const struct hk_kernel *row)
{
    uint8_t room[KEY + ALIGNMENTS];

    random_bytes(room, sizeof room);
    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t offset = 0; offset < ALIGNMENTS; offset++)
        for (size_t length = 0; length < 20; length++)
            compare_at(row, room + offset, data_buffer, length,
                       " with the key at an odd address");
}

/* Writes neither to the key nor to the data. */
static void writes(const struct hk_kernel *row)
{
    uint8_t key[KEY], key_copy[KEY];
    static uint8_t copy[sizeof data_buffer];

    random_bytes(key, KEY);
    random_bytes(data_buffer, sizeof data_buffer);
    memcpy(key_copy, key, KEY);
    memcpy(copy, data_buffer, sizeof copy);
    for (size_t length = 0; length < 40; length++)
        compare_at(row, key, data_buffer, length, "");
    same_bytes(key, key_copy, KEY, "the key");
    same_bytes(data_buffer, copy, sizeof copy, "the data");
}

/* The length enters modulo 256, and the count of words is a full register. */
static void long_message(const struct hk_kernel *row)
{
    enum { LONG = 70001 };
    uint8_t *data = at_end(LONG);

    random_bytes(data, LONG);
    for (size_t cut = 0; cut < 9; cut++)
        compare(row, data + cut, LONG - cut, "");
}

static void stack_use(const struct hk_kernel *row)
{
    size_t promised = banner_stack(row);

    random_bytes(data_buffer, sizeof data_buffer);
    for (size_t length = 0; length < 40; length++) {
        compare(row, data_buffer, length, "");
        if (call_stack_used() > promised)
            fail("uses %zu bytes of stack for %zu bytes, the banner says %zu",
                 call_stack_used(), length, promised);
    }
}

static const char *const algorithms[] = {"siphash24", "siphash13", NULL};

static const struct row_test tests[] = {
    {"lengths", lengths, ANY_ROW},
    {"extremes", extremes, ANY_ROW},
    {"guard-after-data", guard_after_data, ANY_ROW},
    {"guard-before-data", guard_before_data, ANY_ROW},
    {"no-data", no_data, ANY_ROW},
    {"guard-key", guard_key, ANY_ROW},
    {"key-alignment", key_alignment, ANY_ROW},
    {"writes", writes, ANY_ROW},
    {"long-message", long_message, ANY_ROW},
    {"stack-use", stack_use, ASM_ROW},
    {NULL, NULL, ANY_ROW},
};

const struct family family_siphash = {"siphash", algorithms, tests};
