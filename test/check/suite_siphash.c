/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * suite_siphash.c - the SipHash API: published vectors, streaming, contexts
 */
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { KEY = 16, VECTORS = 64, LONGEST = 300 };

static uint8_t message[LONGEST + 16];

/* Both outputs of a context that was given the message. */
static void finish_both(const hk_siphash_ctx *ctx, uint8_t output[24])
{
    hk_siphash_ctx narrow = *ctx, wide = *ctx;
    uint64_t low = hk_siphash_final64(&narrow);

    for (unsigned i = 0; i < 8; i++)
        output[i] = (uint8_t)(low >> 8 * i);
    hk_siphash_final128(&wide, output + 8);
}

/* Both one-shot outputs of SipHash-2-4, as bytes. */
static void one_shot(const uint8_t *key, const uint8_t *data, size_t length,
                     uint8_t output[24])
{
    uint64_t low = hk_siphash24(key, data, length);

    for (unsigned i = 0; i < 8; i++)
        output[i] = (uint8_t)(low >> 8 * i);
    hk_siphash24_128(key, data, length, output + 8);
}

/* Compares with the published outputs in a file, one in hexadecimal a line. */
static void published(const char *file, size_t from, size_t size)
{
    char path[300], line[100];
    uint8_t key[KEY], output[24], want[16];
    unsigned n = 0;
    FILE *vectors;

    snprintf(path, sizeof path, "%s/test/vectors/%s", settings.tree, file);
    vectors = fopen(path, "r");
    if (!vectors)
        fail("cannot open %s", path);
    for (unsigned i = 0; i < KEY; i++)
        key[i] = (uint8_t)i;
    for (unsigned i = 0; i < VECTORS; i++)
        message[i] = (uint8_t)i;
    while (fgets(line, sizeof line, vectors)) {
        if (*line == '#')
            continue;
        for (size_t i = 0; i < size; i++) {
            unsigned byte;

            if (sscanf(line + 2 * i, "%2x", &byte) != 1)
                fail("%s: bad line: %s", path, line);
            want[i] = (uint8_t)byte;
        }
        one_shot(key, message, n, output);
        same_bytes(output + from, want, size, "%s: %u bytes", file, n);
        n++;
    }
    fclose(vectors);
    if (n != VECTORS)
        fail("%s: %u vectors, not %d", path, n, VECTORS);
}

static void vectors(const void *unused)
{
    (void)unused;
    published("siphash24.txt", 0, 8);
    published("siphash24_128.txt", 8, 16);
}

/* Every pair of cuts of every short message, every cut of long ones. */
static void splits(const void *unused)
{
    uint8_t key[KEY], want[24], got[24];

    (void)unused;
    random_bytes(key, KEY);
    random_bytes(message, sizeof message);
    for (size_t length = 0; length <= LONGEST; length += length < 40 ? 1 : 13)
        for (size_t first = 0; first <= length; first++) {
            size_t step = length < 40 ? 1 : length + 1;

            for (size_t second = first; second <= length; second += step) {
                hk_siphash_ctx ctx;

                hk_siphash_init(&ctx, key, 2, 4);
                hk_siphash_update(&ctx, message, first);
                hk_siphash_update(&ctx, message + first, second - first);
                hk_siphash_update(&ctx, message + second, length - second);
                finish_both(&ctx, got);
                one_shot(key, message, length, want);
                same_bytes(got, want, sizeof want, "%zu bytes cut at %zu, %zu",
                           length, first, second);
            }
        }
}

static void byte_by_byte(const void *unused)
{
    uint8_t key[KEY], want[24], got[24];
    hk_siphash_ctx ctx;

    (void)unused;
    random_bytes(key, KEY);
    random_bytes(message, sizeof message);
    hk_siphash_init(&ctx, key, 2, 4);
    for (size_t length = 0; length < LONGEST; length++) {
        finish_both(&ctx, got); /* on copies: the stream goes on */
        one_shot(key, message, length, want);
        same_bytes(got, want, sizeof want, "%zu single bytes", length);
        hk_siphash_update(&ctx, message + length, 1);
        hk_siphash_update(&ctx, NULL, 0);
    }
}

