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
from typing import Callable, Iterator, Optional, Sequence

import arm
import terms
import x86
import x86_vector
from aarch64 import AArch64
from loader import ROOT, Insn, Program, rows, split_operands, tool
from machine import Machine, Undefined, lanewise
from memory import Memory
from terms import Unsupported, Value
from x86 import REGISTERS as X86_REGISTERS
from x86 import X86, Operand
from xcheck_stub import MIDDLE, SCRATCH, SIZE, STUBS, Stub, Unit

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


# ---- shapes ------------------------------------------------------------------

_X86_VECTOR = re.compile(r"\b([xyz]mm)(\d+)\b")
_ARM_REGISTER = re.compile(
    r"\b(r\d+|sl|fp|sb|ip|[xw]\d+|[qdsvhb]\d+)(?=\b|\.)")


def shape(insn: Insn, arch: str) -> str:
    """The text with registers numbered by appearance, offsets left out."""
    seen: dict[str, str] = {}

    def name(kind: str, key: str) -> str:
        label = seen.setdefault(key, "%d" % len(seen))
        return "%s_%s" % (kind, label)

    text = insn.operands
    if arch in ("x86_64", "i386"):
        text = _X86_VECTOR.sub(lambda m: name(m.group(1), "v" + m.group(2)),
                               text)

        def general(m: re.Match) -> str:
            place = X86_REGISTERS.get(m.group(0))
            if place is None or m.group(0) in ("rsp", "esp", "cl"):
                return m.group(0)
            return name("r%d.%d" % (place[2], place[1]), "g%d" % place[0])
        text = re.sub(r"\b[a-z0-9]+\b", general, text)
        text = re.sub(r"[+-]0x[0-9a-f]+\]", "+N]", text)
    else:
        text = _ARM_REGISTER.sub(
            lambda m: name(re.sub(r"\d+", "", m.group(1))
                           if m.group(1)[0] in "xwqdsvhb" else "r",
                           m.group(1)), text)
        text = re.sub(r"(\[[^]]*)#-?(0x)?[0-9a-f]+", r"\1#N", text)
    text = re.sub(r"\b0x[0-9a-f]{3,}\b|\b[0-9a-f]{5,} <.*", "N", text)
    return insn.name + " " + text


# ---- units -------------------------------------------------------------------

_X86_SETS = {"add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test",
             "inc", "dec", "neg", "shl", "shr", "sar", "shld", "shrd", "andn"}
_X86_CARRY = (_X86_SETS - {"inc", "dec"}) | {"rol", "ror"}
_X86_USES_CARRY = re.compile(r"adc|sbb|(j|set|cmov)(b|ae|be|a)$")
_X86_USES = re.compile(r"(j(?!mp)|set|cmov)")


class Flow:
    """Which instructions make and use flags, which jump; one for each arch."""

    def uses(self, insn: Insn) -> Optional[str]:
        """What it needs: "carry", "flags" or None."""
        raise NotImplementedError

    def sets(self, insn: Insn, what: str) -> bool:
        """True if it makes that."""
        raise NotImplementedError

    def jump(self, insn: Insn) -> Optional[str]:
        """The text of a branch with "{end}" as its target, or None."""
        raise NotImplementedError

    def returns(self, insn: Insn) -> bool:
        """True if it goes to an address from memory or the link register."""
        raise NotImplementedError


class X86Flow(Flow):
    """x86."""

    def uses(self, insn: Insn) -> Optional[str]:
        if _X86_USES_CARRY.match(insn.name):
            return "carry"
        return "flags" if _X86_USES.match(insn.name) else None

    def sets(self, insn: Insn, what: str) -> bool:
        return insn.name in (_X86_CARRY if what == "carry" else _X86_SETS)

    def jump(self, insn: Insn) -> Optional[str]:
        if insn.name[0] == "j":
            return insn.name + " {end}"
        return None

    def returns(self, insn: Insn) -> bool:
        return insn.name == "ret"


