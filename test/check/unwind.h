/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * unwind.h - the caller's frame, from the unwind table and nothing else
 */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>
#include <stdint.h>

enum { UNWIND_REGISTERS = 34 };

struct caller {
    uintptr_t frame; /* the canonical frame address */
    bool known[UNWIND_REGISTERS];
    uintptr_t value[UNWIND_REGISTERS]; /* by DWARF number */
};

/* Fails, or says where the unwind table finds the caller of a stopped kernel
 * and the caller's registers. */
struct caller unwind(const void *ucontext);

/* DWARF number of what returns to the caller. */
extern const unsigned unwind_return_address;

#endif
