# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""32-bit ARM: A32, T32 and Thumb-1 as objdump prints them (unified syntax).

Vector instructions are in arm_vector.py. What is not listed makes the proof
fail. In an IT block objdump writes the condition into the mnemonic, so "it" has
nothing left to do.
"""
from __future__ import annotations

import re
from typing import Callable, Iterable, Optional

import sums
from linear import Lin
from loader import Insn, Program, split_operands
from machine import M32, STOP, Machine, Step, is_symbol, pair
from memory import Memory, Refuted
from terms import (Term, Unsupported, Value, and_, bswap, concat, field, not_,
                   or_, ror, shl, shr, symbol, xor)

SP, LR, PC = 13, 14, 15
REGISTERS = {"r%d" % n: n for n in range(16)}
REGISTERS.update(sb=9, sl=10, fp=11, ip=12, sp=SP, lr=LR, pc=PC)
CONDITIONS = ("eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "hi", "ls",
              "ge", "lt", "gt", "le")
Read = Callable[[], Value]
Write = Callable[[Value], Optional[int]]
# (kind, result or value, a, b, carry in or bit number)
Flags = tuple[str, Value, Value, Value, Value]
UNKNOWN: Flags = ("unknown", 0, 0, 0, 0)


def number(text: str) -> int:
    """An immediate: #5, #0x10, #-16."""
    if text[0] != "#":
        raise ValueError("immediate " + text)
    return int(text[1:], 0)


def register_list(text: str) -> list[int]:
    """{r4, r5, lr} as numbers."""
    numbers = []
    for part in split_operands(text.strip("{}")):
        first, _, last = part.partition("-")
        start = REGISTERS[first.strip()]
        end = REGISTERS[last.strip()] if last else start
        numbers += range(start, end + 1)
    return numbers


