/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hashkern.h - hash functions on hand-written assembly kernels
 *
 * WHAT EXISTS
 *
 * Two layers, which can be used alone.
 *
 * Kernels are the assembly functions: they take a state and whole blocks, know
 * nothing of padding, and each is one object file without any dependency.
 * Firmware links the one it names; see "Kernels" below.
 *
 * The API above them hashes messages. For each algorithm, here SHA-1:
 *
 *     hk_sha1(data, len, digest);              one message in one call
 *
 *     hk_sha1_ctx ctx;                         or piece by piece
 *     hk_sha1_init(&ctx);
 *     hk_sha1_update(&ctx, data, len);         as often as you like
 *     hk_sha1_final(&ctx, digest);
 *
 * The best kernel that the CPU can run is chosen at hk_sha1_init. Nothing needs
 * to be set up first: the first call of any function is enough.
 *
 * CONTEXTS
 *
 * A context is plain data. Copy the struct (assignment or memcpy) to clone a
 * hash in mid-message; both then go on independently. It holds no pointer to
 * memory and nothing needs to be released. It may lie at any address that is
 * aligned for its type. A context of all zero bytes is a new one: it hashes
 * from the start just as after hk_sha1_init.
 *
 * hk_sha1_final wipes the context, so nothing of the message stays in it; after
 * that it is all zero, and thus a new context.
 *
 * ARGUMENTS
 *
 * Lengths are size_t and count bytes. Data may lie at any address, aligned or
 * not; so may digests. With a length of 0 the data pointer may be NULL. No
 * function allocates, or reads a byte outside of what it is given, and none fails
 * but hk_*_import and hk_*_export, which say how.
 *
 * LIMITS
 *
 * SHA-1, SHA-224 and SHA-256 are defined for messages below 2^61 bytes, SHA-384
 * and SHA-512 below 2^125 (FIPS 180-4, section 1). Longer messages are hashed
 * with the length taken modulo 2^64 or 2^128 bits.
 *
 * THREADS
 *
 * Any number of threads may hash at the same time, each on its own context.
 * What is known of the CPU is kept in one atomic word that every thread may
 * compute and store, always with the same value.
 *
 * CONSTANT TIME
 *
 * No kernel branches on data or on the state, or uses them in an address. Time
 * depends on the length alone, but for SHA-1 with collision detection, which
 * takes longer for blocks that look like an attack.
 */
#ifndef HASHKERN_H
#define HASHKERN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HK_VERSION "0.1.0"

/* ---- CPU features -------------------------------------------------------- */

/* Bits of hk_cpu_features. Those of other architectures are never set. */
/* x86 */
#define HK_CPU_SSE2   0x00000001u
#define HK_CPU_SSSE3  0x00000002u
#define HK_CPU_SSE41  0x00000004u
#define HK_CPU_AVX    0x00000008u /* with the operating system's support */
#define HK_CPU_AVX2   0x00000010u
#define HK_CPU_BMI1   0x00000020u
#define HK_CPU_BMI2   0x00000040u
#define HK_CPU_SHANI  0x00000080u
#define HK_CPU_AVX512 0x00008000u /* F, BW, DQ and VL, with the same support */
/* ARM and AArch64 */
#define HK_CPU_V6     0x00000100u /* ARM state, ARMv6: unaligned LDR, REV */
#define HK_CPU_T2     0x00000200u /* Thumb-2: ARMv6T2, ARMv7 and later */
#define HK_CPU_NEON   0x00000400u
#define HK_CPU_SHA1   0x00000800u
#define HK_CPU_SHA2   0x00001000u
#define HK_CPU_SHA512 0x00002000u
#define HK_CPU_A32    0x00004000u /* ARM state: all but the M profile */

/* The features of this CPU that kernels may use, less those switched off. */
unsigned hk_cpu_features(void);

/* Allows only the features in mask from now on: 0 leaves the baseline kernels,
 * ~0u lifts every limit. For a CPU or virtual machine whose features lie, and
 * for tests. Contexts that are already in use keep their kernel. */
void hk_cpu_limit(unsigned mask);

/* ---- Kernels ------------------------------------------------------------- */

