/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * provider_test.c - the provider hashkern beside OpenSSL's own
 *
 *     provider_test FOLDER [SEED]      FOLDER holds hashkern.so
 *
 * Everything is asked of both through EVP, and must be the same. The report is
 * in TAP. Built with -fsanitize=thread, the last test also finds races.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

enum { ROUNDS = 300, LONGEST = 5000, THREADS = 8, CODE = 16 };

static const char *const algorithms[] = {
    "SHA1",     "SHA2-224",     "SHA2-256",    "SHA2-384",
    "SHA2-512", "SHA2-512/224", "SHA2-512/256"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

#define OURS   "provider=hashkern"
#define THEIRS "provider=default"

static uint8_t data[LONGEST];
static unsigned count, failures;

/* One line of the report; of is an algorithm, or empty. */
static void result(const char *name, const char *of, bool good)
{
    printf("%s %u - provider/%s%s%s\n", good ? "ok" : "not ok", ++count, name,
           *of ? "/" : "", of);
    failures += !good;
}

static uint64_t random_state = 1;

static unsigned random_below(unsigned limit) /* xorshift64 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 32) % limit;
}

/* A length: often short, often at the border of a block. */
static size_t random_length(void)
{
    switch (random_below(3)) {
    case 0:
        return random_below(300);
    case 1:
        return 64 * random_below(20) + random_below(3);
    default:
        return random_below(LONGEST);
    }
}

/* ---- Digests ------------------------------------------------------------- */

static bool same_digests(const EVP_MD *ours, const EVP_MD *theirs)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    bool good = ctx && copy;

    for (unsigned i = 0; good && i < ROUNDS; i++) {
        size_t len = random_length(), done = 0, cut = len;
        uint8_t want[EVP_MAX_MD_SIZE], got[EVP_MAX_MD_SIZE],
            copied[EVP_MAX_MD_SIZE];
        unsigned want_size = 0, size = 0, copied_size = 0;

        good = EVP_Digest(data, len, want, &want_size, theirs, NULL) &&
               EVP_Digest(data, len, got, &size, ours, NULL) &&
               size == want_size && !memcmp(got, want, size);
        /* In pieces; somewhere among them a copy that goes on alone. The
         * contexts are used again and again. */
        good = good && EVP_DigestInit_ex(ctx, ours, NULL);
        for (unsigned piece = 0; good && done < len; piece++) {
            size_t now = random_below((unsigned)(len - done) + 1);

            good = EVP_DigestUpdate(ctx, data + done, now);
            done += now;
            if (piece == 1) {
                good = good && EVP_MD_CTX_copy_ex(copy, ctx);
                cut = done;
            }
        }
        if (good && cut < len)
            good = EVP_DigestUpdate(copy, data + cut, len - cut) &&
                   EVP_DigestFinal_ex(copy, copied, &copied_size) &&
                   copied_size == size && !memcmp(copied, want, size);
        good = good && EVP_DigestFinal_ex(ctx, got, &size) &&
               size == want_size && !memcmp(got, want, size);
    }
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    return good;
}

static bool same_params(const EVP_MD *ours, const EVP_MD *theirs)
{
    return !strcmp(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(ours)),
                   "hashkern") &&
           EVP_MD_get_size(ours) == EVP_MD_get_size(theirs) &&
           EVP_MD_get_block_size(ours) == EVP_MD_get_block_size(theirs) &&
           EVP_MD_get_flags(ours) == EVP_MD_get_flags(theirs) &&
           EVP_MD_get_type(ours) == EVP_MD_get_type(theirs) &&
           !strcmp(EVP_MD_get0_name(ours), EVP_MD_get0_name(theirs));
}

/* Does ours answer to each name of theirs? (Not to that of SSL 3.0.) */
struct names {
    const EVP_MD *ours;
    bool good;
};
static void each_name(const char *name, void *user)
{
    struct names *names = user;

    if (!EVP_MD_is_a(names->ours, name) && strcmp(name, "SSL3-SHA1") != 0)
        names->good = false;
}
static bool same_names(const EVP_MD *ours, const EVP_MD *theirs)
{
    struct names names = {ours, true};

    return EVP_MD_names_do_all(theirs, each_name, &names) && names.good;
}

/* What OpenSSL builds on a digest, here HMAC, takes it from where it is told. */
static bool hmac(const char *algorithm, const char *from, size_t len,
                 uint8_t *code, size_t *size)
{
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)algorithm, 0),
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_PROPERTIES, (char *)from, 0),
        OSSL_PARAM_END};
    bool good = EVP_MAC_init(ctx, data, 20, params) &&
                EVP_MAC_update(ctx, data, len) &&
                EVP_MAC_final(ctx, code, size, EVP_MAX_MD_SIZE);

    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
    return good;
}