/* The text of the paper, for any number of rounds, from the reference rows. */
static uint64_t by_reference(const uint8_t *key, const uint8_t *data,
                             size_t length, unsigned c, unsigned d)
{
    hk_sipabsorb_kernel *absorb =
        (hk_sipabsorb_kernel *)reference_of("sipabsorb");
    static const uint8_t zero[8 * 255];
    uint8_t last[8] = {0};
    uint64_t k[2] = {0, 0}, v[4];

    for (unsigned i = 0; i < KEY; i++)
        k[i / 8] |= (uint64_t)key[i] << 8 * (i % 8);
    v[0] = k[0] ^ 0x736f6d6570736575;
    v[1] = k[1] ^ 0x646f72616e646f6d;
    v[2] = k[0] ^ 0x6c7967656e657261;
    v[3] = k[1] ^ 0x7465646279746573;
    absorb(v, data, length / 8, c);
    memcpy(last, data + length / 8 * 8, length % 8);
    last[7] = (uint8_t)length;
    absorb(v, last, 1, c);
    v[2] ^= 0xff;
    absorb(v, zero, d, 1); /* a zero word is a round and nothing else */
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void rounds(const void *unused)
{
    uint8_t key[KEY];

    (void)unused;
    random_bytes(message, sizeof message);
    for (unsigned c = 1; c < 5; c++)
        for (unsigned d = 1; d < 9; d++)
            for (size_t length = 0; length < 40; length++) {
                hk_siphash_ctx ctx;
                uint64_t got, want;

                random_bytes(key, KEY);
                hk_siphash_init64(&ctx, key, c, d);
                hk_siphash_update(&ctx, message, length);
                got = hk_siphash_final64(&ctx);
                want = by_reference(key, message, length, c, d);
                same_bytes(&got, &want, sizeof got, "SipHash-%u-%u, %zu bytes",
                           c, d, length);
                if (c == 1 && d == 3) {
                    got = hk_siphash13(key, message, length);
                    same_bytes(&got, &want, sizeof got,
                               "hk_siphash13, %zu bytes", length);
                }
            }
}

/* A context made for one output gives that one, and zeroes for the other. */
static void one_output(const void *unused)
{
    static const uint8_t zero[16];
    uint8_t key[KEY], want[24], got[24];
    hk_siphash_ctx ctx;

    (void)unused;
    random_bytes(key, KEY);
    random_bytes(message, sizeof message);
    one_shot(key, message, 77, want);
    hk_siphash_init64(&ctx, key, 2, 4);
    hk_siphash_update(&ctx, message, 77);
    finish_both(&ctx, got);
    same_bytes(got, want, 8, "64-bit output");
    same_bytes(got + 8, zero, 16, "128-bit output of a 64-bit context");
    hk_siphash_init128(&ctx, key, 2, 4);
    hk_siphash_update(&ctx, message, 77);
    finish_both(&ctx, got);
    same_bytes(got, zero, 8, "64-bit output of a 128-bit context");
    same_bytes(got + 8, want + 8, 16, "128-bit output");
}

static void wide13(const void *unused)
{
    uint8_t key[KEY], got[16], want[16];

    (void)unused;
    random_bytes(key, KEY);
    random_bytes(message, sizeof message);
    for (size_t length = 0; length < 40; length++) {
        hk_siphash_ctx ctx;

        hk_siphash_init(&ctx, key, 1, 3);
        hk_siphash_update(&ctx, message, length);
        hk_siphash_final128(&ctx, want);
        hk_siphash13_128(key, message, length, got);
        same_bytes(got, want, sizeof got, "SipHash-1-3-128, %zu bytes", length);
    }
}

static void wiped(const void *unused)
{
    static const hk_siphash_ctx zero;
    uint8_t key[KEY], digest[16];
    hk_siphash_ctx ctx;

    (void)unused;
    random_bytes(key, KEY);
    hk_siphash_init(&ctx, key, 2, 4);
    hk_siphash_update(&ctx, message, 9);
    hk_siphash_final64(&ctx);
    same_bytes(&ctx, &zero, sizeof ctx, "context after final64");
    hk_siphash_init(&ctx, key, 2, 4);
    hk_siphash_update(&ctx, message, 9);
    hk_siphash_final128(&ctx, digest);
    same_bytes(&ctx, &zero, sizeof ctx, "context after final128");
    hk_siphash_update(&ctx, message, LONGEST); /* harmless, if useless */
    hk_siphash_final64(&ctx);
}

static void digest_alignment(const void *unused)
{
    uint8_t key[KEY], want[16], room[64];

    (void)unused;
    random_bytes(key, KEY);
    hk_siphash24_128(key, message, 20, want);
    for (unsigned offset = 0; offset < 16; offset++) {
        memset(room, 0xa5, sizeof room);
        hk_siphash24_128(key, message, 20, room + 16 + offset);
        same_bytes(room + 16 + offset, want, 16, "digest at an odd address");
        for (unsigned i = 0; i < sizeof room; i++)
            if ((i < 16 + offset || i >= 32 + offset) && room[i] != 0xa5)
                fail("writes outside of the digest");
    }
}

void suite_siphash(void)
{
    offer("api-siphash/vectors", vectors, NULL);
    offer("api-siphash/splits", splits, NULL);
    offer("api-siphash/byte-by-byte", byte_by_byte, NULL);
    offer("api-siphash/rounds", rounds, NULL);
    offer("api-siphash/one-output", one_output, NULL);
    offer("api-siphash/wide13", wide13, NULL);
    offer("api-siphash/wiped", wiped, NULL);
    offer("api-siphash/digest-alignment", digest_alignment, NULL);
}