class Arm(Machine):
    """The processor."""

    bits = 32

    def __init__(self, program: Optional[Program], memory: Memory) -> None:
        self.words: list[Value] = []
        super().__init__(program, memory)

    def reset(self) -> None:
        super().reset()
        self.regs[:] = [symbol("r%d" % n, 32, "junk")
                        for n in range(15)] + [0]
        self.words[:] = [symbol("s%d" % n, 32, "junk") for n in range(64)]
        self.link: Value = 0              # the return address
        self.thumb_caller = False         # bit 0 of it
        self.result: Flags = UNKNOWN      # N, Z
        self.carry: Flags = UNKNOWN       # C
        self.over: Flags = UNKNOWN        # V

    def files(self) -> list[list]:
        return [self.regs, self.words]

    def registers(self) -> Iterable[Value]:
        yield from self.regs
        words = self.words
        for n in range(0, 64, 2):
            yield words[n]
            yield words[n + 1]
            yield pair(words[n], words[n + 1])

    # ---- operands ------------------------------------------------------------

    def read_at(self, insn: Insn, name: str) -> Read:
        """A register; pc reads as the instruction ahead."""
        n, regs = REGISTERS[name], self.regs
        if n == PC:
            value = insn.address + (4 if insn.thumb else 8)
            return lambda: value
        return lambda: regs[n]

    def writer(self, name: str) -> Write:
        """Stores into a register; to pc, it is a jump."""
        n, regs = REGISTERS[name], self.regs
        if n == PC:
            return self.jump
        if n in self.untouched:
            raise Unsupported("writes %s, which firmware may reserve" % name)
        if n == SP:
            def stack(value: Value) -> None:
                self.set_stack(value)
                regs[SP] = value
            return stack

        def write(value: Value) -> None:
            regs[n] = value
        return write

    def jump(self, value: Value) -> int:
        """Goes on at an address; bit 0 chooses the instruction set."""
        if is_symbol(value, "return"):
            if not self.interworks and \
                    self.program.insns[self.pc].name.startswith("bx") \
                    != self.thumb_caller:
                raise Refuted("on ARMv4 a return to Thumb is by BX, and one "
                              "to ARM state by any other means")
            return STOP
        to = self.known(value, "a jump")
        thumb = bool(self.program.entry & 1)
        if bool(to & 1) != thumb and self.program.insns[self.pc].name[:2] \
                == "bx":
            raise Unsupported("changes between A32 and T32")
        return to & ~1

    def flexible(self, insn: Insn, ops: list[str]
                 ) -> tuple[Read, Callable[[], Flags]]:
        """The second operand with its shift, and the shifter's carry."""
        if ops[0][0] == "#":
            value = number(ops[0]) & M32
            assert len(ops) == 1
            if value < 256:
                return lambda: value, lambda: self.carry
            return lambda: value, lambda: UNKNOWN
        read = self.read_at(insn, ops[0])
        if len(ops) == 1:
            return read, lambda: self.carry
        assert len(ops) == 2
        if ops[1] == "rrx":
            return lambda: self.rotate_carry(read()), lambda: UNKNOWN
        kind, _, amount = ops[1].partition(" ")
        if amount[0] != "#":
            count = self.read_at(insn, amount)
            return lambda: self.shift(kind, read(), self.known(
                count(), "a shift count") & 255), lambda: UNKNOWN
        n = number(amount)
        return lambda: self.shift(kind, read(), n), \
            lambda: self.shifted_out(kind, read(), n)

    def shift(self, kind: str, value: Value, n: int) -> Value:
        """A shift by n; more than 31 clears."""
        if kind == "lsl":
            return shl(value, n, 32) if n < 32 else 0
        if kind == "lsr":
            return shr(value, n)
        if kind == "ror":
            return ror(value, n & 31, 32)
        if kind == "asr":
            known = self.known(value, "an arithmetic shift")
            return ((known ^ 1 << 31) - (1 << 31)) >> min(n, 31) & M32
        raise ValueError(kind)

    def rotate_carry(self, value: Value) -> Value:
        """RRX: the carry comes in from the left."""
        return xor(shr(value, 1), shl(self.carry_value(), 31, 32))

    def shifted_out(self, kind: str, value: Value, n: int) -> Flags:
        """The carry of a shift: the last bit shifted out."""
        if n == 0:
            return self.carry
        if kind == "lsl":
            return ("bit", value, 0, 0, 32 - n) if n <= 32 else \
                ("bit", 0, 0, 0, 0)
        if kind == "ror":
            return ("bit", value, 0, 0, (n - 1) & 31)
        return ("bit", value, 0, 0, n - 1)

    # ---- flags ---------------------------------------------------------------

    def set_logic(self, result: Value, carry: Flags) -> None:
        """N and Z of a logical result, C from the shifter, V as it was."""
        self.result = ("logic", result, 0, 0, 0)
        self.carry = carry

    def set_arithmetic(self, kind: str, result: Value, a: Value, b: Value,
                       c: Value) -> None:
        """All flags of a sum (kind "add") or difference ("sub")."""
        self.result = self.carry = self.over = (kind, result, a, b, c)

    def carry_value(self) -> Value:
        """C, 0 or 1; after a difference 1 means no borrow."""
        kind, value, a, b, c = self.carry
        if kind == "bit":
            return field(value, c, 1)
        known = type(a) is int and type(b) is int and type(c) is int
        if kind == "add":
            if known:
                return a + b + c >> 32
            return sums.carry((a, b, c), 32)
        if kind == "sub" and type(c) is int:
            return 1 - self.borrow(a, b, 1 - c)
        raise Unsupported("the carry of %s" % kind)

    def condition(self, code: str) -> Callable[[], bool]:
        """The test of a condition code."""
        def value() -> Value:
            if self.result[0] == "unknown":
                raise Unsupported("a condition on undefined flags")
            result = self.result[1]
            if type(result) is Term and result is and_(self.link, 1):
                return int(self.thumb_caller)
            return result

        def zero() -> bool:
            return self.is_zero(value())

        def minus() -> bool:
            return self.is_negative(value(), 32)

        def carry() -> bool:
            return bool(self.known(self.carry_value(), "a condition"))

        def overflow() -> bool:
            kind, result, a, b, _ = self.over
            if kind not in ("add", "sub"):
                raise Unsupported("the overflow flag of %s" % kind)
            self.no_addresses(a, b)
            if type(result) is Lin:
                return False      # sign() has checked that it is small
            if kind == "add":
                return bool((a ^ result) & (b ^ result) & 1 << 31)
            return bool((a ^ b) & (a ^ result) & 1 << 31)
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

    # ---- addresses -----------------------------------------------------------

    def place(self, insn: Insn, ops: list[str]
              ) -> tuple[Callable[[], int], Callable[[], None], bool]:
        """The address of a memory operand, the write-back, and if it is first.

        ops is [base...] alone, or with "!", or followed by the post-index.
        """
        match = re.fullmatch(r"\[(.*)\](!?)", ops[0])
        if match is None:
            raise ValueError(ops[0])
        inner = split_operands(match.group(1))
        base, regs = REGISTERS[inner[0]], self.regs
        if base == PC:
            assert len(ops) == 1 and not match.group(2)
            fixed = (insn.address + (4 if insn.thumb else 8)) & ~3
            if len(inner) > 1:
                fixed += number(inner[1])
            return lambda: fixed, _nothing, False

        offset: Callable[[], Value] = _zero
        rest = inner[1:] if len(ops) == 1 else ops[1:]
        if rest and rest[0][0] == "#":
            step = number(rest[0]) & M32
            assert len(rest) == 1

            def offset() -> Value:
                return step
        elif rest:
            negative = rest[0][0] == "-"
            read, _ = self.flexible(insn, [rest[0].lstrip("-"), *rest[1:]])

            def offset() -> Value:
                at = read()
                return sums.multiply(at, -1, 32) if negative else at

        def start() -> int:
            at = regs[base]
            return at if type(at) is int else self.address(at)

        def moved() -> int:
            at, by = regs[base], offset()
            if type(at) is int and type(by) is int:
                return at + by & M32
            return self.address_of((at, 1), (by, 1))
        if match.group(2) or len(ops) > 1:
            assert len(inner) == 1 or len(ops) == 1
            write, post = self.writer(inner[0]), len(ops) > 1
            return (start if post else moved,
                    lambda: write(sums.add(regs[base], offset(), 32)),
                    not post)
        return moved, _nothing, False

    # ---- instructions --------------------------------------------------------

    def compile(self, insn: Insn) -> Step:
        name = re.sub(r"\.[nw]$", "", insn.name)
        if re.fullmatch(r"it[te]{0,3}", name):
            return _nothing
        if name[0] == "v" or name[:3] == "sha":
            from arm_vector import compile_vector
            found = _conditional(name.partition(".")[0], _is_vector_name)
            assert found is not None
            base, flags, code = found
            assert not flags
            suffix = name.partition(".")[2]
            step = compile_vector(self, insn, base, suffix)
        else:
            found = _conditional(name, _MAKERS.__contains__)
            if found is None:
                raise Unsupported("unknown instruction")
            base, flags, code = found
            step = _MAKERS[base](self, insn, base, flags,
                                 split_operands(insn.operands))
        if not code:
            return step
        test = self.condition(code)
        return lambda: step() if test() else None


