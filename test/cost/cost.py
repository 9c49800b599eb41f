#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# cost.py - what each kernel of an ARM architecture costs: one table
#
#     cost.py [--kernel REGEX] [--csv FILE] [--program FILE] ARCH...
#
# Instructions are counted exactly, by plugin.c in QEMU, or by step.c on this CPU
# for what QEMU does not know. Where QEMU was built without plugins (static builds),
# its log of executed code is read instead; that covers the kernel's own symbol
# only. Cycles are estimates: llvm-mca's models of some cores, on the very
# instructions that were executed (branches become compares), one block at a time.
# Nothing is measured.

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

PLUGIN = "build/cost/plugin.so"
STEP = "build/cost/step"                # only for x86-64, which this machine is

# Per architecture: QEMU, the tools' prefix, and the cores whose models are
# asked: column title, llvm-mca's triple (ARM state, Thumb state) and model.
X86_CORES = [("Zen3", "znver3"), ("SKL", "skylake"), ("ICL", "icelake-server"),
             ("ADL", "alderlake")]
ARCHES = {
    "x86_64": dict(
        qemu="qemu-x86_64", prefix="x86_64-linux-gnu-",
        triples=("x86_64-linux-gnu",) * 2, cores=X86_CORES),
    "i386": dict(
        qemu="qemu-i386", prefix="i686-linux-gnu-", triples=("i686-linux-gnu",) * 2,
        cores=X86_CORES),
    "armv7": dict(
        qemu="qemu-arm", prefix="arm-linux-gnueabihf-",
        triples=("armv8a-linux-gnueabihf", "thumbv8a-linux-gnueabihf"),
        cores=[("M4", "cortex-m4"), ("M7", "cortex-m7"),
               ("A9", "cortex-a9"), ("A57", "cortex-a57")]),
    "aarch64": dict(
        qemu="qemu-aarch64", prefix="aarch64-linux-gnu-",
        triples=("aarch64-linux-gnu",) * 2,
        cores=[("A53", "cortex-a53"), ("A57", "cortex-a57"),
               ("N1", "neoverse-n1"), ("V1", "neoverse-v1")]),
}

# The block counts of the three calls: the difference between them is the cost
# of one more block, free of entry and exit. Some kernels take two at a time, or
# judge eight together.
BLOCKS = (1, 5, 6)
PAIRS = (2, 10, 12)
EIGHTS = (8, 40, 48)


def run(*command):
    return subprocess.run(command, check=True, text=True,
                          capture_output=True).stdout


def find_mca():
    for name in ["llvm-mca-%d" % v for v in range(30, 13, -1)] + ["llvm-mca"]:
        if shutil.which(name):
            return name
    return None


