# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""32-bit ARM vector instructions: Advanced SIMD, VFP moves, SHA extensions.

The register file is 64 words of 32 bits: s0 to s31, and as pairs d0 to d31, and
as fours q0 to q15.
"""
from __future__ import annotations

import re
from typing import Callable, Optional

import sha_insns
import sums
from arm import REGISTERS, Arm, number
from loader import Insn, split_operands
from machine import M32, Lanes, Step, elements, extract, join, lanewise
from terms import (Unsupported, Value, and_, bswap, not_, or_, rol, shl, shr,
                   xor)

Read = Callable[[], Lanes]
Write = Callable[[Lanes], None]
_FILES = {"s": 1, "d": 2, "q": 4}


class Vector:
    """s3, d3, q3, d3[1], d3[]: first word, count of words, lane or None."""

    def __init__(self, text: str) -> None:
        match = re.fullmatch(r"([sdq])(\d+)(\[(\d*)\])?", text)
        if match is None:
            raise ValueError("operand " + text)
        self.count = _FILES[match.group(1)]
        self.first = int(match.group(2)) * self.count
        self.index: Optional[int] = None
        self.all_lanes = match.group(3) == "[]"
        if match.group(4):
            self.index = int(match.group(4))


def reader(m: Arm, op: Vector) -> Read:
    """The words of a register."""
    first, end, words = op.first, op.first + op.count, m.words
    assert op.index is None and not op.all_lanes
    return lambda: tuple(words[first:end])


def writer(m: Arm, op: Vector) -> Write:
    """Stores the words of a register."""
    first, end, words = op.first, op.first + op.count, m.words
    assert op.index is None and not op.all_lanes

    def write(lanes: Lanes) -> None:
        words[first:end] = lanes
    return write


def vector_list(text: str) -> list[Vector]:
    """{d0-d3}, {d0, d1}, {d0[1]}, {d0[]}."""
    found = []
    for part in split_operands(text.strip("{}")):
        first, _, last = part.partition("-")
        if last:
            start = re.fullmatch(r"([sdq])(\d+)(\[\])?", first)
            end = re.fullmatch(r"[sdq](\d+)(?:\[\])?", last)
            found += [Vector("%s%d%s" % (start.group(1), n,
                                         start.group(3) or ""))
                      for n in range(int(start.group(2)),
                                     int(end.group(1)) + 1)]
        else:
            found.append(Vector(first))
    return found


def _width(suffix: str) -> int:
    """The element width of a type: i32, u64, 8."""
    match = re.fullmatch(r"[iusf]?(8|16|32|64)", suffix)
    if match is None:
        raise ValueError("type " + suffix)
    return int(match.group(1))


def _bsl(d: Value, n: Value, m_: Value) -> Value:
    return xor(m_, and_(d, xor(n, m_)))


_LOGIC: dict[str, Callable[..., Lanes]] = {
    "veor": lanewise(xor, 32), "vand": lanewise(and_, 32),
    "vorr": lanewise(or_, 32),
    "vbic": lanewise(lambda a, b: and_(a, not_(b, 32)), 32),
    "vorn": lanewise(lambda a, b: or_(a, not_(b, 32)), 32),
}
_SELECT: dict[str, Callable[..., Lanes]] = {
    "vbsl": lanewise(_bsl, 32),
    "vbit": lanewise(lambda d, n, m: _bsl(m, n, d), 32),
    "vbif": lanewise(lambda d, n, m: _bsl(m, d, n), 32),
}
_ARITHMETIC: dict[str, Callable[[int], Callable[..., Lanes]]] = {
    "vadd": lambda w: lanewise(lambda a, b: sums.add(a, b, w), w),
    "vsub": lambda w: lanewise(lambda a, b: sums.sub(a, b, w), w),
}

Maker = Callable[[Arm, Insn, str, str, list[str]], Step]


def _three(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    """Three registers; two mean that the first is also a source."""
    if len(ops) == 2:
        ops = [ops[0], *ops]
    if ops[2][0] == "#":
        return _logic_immediate(m, name, suffix, ops)
    vectors = [Vector(op) for op in ops]
    assert len(vectors) == 3 and vectors[0].count > 1
    assert len({v.count for v in vectors}) == 1
    reads, write = [reader(m, v) for v in vectors], writer(m, vectors[0])
    if name in _SELECT:
        choose = _SELECT[name]
        return lambda: write(choose(*[read() for read in reads]))
    function = _LOGIC.get(name)
    if function is None:
        assert suffix[0] in "i"
        function = _ARITHMETIC[name](_width(suffix))
    return lambda: write(function(reads[1](), reads[2]()))


def _logic_immediate(m: Arm, name: str, suffix: str, ops: list[str]) -> Step:
    """vorr.i32 q0, #1 and vbic.i32."""
    d = Vector(ops[0])
    assert suffix == "i32" and name in ("vorr", "vbic")
    value = number(ops[2]) & M32
    read, write = reader(m, d), writer(m, d)
    function = _LOGIC[name]
    constant = (value,) * d.count
    return lambda: write(function(read(), constant))