typedef void hk_function(void);

struct hk_kernel {
    const char *name;      /* "sha1_shani"; the symbol is hk_sha1_shani */
    const char *algorithm; /* "sha1": this decides the prototype */
    const char *arch;      /* "x86_64", ...; "any" for C */
    const char *variant;   /* "shani" */
    unsigned needs;        /* HK_CPU_* bits; 0: runs anywhere */
    hk_function *function; /* cast it to the prototype of its algorithm */
    const char *weakest;   /* the weakest CPU model it is tested on */
};

/* All kernels built into this library for this architecture, best first within
 * an algorithm. *count receives how many. Some may need features that this CPU
 * does not have: check needs against hk_cpu_features() before a call. */
const struct hk_kernel *hk_kernels(size_t *count);

/* The name of the kernel that the algorithm ("sha1") would use if it started
 * now, such as "sha1_shani"; NULL if there is no such algorithm, or no kernel
 * with lanes ("sha1x") for this CPU. */
const char *hk_kernel_in_use(const char *algorithm);

/* A block kernel continues a hash with whole blocks: state is the chaining
 * value in native words, data has any alignment, nblocks may be 0. It reads
 * exactly nblocks blocks, keeps the platform's calling convention, needs less
 * than 1.5 KiB of stack (each kernel's banner says how much) and refers to no
 * other symbol. To link one object alone, declare it by name:
 *
 *     HK_SHA1_KERNEL(hk_sha1_v4);
 */

/* SHA-1 (FIPS 180-4, section 6.1.2): blocks of 64 bytes. */
#define HK_SHA1_KERNEL(name)                                                   \
    void name(uint32_t state[5], const uint8_t *data, size_t nblocks)
typedef HK_SHA1_KERNEL(hk_sha1_kernel);

/* SHA-1 with collision detection: blocks of 64 bytes. Hashes up to the end of
 * the first block that is confirmed as the last one of a collision attack.
 *
 * state holds two chaining values: state[0..4], from which the rounds of the
 * first block start, and state[5..9], which is added to their result. In a hash
 * the two are the same; to set them apart is a way to try what the kernel does
 * with an attack that nobody has computed yet.
 *
 * Returns 0 if there is no such block: both are then the chaining value after
 * the last block, and the hash can go on. Returns i > 0 if the i-th block is
 * one: state[0..4] is then the chaining value after it, state[5..9] the one
 * before it, and what follows was not hashed. To go on, copy the first half
 * over the second and call again with the rest.
 *
 * masks is NULL or has room for a word for each block. It receives for each
 * block that was hashed the disturbance vectors whose bit conditions it
 * satisfies (see hk_sha1dc_scan); words after that one may be overwritten.
 *
 * These kernels, unlike the others, take longer for some data: the conditions
 * of about one block in twenty ask for a closer look. They also differ in stack
 * use, half a kilobyte to four. */
#define HK_SHA1DC_KERNEL(name)                                                 \
    size_t name(uint32_t state[10], const uint8_t *data, size_t nblocks,       \
                uint32_t masks[])
typedef HK_SHA1DC_KERNEL(hk_sha1dc_kernel);

/* SHA-224 and SHA-256 (section 6.2.2): blocks of 64 bytes. */
#define HK_SHA256_KERNEL(name)                                                 \
    void name(uint32_t state[8], const uint8_t *data, size_t nblocks)
typedef HK_SHA256_KERNEL(hk_sha256_kernel);

/* SHA-384, SHA-512 and SHA-512/t (section 6.4.2): blocks of 128 bytes. */
#define HK_SHA512_KERNEL(name)                                                 \
    void name(uint64_t state[8], const uint8_t *data, size_t nblocks)
typedef HK_SHA512_KERNEL(hk_sha512_kernel);

/* Lanes: several messages at once, each with a state of its own. The algorithm
 * has an x behind it, and the variant ends with an x and the number of lanes:
 * hk_sha256x_shanix4 takes four states and four pointers to data. Lane i hashes
 * nblocks blocks at data[i] into state[i]; the arrays stay as they are. The
 * states lie apart from each other; the data of lanes may be the same, or
 * overlap. A lane that has nothing to do needs a state and data all the same. */