class Program:
    """The test program of one architecture, with its symbols and its code."""

    def __init__(self, arch, path):
        self.arch, self.path = ARCHES[arch], path
        prefix = self.arch["prefix"]
        self.symbols, self.sizes, self.thumb = {}, {}, set()
        for line in run(prefix + "readelf", "-sW", path).splitlines():
            field = line.split()
            if len(field) == 8 and field[3] == "FUNC":
                value = int(field[1], 16)
                if arch == "armv7":
                    if value & 1:
                        self.thumb.add(field[7])
                    value &= ~1
                self.symbols[field[7]] = value
                self.sizes[field[7]] = int(field[2], 0)
        self.code = {}
        for line in run(prefix + "objdump", "-d", path).splitlines():
            field = line.split("\t")
            if len(field) >= 3 and field[0].endswith(":"):
                text = " ".join(f.strip() for f in field[2:])
                text = re.split(r"\s*(?:@|;|//)", text)[0] \
                    if arch in ("armv7", "aarch64") else text
                text = re.sub(r"\s*<.*?>", "", text)
                self.code[int(field[0][:-1], 16)] = text

        help_text = run(self.arch["qemu"], "-h")
        self.plugins = "-plugin" in help_text
        self.not_in_qemu, self.native = set(), None
        self.single = ("-one-insn-per-tb" if "-one-insn-per-tb" in help_text
                       else "-singlestep")

    def kernels(self):
        """Names and bytes of a block, 0 if a kernel takes none."""
        for line in run(self.arch["qemu"], "-cpu", "max",
                        self.path).splitlines():
            name, block, can = line.split()
            if can == "no":
                self.not_in_qemu.add(name)
            yield name, int(block)

    def can_trace(self, kernel):
        """Whether QEMU has what the kernel needs, or this CPU does."""
        if kernel not in self.not_in_qemu:
            return True
        if self.native is None:
            lines = run(self.path).splitlines() if os.path.exists(STEP) else []
            self.native = {line.split()[0] for line in lines
                           if line.endswith("yes")}
        return kernel in self.native

    def trace(self, kernel, blocks, offset=0):
        """The executed addresses of one call for each number of blocks, of data
        that begin offset bytes behind an aligned address."""
        start, stop = self.symbols["hk_" + kernel], self.symbols["cost_stop"]
        with tempfile.NamedTemporaryFile("r") as log:
            stepped = kernel in self.not_in_qemu
            if stepped:
                run(STEP, "%x" % start, "%x" % stop, log.name, self.path, kernel,
                    *map(str, blocks))
            elif self.plugins:
                how = ["-plugin", "%s,start=%x,stop=%x,log=%s" % (
                    PLUGIN, start, stop, log.name)]
            else:
                how = [self.single, "-d", "exec,nochain", "-D", log.name,
                       "-dfilter", "0x%x+0x%x,0x%x+4" % (
                           start, self.sizes["hk_" + kernel], stop)]
            if not stepped:
                run(self.arch["qemu"], "-cpu", "max", *how,
                    self.path, kernel + ("+%d" % offset if offset else ""),
                    *map(str, blocks))
            lines = log.read().splitlines()
        if not self.plugins and not stepped:
            lines = re.findall(r"^Trace \d+: \S+ \[\w+/0*(\w+)/",
                               "\n".join(lines), re.M)
            lines = ["" if line == "%x" % stop else line for line in lines]
        calls = [[]]
        for line in lines:
            if line:
                calls[-1].append(int(line, 16))
            elif calls[-1]:
                calls.append([])
        assert len(calls) == len(blocks) + 1 and not calls.pop(), kernel
        # What the caller does between the kernel's return and the stop.
        end = start + self.sizes["hk_" + kernel]
        for call in calls:
            while not start <= call[-1] < end:
                call.pop()
        return calls

    def assembly(self, addresses):
        """The executed code as text for llvm-mca, without its branches."""
        if self.arch["cores"] is X86_CORES:
            return ["cmp %eax, %eax" if X86_BRANCH.match(self.code[a])
                    else self.code[a] for a in addresses]
        wide = "aarch64" in self.arch["triples"][0]
        compare = "cmp x0, x0" if wide else "cmp r0, r0"
        out = [] if wide else [".syntax unified"]
        in_it_block = 0
        for address in addresses:
            text = self.code[address]
            if BRANCH.match(text + " "):
                text = compare
            elif in_it_block:
                text = CONDITIONAL.sub(r"\1\2 ", text)
            in_it_block -= in_it_block > 0
            # An IT takes a slot, but not every model knows it.
            if re.match(r"it[te]* ", text):
                in_it_block = len(text.split()[0]) - 1
                text = compare
            # Spellings of objdump that llvm-mca 19 refuses or crashes on.
            text = text.replace(" :", ":")
            text = re.sub(r"^((?:ld|st)\w+)\.w ", r"\1 ", text)
            text = re.sub(r"^(adrp? \w+), .*", r"\1, #0", text)
            # A9's model does not know VSWP; this is as much work.
            text = re.sub(r"^vswp ", "vtrn.32 ", text)
            out.append(text)
        return out


CONDITION = r"(?:eq|ne|cs|cc|hs|lo|mi|pl|hi|ls|ge|lt|gt|le)"
X86_BRANCH = re.compile(r"(j\w+|call|ret)\b")
BRANCH = re.compile(
    r"(b|bl|bx|blx|br|blr|ret|cbn?z|tbn?z)\.?" + CONDITION +
    r"?(\.[nw])? ")
CONDITIONAL = re.compile(r"^(\w+?)" + CONDITION + r"((?:\.\w+)?) ")
MULTIPLE = re.compile(
    r"(ld|st)m(ia|db)?(?:\.w)? (\w+)(!?), \{(.*)\}")


TWO_WORDS = re.compile(r"vmov (\w+), (\w+), (d\d+)$")
DOUBLE = re.compile(r"(ld|st)rd (\w+),(?: (\w+),)? \[(\w+)(?:, #(\d+))?\]$")


def single_words(assembly, doubles=False):
    """Every LDM or STM as single words: some models do not know the former. On
    request also LDRD, STRD and VMOV of two words: among vector code, A9's
    crashes on them."""
    for text in assembly:
        match = DOUBLE.match(text)
        if match and doubles:
            kind, first, second, base, offset = match.groups()
            if not second:              # objdump, of A32 code
                names = ["r%d" % n for n in range(10)] + ["sl", "fp"]
                second = names[names.index(first) + 1]
            pair = [(first, int(offset or 0)), (second, int(offset or 0) + 4)]
            pair.sort(key=lambda one: one[0] == base)
            for register, at in pair:
                yield "%sr %s, [%s, #%d]" % (kind, register, base, at)
            continue
        match = TWO_WORDS.match(text)
        if match and doubles:
            for lane in 0, 1:
                yield "vmov.32 %s, %s[%d]" % (match[lane + 1], match[3], lane)
            continue
        match = MULTIPLE.match(text)
        if not match:
            yield text
            continue
        kind, mode, base, writeback, registers = match.groups()
        registers = registers.split(", ")
        below = len(registers) if mode == "db" else 0
        order = list(enumerate(registers))
        # The base may be among those loaded: last.
        order.sort(key=lambda pair: pair[1] == base)
        for index, register in order:
            yield "%sr %s, [%s, #%d]" % (kind, register, base,
                                         4 * (index - below))
        if writeback:
            yield "%s %s, %s, #%d" % ("sub" if below else "add", base, base,
                                      4 * len(registers))


