/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * call.h - between call.c, the trampolines and the parts of each architecture
 *
 * tramp_<arch> loads every register from hk_tramp, calls the function on a
 * stack of its own, and stores what it finds afterwards in hk_tramp. It judges
 * nothing; call.c does.
 */
#ifndef CALL_H
#define CALL_H

#include <stddef.h>
#include <stdint.h>

/* KEPT: integer registers that belong to the caller, with their DWARF numbers. ARGUMENTS: registers that carry arguments; the rest go on the stack. */
#if defined(__x86_64__)
enum { KEPT = 6, ARGUMENTS = 6, VECTORS = 16 };
#define KEPT_NAMES   "rbx", "rbp", "r12", "r13", "r14", "r15"
#define KEPT_NUMBERS 3, 6, 12, 13, 14, 15
#elif defined(__i386__)
enum { KEPT = 4, ARGUMENTS = 0, VECTORS = 8 };
#define KEPT_NAMES   "ebx", "ebp", "esi", "edi"
#define KEPT_NUMBERS 3, 5, 6, 7
#elif defined(__arm__)
enum { KEPT = 8, ARGUMENTS = 4 };
#define KEPT_NAMES   "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"
#define KEPT_NUMBERS 4, 5, 6, 7, 8, 9, 10, 11
#elif defined(__aarch64__)
enum { KEPT = 12, ARGUMENTS = 8 };
#define KEPT_NAMES                                                             \
    "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27",      \
        "x28", "x29"
#define KEPT_NUMBERS 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#else
#error "the check program has no trampoline for this architecture"
#endif

/* Bits of tramp.flags: what this machine has, and how to enter. */
enum {
    TRAMP_SSE = 1,    /* x86: xmm registers and MXCSR exist */
    TRAMP_AVX = 2,    /* x86: ymm registers may be used */
    TRAMP_XINUSE = 4, /* x86: XGETBV(1) tells whether upper halves are in use */
    TRAMP_CLEAN = 8,  /* x86: enter with clean upper halves */
    TRAMP_STEP = 16,  /* x86: raise SIGTRAP just before the call */
    TRAMP_VFP = 32,   /* ARM: d0-d15 exist */
    TRAMP_AVX512 = 64 /* x86: zmm registers may be used */
};

/* The trampolines know this layout. */
struct tramp {
    uintptr_t function;
    uintptr_t stack; /* stack pointer before the call */
    uintptr_t stack_after;
    uintptr_t result[2];
    uintptr_t argument[8];
    uintptr_t scratch[4]; /* for registers that carry nothing */
    uintptr_t kept[12];
    uintptr_t kept_after[12];
    uintptr_t home[14]; /* the trampoline's own caller */
    uint32_t flags;
    uint32_t control; /* MXCSR, FPSCR or FPCR */
    uint32_t control_after;
#if defined(__x86_64__) || defined(__i386__)
    uint32_t flags_after;  /* EFLAGS */
    uint32_t in_use_after; /* XGETBV(1) */
    uint32_t x87_control;
    uint8_t x87_after[28]; /* as FNSTENV stores it */
    uint8_t garbage[64];
    uint8_t vector_after[VECTORS][64];
#else
    uint32_t spare;
    uint64_t vector[8]; /* d8-d15 */
    uint64_t vector_after[8];
#endif
};
extern struct tramp hk_tramp;

void hk_tramp_call(void);
extern const char hk_tramp_return[]; /* where the function returns to */
void hk_tramp_reset(void); /* puts flags and floating point state in order */

/* Of each architecture (arch_*.c): random contents for its part of hk_tramp,
 * and the judgement on what came back. */
void arch_prepare(struct tramp *t);
void arch_judge(const struct tramp *t);

/* Back to plain options and a sane CPU state, also after a fault. */
void call_reset(void);

#endif
