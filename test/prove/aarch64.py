# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""AArch64: integer instructions, flags, loads and stores.

Vector instructions are in aarch64_vector.py. What is not listed makes the proof
fail.
"""
from __future__ import annotations

import re
from typing import Callable, Iterable, Optional

import sums
from linear import Lin
from loader import Insn, Program, split_operands
from machine import (STOP, Lanes, Machine, Step, is_symbol, pair)
from memory import Memory, Refuted
from terms import (Unsupported, Value, and_, bswap, concat, field, not_, or_,
                   reverse, ror, shl, shr, symbol, xor)

M64 = (1 << 64) - 1
SP = 31
Read = Callable[[], Value]
Write = Callable[[Value], None]
Flags = tuple[str, int, Value, Value, Value, Value]


def register(name: str) -> tuple[int, int]:
    """A general register as (number, width); number -1 is the zero register."""
    if name in ("xzr", "wzr"):
        return -1, 64 if name[0] == "x" else 32
    if name in ("sp", "wsp"):
        return SP, 64 if name == "sp" else 32
    match = re.fullmatch(r"([xw])(\d+)", name)
    if match is None or int(match.group(2)) > 30:
        raise ValueError("register " + name)
    return int(match.group(2)), 64 if match.group(1) == "x" else 32


def is_register(name: str) -> bool:
    """True for a general register."""
    return re.fullmatch(r"[xw](\d+|zr)|w?sp", name) is not None


def number(text: str) -> int:
    """An immediate: #5, #0x10, #-16."""
    if text[0] != "#":
        raise ValueError("immediate " + text)
    return int(text[1:], 0)


def target(text: str) -> int:
    """A branch target or page as objdump prints it."""
    return int(text.split()[0], 16)


