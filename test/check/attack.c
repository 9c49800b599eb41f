/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * attack.c - disturbance vectors, their conditions, and blocks that meet them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "check.h"

struct vector vectors[VECTORS];
struct condition conditions[CONDITIONS];
struct relation relations[RELATIONS];

const char *const collision_files[5] = {
    "shattered-1.320.bin", "shattered-2.320.bin", "sha-mbles-1.bin",
    "sha-mbles-2.bin", "sha1_reducedsha_coll.bin"};

/* ---- tables -------------------------------------------------------------- */

static FILE *open_table(const char *name)
{
    char path[300];
    FILE *file;

    snprintf(path, sizeof path, "%s/test/sha1dc/%s", settings.tree, name);
    file = fopen(path, "rb");
    if (!file)
        fail("cannot open %s (see --tree)", path);
    return file;
}

size_t collision_file(const char *name, uint8_t data[COLLISION_MAX])
{
    FILE *file = open_table(name);
    size_t size = fread(data, 1, COLLISION_MAX, file);

    fclose(file);
    if (size < 128)
        fail("%s is too short", name);
    return size;
}

/* Calls read(row number, line) for each line after the head. */
static void read_table(const char *name, unsigned rows,
                       bool (*read)(unsigned row, char *line))
{
    FILE *file = open_table(name);
    static char line[2000];
    unsigned row = 0;

    if (!fgets(line, sizeof line, file))
        fail("%s is empty", name);
    while (fgets(line, sizeof line, file)) {
        if (row == rows || !read(row, line))
            fail("%s: bad row %u: %s", name, row + 1, line);
        row++;
    }
    fclose(file);
    if (row != rows)
        fail("%s: %u rows, not %u", name, row, rows);
}

/* bit,"name",type,K,b,testt,dm0..dm79 */
static bool read_vector(unsigned row, char *line)
{
    struct vector *v = &vectors[row];
    char name[12], type[3];
    unsigned bit;
    int used;

    if (sscanf(line, "%u,\"%11[^\"]\",%2[I],%u,%u,%u%n", &bit, name, type,
               &v->K, &v->b, &v->testt, &used) != 6 ||
        bit != row)
        return false;
    memcpy(v->name, name, sizeof v->name);
    v->type = (unsigned)strlen(type);
    for (unsigned t = 0; t < 80; t++) {
        line += used;
        if (sscanf(line, ",%8x%n", &v->dm[t], &used) != 1)
            return false;
    }
    return true;
}

/* i,bit_i,j,bit_j,value,dv_mask */
static bool read_condition(unsigned row, char *line)
{
    struct condition *c = &conditions[row];

    return sscanf(line, "%u,%u,%u,%u,%u,%8x", &c->i, &c->bit_i, &c->j,
                  &c->bit_j, &c->value, &c->mask) == 6;
}

/* class_type,class_b,bit_a,bit_b,distance,value,offset,"K K K" */
static bool read_relation(unsigned row, char *line)
{
    struct relation *r = &relations[row];
    char type[3], Ks[60];

    if (sscanf(line, "%2[I],%u,%u,%u,%d,%d,%d,\"%59[0-9 ]\"", type, &r->b,
               &r->bit_a, &r->bit_b, &r->distance, &r->value, &r->offset,
               Ks) != 8)
        return false;
    r->type = (unsigned)strlen(type);
    r->Ks = 0;
    for (char *K = strtok(Ks, " "); K; K = strtok(NULL, " "))
        r->Ks |= (uint64_t)1 << strtoul(K, NULL, 10);
    return true;
}

static void expand(uint32_t W[80])
{
    for (unsigned t = 16; t < 80; t++) {
        uint32_t x = W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16];

        W[t] = x << 1 | x >> 31;
    }
}

/* The bits of all words as sums of message bits: expand is linear, so it can be
 * run on sums just as well. */
static uint32_t sums[80][32][16];

static void make_sums(void)
{
    for (unsigned t = 0; t < 80; t++)
        for (unsigned bit = 0; bit < 32; bit++) {
            uint32_t *sum = sums[t][bit];
            unsigned from = (bit + 31) % 32;

            if (t < 16)
                sum[t] = (uint32_t)1 << bit;
            else
                for (unsigned n = 0; n < 16; n++)
                    sum[n] = sums[t - 3][from][n] ^ sums[t - 8][from][n] ^
                             sums[t - 14][from][n] ^ sums[t - 16][from][n];
        }
}

