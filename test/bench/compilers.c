/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * compilers.c - the C rows again, by each compiler that is here, at -O3
 *
 * The rows themselves are what the library falls back on, as CFLAGS say. What
 * assembly has to beat is the best that C can be made into. bench.mk compiles
 * each row c or c_<store> once more with gcc and with clang and renames its
 * symbol: hk_sha1_c_volatile of clang is hk_sha1_c_volatile_clang.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define C_ROW(algorithm, variant, compiler)                                    \
    extern hk_function hk_##algorithm##_##variant##_##compiler;
#include "c_rows.h"
#undef C_ROW

#define C_ROW(algorithm, variant, compiler)                                    \
    {#algorithm, #algorithm "_" #variant " " #compiler " -O3",                 \
     hk_##algorithm##_##variant##_##compiler},
static const struct c_row {
    const char *algorithm, *name;
    hk_function *function;
} c_rows[] = {
#include "c_rows.h"
    {NULL, NULL, NULL}};

void add_compilers(struct entries *entries, const char *algorithm)
{
    const struct family *family = find_family(algorithm);

    for (const struct c_row *row = c_rows; family && row->algorithm; row++) {
        struct entry entry = {.algorithm = algorithm,
                              .name = row->name,
                              .source = "C",
                              .tier = "",
                              .messages = 1,
                              .function = row->function};

        if (!strcmp(row->algorithm, algorithm))
            add_row(entries, family, &entry);
    }
}
