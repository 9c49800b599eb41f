/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * families.c - the lists of what is tested: families of kernels, suites
 */
#include <string.h>

#include "check.h"

static const struct family *const families[] = {
    &family_block,
};

suite_function *const suites[] = {
    suite_rows,
    NULL,
};

const struct family *family_of(const char *algorithm)
{
    for (size_t i = 0; i < COUNT(families); i++)
        for (const char *const *a = families[i]->algorithms; *a; a++)
            if (!strcmp(*a, algorithm))
                return families[i];
    return NULL;
}
