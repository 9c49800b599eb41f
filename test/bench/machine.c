/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * machine.c - the clock, and what one core can do per cycle
 *
 * Cycles are not read from a counter: in many virtual machines there is none,
 * and a time-stamp counter does not follow the clock. A chain of instructions
 * that each wait for the one before is a clock that anyone can read: imul takes
 * 3 cycles on every x86 since 2006, an addition 1 on every ARM.
 *
 * The other rates are what bounds are made of: how many additions, rotates,
 * vector additions, and instructions of any kind this core completes per cycle,
 * and how long it waits for one instruction that does SHA rounds.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

double rate_cycles[RATES];

double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The body written out n times. Each is run in a loop whose control is one
 * fused operation among a hundred or more. */
#define REPEAT(n, body) ".rept " #n "\n" body "\n.endr\n"

#if defined(__x86_64__) || defined(__i386__)

/* The vector registers, if the compiler itself may use any. */
#ifdef __SSE__
#define VECTORS "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"
#else
#define VECTORS "cc"
#endif

static void run_clock(void)
{
    unsigned long x = 3;

    for (int i = 0; i < 100; i++)
        __asm__ volatile(REPEAT(100, "imul %0, %0") : "+r"(x));
}

#ifdef __x86_64__
#define SCALARS                                                                \
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", \
        "r13"
#define EACH(op, arg)                                                          \
    op " " arg "%%eax\n" op " " arg "%%ebx\n" op " " arg "%%ecx\n" op " " arg  \
       "%%edx\n" op " " arg "%%esi\n" op " " arg "%%edi\n" op " " arg          \
       "%%r8d\n" op " " arg "%%r9d\n" op " " arg "%%r10d\n" op " " arg         \
       "%%r11d\n" op " " arg "%%r12d\n" op " " arg "%%r13d"
#define EACH_COUNT 12
#else
#define SCALARS "eax", "ecx", "edx", "esi", "edi"
#define EACH(op, arg)                                                          \
    op " " arg "%%eax\n" op " " arg "%%ecx\n" op " " arg "%%edx\n" op " " arg  \
       "%%esi\n" op " " arg "%%edi"
#define EACH_COUNT 5
#endif

/* Comparisons wait for nothing and write only flags, which are renamed. */
static void run_alu(void)
{
    for (int i = 0; i < 1000; i++)
        __asm__ volatile(REPEAT(100, "cmp $9, %%esi") : : : "cc");
}

/* Each register is a chain of its own. */
static void run_rotate(void)
{
    for (int i = 0; i < 500; i++)
        __asm__ volatile(REPEAT(20, EACH("rol", "$9, ")) : : : SCALARS);
}

static void run_vector(void)
{
    for (int i = 0; i < 500; i++)
        __asm__ volatile(REPEAT(20,
                                "paddd %%xmm0, %%xmm0\n paddd %%xmm1, %%xmm1\n"
                                "paddd %%xmm2, %%xmm2\n paddd %%xmm3, %%xmm3\n"
                                "paddd %%xmm4, %%xmm4\n paddd %%xmm5, %%xmm5\n"
                                "paddd %%xmm6, %%xmm6\n paddd %%xmm7, %%xmm7")
                         :
                         :
                         : VECTORS);
}

#ifdef __x86_64__
static void run_zmm(void)
{
    for (int i = 0; i < 500; i++)
        __asm__ volatile(REPEAT(20, "vpaddd %%zmm0, %%zmm0, %%zmm0\n"
                                    "vpaddd %%zmm1, %%zmm1, %%zmm1\n"
                                    "vpaddd %%zmm2, %%zmm2, %%zmm2\n"
                                    "vpaddd %%zmm3, %%zmm3, %%zmm3\n"
                                    "vpaddd %%zmm4, %%zmm4, %%zmm4\n"
                                    "vpaddd %%zmm5, %%zmm5, %%zmm5\n"
                                    "vpaddd %%zmm6, %%zmm6, %%zmm6\n"
                                    "vpaddd %%zmm7, %%zmm7, %%zmm7")
                         :
                         :
                         : VECTORS);
    __asm__ volatile("vzeroupper" : : : VECTORS);
}
#endif