#define HK_SHA1X_KERNEL(name)                                                  \
    void name(uint32_t *const state[], const uint8_t *const data[],            \
              size_t nblocks)
typedef HK_SHA1X_KERNEL(hk_sha1x_kernel);

/* SHA-1 with collision detection in lanes: hashes every block, and finds those
 * that may be the last of an attack, but makes no trials. For each block there
 * is a record of six times as many words as there are lanes: word 0 of the state
 * before that block in each lane, then words 1 to 4, then the candidates in each
 * lane. Bit n of these stands for the vector whose bit conditions the block
 * satisfies, in this order: I(46,2) to I(51,2), II(46,2), II(49,2) to II(51,2),
 * I(43,0) to I(52,0), II(45,0) to II(56,0). A block with candidates, one in
 * twenty, can be given to a kernel of sha1dc, with the state before it. */
#define HK_SHA1DCX_KERNEL(name)                                                \
    void name(uint32_t *const state[], const uint8_t *const data[],            \
              size_t nblocks, uint32_t records[])
typedef HK_SHA1DCX_KERNEL(hk_sha1dcx_kernel);

#define HK_SHA256X_KERNEL(name)                                                \
    void name(uint32_t *const state[], const uint8_t *const data[],            \
              size_t nblocks)
typedef HK_SHA256X_KERNEL(hk_sha256x_kernel);

#define HK_SHA512X_KERNEL(name)                                                \
    void name(uint64_t *const state[], const uint8_t *const data[],            \
              size_t nblocks)
typedef HK_SHA512X_KERNEL(hk_sha512x_kernel);

/* SipHash of a whole message, 64-bit output (Aumasson and Bernstein 2012). */
#define HK_SIPHASH_KERNEL(name)                                                \
    uint64_t name(const uint8_t key[16], const uint8_t *data, size_t length)
typedef HK_SIPHASH_KERNEL(hk_siphash_kernel);

/* SipHash, nwords whole 8-byte words taken into the state v0..v3 with the given
 * number of rounds (1 to 255) for each. */
#define HK_SIPABSORB_KERNEL(name)                                              \
    void name(uint64_t state[4], const uint8_t *data, size_t nwords,           \
              unsigned rounds)
typedef HK_SIPABSORB_KERNEL(hk_sipabsorb_kernel);

/* ---- SHA-1 (FIPS 180-4, section 6.1) ------------------------------------- */

#define HK_SHA1_DIGEST 20 /* bytes */
#define HK_SHA1_BLOCK  64 /* bytes */

typedef struct hk_sha1_ctx {
    hk_sha1_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;        /* bytes so far */
    uint8_t buffer[64];     /* the last length % 64 bytes */
    uint32_t state[5];      /* the chaining value */
} hk_sha1_ctx;

void hk_sha1_init(hk_sha1_ctx *ctx);
void hk_sha1_update(hk_sha1_ctx *ctx, const void *data, size_t len);
void hk_sha1_final(hk_sha1_ctx *ctx, uint8_t digest[HK_SHA1_DIGEST]);
void hk_sha1(const void *data, size_t len, uint8_t digest[HK_SHA1_DIGEST]);

/* ---- SHA-1 with collision detection -------------------------------------- */

/* SHA-1 is broken: two messages with the same digest cost a few ten thousand
 * dollars. But the known ways to make them leave traces that can be found in
 * either message alone (Stevens 2013; Stevens and Shumow 2017). These functions
 * give the digests of hk_sha1, and say whether the message was made by such an
 * attack: final and the one-shot function return 1 if so, else 0.
 *
 * They find all attacks that follow the 32 disturbance vectors published in
 * 2017. The chance to accuse an innocent message is below 2^-100. */

typedef struct hk_sha1dc_ctx {
    hk_sha1dc_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint32_t state[10];       /* the chaining value, twice */
    uint32_t options;         /* HK_SHA1DC_* */
    uint32_t found;           /* blocks so far that end an attack */
    uint8_t buffer[64];       /* the last length % 64 bytes */
} hk_sha1dc_ctx;

