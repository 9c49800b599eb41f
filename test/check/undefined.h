/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * undefined.h - valgrind's word for secret: bytes that nothing may depend on
 *
 * memcheck reports a branch or an address that depends on an undefined byte,
 * and any access to a byte that is off limits. Without valgrind's headers, or
 * outside of valgrind, nothing here does anything.
 */
#ifndef UNDEFINED_H
#define UNDEFINED_H

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND                   0
#define VALGRIND_COUNT_ERRORS                 0
#define VALGRIND_MAKE_MEM_UNDEFINED(at, size) ((void)(at), (void)(size))
#define VALGRIND_MAKE_MEM_DEFINED(at, size)   ((void)(at), (void)(size))
#define VALGRIND_MAKE_MEM_NOACCESS(at, size)  ((void)(at), (void)(size))
#endif

#endif