/* The longer form, since two short ones may become one. */
static void run_slots(void)
{
    for (int i = 0; i < 500; i++)
        __asm__ volatile(REPEAT(200, ".byte 0x0f, 0x1f, 0"));
}

static void run_sha1(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile(REPEAT(40, "sha1rnds4 $0, %%xmm1, %%xmm0")
                         :
                         :
                         : VECTORS);
}

/* With what kernels have in between: alone, these wait for a fifth cycle on Golden
 * Cove most of the time. */
static void run_sha256(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile(REPEAT(20, "sha256rnds2 %%xmm1, %%xmm2\n"
                                    "pshufd $14, %%xmm0, %%xmm0\n"
                                    "sha256rnds2 %%xmm2, %%xmm1\n"
                                    "paddd %%xmm3, %%xmm4")
                         :
                         :
                         : VECTORS);
}

/* Four states that do not wait for each other. */
static void run_sha1_lanes(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile(REPEAT(10, "sha1rnds4 $0, %%xmm4, %%xmm0\n"
                                    "sha1rnds4 $0, %%xmm4, %%xmm1\n"
                                    "sha1rnds4 $0, %%xmm4, %%xmm2\n"
                                    "sha1rnds4 $0, %%xmm4, %%xmm3")
                         :
                         :
                         : VECTORS);
}

static void run_sha256_lanes(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile(REPEAT(10, "sha256rnds2 %%xmm5, %%xmm1\n"
                                    "sha256rnds2 %%xmm5, %%xmm2\n"
                                    "sha256rnds2 %%xmm5, %%xmm3\n"
                                    "sha256rnds2 %%xmm5, %%xmm4")
                         :
                         :
                         : VECTORS);
}

const struct rate_info rates[RATES] = {
    [CLOCK] = {"clock", "cycles, dependent imul", 0, 10000, 3, run_clock},
    [ALU] = {"integer", "a cycle", 0, 100000, 0, run_alu},
    [ROTATE] = {"rotate", "a cycle", 0, 10000 * EACH_COUNT, 0, run_rotate},
    [VECTOR] = {"vector", "a cycle", HK_CPU_SSE2, 80000, 0, run_vector},
    [SLOTS] = {"any", "a cycle", 0, 100000, 0, run_slots},
    [SHA1_4] = {"sha1rnds4", "cycles", HK_CPU_SHANI, 4000, 1, run_sha1},
    [SHA256_2] = {"sha256rnds2", "cycles", HK_CPU_SHANI, 4000, 1, run_sha256},
    [SHA1_LANES] = {"sha1rnds4 in lanes", "cycles", HK_CPU_SHANI, 4000, 1,
                    run_sha1_lanes},
    [SHA256_LANES] = {"sha256rnds2 in lanes", "cycles", HK_CPU_SHANI, 4000, 1,
                      run_sha256_lanes},
#ifdef __x86_64__
    [ZMM] = {"zmm", "a cycle", HK_CPU_AVX512, 80000, 0, run_zmm},
#endif
};

#elif defined(__arm__) || defined(__aarch64__)

#ifdef __aarch64__
#define REG(n) "w" #n
#else
#define REG(n) "r" #n
#endif
#define SCALARS "r0", "r1", "r2", "r3", "r4", "r5"
#define EACH(op, arg)                                                          \
    op " " REG(0) ", " REG(0) ", " arg "\n" op " " REG(1) ", " REG(            \
        1) ", " arg "\n" op                                                    \
           " " REG(2) ", " REG(2) ", " arg "\n" op " " REG(3) ", " REG(        \
               3) ", " arg "\n" op                                             \
                  " " REG(4) ", " REG(4) ", " arg "\n" op                      \
                                         " " REG(5) ", " REG(5) ", " arg
#define EACH_COUNT 6

static void run_clock(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile(REPEAT(100, "add " REG(0) ", " REG(0) ", " REG(1))
                         :
                         :
                         : SCALARS);
}