void hk_sha1dc_init(hk_sha1dc_ctx *ctx);
void hk_sha1dc_update(hk_sha1dc_ctx *ctx, const void *data, size_t len);
int hk_sha1dc_final(hk_sha1dc_ctx *ctx, uint8_t digest[HK_SHA1_DIGEST]);
int hk_sha1dc(const void *data, size_t len, uint8_t digest[HK_SHA1_DIGEST]);

/* Options, set after init, from the next block on; the default is 0. */

/* Hash the last block of an attack three times. The digest is then not that of
 * SHA-1, and two colliding messages have different ones. */
#define HK_SHA1DC_SAFE_HASH 0x1u
/* Hash only; nothing is ever found. */
#define HK_SHA1DC_NO_DETECTION 0x2u
/* Also find collisions of SHA-1 with fewer rounds, as made by researchers: the
 * block and its twin start from the same chaining value. Slow. */
#define HK_SHA1DC_REDUCED_ROUNDS 0x4u
/* Do not trust the bit conditions: try all 32 vectors on each block. Finds
 * nothing more, and is some twenty times slower. */
#define HK_SHA1DC_ALL_VECTORS 0x8u

void hk_sha1dc_options(hk_sha1dc_ctx *ctx, unsigned options);

/* For those who want to know more of a message: the verdict on each block. In
 * each member, bit n stands for the n-th of the disturbance vectors I(43,0),
 * I(44,0), I(45,0), I(46,0), I(46,2), I(47,0), I(47,2), I(48,0), I(48,2),
 * I(49,0), I(49,2), I(50,0), I(50,2), I(51,0), I(51,2), I(52,0), II(45,0),
 * II(46,0), II(46,2), II(47,0), II(48,0), II(49,0), II(49,2), II(50,0),
 * II(50,2), II(51,0), II(51,2), II(52,0), II(53,0), II(54,0), II(55,0),
 * II(56,0). */
struct hk_sha1dc_verdict {
    uint32_t candidates; /* whose bit conditions the block satisfies */
    uint32_t confirmed;  /* of these, those that lead to a collision */
    uint32_t reduced;    /* and those whose twin starts where the block does */
};

/* Hashes nblocks blocks from the chaining value in state, which is the one
 * after them in the end, and writes a verdict for each. */
void hk_sha1dc_scan(uint32_t state[5], const void *data, size_t nblocks,
                    struct hk_sha1dc_verdict verdicts[]);

/* ---- SHA-224 and SHA-256 (sections 6.2 and 6.3) -------------------------- */

#define HK_SHA224_DIGEST 28 /* bytes */
#define HK_SHA256_DIGEST 32 /* bytes */
#define HK_SHA256_BLOCK  64 /* bytes, of both */

/* The two differ in the initial value and in how much of the last state is the
 * digest. Their contexts are different types, so that a hash that began as one
 * cannot end as the other. */
typedef struct hk_sha224_ctx {
    hk_sha256_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint32_t state[8];        /* the chaining value */
    uint8_t buffer[64];       /* the last length % 64 bytes */
} hk_sha224_ctx;

void hk_sha224_init(hk_sha224_ctx *ctx);
void hk_sha224_update(hk_sha224_ctx *ctx, const void *data, size_t len);
void hk_sha224_final(hk_sha224_ctx *ctx, uint8_t digest[HK_SHA224_DIGEST]);
void hk_sha224(const void *data, size_t len, uint8_t digest[HK_SHA224_DIGEST]);

typedef struct hk_sha256_ctx {
    hk_sha256_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint32_t state[8];        /* the chaining value */
    uint8_t buffer[64];       /* the last length % 64 bytes */
} hk_sha256_ctx;

void hk_sha256_init(hk_sha256_ctx *ctx);
void hk_sha256_update(hk_sha256_ctx *ctx, const void *data, size_t len);
void hk_sha256_final(hk_sha256_ctx *ctx, uint8_t digest[HK_SHA256_DIGEST]);
void hk_sha256(const void *data, size_t len, uint8_t digest[HK_SHA256_DIGEST]);

/* ---- SHA-384, SHA-512 and SHA-512/t (sections 6.4 to 6.7) ---------------- */

