/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * peers.c - other libraries, opened when present
 *
 * Nothing is linked against them and none of their headers is needed: the few
 * functions are declared here. Each peer is called in the way that is fastest
 * for it, without allocation or look-up by name in the measured part; OpenSSL's
 * one-shot function, which does both, is a competitor of its own.
 *
 * To compare with their code for older instruction sets, the library is told
 * not to use newer ones. They read that when they start, so each tier runs in a
 * process of its own (worker.c).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#ifdef BENCH_PEERS
#include <dlfcn.h>

#define CONTEXT_BYTES 1024 /* more than any peer's context */

typedef int openssl_init(void *ctx);
typedef int openssl_update(void *ctx, const void *data, size_t len);
typedef int openssl_final(uint8_t *digest, void *ctx);
typedef uint8_t *openssl_call(const uint8_t *data, size_t len, uint8_t *digest);
typedef void gcrypt_call(int algorithm, void *digest, const void *data,
                         size_t len);
typedef unsigned gcrypt_open(void **handle, int algorithm, unsigned flags);
typedef void gcrypt_write(void *handle, const void *data, size_t len);
typedef uint8_t *gcrypt_read(void *handle, int algorithm);
typedef void gcrypt_close(void *handle);
typedef uint64_t highway_call(const uint64_t *key, const uint8_t *data,
                              uint64_t size);
typedef int sodium_call(uint8_t *hash, const uint8_t *data,
                        unsigned long long size, const uint8_t *key);
typedef void nettle_init(void *ctx);
typedef void nettle_update(void *ctx, size_t len, const uint8_t *data);
typedef void nettle_digest(void *ctx, size_t len, uint8_t *digest);

#define SYMBOLS 5

struct peer {
    const char *name, *library, *algorithm;
    run_function *run;
    file_function *file;
    const char *symbols[SYMBOLS];
    int id; /* libgcrypt's number of the algorithm, the digest's bytes */
    hk_function *found[SYMBOLS];
};

static void run_openssl(const struct entry *entry, const uint8_t *data,
                        size_t size, unsigned reps, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    openssl_init *init = (openssl_init *)peer->found[0];
    openssl_update *update = (openssl_update *)peer->found[1];
    openssl_final *final = (openssl_final *)peer->found[2];
    _Alignas(64) uint8_t ctx[CONTEXT_BYTES];

    while (reps--) {
        init(ctx);
        update(ctx, data, size);
        final(out, ctx);
    }
}

static void file_openssl(const struct entry *entry, int fd, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    _Alignas(64) uint8_t ctx[CONTEXT_BYTES];
    size_t n;

    ((openssl_init *)peer->found[0])(ctx);
    while ((n = read_file(fd)) > 0)
        ((openssl_update *)peer->found[1])(ctx, file_buffer, n);
    ((openssl_final *)peer->found[2])(out, ctx);
}

static void run_openssl_call(const struct entry *entry, const uint8_t *data,
                             size_t size, unsigned reps, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    openssl_call *call = (openssl_call *)peer->found[0];

    while (reps--)
        call(data, size, out);
}

static void run_gcrypt(const struct entry *entry, const uint8_t *data,
                       size_t size, unsigned reps, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    gcrypt_call *call = (gcrypt_call *)peer->found[0];

    while (reps--)
        call(peer->id, out, data, size);
}

static void file_gcrypt(const struct entry *entry, int fd, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    void *handle = NULL;
    size_t n;

    ((gcrypt_open *)peer->found[1])(&handle, peer->id, 0);
    while ((n = read_file(fd)) > 0)
        ((gcrypt_write *)peer->found[2])(handle, file_buffer, n);
    (void)((gcrypt_read *)peer->found[3])(handle, peer->id);
    ((gcrypt_close *)peer->found[4])(handle);
    (void)out;
}

static void run_nettle(const struct entry *entry, const uint8_t *data,
                       size_t size, unsigned reps, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    nettle_init *init = (nettle_init *)peer->found[0];
    nettle_update *update = (nettle_update *)peer->found[1];
    nettle_digest *digest = (nettle_digest *)peer->found[2];
    _Alignas(64) uint8_t ctx[CONTEXT_BYTES];

    while (reps--) {
        init(ctx);
        update(ctx, size, data);
        digest(ctx, (size_t)peer->id, out);
    }
}

static void file_nettle(const struct entry *entry, int fd, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    _Alignas(64) uint8_t ctx[CONTEXT_BYTES];
    size_t n;

    ((nettle_init *)peer->found[0])(ctx);
    while ((n = read_file(fd)) > 0)
        ((nettle_update *)peer->found[1])(ctx, n, file_buffer);
    ((nettle_digest *)peer->found[2])(ctx, (size_t)peer->id, out);
}