void attack_load(void)
{
    static bool done;

    if (done)
        return;
    read_table("disturbance-vectors.csv", VECTORS, read_vector);
    read_table("conditions.csv", CONDITIONS, read_condition);
    read_table("basis.csv", RELATIONS, read_relation);
    make_sums();
    done = true;
}

/* ---- masks --------------------------------------------------------------- */

static uint32_t load_be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

enum { SIDE_BY_SIDE = 16 }; /* blocks at a time, for the compiler's vectors */

void masks_of(const uint8_t *data, size_t n, uint32_t masks[])
{
    static uint32_t W[80][SIDE_BY_SIDE];

    for (size_t first = 0; first < n; first += SIDE_BY_SIDE) {
        size_t some = n - first < SIDE_BY_SIDE ? n - first : SIDE_BY_SIDE;
        uint32_t mask[SIDE_BY_SIDE];

        for (size_t k = 0; k < some; k++)
            for (unsigned t = 0; t < 16; t++)
                W[t][k] = load_be(data + 64 * (first + k) + 4 * t);
        for (unsigned t = 16; t < 80; t++)
            for (unsigned k = 0; k < SIDE_BY_SIDE; k++) {
                uint32_t x =
                    W[t - 3][k] ^ W[t - 8][k] ^ W[t - 14][k] ^ W[t - 16][k];

                W[t][k] = x << 1 | x >> 31;
            }
        for (unsigned k = 0; k < SIDE_BY_SIDE; k++)
            mask[k] = 0xffffffff;
        for (const struct condition *c = conditions;
             c < conditions + CONDITIONS; c++)
            for (unsigned k = 0; k < SIDE_BY_SIDE; k++) {
                uint32_t bad = (W[c->i][k] >> c->bit_i ^
                                W[c->j][k] >> c->bit_j ^ c->value) &
                               1;

                mask[k] &= ~(-bad & c->mask);
            }
        memcpy(masks + first, mask, some * sizeof *masks);
    }
}

/* ---- crafted blocks ------------------------------------------------------ */

static unsigned parity(const uint32_t x[16], const uint32_t y[16])
{
    uint32_t sum = 0;

    for (unsigned n = 0; n < 16; n++)
        sum ^= x[n] & y[n];
    return (unsigned)__builtin_parity(sum);
}

static void add(uint32_t to[16], const uint32_t x[16])
{
    for (unsigned n = 0; n < 16; n++)
        to[n] ^= x[n];
}

static bool has(const uint32_t x[16], unsigned bit)
{
    return x[bit / 32] >> bit % 32 & 1;
}

/* Gauss and Jordan: each pivot bit occurs in its own row only. */
bool craft_add(struct crafter *crafter, const struct condition *c)
{
    unsigned value = c->value, pivot = 0, r;
    uint32_t sum[16];

    memcpy(sum, sums[c->i][c->bit_i], sizeof sum);
    add(sum, sums[c->j][c->bit_j]);
    for (r = 0; r < crafter->rows; r++)
        if (has(sum, crafter->row[r].pivot)) {
            add(sum, crafter->row[r].sum);
            value ^= crafter->row[r].value;
        }
    while (pivot < 512 && !has(sum, pivot))
        pivot++;
    if (pivot == 512)
        return !value; /* follows from the others, or contradicts them */
    for (r = 0; r < crafter->rows; r++)
        if (has(crafter->row[r].sum, pivot)) {
            add(crafter->row[r].sum, sum);
            crafter->row[r].value ^= value;
        }
    memcpy(crafter->row[r].sum, sum, sizeof sum);
    crafter->row[r].value = value;
    crafter->row[r].pivot = pivot;
    crafter->rows++;
    return true;
}

bool craft_join(struct crafter *crafter, unsigned vector)
{
    static struct crafter before;
    uint32_t bit = (uint32_t)1 << vector;

    before = *crafter;
    crafter->set |= bit;
    for (unsigned i = 0; i < CONDITIONS; i++)
        if ((conditions[i].mask & bit) && !craft_add(crafter, &conditions[i])) {
            *crafter = before;
            return false;
        }
    return true;
}

void craft_for(struct crafter *crafter, unsigned vector)
{
    memset(crafter, 0, sizeof *crafter);
    if (!craft_join(crafter, vector))
        fail("no block is possible for %.8s", vectors[vector].name);
}

