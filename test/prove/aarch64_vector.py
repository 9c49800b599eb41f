# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""AArch64 vector instructions: Advanced SIMD and the SHA extensions."""
from __future__ import annotations

import re
from typing import Callable, Sequence

import sha_insns
import sums
from aarch64 import AArch64, is_register, number, target
from loader import split_operands
from machine import Lanes, Step, elements, extract, join, lanewise
from terms import (Unsupported, Value, and_, bswap, not_, or_, rol, ror, shl,
                   shr, xor)

Read = Callable[[], Lanes]
Write = Callable[[Lanes], None]
ELEMENT = {"b": 8, "h": 16, "s": 32, "d": 64}
SCALAR = {"b": 8, "h": 16, "s": 32, "d": 64, "q": 128}


class Vector:
    """A vector operand: v3.4s, v3.s[1], q3, d3, s3.

    element  bits of an element; bits  of the whole; index of a lane or None
    """

    def __init__(self, text: str) -> None:
        match = re.fullmatch(r"v(\d+)\.(\d*)([bhsd])(?:\[(\d+)\])?", text)
        self.index = None
        if match:
            self.number = int(match.group(1))
            self.element = ELEMENT[match.group(3)]
            if match.group(4) is not None:
                self.index = int(match.group(4))
                self.bits = self.element
            else:
                self.bits = self.element * int(match.group(2))
            return
        match = re.fullmatch(r"([bhsdq])(\d+)", text)
        if match is None:
            raise ValueError("operand " + text)
        self.number = int(match.group(2))
        self.bits = self.element = SCALAR[match.group(1)]


def reader(m: AArch64, op: Vector) -> Read:
    """The lanes of an operand: as many as it has."""
    n, vectors = op.number, m.vectors
    assert op.index is None
    if op.bits == 128:
        return lambda: vectors[n]
    assert op.bits in (32, 64)
    count = op.bits // 32
    return lambda: vectors[n][:count]


