/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * arch_arm.c - what a call may not break on ARM and AArch64, beyond registers
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

#include "call.h"
#include "check.h"

enum {
    ROUND_TO_ZERO = 3 << 22, /* in FPSCR and FPCR */
    CONTROL_BITS = 0x07c00000,
    HWCAP_VFP_BIT = 1 << 6
};

/* The offsets that the trampolines use. */
#define AT(field, offset)                                                      \
    _Static_assert(offsetof(struct tramp, field) == (offset), "tramp_*.S")
#ifdef __aarch64__
AT(home, 328);
AT(control_after, 448);
AT(vector_after, 520);
#else
AT(home, 164);
AT(control_after, 228);
AT(vector_after, 304);
#endif

static uint32_t machine(void)
{
#ifdef __aarch64__
    return TRAMP_VFP;
#else
    return getauxval(AT_HWCAP) & HWCAP_VFP_BIT ? TRAMP_VFP : 0;
#endif
}

void arch_prepare(struct tramp *t)
{
    t->flags = machine();
    t->control = ROUND_TO_ZERO;
    random_bytes(t->vector, sizeof t->vector);
}

void arch_judge(const struct tramp *t)
{
    if (!(t->flags & TRAMP_VFP))
        return;
    for (unsigned i = 0; i < 8; i++)
        if (t->vector_after[i] != t->vector[i])
            fail("d%u not restored", 8 + i);
    if ((t->control_after ^ t->control) & CONTROL_BITS)
        fail("floating point control changed: %08x",
             (unsigned)t->control_after);
}

uintptr_t call_context_pc(const void *ucontext)
{
    const ucontext_t *u = ucontext;

#ifdef __aarch64__
    return (uintptr_t)u->uc_mcontext.pc;
#else
    return (uintptr_t)u->uc_mcontext.arm_pc;
#endif
}