/* llvm::SHA1::hash and llvm::SHA256::hash return a std::array: as C sees it, a
 * structure. */
#define LLVM_CALL(bytes)                                                       \
    typedef struct llvm_digest##bytes {                                        \
        uint8_t digest[bytes];                                                 \
    } llvm_call##bytes(const uint8_t *data, size_t size);                      \
    static void run_llvm##bytes(const struct entry *entry,                     \
                                const uint8_t *data, size_t size,              \
                                unsigned reps, uint8_t *out)                   \
    {                                                                          \
        const struct peer *peer = entry->peer;                                 \
        llvm_call##bytes *call = (llvm_call##bytes *)peer->found[0];           \
        struct llvm_digest##bytes result = {{0}};                              \
                                                                               \
        while (reps--)                                                         \
            result = call(data, size);                                         \
        memcpy(out, result.digest, bytes);                                     \
    }

LLVM_CALL(20)
LLVM_CALL(32)

/* SipHash by two others, under family.c's key. */
static const uint64_t key[2] = {0x30201};

static void run_highway(const struct entry *entry, const uint8_t *data,
                        size_t size, unsigned reps, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    highway_call *call = (highway_call *)peer->found[0];
    uint64_t hash = 0;

    while (reps--)
        hash = call(key, data, size);
    memcpy(out, &hash, sizeof hash);
}

static void run_sodium(const struct entry *entry, const uint8_t *data,
                       size_t size, unsigned reps, uint8_t *out)
{
    const struct peer *peer = entry->peer;
    sodium_call *call = (sodium_call *)peer->found[0];

    while (reps--)
        call(out, data, size, (const uint8_t *)key);
}

#define CRYPTO  "libcrypto.so.3"
#define GCRYPT  "libgcrypt.so.20"
#define NETTLE  "libnettle.so.8"
#define LLVM    "libLLVM-14.so.1"
#define SODIUM  "libsodium.so.23"
#define HIGHWAY "libhighwayhash.so.0"
/* clang-format off */
#define OPENSSL_PEER(algorithm, NAME)                                          \
    {"OpenSSL", CRYPTO, algorithm, run_openssl, file_openssl,                  \
     {NAME "_Init", NAME "_Update", NAME "_Final"}, 0, {0}},                   \
    {"OpenSSL " NAME "()", CRYPTO, algorithm, run_openssl_call, NULL, {NAME},  \
     0, {0}}
#define GCRYPT_PEER(algorithm, id)                                             \
    {"libgcrypt", GCRYPT, algorithm, run_gcrypt, file_gcrypt,                  \
     {"gcry_md_hash_buffer", "gcry_md_open", "gcry_md_write", "gcry_md_read",  \
      "gcry_md_close"}, id, {0}}
#define NETTLE_PEER(algorithm, bytes)                                          \
    {"nettle", NETTLE, algorithm, run_nettle, file_nettle,                     \
     {"nettle_" algorithm "_init", "nettle_" algorithm "_update",              \
      "nettle_" algorithm "_digest"}, bytes, {0}}
/* clang-format on */

static struct peer peers[] = {
    OPENSSL_PEER("sha1", "SHA1"),
    GCRYPT_PEER("sha1", 2),
    NETTLE_PEER("sha1", 20),
    OPENSSL_PEER("sha256", "SHA256"),
    GCRYPT_PEER("sha256", 8),
    NETTLE_PEER("sha256", 32),
    OPENSSL_PEER("sha512", "SHA512"),
    GCRYPT_PEER("sha512", 10),
    NETTLE_PEER("sha512", 64),
    {"LLVM",
     LLVM,
     "sha1",
     run_llvm20,
     NULL,
     {"_ZN4llvm4SHA14hashENS_8ArrayRefIhEE"},
     0,
     {0}},
    {"LLVM",
     LLVM,
     "sha256",
     run_llvm32,
     NULL,
     {"_ZN4llvm6SHA2564hashENS_8ArrayRefIhEE"},
     0,
     {0}},
    {"libsodium",
     SODIUM,
     "siphash24",
     run_sodium,
     NULL,
     {"crypto_shorthash_siphash24"},
     0,
     {0}},
    {"HighwayHash",
     HIGHWAY,
     "siphash24",
     run_highway,
     NULL,
     {"SipHashC"},
     0,
     {0}},
    {"HighwayHash",
     HIGHWAY,
     "siphash13",
     run_highway,
     NULL,
     {"SipHash13C"},
     0,
     {0}},
};

#define DENY "HK_BENCH_GCRYPT_DENY" /* from the parent to a worker */

