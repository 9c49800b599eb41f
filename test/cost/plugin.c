/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * plugin.c - QEMU TCG plugin: counts, and logs, what one function executes
 *
 *     qemu-arm -plugin plugin.so,start=ADDRESS,stop=ADDRESS[,log=FILE] PROGRAM
 *
 * Counting begins when the instruction at "start" is executed and ends before
 * the one at "stop": give a kernel's entry, and a function that its caller
 * calls next. Each stretch between the two prints one number on standard error;
 * with log=FILE the executed addresses go there, one a line in hexadecimal, and
 * an empty line after each stretch.
 *
 * Debian ships no plugin header, so the few prototypes used are declared here;
 * they are the same from QEMU 4.2 (first plugins) to 10.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id,
    void (*translated)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(
    struct qemu_plugin_insn *insn, void (*executed)(unsigned vcpu, void *user),
    enum qemu_plugin_cb_flags flags, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *,
                                                 size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

/* What QEMU looks for. It refuses a version outside of the range it knows. */
#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION 1
#endif
__attribute__((visibility("default"))) int qemu_plugin_version = PLUGIN_VERSION;
__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
                    int argc, char **argv);

static uint64_t start, stop;
static uint64_t count;
static int inside;
static FILE *log_file;

static void executed(unsigned vcpu, void *user)
{
    uint64_t address = (uint64_t)(uintptr_t)user;

    (void)vcpu;
    if (inside && address == stop) {
        fprintf(stderr, "%" PRIu64 "\n", count);
        if (log_file) {
            fputc('\n', log_file);
            fflush(log_file);
        }
        inside = 0;
    } else if (!inside && address == start) {
        count = 0;
        inside = 1;
    }
    if (inside) {
        count++;
        if (log_file)
            fprintf(log_file, "%" PRIx64 "\n", address);
    }
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);

    (void)id;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);

        qemu_plugin_register_vcpu_insn_exec_cb(
            insn, executed, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)address);
    }
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
                        int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "start=", 6)) {
            start = strtoull(argv[i] + 6, NULL, 16);
        } else if (!strncmp(argv[i], "stop=", 5)) {
            stop = strtoull(argv[i] + 5, NULL, 16);
        } else if (!strncmp(argv[i], "log=", 4)) {
            log_file = fopen(argv[i] + 4, "w");
            if (!log_file) {
                perror(argv[i] + 4);
                return -1;
            }
        } else {
            fprintf(stderr, "plugin: unknown argument %s\n", argv[i]);
            return -1;
        }
    }
    if (!start || !stop) {
        fprintf(stderr, "plugin: start= and stop= are needed\n");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