class AArch64(Machine):
    """The processor."""

    def __init__(self, program: Optional[Program], memory: Memory) -> None:
        self.vectors: list[Lanes] = []
        super().__init__(program, memory)

    def reset(self) -> None:
        super().reset()
        self.regs[:] = [symbol("x%d" % n, 64, "junk")
                        for n in range(31)] + [0]
        self.vectors[:] = [
            tuple([symbol("v%d.%d" % (n, i), 32, "junk") for i in range(4)])
            for n in range(32)]
        self.flags: Flags = ("unknown", 0, 0, 0, 0, 0)

    def files(self) -> list[list]:
        return [self.regs, self.vectors]

    def registers(self) -> Iterable[Value]:
        for value in self.regs:
            yield value
            yield sums.low(value, 32)
        for lanes in self.vectors:
            yield from lanes
            yield pair(lanes[0], lanes[1])
            yield pair(lanes[2], lanes[3])

    # ---- operands ------------------------------------------------------------

    def reader(self, name: str) -> Read:
        """The value of a register."""
        n, width = register(name)
        regs = self.regs
        if n < 0:
            return lambda: 0
        if width == 64:
            return lambda: regs[n]
        return lambda: sums.low(regs[n], 32)

    def writer(self, name: str) -> Write:
        """Stores into a register; 32 bits clear the upper half."""
        n, width = register(name)
        regs = self.regs
        if n < 0:
            return lambda value: None
        if n == SP:
            assert width == 64

            def stack(value: Value) -> None:
                self.set_stack(value)
                regs[SP] = value
            return stack
        if n == 18:
            raise Refuted("writes x18, which is the platform's")

        def write(value: Value) -> None:
            regs[n] = value
        return write

    def flexible(self, ops: list[str], width: int) -> Read:
        """The last operand of an arithmetic instruction, with its shift."""
        full = (1 << width) - 1
        if ops[0][0] == "#":
            value = number(ops[0])
            if len(ops) == 2:
                assert ops[1].startswith("lsl #")
                value <<= number(ops[1][4:])
            value &= full
            return lambda: value
        read = self.reader(ops[0])
        if len(ops) == 1:
            assert register(ops[0])[1] == width
            return read
        assert len(ops) == 2
        kind, _, amount = ops[1].partition(" ")
        k = number(amount) if amount else 0
        if kind == "uxtw":
            assert register(ops[0])[1] == 32
            return lambda: shl(read(), k, width)
        assert register(ops[0])[1] == width and 0 <= k < width
        if kind == "lsl":
            return lambda: shl(read(), k, width)
        if kind == "lsr":
            return lambda: shr(read(), k)
        if kind == "ror":
            return lambda: ror(read(), k, width)
        if kind == "asr":
            return lambda: self.shift_signed(read(), k, width)
        raise ValueError(ops[1])

    def shift_signed(self, value: Value, k: int, width: int) -> Value:
        """An arithmetic shift of a known value."""
        known = self.known(value, "an arithmetic shift")
        known = (known ^ 1 << (width - 1)) - (1 << (width - 1))
        return known >> k & ((1 << width) - 1)

    def place(self, ops: list[str]) -> tuple[Callable[[], int],
                                             Callable[[], None]]:
        """The address of a memory operand, and what to do after the access.

        ops is [base...] alone, or with "!", or followed by the post-index.
        """
        match = re.fullmatch(r"\[(.*)\](!?)", ops[0])
        if match is None:
            raise ValueError(ops[0])
        inner = split_operands(match.group(1))
        base, width = register(inner[0])
        assert width == 64 and base >= 0
        regs = self.regs
        write = self.writer(inner[0])

        def start(offset: Value = 0) -> int:
            at = regs[base]
            if base == SP and self.address(at) % 16:
                raise Refuted("accesses memory by a stack pointer that is "
                              "not a multiple of 16")
            if type(at) is int and type(offset) is int:
                return at + offset & M64
            return self.address_of((at, 1), (offset, 1))
        def move(by: Value) -> None:
            write(sums.add(regs[base], by, 64))
        if match.group(2):
            assert len(ops) == 1 and len(inner) == 2
            step = number(inner[1])
            return (lambda: start(step), lambda: move(step & M64))
        if len(ops) == 2:
            assert len(inner) == 1
            if ops[1][0] == "#":
                after = number(ops[1]) & M64
                return start, lambda: move(after)
            read = self.reader(ops[1])
            return start, lambda: move(read())
        assert len(ops) == 1
        if len(inner) == 1:
            return start, _nothing
        if inner[1][0] == "#":
            assert len(inner) == 2
            offset = number(inner[1])
            return lambda: start(offset), _nothing
        index = self.flexible(inner[1:], 64)
        return lambda: start(index()), _nothing

    # ---- flags ---------------------------------------------------------------

    def carry_value(self) -> Value:
        """The carry flag, 0 or 1; for subtraction, not borrow."""
        kind, width, _, a, b, c = self.flags
        known = type(a) is int and type(b) is int and type(c) is int
        if kind == "add":
            if known:
                return a + b + c >> width
            return sums.carry((a, b, c), width)
        if kind == "sub" and c == 1:
            return 1 - self.borrow(a, b, 0)
        if kind == "logic":
            return 0
        raise Unsupported("the carry of %s" % kind)

    def condition(self, code: str) -> Callable[[], bool]:
        """The test of a condition code."""
        def result() -> Value:
            if self.flags[0] == "unknown":
                raise Unsupported("a condition on undefined flags")
            return self.flags[2]

        def zero() -> bool:
            return self.is_zero(result())

        def minus() -> bool:
            return self.is_negative(result(), self.flags[1])

        def carry() -> bool:
            return bool(self.known(self.carry_value(), "a condition"))

        def overflow() -> bool:
            kind, width, value, a, b, _ = self.flags
            if kind == "logic":
                return False
            self.no_addresses(a, b)
            if type(value) is Lin:
                return False      # sign() has checked that it is small
            top = width - 1
            if kind == "add":
                return bool((a ^ value) & (b ^ value) & 1 << top)
            return bool((a ^ b) & (a ^ value) & 1 << top)
        return {
            "eq": zero, "ne": lambda: not zero(),
            "cs": carry, "cc": lambda: not carry(),
            "hs": carry, "lo": lambda: not carry(),
            "mi": minus, "pl": lambda: not minus(),
            "hi": lambda: carry() and not zero(),
            "ls": lambda: not (carry() and not zero()),
            "ge": lambda: minus() == overflow(),
            "lt": lambda: minus() != overflow(),
            "gt": lambda: not zero() and minus() == overflow(),
            "le": lambda: zero() or minus() != overflow(),
        }[code]

    # ---- instructions --------------------------------------------------------

    def compile(self, insn: Insn) -> Step:
        name = insn.name
        ops = split_operands(insn.operands)
        maker = _MAKERS.get(name)
        if maker is not None and not (name in _ALSO_VECTOR and ops
                                      and not is_register(ops[0])):
            return maker(self, name, ops)
        if name.startswith("b."):
            test, to = self.condition(name[2:]), target(ops[0])
            return lambda: to if test() else None
        from aarch64_vector import compile_vector
        return compile_vector(self, name, ops)


