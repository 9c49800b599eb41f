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
 *     LN_WORTH          messages from which a vector of them all pays
 *     LN_HASH_BLOCKS    its own function in place of hash_blocks, or nothing
 *
 * and opens the rows of the kernels with lanes by #define HK_SELECT_sha256x ,
 * before it includes this once. LN_API(sha256, 32) then makes hk_sha256_many and
 * hk_sha256_tree.
 *
 * Every lane works on a message of its own: first its whole blocks, where they
 * lie, then the padded rest. All lanes go on together until one of them gets to
 * the end of such a piece, and takes the next message when it has finished its
 * own. At the end of the list, lanes run empty, and what is left goes to kernels
 * with fewer lanes, and the last message to one without.
 *
 * A vector takes its time however many of its lanes have work, and a CPU with SHA
 * instructions does several messages one by one in that time: LN_WORTH of them.
 * So a kernel is used if as many lanes have work, or half of all that it has; two
 * messages are worth the SHA instructions of several lanes, but not a vector.
 */
#include "kernels.h"
#include "padding.h"

/* A vector has 64 bytes at most. */
#define LN_MOST (HK_LANES_MAX * sizeof(uint32_t) / sizeof(LN_WORD))
#define LN_SHA  (HK_CPU_SHANI | HK_CPU_SHA1 | HK_CPU_SHA2 | HK_CPU_SHA512)

#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    LN_PROTOTYPE(hk_##algorithm##_##variant);
#include "kernels.def"
#undef HK_ROW

/* The first kernel of the table that this CPU can run and that so many messages
 * are worth, and the number of its lanes; NULL and 1: none. */
static inline LN_KERNEL *choose_lanes(unsigned features, size_t messages,
                                      size_t *lanes)
{
#define HK_ROW(algorithm, arch, variant, needs, weakest)                       \
    *lanes = HK_LANES(variant);                                                \
    if (!((needs) & ~features) && messages > ((needs)&LN_SHA ? 1 : 2) &&       \
        (messages >= LN_WORTH || 2 * messages >= *lanes))                      \
        return hk_##algorithm##_##variant;
#include "kernels.def"
#undef HK_ROW
    (void)features;
    (void)messages;
    *lanes = 1;
    return NULL;
}

struct lane {
    LN_WORD state[LN_STATE];
    size_t left;    /* blocks to the end of this piece */
    size_t padding; /* blocks of the padded piece, if that is still to come */
    size_t message; /* its number */
    uint8_t padded[2 * LN_BLOCK];
};

/* The lanes that have work come first in the arrays. */
struct lanes {
    struct lane room[LN_MOST];
    struct lane *lane[LN_MOST];
    LN_WORD *state[LN_MOST];
    const uint8_t *data[LN_MOST]; /* the next block of each */
    size_t busy;
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
    struct lane *lane = lanes->lane[n];
    const uint8_t *data = batch->data[batch->next];
    size_t len = batch->len[batch->next];
    size_t whole = len / LN_BLOCK;
    const uint8_t *rest = whole ? data + whole * LN_BLOCK : data;

    lane->message = batch->next++;
    lane->padding = hk_pad(lane->padded, rest, 0, len, LN_BLOCK);
    hk_copy(lane->state, batch->initial, sizeof lane->state);
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
    struct lane *lane = lanes->lane[n];

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

/* Lane n has no work any more: the last that has some takes its place. */
static void leave(struct lanes *lanes, size_t n)
{
    size_t last = --lanes->busy;
    struct lane *lane = lanes->lane[n];

    lanes->data[n] = lanes->data[last];
    lanes->lane[n] = lanes->lane[last];
    lanes->state[n] = lanes->lane[n]->state;
    lanes->lane[last] = lane;
    lanes->state[last] = lane->state;
}

/* So many blocks of each message, on the kernels that take the least time. */
#ifdef LN_HASH_BLOCKS
static void LN_HASH_BLOCKS(struct lanes *lanes, size_t nblocks,
                           unsigned features, struct batch *batch);
#else
#define LN_HASH_BLOCKS hash_blocks
static void hash_blocks(struct lanes *lanes, size_t nblocks, unsigned features,
                        struct batch *batch)
{
    LN_ONE_KERNEL *one = LN_SELECT_ONE();
    size_t count;

    (void)batch;
    for (size_t n = lanes->busy; n < LN_MOST; n++)
        lanes->data[n] = lanes->data[0]; /* of no use, but it must have some */
    for (size_t n = 0; n < lanes->busy; n += count) {
        LN_KERNEL *kernel = choose_lanes(features, lanes->busy - n, &count);

        if (kernel)
            kernel(lanes->state + n, lanes->data + n, nblocks);
        else
            one(lanes->state[n], lanes->data[n], nblocks);
    }
}
#endif

static void hash_many(struct batch *batch)
{
    unsigned features = hk_cpu_now();
    struct lanes lanes;
    size_t count;

    choose_lanes(features, LN_MOST, &count);
    for (size_t n = 0; n < LN_MOST; n++) {
        lanes.lane[n] = &lanes.room[n];
        lanes.state[n] = lanes.room[n].state;
    }
    for (lanes.busy = 0; lanes.busy < count && batch->next < batch->count;)
        start_message(&lanes, lanes.busy++, batch);
    while (lanes.busy) {
        size_t nblocks = lanes.lane[0]->left;

        for (size_t n = 1; n < lanes.busy; n++)
            if (lanes.lane[n]->left < nblocks)
                nblocks = lanes.lane[n]->left;
        LN_HASH_BLOCKS(&lanes, nblocks, features, batch);
        for (size_t n = lanes.busy; n-- > 0;) {
            lanes.data[n] += nblocks * LN_BLOCK;
            lanes.lane[n]->left -= nblocks;
            if (!lanes.lane[n]->left && !next_piece(&lanes, n, batch))
                leave(&lanes, n);
        }
    }
    hk_wipe(lanes.room, count * sizeof *lanes.room);
}

/* Chunks of a tree that are hashed together: a multiple of any number of lanes. */
#define LN_TOGETHER 32

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