def _nothing() -> None:
    """Nothing to do."""


def _zero() -> int:
    return 0


def _is_vector_name(name: str) -> bool:
    from arm_vector import NAMES
    return name in NAMES


def _conditional(name: str, known: Callable[[str], bool]
                 ) -> Optional[tuple[str, bool, str]]:
    """The name taken apart: base, whether it sets flags, condition."""
    for code in ("", *CONDITIONS):
        if not name.endswith(code):
            continue
        stem = name[:len(name) - len(code)] if code else name
        if known(stem):
            return stem, False, code
        if stem.endswith("s") and known(stem[:-1]) \
                and stem[:-1] in _SETS_FLAGS:
            return stem[:-1], True, code
    return None


Maker = Callable[[Arm, Insn, str, bool, list[str]], Step]
_MAKERS: dict[str, Maker] = {}
_SETS_FLAGS = {"mov", "mvn", "add", "adc", "sub", "sbc", "rsb", "and", "orr",
               "orn", "eor", "bic", "lsl", "lsr", "asr", "ror", "neg"}


def _makes(*names: str) -> Callable[[Maker], Maker]:
    def note(maker: Maker) -> Maker:
        for name in names:
            _MAKERS[name] = maker
        return maker
    return note


def _three(ops: list[str]) -> list[str]:
    """add r0, r1 is add r0, r0, r1; with a shift behind it stays so."""
    is_three = len(ops) > 2 and (ops[2][0] == "#" or ops[2] in REGISTERS)
    return ops if is_three else [ops[0], *ops]


