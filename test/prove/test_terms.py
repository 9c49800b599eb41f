#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Unit tests of the term layer and of the standards written in it."""
from __future__ import annotations

import hashlib
import random
import unittest
from typing import Optional

import affine
import spec
import sums
import terms
from linear import Lin, Undecided, is_less
from terms import (and_, bswap, concat, evaluate, field, not_, or_, rol, ror,
                   shl, shr, symbol, xor)

RANDOM = random.Random(20)


def quiet(name: str, value: terms.Value) -> None:
    """Hears nothing."""


def words(data: bytes, size: int) -> list[int]:
    """Big-endian words."""
    return [int.from_bytes(data[i:i + size], "big")
            for i in range(0, len(data), size)]


class Rules(unittest.TestCase):
    """Each operation on terms, evaluated, is the operation on integers."""

    def setUp(self) -> None:
        terms.reset()
        sums.set_split(False)

    def build(self, width: int, split: bool) -> None:
        """Random expressions of growing depth, with their integers beside."""
        sums.set_split(split)
        full = (1 << width) - 1
        given = {}
        pool: list[tuple[terms.Value, int]] = []
        for i in range(4):
            term = symbol("x%d" % i, width, "message")
            given[term.node] = RANDOM.choice(
                (0, full, RANDOM.getrandbits(width)))
            pool.append((term, given[term.node]))
        pool.append((0, 0))
        constant = RANDOM.getrandbits(width)
        pool.append((constant, constant))
        for _ in range(30):
            (a, x), (b, y) = RANDOM.choice(pool), RANDOM.choice(pool)
            k = RANDOM.randrange(1, width)
            made = RANDOM.choice((
                lambda: (xor(a, b), x ^ y),
                lambda: (and_(a, b), x & y),
                lambda: (or_(a, b), x | y),
                lambda: (not_(a, width), x ^ full),
                lambda: (shl(a, k, width), x << k & full),
                lambda: (shr(a, k), x >> k),
                lambda: (ror(a, k, width), ror(x, k, width)),
                lambda: (rol(a, k, width), rol(x, k, width)),
                lambda: (bswap(a, width), bswap(x, width)),
                lambda: (field(a, k, width - k), x >> k),
                lambda: (sums.add(a, b, width), x + y & full),
                lambda: (sums.add(and_(a, b), and_(not_(a, width), b), width),
                         y),
                lambda: (sums.sub(a, b, width), x - y & full),
                lambda: (sums.carry((a, b), width), x + y >> width),
                lambda: (concat([field(a, 0, 8), field(b, 8, 8)], 8),
                         x & 255 | (y >> 8 & 255) << 8),
            ))
            try:
                term, value = made()
            except terms.Unsupported:
                continue
            if type(term) is not int and len(term.monos) > 200:
                continue
            self.assertEqual(evaluate(term, dict(given)), value)
            pool.append((term, value))

    def test_random_expressions(self) -> None:
        """32 and 64 bits, and 64 bits as halves."""
        for width, split in ((32, False), (64, False), (32, True), (64, True)):
            for _ in range(60):
                terms.reset()
                self.build(width, split)

    def test_forms_of_ch_and_maj(self) -> None:
        """All the usual ways to write them are one term."""
        x, y, z = (symbol(n, 32, "state") for n in "xyz")
        self.assertIs(spec.ch(x, y, z, 32), xor(and_(xor(y, z), x), z))
        self.assertIs(spec.ch(x, y, z, 32),
                      or_(and_(x, y), and_(not_(x, 32), z)))
        self.assertIs(spec.ch(x, y, z, 32),
                      sums.add(and_(x, y), and_(not_(x, 32), z), 32))
        self.assertIs(spec.maj(x, y, z), or_(and_(x, y), and_(or_(x, y), z)))
        self.assertIs(spec.maj(x, y, z), xor(and_(xor(x, y), xor(x, z)), x))
        self.assertIs(spec.maj(x, y, z),
                      sums.add(and_(x, y), and_(xor(x, y), z), 32))

    def test_disjoint_in_a_sum(self) -> None:
        """The halves of Maj find each other in any order of additions."""
        x, y, z, w = (symbol(n, 32, "state") for n in "xyzw")
        parts = [and_(x, y), and_(xor(x, y), z), w, rol(x, 5, 32), 77]
        wanted = sums.add_all([spec.maj(x, y, z), w, rol(x, 5, 32), 77], 32)
        for _ in range(30):
            RANDOM.shuffle(parts)
            self.assertIs(sums.add_all(parts, 32), wanted)

    def test_shift_is_a_factor(self) -> None:
        """x + x = x << 1, also of a sum, also back."""
        x, y = symbol("x", 32, "state"), symbol("y", 32, "state")
        self.assertIs(sums.add(x, x, 32), shl(x, 1, 32))
        total = sums.sub(x, y, 32)
        self.assertIs(sums.add(total, total, 32), shl(total, 1, 32))
        self.assertIs(sums.add(shl(total, 1, 32), y, 32),
                      sums.add_all((x, x, sums.sub(0, y, 32)), 32))

    def test_not_is_minus(self) -> None:
        """~x + 1 = -x, also of a sum, also back."""
        x, y = symbol("x", 32, "state"), symbol("y", 32, "state")
        self.assertIs(sums.add_all((y, not_(x, 32), 1), 32), sums.sub(y, x, 32))
        total = sums.add(x, y, 32)
        self.assertIs(sums.add(not_(total, 32), y, 32), not_(x, 32))

    def test_sums_flatten(self) -> None:
        """Any order and grouping, and a difference takes parts out."""
        parts = [symbol("p%d" % i, 32, "state") for i in range(9)]
        wanted = sums.add_all(parts, 32)
        for _ in range(20):
            RANDOM.shuffle(parts)
            k = RANDOM.randrange(1, 8)
            self.assertIs(sums.add(sums.add_all(parts[:k], 32),
                                   sums.add_all(parts[k:], 32), 32), wanted)
        rest = sums.sub(wanted, parts[0], 32)
        self.assertIs(rest, sums.add_all(parts[1:], 32))

    def test_cut(self) -> None:
        """A sum that was cut stays one summand."""
        x, y, z = (symbol(n, 32, "state") for n in "xyz")
        total = sums.add(x, y, 32)
        sums.cut(total)
        self.assertEqual(sums.add(total, z, 32).node.parts, {total: 1, z: 1})

    def test_carry_pairing(self) -> None:
        """64-bit sums in 32-bit halves: the pairing leaves no trace."""
        sums.set_split(True)
        parts: list[terms.Value] = [symbol("p%d" % i, 64, "state")
                                    for i in range(5)]
        parts.append(0xfffffffffffffff0)
        parts.append(0x89abcdef01234567)
        wanted = sums.add_all(parts, 64)
        for _ in range(30):
            RANDOM.shuffle(parts)
            k = RANDOM.randrange(1, 6)
            self.assertIs(sums.add(sums.add_all(parts[:k], 64),
                                   sums.add_all(parts[k:], 64), 64), wanted)

    def test_different_is_different(self) -> None:
        """What is not equal is not the same object."""
        x, y, z = (symbol(n, 32, "state") for n in "xyz")
        self.assertIsNot(spec.ch(x, y, z, 32), spec.maj(x, y, z))
        self.assertIsNot(rol(x, 5, 32), rol(x, 6, 32))
        self.assertIsNot(sums.add(x, y, 32), xor(x, y))
        self.assertIsNot(sums.add(x, and_(x, y), 32), xor(x, and_(x, y)))

    def test_inputs(self) -> None:
        """Which kinds of symbols a value is made of."""
        x, m = symbol("x", 32, "state"), symbol("m", 32, "message")
        self.assertEqual(terms.inputs_of(sums.add(x, m, 32)),
                         {"state", "message"})
        self.assertEqual(terms.inputs_of(xor(sums.add(x, m, 32), x)),
                         {"state", "message"})
        self.assertEqual(terms.inputs_of(5), frozenset())