static bool same_hmac(const char *algorithm)
{
    for (unsigned i = 0; i < 20; i++) {
        uint8_t want[EVP_MAX_MD_SIZE], got[EVP_MAX_MD_SIZE];
        size_t want_size = 0, size = 0, len = random_length();

        if (!hmac(algorithm, THEIRS, len, want, &want_size) ||
            !hmac(algorithm, OURS, len, got, &size) || size != want_size ||
            memcmp(got, want, size) != 0)
            return false;
    }
    return true;
}

/* ---- SipHash ------------------------------------------------------------- */

/* A key and the parameters that are not 0. */
struct siphash {
    const uint8_t *key;
    size_t key_size, size;
    unsigned c, d;
};

static bool start(EVP_MAC_CTX *ctx, const struct siphash *how)
{
    struct siphash copy = *how;
    OSSL_PARAM params[4], *end = params;

    if (how->size)
        *end++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &copy.size);
    if (how->c)
        *end++ = OSSL_PARAM_construct_uint(OSSL_MAC_PARAM_C_ROUNDS, &copy.c);
    if (how->d)
        *end++ = OSSL_PARAM_construct_uint(OSSL_MAC_PARAM_D_ROUNDS, &copy.d);
    *end = OSSL_PARAM_construct_end();
    return EVP_MAC_init(ctx, how->key, how->key_size, params);
}

static bool same_codes(EVP_MAC *ours, EVP_MAC *theirs)
{
    static const size_t sizes[] = {0, 8, 16};
    static const unsigned rounds[][2] = {{0, 0}, {2, 4}, {1, 3}, {4, 8}};

    for (unsigned i = 0; i < 4 * ROUNDS; i++) {
        struct siphash how = {data + random_below(1000), 16,
                              sizes[random_below(3)], 0, 0};
        size_t len = random_below(2) ? random_below(40) : random_length();
        size_t cut = random_below((unsigned)len + 1);
        uint8_t want[CODE], got[CODE], copied[CODE];
        size_t want_size = 0, size = 0, copied_size = 0;
        EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(theirs), *copy;
        unsigned which = random_below(4);
        bool good;

        how.c = rounds[which][0];
        how.d = rounds[which][1];
        good = start(ctx, &how) && EVP_MAC_update(ctx, data, len) &&
               EVP_MAC_final(ctx, want, &want_size, sizeof want);
        EVP_MAC_CTX_free(ctx);
        ctx = EVP_MAC_CTX_new(ours);
        good = good && start(ctx, &how) &&
               EVP_MAC_CTX_get_mac_size(ctx) == want_size &&
               EVP_MAC_update(ctx, data, cut);
        copy = EVP_MAC_CTX_dup(ctx);
        good = good && copy && EVP_MAC_update(ctx, data + cut, len - cut) &&
               EVP_MAC_update(copy, data + cut, len - cut) &&
               EVP_MAC_final(ctx, got, &size, sizeof got) &&
               EVP_MAC_final(copy, copied, &copied_size, sizeof copied) &&
               size == want_size && copied_size == size &&
               !memcmp(got, want, size) && !memcmp(copied, want, size);
        /* Again, with the key that it has. */
        good = good && EVP_MAC_init(ctx, NULL, 0, NULL) &&
               EVP_MAC_update(ctx, data, len) &&
               EVP_MAC_final(ctx, got, &size, sizeof got) &&
               !memcmp(got, want, size);
        EVP_MAC_CTX_free(ctx);
        EVP_MAC_CTX_free(copy);
        if (!good)
            return false;
    }
    return true;
}

static bool reads_back(EVP_MAC *ours)
{
    struct siphash how = {data, 16, 8, 3, 5};
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(ours);
    size_t size = 0;
    unsigned c = 0, d = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, &size),
                           OSSL_PARAM_uint(OSSL_MAC_PARAM_C_ROUNDS, &c),
                           OSSL_PARAM_uint(OSSL_MAC_PARAM_D_ROUNDS, &d),
                           OSSL_PARAM_END};
    bool good = start(ctx, &how) && EVP_MAC_CTX_get_params(ctx, params) &&
                size == 8 && c == 3 && d == 5;

    EVP_MAC_CTX_free(ctx);
    return good;
}

/* Of all that is refused, nothing may give a code. */
static bool refuses(EVP_MAC *ours)
{
    const struct siphash wrong[] = {
        {data, 15, 0, 0, 0},  {data, 17, 0, 0, 0},   {data, 16, 7, 0, 0},
        {data, 16, 32, 0, 0}, {data, 16, 0, 256, 0}, {data, 16, 0, 0, 256},
    };
    struct siphash right = {data, 16, 16, 0, 0};
    uint8_t code[CODE];
    size_t size;
    bool good = true;
    EVP_MAC_CTX *ctx;
    OSSL_PARAM other[2];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ctx = EVP_MAC_CTX_new(ours);
        good = good && !start(ctx, &wrong[i]);
        EVP_MAC_CTX_free(ctx);
    }
    ctx = EVP_MAC_CTX_new(ours); /* without a key */
    good = good && !EVP_MAC_update(ctx, data, 1) &&
           !EVP_MAC_final(ctx, code, &size, sizeof code);
    EVP_MAC_CTX_free(ctx);
    ctx = EVP_MAC_CTX_new(ours); /* no room; another size in mid-message */
    size = 8;
    other[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
    other[1] = OSSL_PARAM_construct_end();
    good = good && start(ctx, &right) && EVP_MAC_update(ctx, data, 1) &&
           !EVP_MAC_final(ctx, code, &size, 15);
    size = 8;
    good = good && !EVP_MAC_CTX_set_params(ctx, other);
    EVP_MAC_CTX_free(ctx);
    return good;
}

