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
#include "step.h"

enum {
    MXCSR = 0x1f80 | 0x6000 | 0x8000, /* round to zero, flush to zero */
    MXCSR_CONTROL = 0xffc0,
    X87_CONTROL = 0x0b7f, /* double precision would be 0x27f; round up */
    TAGS_EMPTY = 0xffff,
    TRAP = 0x100, /* in EFLAGS: stop after each instruction */
    DIRECTION = 0x400,
    YMM_IN_USE = 4, /* in XGETBV(1) */
    ZMM_IN_USE = 0x40
};

/* The bits of XGETBV(1) that vzeroupper clears. */
static uint32_t upper_halves(uint32_t found)
{
    return found & TRAMP_AVX512 ? YMM_IN_USE | ZMM_IN_USE : YMM_IN_USE;
}

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
        if ((low & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
            (b >> 16 & 1))
            found |= TRAMP_AVX512;
    }
    if ((found & TRAMP_AVX) && __get_cpuid_count(13, 1, &a, &b, &c, &d) &&
        (a >> 2 & 1)) {
        uint32_t low, high;

        /* Some machines and emulators call them in use whatever happens. */
        __asm__ volatile("vzeroupper\n\txgetbv"
                         : "=a"(low), "=d"(high)
                         : "c"(1));
        if (!(low & upper_halves(found)))
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
    t->flags = found | (call_options.clean_upper ? TRAMP_CLEAN : 0);
    t->control = MXCSR;
    t->x87_control = X87_CONTROL;
    random_bytes(t->garbage, sizeof t->garbage);
}

static void judge_upper_halves(const struct tramp *t)
{
    static const uint8_t zero[48];
    size_t upper = t->flags & TRAMP_AVX512 ? 48 : 16;

    if (!(t->flags & TRAMP_AVX) || !(t->flags & TRAMP_CLEAN))
        return;
    for (unsigned i = 0; i < VECTORS; i++)
        if (memcmp(t->vector_after[i] + 16, zero, upper))
            fail("upper half of %cmm%u left dirty (vzeroupper)",
                 memcmp(t->vector_after[i] + 16, zero, 16) ? 'y' : 'z', i);
    if ((t->flags & TRAMP_XINUSE) && (t->in_use_after & upper_halves(t->flags)))
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
    /* QEMU 7.2 loses this one in a signal. */
    if (!(t->flags & TRAMP_STEP) && control != X87_CONTROL)
        fail("x87 control word changed: %04x", control);
    if ((t->flags & TRAMP_SSE) && (t->control_after ^ MXCSR) & MXCSR_CONTROL)
        fail("MXCSR control bits changed: %04x", (unsigned)t->control_after);
    judge_upper_halves(t);
}

#ifdef __x86_64__
enum { PC = REG_RIP, SP = REG_RSP, FLAGS = REG_EFL };
static const int dwarf_order[] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
#else
enum { PC = REG_EIP, SP = REG_ESP, FLAGS = REG_EFL };
static const int dwarf_order[] = {REG_EAX, REG_ECX, REG_EDX, REG_EBX,
                                  REG_ESP, REG_EBP, REG_ESI, REG_EDI};
#endif

static uintptr_t get(const void *ucontext, int which)
{
    return (uintptr_t)((const ucontext_t *)ucontext)->uc_mcontext.gregs[which];
}

uintptr_t step_register(const void *ucontext, unsigned number)
{
    return number < COUNT(dwarf_order) ? get(ucontext, dwarf_order[number]) : 0;
}

uintptr_t step_pc(const void *ucontext)
{
    return get(ucontext, PC);
}

uintptr_t step_sp(const void *ucontext)
{
    return get(ucontext, SP);
}

/* The trampoline raises the first SIGTRAP itself, by INT3. */
void arch_step_before(uintptr_t function)
{
    (void)function;
    hk_tramp.flags |= TRAMP_STEP;
}

bool arch_step(void *ucontext)
{
    ucontext_t *u = ucontext;
    uintptr_t pc = step_pc(ucontext);

    if (pc == (uintptr_t)hk_tramp_return) {
        u->uc_mcontext.gregs[FLAGS] &= ~TRAP;
        return false;
    }
    u->uc_mcontext.gregs[FLAGS] |= TRAP;
    return pc - (uintptr_t)hk_tramp_call >=
           (uintptr_t)hk_tramp_return - (uintptr_t)hk_tramp_call;
}

void arch_step_after(void)
{
}

int arch_wide_load(const void *ucontext)
{
    (void)ucontext;
    return -1;
}

/* No vector register is the caller's, so none needs to be named. */
static void insert_last_bytes(const void *subject)
{
    const uint8_t *bytes = at_end(16);

    (void)subject;
    __asm__ volatile("vinserti128 $1, (%0), %%ymm0, %%ymm0\n\tvzeroupper"
                     :
                     : "r"(bytes)
                     : "memory");
}

void skip_if_emulator_overreads(const struct hk_kernel *row)
{
    const char *reason;

    if (row->needs & HK_CPU_AVX2 &&
        attempt(insert_last_bytes, NULL, &reason) == NOT_OK)
        skip("this emulator reads 32 bytes for the 16 of VINSERTI128");
}