#define HK_SHA384_DIGEST     48  /* bytes */
#define HK_SHA512_DIGEST     64  /* bytes */
#define HK_SHA512_224_DIGEST 28  /* bytes */
#define HK_SHA512_256_DIGEST 32  /* bytes */
#define HK_SHA512_BLOCK      128 /* bytes, of all four */

typedef struct hk_sha384_ctx {
    hk_sha512_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint64_t length_high;     /* and its upper 64 bits */
    uint64_t state[8];        /* the chaining value */
    uint8_t buffer[128];      /* the last length % 128 bytes */
} hk_sha384_ctx;

void hk_sha384_init(hk_sha384_ctx *ctx);
void hk_sha384_update(hk_sha384_ctx *ctx, const void *data, size_t len);
void hk_sha384_final(hk_sha384_ctx *ctx, uint8_t digest[HK_SHA384_DIGEST]);
void hk_sha384(const void *data, size_t len, uint8_t digest[HK_SHA384_DIGEST]);

typedef struct hk_sha512_ctx {
    hk_sha512_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint64_t length_high;     /* and its upper 64 bits */
    uint64_t state[8];        /* the chaining value */
    uint8_t buffer[128];      /* the last length % 128 bytes */
} hk_sha512_ctx;

void hk_sha512_init(hk_sha512_ctx *ctx);
void hk_sha512_update(hk_sha512_ctx *ctx, const void *data, size_t len);
void hk_sha512_final(hk_sha512_ctx *ctx, uint8_t digest[HK_SHA512_DIGEST]);
void hk_sha512(const void *data, size_t len, uint8_t digest[HK_SHA512_DIGEST]);

typedef struct hk_sha512_224_ctx {
    hk_sha512_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint64_t length_high;     /* and its upper 64 bits */
    uint64_t state[8];        /* the chaining value */
    uint8_t buffer[128];      /* the last length % 128 bytes */
} hk_sha512_224_ctx;

void hk_sha512_224_init(hk_sha512_224_ctx *ctx);
void hk_sha512_224_update(hk_sha512_224_ctx *ctx, const void *data, size_t len);
void hk_sha512_224_final(hk_sha512_224_ctx *ctx,
                         uint8_t digest[HK_SHA512_224_DIGEST]);
void hk_sha512_224(const void *data, size_t len,
                   uint8_t digest[HK_SHA512_224_DIGEST]);

typedef struct hk_sha512_256_ctx {
    hk_sha512_kernel *kernel; /* chosen at the start of the message */
    uint64_t length;          /* bytes so far */
    uint64_t length_high;     /* and its upper 64 bits */
    uint64_t state[8];        /* the chaining value */
    uint8_t buffer[128];      /* the last length % 128 bytes */
} hk_sha512_256_ctx;

void hk_sha512_256_init(hk_sha512_256_ctx *ctx);
void hk_sha512_256_update(hk_sha512_256_ctx *ctx, const void *data, size_t len);
void hk_sha512_256_final(hk_sha512_256_ctx *ctx,
                         uint8_t digest[HK_SHA512_256_DIGEST]);
void hk_sha512_256(const void *data, size_t len,
                   uint8_t digest[HK_SHA512_256_DIGEST]);

/* ---- Many messages at once ------------------------------------------------ */

/* count messages, each as hk_sha1 and its sisters would hash it: message i is
 * len[i] bytes at data[i], and its digest goes to digest[i]. They may be of any
 * length, overlap, and come in any order; those of one call are hashed side by
 * side, on kernels that take several in the time of little more than one. That
 * pays from two messages on, and most where lengths are alike, or messages many.
 * The stack used is some kilobytes, whatever count is. */
void hk_sha1_many(size_t count, const void *const data[], const size_t len[],
                  uint8_t (*digest)[HK_SHA1_DIGEST]);
void hk_sha224_many(size_t count, const void *const data[], const size_t len[],
                    uint8_t (*digest)[HK_SHA224_DIGEST]);
void hk_sha256_many(size_t count, const void *const data[], const size_t len[],
                    uint8_t (*digest)[HK_SHA256_DIGEST]);
