# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""What xcheck.py compares: values, registers before and after a unit, and the
checker's machines, which are given the one and asked for the other.
"""
from __future__ import annotations

import random
import re
import struct
from typing import Callable, Optional, Sequence

import arm
from aarch64 import AArch64
from loader import Insn, Program, split_operands
from machine import Machine
from memory import Memory
from terms import Unsupported, Value
from x86 import X86, Operand
from xcheck_stub import SCRATCH, SIZE, Stub, Unit


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