def _nothing() -> None:
    """Nothing happens after the access."""


Maker = Callable[[AArch64, str, list[str]], Step]
_MAKERS: dict[str, Maker] = {}
# names that vector instructions share
_ALSO_VECTOR = {"add", "sub", "and", "orr", "eor", "bic", "orn", "mov", "mvn",
                "neg", "rev32", "rev16", "ldr", "str", "ldp", "stp", "ldur",
                "stur"}


def _makes(*names: str) -> Callable[[Maker], Maker]:
    def note(maker: Maker) -> Maker:
        for name in names:
            _MAKERS[name] = maker
        return maker
    return note


@_makes("nop", "bti")
def _nop(m: AArch64, name: str, ops: list[str]) -> Step:
    return lambda: None


@_makes("mov")
def _mov(m: AArch64, name: str, ops: list[str]) -> Step:
    write = m.writer(ops[0])
    if ops[1][0] == "#":
        value = number(ops[1]) & ((1 << register(ops[0])[1]) - 1)
        return lambda: write(value)
    if not is_register(ops[1]):
        from aarch64_vector import compile_vector
        return compile_vector(m, name, ops)
    read = m.reader(ops[1])
    assert register(ops[0])[1] == register(ops[1])[1]
    return lambda: write(read())


@_makes("movz", "movn", "movk")
def _movk(m: AArch64, name: str, ops: list[str]) -> Step:
    read, write = m.reader(ops[0]), m.writer(ops[0])
    k = number(ops[2][4:]) if len(ops) > 2 else 0
    value, full = number(ops[1]) << k, (1 << register(ops[0])[1]) - 1
    if name == "movz":
        return lambda: write(value & full)
    if name == "movn":
        return lambda: write(value & full ^ full)
    keep = full ^ 0xffff << k
    return lambda: write(xor(and_(read(), keep), value))


@_makes("add", "adds", "sub", "subs", "cmp", "cmn")
def _add(m: AArch64, name: str, ops: list[str]) -> Step:
    if name in ("cmp", "cmn"):
        ops = [ops[0].replace("sp", "zr") if "sp" in ops[0] else
               "%szr" % ops[0][0], *ops]
    width = register(ops[1])[1]
    read_a, read_b = m.reader(ops[1]), m.flexible(ops[2:], width)
    write = m.writer(ops[0])
    full, minus = (1 << width) - 1, name in ("sub", "subs", "cmp")
    if name in ("add", "sub"):
        function = sums.sub if minus else sums.add
        return lambda: write(function(read_a(), read_b(), width))

    def with_flags() -> None:
        a, b = read_a(), read_b()
        if minus:
            result = sums.sub(a, b, width)
            m.flags = ("sub", width, result, a, b, 1)
        else:
            result = sums.add(a, b, width)
            m.flags = ("add", width, result, a, b, 0)
        write(result)
    assert full
    return with_flags