void hk_sha384_many(size_t count, const void *const data[], const size_t len[],
                    uint8_t (*digest)[HK_SHA384_DIGEST]);
void hk_sha512_many(size_t count, const void *const data[], const size_t len[],
                    uint8_t (*digest)[HK_SHA512_DIGEST]);
void hk_sha512_224_many(size_t count, const void *const data[],
                        const size_t len[],
                        uint8_t (*digest)[HK_SHA512_224_DIGEST]);
void hk_sha512_256_many(size_t count, const void *const data[],
                        const size_t len[],
                        uint8_t (*digest)[HK_SHA512_256_DIGEST]);

/* These return how many of the messages were made by a collision attack. attack
 * is NULL or receives 1 for each of these, 0 for the others. */
size_t hk_sha1dc_many(size_t count, const void *const data[],
                      const size_t len[], uint8_t (*digest)[HK_SHA1_DIGEST]);
size_t hk_sha1dc_many_each(size_t count, const void *const data[],
                           const size_t len[],
                           uint8_t (*digest)[HK_SHA1_DIGEST], uint8_t attack[]);

/* The digest of the digests of the message's chunks: it is cut into pieces of
 * chunk bytes, the last one may be shorter, each is hashed alone, and then these
 * digests, one after the other. An empty message has no chunk; with chunk 0 the
 * whole is one. So linkers make a build ID of a large file, with chunks of 1 MiB.
 * It is another value than the digest of the message, and on one core it takes
 * as long as its chunks side by side take. */
void hk_sha1_tree(const void *data, size_t len, size_t chunk,
                  uint8_t digest[HK_SHA1_DIGEST]);
void hk_sha224_tree(const void *data, size_t len, size_t chunk,
                    uint8_t digest[HK_SHA224_DIGEST]);
void hk_sha256_tree(const void *data, size_t len, size_t chunk,
                    uint8_t digest[HK_SHA256_DIGEST]);
void hk_sha384_tree(const void *data, size_t len, size_t chunk,
                    uint8_t digest[HK_SHA384_DIGEST]);
void hk_sha512_tree(const void *data, size_t len, size_t chunk,
                    uint8_t digest[HK_SHA512_DIGEST]);
void hk_sha512_224_tree(const void *data, size_t len, size_t chunk,
                        uint8_t digest[HK_SHA512_224_DIGEST]);
void hk_sha512_256_tree(const void *data, size_t len, size_t chunk,
                        uint8_t digest[HK_SHA512_256_DIGEST]);
int hk_sha1dc_tree(const void *data, size_t len, size_t chunk,
                   uint8_t digest[HK_SHA1_DIGEST]);

/* ---- Midstates of SHA-2 -------------------------------------------------- */

/* A context is plain data, but only of this program on this machine: it names a
 * kernel by its address. A midstate is the same moment of a hash in a form that
 * can be stored, sent and resumed elsewhere, by any version of this library, on
 * any kernel. It exists at block borders only, when the bytes so far are a
 * multiple of the block size and nothing waits in the buffer.
 *
 * Layout, all numbers big-endian:
 *
 *     16 bytes  the algorithm: "sha256", "sha512_224", ...; rest zero
 *      8 bytes  the length so far in bytes (16 bytes in the SHA-512 family)
 *     32 bytes  the chaining value, eight words (64 bytes in that family)
 *
 * Whoever knows a midstate can extend the message: it is as secret as a key
 * that was hashed before it.
 */
#define HK_SHA256_MIDSTATE 56 /* bytes, also of SHA-224 */
#define HK_SHA512_MIDSTATE 96 /* bytes, also of SHA-384 and SHA-512/t */

enum hk_midstate_result {
    HK_MIDSTATE_OK = 0,
    HK_MIDSTATE_NOT_AT_BLOCK = 1, /* export: the length is not whole blocks */
    HK_MIDSTATE_OTHER = 2,        /* import: not a midstate of this algorithm */
    HK_MIDSTATE_INVALID = 3       /* import: no message leads to it: a length
                                     that is not whole blocks, or length 0 with
                                     another chaining value than the initial */
};

/* export writes the midstate of ctx, import makes ctx the hash at that point,
 * with the best kernel of this CPU. On an error nothing is written. */
