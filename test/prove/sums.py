# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Sums modulo 2^n as flattened multisets, and their carries.

A sum node of width n stands for

    const + SUM over j of factor_j * part_j   (mod 2^n)

with every part a term of at most n bits, factors and constant in 0..2^n-1.
The rules that make equal sums the same node:

    (a + b) + c       = the multiset union: a part that is a sum node of the
                        same width is replaced by its own parts, unless it was
                        cut (the chaining values at block borders are);
    f*a + g*a         = (f + g)*a mod 2^n;
    (a + b) mod 2^m   = (a mod 2^m) + (b mod 2^m) mod 2^m   for m < n;
    2^j * a           = a << j          if nothing else is in the multiset,
    (a << j)          = 2^j * a         and back, for a whole node a;
    ~a                = -a - 1;
    f*a + f*b         = f*(a ^ b)       if a & b = 0: no column carries.

64-bit words held in two 32-bit registers: with SPLIT set, a 64-bit sum is a
pair of 32-bit sums joined by a carry. For a multiset M let U(M) be its value
as an integer and H(M) = floor(U(M) / 2^n), so that

    M mod 2^n         = U(M) - 2^n H(M)
    carry(a + b)      = H(A + B) - H(A) - H(B)      for a = A, b = B mod 2^n

(mod 2^n). H(M) is a node of its own, the carry node of the sum; summed up over
several additions the inner ones cancel, so the order and the pairing of the
operands leave no trace.
"""
from __future__ import annotations

from random import Random
from typing import Iterable, Optional

import terms
from linear import Lin, signed
from terms import (NODES, PRODUCTS, Node, Term, Unsupported, Value, and_,
                   on_forget, on_reset, shl, shr, trunc, xor)

Parts = dict[Term, int]

SPLIT = False   # 64-bit sums as two 32-bit sums and a carry

_SUMS: dict[tuple[int, int, int], list[Node]] = {}   # by width, const, hash
_ADD: dict[tuple[Value, Value, int], Value] = {}
_CARRY: dict[tuple, Value] = {}
_TAG: dict[Term, int] = {}            # random numbers, for the hash of a sum
_PARTNERS: dict[Term, list[Term]] = {}   # terms whose and with this one is 0
_BY_ATOM: dict[int, list[Term]] = {}
_PARTIAL: list[tuple[Term, set[int]]] = []   # with their atoms
for table in (_SUMS, _TAG, _PARTNERS, _BY_ATOM, _PARTIAL):
    on_reset(table)
for table in (_ADD, _CARRY):
    on_forget(table)
_RANDOM = Random(1)


def set_split(split: bool) -> None:
    """Chooses how 64-bit sums are kept; call it only after terms.reset()."""
    global SPLIT
    SPLIT = split


def expand(a: Value, width: int) -> tuple[int, Parts]:
    """The multiset of a value: (const, parts)."""
    if type(a) is int:
        return a, {}
    node = a.node
    if node is not None:
        if node.parts is not None and node.width == width and not node.cut:
            return node.const, node.parts
        return 0, {a: 1}
    full = (1 << width) - 1
    if a.monos.get(0) == full and not SPLIT:
        # ~x  =  -x - 1
        const, parts = expand(xor(a, full), width)
        return ~const & full, {part: -factor & full
                               for part, factor in parts.items()}
    if len(a.monos) == 1 and not SPLIT:
        # node << j  =  2^j * node
        ((number, mask),) = a.monos.items()
        atoms = PRODUCTS[number]
        if len(atoms) == 1:
            node = NODES[atoms[0] >> 6]
            if node.width == width:
                j = -atoms[0] % 64 % width
                if mask == full << j & full:
                    const, parts = expand(node.term, width)
                    return const << j & full, \
                        {part: factor << j & full
                         for part, factor in parts.items()
                         if factor << j & full}
    return 0, {a: 1}


def _register(term: Term, width: int) -> list[Term]:
    """Notes a new summand and finds the earlier ones disjoint from it.

    Candidates for a & b = 0 are terms with a product of two or more atoms that
    share one of them, and terms that leave some bit always clear.
    """
    partners = _PARTNERS[term] = []
    nonlinear = {atom for number in term.monos
                 if len(PRODUCTS[number]) > 1 for atom in PRODUCTS[number]}
    candidates: dict[Term, None] = {}
    if nonlinear:
        for number in term.monos:
            for atom in PRODUCTS[number]:
                for other in _BY_ATOM.get(atom, ()):
                    candidates[other] = None
        for atom in nonlinear:
            _BY_ATOM.setdefault(atom, []).append(term)
    elif term.node is None:
        for number in term.monos:
            for atom in PRODUCTS[number]:
                for other in _BY_ATOM.get(atom, ()):
                    candidates[other] = None
    if term.bits != (1 << width) - 1:
        # In a bit that both may have, terms without a common atom multiply to
        # something.
        atoms = {atom for number in term.monos for atom in PRODUCTS[number]}
        for other, theirs in _PARTIAL:
            if not term.bits & other.bits or not atoms.isdisjoint(theirs):
                candidates[other] = None
        _PARTIAL.append((term, atoms))
    for other in candidates:
        if and_(term, other) == 0:
            partners.append(other)
            _PARTNERS[other].append(term)
    return partners


class _Multiset:
    """A multiset under construction.

    `over` collects what the rewriting takes out of the integer value in units
    of 2^width: true value = 2^width * over + value of (const, parts).
    """

    def __init__(self, const: int, parts: Parts, width: int) -> None:
        self.const = const
        self.parts = dict(parts)
        self.width = width
        self.over_const = 0
        self.over: list[tuple[Value, int]] = []

    def merge(self, const: int, parts: Parts) -> None:
        """Adds another multiset."""
        full = (1 << self.width) - 1
        self.const += const
        if self.const > full:
            self.over_const += self.const >> self.width
            self.const &= full
        mine = self.parts
        for part, factor in parts.items():
            partners = _PARTNERS.get(part)
            if partners is None:
                partners = _register(part, self.width)
            if partners and self._disjoint(part, factor, partners):
                continue
            old = mine.get(part)
            if old is not None:
                factor += old
                if factor > full:
                    self.over.append((part, factor >> self.width))
                    factor &= full
            if factor:
                mine[part] = factor
            else:
                del mine[part]

    def _disjoint(self, part: Term, factor: int, partners: list[Term]) -> bool:
        """f*a + f*b = f*(a ^ b) if a & b = 0, exact as integers."""
        for other in partners:
            if self.parts.get(other) == factor and part not in self.parts:
                del self.parts[other]
                self.add(xor(part, other), factor)
                return True
        return False

    def add(self, value: Value, factor: int) -> None:
        """Adds factor * value."""
        const, parts = expand(value, self.width)
        if type(value) is not int and value not in parts:
            # value = (const, parts) - 2^width * high of it
            self.over.append((_high(const, parts, self.width), -factor))
        full = (1 << self.width) - 1
        const *= factor
        self.over_const += const >> self.width
        scaled: Parts = {}
        for part, own in parts.items():
            own *= factor
            if own > full:
                self.over.append((part, own >> self.width))
                own &= full
            if own:
                scaled[part] = own
        self.merge(const & full, scaled)

    def total_over(self) -> Value:
        """The over part as a value of `width` bits."""
        full = (1 << self.width) - 1
        result: Value = self.over_const & full
        for value, factor in self.over:
            result = add(result, multiply(value, factor & full, self.width),
                         self.width)
        return result


def _shift_of(const: int, parts: Parts) -> Optional[tuple[Term, int]]:
    """(a, j) if the multiset is 2^j * a and nothing else."""
    if const or len(parts) != 1:
        return None
    ((part, factor),) = parts.items()
    if factor & (factor - 1):
        return None
    return part, factor.bit_length() - 1


def sum_node(const: int, parts: Parts, width: int) -> Node:
    """The interned sum node of a multiset."""
    tag = 0
    for part, factor in parts.items():
        number = _TAG.get(part)
        if number is None:
            number = _TAG[part] = _RANDOM.getrandbits(61)
        tag += factor * number
    bucket = _SUMS.setdefault((width, const, tag), [])
    for node in bucket:
        if node.parts == parts:
            return node
    node = Node("s%d" % len(NODES), width, "sum")
    node.parts = parts
    node.const = const
    bucket.append(node)
    return node


def carry_node(node: Node) -> Node:
    """The node for H(M) of a sum's multiset M."""
    if node.carry is None:
        node.carry = Node("carry(%s)" % node.name, node.width, "sum")
        node.carry.carry_of = node
    return node.carry