class Conditions(unittest.TestCase):
    """Conjunctions of linear conditions, against counting."""

    def test_same_space(self) -> None:
        """The same equations in another basis are the same node."""
        terms.reset()
        plugin = affine.Affine()
        terms.set_plugin(plugin)
        words = [symbol("w%d" % i, 32, "message") for i in range(4)]
        for word in words:
            plugin.word(word.node)
        for _ in range(40):
            forms = [xor(xor(rol(RANDOM.choice(words), RANDOM.randrange(32),
                                 32),
                             rol(RANDOM.choice(words), RANDOM.randrange(32),
                                 32)), RANDOM.choice((0, 0xffffffff)))
                     for _ in range(4)]
            product = forms[0]
            for form in forms[1:]:
                product = and_(product, form)
            # x & y = x & ~(x ^ y), and so on
            mixed = [forms[0]] + [not_(xor(a, b), 32)
                                  for a, b in zip(forms, forms[1:])]
            RANDOM.shuffle(mixed)
            other = mixed[0]
            for form in mixed[1:]:
                other = and_(form, other)
            self.assertIs(product, other)
            # De Morgan
            broken = not_(forms[0], 32)
            for form in forms[1:]:
                broken = or_(not_(form, 32), broken)
            self.assertIs(not_(broken, 32), product)
        terms.set_plugin(None)

    def test_by_counting(self) -> None:
        """[S] is 1 for exactly the solutions of S."""
        for _ in range(200):
            rows = [RANDOM.getrandbits(6) for _ in range(3)]
            joint: Optional[affine.Rows] = ()
            for row in rows:
                if joint is not None:
                    joint = affine.insert(joint, row)
            solutions = [x for x in range(32) if all(
                bin(row & (x << 1 | 1)).count("1") % 2 == 0 for row in rows)]
            self.assertEqual(joint is None, not solutions)
            if joint is not None:
                self.assertEqual(len(solutions), 2 ** (5 - len(joint)))


