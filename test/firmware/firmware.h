/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * firmware.h - between the start code of a machine and main.c
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <stdint.h>

/* The semihosting call (ARM: Semihosting for AArch32 and AArch64). */
uintptr_t semihost(uintptr_t operation, const void *argument);

/* Calls a function with four arguments on another stack: its top. */
void call_on_stack(void *stack, void (*function)(void), uintptr_t a,
                   uintptr_t b, uintptr_t c, uintptr_t d);

void firmware_main(void) __attribute__((noreturn));
void firmware_fault(void) __attribute__((noreturn));

#endif
