/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * any.c - kernels broken on purpose, on every architecture: wrong results,
 * wrong memory, data that decides
 *
 * Each is right but for the one thing that its name says (see broken.def).
 */
#include <stddef.h>

#include "hashkern.h"
#include "memory.h"
#include "sha1dc_block.h"

HK_SHA1_KERNEL(hk_sha1_ref);

#define BROKEN(name)                                                           \
    HK_SHA1_KERNEL(hk_broken_##name);                                          \
    HK_SHA1_KERNEL(hk_broken_##name)

/* A byte at an address that the compiler cannot know to be wrong. */
static volatile uint8_t *at(const void *base, ptrdiff_t offset)
{
    volatile uintptr_t address = (uintptr_t)base + (uintptr_t)offset;

    return (volatile uint8_t *)address;
}

static uint32_t rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* One of eighty rounds rotates b by one bit too few. */
BROKEN(rotate)
{
    static const uint32_t K[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
                                  0xca62c1d6};

    for (; nblocks; nblocks--, data += 64) {
        uint32_t W[80], s[5];

        for (unsigned t = 0; t < 16; t++)
            W[t] = hk_load_be32(data + 4 * t);
        for (unsigned t = 16; t < 80; t++)
            W[t] = rotl(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1);
        hk_copy(s, state, sizeof s);
        for (unsigned t = 0; t < 80; t++) {
            uint32_t f = t < 20 ? (s[1] & s[2]) | (~s[1] & s[3])
                         : t / 20 == 2
                             ? (s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3])
                             : s[1] ^ s[2] ^ s[3];
            uint32_t T = rotl(s[0], 5) + f + s[4] + K[t / 20] + W[t];

            s[4] = s[3];
            s[3] = s[2];
            s[2] = rotl(s[1], t == 47 ? 29 : 30);
            s[1] = s[0];
            s[0] = T;
        }
        for (unsigned i = 0; i < 5; i++)
            state[i] += s[i];
    }
}

/* Takes the first block of a pair twice: equal blocks would not tell. */
BROKEN(second_block)
{
    for (size_t i = 0; i < nblocks; i++)
        hk_sha1_ref(state, data + 64 * (i & ~(size_t)1), 1);
}

/* Keeps the number of blocks in four bits. */
BROKEN(count_16)
{
    hk_sha1_ref(state, data, nblocks & 15);
}

/* Takes the data to be aligned. */
BROKEN(align_down)
{
    hk_sha1_ref(state, (const uint8_t *)((uintptr_t)data & ~(uintptr_t)3),
                nblocks);
}

/* Goes on from its own idea of the state. */
BROKEN(fresh_state)
{
    static uint32_t own[5];

    if (nblocks > 11)
        hk_copy(own, state, sizeof own);
    hk_copy(state, own, sizeof own);
    hk_sha1_ref(state, data, nblocks);
    hk_copy(own, state, sizeof own);
}

BROKEN(read_after)
{
    hk_sha1_ref(state, data, nblocks);
    if (nblocks)
        (void)*at(data, (ptrdiff_t)(64 * nblocks));
}

BROKEN(read_before)
{
    hk_sha1_ref(state, data, nblocks);
    if (nblocks)
        (void)*at(data, -1);
}

BROKEN(read_nothing)
{
    (void)*at(data, 0);
    hk_sha1_ref(state, data, nblocks);
}

BROKEN(change_nothing)
{
    hk_sha1_ref(state, data, nblocks);
    if (!nblocks)
        state[4]++;
}

BROKEN(write_after)
{
    hk_sha1_ref(state, data, nblocks);
    *at(state, 20) ^= 1;
}

BROKEN(write_before)
{
    hk_sha1_ref(state, data, nblocks);
    *at(state, -1) ^= 1;
}

BROKEN(write_data)
{
    hk_sha1_ref(state, data, nblocks);
    if (nblocks)
        *at(data, 7) ^= 0x55;
}

BROKEN(trap)
{
    hk_sha1_ref(state, data, nblocks);
    __builtin_trap();
}

/* Takes as long as the last bits of the state say. */
BROKEN(branch)
{
    volatile unsigned rounds = 0;

    hk_sha1_ref(state, data, nblocks);
    while (rounds < state[0] % 32)
        rounds++;
}

/* Uses a byte of the data as an index: time tells by way of the cache. */
BROKEN(lookup)
{
    static volatile uint8_t table[256];

    if (nblocks)
        (void)table[data[5]];
    hk_sha1_ref(state, data, nblocks);
}

/* Reads a byte too far, which needs no page border to be seen. */
BROKEN(peek_after)
{
    hk_sha1_ref(state, data, nblocks);
    (void)*at(data, (ptrdiff_t)(64 * nblocks));
}

/* ---- lanes, which others can get wrong --------------------------------------- */

#define BROKEN_LANES(name)                                                     \
    HK_SHA1X_KERNEL(hk_broken_##name);                                         \
    HK_SHA1X_KERNEL(hk_broken_##name)

static void hash_lanes(uint32_t *const state[], const uint8_t *const data[],
                       size_t lanes, size_t nblocks)
{
    for (size_t i = 0; nblocks && i < lanes; i++)
        hk_sha1_ref(state[i], data[i], nblocks);
}

/* Two lanes get each other's result. */
BROKEN_LANES(neighbour_x4)
{
    hash_lanes(state, data, 4, nblocks);
    for (unsigned i = 0; nblocks && i < 5; i++) {
        uint32_t word = state[1][i];

        state[1][i] = state[2][i];
        state[2][i] = word;
    }
}

BROKEN_LANES(no_last_x16)
{
    hash_lanes(state, data, 15, nblocks);
}

/* Takes the states to lie in the order of their lanes. */
BROKEN_LANES(in_order_x4)
{
    uint32_t *sorted[4];

    for (unsigned i = 0; nblocks && i < 4; i++) {
        unsigned place = 0;

        for (unsigned j = 0; j < 4; j++)
            place += (uintptr_t)state[j] < (uintptr_t)state[i];
        sorted[place] = state[i];
    }
    hash_lanes(sorted, data, 4, nblocks);
}

BROKEN_LANES(zero_x2)
{
    (void)*at(state, 0);
    hash_lanes(state, data, 2, nblocks);
}

/* Only of one lane, and not of its neighbours. */
BROKEN_LANES(read_after_x4)
{
    hash_lanes(state, data, 4, nblocks);
    if (nblocks)
        (void)*at(data[2], (ptrdiff_t)(64 * nblocks));
}

BROKEN_LANES(read_before_x4)
{
    hash_lanes(state, data, 4, nblocks);
    if (nblocks)
        (void)*at(data[3], -1);
}

/* Reads a fifth pointer. */
BROKEN_LANES(one_more_x4)
{
    hash_lanes(state, data, 4, nblocks);
    if (nblocks)
        (void)*at(data, 4 * sizeof *data);
}

/* Counts in the caller's array. */
BROKEN_LANES(moves_x4)
{
    hash_lanes(state, data, 4, nblocks);
    if (nblocks)
        *at(data, 0) += 64;
}

BROKEN_LANES(write_after_x4)
{
    hash_lanes(state, data, 4, nblocks);
    if (nblocks)
        *at(state[3], 20) ^= 1;
}

/* ---- lanes that record, too --------------------------------------------------- */

#define BROKEN_RECORDS(name)                                                   \
    HK_SHA1DCX_KERNEL(hk_broken_##name);                                       \
    HK_SHA1DCX_KERNEL(hk_broken_##name)

static uint32_t candidates(const uint32_t W[SHA1DC_STEPS])
{
    static const uint8_t order[SHA1DC_VECTORS] = {
        4, 6,  8,  10, 12, 14, 18, 22, 24, 26, 0,  1,  2,  3,  5,  7,
        9, 11, 13, 15, 16, 17, 19, 20, 21, 23, 25, 27, 28, 29, 30, 31};
    uint32_t mask = sha1dc_mask(W), found = 0;

    for (unsigned n = 0; n < SHA1DC_VECTORS; n++)
        found |= (mask >> order[n] & 1) << n;
    return found;
}

static void record_x4(uint32_t *const state[], const uint8_t *const data[],
                      size_t nblocks, uint32_t records[])
{
    for (size_t n = 0; n < nblocks; n++, records += 24)
        for (size_t lane = 0; lane < 4; lane++) {
            struct sha1dc_block block;

            sha1dc_compress(&block, state[lane], state[lane],
                            data[lane] + 64 * n);
            for (size_t i = 0; i < 5; i++)
                records[4 * i + lane] = block.input[i];
            records[20 + lane] = candidates(block.W);
            hk_copy(state[lane], block.output, sizeof block.output);
        }
}

/* The state after the block stands where that before it belongs. */
BROKEN_RECORDS(state_late_x4)
{
    record_x4(state, data, nblocks, records);
    for (size_t i = 0; nblocks && i < 5; i++)
        records[24 * nblocks - 24 + 4 * i + 2] = state[2][i];
}

/* Never sees II(49,2), or sees it in every block. */
BROKEN_RECORDS(blind_x4)
{
    record_x4(state, data, nblocks, records);
    for (size_t n = 0; n < 4 * nblocks; n++)
        records[24 * (n / 4) + 20 + n % 4] &= ~(uint32_t)0x80;
}
BROKEN_RECORDS(sees_all_x4)
{
    record_x4(state, data, nblocks, records);
    for (size_t n = 0; n < nblocks; n++)
        records[24 * n + 23] |= 0x80;
}

BROKEN_RECORDS(record_more_x4)
{
    record_x4(state, data, nblocks, records);
    if (nblocks)
        *at(records, (ptrdiff_t)(96 * nblocks)) ^= 1;
}