def estimate(mca, triple, core, assembly):
    """Cycles for one pass, or None if the model does not know the code."""
    for text in (assembly, single_words(assembly),
                 single_words(assembly, True)):
        done = subprocess.run(
            [mca, "-mtriple=" + triple, "-mcpu=" + core, "-iterations=1"] +
            ["-mattr=+neon"] * (core == "cortex-a9"),
            input="\n".join(text) + "\n", text=True, capture_output=True)
        match = re.search(r"^Total Cycles:\s+(\d+)", done.stdout, re.M)
        if match and not done.returncode:
            return int(match.group(1))
    if os.environ.get("COST_DEBUG"):
        sys.stderr.write(done.stderr)
    return None


def sizes(arch, kernel):
    """Bytes of text and of constants in the kernel's object."""
    for kind in "asm", "c":
        path = "build/%s/%s/%s.o" % (arch, kind, kernel)
        if os.path.exists(path):
            break
    else:
        return None, None
    text = rodata = 0
    for line in run(ARCHES[arch]["prefix"] + "size", "-A", path).splitlines():
        field = line.split()
        if len(field) == 3 and field[0].startswith(".text"):
            text += int(field[1])
        if len(field) == 3 and field[0].startswith(".rodata"):
            rodata += int(field[1])
    return text, rodata


def count(program, kernel, offset=0):
    """Instructions of a call for one block (or for two or eight, of a kernel that
    takes so many), and of each further block; the traces of two longer calls, and by how many
    blocks they differ."""
    for blocks in (BLOCKS, PAIRS, EIGHTS):
        one, fewer, more = program.trace(kernel, blocks, offset)
        step = blocks[2] - blocks[1]
        block = (len(more) - len(fewer)) / step
        if len(fewer) - len(one) == (blocks[1] - blocks[0]) * block:
            return dict(call=len(one), block=round(block), fewer=fewer, more=more,
                        step=step)
    raise SystemExit("%s: blocks do not cost the same" % kernel)


def measure(program, arch, kernel, mca):
    row = count(program, kernel)
    fewer, more, step = row.pop("fewer"), row.pop("more"), row.pop("step")
    row["text"], row["rodata"] = sizes(arch, kernel)
    # The two calls part where the last block ends: it lies just before.
    end = next(i for i, pair in enumerate(zip(fewer, more))
               if pair[0] != pair[1])
    assembly = program.assembly(more[end - (len(more) - len(fewer)):end])
    triple = program.arch["triples"]["hk_" + kernel in program.thumb]
    for title, core in program.arch["cores"]:
        # A core without ARM state runs only Thumb.
        possible = mca and (title[0] != "M" or "hk_" + kernel in program.thumb)
        row[title] = (estimate(mca, triple, core, assembly) if possible
                      else None)
        if row[title]:
            row[title] = round(row[title] / step)
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernel", default="", help="only names that match")
    parser.add_argument("--csv", help="write the table here too")
    parser.add_argument("--program", help="instead of build/<arch>/test/call")
    parser.add_argument("arch", nargs="+", choices=sorted(ARCHES))
    option = parser.parse_args()
    mca = find_mca()
    csv = open(option.csv, "w") if option.csv else None

    print("Executed instructions: exact, counted in QEMU. call: a call for one"
          " block,\nblock: each further block. Cycles a block:",
          "ESTIMATES by %s on the executed\ntrace, nothing measured; -: no "
          "model or not in its instruction set." % mca if mca else
          "no llvm-mca here, no estimates.")
    for arch in option.arch:
        program = Program(arch, option.program or "build/%s/test/call" % arch)
        cores = [title for title, core in ARCHES[arch]["cores"]]
        columns = ["text", "rodata", "call", "block"] + cores
        print("\n%-8s%-24s%7s%7s%7s%7s  %s" % (
            (arch, "kernel") + tuple(columns[:4]) +
            ("".join("%6s" % c for c in cores),)))
        if csv:
            csv.write(",".join(["arch", "kernel"] + columns) + "\n")
        for kernel, block in program.kernels():
            if not re.search(option.kernel, kernel):
                continue
            if not block:
                print("%-8s%-24s  not a block kernel" % (arch, kernel))
                continue
            if not program.can_trace(kernel):
                print("%-8s%-24s  neither QEMU nor this CPU can run it" % (
                    arch, kernel))
                continue
            row = measure(program, arch, kernel, mca)
            cell = ["-" if row[c] is None else str(row[c]) for c in columns]
            print("%-8s%-24s%s  %s" % (
                arch, kernel, "".join("%7s" % c for c in cell[:4]),
                "".join("%6s" % c for c in cell[4:])), flush=True)
            if csv:
                csv.write(",".join([arch, kernel] + cell) + "\n")


if __name__ == "__main__":
    main()
