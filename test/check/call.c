/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * call.c - calls a kernel on hostile terms and names what it broke
 *
 * The function runs on a stack of its own between two guard pages. Below the
 * entry stack pointer lies a pattern, which tells how deep it wrote; above it
 * another, which it must not touch.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"
#include "check.h"
#include "step.h"
#include "undefined.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

enum {
    STACK = 1 << 18,
    BELOW = 1 << 13, /* painted and searched below the entry stack pointer */
    ABOVE = 1 << 9
};

struct tramp hk_tramp;
struct call_options call_options;

static const char *const kept_name[] = {KEPT_NAMES};
static uint8_t paint[BELOW + ABOVE];
static uint8_t *stack_end; /* the entry stack pointer lies ABOVE lower */
static size_t stack_used;

static void make_stack(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *map = mmap(NULL, STACK + 2 * page, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED ||
        mprotect(map + page, STACK, PROT_READ | PROT_WRITE)) {
        perror("mmap of a stack");
        exit(2);
    }
    stack_end = map + page + STACK;
    random_bytes(paint, sizeof paint);
}

/* Bytes of the pattern below the entry that are not as painted. */
static size_t depth(const uint8_t *entry)
{
    for (size_t i = 0; i < BELOW; i += sizeof(uintptr_t))
        if (memcmp(entry - BELOW + i, paint + i, sizeof(uintptr_t)))
            return BELOW - i;
    return 0;
}

static void judge(const struct tramp *t, size_t stack_arguments)
{
    const uint8_t *above = (const uint8_t *)t->stack + stack_arguments;

    if (t->stack_after != t->stack)
        fail("stack pointer not restored: off by %td",
             (ptrdiff_t)(t->stack_after - t->stack));
    if (memcmp(above, paint + BELOW + stack_arguments, ABOVE - stack_arguments))
        fail("wrote above its stack frame");
    for (unsigned i = 0; i < KEPT; i++)
        if (t->kept_after[i] != t->kept[i])
            fail("%s not restored", kept_name[i]);
    arch_judge(t);
}

static uint64_t call_directly(hk_function *function, size_t count,
                              const uintptr_t *argument)
{
    typedef uint64_t any_function(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                  uintptr_t, uintptr_t, uintptr_t, uintptr_t);
    uintptr_t a[8];

    random_bytes(a, sizeof a);
    memcpy(a, argument, count * sizeof *a);
    return ((any_function *)function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6],
                                      a[7]);
}

uint64_t call(hk_function *function, size_t count, const uintptr_t *argument)
{
    struct tramp *t = &hk_tramp;
    size_t in_registers = ARGUMENTS, stack_arguments;

    if (RUNNING_ON_VALGRIND) /* which would take the paint for a bug */
        return call_directly(function, count, argument);
    if (!stack_end)
        make_stack();
    if (in_registers > count)
        in_registers = count;
    stack_arguments = (count - in_registers) * sizeof *argument;
    random_bytes(t->argument, sizeof t->argument);
    random_bytes(t->scratch, sizeof t->scratch);
    random_bytes(t->kept, sizeof t->kept);
    memcpy(t->argument, argument, in_registers * sizeof *argument);
    arch_prepare(t);
    t->function = (uintptr_t)function;
    t->stack = (uintptr_t)stack_end - ABOVE - call_options.misalign;
    /* C that was left by a fault never cleared its traps. */
    ASAN_UNPOISON_MEMORY_REGION(stack_end - STACK, STACK);
    memcpy((uint8_t *)t->stack - BELOW, paint, sizeof paint);
    memcpy((uint8_t *)t->stack, argument + in_registers, stack_arguments);

    step_before(t->function);
    hk_tramp_call();
    step_after();

    stack_used = depth((const uint8_t *)t->stack);
#if defined(__x86_64__) || defined(__i386__)
    /* The call pushed the return address: that is not the kernel's use. */
    stack_used -= sizeof(uintptr_t);
#endif
    judge(t, stack_arguments);
    return sizeof(uintptr_t) == 8 ? t->result[0]
                                  : t->result[0] | (uint64_t)t->result[1] << 32;
}

size_t call_stack_used(void)
{
    return stack_used;
}

int call_stack_holds(const void *bytes, size_t size)
{
    const uint8_t *entry = (const uint8_t *)hk_tramp.stack;

    if (RUNNING_ON_VALGRIND)
        skip("needs the trampoline");
    for (const uint8_t *at = entry - BELOW; at + size <= entry; at++)
        if (!memcmp(at, bytes, size))
            return 1;
    return 0;
}

void call_reset(void)
{
    step_each(NULL);
    memset(&call_options, 0, sizeof call_options);
    hk_tramp_reset();
}