class Linear(unittest.TestCase):
    """Pointers and counters in two unknowns."""

    def test_comparisons(self) -> None:
        """Decided only if every count gives the same answer."""
        Lin.least, Lin.size = 3, 64
        count = Lin(0, (), 1, 0, 64)
        self.assertFalse(count.plus(-2).is_zero())
        self.assertRaises(Undecided, count.plus(-3).is_zero)
        self.assertFalse(count.plus(-3).is_negative())
        self.assertRaises(Undecided, count.plus(-4).is_negative)
        self.assertRaises(Undecided, Lin(0, (), 64, 0, 64).sign)
        self.assertRaises(Undecided, Lin(0, (1,), 0, 0, 64).is_zero)

    def test_arithmetic(self) -> None:
        """Sums cancel to integers; data operations are refused."""
        terms.reset()
        Lin.bases = (64,)
        start, end = Lin(8, (1,), 0, 0, 64), Lin(0, (1,), 64, 0, 64)
        left = sums.sub(end, start, 64)
        self.assertEqual(left, Lin(-8, (), 64, 0, 64))
        self.assertEqual(sums.sub(left, left, 64), 0)
        self.assertEqual(shl(Lin(1, (), 1, 0, 64), 6, 64), Lin(64, (), 64, 0, 64))
        self.assertRaises(Undecided, lambda: xor(start, 5))
        self.assertRaises(Undecided, lambda: and_(start, 0xffffffff))
        self.assertEqual(and_(left, 63), 56)


    def test_order(self) -> None:
        """Unsigned comparison: numbers that may wrap are not decided."""
        Lin.least, Lin.size, Lin.bases = 3, 64, (64, 1 << 20)
        count = Lin(0, (), 1, 0, 64)
        start, end = Lin(0, (1,), 0, 0, 64), Lin(0, (1,), 64, 0, 64)
        self.assertTrue(is_less(start, end, 0))
        self.assertFalse(is_less(end, start, 1))
        self.assertFalse(is_less(count, 3, 0))
        self.assertTrue(is_less(2, count, 0))
        self.assertTrue(is_less(Lin(0, (1,), 0, -64, 64), end, 0))
        for a, b in ((count, (1 << 64) - 1), (count, 4), (start, 5),
                     (start, Lin(0, (0, 1), 0, 0, 64)),
                     (start, end.plus(1 << 40)), (start, end.plus(end, 1)),
                     (count.times(1 << 60), 1 << 63)):
            self.assertRaises(Undecided, is_less, a, b, 0)

    def test_blocks_done(self) -> None:
        """The start of the data plus an offset is where the next block is."""
        Lin.least, Lin.size, Lin.bases = 3, 64, (64, 1 << 20)
        begin, offset = Lin(0, (0, 1), 0, -64, 64), Lin(0, (), 0, 64, 64)
        self.assertEqual(begin.moved(2, 64), begin)
        self.assertEqual(offset.moved(2, 64), Lin(128, (), 0, 64, 64))
        self.assertRaises(Undecided, begin.address)
        self.assertEqual(begin.plus(offset).address(), 1 << 20)
        self.assertRaises(Undecided, Lin(0, (-1, 1), 0, 0, 64).address)
        self.assertRaises(Undecided, offset.is_zero)
        self.assertFalse(offset.plus(64).is_zero())

    def test_low_bits(self) -> None:
        """Who asks for low bits of an address is noted."""
        Lin.bases, Lin.asked_low = (67,), False
        self.assertEqual(Lin(3, (), 64, 0, 64).masked(7), 3)
        self.assertFalse(Lin.asked_low)
        self.assertEqual(Lin(0, (1,), 0, 0, 64).masked(7), 3)
        self.assertTrue(Lin.asked_low)


