/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * stepped.h - what is looked at before each instruction of a kernel
 */
#ifndef STEPPED_H
#define STEPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hashkern.h"

/* From now on until the end of the test, each call of the row is judged at every
 * instruction, as if an interrupt came there: memory below the stack pointer is
 * overwritten, and must not have been written to; the unwind table must find
 * the caller with all its registers; the platform's register (x18, and r9 for
 * firmware kernels) is as it was. */
void stepped_judge(const struct hk_kernel *row);

/* From now on the path through the code is recorded... */
void stepped_trace(void);
/* ... and this is what it was since the last question, as a hash; *length
 * receives the number of instructions. */
uint64_t stepped_path(unsigned *length);

/* Rows for machines that cannot load a word from an odd address. */
bool stepped_is_strict(const struct hk_kernel *row);
/* From now on, no instruction may load more than a byte by way of a register
 * that points into these bytes or to their end. ARM only. */
void stepped_byte_loads(const void *data, size_t size);

#endif
