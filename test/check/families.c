/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * families.c - the lists of what is tested: families of kernels, suites
 */
#include <string.h>

#include "check.h"

static const struct family *const families[] = {
    &family_block,   &family_lanes,     &family_sha1dc,
    &family_siphash, &family_sipabsorb,
};

suite_function *const row_suites[] = {
    suite_tester,
    suite_rows,
    NULL,
};

/* clang-format off */
suite_function *const suites[] = {
    suite_cpu,
    suite_dispatch,
    suite_messages,
    suite_midstate,
    suite_many,
    suite_siphash,
    suite_sha1dc,
    suite_detectcoll,
    suite_file,
    NULL,
};
/* clang-format on */

const struct family *family_of(const char *algorithm)
{
    for (size_t i = 0; i < COUNT(families); i++)
        for (const char *const *a = families[i]->algorithms; *a; a++)
            if (!strcmp(*a, algorithm))
                return families[i];
    return NULL;
}

hk_function *reference_of(const char *algorithm)
{
    size_t count;
    const struct hk_kernel *rows = hk_kernels(&count);
    size_t length = strlen(algorithm);

    if (algorithm[length - 1] == 'x') /* lanes: that of one message */
        length--;
    for (size_t i = 0; i < count; i++)
        if (!strncmp(rows[i].algorithm, algorithm, length) &&
            !rows[i].algorithm[length] && !strcmp(rows[i].variant, "ref"))
            return rows[i].function;
    fail("there is no row %s_ref", algorithm);
}