void craft_for_many(struct crafter *crafter)
{
    uint32_t tried = 0;

    memset(crafter, 0, sizeof *crafter);
    while (tried != 0xffffffff) {
        unsigned vector = random_below(VECTORS);

        if (!(tried >> vector & 1))
            craft_join(crafter, vector);
        tried |= (uint32_t)1 << vector;
    }
}

void craft_nearby(const struct crafter *crafter, uint8_t block[64])
{
    uint32_t m[16];

    for (unsigned n = 0; n < 16; n++)
        m[n] = load_be(block + 4 * n);
    for (unsigned r = 0; r < crafter->rows; r++) {
        unsigned pivot = crafter->row[r].pivot;

        if (parity(crafter->row[r].sum, m) != crafter->row[r].value)
            m[pivot / 32] ^= (uint32_t)1 << pivot % 32;
    }
    for (unsigned n = 0; n < 64; n++)
        block[n] = (uint8_t)(m[n / 4] >> (24 - 8 * (n % 4)));
}

void craft(const struct crafter *crafter, uint8_t block[64])
{
    random_bytes(block, 64);
    craft_nearby(crafter, block);
}

void mixed_blocks(uint8_t *data, size_t n)
{
    enum { MANY = 8 };
    static struct crafter one[VECTORS], many[MANY];

    attack_load();
    if (!one[0].rows) {
        for (unsigned v = 0; v < VECTORS; v++)
            craft_for(&one[v], v);
        for (unsigned i = 0; i < MANY; i++)
            craft_for_many(&many[i]);
    }
    craft_for_many(&many[random_below(MANY)]);

    random_bytes(data, 64 * n);
    for (size_t i = 0; i < n; i++) {
        uint8_t *block = data + 64 * i;
        unsigned kind = random_below(16);

        if (kind < 2)
            craft(&many[random_below(MANY)], block);
        else if (kind < 4)
            craft(&one[random_below(VECTORS)], block);
        if (kind < 4 && kind % 2)
            block[random_below(64)] ^= (uint8_t)(1 << random_below(8));
    }
}

/* ---- staged attacks ------------------------------------------------------ */

static uint32_t rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t f_k(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
    switch (t / 20) {
    case 0:
        return ((b & c) | (~b & d)) + 0x5a827999;
    case 1:
        return (b ^ c ^ d) + 0x6ed9eba1;
    case 2:
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    default:
        return (b ^ c ^ d) + 0xca62c1d6;
    }
}

/* Rounds from..to-1, backwards if to < from. */
static void rounds(uint32_t s[5], unsigned from, unsigned to,
                   const uint32_t W[80])
{
    for (unsigned t = from; t < to; t++) {
        uint32_t a = rotl(s[0], 5) + f_k(t, s[1], s[2], s[3]) + s[4] + W[t];

        s[4] = s[3], s[3] = s[2], s[2] = rotl(s[1], 30), s[1] = s[0], s[0] = a;
    }
    for (unsigned t = from; t-- > to;) {
        uint32_t a = s[0];

        s[0] = s[1], s[1] = rotl(s[2], 2), s[2] = s[3], s[3] = s[4];
        s[4] = a - rotl(s[0], 5) - f_k(t, s[1], s[2], s[3]) - W[t];
    }
}

void stage(const uint8_t block[64], const uint32_t start[5], unsigned vector,
           uint32_t feed[5])
{
    const struct vector *v = &vectors[vector];
    uint32_t W[80], twin_W[80];
    uint32_t end[5], twin_start[5], twin_end[5];

    for (unsigned t = 0; t < 16; t++)
        W[t] = load_be(block + 4 * t);
    expand(W);
    for (unsigned t = 0; t < 80; t++)
        twin_W[t] = W[t] ^ v->dm[t];

    memcpy(end, start, sizeof end);
    rounds(end, 0, v->testt, W);
    memcpy(twin_start, end, sizeof end);
    memcpy(twin_end, end, sizeof end);
    rounds(end, v->testt, 80, W);
    rounds(twin_start, v->testt, 0, twin_W);
    rounds(twin_end, v->testt, 80, twin_W);
    for (unsigned i = 0; i < 5; i++)
        feed[i] = twin_start[i] + twin_end[i] - end[i];
}