/* libgcrypt wants to be set up before use, and is told here what not to use. */
static void set_up_gcrypt(void *library)
{
    enum { NO_SECMEM = 37, FINISHED = 38, DISABLE_HWF = 63 };
    const char *(*version)(const char *);
    int (*control)(int, ...);
    char denied[256], *name;

    *(void **)&version = dlsym(library, "gcry_check_version");
    *(void **)&control = dlsym(library, "gcry_control");
    if (!version || !control)
        return;
    snprintf(denied, sizeof denied, "%s", getenv(DENY) ? getenv(DENY) : "");
    for (name = strtok(denied, ","); name; name = strtok(NULL, ","))
        control(DISABLE_HWF, name, NULL);
    version(NULL);
    control(NO_SECMEM, 0);
    control(FINISHED, 0);
}

/* Opens a library once; NULL if it is not on this machine. */
static void *open_library(const char *name)
{
    static struct {
        const char *name;
        void *handle;
    } known[8];
    size_t i;

    for (i = 0; known[i].name; i++)
        if (!strcmp(known[i].name, name))
            return known[i].handle;
    known[i].name = name;
    known[i].handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!known[i].handle)
        fprintf(stderr, "bench: %s is not on this machine: skipped\n", name);
    else if (!strcmp(name, GCRYPT))
        set_up_gcrypt(known[i].handle);
    return known[i].handle;
}

static int find_symbols(struct peer *peer)
{
    void *library = open_library(peer->library);

    if (!library)
        return 0;
    for (int i = 0; i < SYMBOLS && peer->symbols[i]; i++) {
        void *symbol = dlsym(library, peer->symbols[i]);

        if (!symbol) {
            fprintf(stderr, "bench: %s has no %s: skipped\n", peer->library,
                    peer->symbols[i]);
            return 0;
        }
        *(void **)&peer->found[i] = symbol;
    }
    return 1;
}

/* Tiers to which the peers can be held back. OpenSSL takes CPUID words with
 * bits cleared, libgcrypt names of features; nettle knows just all or nothing.
 * A tier is of use where the CPU has more than it. */
struct tier {
    const char *name;
    unsigned above; /* a feature of the CPU that the tier does not use */
    const char *environment[4];
};
#define NO_SHA    "intel-shaext,intel-avx512"
#define NO_AVX    NO_SHA ",intel-avx2,intel-avx,intel-bmi2"
#define NO_VECTOR NO_AVX ",intel-ssse3,intel-sse4.1"
static const struct tier tiers_x86[] = {
    {"to AVX2",
     HK_CPU_SHANI,
     {"OPENSSL_ia32cap=:~0x20000000", DENY "=" NO_SHA, NULL}},
    {"to SSSE3",
     HK_CPU_AVX,
     {"OPENSSL_ia32cap=~0x1000000000000000:~0x20000020", DENY "=" NO_AVX,
      NULL}},
    {"no SIMD",
     HK_CPU_SSSE3,
     {"OPENSSL_ia32cap=~0x1000020000000000:~0x20000020", DENY "=" NO_VECTOR,
      "NETTLE_FAT_OVERRIDE=none", NULL}},
};
#define TIERS (sizeof tiers_x86 / sizeof tiers_x86[0])

void add_peers(struct entries *entries, const char *algorithm, int tiers)
{
    static struct worker *workers[TIERS];

    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        struct peer *peer = &peers[i];
        struct entry entry = {.algorithm = algorithm,
                              .name = peer->name,
                              .source = peer->library,
                              .tier = "",
                              .level = MESSAGES,
                              .messages = 1,
                              .run = peer->run,
                              .file = peer->file,
                              .peer = peer};

        if (strcmp(peer->algorithm, algorithm) || !find_symbols(peer))
            continue;
        add_entry(entries, &entry);
        if (!tiers || !peer->file) /* no fast path of its own */
            continue;
        for (size_t t = 0; t < TIERS; t++) {
            if (!(hk_cpu_features() & tiers_x86[t].above) ||
                (peer->run == run_nettle && !tiers_x86[t].environment[2]))
                continue;
            if (!workers[t])
                workers[t] = start_worker(NULL, tiers_x86[t].environment);
            entry.tier = tiers_x86[t].name;
            entry.worker = workers[t];
            add_entry(entries, &entry);
        }
    }
}

#else

void add_peers(struct entries *entries, const char *algorithm, int tiers)
{
    static int said;

    (void)entries, (void)algorithm, (void)tiers;
    if (!said++)
        fprintf(stderr, "bench: a static program cannot open other libraries: "
                        "peers skipped\n");
}

#endif
