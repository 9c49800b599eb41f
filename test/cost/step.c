/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * step.c - the executed addresses of a program on this CPU, for kernels that QEMU
 * cannot run
 *
 *     step START STOP LOG PROGRAM ARGUMENT...
 *
 * Steps through the program. From address START to address STOP, both in
 * hexadecimal, each instruction's address is a line of the file LOG, and the
 * end of such a piece is an empty line: what plugin.c writes. The program must
 * be linked to fixed addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
    unsigned long long start, stop;
    int status, inside = 0;
    FILE *log;
    pid_t child;

    if (argc < 5) {
        fprintf(stderr, "usage: step START STOP LOG PROGRAM ARGUMENT...\n");
        return 2;
    }
    start = strtoull(argv[1], NULL, 16);
    stop = strtoull(argv[2], NULL, 16);
    log = fopen(argv[3], "w");
    if (!log) {
        perror(argv[3]);
        return 2;
    }
    child = fork();
    if (child < 0) {
        perror("fork");
        return 2;
    }
    if (!child) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[4], argv + 4);
        perror(argv[4]);
        _exit(2);
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        struct user_regs_struct registers;

        if (ptrace(PTRACE_GETREGS, child, NULL, &registers)) {
            perror("PTRACE_GETREGS");
            return 2;
        }
        if (registers.rip == start)
            inside = 1;
        if (inside && registers.rip == stop) {
            inside = 0;
            fputc('\n', log);
        }
        if (inside)
            fprintf(log, "%llx\n", registers.rip);
        ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    }
    if (fclose(log)) {
        perror(argv[3]);
        return 2;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
