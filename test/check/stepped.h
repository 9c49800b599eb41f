/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * stepped.h - what is looked at before each instruction of a kernel
 */
#ifndef STEPPED_H
#define STEPPED_H

#include <stdint.h>

/* From now on until the end of the test, each call is judged at every
 * instruction, as if an interrupt came there: memory below the stack pointer is
 * overwritten, and must not have been written to; the unwind table must find
 * the caller with all its registers. */
void stepped_judge(void);

/* From now on the path through the code is recorded... */
void stepped_trace(void);
/* ... and this is what it was since the last question, as a hash; *length
 * receives the number of instructions. */
uint64_t stepped_path(unsigned *length);

#endif
