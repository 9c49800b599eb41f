# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The standards, over terms or over integers alike.

FIPS 180-4 (Secure Hash Standard, August 2015) and "SipHash: a fast short-input
PRF" (Aumasson and Bernstein, 2012). Every function takes a callback
note(name, value) that hears the named intermediate values.
"""
from __future__ import annotations

from math import isqrt
from typing import Callable, Sequence

from sums import add, add_all, cut, sub
from terms import Value, and_, not_, rol, ror, shr, xor

Note = Callable[[str, Value], None]


def primes(count: int) -> list[int]:
    """The first primes."""
    found: list[int] = []
    n = 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def root_bits(p: int, root: int, bits: int) -> int:
    """The first bits of the fraction of the square or cube root of p."""
    scaled = p << (root * bits)
    if root == 2:
        value = isqrt(scaled)
    else:
        low, high = 0, 1 << (bits + 8)
        while high - low > 1:
            middle = (low + high) // 2
            if middle ** 3 <= scaled:
                low = middle
            else:
                high = middle
        value = low
    return value & ((1 << bits) - 1)


# Sections 4.2.1 to 4.2.3
SHA1_K = (0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6)
SHA256_K = tuple(root_bits(p, 3, 32) for p in primes(64))
SHA512_K = tuple(root_bits(p, 3, 64) for p in primes(80))

# Section 5.3, for the comparison with other implementations
SHA1_INITIAL = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
SHA256_INITIAL = tuple(root_bits(p, 2, 32) for p in primes(8))
SHA512_INITIAL = tuple(root_bits(p, 2, 64) for p in primes(8))


def ch(x: Value, y: Value, z: Value, width: int) -> Value:
    """Equations (4.1), (4.2), (4.8)."""
    return xor(and_(x, y), and_(not_(x, width), z))


def parity(x: Value, y: Value, z: Value) -> Value:
    """Equation (4.1)."""
    return xor(xor(x, y), z)


def maj(x: Value, y: Value, z: Value) -> Value:
    """Equations (4.1), (4.3), (4.9)."""
    return xor(xor(and_(x, y), and_(x, z)), and_(y, z))


def sha1_f(t: int, x: Value, y: Value, z: Value) -> Value:
    """Equation (4.1)."""
    if t < 20:
        return ch(x, y, z, 32)
    if 40 <= t < 60:
        return maj(x, y, z)
    return parity(x, y, z)


def sha1_schedule(block: Sequence[Value], note: Note, where: str
                  ) -> list[Value]:
    """Section 6.1.2, step 1: W[0..79]."""
    words = list(block)
    for t in range(16, 80):
        words.append(rol(parity(xor(words[t - 3], words[t - 8]),
                                words[t - 14], words[t - 16]), 1, 32))
        note("%sW[%d]" % (where, t), words[t])
    return words


def sha1_rounds(state: Sequence[Value], words: Sequence[Value], note: Note,
                where: str, first: int = 0, last: int = 80) -> list[Value]:
    """Section 6.1.2, steps 2 and 3: the working variables after the rounds
    first to last - 1; all of them if not said."""
    a, b, c, d, e = state
    for t in range(first, last):
        total = add_all((rol(a, 5, 32), sha1_f(t, b, c, d), e,
                         SHA1_K[t // 20], words[t]), 32)
        a, b, c, d, e = total, a, rol(b, 30, 32), c, d
        note("%sround %d: a" % (where, t), a)
    return [a, b, c, d, e]


def sha1_rounds_back(state: Sequence[Value], words: Sequence[Value],
                     first: int, last: int) -> list[Value]:
    """The working variables before the rounds first to last - 1."""
    a, b, c, d, e = state
    for t in reversed(range(first, last)):
        a, b, c, d, total = b, rol(c, 2, 32), d, e, a
        for part in (rol(a, 5, 32), sha1_f(t, b, c, d), SHA1_K[t // 20],
                     words[t]):
            total = sub(total, part, 32)
        e = total
    return [a, b, c, d, e]


def sha1(state: Sequence[Value], block: Sequence[Value], note: Note,
         where: str = "") -> list[Value]:
    """Section 6.1.2: the next chaining value."""
    words = sha1_schedule(block, note, where)
    after = sha1_rounds(state, words, note, where)
    return _feed_forward(state, after, 32, note, where)


def _feed_forward(state: Sequence[Value], after: Sequence[Value], width: int,
                  note: Note, where: str) -> list[Value]:
    """The last step of each block; its results are cut (see sums.py)."""
    result = []
    for i, (old, new) in enumerate(zip(state, after)):
        total = add(old, new, width)
        cut(total)
        note("%sround 80: state[%d]" % (where, i), total)
        result.append(total)
    return result


def sigma(x: Value, width: int, *rotations: int) -> Value:
    """Equations (4.4), (4.5), (4.10), (4.11): three rotations."""
    result: Value = 0
    for k in rotations:
        result = xor(result, ror(x, k, width))
    return result


class Sha2:
    """SHA-256 (width 32) and SHA-512 (width 64)."""

    def __init__(self, width: int) -> None:
        self.width = width
        if width == 32:
            self.rounds, self.k = 64, SHA256_K
            self.big0, self.big1 = (2, 13, 22), (6, 11, 25)
            self.small0, self.small1 = (7, 18, 3), (17, 19, 10)
        else:
            self.rounds, self.k = 80, SHA512_K
            self.big0, self.big1 = (28, 34, 39), (14, 18, 41)
            self.small0, self.small1 = (1, 8, 7), (19, 61, 6)

    def small(self, x: Value, amounts: tuple[int, int, int]) -> Value:
        """Equations (4.6), (4.7), (4.12), (4.13)."""
        return xor(sigma(x, self.width, *amounts[:2]), shr(x, amounts[2]))

    def __call__(self, state: Sequence[Value], block: Sequence[Value],
                 note: Note, where: str = "") -> list[Value]:
        """Sections 6.2.2 and 6.4.2: the next chaining value."""
        width = self.width
        words = list(block)
        for t in range(16, self.rounds):
            words.append(add_all((self.small(words[t - 2], self.small1),
                                  words[t - 7],
                                  self.small(words[t - 15], self.small0),
                                  words[t - 16]), width))
            note("%sW[%d]" % (where, t), words[t])
        a, b, c, d, e, f, g, h = state
        for t in range(self.rounds):
            t1 = add_all((h, sigma(e, width, *self.big1), ch(e, f, g, width),
                          self.k[t], words[t]), width)
            t2 = add(sigma(a, width, *self.big0), maj(a, b, c), width)
            a, b, c, d, e, f, g, h = \
                add(t1, t2, width), a, b, c, add(d, t1, width), e, f, g
            note("%sround %d: e" % (where, t), e)
            note("%sround %d: a" % (where, t), a)
        return _feed_forward(state, (a, b, c, d, e, f, g, h), width, note,
                             where)


sha256 = Sha2(32)
sha512 = Sha2(64)


def sipround(v: list[Value]) -> list[Value]:
    """Section 2.2, figure 2.1."""
    v0, v1, v2, v3 = v
    v0 = add(v0, v1, 64)
    v2 = add(v2, v3, 64)
    v1 = xor(rol(v1, 13, 64), v0)
    v3 = xor(rol(v3, 16, 64), v2)
    v0 = rol(v0, 32, 64)
    v2 = add(v2, v1, 64)
    v0 = add(v0, v3, 64)
    v1 = xor(rol(v1, 17, 64), v2)
    v3 = xor(rol(v3, 21, 64), v0)
    v2 = rol(v2, 32, 64)
    return [v0, v1, v2, v3]


SIPHASH_CONSTANTS = (0x736f6d6570736575, 0x646f72616e646f6d,
                     0x6c7967656e657261, 0x7465646279746573)


def siphash_start(key: Sequence[Value], wide: bool) -> list[Value]:
    """Section 2.1: the state before the first word; wide: 128-bit result."""
    v = [xor(SIPHASH_CONSTANTS[i], key[i & 1]) for i in range(4)]
    if wide:
        v[1] = xor(v[1], 0xee)
    return v


def siphash_words(v: list[Value], words: Sequence[Value], rounds: int,
                  note: Note, where: str = "") -> list[Value]:
    """Section 2.2: compression of message words."""
    for i, word in enumerate(words):
        v[3] = xor(v[3], word)
        for r in range(rounds):
            v = sipround(v)
            for j in (0, 1, 2, 3):
                note("%sword %d, round %d: v%d" % (where, i, r, j), v[j])
        v[0] = xor(v[0], word)
    return v


def siphash_end(v: list[Value], rounds: int, wide: bool, note: Note,
                where: str = "") -> list[Value]:
    """Section 2.3: finalization; one or two words."""
    results = []
    for half in range(2 if wide else 1):
        if half:
            v[1] = xor(v[1], 0xdd)
        else:
            v[2] = xor(v[2], 0xee if wide else 0xff)
        for r in range(rounds):
            v = sipround(v)
            for j in (0, 1, 2, 3):
                note("%sfinalization %d, round %d: v%d" % (where, half, r, j),
                     v[j])
        results.append(xor(xor(v[0], v[1]), xor(v[2], v[3])))
    return results
