/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * outcome.c - how a test ends: well, with a failure, a skip or a fault
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "check.h"
#include "step.h"
#include "undefined.h"

enum { SECONDS = 600, SIGNAL_STACK = 1 << 16 };

static sigjmp_buf end_of_test;
static volatile sig_atomic_t running;
static char reason_text[400];

static _Noreturn void end(enum outcome outcome, const char *format,
                          va_list list)
{
    vsnprintf(reason_text, sizeof reason_text, format, list);
    siglongjmp(end_of_test, (int)outcome);
}

void fail(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    end(NOT_OK, format, list);
}

void skip(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    end(SKIPPED, format, list);
}

void same_bytes(const void *got, const void *want, size_t size,
                const char *format, ...)
{
    const uint8_t *g = got, *w = want;
    char what[200];
    va_list list;
    size_t i = 0;

    if (!size || !memcmp(got, want, size))
        return;
    while (g[i] == w[i])
        i++;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    fail("%s: byte %zu of %zu is %02x, should be %02x", what, i, size, g[i],
         w[i]);
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGILL:
        return "SIGILL";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGALRM:
        return "no end in time";
    default:
        return "SIGTRAP";
    }
}

/* Where a fault happened, as an offset into the kernel if it is near it. */
SIGNAL_HANDLER static void fault(int number, siginfo_t *info, void *ucontext)
{
    uintptr_t pc = step_pc(ucontext);
    uintptr_t kernel = hk_tramp.function & ~(uintptr_t)1; /* less Thumb's */
    uintptr_t address = (uintptr_t)info->si_addr;
    const char *where =
        number == SIGSEGV || number == SIGBUS ? guard_explain(address) : NULL;
    char at[80];

    if (!running) {
        signal(number, SIG_DFL);
        return;
    }
    snprintf(at, sizeof at, "at %#zx", (size_t)pc);
    if (pc - kernel < 1 << 16)
        snprintf(at, sizeof at, "at kernel+%#zx", (size_t)(pc - kernel));
    if (where)
        fail("%s: %s, %s", signal_name(number), where, at);
    fail("%s %s (address %#zx)", signal_name(number), at, (size_t)address);
}

static void catch_faults(void)
{
    static const int signals[] = {SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGALRM};
    static uint8_t signal_stack[SIGNAL_STACK];
    static bool done;
    struct sigaction action;
    stack_t stack;

    if (done)
        return;
    done = true;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = signal_stack;
    stack.ss_size = SIGNAL_STACK;
    if (sigaltstack(&stack, NULL)) {
        perror("sigaltstack");
        exit(2);
    }
    memset(&action, 0, sizeof action);
    action.sa_sigaction = fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < COUNT(signals); i++)
        sigaction(signals[i], &action, NULL);
}

enum outcome attempt(void (*run)(const void *subject), const void *subject,
                     const char **reason)
{
    static unsigned long errors_explained;
    unsigned long errors;
    enum outcome outcome;
    sigjmp_buf outer;
    sig_atomic_t outer_running = running;

    catch_faults();
    memcpy(&outer, &end_of_test, sizeof outer);
    reason_text[0] = 0;
    *reason = reason_text;
    call_reset();
    alarm(SECONDS);
    running = 1;
    outcome = (enum outcome)sigsetjmp(end_of_test, 1);
    if (outcome == OK)
        run(subject);
    alarm(0);
    errors = VALGRIND_COUNT_ERRORS;
    if (outcome == OK && errors != errors_explained) {
        snprintf(reason_text, sizeof reason_text, "valgrind reports an error");
        outcome = NOT_OK;
    }
    errors_explained = errors;
    call_reset();
    guard_release();
    hk_cpu_limit(~0u);
    running = outer_running;
    memcpy(&end_of_test, &outer, sizeof outer);
    return outcome;
}
