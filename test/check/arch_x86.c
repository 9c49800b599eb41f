/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * arch_x86.c - what a call may not break on x86-64 and i386, beyond registers
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <string.h>
#include <ucontext.h>

#include "call.h"
#include "check.h"

enum {
    MXCSR = 0x1f80 | 0x6000 | 0x8000, /* round to zero, flush to zero */
    MXCSR_CONTROL = 0xffc0,
    X87_CONTROL = 0x0b7f, /* double precision would be 0x27f; round up */
    TAGS_EMPTY = 0xffff,
    DIRECTION = 0x400
};

/* What of its registers this machine lets us look at. */
static uint32_t machine(void)
{
    unsigned a, b, c, d, found = 0;

    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (d >> 25 & 1)
        found |= TRAMP_SSE;
    if ((c >> 27 & 1) && (c >> 28 & 1)) {
        uint32_t low, high;

        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 6) == 6)
            found |= TRAMP_AVX;
    }
    if ((found & TRAMP_AVX) && __get_cpuid_count(13, 1, &a, &b, &c, &d) &&
        (a >> 2 & 1)) {
        uint32_t low, high;

        /* Some machines and emulators call them in use whatever happens. */
        __asm__ volatile("vzeroupper\n\txgetbv"
                         : "=a"(low), "=d"(high)
                         : "c"(1));
        if (!(low >> 2 & 1))
            found |= TRAMP_XINUSE;
    }
    return found;
}

void arch_prepare(struct tramp *t)
{
    static uint32_t found;
    static bool asked;

    if (!asked)
        found = machine();
    asked = true;
    t->flags = found | (call_options.clean_upper ? TRAMP_CLEAN : 0) |
               (call_options.step ? TRAMP_STEP : 0);
    t->control = MXCSR;
    t->x87_control = X87_CONTROL;
    random_bytes(t->garbage, sizeof t->garbage);
}

static void judge_upper_halves(const struct tramp *t)
{
    static const uint8_t zero[16];

    if (!(t->flags & TRAMP_AVX) || !(t->flags & TRAMP_CLEAN))
        return;
    for (unsigned i = 0; i < VECTORS; i++)
        if (memcmp(t->vector_after[i] + 16, zero, 16))
            fail("upper half of ymm%u left dirty (vzeroupper)", i);
    if ((t->flags & TRAMP_XINUSE) && (t->in_use_after & 4))
        fail("upper halves left in use, all zero (vzeroupper)");
}

void arch_judge(const struct tramp *t)
{
    uint16_t control, tags;

    memcpy(&control, t->x87_after, 2);
    memcpy(&tags, t->x87_after + 8, 2);
    if (t->flags_after & DIRECTION)
        fail("direction flag left set");
    if (tags != TAGS_EMPTY)
        fail("x87/MMX registers left in use (tag word %04x)", tags);
    if (control != X87_CONTROL)
        fail("x87 control word changed: %04x", control);
    if ((t->flags & TRAMP_SSE) && (t->control_after ^ MXCSR) & MXCSR_CONTROL)
        fail("MXCSR control bits changed: %04x", (unsigned)t->control_after);
    judge_upper_halves(t);
}

uintptr_t call_context_pc(const void *ucontext)
{
    const ucontext_t *u = ucontext;

#ifdef __x86_64__
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)u->uc_mcontext.gregs[REG_EIP];
#endif
}