class Standards(unittest.TestCase):
    """The standards on integers are what Python's hashlib computes."""

    def check(self, name: str, size: int, initial, function) -> None:
        """Messages of many lengths."""
        block = size * 16
        for length in [0, 1, 55, 56, 63, 64, 111, 112, 119, 127, 128, 300]:
            data = bytes(RANDOM.getrandbits(8) for _ in range(length))
            padded = data + b"\x80" + bytes(
                (-length - 1 - 2 * size) % block) \
                + (8 * length).to_bytes(2 * size, "big")
            state = list(initial)
            for at in range(0, len(padded), block):
                state = function(state, words(padded[at:at + block], size),
                                 quiet)
            digest = b"".join(word.to_bytes(size, "big") for word in state)
            self.assertEqual(digest, hashlib.new(name, data).digest())

    def test_sha1(self) -> None:
        """FIPS 180-4, 6.1."""
        self.check("sha1", 4, spec.SHA1_INITIAL, spec.sha1)

    def test_sha256(self) -> None:
        """FIPS 180-4, 6.2."""
        self.check("sha256", 4, spec.SHA256_INITIAL, spec.sha256)

    def test_sha512(self) -> None:
        """FIPS 180-4, 6.4."""
        self.check("sha512", 8, spec.SHA512_INITIAL, spec.sha512)

    def test_siphash(self) -> None:
        """The paper's appendix A; Python's own hash, keyed with zeros, also."""
        key = [0x0706050403020100, 0x0f0e0d0c0b0a0908]
        data = bytes(range(15))
        last = int.from_bytes(data[8:] + b"\x0f", "little")
        v = spec.siphash_start(key, False)
        v = spec.siphash_words(v, [0x0706050403020100, last], 2, quiet)
        self.assertEqual(spec.siphash_end(v, 4, False, quiet),
                         [0xa129ca6149be45e5])


if __name__ == "__main__":
    unittest.main()