int hk_sha224_export(const hk_sha224_ctx *ctx,
                     uint8_t midstate[HK_SHA256_MIDSTATE]);
int hk_sha224_import(hk_sha224_ctx *ctx,
                     const uint8_t midstate[HK_SHA256_MIDSTATE]);
int hk_sha256_export(const hk_sha256_ctx *ctx,
                     uint8_t midstate[HK_SHA256_MIDSTATE]);
int hk_sha256_import(hk_sha256_ctx *ctx,
                     const uint8_t midstate[HK_SHA256_MIDSTATE]);
int hk_sha384_export(const hk_sha384_ctx *ctx,
                     uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha384_import(hk_sha384_ctx *ctx,
                     const uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha512_export(const hk_sha512_ctx *ctx,
                     uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha512_import(hk_sha512_ctx *ctx,
                     const uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha512_224_export(const hk_sha512_224_ctx *ctx,
                         uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha512_224_import(hk_sha512_224_ctx *ctx,
                         const uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha512_256_export(const hk_sha512_256_ctx *ctx,
                         uint8_t midstate[HK_SHA512_MIDSTATE]);
int hk_sha512_256_import(hk_sha512_256_ctx *ctx,
                         const uint8_t midstate[HK_SHA512_MIDSTATE]);

/* ---- SipHash (Aumasson and Bernstein, "SipHash: a fast short-input PRF") -- */

/* A keyed hash of any message, for hash tables that strangers can fill and for
 * message authentication. SipHash-c-d runs c rounds for each 8 bytes and d at
 * the end: 2-4 is the authors' proposal, 1-3 is common in hash tables. The
 * 64-bit output is a number; stored little-endian it is the authors' 8 bytes.
 * The 128-bit output, 16 bytes, is that of the authors' reference code; the two
 * have nothing in common. */

#define HK_SIPHASH_KEY 16 /* bytes */

uint64_t hk_siphash24(const uint8_t key[HK_SIPHASH_KEY], const void *data,
                      size_t len);
uint64_t hk_siphash13(const uint8_t key[HK_SIPHASH_KEY], const void *data,
                      size_t len);
void hk_siphash24_128(const uint8_t key[HK_SIPHASH_KEY], const void *data,
                      size_t len, uint8_t digest[16]);
void hk_siphash13_128(const uint8_t key[HK_SIPHASH_KEY], const void *data,
                      size_t len, uint8_t digest[16]);

/* Piece by piece, with any number of rounds from 1 to 255. The two outputs
 * differ from the first word on, so a context that is to give either carries
 * two states and does the work twice; hk_siphash_init64 and hk_siphash_init128
 * make one for a single output. Asked for the output that it was not made for,
 * a context gives 0 (or 16 zero bytes). Copying the struct clones the hash;
 * final wipes it, after which it must be initialised again. */
typedef struct hk_siphash_ctx {
    uint64_t narrow[4]; /* v0..v3 of the 64-bit output */
    uint64_t wide[4];   /* and of the 128-bit output */
    uint64_t length;    /* bytes so far */
    uint8_t buffer[8];  /* the last length % 8 bytes */
    uint8_t c_rounds, d_rounds;
    uint8_t has_narrow, has_wide;
} hk_siphash_ctx;

void hk_siphash_init(hk_siphash_ctx *ctx, const uint8_t key[HK_SIPHASH_KEY],
                     unsigned c_rounds, unsigned d_rounds);
void hk_siphash_init64(hk_siphash_ctx *ctx, const uint8_t key[HK_SIPHASH_KEY],
                       unsigned c_rounds, unsigned d_rounds);
void hk_siphash_init128(hk_siphash_ctx *ctx, const uint8_t key[HK_SIPHASH_KEY],
                        unsigned c_rounds, unsigned d_rounds);
void hk_siphash_update(hk_siphash_ctx *ctx, const void *data, size_t len);
uint64_t hk_siphash_final64(hk_siphash_ctx *ctx);
void hk_siphash_final128(hk_siphash_ctx *ctx, uint8_t digest[16]);

#ifdef __cplusplus
}
#endif

#endif
