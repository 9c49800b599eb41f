# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""x86-64 and i386: integer instructions, flags and operands.

Vector instructions are in x86_vector.py. Instructions, operand forms and
prefixes that are not listed here make the proof fail.
"""
from __future__ import annotations

import re
from typing import Callable, Iterable, Optional

import sums
from linear import Lin
from loader import Insn, Program, split_operands
from memory import Memory
from machine import STOP, Machine, Step, Undefined, is_symbol
from terms import (Unsupported, Value, and_, bswap, field, not_, or_,
                   rol, ror, shl, shr, symbol, xor)

Read = Callable[[], Value]
Write = Callable[[Value], None]

_NAMES64 = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi")
REGISTERS: dict[str, tuple[int, int, int]] = {}   # name -> number, low, width
for _n, _name in enumerate(_NAMES64):
    REGISTERS[_name] = (_n, 0, 64)
    REGISTERS["e" + _name[1:]] = (_n, 0, 32)
    REGISTERS[_name[1:]] = (_n, 0, 16)
for _n, _name in enumerate(("al", "cl", "dl", "bl")):
    REGISTERS[_name] = (_n, 0, 8)
    REGISTERS[_name[0] + "h"] = (_n, 8, 8)
for _n, _name in enumerate(("spl", "bpl", "sil", "dil")):
    REGISTERS[_name] = (_n + 4, 0, 8)
for _n in range(8, 16):
    REGISTERS["r%d" % _n] = (_n, 0, 64)
    REGISTERS["r%dd" % _n] = (_n, 0, 32)
    REGISTERS["r%dw" % _n] = (_n, 0, 16)
    REGISTERS["r%db" % _n] = (_n, 0, 8)
SP = 4
SIZES = {"BYTE": 8, "WORD": 16, "DWORD": 32, "QWORD": 64, "XMMWORD": 128,
         "YMMWORD": 256, "ZMMWORD": 512}
_VECTORS = {"x": 128, "y": 256, "z": 512}
_ONLY_AVX512 = re.compile(r"\bzmm|\b[xy]mm(1[6-9]|[23]\d)\b")
_MEMORY = re.compile(r"(?:(\w+) (PTR|BCST) )?(?:[dsc]s:)?(?:\[(.*)\]|(0x[0-9a-f]+))$")
_IMMEDIATE = re.compile(r"0x[0-9a-f]+$|[0-9]+$")

# What flags describe: (kind, width, result, a, b, carry in)
Flags = tuple[str, int, Value, Value, Value, Value]


class Operand:
    """An operand in its text form, taken apart.

    kind is "reg", "vec", "imm" or "mem"; width in bits, 0 if not said. broadcast:
    the element of that width in memory is meant as often as fits.
    """

    def __init__(self, text: str, comment: str) -> None:
        self.text = text
        self.base: Optional[int] = None
        self.index: Optional[int] = None
        self.scale = 1
        self.value = 0           # immediate or displacement
        self.low = 0
        self.broadcast = False
        if text in REGISTERS:
            self.kind = "reg"
            self.number, self.low, self.width = REGISTERS[text]
        elif re.fullmatch(r"[xyz]mm\d+", text):
            self.kind = "vec"
            self.number = int(text[3:])
            self.width = _VECTORS[text[0]]
        elif _IMMEDIATE.match(text):
            self.kind = "imm"
            self.value = int(text, 0)
            self.width = 0
        else:
            match = _MEMORY.match(text)
            if match is None:
                raise ValueError("operand " + text)
            self.kind = "mem"
            self.width = SIZES[match.group(1)] if match.group(1) else 0
            self.broadcast = match.group(2) == "BCST"
            self._parse_address(match.group(3) or match.group(4), comment)

    def _parse_address(self, text: str, comment: str) -> None:
        for sign, part in re.findall(r"([+-]?)([^+-]+)", text):
            if part == "rip":
                # objdump has worked out the address
                self.value = int(comment.split()[0], 16)
                return
            if "*" in part:
                name, scale = part.split("*")
                self.scale = int(scale)
                if name not in ("eiz", "riz"):
                    self.index = REGISTERS[name][0]
            elif part in REGISTERS:
                self.base = REGISTERS[part][0]
                self.address_width = REGISTERS[part][2]
            else:
                value = int(part, 16)
                self.value += -value if sign == "-" else value


class X86(Machine):
    """The processor; bits is 64 or 32."""

    def __init__(self, program: Optional[Program], memory: Memory,
                 bits: int) -> None:
        self.bits = bits
        self.mask = (1 << bits) - 1
        self.low: list[tuple[Value, ...]] = []    # bits 0-127 of the vectors
        self.high: list[tuple[Value, ...]] = []   # bits 128-255
        # bits 256-511, and registers from 16 on, where the program uses them
        self.top: list[tuple[Value, ...]] = []
        self.avx512 = bits == 64 and program is not None and any(
            _ONLY_AVX512.search(insn.operands)
            for insn in program.insns.values())
        super().__init__(program, memory)

    def reset(self) -> None:
        super().reset()
        bits = self.bits
        self.flags: Flags = ("unknown", 0, 0, 0, 0, 0)    # Z, S, P
        self.carry: Flags = ("unknown", 0, 0, 0, 0, 0)    # C
        self.over: Flags = ("unknown", 0, 0, 0, 0, 0)     # O
        count = 16 if bits == 64 else 8
        names = [name if bits == 64 else "e" + name[1:] for name in _NAMES64] \
            + ["r%d" % n for n in range(8, 16)]
        self.regs[:] = [symbol(name, bits, "junk") for name in names[:count]]
        vectors = 32 if self.avx512 else count

        def junk(kind: str, low: int, high: int) -> list[tuple[Value, ...]]:
            return [tuple([symbol("%s%d.%d" % (kind, n, i), 32, "junk")
                           for i in range(low, high)]) for n in range(vectors)]
        self.low[:] = junk("xmm", 0, 4)
        self.high[:] = junk("ymm", 4, 8)
        self.top[:] = junk("zmm", 8, 16) if self.avx512 else []
        self.dirty = False            # upper halves in use, of registers 0-15

    def files(self) -> list[list]:
        return [self.regs, self.low, self.high, self.top]

    def modes(self) -> Value:
        return int(self.dirty)

    def set_modes(self, value: Value) -> None:
        self.dirty = bool(value)

    def registers(self) -> Iterable[Value]:
        yield from self.regs
        for part in (self.low, self.high, self.top):
            for lanes in part:
                yield from lanes
                for i in range(0, len(lanes), 2):
                    yield sums_pair(lanes[i], lanes[i + 1])

    # ---- operands ------------------------------------------------------------

    def operands(self, insn: Insn) -> list[Operand]:
        """The operands of an instruction."""
        return [Operand(text, insn.comment)
                for text in split_operands(insn.operands)]

    def place(self, op: Operand) -> Callable[[], int]:
        """The address of a memory operand."""
        assert op.kind == "mem"
        regs, mask, value = self.regs, self.mask, op.value
        base, index, scale = op.base, op.index, op.scale
        if base is None and index is None:
            return lambda: value
        assert base is None or op.address_width == self.bits
        if index is None:
            def simple() -> int:
                at = regs[base]
                if type(at) is int:
                    return at + value & mask
                return self.address_of((at, 1), (value, 1))
            return simple

        def full() -> int:
            at = regs[base] if base is not None else 0
            step = regs[index]
            if type(at) is int and type(step) is int:
                return at + step * scale + value & mask
            return self.address_of((at, 1), (step, scale), (value, 1))
        return full

    def reader(self, op: Operand, width: int = 0) -> Read:
        """The value of an integer operand."""
        regs = self.regs
        if op.kind == "reg":
            number, low, own = op.number, op.low, op.width
            assert width in (0, own)
            if own == self.bits:
                return lambda: regs[number]
            if low:
                return lambda: field(regs[number], low, own)
            return lambda: sums.low(regs[number], own)
        if op.kind == "imm":
            value = op.value & ((1 << width) - 1)
            assert width
            return lambda: value
        assert op.kind == "mem" and op.width in (8, 16, 32, 64)
        assert width in (0, op.width)
        place, size, load = self.place(op), op.width // 8, self.memory.load
        return lambda: load(place(), size)

    def writer(self, op: Operand) -> Write:
        """Stores into an integer operand."""
        regs = self.regs
        if op.kind == "reg":
            number, low, width = op.number, op.low, op.width
            if number == SP:
                assert width == self.bits

                def stack(value: Value) -> None:
                    self.set_stack(value)
                    regs[SP] = value
                return stack
            if width == self.bits or width == 32:
                def whole(value: Value) -> None:
                    regs[number] = value
                return whole
            keep = self.mask ^ ((1 << width) - 1 << low)
            bits = self.bits

            def part(value: Value) -> None:
                regs[number] = xor(and_(regs[number], keep),
                                   shl(value, low, bits))
            return part
        assert op.kind == "mem" and op.width in (8, 16, 32, 64)
        place, size, store = self.place(op), op.width // 8, self.memory.store
        return lambda value: store(place(), size, value)

    # ---- flags ---------------------------------------------------------------

    def set_flags(self, kind: str, width: int, result: Value, a: Value = 0,
                  b: Value = 0, c: Value = 0) -> None:
        """All flags now describe this operation."""
        self.flags = self.carry = self.over = (kind, width, result, a, b, c)

    def carry_value(self) -> Value:
        """The carry flag, 0 or 1."""
        kind, width, result, a, b, c = self.carry
        if kind == "logic":
            return 0
        if kind == "set":
            return a
        known = type(a) is int and type(b) is int and type(c) is int
        if kind == "add":
            if known:
                return a + b + c >> width
            return sums.carry((a, b, c), width)
        if kind == "sub":
            return self.borrow(a, b, c)
        if kind == "shl":
            return field(a, width - b, 1) if 0 < b <= width else 0
        if kind == "shr":
            return field(a, b - 1, 1)
        raise Unsupported("the carry of %s" % kind)

    def overflow(self) -> bool:
        """The overflow flag."""
        kind, width, result, a, b, c = self.over
        if kind == "logic":
            return False
        top = width - 1
        if kind == "sub":
            self.no_addresses(a, b)
        if type(result) is Lin:
            return False          # sign() has checked that it is small
        if kind in ("add", "sub") and type(result) is int \
                and type(a) is int and type(b) is int:
            if kind == "add":
                return bool((a ^ result) & (b ^ result) & 1 << top)
            return bool((a ^ b) & (a ^ result) & 1 << top)
        raise Unsupported("the overflow flag of %s" % kind)

    def zero(self) -> bool:
        """The zero flag."""
        kind, _, result, _, _, _ = self.flags
        if kind == "unknown":
            raise Unsupported("a condition on undefined flags")
        return self.is_zero(result)

    def sign(self) -> bool:
        """The sign flag."""
        kind, width, result, _, _, _ = self.flags
        if kind == "unknown":
            raise Unsupported("a condition on undefined flags")
        if kind == "zero":
            return False
        return self.is_negative(result, width)

    def below(self) -> bool:
        """The carry flag as a condition."""
        return bool(self.known(self.carry_value(), "a condition"))

    def condition(self, code: str) -> Callable[[], bool]:
        """The test of a condition code."""
        return {
            "e": self.zero, "ne": lambda: not self.zero(),
            "b": self.below, "ae": lambda: not self.below(),
            "be": lambda: self.below() or self.zero(),
            "a": lambda: not (self.below() or self.zero()),
            "s": self.sign, "ns": lambda: not self.sign(),
            "l": lambda: self.sign() != self.overflow(),
            "ge": lambda: self.sign() == self.overflow(),
            "le": lambda: self.zero() or self.sign() != self.overflow(),
            "g": lambda: not self.zero() and self.sign() == self.overflow(),
        }[code]

    # ---- instructions --------------------------------------------------------

    def compile(self, insn: Insn) -> Step:
        name = insn.name
        ops = self.operands(insn) if not _is_branch(name) else []
        maker = _MAKERS.get(name)
        if maker is not None:
            return maker(self, insn, ops)
        if name[0] == "j" and name != "jmp":
            test, target = self.condition(name[1:]), _target(insn)
            return lambda: target if test() else None
        if name.startswith("cmov"):
            test = self.condition(name[4:])
            read, write = self.reader(ops[1]), self.writer(ops[0])
            old = self.reader(ops[0])
            return lambda: write(read() if test() else old())
        if name.startswith("set"):
            test, write = self.condition(name[3:]), self.writer(ops[0])
            return lambda: write(int(test()))
        from x86_vector import compile_vector
        return compile_vector(self, insn, ops)


def sums_pair(low: Value, high: Value) -> Value:
    """low + 2^32 high."""
    return xor(low, shl(high, 32, 64))


def _is_branch(name: str) -> bool:
    return name[0] == "j" or name == "call"


def _target(insn: Insn) -> int:
    return int(insn.operands.split()[0], 16)


Maker = Callable[[X86, Insn, list[Operand]], Step]
_MAKERS: dict[str, Maker] = {}


def _makes(*names: str) -> Callable[[Maker], Maker]:
    def note(maker: Maker) -> Maker:
        for name in names:
            _MAKERS[name] = maker
        return maker
    return note


def _width(ops: list[Operand]) -> int:
    """The operand width of an instruction whose first operand decides."""
    assert ops[0].kind in ("reg", "mem") and ops[0].width in (8, 16, 32, 64)
    return ops[0].width


@_makes("nop", "endbr64", "endbr32", "cs nop", "data16 cs")
def _nop(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    return lambda: None


@_makes("mov", "movabs")
def _mov(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    read, write = m.reader(ops[1], _width(ops)), m.writer(ops[0])
    return lambda: write(read())


@_makes("movzx")
def _movzx(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    assert ops[1].width < _width(ops)
    read, write = m.reader(ops[1]), m.writer(ops[0])
    return lambda: write(read())


@_makes("movsx", "movsxd")
def _movsx(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    read, write = m.reader(ops[1]), m.writer(ops[0])
    own, full = ops[1].width, (1 << _width(ops)) - 1

    def step() -> None:
        value = m.known(read(), "a sign")
        write((value ^ 1 << (own - 1)) - (1 << (own - 1)) & full)
    return step


@_makes("movbe")
def _movbe(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width = _width(ops)
    read, write = m.reader(ops[1], width), m.writer(ops[0])
    return lambda: write(bswap(read(), width))


@_makes("lea")
def _lea(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    # Unlike an address, the result may be data: lea adds.
    op, write, regs, width = ops[1], m.writer(ops[0]), m.regs, _width(ops)
    assert op.kind == "mem" and width in (32, 64)
    assert op.base is None or op.address_width == m.bits
    value, base, index = op.value & m.mask, op.base, op.index
    scale, mask = op.scale, (1 << width) - 1

    def step() -> None:
        total: Value = value & mask
        if index is not None:
            part = sums.multiply(and_(regs[index], mask), scale, width)
            total = sums.add(part, total, width)
        if base is not None:
            total = sums.add(and_(regs[base], mask), total, width)
        write(total)
    return step


@_makes("add", "adc")
def _add(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width = _width(ops)
    read_a, read_b = m.reader(ops[0]), m.reader(ops[1], width)
    write, add = m.writer(ops[0]), sums.add
    if insn.name == "add":
        def step() -> None:
            a, b = read_a(), read_b()
            result = add(a, b, width)
            m.flags = m.carry = m.over = ("add", width, result, a, b, 0)
            write(result)
        return step

    def with_carry() -> None:
        a, b, c = read_a(), read_b(), m.carry_value()
        result = add(add(a, b, width), c, width)
        m.set_flags("add", width, result, a, b, c)
        write(result)
    return with_carry


@_makes("sub", "cmp", "sbb")
def _sub(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width = _width(ops)
    read_a, read_b = m.reader(ops[0]), m.reader(ops[1], width)
    keep, borrow = insn.name != "cmp", insn.name == "sbb"
    write = m.writer(ops[0]) if keep else None

    def step() -> None:
        a, b = read_a(), read_b()
        c = m.carry_value() if borrow else 0
        result = sums.sub(sums.sub(a, b, width), c, width)
        m.set_flags("sub", width, result, a, b, c)
        if write is not None:
            write(result)
    return step


@_makes("inc", "dec")
def _inc(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[0]), m.writer(ops[0])
    up = insn.name == "inc"

    def step() -> None:
        a = read()
        result = (sums.add if up else sums.sub)(a, 1, width)
        m.flags = m.over = ("add" if up else "sub", width, result, a, 1, 0)
        write(result)
    return step


@_makes("neg")
def _neg(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[0]), m.writer(ops[0])

    def step() -> None:
        a = read()
        result = sums.sub(0, a, width)
        m.set_flags("sub", width, result, 0, a)
        write(result)
    return step


@_makes("not")
def _not(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[0]), m.writer(ops[0])
    return lambda: write(not_(read(), width))


@_makes("and", "or", "xor", "test")
def _logic(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width = _width(ops)
    read_a, read_b = m.reader(ops[0]), m.reader(ops[1], width)
    function = {"and": and_, "test": and_, "or": or_, "xor": xor}[insn.name]
    if insn.name == "test":
        def test() -> None:
            m.set_flags("logic", width, and_(read_a(), read_b()))
        return test
    write = m.writer(ops[0])

    def step() -> None:
        result = function(read_a(), read_b())
        m.flags = m.carry = m.over = ("logic", width, result, 0, 0, 0)
        write(result)
    return step


@_makes("andn")
def _andn(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width = _width(ops)
    read_a, read_b = m.reader(ops[1]), m.reader(ops[2])
    write = m.writer(ops[0])

    def step() -> None:
        b = read_b()
        result = xor(b, and_(read_a(), b))
        m.set_flags("logic", width, result)
        write(result)
    return step


def _count(m: X86, ops: list[Operand], width: int) -> Callable[[], int]:
    """The count of a shift or rotate: immediate, cl, or 1 if left out."""
    limit = 63 if width == 64 else 31
    if len(ops) == 1:
        return lambda: 1
    if ops[-1].kind == "imm":
        value = ops[-1].value & limit
        return lambda: value
    assert ops[-1].text == "cl"
    read = m.reader(ops[-1])
    return lambda: m.known(read(), "a shift count") & limit


@_makes("shl", "shr", "sar")
def _shift(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, name = _width(ops), insn.name
    read, write = m.reader(ops[0]), m.writer(ops[0])
    count, full = _count(m, ops, width), (1 << width) - 1

    def step() -> None:
        a, n = read(), count()
        if n == 0:
            write(a)
            return
        assert n < width
        if name == "shl":
            result = shl(a, n, width)
        elif name == "shr":
            result = shr(a, n)
        else:
            value = m.known(a, "an arithmetic shift")
            value = (value ^ 1 << (width - 1)) - (1 << (width - 1))
            result = value >> n & full
        m.set_flags("shr" if name == "sar" else name, width, result, a, n)
        m.over = ("unknown", 0, 0, 0, 0, 0)
        write(result)
    return step


@_makes("rol", "ror")
def _rotate(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[0]), m.writer(ops[0])
    count, function = _count(m, ops, width), rol if insn.name == "rol" else ror

    def step() -> None:
        n = count()
        result = function(read(), n, width)
        if n:
            at = 0 if function is rol else width - 1
            m.carry = ("set", width, 0, field(result, at, 1), 0, 0)
            m.over = ("unknown", 0, 0, 0, 0, 0)
        write(result)
    return step


@_makes("rorx", "shlx", "shrx")
def _without_flags(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[1]), m.writer(ops[0])
    if insn.name == "rorx":
        assert ops[2].kind == "imm"
        n = ops[2].value & (width - 1)
        return lambda: write(ror(read(), n, width))
    amount = m.reader(ops[2])

    def step() -> None:
        k = m.known(amount(), "a shift count") & (width - 1)
        write(shl(read(), k, width) if insn.name == "shlx"
              else shr(read(), k))
    return step


@_makes("shld", "shrd")
def _double_shift(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, write = _width(ops), m.writer(ops[0])
    read_a, read_b = m.reader(ops[0]), m.reader(ops[1])
    count, left = _count(m, ops, width), insn.name == "shld"

    def step() -> None:
        a, b, n = read_a(), read_b(), count()
        if n == 0:
            write(a)
            return
        assert n < width
        if left:
            result = xor(shl(a, n, width), shr(b, width - n))
        else:
            result = xor(shr(a, n), shl(b, width - n, width))
        m.set_flags("shl" if left else "shr", width, result, a, n)
        m.over = ("unknown", 0, 0, 0, 0, 0)
        write(result)
    return step


@_makes("bswap")
def _bswap(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[0]), m.writer(ops[0])
    assert width in (32, 64)
    return lambda: write(bswap(read(), width))


@_makes("bsf", "bsr", "tzcnt", "lzcnt", "popcnt")
def _scan(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[1]), m.writer(ops[0])
    name = insn.name

    def step() -> None:
        a = m.known(read(), "a bit number")
        lowest = (a & -a).bit_length() - 1 if a else width
        m.set_flags("unknown", width, 0)
        if name in ("bsf", "bsr"):
            if a == 0:
                raise Undefined("%s of 0" % name)
            write(lowest if name == "bsf" else a.bit_length() - 1)
        else:
            write({"tzcnt": lowest, "lzcnt": width - a.bit_length(),
                   "popcnt": bin(a).count("1")}[name])
    return step


@_makes("bt", "btr", "bts", "btc")
def _bit(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, name = _width(ops), m.reader(ops[0]), insn.name
    assert ops[0].kind == "reg"
    number, write = m.reader(ops[1], width), m.writer(ops[0])

    def step() -> None:
        a = read()
        k = m.known(number(), "a bit number") % width
        m.carry = ("set", width, 0, field(a, k, 1), 0, 0)
        m.over = ("unknown", 0, 0, 0, 0, 0)
        rest = and_(a, ((1 << width) - 1) ^ 1 << k)
        if name == "btr":
            write(rest)
        elif name == "bts":
            write(xor(rest, 1 << k))
        elif name == "btc":
            write(xor(a, 1 << k))
    return step


@_makes("blsr", "blsi")
def _lowest(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    width, read, write = _width(ops), m.reader(ops[1]), m.writer(ops[0])
    clear = insn.name == "blsr"

    def step() -> None:
        a = m.known(read(), "a lowest bit")
        result = a & (a - 1) if clear else a & -a
        m.set_flags("logic", width, result)
        m.carry = ("set", width, 0, int(a == 0) if clear else int(a != 0),
                   0, 0)
        write(result)
    return step


@_makes("imul")
def _imul(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    assert len(ops) in (2, 3)
    width, write = _width(ops), m.writer(ops[0])
    read_a, read_b = m.reader(ops[-2], width), m.reader(ops[-1], width)

    def step() -> None:
        product = m.known(read_a(), "a factor") * m.known(read_b(),
                                                           "a factor")
        m.set_flags("unknown", width, 0)
        write(product & ((1 << width) - 1))
    return step


@_makes("xchg")
def _xchg(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    assert _width(ops) == ops[1].width
    read_a, read_b = m.reader(ops[0]), m.reader(ops[1])
    write_a, write_b = m.writer(ops[0]), m.writer(ops[1])

    def step() -> None:
        a, b = read_a(), read_b()
        write_a(b)
        write_b(a)
    return step


@_makes("push")
def _push(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    read, size, regs = m.reader(ops[0], m.bits), m.bits // 8, m.regs

    def step() -> None:
        value = read()
        at = m.address(regs[SP]) - size
        m.set_stack(at)
        regs[SP] = at
        m.memory.store(at, size, value)
    return step


@_makes("pop")
def _pop(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    assert ops[0].kind == "reg" and _width(ops) == m.bits
    write, size, regs = m.writer(ops[0]), m.bits // 8, m.regs

    def step() -> None:
        at = m.address(regs[SP])
        value = m.memory.load(at, size)
        regs[SP] = at + size
        m.set_stack(at + size)
        write(value)
    return step


@_makes("call")
def _call(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    target, back, size = _target(insn), insn.address + insn.size, m.bits // 8

    def step() -> int:
        at = m.address(m.regs[SP]) - size
        m.set_stack(at)
        m.regs[SP] = at
        m.memory.store(at, size, back)
        return target
    return step


@_makes("jmp")
def _jmp(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    target = _target(insn)
    return lambda: target


@_makes("ret")
def _ret(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    assert not ops
    size = m.bits // 8

    def step() -> int:
        at = m.address(m.regs[SP])
        value = m.memory.load(at, size)
        m.set_stack(at + size)
        m.regs[SP] = at + size
        if is_symbol(value, "return"):
            return STOP
        return m.known(value, "a return address")
    return step


@_makes("leave")
def _leave(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    size = m.bits // 8

    def step() -> None:
        at = m.address(m.regs[5])
        value = m.memory.load(at, size)
        m.set_stack(at + size)
        m.regs[SP] = at + size
        m.regs[5] = value
    return step
