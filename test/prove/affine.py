# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Conjunctions of linear conditions on message bits.

The algebraic normal form of a product of many sums of bits is too long to write
down. Where this module is switched on, such a product is an indicator instead:
a node of one bit that stands for

    [S]  =  1 exactly if every f in S is 1

where S is a set of affine functions (sums of bits of named words, and 1). As a
set of equations S is kept in reduced row echelon form, which is unique: equal
conjunctions are the same node, however they were put together. The rules are

    [S] & [T] = [S + T]                 0 if the equations contradict each other
    (p ^ q) & r = (p & r) ^ (q & r)
    a | b = ~(~a & ~b)

It also gives words names: a term that is the expansion of a named word is
replaced by the name, so that W[t] is a word of its own for the conditions, and
the same one whichever way the schedule was computed.
"""
from __future__ import annotations

from typing import Optional, Sequence

import terms
from terms import NODES, PRODUCTS, Node, Term, Value, xor

M32 = 0xffffffff
Rows = tuple[int, ...]          # equations f = 0; bit 0 is the constant


def insert(rows: Rows, row: int) -> Optional[Rows]:
    """The echelon form with one more equation; None if there is no solution."""
    for other in rows:
        if row >> (other.bit_length() - 1) & 1:
            row ^= other
    if row == 0:
        return rows
    if row == 1:
        return None
    top = row.bit_length() - 1
    out = [other ^ row if other >> top & 1 else other for other in rows]
    out.append(row)
    return tuple(sorted(out, reverse=True))


# One bit of a value: an affine function, and indicators that are added to it.
Bit = tuple[int, frozenset[Node]]


class Affine:
    """The state of this module for one proof."""

    def __init__(self) -> None:
        self.base: dict[Node, int] = {}       # word -> number of its bit 0
        self.next = 1
        self.node_of: dict[Rows, Node] = {}
        self.rows_of: dict[Node, Rows] = {}
        self.names: dict[frozenset[tuple[int, int]], Term] = {}
        self.expansion: dict[Node, dict[int, int]] = {}
        self.plain: dict[Term, bool] = {}

    # ---- named words ---------------------------------------------------------

    def word(self, node: Node) -> None:
        """Conditions may speak of the bits of this word."""
        self.base[node] = self.next
        self.next += node.width

    def name(self, name: str, value: Term) -> Term:
        """Makes a name for a word that is linear in words known already."""
        expanded = self._expand(value)
        assert expanded is not None
        term = terms.symbol(name, 32, "message")
        self.names[frozenset(expanded.items())] = term
        self.expansion[term.node] = expanded
        self.word(term.node)
        return term

    def _expand(self, value: Term) -> Optional[dict[int, int]]:
        """A word as a sum of rotated message words, or None.

        A constant that is added is left out.
        """
        total: dict[int, int] = {}
        for number, mask in value.monos.items():
            atoms = PRODUCTS[number]
            if not atoms and mask <= M32:
                continue
            if len(atoms) != 1 or mask != M32:
                return None
            node = NODES[atoms[0] >> 6]
            if node not in self.base:
                return None
            inner = self.expansion.get(node)
            if inner is None:
                parts = [number]
            else:
                parts = [terms.product_shift(part, atoms[0] & 63)
                         for part in inner]
            for part in parts:
                if part in total:
                    del total[part]
                else:
                    total[part] = M32
        return total

    def known_as(self, value: Value) -> Value:
        """The value, or the name of the word that it is."""
        if type(value) is not Term:
            return value
        if value.bits > M32:
            return self._pair(value)
        expanded = self._expand(value)
        if expanded is None:
            return value
        found = self.names.get(frozenset(expanded.items()))
        if found is None:
            return value
        constant = value.monos.get(0)
        return found if constant is None else \
            terms.value_of({**found.monos, 0: constant})

    def _pair(self, value: Term) -> Value:
        """The same for two words side by side."""
        low, high = terms.and_(value, M32), terms.shr(value, 32)
        if type(high) is Term and high.bits > M32:
            return value
        one, two = self.known_as(low), self.known_as(high)
        if one is low and two is high:
            return value
        total: dict[int, int] = {}
        for part in (one, terms.shl(two, 32, 64)):
            items = part.monos if type(part) is Term else {0: part}
            for number, mask in items.items():
                total[number] = total.get(number, 0) ^ mask
        return terms.value_of({number: mask for number, mask in total.items()
                               if mask})

    def assume(self, value: Value, known: dict[Node, int]) -> Value:
        """The value with these indicators decided."""
        if type(value) is not Term:
            return value
        changed = False
        total: dict[int, int] = {}
        for number, mask in value.monos.items():
            atoms = PRODUCTS[number]
            if len(atoms) == 1 and NODES[atoms[0] >> 6] in known:
                changed = True
                number = 0
                mask *= known[NODES[atoms[0] >> 6]]
            total[number] = total.get(number, 0) ^ mask
        if not changed:
            return value
        return terms.value_of({number: mask for number, mask in total.items()
                               if mask})

    # ---- bits ----------------------------------------------------------------

    def handles(self, value: Term) -> bool:
        """True if the value is made of message words and indicators alone."""
        found = self.plain.get(value)
        if found is None:
            found = self.plain[value] = all(
                len(PRODUCTS[number]) < 2 and all(
                    NODES[atom >> 6] in self.base
                    or NODES[atom >> 6] in self.rows_of
                    for atom in PRODUCTS[number])
                for number in value.monos)
        return found

    def bits(self, value: Value, wanted: int) -> dict[int, Bit]:
        """The wanted bits, by their place."""
        out: dict[int, tuple[int, set[Node]]] = {}
        if type(value) is int:
            return {i: (value >> i & 1, frozenset())
                    for i in _places(wanted)}
        for i in _places(wanted):
            out[i] = (0, set())
        for number, mask in value.monos.items():
            atoms = PRODUCTS[number]
            mask &= wanted
            if not atoms:
                for i in _places(mask):
                    out[i] = (out[i][0] ^ 1, out[i][1])
                continue
            node, offset = NODES[atoms[0] >> 6], atoms[0] & 63
            base = self.base.get(node)
            for i in _places(mask):
                affine, nodes = out[i]
                if base is None:
                    nodes ^= {node}
                else:
                    affine ^= 1 << (base + (i + offset) % node.width)
                out[i] = (affine, nodes)
        return {i: (affine, frozenset(nodes))
                for i, (affine, nodes) in out.items()}

    def _indicator(self, rows: Rows) -> Bit:
        """[S] as a bit; of one equation it is the affine function itself."""
        if not rows:
            return 1, frozenset()
        if len(rows) == 1:
            return rows[0] ^ 1, frozenset()
        node = self.node_of.get(rows)
        if node is None:
            node = Node("condition%d" % len(self.node_of), 1, "indicator")
            self.node_of[rows] = node
            self.rows_of[node] = rows
        return 0, frozenset((node,))

    def conjunction(self, rows: Sequence[int]) -> Bit:
        """The bit that is 1 if every equation holds."""
        joint: Optional[Rows] = ()
        for row in rows:
            joint = insert(joint, row)
            if joint is None:
                return 0, frozenset()
        return self._indicator(joint)

    def _and_bits(self, a: Bit, b: Bit) -> Bit:
        """Distributes over the sums."""
        affine, nodes = 0, frozenset()
        for p in self._summands(a):
            for q in self._summands(b):
                more, inside = self.conjunction(p + q)
                affine ^= more
                nodes ^= inside
        return affine, nodes

    def _summands(self, bit: Bit) -> list[Rows]:
        """The equations of each summand."""
        out = [self.rows_of[node] for node in bit[1]]
        if bit[0] == 1:
            out.append(())
        elif bit[0]:
            out.append((bit[0] ^ 1,))
        return out

    def value(self, bits: dict[int, Bit]) -> Value:
        """The value with these bits."""
        result: dict[int, int] = {}
        words = sorted((base, node) for node, base in self.base.items())
        for i, (affine, nodes) in bits.items():
            if affine & 1:
                result[0] = result.get(0, 0) ^ 1 << i
            affine &= ~1
            while affine:
                bit = affine & -affine
                affine ^= bit
                node, at = self._owner(words, bit.bit_length() - 1)
                number = terms.product(
                    ((node.index << 6) | (at - i) % node.width,))
                result[number] = result.get(number, 0) ^ 1 << i
            for node in nodes:
                number = terms.product((node.index << 6,))
                result[number] = result.get(number, 0) ^ 1 << i
        return terms.value_of({number: mask
                               for number, mask in result.items() if mask})

    @staticmethod
    def _owner(words: list[tuple[int, Node]], bit: int) -> tuple[Node, int]:
        low, high = 0, len(words)
        while high - low > 1:
            middle = (low + high) // 2
            if words[middle][0] <= bit:
                low = middle
            else:
                high = middle
        base, node = words[low]
        return node, bit - base

    # ---- what terms.py asks --------------------------------------------------

    def and_(self, a: Term, b: Term) -> Optional[Value]:
        """a & b, or None if that is none of this module's business."""
        if not self.handles(a) or not self.handles(b):
            return None
        common = a.bits & b.bits
        one, two = self.bits(a, common), self.bits(b, common)
        return self.value({i: self._and_bits(one[i], two[i])
                           for i in _places(common)})

    def or_(self, a: Term, b: Term) -> Optional[Value]:
        """a | b, or None."""
        if not self.handles(a) or not self.handles(b):
            return None
        common = a.bits & b.bits
        one, two = self.bits(a, common), self.bits(b, common)
        both = {}
        for i in _places(common):
            (x, p), (y, q) = one[i], two[i]
            affine, nodes = self._and_bits((x ^ 1, p), (y ^ 1, q))
            both[i] = (affine ^ 1, nodes)
        apart = (1 << max(a.bits.bit_length(), b.bits.bit_length())) - 1 \
            ^ common
        return xor(self.value(both), xor(terms.and_(a, apart),
                                         terms.and_(b, apart)))


def _places(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    out = []
    while mask:
        bit = mask & -mask
        out.append(bit.bit_length() - 1)
        mask ^= bit
    return out
