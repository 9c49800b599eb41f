/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * banner.h - what the banner of a kernel's source promises
 */
#ifndef BANNER_H
#define BANNER_H

#include <stddef.h>

#include "hashkern.h"

/* Bytes of stack, from the line "Stack"; no limit for C. */
size_t banner_stack(const struct hk_kernel *row);

#endif