def _close(const: int, parts: Parts, width: int) -> Value:
    """The value of a multiset."""
    if not parts:
        return const
    shift = _shift_of(const, parts)
    if shift is not None:
        return shl(shift[0], shift[1], width)
    full = (1 << width) - 1
    if const == full and len(parts) == 1 and not SPLIT:
        ((part, factor),) = parts.items()
        if factor == full:
            return xor(part, full)
    low = const
    for factor in parts.values():
        low |= factor
    if not low & 1 and not SPLIT:
        # 2^j * (everything) = (everything) << j, factors taken as signed
        j = (low & -low).bit_length() - 1

        def divide(x: int) -> int:
            return ((x - (x >> (width - 1) << width)) >> j) & full
        inner = _close(divide(const),
                       {p: divide(f) for p, f in parts.items()}, width)
        return shl(inner, j, width)
    return sum_node(const, parts, width).term


def _high(const: int, parts: Parts, width: int) -> Value:
    """H(M) = floor(U(M) / 2^width)."""
    if not parts:
        return 0
    shift = _shift_of(const, parts)
    if shift is not None:
        # H(2^j * a) = a >> (width - j)
        return shr(shift[0], width - shift[1])
    node = sum_node(const, parts, width)
    return carry_node(node).term


def add(a: Value, b: Value, width: int) -> Value:
    """a + b mod 2^width."""
    if type(a) is int:
        if type(b) is int:
            return a + b & ((1 << width) - 1)
        a, b = b, a
    if type(b) is int:
        if not b:
            return a
    elif a.serial < b.serial:
        a, b = b, a
    key = (a, b, width)
    result = _ADD.get(key)
    if result is None:
        if type(a) is Lin:
            result = a.plus(b)
        elif type(b) is Lin:
            result = b.plus(a)
        elif width == 64 and SPLIT:
            result = _add_halves(a, b)
        else:
            const_a, parts_a = expand(a, width)
            const_b, parts_b = expand(b, width)
            if len(parts_a) < len(parts_b):
                const_a, parts_a, const_b, parts_b = \
                    const_b, parts_b, const_a, parts_a
            total = _Multiset(const_a, parts_a, width)
            for part in parts_a:
                if part not in _PARTNERS:
                    _register(part, width)
            total.merge(const_b, parts_b)
            result = _close(total.const, total.parts, width)
            if terms.PLUGIN is not None:
                result = terms.PLUGIN.known_as(result)
        _ADD[key] = result
    return result


