/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * lanes.h - many messages at once, on kernels with lanes
 *
 * A file that implements the algorithms of one kind of block defines
 *
 *     LN_WORD           uint32_t or uint64_t
 *     LN_STATE          words in the state
 *     LN_BLOCK          bytes in a block
 *     LN_PUT_DIGEST     hk_put_digest32 or hk_put_digest64
 *     LN_KERNEL         type of the kernels with lanes: hk_sha256x_kernel
 *     LN_PROTOTYPE      and how they are declared: HK_SHA256X_KERNEL
 *     LN_ONE_KERNEL     type of the kernels for one message
 *     LN_SELECT_ONE     function that chooses one of these (select.h)
 *
 * and opens the rows of the kernels with lanes by #define HK_SELECT_sha256x ,
 * before it includes this once. LN_API(sha256, 32) then makes hk_sha256_many and
 * hk_sha256_tree.
 *
 * Every lane works on a message of its own: first its whole blocks, where they
 * lie, then the padded rest. All lanes go on together until one of them gets to
 * the end of such a piece, and takes the next message when it has finished its
 * own. At the end of the list, lanes run empty. When fewer than half of them have
 * work, the messages that are left are finished one by one.
 */
#include "kernels.h"
#include "padding.h"

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    LN_PROTOTYPE(hk_##algorithm##_##variant);
#include "kernels.def"
#undef HK_ROW

/* The number of lanes of the first kernel that this CPU can run; 0: none. */
static inline size_t select_lanes(LN_KERNEL **kernel)
{
    *kernel = NULL;
#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    if (!((needs) & ~hk_cpu_now())) {                                          \
        *kernel = hk_##algorithm##_##variant;                                  \
        return HK_LANES(variant);                                              \
    }
#include "kernels.def"
#undef HK_ROW
    return 0;
}

struct lane {
    LN_WORD state[LN_STATE];
    size_t left;    /* blocks to the end of this piece; 0: no message */
    size_t padding; /* blocks of the padded piece, if that is still to come */
    size_t message; /* its number */
    uint8_t padded[2 * LN_BLOCK];
};

struct lanes {
    struct lane lane[HK_LANES_MAX];
    LN_WORD *state[HK_LANES_MAX];
    const uint8_t *data[HK_LANES_MAX]; /* the next block of each */
};

/* What the messages of one call are, and where their digests go. */
struct batch {
    const LN_WORD *initial; /* the chaining value that all begin with */
    size_t count, next;
    const void *const *data;
    const size_t *len;
    uint8_t *digests;
    size_t digest_size;
};

static void start_message(struct lanes *lanes, size_t n, struct batch *batch)
{
    struct lane *lane = &lanes->lane[n];
    const uint8_t *data = batch->data[batch->next];
    size_t len = batch->len[batch->next];
    size_t whole = len / LN_BLOCK;
    const uint8_t *rest = whole ? data + whole * LN_BLOCK : data;

    lane->message = batch->next++;
    lane->padding = hk_pad(lane->padded, rest, 0, len, LN_BLOCK);
    for (unsigned i = 0; i < LN_STATE; i++)
        lane->state[i] = batch->initial[i];
    lanes->data[n] = data;
    lane->left = whole;
    if (!whole) {
        lanes->data[n] = lane->padded;
        lane->left = lane->padding;
        lane->padding = 0;
    }
}

/* Lane n is at the end of a piece: on with the padding, or with another message.
 * Returns whether it has work. */
static int next_piece(struct lanes *lanes, size_t n, struct batch *batch)
{
    struct lane *lane = &lanes->lane[n];

    if (lane->padding) {
        lanes->data[n] = lane->padded;
        lane->left = lane->padding;
        lane->padding = 0;
        return 1;
    }
    LN_PUT_DIGEST(batch->digests + lane->message * batch->digest_size,
                  lane->state, batch->digest_size);
    if (batch->next == batch->count)
        return 0;
    start_message(lanes, n, batch);
    return 1;
}

static void hash_many(struct batch *batch)
{
    LN_KERNEL *kernel;
    LN_ONE_KERNEL *one = LN_SELECT_ONE();
    size_t count = select_lanes(&kernel), busy = 0;
    struct lanes lanes;

    if (!count)
        count = 1; /* which is then never enough for the loop */
    for (size_t n = 0; n < count; n++) {
        lanes.state[n] = lanes.lane[n].state;
        lanes.lane[n].left = 0;
        if (batch->next < batch->count) {
            start_message(&lanes, n, batch);
            busy++;
        }
    }
    while (busy > 1 && 2 * busy >= count) {
        size_t nblocks = SIZE_MAX;
        const uint8_t *some = NULL;

        for (size_t n = 0; n < count; n++)
            if (lanes.lane[n].left && lanes.lane[n].left < nblocks) {
                nblocks = lanes.lane[n].left;
                some = lanes.data[n];
            }
        for (size_t n = 0; n < count; n++)
            if (!lanes.lane[n].left)
                lanes.data[n] = some; /* of no use, but it must have some */
        kernel(lanes.state, lanes.data, nblocks);
        for (size_t n = 0; n < count; n++) {
            if (!lanes.lane[n].left)
                continue;
            lanes.data[n] += nblocks * LN_BLOCK;
            lanes.lane[n].left -= nblocks;
            if (!lanes.lane[n].left)
                busy -= !next_piece(&lanes, n, batch);
        }
    }
    for (size_t n = 0; n < count; n++)
        while (lanes.lane[n].left) {
            one(lanes.lane[n].state, lanes.data[n], lanes.lane[n].left);
            lanes.lane[n].left = 0;
            next_piece(&lanes, n, batch);
        }
    hk_wipe(lanes.lane, count * sizeof *lanes.lane);
}

/* Chunks of a tree that are hashed together: a multiple of any number of lanes. */
#define LN_TOGETHER 24

#define LN_API(name, size)                                                     \
    void hk_##name##_many(size_t count, const void *const data[],              \
                          const size_t len[], uint8_t(*digest)[size])          \
    {                                                                          \
        hk_##name##_ctx ctx;                                                   \
                                                                               \
        hk_##name##_init(&ctx);                                                \
        hash_many(&(struct batch){ctx.state, count, 0, data, len,              \
                                  (uint8_t *)digest, size});                   \
    }                                                                          \
                                                                               \
    void hk_##name##_tree(const void *data, size_t len, size_t chunk,          \
                          uint8_t digest[size])                                \
    {                                                                          \
        const uint8_t *rest = data;                                            \
        hk_##name##_ctx all;                                                   \
                                                                               \
        hk_##name##_init(&all);                                                \
        while (len) {                                                          \
            const void *chunks[LN_TOGETHER];                                   \
            size_t sizes[LN_TOGETHER], count;                                  \
            uint8_t digests[LN_TOGETHER][size];                                \
                                                                               \
            for (count = 0; len && count < LN_TOGETHER; count++) {             \
                chunks[count] = rest;                                          \
                sizes[count] = chunk && chunk < len ? chunk : len;             \
                rest += sizes[count];                                          \
                len -= sizes[count];                                           \
            }                                                                  \
            hk_##name##_many(count, chunks, sizes, digests);                   \
            hk_##name##_update(&all, digests, count *size);                    \
            hk_wipe(digests, sizeof digests);                                  \
        }                                                                      \
        hk_##name##_final(&all, digest);                                       \
    }
