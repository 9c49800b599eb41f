/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * arch_arm.c - what a call may not break on ARM and AArch64, beyond registers
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "call.h"
#include "check.h"
#include "own_elf.h"
#include "step.h"

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

#ifdef __aarch64__
uintptr_t step_register(const void *ucontext, unsigned number)
{
    const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

    return number < 31 ? m->regs[number] : number == 31 ? m->sp : 0;
}

uintptr_t step_pc(const void *ucontext)
{
    return ((const ucontext_t *)ucontext)->uc_mcontext.pc;
}

uintptr_t step_sp(const void *ucontext)
{
    return ((const ucontext_t *)ucontext)->uc_mcontext.sp;
}
#else
/* The context has r0 to r15 one after the other. */
uintptr_t step_register(const void *ucontext, unsigned number)
{
    const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

    return number < 16 ? (&m->arm_r0)[number] : 0;
}

uintptr_t step_pc(const void *ucontext)
{
    return step_register(ucontext, 15);
}

uintptr_t step_sp(const void *ucontext)
{
    return step_register(ucontext, 13);
}
#endif

/* ---- stepping: all instructions but the next are breakpoints ------------- */

#ifdef __aarch64__
static const uint32_t breakpoint = 0xd4200000, thumb_breakpoint;
#else
static const uint32_t breakpoint = 0xe1200070, thumb_breakpoint = 0xbe00;
#endif

static struct {
    uint8_t *start;
    size_t size;
    uint8_t *original;
    bool *first; /* an instruction starts at this halfword */
    bool thumb;
    uint8_t *open; /* the one that is not a breakpoint, NULL if none */
} text;

static void flush(uint8_t *at, size_t size)
{
    __builtin___clear_cache((char *)at, (char *)at + size);
}

static void put(uint8_t *at, const void *from, size_t size)
{
    memcpy(at, from, size);
    flush(at, size);
}

static size_t patch_size(void)
{
    return text.thumb ? 2 : 4;
}

static void close_instruction(uint8_t *at)
{
    put(at, text.thumb ? &thumb_breakpoint : &breakpoint, patch_size());
}

static void open_instruction(uint8_t *at)
{
    put(at, text.original + (at - text.start), patch_size());
}

/* Notes where instructions start; literals in the text stay what they are. */
static void find_instructions(void)
{
    char *marks = calloc(text.size / 2 + 1, 1);
    size_t step;
    bool data = false;

    elf_mark((uintptr_t)text.start, text.size, marks);
    for (size_t i = 0; i < text.size; i += step) {
        uint16_t half;

        memcpy(&half, text.start + i, 2);
        step = text.thumb && half >> 11 < 0x1d ? 2 : 4;
        if (marks[i / 2])
            data = marks[i / 2] == 'd';
        text.first[i / 2] = !data;
    }
    free(marks);
}

/* Another kernel than last time: its instructions and where they are. */
static void learn(uintptr_t start)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = start & ~(page - 1);

    free(text.original);
    free(text.first);
    text.start = (uint8_t *)start;
    text.size = elf_function_size(start);
    if (!text.size)
        fail("the kernel is not in the symbol table");
    if (mprotect((void *)from, start + text.size - from,
                 PROT_READ | PROT_WRITE | PROT_EXEC))
        fail("the text cannot be made writable");
    text.original = malloc(text.size);
    text.first = calloc(text.size / 2 + 1, sizeof *text.first);
    memcpy(text.original, text.start, text.size);
    find_instructions();
}

void arch_step_before(uintptr_t function)
{
    uintptr_t start = function & ~(uintptr_t)1;

    text.thumb = function & 1;
    text.open = NULL;
    if (start != (uintptr_t)text.start)
        learn(start);
    for (size_t i = 0; i < text.size; i += 2)
        if (text.first[i / 2])
            close_instruction(text.start + i);
}

bool arch_step(void *ucontext)
{
    uint8_t *at = (uint8_t *)step_pc(ucontext);

    if (at < text.start || at >= text.start + text.size)
        fail("SIGTRAP outside of the kernel");
    if (text.open)
        close_instruction(text.open);
    text.open = at;
    open_instruction(at);
    return true;
}

void arch_step_after(void)
{
    put(text.start, text.original, text.size);
}

/* ---- what an instruction loads ------------------------------------------- */

#ifdef __aarch64__
/* Arm Architecture Reference Manual for A-profile, C4.1.94: loads and stores */
int arch_wide_load(const void *ucontext)
{
    uint32_t i;
    bool vector, pair, literal;

    memcpy(&i, (const void *)step_pc(ucontext), sizeof i);
    if ((i & 0x0a000000) != 0x08000000)
        return -1; /* neither load nor store */
    vector = i >> 26 & 1;
    pair = (i & 0x38000000) == 0x28000000;
    literal = (i & 0x3b000000) == 0x18000000;
    if (literal)
        return -1;
    if ((i & 0x38000000) == 0x38000000) { /* one register */
        if (!(i >> 22 & 3) || (!vector && i >> 30 == 0))
            return -1; /* a store, or a byte */
    } else if (pair || vector) {
        if (!(i >> 22 & 1))
            return -1; /* a store */
    }
    return i >> 5 & 31;
}
#else
static int wide_load_arm(uint32_t i)
{
    int base = i >> 16 & 15;
    bool load = i >> 20 & 1;

    if (i >> 28 == 15)
        return (i & 0x0f200000) == 0x04200000 ? base : -1; /* vector */
    switch (i >> 25 & 7) {
    case 0: /* halfwords and doublewords, among much else */
        if ((i & 0x90) != 0x90 || !(i & 0x60))
            return -1;
        if (load)
            return (i & 0x60) == 0x40 ? -1 : base;
        return (i & 0x60) == 0x40 ? base : -1; /* LDRD */
    case 2:
    case 3:
        if ((i & 0x02000010) == 0x02000010 || !load || i >> 22 & 1)
            return -1; /* a media instruction, a store, a byte */
        return base;
    case 4: /* multiple */
    case 6: /* coprocessor and vector registers */
        return load ? base : -1;
    default:
        return -1;
    }
}

/* The 16-bit encodings, which are all that ARMv6-M has. */
static int wide_load_thumb(uint16_t i)
{
    int base = i >> 3 & 7;

    switch (i >> 9) {
    case 0x2c: /* LDR, LDRH, LDRSH by a register */
    case 0x2d:
    case 0x2f:
        return base;
    default:
        break;
    }
    switch (i >> 11) {
    case 0x0d: /* LDR, LDRH by an offset */
    case 0x11:
        return base;
    case 0x19: /* LDM */
        return i >> 8 & 7;
    default:
        return -1;
    }
}

int arch_wide_load(const void *ucontext)
{
    uint32_t i = 0;

    memcpy(&i, (const void *)step_pc(ucontext), patch_size());
    return text.thumb ? wide_load_thumb((uint16_t)i) : wide_load_arm(i);
}
#endif

void skip_if_emulator_overreads(const struct hk_kernel *row)
{
    (void)row;
}