@_makes("adc", "adcs")
def _adc(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read_a, read_b, write = m.reader(ops[1]), m.reader(ops[2]), \
        m.writer(ops[0])

    def step() -> None:
        a, b, c = read_a(), read_b(), m.carry_value()
        result = sums.add_all((a, b, c), width)
        if name == "adcs":
            m.flags = ("add", width, result, a, b, c)
        write(result)
    return step


@_makes("neg")
def _neg(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read, write = m.flexible(ops[1:], width), m.writer(ops[0])
    return lambda: write(sums.sub(0, read(), width))


@_makes("and", "ands", "bic", "bics", "orr", "orn", "eor", "eon", "tst",
        "mvn")
def _logic(m: AArch64, name: str, ops: list[str]) -> Step:
    if name == "tst":
        ops = ["%szr" % ops[0][0], *ops]
    if name == "mvn":
        ops = [ops[0], "%szr" % ops[0][0], *ops[1:]]
    width = register(ops[0])[1]
    read_a, read_b = m.reader(ops[1]), m.flexible(ops[2:], width)
    write = m.writer(ops[0])
    function = {"and": and_, "ands": and_, "bic": and_, "bics": and_,
                "tst": and_, "orr": or_, "orn": or_, "mvn": or_, "eor": xor,
                "eon": xor}[name]
    invert = name in ("bic", "bics", "orn", "eon", "mvn")
    flags = name in ("ands", "bics", "tst")

    def step() -> None:
        b = read_b()
        result = function(read_a(), not_(b, width) if invert else b)
        if flags:
            m.flags = ("logic", width, result, 0, 0, 0)
        write(result)
    return step


@_makes("lsl", "lsr", "asr", "ror")
def _shift(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read, write = m.reader(ops[1]), m.writer(ops[0])
    if ops[2][0] == "#":
        fixed = number(ops[2])
        assert 0 <= fixed < width

        def amount() -> int:
            return fixed
    else:
        count = m.reader(ops[2])

        def amount() -> int:
            return m.known(count(), "a shift count") % width
    return {
        "lsl": lambda: write(shl(read(), amount(), width)),
        "lsr": lambda: write(shr(read(), amount())),
        "ror": lambda: write(ror(read(), amount(), width)),
        "asr": lambda: write(m.shift_signed(read(), amount(), width)),
    }[name]


@_makes("extr")
def _extr(m: AArch64, name: str, ops: list[str]) -> Step:
    width, k = register(ops[0])[1], number(ops[3])
    high, low, write = m.reader(ops[1]), m.reader(ops[2]), m.writer(ops[0])
    return lambda: write(xor(shr(low(), k), shl(high(), width - k, width)))


@_makes("rev", "rev32", "rev16")
def _rev(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read, write = m.reader(ops[1]), m.writer(ops[0])
    size = {"rev": width, "rev32": 32, "rev16": 16}[name]

    def step() -> None:
        value = read()
        write(concat([bswap(field(value, at, size), size)
                      for at in range(0, width, size)], size))
    return step


@_makes("rbit")
def _rbit(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read, write = m.reader(ops[1]), m.writer(ops[0])
    return lambda: write(reverse(read(), width))


@_makes("clz")
def _clz(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read, write = m.reader(ops[1]), m.writer(ops[0])
    return lambda: write(width - m.known(read(), "a count of zeros")
                         .bit_length())


@_makes("ubfx", "ubfiz", "bfi", "bfxil")
def _bit_field(m: AArch64, name: str, ops: list[str]) -> Step:
    width = register(ops[0])[1]
    read, write, old = m.reader(ops[1]), m.writer(ops[0]), m.reader(ops[0])
    low, size = number(ops[2]), number(ops[3])
    mask = (1 << size) - 1
    assert low + size <= width
    keep_low = ((1 << width) - 1) ^ mask
    keep_at = ((1 << width) - 1) ^ mask << low
    return {
        "ubfx": lambda: write(field(read(), low, size)),
        "ubfiz": lambda: write(shl(and_(read(), mask), low, width)),
        "bfi": lambda: write(xor(and_(old(), keep_at),
                                 shl(and_(read(), mask), low, width))),
        "bfxil": lambda: write(xor(and_(old(), keep_low),
                                   field(read(), low, size))),
    }[name]


@_makes("uxtb", "uxth")
def _extend(m: AArch64, name: str, ops: list[str]) -> Step:
    read, write = m.reader(ops[1]), m.writer(ops[0])
    mask = 255 if name == "uxtb" else 65535
    return lambda: write(and_(read(), mask))


@_makes("csel", "csinc", "csinv", "csneg", "cset", "csetm")
def _select(m: AArch64, name: str, ops: list[str]) -> Step:
    write, test = m.writer(ops[0]), m.condition(ops[-1])
    full = (1 << register(ops[0])[1]) - 1
    if name in ("cset", "csetm"):
        value = 1 if name == "cset" else full
        return lambda: write(value if test() else 0)
    yes, no = m.reader(ops[1]), m.reader(ops[2])
    width = register(ops[0])[1]
    change = {"csel": lambda v: v, "csinc": lambda v: sums.add(v, 1, width),
              "csinv": lambda v: not_(v, width),
              "csneg": lambda v: sums.sub(0, v, width)}[name]
    return lambda: write(yes() if test() else change(no()))


# ---- loads and stores --------------------------------------------------------

_SIZES = {"ldr": 0, "ldur": 0, "str": 0, "stur": 0, "ldrb": 1, "strb": 1,
          "ldrh": 2, "strh": 2, "ldurb": 1, "sturb": 1, "ldurh": 2,
          "sturh": 2}


@_makes("ldr", "ldur", "ldrb", "ldrh", "ldurb", "ldurh")
def _ldr(m: AArch64, name: str, ops: list[str]) -> Step:
    size = _SIZES[name] or register(ops[0])[1] // 8
    write, load = m.writer(ops[0]), m.memory.load
    if ops[1][0] != "[":
        at = target(ops[1])
        return lambda: write(load(at, size))
    place, after = m.place(ops[1:])

    def step() -> None:
        value = load(place(), size)
        after()
        write(value)
    return step


@_makes("str", "stur", "strb", "strh", "sturb", "sturh")
def _str(m: AArch64, name: str, ops: list[str]) -> Step:
    size = _SIZES[name] or register(ops[0])[1] // 8
    mask = (1 << 8 * size) - 1
    read, store = m.reader(ops[0]), m.memory.store
    place, after = m.place(ops[1:])
    first = ops[1].endswith("!")

    def step() -> None:
        at = place()
        if first:
            after()           # the stack pointer moves before the store
        store(at, size, and_(read(), mask))
        if not first:
            after()
    return step


@_makes("ldp", "stp")
def _pair(m: AArch64, name: str, ops: list[str]) -> Step:
    size = register(ops[0])[1] // 8
    assert register(ops[1])[1] == 8 * size
    place, after = m.place(ops[2:])
    first = ops[2].endswith("!")
    if name == "ldp":
        write_a, write_b = m.writer(ops[0]), m.writer(ops[1])
        load = m.memory.load

        def step() -> None:
            at = place()
            a, b = load(at, size), load(at + size, size)
            after()
            write_a(a)
            write_b(b)
        return step
    read_a, read_b, store = m.reader(ops[0]), m.reader(ops[1]), m.memory.store

    def put() -> None:
        at, a, b = place(), read_a(), read_b()
        if first:
            after()
        store(at, size, a)
        store(at + size, size, b)
        if not first:
            after()
    return put


# ---- control -----------------------------------------------------------------

@_makes("adr", "adrp")
def _adr(m: AArch64, name: str, ops: list[str]) -> Step:
    write, value = m.writer(ops[0]), target(ops[1])
    return lambda: write(value)


@_makes("b")
def _b(m: AArch64, name: str, ops: list[str]) -> Step:
    to = target(ops[0])
    return lambda: to


@_makes("cbz", "cbnz")
def _cbz(m: AArch64, name: str, ops: list[str]) -> Step:
    read, to, zero = m.reader(ops[0]), target(ops[1]), name == "cbz"
    return lambda: to if m.is_zero(read()) == zero else None


@_makes("tbz", "tbnz")
def _tbz(m: AArch64, name: str, ops: list[str]) -> Step:
    read, to, bit = m.reader(ops[0]), target(ops[2]), number(ops[1])
    wanted = int(name == "tbnz")
    return lambda: to if m.known(field(read(), bit, 1), "a condition") \
        == wanted else None


@_makes("ret")
def _ret(m: AArch64, name: str, ops: list[str]) -> Step:
    assert not ops

    def step() -> int:
        if is_symbol(m.regs[30], "return"):
            return STOP
        return m.known(m.regs[30], "a return address")
    return step
