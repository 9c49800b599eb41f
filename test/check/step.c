/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * step.c - stops a kernel before each of its instructions
 *
 * x86 has a flag for it. On ARM the text is made writable and every
 * instruction but the next becomes a breakpoint; either way, each stop is a
 * SIGTRAP.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "call.h"
#include "check.h"
#include "step.h"

static step_function *looking;
static bool stepping;

SIGNAL_HANDLER static void stopped(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    (void)info;
    if (!stepping)
        fail("SIGTRAP in the middle of nowhere");
    if (arch_step(ucontext))
        looking(ucontext);
}

void step_each(step_function *look)
{
    struct sigaction action;

    step_after();
    looking = look;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = stopped;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGTRAP, &action, NULL);
}

void step_before(uintptr_t function)
{
    if (!looking)
        return;
    stepping = true;
    arch_step_before(function);
}

void step_after(void)
{
    if (stepping)
        arch_step_after();
    stepping = false;
}
