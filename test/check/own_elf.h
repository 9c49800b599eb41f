/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * own_elf.h - the check program looks into its own file
 */
#ifndef OWN_ELF_H
#define OWN_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Address at run time less the address in the file. */
uintptr_t elf_bias(void);

/* The function that starts at this address, Thumb bit cleared: its size, 0 if
 * there is none. */
size_t elf_function_size(uintptr_t start);

/* The contents of a section, NULL if there is none; *address is where the file
 * says it lies. */
const uint8_t *elf_section(const char *name, size_t *size, uintptr_t *address);

/* ARM's mapping symbols: marks[i] becomes 'd' where data starts at start + 2 i,
 * and 'a', 'x' or 't' where instructions do; others stay as they are. */
void elf_mark(uintptr_t start, size_t size, char *marks);

#endif