class AArch64Flow(Flow):
    """AArch64."""

    def uses(self, insn: Insn) -> Optional[str]:
        return "flags" if re.match(r"b\.|cs|adc", insn.name) else None

    def sets(self, insn: Insn, what: str) -> bool:
        return insn.name in ("adds", "subs", "ands", "bics", "adcs", "cmp",
                             "cmn", "tst")

    def jump(self, insn: Insn) -> Optional[str]:
        if re.fullmatch(r"b|b\.\w\w", insn.name):
            return insn.name + " {end}"
        if re.fullmatch(r"[ct]bn?z", insn.name):
            ops = split_operands(insn.operands)
            return "%s %s, {end}" % (insn.name, ", ".join(ops[:-1]))
        return None

    def returns(self, insn: Insn) -> bool:
        return insn.name == "ret"


class ArmFlow(Flow):
    """A32 and T32."""

    @staticmethod
    def _parts(insn: Insn) -> tuple[str, bool, str]:
        name = re.sub(r"\.[nw]$", "", insn.name)
        if name[0] == "v" or name[:3] == "sha":
            return name, False, ""
        found = arm._conditional(name, arm._MAKERS.__contains__)
        return found or (name, False, "")

    def uses(self, insn: Insn) -> Optional[str]:
        base, _, code = self._parts(insn)
        if base in ("adc", "sbc", "rsc", "rrx") \
                or re.search(r"\brrx\b", insn.operands):
            return "carry"
        if code:
            return "carry" if code in ("cs", "cc", "hs", "lo", "hi", "ls") \
                else "flags"
        return None

    def sets(self, insn: Insn, what: str) -> bool:
        base, flags, code = self._parts(insn)
        if code:
            return False
        if base in ("cmp", "cmn") or (base in ("tst", "teq")
                                      and what == "flags"):
            return True
        if not flags:
            return False
        return what == "flags" or base in ("add", "sub", "rsb", "adc", "sbc",
                                           "lsl", "lsr", "asr", "ror")

    def jump(self, insn: Insn) -> Optional[str]:
        base = self._parts(insn)[0]
        if base == "bl":
            return "bl {end}"
        if base == "b":
            return insn.name.replace(".n", ".w") + " {end}" if insn.thumb \
                else insn.name + " {end}"
        if base in ("cbz", "cbnz"):
            return "%s %s, {end}" % (base, split_operands(insn.operands)[0])
        return None

    def returns(self, insn: Insn) -> bool:
        base = self._parts(insn)[0]
        return base == "bx" or "pc}" in insn.operands or (
            base == "mov" and insn.operands.startswith("pc"))


FLOWS: dict[str, Flow] = {"x86_64": X86Flow(), "i386": X86Flow(),
                          "aarch64": AArch64Flow(), "armv7": ArmFlow(),
                          "thumb": ArmFlow(), "avx512": X86Flow()}


def units_of(program: Program, kind: str) -> Iterator[Unit]:
    """The units of a kernel."""
    flow = FLOWS[kind]
    code = [section for section in program.sections if section.executable]
    insns = [insn for address, insn in sorted(program.insns.items())
             if any(section.address <= address < section.address
                    + len(section.content) for section in code)
             and insn.name[0] != "."]
    block: list[Insn] = []        # the IT instruction that is open
    left = 0
    for at, insn in enumerate(insns):
        if re.fullmatch(r"it[te]{0,3}", insn.name):
            block, left = [insn], len(insn.name) - 1
            continue
        chain = [insn]
        if left:
            block.append(insn)
            left -= 1
            if left:
                continue
            chain = list(block)
        needed = flow.uses(insn)
        before = insns.index(chain[0])
        while needed is not None:
            before -= 1
            while not flow.sets(insns[before], needed):
                before -= 1
            chain.insert(0, insns[before])
            needed = flow.uses(insns[before])
        unit = Unit(" ; ".join(shape(each, program.arch) for each in chain),
                    chain)
        for i, each in enumerate(chain):
            unit.texts[i] = flow.jump(each)
            unit.branch |= unit.texts[i] is not None
            unit.returns |= flow.returns(each)
            if each.name == "add" and each.operands.startswith("pc, pc, r"):
                # a jump by a table: with 0, over the marker to the end
                unit.branch, unit.zero = True, arm.REGISTERS[
                    split_operands(each.operands)[2]]
        yield unit


