/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * sha1dc_many.c - SHA-1 with collision detection of many messages at once
 *
 * The kernels with lanes hash, and tell which blocks satisfy the bit conditions
 * of an attack. About one in twenty does so by chance; it is hashed once more by a
 * kernel for one message, which tries. What comes out of that changes no digest,
 * so it can wait until the kernel with lanes has done some blocks.
 */
#include "memory.h"
#include "sha1dc.h"

#define HK_SELECT_sha1dcx ,
#define LN_WORD           uint32_t
#define LN_STATE          5
#define LN_BLOCK          64
#define LN_PUT_DIGEST     hk_put_digest32
#define LN_KERNEL         hk_sha1dcx_kernel
#define LN_PROTOTYPE      HK_SHA1DCX_KERNEL
#define LN_WORTH          5
#define LN_HASH_BLOCKS    hash_watched
#include "lanes.h"

/* Records of so many words are on the stack: 64 blocks of all lanes together, and
 * with so many the kernels are proved. */
enum { RECORD = 6, RECORDS = 64 * RECORD };

/* A batch, and who was attacked. */
struct watched {
    struct batch batch;
    uint8_t *attack; /* of each message, or NULL */
    size_t attacks;
    hk_sha1dc_kernel *one;
    size_t counted[LN_MOST]; /* by place of the lane: 1 + the last message of it
                                that was found to be attacked */
};

static void found(struct watched *watched, struct lanes *lanes, size_t n)
{
    size_t place = (size_t)(lanes->lane[n] - lanes->room);
    size_t message = lanes->lane[n]->message;

    if (watched->counted[place] == message + 1)
        return;
    watched->counted[place] = message + 1;
    watched->attacks++;
    if (watched->attack)
        watched->attack[message] = 1;
}

/* Lane n alone. */
static void hash_one(struct watched *watched, struct lanes *lanes, size_t n,
                     size_t nblocks)
{
    const uint8_t *data = lanes->data[n];
    uint32_t state[10];
    size_t taken;

    hk_copy(state, lanes->state[n], 20);
    do {
        hk_copy(state + 5, state, 20);
        taken = watched->one(state, data, nblocks, NULL);
        if (taken)
            found(watched, lanes, n);
        data += 64 * taken;
        nblocks -= taken;
    } while (taken);
    hk_copy(lanes->state[n], state, 20);
}

/* What the records say of a block of lane n that is the lane-th of the kernel. */
static void look(struct watched *watched, struct lanes *lanes, size_t n,
                 const uint8_t *block, const uint32_t *record, size_t count)
{
    uint32_t state[10];

    for (size_t i = 0; i < 5; i++)
        state[i] = state[5 + i] = record[i * count];
    if (watched->one(state, block, 1, NULL))
        found(watched, lanes, n);
}

/* Lanes first to first + count - 1, or as many of these as have work. */
static void hash_together(struct watched *watched, struct lanes *lanes,
                          size_t first, size_t count, size_t nblocks,
                          hk_sha1dcx_kernel *kernel)
{
    size_t left = lanes->busy - first, used = left < count ? left : count;
    size_t some = RECORDS / (RECORD * count);
    const uint8_t *data[LN_MOST];
    uint32_t records[RECORDS];

    for (size_t i = 0; i < count; i++)
        data[i] = lanes->data[first + i];
    for (; nblocks; nblocks -= some) {
        if (some > nblocks)
            some = nblocks;
        kernel(lanes->state + first, data, some, records);
        for (size_t b = 0; b < some; b++) {
            const uint32_t *record = records + b * RECORD * count;

            for (size_t i = 0; i < used; i++)
                if (record[5 * count + i])
                    look(watched, lanes, first + i, data[i] + 64 * b,
                         record + i, count);
        }
        for (size_t i = 0; i < count; i++)
            data[i] += 64 * some;
    }
    hk_wipe(records, sizeof records);
}

static void hash_watched(struct lanes *lanes, size_t nblocks, unsigned features,
                         struct batch *batch)
{
    struct watched *watched = (struct watched *)batch;
    size_t count;

    for (size_t n = lanes->busy; n < LN_MOST; n++)
        lanes->data[n] = lanes->data[0]; /* of no use, but it must have some */
    for (size_t n = 0; n < lanes->busy; n += count) {
        hk_sha1dcx_kernel *kernel =
            choose_lanes(features, lanes->busy - n, &count);

        if (kernel)
            hash_together(watched, lanes, n, count, nblocks, kernel);
        else
            hash_one(watched, lanes, n, nblocks);
    }
}

size_t hk_sha1dc_many(size_t count, const void *const data[],
                      const size_t len[], uint8_t (*digest)[HK_SHA1_DIGEST])
{
    return hk_sha1dc_many_each(count, data, len, digest, NULL);
}

size_t hk_sha1dc_many_each(size_t count, const void *const data[],
                           const size_t len[],
                           uint8_t (*digest)[HK_SHA1_DIGEST], uint8_t attack[])
{
    struct watched watched;
    hk_sha1dc_ctx ctx;

    hk_sha1dc_init(&ctx);
    if (attack)
        for (size_t i = 0; i < count; i++)
            attack[i] = 0;
    watched.batch = (struct batch){
        ctx.state, count, 0, data, len, (uint8_t *)digest, HK_SHA1_DIGEST};
    watched.attack = attack;
    watched.attacks = 0;
    watched.one = hk_sha1dc_best();
    hk_zero(watched.counted, sizeof watched.counted);
    hash_many(&watched.batch);
    return watched.attacks;
}

int hk_sha1dc_tree(const void *data, size_t len, size_t chunk,
                   uint8_t digest[HK_SHA1_DIGEST])
{
    const uint8_t *rest = data;
    hk_sha1dc_ctx all;
    size_t attacks = 0;

    hk_sha1dc_init(&all);
    while (len) {
        const void *chunks[LN_TOGETHER];
        size_t sizes[LN_TOGETHER], count;
        uint8_t digests[LN_TOGETHER][HK_SHA1_DIGEST];

        for (count = 0; len && count < LN_TOGETHER; count++) {
            chunks[count] = rest;
            sizes[count] = chunk && chunk < len ? chunk : len;
            rest += sizes[count];
            len -= sizes[count];
        }
        attacks += hk_sha1dc_many(count, chunks, sizes, digests);
        hk_sha1dc_update(&all, digests, count * HK_SHA1_DIGEST);
        hk_wipe(digests, sizeof digests);
    }
    return hk_sha1dc_final(&all, digest) | (attacks != 0);
}
