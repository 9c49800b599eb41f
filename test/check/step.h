/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * step.h - a kernel, stopped before each of its instructions
 */
#ifndef STEP_H
#define STEP_H

#include <stdbool.h>
#include <stdint.h>

/* For signal handlers: QEMU 7.2 enters them with an odd stack on x86. */
#if defined(__x86_64__) || defined(__i386__)
#define SIGNAL_HANDLER __attribute__((force_align_arg_pointer))
#else
#define SIGNAL_HANDLER
#endif

/* Looks at the stopped kernel; the context is a ucontext_t. */
typedef void step_function(const void *ucontext);

/* The next calls stop before each instruction of the kernel and call this;
 * NULL ends it, and so does the end of the test. */
void step_each(step_function *look);

/* For call.c: around the call. */
void step_before(uintptr_t function);
void step_after(void);

/* Registers of the stopped kernel, by their DWARF number. */
uintptr_t step_register(const void *ucontext, unsigned number);
uintptr_t step_pc(const void *ucontext);
uintptr_t step_sp(const void *ucontext);

/* Of each architecture (arch_*.c). arch_step lets the instruction run that the
 * kernel stopped at, and stop again; false: this stop is not in the kernel. */
void arch_step_before(uintptr_t function);
bool arch_step(void *ucontext);
void arch_step_after(void);

/* The base register of the instruction at the stop, if it loads more than a
 * byte; -1 otherwise, and on x86. */
int arch_wide_load(const void *ucontext);

#endif