def _two(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    """vmvn and vrev."""
    d, source = Vector(ops[0]), Vector(ops[1])
    assert d.count == source.count and d.count > 1
    read, write = reader(m, source), writer(m, d)
    if name == "vmvn":
        invert = lanewise(lambda a: not_(a, 32), 32)
        return lambda: write(invert(read()))
    group, width = int(name[4:]), _width(suffix)
    if group == 32 and width == 8:
        swap = lanewise(lambda a: bswap(a, 32), 32)
        return lambda: write(swap(read()))
    per = group // width

    def step() -> None:
        parts = elements(read(), width)
        out: list[Value] = []
        for i in range(0, len(parts), per):
            out += parts[i:i + per][::-1]
        write(join(out, width))
    return step


def _shift(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    """Shifts by an immediate, and vshl by a register."""
    if len(ops) == 2:
        ops = [ops[0], *ops]
    if ops[2][0] != "#":
        return _shift_lanes(m, name, suffix, ops)
    d, source, n = Vector(ops[0]), Vector(ops[1]), number(ops[2])
    width = _width(suffix)
    assert d.count == source.count and d.count > 1
    full, keep = (1 << width) - 1, (1 << n) - 1
    if name in ("vshr", "vsra"):
        assert suffix[0] == "u" and 0 < n <= width
    reads, write = (reader(m, d), reader(m, source)), writer(m, d)
    if name in ("vshl", "vshr"):
        one = lanewise(lambda a: shl(a, n, width) if name == "vshl"
                       else shr(a, n), width)
        return lambda: write(one(reads[1]()))
    two = {
        "vsli": lanewise(lambda x, a: xor(and_(x, keep), shl(a, n, width)),
                         width),
        "vsri": lanewise(lambda x, a: xor(and_(x, full ^ full >> n),
                                          shr(a, n)), width),
        "vsra": lanewise(lambda x, a: sums.add(x, shr(a, n), width), width),
    }[name]
    return lambda: write(two(reads[0](), reads[1]()))


def _shift_lanes(m: Arm, name: str, suffix: str, ops: list[str]) -> Step:
    """vshl.u32 by the low byte of each lane: to the left, or right if it is
    negative; known numbers."""
    d, source, by = [Vector(op) for op in ops]
    assert name == "vshl" and suffix == "u32"
    assert d.count == source.count == by.count > 1
    read, counts, write = reader(m, source), reader(m, by), writer(m, d)

    def one(a: Value, count: Value) -> Value:
        n = ((m.known(count, "a shift count") & 255) ^ 128) - 128
        if n >= 0:
            return shl(a, n, 32) if n < 32 else 0
        return shr(a, -n) if n > -32 else 0
    shift = lanewise(one, 32)
    return lambda: write(shift(read(), counts()))


def _ext(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    d, a, b = [Vector(op) for op in ops[:3]]
    n = number(ops[3]) * _width(suffix) // 8
    read_a, read_b, write = reader(m, a), reader(m, b), writer(m, d)
    assert a.count == b.count == d.count > 1 and n < 4 * d.count
    return lambda: write(extract(read_a(), read_b(), n))


def _permute(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]
             ) -> Step:
    """vswp, vzip, vuzp, vtrn: both operands change."""
    a, b = Vector(ops[0]), Vector(ops[1])
    assert a.count == b.count > 1
    read_a, read_b = reader(m, a), reader(m, b)
    write_a, write_b = writer(m, a), writer(m, b)
    width = _width(suffix) if suffix else 32

    def step() -> None:
        x, y = elements(read_a(), width), elements(read_b(), width)
        half = len(x) // 2
        if name == "vswp":
            p, q = y, x
        elif name == "vzip":
            both = [value for each in zip(x, y) for value in each]
            p, q = both[:2 * half], both[2 * half:]
        elif name == "vuzp":
            both = x + y
            p, q = both[0::2], both[1::2]
        else:
            p = [v for i in range(0, len(x), 2) for v in (x[i], y[i])]
            q = [v for i in range(0, len(x), 2) for v in (x[i + 1], y[i + 1])]
        write_a(join(p, width))
        write_b(join(q, width))
    return step


def _table(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    """vtbl.8: bytes chosen by known control bytes."""
    d, control = Vector(ops[0]), Vector(ops[2])
    assert suffix == "8" and d.count == control.count == 2
    reads = [reader(m, v) for v in vector_list(ops[1])]
    get, write = reader(m, control), writer(m, d)

    def step() -> None:
        table = [byte for read in reads for byte in elements(read(), 8)]
        out: list[Value] = []
        for byte in elements(get(), 8):
            at = m.known(byte, "a shuffle control")
            out.append(table[at] if at < len(table) else 0)
        write(join(out, 8))
    return step


# ---- moves -------------------------------------------------------------------

def _vmov(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    words = m.words
    if len(ops) == 3:                             # two core registers
        assert not suffix
        if ops[0] in REGISTERS:
            d = Vector(ops[2])
            write_a, write_b = m.writer(ops[0]), m.writer(ops[1])
            assert d.count == 2

            def out() -> None:
                write_a(words[d.first])
                write_b(words[d.first + 1])
            return out
        d = Vector(ops[0])
        read_a, read_b = m.read_at(insn, ops[1]), m.read_at(insn, ops[2])
        put = writer(m, d)
        assert d.count == 2
        return lambda: put((read_a(), read_b()))
    if ops[0] in REGISTERS:                       # vmov.32 r0, d0[1]
        write, at = m.writer(ops[0]), _scalar(ops[1], suffix)
        return lambda: write(words[at])
    if ops[1] in REGISTERS:                       # vmov.32 d0[1], r0
        read, at = m.read_at(insn, ops[1]), _scalar(ops[0], suffix)

        def insert() -> None:
            words[at] = read()
        return insert
    d = Vector(ops[0])
    write_d = writer(m, d)
    if ops[1][0] == "#":
        width, value = _width(suffix), number(ops[1])
        assert suffix[0] == "i"
        lanes = join([value & ((1 << width) - 1)] * (32 * d.count // width),
                     width)
        return lambda: write_d(lanes)
    source = Vector(ops[1])
    assert source.count == d.count
    read_s = reader(m, source)
    return lambda: write_d(read_s())


def _scalar(text: str, suffix: str) -> int:
    """The word of s3 or d3[1]."""
    op = Vector(text)
    if op.count == 1:
        assert not suffix
        return op.first
    assert op.count == 2 and op.index is not None and suffix == "32"
    return op.first + op.index


def _vdup(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    d = Vector(ops[0])
    write, count = writer(m, d), d.count
    assert suffix == "32"
    if ops[1] in REGISTERS:
        read = m.read_at(insn, ops[1])
        return lambda: write((read(),) * count)
    at = _scalar(ops[1], suffix)
    return lambda: write((m.words[at],) * count)


# ---- loads and stores --------------------------------------------------------

def _address(m: Arm, insn: Insn, ops: list[str], size: int
             ) -> tuple[Callable[[], int], Callable[[], None]]:
    """The operand of vld1: [r0], [r0 :128]!, [r0], r2; size is the whole."""
    match = re.fullmatch(r"\[(\w+)(?: ?:(\d+))?\](!?)", ops[0])
    if match is None:
        raise ValueError(ops[0])
    base, regs = REGISTERS[match.group(1)], m.regs
    align = int(match.group(2)) // 8 if match.group(2) else 1

    def place() -> int:
        return m.aligned(m.address(regs[base]), align)
    if match.group(3):
        write = m.writer(match.group(1))
        return place, lambda: write(sums.add(regs[base], size, 32))
    if len(ops) == 2:
        write, step = m.writer(match.group(1)), m.read_at(insn, ops[1])
        return place, lambda: write(sums.add(regs[base], step(), 32))
    return place, lambda: None


def _vld1(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    """vld1, vst1: whole registers, one lane, or one element to all lanes."""
    vectors, width = vector_list(ops[0]), _width(suffix)
    load = name == "vld1"
    if vectors[0].index is not None or vectors[0].all_lanes:
        return _element(m, insn, load, vectors, width, ops[1:])
    size = 8 * len(vectors)
    place, after = _address(m, insn, ops[1:], size)
    first, words = vectors[0].first, m.words
    assert [v.first for v in vectors] == \
        list(range(first, first + 2 * len(vectors), 2))
    end = first + 2 * len(vectors)

    def step() -> None:
        at = place()
        if load and width == 8 and m.memory.is_narrow(at):
            words[first:end] = join([m.memory.load(at + i, 1)
                                     for i in range(size)], 8)
        elif load:
            m.memory.check_element(at, width // 8)
            words[first:end] = m.load_lanes(at, size // 4)
        else:
            m.memory.check_element(at, width // 8)
            m.store_lanes(at, tuple(words[first:end]))
        after()
    return step


def _element(m: Arm, insn: Insn, load: bool, vectors: list[Vector],
             width: int, ops: list[str]) -> Step:
    size = width // 8
    place, after = _address(m, insn, ops, size)
    words = m.words

    def step() -> None:
        at = place()
        if vectors[0].all_lanes:
            assert load
            value = m.memory.load(at, size)
            for v in vectors:
                words[v.first:v.first + 2] = join([value] * (64 // width),
                                                  width)
        else:
            (v,) = vectors
            parts = elements(tuple(words[v.first:v.first + 2]), width)
            if load:
                parts[v.index] = m.memory.load(at, size)
                words[v.first:v.first + 2] = join(parts, width)
            else:
                m.memory.store(at, size, parts[v.index])
        after()
    return step


def _vldr(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]) -> Step:
    op = Vector(ops[0])
    place, after, _ = m.place(insn, ops[1:])
    first, end, words = op.first, op.first + op.count, m.words

    def step() -> None:
        at = m.aligned(place(), 4)
        if name == "vldr":
            words[first:end] = m.load_lanes(at, op.count)
        else:
            m.store_lanes(at, tuple(words[first:end]))
        after()
    return step


def _multiple(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]
              ) -> Step:
    """vldm, vstm, vpush, vpop."""
    if name in ("vpush", "vpop"):
        name = "vstmdb" if name == "vpush" else "vldmia"
        ops = ["sp!", *ops]
    vectors = vector_list(ops[1])
    first, words = vectors[0].first, m.words
    count = sum(v.count for v in vectors)
    base, back = ops[0].rstrip("!"), ops[0].endswith("!")
    n_base, down = REGISTERS[base], name.endswith("db")
    assert back or not down
    write = m.writer(base) if back else None
    change = (-4 * count if down else 4 * count) & M32

    def move() -> None:
        write(sums.add(m.regs[n_base], change, 32))

    def step() -> None:
        at = m.aligned(m.address(m.regs[n_base]), 4)
        start = at - 4 * count if down else at
        if name.startswith("vst"):
            if write is not None:
                move()
            m.store_lanes(start, tuple(words[first:first + count]))
        else:
            words[first:first + count] = m.load_lanes(start, count)
            if write is not None:
                move()
    return step


# ---- SHA ---------------------------------------------------------------------

def _sha(function: Callable[..., Lanes], count: int) -> Maker:
    """A SHA instruction on q registers; the destination is an argument."""
    def make(m: Arm, insn: Insn, name: str, suffix: str, ops: list[str]
             ) -> Step:
        vectors = [Vector(op) for op in ops]
        assert suffix == "32" and len(vectors) == count
        assert all(v.count == 4 for v in vectors)
        reads, write = [reader(m, v) for v in vectors], writer(m, vectors[0])
        return lambda: write(function(m, *[read() for read in reads]))
    return make


def _sha1(kind: str) -> Callable[..., Lanes]:
    return lambda m, abcd, e, w: sha_insns.arm_sha1_rounds(
        abcd, e[0], w, kind, m.computed.append)


_MAKERS: dict[str, Maker] = {
    **dict.fromkeys(["vadd", "vsub", *_LOGIC, *_SELECT], _three),
    **dict.fromkeys(["vmvn", "vrev16", "vrev32", "vrev64"], _two),
    **dict.fromkeys(["vshl", "vshr", "vsra", "vsli", "vsri"], _shift),
    **dict.fromkeys(["vswp", "vzip", "vuzp", "vtrn"], _permute),
    **dict.fromkeys(["vldm", "vldmia", "vldmdb", "vstm", "vstmia", "vstmdb",
                     "vpush", "vpop"], _multiple),
    "vext": _ext, "vtbl": _table, "vmov": _vmov, "vdup": _vdup,
    "vld1": _vld1, "vst1": _vld1, "vldr": _vldr, "vstr": _vldr,
    "sha1c": _sha(_sha1("c"), 3), "sha1p": _sha(_sha1("p"), 3),
    "sha1m": _sha(_sha1("m"), 3),
    "sha1h": _sha(lambda m, d, a: (rol(a[0], 30, 32), 0, 0, 0), 2),
    "sha1su0": _sha(lambda m, a, b, c: sha_insns.arm_sha1su0(a, b, c), 3),
    "sha1su1": _sha(lambda m, a, b: sha_insns.arm_sha1su1(a, b), 2),
    "sha256h": _sha(lambda m, d, n, w: sha_insns.arm_sha256h(
        d, n, w, False, m.computed.append), 3),
    "sha256h2": _sha(lambda m, d, n, w: sha_insns.arm_sha256h(
        n, d, w, True, m.computed.append), 3),
    "sha256su0": _sha(lambda m, a, b: sha_insns.arm_sha256su0(a, b), 2),
    "sha256su1": _sha(lambda m, a, b, c: sha_insns.arm_sha256su1(a, b, c), 3),
}
NAMES = frozenset(_MAKERS)


def compile_vector(m: Arm, insn: Insn, name: str, suffix: str) -> Step:
    """The step of a vector instruction."""
    maker = _MAKERS.get(name)
    if maker is None:
        raise Unsupported("unknown instruction")
    return maker(m, insn, name, suffix, split_operands(insn.operands))