/* ---- Threads ------------------------------------------------------------- */

static EVP_MD_CTX *begun; /* every thread copies it and goes on */
static uint8_t expected[EVP_MAX_MD_SIZE];

static void *hash_in_thread(void *unused)
{
    bool good = true;

    (void)unused;
    for (unsigned i = 0; good && i < 50; i++) {
        EVP_MD *md = EVP_MD_fetch(NULL, "SHA2-256", OURS);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        uint8_t digest[EVP_MAX_MD_SIZE];
        unsigned size = 0;

        good =
            md && ctx && EVP_Digest(data, LONGEST, digest, &size, md, NULL) &&
            !memcmp(digest, expected, size) && EVP_MD_CTX_copy_ex(ctx, begun) &&
            EVP_DigestUpdate(ctx, data + 1000, LONGEST - 1000) &&
            EVP_DigestFinal_ex(ctx, digest, &size) &&
            !memcmp(digest, expected, size);
        EVP_MD_CTX_free(ctx);
        EVP_MD_free(md);
    }
    return good ? begun : NULL;
}

static bool threads(void)
{
    EVP_MD *theirs = EVP_MD_fetch(NULL, "SHA2-256", THEIRS);
    EVP_MD *ours = EVP_MD_fetch(NULL, "SHA2-256", OURS);
    pthread_t thread[THREADS];
    bool good;

    begun = EVP_MD_CTX_new();
    good = EVP_Digest(data, LONGEST, expected, NULL, theirs, NULL) &&
           EVP_DigestInit_ex(begun, ours, NULL) &&
           EVP_DigestUpdate(begun, data, 1000);
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, hash_in_thread, NULL))
            exit(2);
    for (unsigned i = 0; i < THREADS; i++) {
        void *end;

        pthread_join(thread[i], &end);
        good = good && end;
    }
    EVP_MD_CTX_free(begun);
    EVP_MD_free(ours);
    EVP_MD_free(theirs);
    return good;
}

int main(int argc, char **argv)
{
    OSSL_PROVIDER *theirs, *ours;
    EVP_MAC *our_mac, *their_mac;

    random_state = argc > 2 ? strtoull(argv[2], NULL, 0) | 1
                            : (uint64_t)time(NULL) << 1 | 1;
    printf("# seed %llu, %s\n", (unsigned long long)random_state,
           OpenSSL_version(OPENSSL_VERSION));
    theirs = OSSL_PROVIDER_load(NULL, "default");
    ours = argc > 1 && OSSL_PROVIDER_set_default_search_path(NULL, argv[1])
               ? OSSL_PROVIDER_load(NULL, "hashkern")
               : NULL;
    result("load", "", ours != NULL);
    if (!theirs || !ours)
        return 1;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_below(256);

    result("threads", "", threads()); /* first: nothing is cached yet */
    for (unsigned i = 0; i < ALGORITHMS; i++) {
        EVP_MD *our_md = EVP_MD_fetch(NULL, algorithms[i], OURS);
        EVP_MD *their_md = EVP_MD_fetch(NULL, algorithms[i], THEIRS);
        bool both = our_md && their_md;

        result("params", algorithms[i], both && same_params(our_md, their_md));
        result("names", algorithms[i], both && same_names(our_md, their_md));
        result("digests", algorithms[i],
               both && same_digests(our_md, their_md));
        result("hmac", algorithms[i], both && same_hmac(algorithms[i]));
        EVP_MD_free(our_md);
        EVP_MD_free(their_md);
    }
    our_mac = EVP_MAC_fetch(NULL, "SIPHASH", OURS);
    their_mac = EVP_MAC_fetch(NULL, "SIPHASH", THEIRS);
    result("siphash", "",
           our_mac && their_mac && same_codes(our_mac, their_mac));
    result("siphash-params", "", our_mac && reads_back(our_mac));
    result("siphash-refuses", "", our_mac && refuses(our_mac));
    EVP_MAC_free(our_mac);
    EVP_MAC_free(their_mac);
    result("unload", "",
           OSSL_PROVIDER_unload(ours) && OSSL_PROVIDER_unload(theirs));
    printf("1..%u\n", count);
    return failures != 0;
}
