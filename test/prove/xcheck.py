#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""xcheck.py [--arch ARCH] - compares instruction semantics with the processor.

Every distinct shape of instruction in the kernels (its name, kinds of operands,
small immediates, and which registers are the same) is run alone by the CPU or
QEMU and by the checker, on random and extreme values; registers, memory and the
flags that the checker claims to know must agree. An instruction that uses flags
is run with the one that makes them.
"""
from __future__ import annotations

import argparse
import functools
import os
import platform
import random
import re
import struct
import subprocess
import sys
import tempfile
from typing import Callable, Optional, Sequence

import arm
import terms
import x86
import x86_vector
from loader import ROOT, Insn, Program, tool
from machine import Machine, Undefined, lanewise
from x86 import X86
from xcheck_sides import (PATTERN, SIDES, Context, Flat, Side, interesting,
                          number)
from xcheck_stub import MIDDLE, SCRATCH, SIZE, STUBS, Stub, Unit
from xcheck_units import collect

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = {"x86_64": "x86_64-linux-gnu-gcc", "i386": "i686-linux-gnu-gcc",
             "aarch64": "aarch64-linux-gnu-gcc",
             "armv7": "arm-linux-gnueabihf-gcc"}
EMULATORS = {"x86_64": ["qemu-x86_64", "-cpu", "max"],
             "i386": ["qemu-i386", "-cpu", "max"],
             "aarch64": ["qemu-aarch64", "-cpu", "max"],
             "armv7": ["qemu-arm", "-cpu", "max"]}
# Test programs of an architecture beside the one of its name.
ARCH_OF = {"thumb": "armv7", "avx512": "x86_64"}


def build(kind: str, units: Sequence[Unit], folder: str) -> str:
    """Builds the test program; returns its path."""
    arch = ARCH_OF.get(kind, kind)
    source, path = os.path.join(folder, kind + ".s"), \
        os.path.join(folder, kind)
    with open(source, "w", encoding="ascii") as file:
        file.write(STUBS[kind].text(units))
    compiler = "gcc" if platform.machine() == arch else COMPILERS[arch]
    subprocess.run([compiler, "-O1", "-static", "-no-pie", "-o", path,
                    os.path.join(HERE, "xcheck_main.c"), source,
                    "-Wl,--section-start=.scratch=0x%x" % SCRATCH,
                    "-Wl,-z,noexecstack"], check=True)
    return path


def used_registers(unit: Unit) -> set[int]:
    """ARM: numbers of general registers in the texts of a unit."""
    used = set()
    for insn in unit.insns:
        for name in re.findall(r"\b[xwr]\d+\b|\b(?:sb|sl|fp|ip|lr)\b",
                               insn.operands):
            used.add(int(name[1:]) if name[1:].isdigit()
                     else arm.REGISTERS[name])
        for first, last in re.findall(r"\br(\d+)-r(\d+)", insn.operands):
            used |= set(range(int(first), int(last) + 1))
        if re.match(r"(ldrd|strd)", insn.name):
            used |= {n + 1 for n in used}
    return used


def given(stub: Stub, side: Side, unit: Unit, source: random.Random
          ) -> Context:
    """Registers to run a unit with."""
    general = [interesting(source, 8 * stub.size)
               for _ in range(stub.registers)]
    if source.randrange(4) == 0:
        general[source.randrange(len(general))] = \
            general[source.randrange(len(general))]
        same = source.choice(general)
        general = [same if source.randrange(2) else value
                   for value in general]
    bases, indexes = {side.sp}, set()
    for insn in unit.insns:
        more, steps = side.addresses(insn)
        bases |= more
        indexes |= steps
    for n in indexes:
        general[n] = 64 * source.randrange(8)
    for n in bases:
        general[n] = MIDDLE + 64 * source.randrange(-4, 4)
    if unit.returns:
        general[side.sp] = MIDDLE
        if stub.free:
            link = 30 if stub.size == 8 else 14
            last = unit.insns[-1].operands
            if last in arm.REGISTERS:     # bx r2
                link = arm.REGISTERS[last]
            general[link] = unit.end | int(unit.insns[0].thumb)
    if unit.zero is not None:
        general[unit.zero] = 0
    vectors = [number([interesting(source, 32)
                       for _ in range(stub.vector_size // 4)])
               for _ in range(stub.vector_count)]
    return Context(stub, general, side.random_flags(source), vectors)


def filled(unit: Unit, size: int) -> bytes:
    """Memory for a unit that returns: its end all about the middle."""
    content = bytearray(PATTERN)
    value = unit.end | int(unit.insns[0].thumb)
    start, end = SIZE // 2 - 256, SIZE // 2 + 1024
    content[start:end] = value.to_bytes(size, "little") \
        * ((end - start) // size)
    return bytes(content)


def runner(kind: str, path: str) -> list[str]:
    """What runs a test program: nothing, or an emulator."""
    arch = ARCH_OF.get(kind, kind)
    if kind == "avx512":
        return probe(arch, AVX512) or []
    if arch in EXITS:
        return probe(arch, SHA) or probe(arch, "nop") or []
    try:
        subprocess.run([path], stdin=subprocess.DEVNULL, check=True)
        return []
    except OSError:
        return EMULATORS[arch]


# Programs of x86 that end at once.
EXITS = {"x86_64": "movl $60, %eax\nxorl %edi, %edi\nsyscall\n",
         "i386": "movl $1, %eax\nxorl %ebx, %ebx\nint $0x80\n"}
SHA = "sha256msg1 %xmm0, %xmm1"
AVX512 = "vpshufb %zmm16, %zmm17, %zmm18"


@functools.lru_cache
def probe(arch: str, insn: str) -> Optional[list[str]]:
    """What runs a program with that instruction of x86: nothing, an emulator,
    or None if neither does."""
    with tempfile.TemporaryDirectory() as folder:
        source, path = folder + "/t.s", folder + "/t"
        with open(source, "w", encoding="ascii") as file:
            file.write(".globl _start\n_start: %s\n%s" % (insn, EXITS[arch]))
        subprocess.run([tool(arch, "as"), source, "-o", path + ".o"],
                       check=True)
        subprocess.run([tool(arch, "ld"), path + ".o", "-o", path],
                       check=True)
        for command in ([], EMULATORS[arch]):
            try:
                if subprocess.run([*command, path], check=False,
                                  stderr=subprocess.DEVNULL).returncode == 0:
                    return command
            except OSError:
                continue          # not for this kernel, or no such emulator
    return None


class Checker:
    """All units of one test program."""

    def __init__(self, kind: str, units: list[Unit], rounds: int) -> None:
        self.kind = kind
        self.arch = ARCH_OF.get(kind, kind)
        self.units = units
        self.rounds = rounds
        self.stub, self.side = STUBS[kind], SIDES[kind]
        self.source = random.Random(7)
        self.failures: list[str] = []
        self.compare: Callable[[], None] = lambda: None   # after run()

    def run(self, folder: str) -> int:
        """Runs all; returns the number of runs."""
        for unit in self.units:
            if self.stub.free:
                used = used_registers(unit)
                if unit.branch or unit.returns:
                    used.add(0)
                unit.free = next(n for n in self.stub.free if n not in used)
        path = build(self.kind, self.units, folder)
        program = Program(self.arch, path, "main", folder, linked=True)
        for i, unit in enumerate(self.units):
            unit.start = program.symbols["unit_%d" % i]
            unit.end = program.symbols["unit_%d_end" % i]
            if self.kind == "thumb":
                unit.start, unit.end = unit.start & ~1, unit.end & ~1
        program.entry = int(self.kind == "thumb")
        for insn in program.insns.values():
            insn.thumb = self.kind == "thumb"
        requests = []
        cases: list[tuple[Unit, Context]] = []
        for i, unit in enumerate(self.units):
            for _ in range(self.rounds):
                context = given(self.stub, self.side, unit, self.source)
                requests.append(struct.pack("<I", i) + context.pack())
                cases.append((unit, context))
        answer = subprocess.run(runner(self.kind, path) + [path],
                                input=b"".join(requests),
                                stdout=subprocess.PIPE, check=False)
        self.compare = lambda: self._compare(program, cases, answer.stdout)
        self.compare()
        return len(cases)

    def _compare(self, program: Program, cases: list[tuple[Unit, Context]],
                 answer: bytes) -> None:
        at = 0
        terms.reset()
        memory = Flat()
        for section in program.sections:
            if section.content and section.address != SCRATCH:
                memory.add_constant(section)
        machine = self.side.make(program, memory)
        failed: set[str] = set()
        for unit, before in cases:
            if at + self.stub.context + 4 > len(answer):
                self.failures.append("%s: the processor gave up" % unit)
                break
            after = Context.unpack(self.stub,
                                   answer[at:at + self.stub.context])
            at += self.stub.context
            (changes,) = struct.unpack_from("<I", answer, at)
            at += 4
            base = filled(unit, self.stub.size) if unit.returns else PATTERN
            wanted = bytearray(base)
            for _ in range(changes):
                index, value = struct.unpack_from("<II", answer, at)
                wanted[4 * index:4 * index + 4] = value.to_bytes(4, "little")
                at += 8
            if unit.key in failed:
                continue
            memory.bytes[:] = base
            try:
                problem = self._step(machine, unit, before, after)
            except Undefined:
                continue
            if not problem and memory.bytes != wanted:
                problem = "memory differs"
            if problem:
                failed.add(unit.key)
                self.failures.append("%s: %s  (shape %s)" % (unit, problem,
                                                             unit.key))

    def _step(self, machine: Machine, unit: Unit, before: Context,
              after: Context) -> str:
        self.side.load(machine, before)
        pc = unit.start
        try:
            while pc != unit.end:
                entry = machine.steps.get(pc)
                machine.pc = pc
                if entry is None:
                    entry = machine.steps[pc] = machine._compile_at(pc)
                target = entry[0]()
                pc = entry[1] if target is None else target
                if not unit.start <= pc <= unit.end:
                    return "goes to 0x%x" % pc
        except Undefined:
            raise
        except Exception as problem:  # any trouble is a failure of the shape
            return "%s: %s" % (type(problem).__name__, problem)
        return self.side.compare(machine, after, unit)


def self_test(checker: Checker) -> list[str]:
    """Wrong semantics that the checker does not notice; there must be none.

    Each is put in place of the right one, and the answers that the processor
    gave are compared again.
    """
    rotate, carry = x86.rol, X86.carry_value
    right, ternary = x86_vector.SHIFT["prord"], x86_vector._ternary
    read = x86_vector._reader
    shuffle, parts = x86_vector._OTHERS["vshufi32x4"], x86_vector._by_parts
    wrong: list[tuple[str, object, str, object]] = [
        ("paddd adds one more", x86_vector.BINARY, "paddd",
         lanewise(lambda a, b: a + b + 1 & 0xffffffff, 32)),
        ("pshufb ignores bit 7", x86_vector.BINARY, "pshufb",
         lambda a, c: tuple(x86_vector._pshufb(
             a, tuple(lane & 0x7f7f7f7f for lane in c)))),
        ("psrld shifts one further", x86_vector.SHIFT, "psrld",
         lambda a, n: tuple(lane >> (n + 1) for lane in a)),
        ("sha1msg2 forgets a word", x86_vector.SHA, "sha1msg2",
         lambda m, a, b: x86_vector.sha_insns.sha1msg2(a, b[:1] + (0,)
                                                       + b[2:])),
        ("rol goes one too far", x86, "rol",
         lambda a, n, width: rotate(a, n + 1, width)),
        ("the carry is inverted", X86, "carry_value",
         lambda m: 1 - carry(m)),
        ("andn inverts the other", x86._MAKERS, "andn",
         lambda m, insn, ops: x86._MAKERS["and"](
             m, Insn(insn.address, insn.raw, "and", "", "", False),
             [ops[0], ops[2]])),
        ("bswap does nothing", x86, "bswap", lambda a, width: a),
    ] if checker.kind == "x86_64" else [
        ("vprord goes one too far", x86_vector.SHIFT, "prord",
         lambda a, n: right(a, n + 1)),
        ("vpternlogd takes its sources backwards", x86_vector, "_ternary",
         lambda n: lambda a, b, c: ternary(n)(c, b, a)),
        ("vshufi32x4 takes all from its first", x86_vector._OTHERS,
         "vshufi32x4", lambda m, ops: shuffle(m, [*ops[:2], *ops[1:2],
                                                  *ops[3:]])),
        ("a broadcast reads what follows", x86_vector, "_reader",
         lambda m, op, width, align: read(m, op, width, align)
         if not op.broadcast else
         lambda place=m.place(op): m.load_lanes(place(), width // 32)),
        ("the third quarter of paddd is the second", x86_vector,
         "_by_parts", lambda function, width: lambda *args: [
             *parts(function, width)(*args)[:8],
             *parts(function, width)(*args)[4:8],
             *parts(function, width)(*args)[12:]]),
    ]
    missed = []
    for text, table, name, replacement in wrong:
        old = table[name] if isinstance(table, dict) else getattr(table, name)

        def put(value: object) -> None:
            if isinstance(table, dict):
                table[name] = value
            else:
                setattr(table, name, value)
        put(replacement)
        checker.failures.clear()
        checker.compare()
        put(old)
        if not checker.failures:
            missed.append(text)
    return missed


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    passed = failed = skipped = 0
    for arch in ("x86_64", "i386", "armv7", "aarch64"):
        if options.arch not in ("", arch):
            continue
        for kind, units in collect(arch).items():
            chosen = [unit for unit in units.values() if can_run(kind, unit)]
            folder = os.path.join(ROOT, "build", arch, "xcheck")
            os.makedirs(folder, exist_ok=True)
            checker = Checker(kind, chosen, options.rounds)
            runs = checker.run(folder)
            print("%-8s %5d shapes, %7d runs, %d differ, %d skipped"
                  % (kind, len(units), runs, len(checker.failures),
                     len(units) - len(chosen)))
            for text in checker.failures:
                print("    " + text)
            for unit in units.values():
                if unit not in chosen:
                    print("    skipped, nothing here runs it: %s" % unit)
            if arch == "x86_64" and chosen:
                failures = list(checker.failures)
                missed = self_test(checker)
                checker.failures = failures + [
                    "not noticed: " + text for text in missed]
                print("%-8s wrong semantics put in on purpose: %d not noticed"
                      % (kind, len(missed)))
            passed += len(chosen) - len(checker.failures)
            failed += len(checker.failures)
            skipped += len(units) - len(chosen)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return bool(failed)


def can_run(kind: str, unit: Unit) -> bool:
    """False for SHA instructions of x86, and AVX-512, where nothing here has
    them."""
    arch = ARCH_OF.get(kind, kind)
    if kind == "avx512":
        return probe(arch, AVX512) is not None
    return arch not in EXITS or probe(arch, SHA) is not None or not any(
        insn.name.startswith("sha") for insn in unit.insns)


if __name__ == "__main__":
    sys.exit(main())