def _add_halves(a: Value, b: Value) -> Value:
    low_a, low_b = trunc(a, 32), trunc(b, 32)
    high = add(add(shr(a, 32), shr(b, 32), 32), carry((low_a, low_b), 32), 32)
    return xor(add(low_a, low_b, 32), shl(high, 32, 64))


def low(a: Value, width: int) -> Value:
    """a mod 2^width; of a wider sum, the sum of the parts mod 2^width."""
    if type(a) is int:
        return a & ((1 << width) - 1)
    node = a.node
    if node is None or node.parts is None or node.width <= width or node.cut:
        return trunc(a, width)
    key = (a, width, -1)
    result = _ADD.get(key)
    if result is None:
        full = (1 << width) - 1
        result = node.const & full
        for part, factor in node.parts.items():
            result = add(result, multiply(low(part, width), factor & full,
                                          width), width)
        _ADD[key] = result
    return result


def add_all(values: Iterable[Value], width: int) -> Value:
    """The sum of all values mod 2^width."""
    result: Value = 0
    for value in values:
        result = add(result, value, width)
    return result


def multiply(a: Value, factor: int, width: int) -> Value:
    """factor * a mod 2^width for a known factor."""
    full = (1 << width) - 1
    factor &= full
    if type(a) is int:
        return a * factor & full
    if factor == 1:
        return a
    if type(a) is Lin:
        return a.times(signed(factor, width))
    if width == 64 and SPLIT:
        raise Unsupported("a product in 64 bits on a 32-bit machine")
    total = _Multiset(0, {}, width)
    total.add(a, factor)
    return _close(total.const, total.parts, width)


def sub(a: Value, b: Value, width: int) -> Value:
    """a - b = a + (2^width - 1) * b."""
    if type(b) is int:
        return add(a, -b & ((1 << width) - 1), width)
    return add(a, multiply(b, -1, width), width)


def carry(operands: Iterable[Value], width: int) -> Value:
    """floor(sum of the operands / 2^width), as a value of `width` bits.

    H(sum of A_i) - sum of H(A_i); see the module's text.
    """
    key = (tuple(operands), width)
    result = _CARRY.get(key)
    if result is not None:
        return result
    total = _Multiset(0, {}, width)
    inner: Value = 0
    for operand in key[0]:
        const, parts = expand(operand, width)
        inner = add(inner, _high(const, parts, width), width)
        for part in parts:
            if part not in _PARTNERS:
                _register(part, width)
        total.merge(const, parts)
    result = add(_high(total.const, total.parts, width), total.total_over(),
                 width)
    result = _CARRY[key] = sub(result, inner, width)
    return result


def cut(a: Value) -> None:
    """From now on a sum that is this value is not looked into by sums."""
    for value in ((a, trunc(a, 32), shr(a, 32)) if SPLIT else (a,)):
        if type(value) is Term and value.node is not None:
            value.node.cut = True