@_makes("nop")
def _nop(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    return _nothing


@_makes("mov", "mvn")
def _mov(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    read, carry = m.flexible(insn, ops[1:])
    write, invert = m.writer(ops[0]), name == "mvn"
    if not flags:
        if invert:
            return lambda: write(not_(read(), 32))
        return lambda: write(read())

    def step() -> None:
        value, out = read(), carry()
        if invert:
            value = not_(value, 32)
        m.set_logic(value, out)
        write(value)
    return step


@_makes("movw", "movt")
def _movw(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    read, write = m.read_at(insn, ops[0]), m.writer(ops[0])
    value = number(ops[1])
    if name == "movw":
        return lambda: write(value)
    return lambda: write(xor(and_(read(), 0xffff), value << 16))


@_makes("and", "orr", "orn", "eor", "bic", "tst", "teq")
def _logic(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    keep = name not in ("tst", "teq")
    if keep:
        ops = _three(ops)
        write = m.writer(ops[0])
    else:
        ops = [ops[0], *ops]
    read_a = m.read_at(insn, ops[1])
    read_b, carry = m.flexible(insn, ops[2:])
    function = {"and": and_, "bic": and_, "tst": and_, "orr": or_,
                "orn": or_, "eor": xor, "teq": xor}[name]
    invert = name in ("bic", "orn")
    if keep and not flags and not invert:
        return lambda: write(function(read_a(), read_b()))

    def step() -> None:
        b = read_b()
        result = function(read_a(), not_(b, 32) if invert else b)
        if flags or not keep:
            m.set_logic(result, carry())
        if keep:
            write(result)
    return step


@_makes("add", "sub", "rsb", "cmp", "cmn", "neg", "addw", "subw")
def _add(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    keep = name not in ("cmp", "cmn")
    if name == "neg":
        name, ops = "rsb", [ops[0], ops[1], "#0"]
    if keep:
        ops = _three(ops)
        write = m.writer(ops[0])
    else:
        ops, flags = [ops[0], *ops], True
    name = {"addw": "add", "subw": "sub"}.get(name, name)
    read_a = m.read_at(insn, ops[1])
    if ops[1] == "pc" and ops[2][0] == "#":
        aligned = insn.address + (4 if insn.thumb else 8) & ~3

        def read_a() -> Value:
            return aligned
    read_b, _ = m.flexible(insn, ops[2:])
    if keep and not flags:
        function = {"add": sums.add, "sub": sums.sub,
                    "rsb": lambda a, b, w: sums.sub(b, a, w)}[name]
        return lambda: write(function(read_a(), read_b(), 32))

    def step() -> None:
        a, b = read_a(), read_b()
        if name == "rsb":
            a, b = b, a
        if name in ("add", "cmn"):
            result = sums.add(a, b, 32)
            m.set_arithmetic("add", result, a, b, 0)
        else:
            result = sums.sub(a, b, 32)
            m.set_arithmetic("sub", result, a, b, 1)
        if keep:
            write(result)
    return step


@_makes("adc", "sbc")
def _adc(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    ops = _three(ops)
    write, read_a = m.writer(ops[0]), m.read_at(insn, ops[1])
    read_b, _ = m.flexible(insn, ops[2:])

    def step() -> None:
        a, b, c = read_a(), read_b(), m.carry_value()
        if name == "adc":
            result = sums.add(sums.add(a, b, 32), c, 32)
        else:
            # a - b - (1 - c)
            result = sums.add(sums.sub(sums.sub(a, b, 32), 1, 32), c, 32)
        if flags:
            m.set_arithmetic("add" if name == "adc" else "sub", result, a, b,
                             c)
        write(result)
    return step


@_makes("lsl", "lsr", "asr", "ror")
def _shift(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    if len(ops) == 2:
        ops = [ops[0], *ops]
    write, read = m.writer(ops[0]), m.read_at(insn, ops[1])
    if ops[2][0] == "#":
        n = number(ops[2])

        def count() -> int:
            return n
    else:
        amount = m.read_at(insn, ops[2])

        def count() -> int:
            return m.known(amount(), "a shift count") & 255

    def step() -> None:
        a, k = read(), count()
        result = m.shift(name, a, k)
        if flags:
            m.set_logic(result, m.shifted_out(name, a, k))
        write(result)
    return step


@_makes("rrx")
def _rrx(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    read, write = m.read_at(insn, ops[1]), m.writer(ops[0])
    return lambda: write(m.rotate_carry(read()))


@_makes("rev", "rev16")
def _rev(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    read, write = m.read_at(insn, ops[1]), m.writer(ops[0])
    if name == "rev":
        return lambda: write(bswap(read(), 32))

    def step() -> None:
        a = read()
        write(concat([bswap(field(a, at, 16), 16) for at in (0, 16)], 16))
    return step


@_makes("clz", "rbit")
def _places(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]
            ) -> Step:
    """Of known numbers."""
    read, write = m.read_at(insn, ops[1]), m.writer(ops[0])

    def step() -> None:
        a = m.known(read(), "a bit number")
        write(32 - a.bit_length() if name == "clz"
              else int(format(a, "032b")[::-1], 2))
    return step


@_makes("uxtb", "uxth")
def _extend(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]
            ) -> Step:
    assert len(ops) in (2, 3)
    read, _ = m.flexible(insn, ops[1:])
    write, mask = m.writer(ops[0]), 255 if name == "uxtb" else 65535
    return lambda: write(and_(read(), mask))


@_makes("uxtb16")
def _extend16(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]
              ) -> Step:
    read, _ = m.flexible(insn, ops[1:])
    write = m.writer(ops[0])
    return lambda: write(and_(read(), 0x00ff00ff))


@_makes("ubfx", "bfi", "bfc")
def _bit_field(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]
               ) -> Step:
    write, old = m.writer(ops[0]), m.read_at(insn, ops[0])
    low, size = number(ops[-2]), number(ops[-1])
    mask = (1 << size) - 1
    keep = M32 ^ mask << low
    if name == "bfc":
        return lambda: write(and_(old(), keep))
    read = m.read_at(insn, ops[1])
    if name == "ubfx":
        return lambda: write(field(read(), low, size))
    return lambda: write(xor(and_(old(), keep),
                             shl(and_(read(), mask), low, 32)))


@_makes("pkhbt", "pkhtb")
def _pack(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    write, read_a = m.writer(ops[0]), m.read_at(insn, ops[1])
    read_b, _ = m.flexible(insn, ops[2:])
    low = 0xffff
    if name == "pkhbt":
        return lambda: write(xor(and_(read_a(), low),
                                 and_(read_b(), low << 16)))
    return lambda: write(xor(and_(read_a(), low << 16), and_(read_b(), low)))


# ---- loads and stores --------------------------------------------------------

_SIZES = {"ldr": 4, "str": 4, "ldrb": 1, "strb": 1, "ldrh": 2, "strh": 2}


@_makes("ldr", "ldrb", "ldrh")
def _ldr(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    size, write, load = _SIZES[name], m.writer(ops[0]), m.memory.load
    place, after, _ = m.place(insn, ops[1:])
    if after is _nothing:
        return lambda: write(load(place(), size))

    def step() -> Optional[int]:
        value = load(place(), size)
        after()
        return write(value)
    return step


@_makes("str", "strb", "strh")
def _str(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    size, read, store = _SIZES[name], m.read_at(insn, ops[0]), m.memory.store
    mask = (1 << 8 * size) - 1
    place, after, first = m.place(insn, ops[1:])

    def step() -> None:
        at, value = place(), read()
        if first:
            after()
        store(at, size, and_(value, mask))
        if not first:
            after()
    return step


@_makes("ldrd", "strd")
def _double(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]
            ) -> Step:
    if ops[1][0] == "[":
        # A32 prints only the first of the two registers
        ops = [ops[0], "r%d" % (REGISTERS[ops[0]] + 1), *ops[1:]]
    place, after, first = m.place(insn, ops[2:])
    if name == "ldrd":
        write_a, write_b = m.writer(ops[0]), m.writer(ops[1])

        def step() -> None:
            at = m.aligned(place(), 4)
            a, b = m.memory.load(at, 4), m.memory.load(at + 4, 4)
            after()
            write_a(a)
            write_b(b)
        return step
    read_a, read_b = m.read_at(insn, ops[0]), m.read_at(insn, ops[1])

    def put() -> None:
        at, a, b = m.aligned(place(), 4), read_a(), read_b()
        if first:
            after()
        m.memory.store(at, 4, a)
        m.memory.store(at + 4, 4, b)
        if not first:
            after()
    return put


@_makes("ldm", "ldmia", "ldmfd", "ldmdb", "ldmib", "ldmda", "pop", "stm",
        "stmia", "stmdb", "stmfd", "stmib", "push")
def _multiple(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]
              ) -> Step:
    load = name[:2] == "ld" or name == "pop"
    if name in ("push", "pop"):
        name = "stmdb" if name == "push" else "ldmia"
        ops = ["sp!", *ops]
    order = {"": "ia", "fd": "ia" if load else "db"}.get(name[3:], name[3:])
    back = ops[0].endswith("!")
    base = ops[0].rstrip("!")
    numbers = register_list(ops[1])
    assert numbers == sorted(set(numbers))
    size, n_base, regs = 4 * len(numbers), REGISTERS[base], m.regs
    assert not back or n_base not in numbers
    start = {"ia": 0, "ib": 4, "db": -size, "da": 4 - size}[order]
    change = size if order[0] == "i" else -size
    write_base = m.writer(base) if back else None
    names = {value: key for key, value in REGISTERS.items()}
    writes = [m.writer(names[n]) for n in numbers] if load else []

    def step() -> Optional[int]:
        at = m.address(regs[n_base])
        first = m.aligned(at + start, 4)
        if load:
            values = [m.memory.load(first + 4 * i, 4)
                      for i in range(len(numbers))]
            if write_base is not None:
                write_base(sums.add(regs[n_base], change & M32, 32))
            target = None
            for write, value in zip(writes, values):
                target = write(value)
            return target
        values = [regs[n] for n in numbers]
        if write_base is not None:
            write_base(sums.add(regs[n_base], change & M32, 32))
        for i, value in enumerate(values):
            m.memory.store(first + 4 * i, 4, value)
        return None
    return step


# ---- control -----------------------------------------------------------------

@_makes("b")
def _b(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    to = int(ops[0].split()[0], 16)
    return lambda: to


@_makes("bl")
def _bl(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    to = int(ops[0].split()[0], 16)
    link = insn.address + 4 | int(insn.thumb)

    def step() -> int:
        m.regs[LR] = link
        return to
    return step


@_makes("bx")
def _bx(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    read = m.read_at(insn, ops[0])
    return lambda: m.jump(read())


@_makes("cbz", "cbnz")
def _cbz(m: Arm, insn: Insn, name: str, flags: bool, ops: list[str]) -> Step:
    read, to = m.read_at(insn, ops[0]), int(ops[1].split()[0], 16)
    zero = name == "cbz"
    return lambda: to if m.is_zero(read()) == zero else None
