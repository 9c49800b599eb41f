# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""x86 vector instructions: SSE2 to SSE4.1, AVX, AVX2, SHA, AVX-512.

A register is two tuples of four 32-bit lanes, the low and the high 128 bits, and
with AVX-512 a third of eight, the top 256 bits. Nearly every instruction works
on each 128 bits alone; a function of 128-bit registers is thus enough for xmm,
ymm and zmm forms, legacy, VEX and EVEX. Masks are not known here.
"""
from __future__ import annotations

from typing import Callable

import sha_insns
import sums
from loader import Insn
from machine import M32, Lanes, Step, elements, halves, join, lanewise, pair
from memory import Refuted
from terms import (Unsupported, Value, and_, concat, or_, rol, ror, shl, shr,
                   xor)
from x86 import Operand, X86

ZERO: Lanes = (0, 0, 0, 0)
Function = Callable[..., Lanes]


def _add(width: int) -> Function:
    return lanewise(lambda a, b: sums.add(a, b, width), width)


def _andn(a: Value, b: Value) -> Value:
    """~a & b = b ^ (a & b)."""
    return xor(b, and_(a, b))


def _equal(a: Lanes, b: Lanes) -> Lanes:
    """pcmpeqd, for a register with itself and for known values."""
    out = []
    for x, y in zip(a, b):
        if x is y or (type(x) is int and type(y) is int):
            out.append(0xffffffff if x == y else 0)
        else:
            raise Unsupported("a comparison of data")
    return tuple(out)


def _pshufb(a: Lanes, control: Lanes) -> Lanes:
    """Bytes of a chosen by known control bytes."""
    source = elements(a, 8)
    out: list[Value] = []
    for lane in control:
        if type(lane) is not int:
            raise Refuted("a shuffle control depends on data")
        for at in (0, 8, 16, 24):
            byte = lane >> at & 255
            out.append(0 if byte & 128 else source[byte & 15])
    return join(out, 8)


def _unpack(width: int, high: bool) -> Function:
    """Interleaves the low or high halves."""
    def function(a: Lanes, b: Lanes) -> Lanes:
        x, y = elements(a, width), elements(b, width)
        half = len(x) // 2
        start = half if high else 0
        out = []
        for i in range(start, start + half):
            out += [x[i], y[i]]
        return join(out, width)
    return function


def _pack(width: int, low: int, high: int) -> Function:
    """Signed elements to halves, with saturation; data must fit."""
    def function(a: Lanes, b: Lanes) -> Lanes:
        out: list[Value] = []
        for value in elements(a, width) + elements(b, width):
            if type(value) is int:
                signed = value - (value >> (width - 1) << width)
                value = max(low, min(high, signed)) & (1 << width // 2) - 1
            elif value.bits > high:
                raise Unsupported("data may be too large for its half")
            out.append(value)
        return join(out, width // 2)
    return function


def _palignr(a: Lanes, b: Lanes, n: int) -> Lanes:
    """Bytes n..n+15 of a:b, b lowest."""
    if n % 4 == 0:
        lanes = b + a + ZERO * 2
        return (lanes + ZERO)[n // 4:n // 4 + 4] if n < 32 else ZERO
    source = elements(b, 8) + elements(a, 8) + [0] * 32
    return join(source[n:n + 16], 8) if n < 32 else ZERO


def _pblendw(a: Lanes, b: Lanes, n: int) -> Lanes:
    x, y = elements(a, 16), elements(b, 16)
    return join([y[i] if n >> i & 1 else x[i] for i in range(8)], 16)


def _shufps(a: Lanes, b: Lanes, n: int) -> Lanes:
    return (a[n & 3], a[n >> 2 & 3], b[n >> 4 & 3], b[n >> 6 & 3])


def _shufpd(a: Lanes, b: Lanes, n: int) -> Lanes:
    x, y = elements(a, 64), elements(b, 64)
    return join([x[n & 1], y[n >> 1 & 1]], 64)


def _pshufd(a: Lanes, n: int) -> Lanes:
    return tuple(a[n >> 2 * i & 3] for i in range(4))


def _pshufw(low: int) -> Function:
    """pshuflw (low 0), pshufhw (low 4)."""
    def function(a: Lanes, n: int) -> Lanes:
        x = elements(a, 16)
        y = list(x)
        for i in range(4):
            y[low + i] = x[low + (n >> 2 * i & 3)]
        return join(y, 16)
    return function


def _shift(width: int, left: bool) -> Callable[[Lanes, int], Lanes]:
    def function(a: Lanes, n: int) -> Lanes:
        if n >= width:
            return ZERO
        if left:
            return lanewise(lambda x: shl(x, n, width), width)(a)
        return lanewise(lambda x: shr(x, n), width)(a)
    return function


def _rotation(width: int, rotate: Callable[[Value, int, int], Value]
              ) -> Callable[[Lanes, int], Lanes]:
    def function(a: Lanes, n: int) -> Lanes:
        return lanewise(lambda x: rotate(x, n % width, width), width)(a)
    return function


def _ternary(n: int) -> Callable[[Value, Value, Value], Value]:
    """The function of three bits that has bit 4a + 2b + c of n at a, b, c."""
    # its products (the algebraic normal form): c is 1, b is 2, a is 4
    products = [n >> i & 1 for i in range(8)]
    for bit in (1, 2, 4):
        for i in range(8):
            if i & bit:
                products[i] ^= products[i ^ bit]

    def function(a: Value, b: Value, c: Value) -> Value:
        result: Value = 0
        for i in range(8):
            if products[i]:
                product: Value = M32
                for bit, x in ((1, c), (2, b), (4, a)):
                    if i & bit:
                        product = and_(product, x)
                result = xor(result, product)
        return result
    return function


def _byte_shift(left: bool) -> Callable[[Lanes, int], Lanes]:
    def function(a: Lanes, n: int) -> Lanes:
        n = min(n, 16)
        x: list[Value] = elements(a, 8)
        pad: list[Value] = [0] * n
        return join(pad + x[:16 - n] if left else x[n:] + pad, 8)
    return function


def _pmullw(a: Lanes, b: Lanes) -> Lanes:
    """Low halves of products of 16 bits, one factor known."""
    out: list[Value] = []
    for x, y in zip(elements(a, 16), elements(b, 16)):
        if type(x) is int:
            x, y = y, x
        if type(y) is not int:
            raise Unsupported("a product of data")
        if y & (y - 1) == 0:
            out.append(shl(x, y.bit_length() - 1, 16) if y else 0)
        else:
            out.append(sums.multiply(x, y, 16))
    return join(out, 16)


# (dst, src) -> dst = f(dst, src); with v: dst = f(src1, src2)
BINARY: dict[str, Function] = {
    "paddd": _add(32), "paddq": _add(64),
    "psubd": lanewise(lambda a, b: sums.sub(a, b, 32), 32),
    "pxor": lanewise(xor, 32), "por": lanewise(or_, 32),
    "pand": lanewise(and_, 32), "pandn": lanewise(_andn, 32),
    "movss": lambda a, b: b[:1] + a[1:],  # between registers
    "xorps": lanewise(xor, 32), "andps": lanewise(and_, 32),
    "orps": lanewise(or_, 32),
    # EVEX only, with the width of what a mask would leave out
    "pxord": lanewise(xor, 32), "pxorq": lanewise(xor, 32),
    "pandd": lanewise(and_, 32), "pandq": lanewise(and_, 32),
    "pandnd": lanewise(_andn, 32),
    "pord": lanewise(or_, 32), "porq": lanewise(or_, 32),
    "pcmpeqd": _equal, "pshufb": _pshufb, "pmullw": _pmullw,
    "packssdw": _pack(32, -0x8000, 0x7fff), "packuswb": _pack(16, 0, 255),
    "punpcklbw": _unpack(8, False), "punpckhbw": _unpack(8, True),
    "punpcklwd": _unpack(16, False), "punpckhwd": _unpack(16, True),
    "punpckldq": _unpack(32, False), "punpckhdq": _unpack(32, True),
    "punpcklqdq": _unpack(64, False), "punpckhqdq": _unpack(64, True),
}
# the same with an immediate
BINARY_IMMEDIATE: dict[str, Callable[[Lanes, Lanes, int], Lanes]] = {
    "palignr": _palignr, "pblendw": _pblendw, "shufps": _shufps,
    "shufpd": _shufpd,
}
# dst = f(src, immediate), legacy and VEX alike
SHUFFLE: dict[str, Callable[[Lanes, int], Lanes]] = {
    "pshufd": _pshufd, "pshuflw": _pshufw(0), "pshufhw": _pshufw(4),
}
# legacy: dst = f(dst, immediate); VEX: dst = f(src, immediate)
SHIFT: dict[str, Callable[[Lanes, int], Lanes]] = {
    "psllw": _shift(16, True), "psrlw": _shift(16, False),
    "pslld": _shift(32, True), "psrld": _shift(32, False),
    "psllq": _shift(64, True), "psrlq": _shift(64, False),
    "pslldq": _byte_shift(True), "psrldq": _byte_shift(False),
    "prold": _rotation(32, rol), "prord": _rotation(32, ror),
    "prolq": _rotation(64, rol), "prorq": _rotation(64, ror),
}
# whether they demand alignment
MOVES = {"movdqa": True, "movaps": True, "movdqu": False, "movups": False,
         "lddqu": False, "movdqa32": True, "movdqa64": True,
         "movdqu32": False, "movdqu64": False}
SHA: dict[str, Callable[[X86, Lanes, Lanes], Lanes]] = {
    "sha1nexte": lambda m, a, b: sha_insns.sha1nexte(a, b),
    "sha1msg1": lambda m, a, b: sha_insns.sha1msg1(a, b),
    "sha1msg2": lambda m, a, b: sha_insns.sha1msg2(a, b),
    "sha256msg1": lambda m, a, b: sha_insns.sha256msg1(a, b),
    "sha256msg2": lambda m, a, b: sha_insns.sha256msg2(a, b),
    "sha256rnds2": lambda m, a, b: sha_insns.sha256rnds2(
        a, b, m.low[0], m.computed.append),
}


def _reader(m: X86, op: Operand, width: int, align: bool
            ) -> Callable[[], Lanes]:
    """A vector operand of 128, 256 or 512 bits in lanes."""
    if op.kind == "vec":
        n = op.number
        assert op.width == width
        low, high, top = m.low, m.high, m.top
        if width == 128:
            return lambda: low[n]
        if width == 256:
            return lambda: low[n] + high[n]
        return lambda: low[n] + high[n] + top[n]
    assert op.kind == "mem"
    place, count = m.place(op), op.width // 32
    if op.broadcast:
        assert op.width in (32, 64)
        times = width // op.width
        return lambda: m.load_lanes(place(), count) * times
    assert op.width == width
    if align:
        return lambda: m.load_lanes(m.aligned(place(), width // 8), count)
    return lambda: m.load_lanes(place(), count)


def _writer(m: X86, op: Operand, vex: bool) -> Callable[[Lanes], None]:
    """Stores into a vector register; VEX and EVEX forms clear the bits above."""
    assert op.kind == "vec"
    n, low, high, top = op.number, m.low, m.high, m.top
    if vex:
        above = ZERO * ((512 if top else 256) // 128 - op.width // 128)

        def write(lanes: Lanes) -> None:
            lanes += above
            low[n], high[n] = lanes[:4], lanes[4:8]
            if top:
                top[n] = lanes[8:]
            if op.width > 128 and n < 16:
                m.dirty = True
        return write

    def write_legacy(lanes: Lanes) -> None:
        if m.dirty:
            raise Refuted("an SSE instruction while upper halves are in use")
        low[n] = lanes
    return write_legacy


def _by_parts(function: Function, width: int) -> Function:
    """A function of 128-bit registers on each 128 bits of wider ones."""
    if width == 128:
        return function

    def apply(*args: Lanes) -> Lanes:
        out: Lanes = ()
        for at in range(0, width // 32, 4):
            out += function(*[a[at:at + 4] for a in args])
        return out
    return apply


def _immediate(op: Operand) -> int:
    assert op.kind == "imm"
    return op.value & 255


def compile_vector(m: X86, insn: Insn, ops: list[Operand]) -> Step:
    """The step of a vector instruction."""
    name = insn.name
    vex = name[0] == "v"
    base = name[1:] if vex else name
    if name in _OTHERS:
        return _OTHERS[name](m, ops)
    if base in MOVES:
        return _move(m, ops, vex, MOVES[base])
    if base in _ELEMENT:
        return _ELEMENT[base](m, ops, vex)
    width = ops[0].width
    sources = ops[1:] if vex else ops
    if base in BINARY:
        _expect(sources, 2)
        function = _by_parts(BINARY[base], width)
    elif base in BINARY_IMMEDIATE:
        _expect(sources, 3)
        n = _immediate(sources.pop())
        with_n = BINARY_IMMEDIATE[base]
        function = _by_parts(lambda a, b: with_n(a, b, n), width)
    elif base in SHUFFLE:
        sources = ops[1:]
        _expect(sources, 2)
        n = _immediate(sources.pop())
        shuffle = SHUFFLE[base]
        function = _by_parts(lambda a: shuffle(a, n), width)
    elif base in SHIFT and sources[-1].kind != "imm":
        return _shift_by_register(m, SHIFT[base], ops, sources, vex)
    elif base in SHIFT:
        _expect(sources, 2)
        n = _immediate(sources.pop())
        shift = SHIFT[base]
        function = _by_parts(lambda a: shift(a, n), width)
    elif name in SHA:
        if name == "sha256rnds2" and len(sources) == 3:
            assert sources.pop().text == "xmm0"
        _expect(sources, 2)
        sha = SHA[name]

        def function(a: Lanes, b: Lanes) -> Lanes:
            return sha(m, a, b)
    elif name == "sha1rnds4":
        _expect(sources, 3)
        n = _immediate(sources.pop())

        def function(a: Lanes, b: Lanes) -> Lanes:
            return sha_insns.sha1rnds4(a, b, n, m.computed.append)
    else:
        raise Unsupported("unknown instruction")
    # Only the last source can be memory; legacy forms demand alignment.
    reads = [_reader(m, op, width, not vex) for op in sources]
    assert all(op.kind == "vec" for op in sources[:-1])
    write = _writer(m, ops[0], vex)
    if len(reads) == 1:
        (read,) = reads
        return lambda: write(function(read()))
    read_a, read_b = reads
    return lambda: write(function(read_a(), read_b()))


def _expect(sources: list[Operand], count: int) -> None:
    if len(sources) != count:
        raise ValueError("%d sources" % len(sources))


def _move(m: X86, ops: list[Operand], vex: bool, align: bool) -> Step:
    """Whole registers, loads and stores."""
    if ops[0].kind == "vec":
        read = _reader(m, ops[1], ops[0].width, align)
        write = _writer(m, ops[0], vex)
        return lambda: write(read())
    width = ops[1].width
    assert ops[0].kind == "mem" and ops[0].width == width
    assert ops[1].kind == "vec"
    read, place = _reader(m, ops[1], width, False), m.place(ops[0])

    def step() -> None:
        at = place()
        if align:
            m.aligned(at, width // 8)
        m.store_lanes(at, read())
    return step


def _shift_by_register(m: X86, shift: Callable[[Lanes, int], Lanes],
                       ops: list[Operand], sources: list[Operand], vex: bool
                       ) -> Step:
    """pslld and so on by the low 64 bits of a register, which are known."""
    _expect(sources, 2)
    width = ops[0].width
    assert sources[0].kind == "vec" and shift not in (SHIFT["pslldq"],
                                                      SHIFT["psrldq"])
    read = _reader(m, sources[0], width, False)
    count = _reader(m, sources[1], 128, not vex)
    write = _writer(m, ops[0], vex)

    def step() -> None:
        k = m.known(pair(*count()[:2]), "a shift count")
        write(_by_parts(lambda a: shift(a, k), width)(read()))
    return step


def _movd(size: int) -> Callable[[X86, list[Operand], bool], Step]:
    """movd, movq: the low element from or to a general register or memory."""
    def make(m: X86, ops: list[Operand], vex: bool) -> Step:
        if ops[0].kind == "vec" and ops[1].kind == "vec":
            assert size == 64
            write, n = _writer(m, ops[0], vex), ops[1].number
            return lambda: write(m.low[n][:2] + (0, 0))
        if ops[0].kind == "vec":
            assert ops[0].width == 128
            read, write = m.reader(ops[1], size), _writer(m, ops[0], vex)
            if size == 32:
                return lambda: write((read(), 0, 0, 0))
            return lambda: write(halves(read()) + (0, 0))
        assert ops[1].kind == "vec" and ops[1].width == 128
        assert ops[0].width == size
        put, n = m.writer(ops[0]), ops[1].number
        if size == 32:
            return lambda: put(m.low[n][0])
        return lambda: put(pair(*m.low[n][:2]))
    return make


def _insert(width: int) -> Callable[[X86, list[Operand], bool], Step]:
    """pinsrb, pinsrw, pinsrd, pinsrq."""
    def make(m: X86, ops: list[Operand], vex: bool) -> Step:
        old, source, index = ops[1:] if vex else ops
        at = _immediate(index) % (128 // width)
        read_old = _reader(m, old, 128, False)
        if source.kind == "reg" and width < 32:
            whole = m.reader(source, 32)
            mask = (1 << width) - 1

            def read() -> Value:
                return and_(whole(), mask)
        else:
            read = m.reader(source, width)
        write = _writer(m, ops[0], vex)

        def step() -> None:
            parts = elements(read_old(), width)
            parts[at] = read()
            write(join(parts, width))
        return step
    return make


def _extract(width: int) -> Callable[[X86, list[Operand], bool], Step]:
    """pextrd, pextrq."""
    def make(m: X86, ops: list[Operand], vex: bool) -> Step:
        _expect(ops, 3)
        assert ops[0].width == width
        at, n = _immediate(ops[2]) % (128 // width), ops[1].number
        assert ops[1].kind == "vec" and ops[1].width == 128
        put = m.writer(ops[0])
        return lambda: put(elements(m.low[n], width)[at])
    return make


def _half_move(to: int) -> Callable[[X86, list[Operand], bool], Step]:
    """movlps (to 0), movhps (to 2): 64 bits of memory and one half."""
    def make(m: X86, ops: list[Operand], vex: bool) -> Step:
        if ops[0].kind == "mem":
            assert ops[0].width == 64 and ops[1].width == 128
            place, n = m.place(ops[0]), ops[1].number
            return lambda: m.store_lanes(place(), m.low[n][to:to + 2])
        old, source = ops[1:] if vex else ops
        assert source.kind == "mem" and source.width == 64
        read_old, place = _reader(m, old, 128, False), m.place(source)
        write = _writer(m, ops[0], vex)

        def step() -> None:
            lanes = list(read_old())
            lanes[to:to + 2] = m.load_lanes(place(), 2)
            write(tuple(lanes))
        return step
    return make


def _half_copy(to: int, source_half: int
               ) -> Callable[[X86, list[Operand], bool], Step]:
    """movlhps (to 2 from 0), movhlps (to 0 from 2)."""
    def make(m: X86, ops: list[Operand], vex: bool) -> Step:
        old, source = ops[1:] if vex else ops
        read_old = _reader(m, old, 128, False)
        read = _reader(m, source, 128, False)
        assert source.kind == "vec"
        write = _writer(m, ops[0], vex)

        def step() -> None:
            lanes = list(read_old())
            lanes[to:to + 2] = read()[source_half:source_half + 2]
            write(tuple(lanes))
        return step
    return make


def _movmsk(m: X86, ops: list[Operand], vex: bool) -> Step:
    """pmovmskb: the top bit of each byte."""
    _expect(ops, 2)
    put, read = m.writer(ops[0]), _reader(m, ops[1], ops[1].width, False)
    assert ops[1].kind == "vec" and ops[0].kind == "reg"

    def step() -> None:
        put(concat([shr(byte, 7) for byte in elements(read(), 8)], 1))
    return step


def _ptest(m: X86, ops: list[Operand], vex: bool) -> Step:
    """ptest: zero if a & b = 0; the sign flag is clear."""
    _expect(ops, 2)
    width = ops[0].width
    read_a, read_b = _reader(m, ops[0], width, False), \
        _reader(m, ops[1], width, not vex)

    def step() -> None:
        both = lanewise(and_, 32)(read_a(), read_b())
        m.set_flags("logic", width, concat(both, 32))
        m.flags = ("zero", *m.flags[1:])
        m.carry = ("unknown", 0, 0, 0, 0, 0)
    return step


_ELEMENT: dict[str, Callable[[X86, list[Operand], bool], Step]] = {
    "movd": _movd(32), "movq": _movd(64),
    "pinsrb": _insert(8), "pinsrw": _insert(16), "pinsrd": _insert(32),
    "pinsrq": _insert(64), "pextrd": _extract(32), "pextrq": _extract(64),
    "movlps": _half_move(0), "movhps": _half_move(2),
    "movlpd": _half_move(0), "movhpd": _half_move(2),
    "pmovmskb": _movmsk, "ptest": _ptest,
    "movlhps": _half_copy(2, 0), "movhlps": _half_copy(0, 2),
}


# ---- AVX2 forms that cross the halves ----------------------------------------

def _vzeroupper(m: X86, ops: list[Operand]) -> Step:
    assert not ops

    def step() -> None:
        for n in range(min(16, len(m.high))):
            m.high[n] = ZERO
            if m.top:
                m.top[n] = ZERO * 2
        m.dirty = False
    return step


def _vinserti128(m: X86, ops: list[Operand]) -> Step:
    _expect(ops, 4)
    base = _reader(m, ops[1], 256, False)
    part = _reader(m, ops[2], 128, False)
    upper, write = _immediate(ops[3]) & 1, _writer(m, ops[0], True)
    if upper:
        return lambda: write(base()[:4] + part())
    return lambda: write(part() + base()[4:])


def _vextracti128(m: X86, ops: list[Operand]) -> Step:
    _expect(ops, 3)
    source, upper = _reader(m, ops[1], 256, False), _immediate(ops[2]) & 1
    start = 4 * upper
    if ops[0].kind == "vec":
        assert ops[0].width == 128
        write = _writer(m, ops[0], True)
        return lambda: write(source()[start:start + 4])
    assert ops[0].width == 128
    place = m.place(ops[0])
    return lambda: m.store_lanes(place(), source()[start:start + 4])


def _vperm2i128(m: X86, ops: list[Operand]) -> Step:
    _expect(ops, 4)
    read_a, read_b = _reader(m, ops[1], 256, False), \
        _reader(m, ops[2], 256, False)
    n, write = _immediate(ops[3]), _writer(m, ops[0], True)

    def pick(choice: int, a: Lanes, b: Lanes) -> Lanes:
        if choice & 8:
            return ZERO
        return (a + b)[4 * (choice & 3):4 * (choice & 3) + 4]

    def step() -> None:
        a, b = read_a(), read_b()
        write(pick(n & 15, a, b) + pick(n >> 4, a, b))
    return step


def _vpermq(m: X86, ops: list[Operand]) -> Step:
    _expect(ops, 3)
    read, write = _reader(m, ops[1], 256, False), _writer(m, ops[0], True)
    n = _immediate(ops[2])

    def step() -> None:
        parts = elements(read(), 64)
        write(join([parts[n >> 2 * i & 3] for i in range(4)], 64))
    return step


def _vpblendd(m: X86, ops: list[Operand]) -> Step:
    _expect(ops, 4)
    width, n = ops[0].width, _immediate(ops[3])
    read_a, read_b = _reader(m, ops[1], width, False), \
        _reader(m, ops[2], width, False)
    write = _writer(m, ops[0], True)
    return lambda: write(tuple(
        y if n >> i & 1 else x
        for i, (x, y) in enumerate(zip(read_a(), read_b()))))


def _vbroadcast(size: int) -> Callable[[X86, list[Operand]], Step]:
    """vpbroadcastd, vpbroadcastq, vbroadcasti128."""
    def make(m: X86, ops: list[Operand]) -> Step:
        _expect(ops, 2)
        count, write = ops[0].width // size, _writer(m, ops[0], True)
        if ops[1].kind == "vec":
            assert ops[1].width == 128 and size < 128
            n = ops[1].number
            return lambda: write(m.low[n][:size // 32] * count)
        assert ops[1].width == size
        place = m.place(ops[1])
        return lambda: write(m.load_lanes(place(), size // 32) * count)
    return make


def _vshiftv(width: int, left: bool) -> Callable[[X86, list[Operand]], Step]:
    """vpsllvd, vpsrlvd and so on, by known counts."""
    def make(m: X86, ops: list[Operand]) -> Step:
        _expect(ops, 3)
        read_a = _reader(m, ops[1], ops[0].width, False)
        read_b = _reader(m, ops[2], ops[0].width, False)
        write = _writer(m, ops[0], True)

        def one(x: Value, count: Value) -> Value:
            k = m.known(count, "a shift count")
            if k >= width:
                return 0
            return shl(x, k, width) if left else shr(x, k)
        apply = lanewise(one, width)
        return lambda: write(apply(read_a(), read_b()))
    return make


# ---- AVX-512 -----------------------------------------------------------------

def _vpternlogd(m: X86, ops: list[Operand]) -> Step:
    _expect(ops, 4)
    width = ops[0].width
    reads = [_reader(m, op, width, False) for op in ops[:3]]
    assert ops[1].kind == "vec"
    function = lanewise(_ternary(_immediate(ops[3])), 32)
    write = _writer(m, ops[0], True)
    return lambda: write(function(*[read() for read in reads]))


def _vinsert(size: int) -> Callable[[X86, list[Operand]], Step]:
    """vinserti32x4, vinserti64x4: so many lanes in place of some."""
    def make(m: X86, ops: list[Operand]) -> Step:
        _expect(ops, 4)
        width = ops[0].width
        base = _reader(m, ops[1], width, False)
        part = _reader(m, ops[2], 32 * size, False)
        at = size * (_immediate(ops[3]) % (width // 32 // size))
        write = _writer(m, ops[0], True)

        def step() -> None:
            lanes = base()
            write(lanes[:at] + part() + lanes[at + size:])
        return step
    return make


def _vextract(size: int) -> Callable[[X86, list[Operand]], Step]:
    """vextracti32x4, vextracti64x4: some lanes, and so many."""
    def make(m: X86, ops: list[Operand]) -> Step:
        _expect(ops, 3)
        width = ops[1].width
        source = _reader(m, ops[1], width, False)
        at = size * (_immediate(ops[2]) % (width // 32 // size))
        assert ops[0].width == 32 * size
        if ops[0].kind == "vec":
            write = _writer(m, ops[0], True)
            return lambda: write(source()[at:at + size])
        place = m.place(ops[0])
        return lambda: m.store_lanes(place(), source()[at:at + size])
    return make


def _vshufi32x4(m: X86, ops: list[Operand]) -> Step:
    """Of 128 bits each: the lower half from a, the upper from b."""
    _expect(ops, 4)
    width, n = ops[0].width, _immediate(ops[3])
    read_a, read_b = _reader(m, ops[1], width, False), \
        _reader(m, ops[2], width, False)
    write = _writer(m, ops[0], True)
    assert width == 512 and ops[1].kind == "vec"

    def step() -> None:
        a, b = read_a(), read_b()
        out: Lanes = ()
        for i, source in enumerate((a, a, b, b)):
            at = 4 * (n >> 2 * i & 3)
            out += source[at:at + 4]
        write(out)
    return step


_OTHERS: dict[str, Callable[[X86, list[Operand]], Step]] = {
    "vpternlogd": _vpternlogd, "vpternlogq": _vpternlogd,
    "vinserti32x4": _vinsert(4), "vextracti32x4": _vextract(4),
    "vinserti64x4": _vinsert(8), "vextracti64x4": _vextract(8),
    "vshufi32x4": _vshufi32x4,
    "vzeroupper": _vzeroupper, "vinserti128": _vinserti128,
    "vextracti128": _vextracti128, "vperm2i128": _vperm2i128,
    "vpermq": _vpermq, "vpblendd": _vpblendd,
    "vpbroadcastd": _vbroadcast(32), "vbroadcastss": _vbroadcast(32),
    "vpbroadcastq": _vbroadcast(64), "vbroadcasti128": _vbroadcast(128),
    "vpsllvd": _vshiftv(32, True), "vpsrlvd": _vshiftv(32, False),
    "vpsllvq": _vshiftv(64, True), "vpsrlvq": _vshiftv(64, False),
}
