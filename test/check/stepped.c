/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * stepped.c - looks at a kernel before each of its instructions
 */
#include <string.h>

#include "call.h"
#include "check.h"
#include "step.h"
#include "stepped.h"
#include "unwind.h"

enum { BELOW = 256, POISON = 0xa5 };

static const unsigned kept_number[] = {KEPT_NUMBERS};
static const char *const kept_name[] = {KEPT_NAMES};

static uintptr_t last_sp; /* 0: this is the first stop of a call */
static bool watch_r9;
static uintptr_t data_start, data_size;
static uint64_t path;
static unsigned path_length;

static size_t offset(const void *ucontext)
{
    return step_pc(ucontext) - (hk_tramp.function & ~(uintptr_t)1);
}

/* Below both stack pointers, then and now, nobody has any business. */
static void below_stack(const void *ucontext)
{
    uintptr_t sp = step_sp(ucontext);
    uintptr_t end = sp < last_sp ? sp : last_sp;
    uint8_t *below = (uint8_t *)sp - BELOW;

    if (last_sp)
        for (uintptr_t at = last_sp - BELOW; at < end; at++)
            if (*(const uint8_t *)at != POISON)
                fail("wrote %zu bytes below the stack pointer before "
                     "kernel+%#zx",
                     (size_t)(end - at), offset(ucontext));
    memset(below, POISON, BELOW);
    last_sp = sp;
}

static void frame(const void *ucontext)
{
    struct caller caller = unwind(ucontext);
    const unsigned ra = unwind_return_address;

    if (caller.frame != hk_tramp.stack)
        fail("unwinding at kernel+%#zx misses the caller's frame by %td",
             offset(ucontext), (ptrdiff_t)(caller.frame - hk_tramp.stack));
    if (!caller.known[ra] || caller.value[ra] != (uintptr_t)hk_tramp_return)
        fail("unwinding at kernel+%#zx finds another return address",
             offset(ucontext));
    for (unsigned i = 0; i < KEPT; i++)
        if (!caller.known[kept_number[i]] ||
            caller.value[kept_number[i]] != hk_tramp.kept[i])
            fail("unwinding at kernel+%#zx finds a wrong %s", offset(ucontext),
                 kept_name[i]);
}

/* Registers that belong to the platform at any moment. */
static void platform_register(const void *ucontext)
{
    for (unsigned i = 0; i < KEPT; i++) {
        const char *name = kept_name[i];

        if (!strcmp(name, "x18") || (watch_r9 && !strcmp(name, "r9")))
            if (step_register(ucontext, kept_number[i]) != hk_tramp.kept[i])
                fail("%s touched before kernel+%#zx", name, offset(ucontext));
    }
}

static void judge(const void *ucontext)
{
    /* The first stop of a call is at its first instruction. */
    if (!offset(ucontext))
        last_sp = 0;
    below_stack(ucontext);
    platform_register(ucontext);
    frame(ucontext);
}

static void trace(const void *ucontext)
{
    path = (path ^ offset(ucontext)) * 0x9e3779b97f4a7c15;
    path ^= path >> 32;
    path_length++;
}

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

void stepped_judge(const struct hk_kernel *row)
{
    last_sp = 0;
    watch_r9 =
        !strcmp(row->arch, "armv7") &&
        (starts_with(row->variant, "v4") || starts_with(row->variant, "t1") ||
         starts_with(row->variant, "t2"));
    step_each(judge);
}

void stepped_trace(void)
{
    path = path_length = 0;
    step_each(trace);
}

uint64_t stepped_path(unsigned *length)
{
    uint64_t was = path;

    *length = path_length;
    path = path_length = 0;
    return was;
}

bool stepped_is_strict(const struct hk_kernel *row)
{
    return starts_with(row->variant, "v4") || starts_with(row->variant, "t1") ||
           starts_with(row->variant, "strict");
}

static void look_for_wide_loads(const void *ucontext)
{
    int base = arch_wide_load(ucontext);

    if (base >= 0 &&
        step_register(ucontext, (unsigned)base) - data_start <= data_size)
        fail("kernel+%#zx loads more than a byte from the data",
             offset(ucontext));
}

void stepped_byte_loads(const void *data, size_t size)
{
    data_start = (uintptr_t)data;
    data_size = size;
    step_each(look_for_wide_loads);
}