def collect(arch: str) -> dict[str, dict[str, Unit]]:
    """All units of an architecture by test program and shape."""
    found: dict[str, dict[str, Unit]] = {}
    for row in rows():
        if row.arch != arch:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            program = Program(arch, row.object, row.symbol, scratch)
        kind = "thumb" if arch == "armv7" and program.entry & 1 \
            else "avx512" if "AVX512" in row.needs.split("|") else arch
        for unit in units_of(program, kind):
            found.setdefault(kind, {}).setdefault(unit.key, unit)
    return found


# ---- values ------------------------------------------------------------------

def make_pattern() -> bytes:
    """The contents of memory, as xcheck_main.c makes them."""
    out = []
    x = 1
    for _ in range(SIZE // 4):
        x = (x * 1664525 + 1013904223) & 0xffffffff
        out.append(x ^ x >> 15)
    return struct.pack("<%dI" % len(out), *out)


PATTERN = make_pattern()


class Flat(Memory):
    """Memory of known bytes: the scratch area and the program's sections."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = bytearray(PATTERN)
        self.stack_low = 1 << 64      # no stack of its own

    @property
    def stack_pointer(self) -> int:  # type: ignore[override]
        """Above all addresses: no move of it gives a frame back."""
        return 1 << 64

    @stack_pointer.setter
    def stack_pointer(self, place: int) -> None:
        """A frame is not watched here."""

    def load(self, address: int, size: int) -> Value:
        at = address - SCRATCH
        if 0 <= at <= SIZE - size:
            return int.from_bytes(self.bytes[at:at + size], "little")
        return super().load(address, size)

    def store(self, address: int, size: int, value: Value) -> None:
        at = address - SCRATCH
        assert 0 <= at <= SIZE - size and type(value) is int
        self.bytes[at:at + size] = value.to_bytes(size, "little")


def interesting(source: random.Random, width: int) -> int:
    """A value of that many bits: extreme, small or random."""
    full = (1 << width) - 1
    return source.choice((
        0, 1, 2, full, full >> 1, 1 << (width - 1), full - 1,
        source.randrange(70) & full, source.getrandbits(width),
        source.getrandbits(width), source.getrandbits(width),
        source.getrandbits(width), source.getrandbits(width),
        source.getrandbits(width)))


class Context:
    """The registers before or after a unit."""

    def __init__(self, stub: Stub, general: list[int], flags: int,
                 vectors: list[int]) -> None:
        self.stub = stub
        self.general = general
        self.flags = flags
        self.vectors = vectors

    def pack(self) -> bytes:
        """The bytes of the context."""
        stub = self.stub
        out = bytearray(stub.context)
        for n, value in enumerate(self.general):
            out[n * stub.size:(n + 1) * stub.size] = value.to_bytes(
                stub.size, "little")
        out[stub.flags:stub.flags + stub.size] = self.flags.to_bytes(
            stub.size, "little")
        for n, value in enumerate(self.vectors):
            at = stub.vectors + n * stub.vector_size
            out[at:at + stub.vector_size] = value.to_bytes(stub.vector_size,
                                                           "little")
        return bytes(out)

    @classmethod
    def unpack(cls, stub: Stub, data: bytes) -> "Context":
        """The inverse of pack."""
        def word(at: int, size: int) -> int:
            return int.from_bytes(data[at:at + size], "little")
        return cls(stub,
                   [word(n * stub.size, stub.size)
                    for n in range(stub.registers)],
                   word(stub.flags, stub.size),
                   [word(stub.vectors + n * stub.vector_size,
                         stub.vector_size) for n in range(stub.vector_count)])


# ---- the checker's side ------------------------------------------------------

class Side:
    """The checker's machine of one architecture, on known values."""

    sp = 0                        # number of the stack pointer

    def make(self, program: Program, memory: Memory) -> Machine:
        """A machine."""
        raise NotImplementedError

    def load(self, m: Machine, context: Context) -> None:
        """Sets the registers."""
        raise NotImplementedError

    def compare(self, m: Machine, context: Context, unit: Unit) -> str:
        """What differs from the CPU's registers and flags, or nothing."""
        raise NotImplementedError

    def addresses(self, insn: Insn) -> tuple[set[int], set[int]]:
        """Registers that hold addresses: bases and indexes."""
        raise NotImplementedError

    def random_flags(self, source: random.Random) -> int:
        """Flags before the unit."""
        raise NotImplementedError


def lanes(value: int, count: int) -> tuple[int, ...]:
    """A number as lanes of 32 bits."""
    return tuple(value >> 32 * i & 0xffffffff for i in range(count))


def number(parts: Sequence[Value]) -> int:
    """Lanes of 32 bits as a number."""
    return sum(part << 32 * i for i, part in enumerate(parts))


def known(function: Callable[[], object]) -> Optional[object]:
    """What the function returns, or None if the checker does not know."""
    try:
        return function()
    except Unsupported:
        return None


class X86Side(Side):
    """x86-64 and i386."""

    sp = 4

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def make(self, program: Program, memory: Memory) -> Machine:
        return X86(program, memory, self.bits)

    def load(self, m: X86, context: Context) -> None:
        m.regs[:] = context.general
        for n, value in enumerate(context.vectors):
            m.low[n] = lanes(value, 4)
            m.high[n] = lanes(value >> 128, 4)
            if m.top:
                m.top[n] = lanes(value >> 256, 8)
        m.dirty = False
        m.flags = m.carry = m.over = ("unknown", 0, 0, 0, 0, 0)

    def compare(self, m: X86, context: Context, unit: Unit) -> str:
        for n, value in enumerate(m.regs):
            if value != context.general[n]:
                return "register %d: 0x%x, not 0x%x" % (
                    n, context.general[n], value)
        for n, value in enumerate(context.vectors):
            mine = number(m.low[n] + m.high[n])
            if context.stub.vector_size > 32:
                mine += number(m.top[n]) << 256
            if mine != value:
                return "vector %d: 0x%x, not 0x%x" % (n, value, mine)
        for name, bit, test in (("C", 0, m.below), ("Z", 6, m.zero),
                                ("S", 7, m.sign), ("O", 11, m.overflow)):
            if name == "O" and m.over[0] == "unknown":
                continue
            mine = known(test)
            if mine is not None and mine != bool(context.flags >> bit & 1):
                return "flag %s: not %d" % (name, mine)
        return ""

    def addresses(self, insn: Insn) -> tuple[set[int], set[int]]:
        bases: set[int] = set()
        indexes: set[int] = set()
        if insn.name in ("lea", "nop", "data16 cs", "cs nop") \
                or insn.name[0] == "j":
            return bases, indexes
        if insn.name in ("leave",):
            bases.add(5)
        for text in split_operands(insn.operands):
            if "[" in text and "rip" not in text:
                op = Operand(text, "")
                if op.base is not None:
                    bases.add(op.base)
                if op.index is not None:
                    indexes.add(op.index)
        return bases, indexes

    def random_flags(self, source: random.Random) -> int:
        return source.getrandbits(12) & 0x8d5 | 2


class AArch64Side(Side):
    """AArch64."""

    sp = 31

    def make(self, program: Program, memory: Memory) -> Machine:
        return AArch64(program, memory)

    def load(self, m: AArch64, context: Context) -> None:
        m.regs[:] = context.general
        for n, value in enumerate(context.vectors):
            m.vectors[n] = lanes(value, 4)
        m.flags = ("unknown", 0, 0, 0, 0, 0)

    def compare(self, m: AArch64, context: Context, unit: Unit) -> str:
        for n, value in enumerate(m.regs):
            if n not in (18, unit.free) and value != context.general[n]:
                return "x%d: 0x%x, not 0x%x" % (n, context.general[n], value)
        for n, value in enumerate(context.vectors):
            mine = number(m.vectors[n])
            if mine != value:
                return "v%d: 0x%x, not 0x%x" % (n, value, mine)
        return _compare_nzcv(m, context.flags, m.flags[0] == "unknown")

    def addresses(self, insn: Insn) -> tuple[set[int], set[int]]:
        bases: set[int] = set()
        indexes: set[int] = set()
        places = re.findall(r"\[([^]]*)\]", insn.operands)
        inner = split_operands(places[-1]) if places else []
        if inner and re.match(r"[xs]", inner[0]):
            bases.add(31 if inner[0] == "sp" else int(inner[0][1:]))
            if len(inner) > 1 and inner[1][0] in "xw":
                indexes.add(int(inner[1][1:]))
        return bases, indexes

    def random_flags(self, source: random.Random) -> int:
        return source.getrandbits(4) << 28


class ArmSide(Side):
    """A32 and T32."""

    sp = 13

    def make(self, program: Program, memory: Memory) -> Machine:
        return arm.Arm(program, memory)

    def load(self, m: arm.Arm, context: Context) -> None:
        m.regs[:] = [*context.general, 0]
        for n, value in enumerate(context.vectors):
            m.words[2 * n:2 * n + 2] = lanes(value, 2)
        m.result = m.carry = m.over = arm.UNKNOWN

    def compare(self, m: arm.Arm, context: Context, unit: Unit) -> str:
        for n, value in enumerate(m.regs[:15]):
            if n != unit.free and value != context.general[n]:
                return "r%d: 0x%x, not 0x%x" % (n, context.general[n], value)
        for n, value in enumerate(context.vectors):
            mine = number(m.words[2 * n:2 * n + 2])
            if mine != value:
                return "d%d: 0x%x, not 0x%x" % (n, value, mine)
        return _compare_nzcv(m, context.flags, m.over[0] == "unknown")

    def addresses(self, insn: Insn) -> tuple[set[int], set[int]]:
        bases: set[int] = set()
        indexes: set[int] = set()
        names = arm.REGISTERS
        if re.match(r"v?(push|pop)", insn.name):
            bases.add(13)
        elif re.match(r"v?(ldm|stm)", insn.name):
            bases.add(names[split_operands(insn.operands)[0].rstrip("!")])
        places = re.findall(r"\[([^]]*)\]", insn.operands)
        inner = split_operands(places[-1]) if places else []
        if inner and inner[0].split()[0] in names \
                and inner[0].split()[0] != "pc":
            bases.add(names[inner[0].split()[0]])
            if len(inner) > 1 and inner[1].lstrip("-") in names:
                indexes.add(names[inner[1].lstrip("-")])
        return bases, indexes

    def random_flags(self, source: random.Random) -> int:
        return source.getrandbits(4) << 28


def _compare_nzcv(m: Machine, flags: int, skip_v: bool) -> str:
    """Compares the flags that the checker claims to know."""
    minus = known(m.condition("mi"))
    tests: list[tuple[str, int, Optional[object]]] = [
        ("N", 31, minus), ("Z", 30, known(m.condition("eq"))),
        ("C", 29, known(m.condition("cs")))]
    if not skip_v:
        equal = known(m.condition("ge"))
        tests.append(("V", 28, None if equal is None else minus == equal))
    for name, bit, mine in tests:
        if mine is not None and mine != bool(flags >> bit & 1):
            return "flag %s: not %d" % (name, mine)
    return ""


SIDES: dict[str, Side] = {"x86_64": X86Side(64), "i386": X86Side(32),
                          "aarch64": AArch64Side(), "armv7": ArmSide(),
                          "thumb": ArmSide(), "avx512": X86Side(64)}


# ---- running -----------------------------------------------------------------

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