def writer(m: AArch64, op: Vector) -> Write:
    """Stores the lanes of an operand; the rest of the register is cleared."""
    n, vectors = op.number, m.vectors
    assert op.index is None and op.bits in (32, 64, 128)
    rest = (0,) * (4 - op.bits // 32)

    def write(lanes: Lanes) -> None:
        vectors[n] = lanes + rest
    return write


def vector_list(text: str) -> list[Vector]:
    """{v0.4s-v3.4s}, {v0.4s, v1.4s}, {v0.s}[1]."""
    match = re.fullmatch(r"\{(.*)\}(\[\d+\])?", text)
    if match is None:
        raise ValueError(text)
    index = match.group(2) or ""
    span = re.fullmatch(r"v(\d+)\.(\w+)\s*-\s*v(\d+)\.(\w+)", match.group(1))
    if span:
        first, last = int(span.group(1)), int(span.group(3))
        count = (last - first) % 32 + 1
        names = ["v%d.%s" % ((first + i) % 32, span.group(2))
                 for i in range(count)]
    else:
        names = split_operands(match.group(1))
    return [Vector(name + index) for name in names]


# ---- functions of whole registers --------------------------------------------

def _bsl(d: Value, n: Value, m_: Value) -> Value:
    """bit select: d ? n : m."""
    return xor(m_, and_(d, xor(n, m_)))


def _table(width: int) -> dict[str, Callable[..., Lanes]]:
    """Three-operand instructions on elements of that width."""
    return {
        "add": lanewise(lambda a, b: sums.add(a, b, width), width),
        "sub": lanewise(lambda a, b: sums.sub(a, b, width), width),
    }


_ARITHMETIC = {width: _table(width) for width in (32, 64)}
_LOGIC: dict[str, Callable[..., Lanes]] = {
    "eor": lanewise(xor, 32), "and": lanewise(and_, 32),
    "orr": lanewise(or_, 32),
    "bic": lanewise(lambda a, b: and_(a, not_(b, 32)), 32),
    "orn": lanewise(lambda a, b: or_(a, not_(b, 32)), 32),
}
# destination, first source, second source -> destination
_SELECT: dict[str, Callable[..., Lanes]] = {
    "bsl": lanewise(_bsl, 32),
    "bit": lanewise(lambda d, n, m: _bsl(m, n, d), 32),
    "bif": lanewise(lambda d, n, m: _bsl(m, d, n), 32),
}


def _permute(name: str, a: list[Value], b: list[Value]) -> list[Value]:
    """zip, uzp and trn of element lists."""
    both, half, odd = a + b, len(a) // 2, int(name[3]) - 1
    if name[:3] == "zip":
        return [x for i in range(half)
                for x in (a[i + half * odd], b[i + half * odd])]
    if name[:3] == "uzp":
        return both[odd::2]
    return [x for i in range(0, len(a), 2) for x in (a[i + odd], b[i + odd])]


def compile_vector(m: AArch64, name: str, ops: list[str]) -> Step:
    """The step of a vector instruction."""
    if name in _MEMORY:
        return _MEMORY[name](m, name, ops)
    if name in _CRYPTO:
        return _CRYPTO[name](m, name, ops)
    if name == "mov" and ("[" in ops[0] + ops[1] or is_register(ops[0])):
        return _mov(m, name, ops)
    if name in _OTHERS:
        return _OTHERS[name](m, name, ops)
    vectors = [Vector(op) for op in ops if op[0] != "#"]
    numbers = [number(op) for op in ops[len(vectors):]]
    d = vectors[0]
    assert all(v.bits == d.bits and v.element == d.element for v in vectors)
    reads, write = [reader(m, v) for v in vectors], writer(m, d)
    width = d.element
    if len(vectors) == 3 and not numbers:
        if name in _SELECT:
            choose = _SELECT[name]
            return lambda: write(choose(*[read() for read in reads]))
        if name in _LOGIC:
            function = _LOGIC[name]
        elif re.fullmatch(r"(zip|uzp|trn)[12]", name):
            def function(a: Lanes, b: Lanes) -> Lanes:
                return join(_permute(name, elements(a, width),
                                     elements(b, width)), width)
        else:
            function = _ARITHMETIC[width][name]
        return lambda: write(function(reads[1](), reads[2]()))
    if len(vectors) == 3 and name == "ext":
        (n,) = numbers
        return lambda: write(extract(reads[1](), reads[2](), n))
    if len(vectors) == 2 and len(numbers) == 1:
        return _shift(name, numbers[0], width, reads, write)
    if len(vectors) == 2 and not numbers:
        if name in ("rev64", "rev32", "rev16"):
            return _rev(int(name[3:]), width, reads[1], write)
        if name == "mov":
            return lambda: write(reads[1]())
        if name in ("mvn", "not"):
            invert = lanewise(lambda a: not_(a, 32), 32)
            return lambda: write(invert(reads[1]()))
    raise Unsupported("unknown instruction")


def _shift(name: str, n: int, width: int, reads: Sequence[Read],
           write: Write) -> Step:
    full = (1 << width) - 1
    if name == "shl":
        one = lanewise(lambda a: shl(a, n, width), width)
        return lambda: write(one(reads[1]()))
    if name == "ushr":
        assert 0 < n <= width
        one = lanewise(lambda a: shr(a, n), width)
        return lambda: write(one(reads[1]()))
    two = {
        "sli": lanewise(lambda d, a: xor(and_(d, (1 << n) - 1),
                                         shl(a, n, width)), width),
        "sri": lanewise(lambda d, a: xor(and_(d, full ^ full >> n),
                                         shr(a, n)), width),
        "usra": lanewise(lambda d, a: sums.add(d, shr(a, n), width), width),
    }[name]
    return lambda: write(two(reads[0](), reads[1]()))


def _rev(group: int, width: int, read: Read, write: Write) -> Step:
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


# ---- moves -------------------------------------------------------------------

def _mov(m: AArch64, name: str, ops: list[str]) -> Step:
    """mov, ins, umov, dup, fmov in their element and scalar forms."""
    vectors = m.vectors
    if is_register(ops[0]):                       # umov w0, v0.s[1]
        source, put = Vector(ops[1]), m.writer(ops[0])
        n, at, width = source.number, source.index or 0, source.element
        assert (source.index is None) == (name == "fmov")
        return lambda: put(elements(vectors[n], width)[at])
    d = Vector(ops[0])
    if is_register(ops[1]):
        get = m.reader(ops[1])
        mask = (1 << d.element) - 1

        def value() -> Value:
            return and_(get(), mask)
    else:
        source = Vector(ops[1])
        if source.index is None:
            assert name in ("mov", "fmov") and d.index is None
            assert d.bits == source.bits
            read, write = reader(m, source), writer(m, d)
            return lambda: write(read())
        n, at, width = source.number, source.index, source.element
        assert width == d.element

        def value() -> Value:
            return elements(vectors[n], width)[at]
    if d.index is not None:                       # ins v0.s[1], ...
        n_d, at_d, width_d = d.number, d.index, d.element

        def insert() -> None:
            parts = elements(vectors[n_d], width_d)
            parts[at_d] = value()
            vectors[n_d] = join(parts, width_d)
        return insert
    write, count = writer(m, d), d.bits // d.element
    assert name == "dup" or count == 1            # dup v0.4s, ...; mov d0, ...
    if d.element < 32 and count == 1:
        raise Unsupported("a narrow scalar")
    return lambda: write(join([value()] * count, d.element))


def _movi(m: AArch64, name: str, ops: list[str]) -> Step:
    """movi: the same immediate in each element."""
    d = Vector(ops[0])
    value = number(ops[1])
    if len(ops) == 3:
        assert ops[2].startswith("lsl #")
        value <<= number(ops[2][4:])
    write, parts = writer(m, d), [value] * (d.bits // d.element)
    return lambda: write(join(parts, d.element))


def _tbl(m: AArch64, name: str, ops: list[str]) -> Step:
    """tbl: bytes chosen by known control bytes."""
    d, control = Vector(ops[0]), Vector(ops[2])
    sources = [Vector(op) for op in
               split_operands(ops[1].strip("{}"))]
    reads, get, write = [reader(m, v) for v in sources], \
        reader(m, control), writer(m, d)
    assert d.bits == control.bits and d.element == 8

    def step() -> None:
        table = [byte for read in reads for byte in elements(read(), 8)]
        out: list[Value] = []
        for byte in elements(get(), 8):
            at = m.known(byte, "a shuffle control")
            out.append(table[at] if at < len(table) else 0)
        write(join(out, 8))
    return step


def _three(function: Callable[..., Value], width: int
           ) -> Callable[[AArch64, str, list[str]], Step]:
    """eor3, bcax and the like: destination from the sources alone."""
    apply = lanewise(function, width)

    def make(m: AArch64, name: str, ops: list[str]) -> Step:
        vectors = [Vector(op) for op in ops]
        assert all(v.bits == 128 for v in vectors)
        reads, write = [reader(m, v) for v in vectors[1:]], \
            writer(m, vectors[0])
        return lambda: write(apply(*[read() for read in reads]))
    return make


def _xar(m: AArch64, name: str, ops: list[str]) -> Step:
    """xar: (n ^ m) >>> immediate on 64-bit elements."""
    d, a, b = [Vector(op) for op in ops[:3]]
    n = number(ops[3])
    read_a, read_b, write = reader(m, a), reader(m, b), writer(m, d)
    one = lanewise(lambda x, y: ror(xor(x, y), n, 64), 64)
    return lambda: write(one(read_a(), read_b()))


_OTHERS: dict[str, Callable[[AArch64, str, list[str]], Step]] = {
    "ins": _mov, "umov": _mov, "dup": _mov, "fmov": _mov, "movi": _movi,
    "tbl": _tbl, "xar": _xar,
    "eor3": _three(lambda a, b, c: xor(xor(a, b), c), 32),
    "bcax": _three(lambda a, b, c: xor(a, and_(b, not_(c, 32))), 32),
    "rax1": _three(lambda a, b: xor(a, rol(b, 1, 64)), 64),
}


# ---- loads and stores --------------------------------------------------------

def _load(m: AArch64, at: int, bits: int, element: int) -> Lanes:
    """bits / 32 lanes; as bytes where only bytes may be loaded."""
    if element == 8 and m.memory.is_narrow(at):
        return join([m.memory.load(at + i, 1) for i in range(bits // 8)], 8)
    m.memory.check_element(at, element // 8)
    return m.load_lanes(at, bits // 32)


def _ldr(m: AArch64, name: str, ops: list[str]) -> Step:
    """ldr, ldur, str, stur of a scalar register."""
    op = Vector(ops[0])
    bits = op.bits
    if ops[1][0] != "[":
        at, write = target(ops[1]), writer(m, op)
        return lambda: write(_load(m, at, bits, bits))
    place, after = m.place(ops[1:])
    first = ops[1].endswith("!")
    if name in ("ldr", "ldur"):
        write = writer(m, op)

        def step() -> None:
            lanes = _load(m, place(), bits, bits)
            after()
            write(lanes)
        return step
    read = reader(m, op)

    def put() -> None:
        at = place()
        if first:
            after()
        m.memory.check_element(at, bits // 8)
        m.store_lanes(at, read())
        if not first:
            after()
    return put


def _ldp(m: AArch64, name: str, ops: list[str]) -> Step:
    """ldp, stp of scalar registers."""
    pair_ = [Vector(op) for op in ops[:2]]
    bits = pair_[0].bits
    assert pair_[1].bits == bits
    place, after = m.place(ops[2:])
    first = ops[2].endswith("!")
    if name == "ldp":
        writes = [writer(m, v) for v in pair_]

        def step() -> None:
            at = place()
            lanes = [_load(m, at + i * bits // 8, bits, bits)
                     for i in range(2)]
            after()
            for write, value in zip(writes, lanes):
                write(value)
        return step
    reads = [reader(m, v) for v in pair_]

    def put() -> None:
        at = place()
        if first:
            after()
        for i, read in enumerate(reads):
            m.memory.check_element(at + i * bits // 8, bits // 8)
            m.store_lanes(at + i * bits // 8, read())
        if not first:
            after()
    return put


def _ld1(m: AArch64, name: str, ops: list[str]) -> Step:
    """ld1, st1: whole registers one after the other, or one element."""
    vectors = vector_list(ops[0])
    place, after = m.place(ops[1:])
    first = vectors[0]
    if first.index is not None:
        return _element(m, name, vectors, place, after)
    size = first.bits // 8
    if name == "ld1":
        writes = [writer(m, v) for v in vectors]

        def step() -> None:
            at = place()
            for i, write in enumerate(writes):
                write(_load(m, at + i * size, first.bits, first.element))
            after()
        return step
    reads = [reader(m, v) for v in vectors]

    def put() -> None:
        at = place()
        for i, read in enumerate(reads):
            m.memory.check_element(at + i * size, first.element // 8)
            m.store_lanes(at + i * size, read())
        after()
    return put


def _element(m: AArch64, name: str, vectors: list[Vector],
             place: Callable[[], int], after: Callable[[], None]) -> Step:
    """ld1, st1 {v0.s}[1]: one element of one register."""
    (op,) = vectors
    n, at, width = op.number, op.index, op.element

    def step() -> None:
        address = place()
        parts = elements(m.vectors[n], width)
        if name == "ld1":
            parts[at] = m.memory.load(address, width // 8)
            m.vectors[n] = join(parts, width)
        else:
            m.memory.store(address, width // 8, parts[at])
        after()
    return step


def _replicate(m: AArch64, name: str, ops: list[str]) -> Step:
    """ld1r to ld4r: one element to all lanes, for 1 to 4 registers."""
    vectors = vector_list(ops[0])
    place, after = m.place(ops[1:])
    assert len(vectors) == int(name[2])
    writes = [writer(m, v) for v in vectors]
    width, count = vectors[0].element, vectors[0].bits // vectors[0].element

    def step() -> None:
        at = place()
        for i, write in enumerate(writes):
            value = m.memory.load(at + i * width // 8, width // 8)
            write(join([value] * count, width))
        after()
    return step


def _interleaved(m: AArch64, name: str, ops: list[str]) -> Step:
    """ld2 to ld4, st2 to st4: structures, element i to register i."""
    vectors = vector_list(ops[0])
    place, after = m.place(ops[1:])
    per = int(name[2])
    assert len(vectors) == per and vectors[0].index is None
    width, size = vectors[0].element, vectors[0].element // 8
    count = vectors[0].bits // width
    if name[:2] == "ld":
        writes = [writer(m, v) for v in vectors]

        def step() -> None:
            at = place()
            values = [m.memory.load(at + i * size, size)
                      for i in range(per * count)]
            for i, write in enumerate(writes):
                write(join(values[i::per], width))
            after()
        return step
    reads = [reader(m, v) for v in vectors]

    def put() -> None:
        at = place()
        parts = [elements(read(), width) for read in reads]
        for i in range(per * count):
            m.memory.store(at + i * size, size, parts[i % per][i // per])
        after()
    return put


_MEMORY: dict[str, Callable[[AArch64, str, list[str]], Step]] = {
    "ldr": _ldr, "ldur": _ldr, "str": _ldr, "stur": _ldr, "ldp": _ldp,
    "stp": _ldp, "ld1": _ld1, "st1": _ld1, "ld1r": _replicate,
    "ld2r": _replicate, "ld3r": _replicate, "ld4r": _replicate,
    "ld2": _interleaved, "ld3": _interleaved, "ld4": _interleaved,
    "st2": _interleaved, "st3": _interleaved, "st4": _interleaved,
}


# ---- SHA ---------------------------------------------------------------------

def _crypto(forms: str, function: Callable[..., Lanes], old: bool
            ) -> Callable[[AArch64, str, list[str]], Step]:
    """A SHA instruction with operands of the given forms.

    old: the destination is the first argument.
    """
    def make(m: AArch64, name: str, ops: list[str]) -> Step:
        vectors = [Vector(op) for op in ops]
        shapes = {"Q": (128, 128), "S": (32, 32), "4": (128, 32),
                  "2": (128, 64)}
        assert [(v.bits, v.element) for v in vectors] == \
            [shapes[form] for form in forms]
        reads = [reader(m, v) for v in (vectors if old else vectors[1:])]
        write = writer(m, vectors[0])
        return lambda: write(function(m, *[read() for read in reads]))
    return make


def _by_64(function: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """A function of 64-bit elements on registers."""
    def apply(m: AArch64, *args: Lanes) -> Lanes:
        return join(function(*[tuple(elements(a, 64)) for a in args]), 64)
    return apply


def _sha1(kind: str) -> Callable[..., Lanes]:
    return lambda m, abcd, e, w: sha_insns.arm_sha1_rounds(
        abcd, e[0], w, kind, m.computed.append)


_CRYPTO: dict[str, Callable[[AArch64, str, list[str]], Step]] = {
    "sha1c": _crypto("QS4", _sha1("c"), True),
    "sha1p": _crypto("QS4", _sha1("p"), True),
    "sha1m": _crypto("QS4", _sha1("m"), True),
    "sha1h": _crypto("SS", lambda m, a: (rol(a[0], 30, 32),), False),
    "sha1su0": _crypto("444", lambda m, a, b, c:
                       sha_insns.arm_sha1su0(a, b, c), True),
    "sha1su1": _crypto("44", lambda m, a, b: sha_insns.arm_sha1su1(a, b),
                       True),
    "sha256h": _crypto("QQ4", lambda m, d, n, w: sha_insns.arm_sha256h(
        d, n, w, False, m.computed.append), True),
    "sha256h2": _crypto("QQ4", lambda m, d, n, w: sha_insns.arm_sha256h(
        n, d, w, True, m.computed.append), True),
    "sha256su0": _crypto("44", lambda m, a, b:
                         sha_insns.arm_sha256su0(a, b), True),
    "sha256su1": _crypto("444", lambda m, a, b, c:
                         sha_insns.arm_sha256su1(a, b, c), True),
    "sha512h": _crypto("QQ2", _by_64(sha_insns.arm_sha512h), True),
    "sha512h2": _crypto("QQ2", _by_64(sha_insns.arm_sha512h2), True),
    "sha512su0": _crypto("22", _by_64(sha_insns.arm_sha512su0), True),
    "sha512su1": _crypto("222", _by_64(sha_insns.arm_sha512su1), True),
}