static void run_alu(void)
{
    for (int i = 0; i < 1000; i++)
        __asm__ volatile(REPEAT(100, "cmp " REG(0) ", #9") : : : "cc");
}

static void run_rotate(void)
{
    for (int i = 0; i < 500; i++)
        __asm__ volatile(REPEAT(20, EACH("ror", "#9")) : : : SCALARS);
}

static void run_slots(void)
{
    for (int i = 0; i < 500; i++)
        __asm__ volatile(REPEAT(200, "nop"));
}

const struct rate_info rates[RATES] = {
    [CLOCK] = {"clock", "cycle, dependent add", 0, 10000, 1, run_clock},
    [ALU] = {"integer", "a cycle", 0, 100000, 0, run_alu},
    [ROTATE] = {"rotate", "a cycle", 0, 10000 * EACH_COUNT, 0, run_rotate},
    [SLOTS] = {"any", "a cycle", 0, 100000, 0, run_slots},
};

#else
#error "bench: this architecture needs a clock of its own in machine.c"
#endif

#define READINGS 8

/* A disturbance can only lengthen a reading, so the least of the last few is
 * the clock now. If even that is far from the best of the whole run, this core
 * belongs to somebody else at the moment. */
double read_clock(void)
{
    static double readings[READINGS], best;
    static unsigned next;
    double start = now_ns(), least;

    run_clock();
    least = (now_ns() - start) / rates[CLOCK].operations / rates[CLOCK].scale;
    readings[next++ % READINGS] = least;
    for (unsigned i = 0; i < READINGS; i++)
        if (readings[i] > 0 && readings[i] < least)
            least = readings[i];
    if (best == 0 || least < best)
        best = least;
    return least > 1.2 * best ? 0 : least;
}

/* ---- Where this runs ----------------------------------------------------- */

/* The value of a line "field : value" of /proc/cpuinfo. */
static const char *cpuinfo(const char *field)
{
    static char line[1024];
    FILE *file = fopen("/proc/cpuinfo", "r");
    const char *value = NULL;

    if (!file)
        return NULL;
    while (!value && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');

        if (colon && !strncmp(line, field, strlen(field))) {
            colon[strcspn(colon, "\n")] = '\0';
            value = colon[1] ? colon + 2 : "";
        }
    }
    fclose(file);
    return value;
}

const char *cpu_name(void)
{
    const char *name = cpuinfo("model name");

    if (!name)
        name = cpuinfo("CPU part");
    return name ? name : "unknown CPU";
}

/* Under an emulator of another architecture the host's cpuinfo shows through.
 * One of the same architecture is found by what it does to code: eight
 * independent vector additions take at most 8 cycles on any CPU, while an
 * emulator needs loads and stores around each; and no CPU takes in 12
 * no-operations a cycle, while an emulator leaves them out. */
const char *emulated(void)
{
#if defined(__x86_64__) || defined(__i386__)
    double chain = 1e30, vector = 1e30, nothing = 1e30;

    if (!(hk_cpu_features() & HK_CPU_SSE2))
        return NULL;
    for (int i = 0; i < 50; i++) {
        double start = now_ns(), middle, end, last;

        run_clock();
        middle = now_ns();
        run_vector();
        end = now_ns();
        run_slots();
        last = now_ns();
        if (middle - start < chain)
            chain = middle - start;
        if (end - middle < vector)
            vector = end - middle;
        if (last - end < nothing)
            nothing = last - end;
    }
    chain /= rates[CLOCK].operations * rates[CLOCK].scale;
    vector /= rates[VECTOR].operations;
    nothing /= rates[SLOTS].operations;
    if (vector > 1.2 * chain)
        return "this is an emulator (its vector additions take several "
               "cycles each)";
    if (12 * nothing < chain)
        return "this is an emulator (its no-operations take no time)";
#else
    if (!cpuinfo("CPU implementer") && !cpuinfo("CPU part"))
        return "this is an emulator (/proc/cpuinfo is not of an ARM CPU)";
#endif
    return NULL;
}
