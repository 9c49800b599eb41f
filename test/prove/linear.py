# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Pointers and counters that are not fixed: numbers linear in some unknowns.

    value  =  const + d0 * D0 + d1 * D1 + ... + r * R + k * K   (mod 2^width)

Di is the address of the next block of input i (most kernels have one, those of
several messages one for each), R the number of blocks from there to the end, of
which only R >= Lin.least is assumed, K >= 0 the number of blocks before. Such
values are added, subtracted, scaled by known factors and compared; a comparison
must come out the same for every R and K. An input does not begin or end within
MARGIN blocks of either end of the address space, so that differences of
addresses in and close to an input do not wrap, nor does (R + K + MARGIN) * size.
"""
from __future__ import annotations

from typing import Iterable, Sequence, Union


MARGIN = 4


class Undecided(Exception):
    """This would depend on the number of blocks or on where they lie."""


class Lin:
    """A linear value; not all of d, r and k are 0. d ends in no 0."""

    __slots__ = ("const", "d", "r", "k", "width")

    least = 1                 # the assumption: R >= least
    bases: Sequence[int] = ()     # the Di where they are used as addresses
    size = 64                 # bytes in a block
    asked_low = False         # low bits of a Di were asked for
    serial = -1               # for the order of operands in terms.py
    node = None

    def __init__(self, const: int, d: tuple[int, ...], r: int, k: int,
                 width: int) -> None:
        self.const = const
        self.d = d
        self.r = r
        self.k = k
        self.width = width

    def __repr__(self) -> str:
        return "%d%s%+d*R%+d*K" % (self.const, "".join(
            "%+d*D%d" % (d, i) for i, d in enumerate(self.d) if d),
            self.r, self.k)

    def __hash__(self) -> int:
        return hash((self.const, self.d, self.r, self.k, self.width))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lin) and (
            self.const, self.d, self.r, self.k, self.width) == (
                other.const, other.d, other.r, other.k, other.width)

    @property
    def bits(self) -> int:
        """All bits may be set."""
        return (1 << self.width) - 1

    @property
    def monos(self) -> dict[int, int]:
        """A linear value is no term."""
        raise Undecided("a pointer or counter is used as data")

    def plus(self, other: Union[int, "Lin"], factor: int = 1
             ) -> Union[int, "Lin"]:
        """self + factor * other."""
        if isinstance(other, Lin):
            if other.width != self.width:
                raise Undecided("pointers or counters of different widths")
            count = max(len(self.d), len(other.d))
            mine, others = [each + (0,) * (count - len(each))
                            for each in (self.d, other.d)]
            return make(self.const + factor * other.const,
                        tuple([x + factor * y for x, y in zip(mine, others)]),
                        self.r + factor * other.r, self.k + factor * other.k,
                        self.width)
        if not isinstance(other, int):
            raise Undecided("a pointer or counter meets data")
        return make(self.const + factor * other, self.d, self.r, self.k,
                    self.width)

    def times(self, factor: int) -> Union[int, "Lin"]:
        """factor * self."""
        return make(factor * self.const, tuple([factor * d for d in self.d]),
                    factor * self.r, factor * self.k, self.width)

    def masked(self, mask: int) -> int:
        """self & mask, for the low bits that R and K leave alone."""
        if mask < 64 and not mask & (mask + 1) \
                and self.r % (mask + 1) == 0 == self.k % (mask + 1):
            if any(d % (mask + 1) for d in self.d):
                Lin.asked_low = True
            return self._at_bases() & mask
        raise Undecided("bits of a pointer or counter")

    def moved(self, blocks: int, size: int) -> Union[int, "Lin"]:
        """The same when that many blocks more have been done: with
        Di + blocks * size for Di, R - blocks for R and K + blocks for K."""
        return make(self.const + sum(self.d) * blocks * size
                    - self.r * blocks + self.k * blocks,
                    self.d, self.r, self.k, self.width)

    def settled(self, left: int) -> Union[int, "Lin"]:
        """The value at the bases for that R; K is still any number."""
        return make(self._at_bases() + self.r * left, (), 0, self.k,
                    self.width)

    def _at_bases(self) -> int:
        return self.const + sum(d * base for d, base
                                in zip(self.d, self.bases))

    def address(self) -> int:
        """The value at the bases, as an address."""
        if self.r or self.k or sum(self.d) != 1 or any(
                d not in (0, 1) for d in self.d):
            raise Undecided("an address of %r" % self)
        return self._at_bases() & self.bits

    def is_zero(self) -> bool:
        """self == 0, which must be false for every R >= least and K >= 0."""
        if self.d or max(abs(self.r), abs(self.k)) > self.size \
                or abs(self.const) > MARGIN * self.size:
            raise Undecided("a comparison with zero of %r" % self)
        low, high = self._range()
        if low is not None and low > 0 or high is not None and high < 0:
            return False
        if not self.k and self.const % self.r:
            return False
        raise Undecided("a comparison with zero of %r" % self)

    def _range(self) -> tuple[Union[int, None], Union[int, None]]:
        """The least and the largest number that this may be; None: no limit."""
        first = self.const + self.r * self.least
        return (first if self.r >= 0 <= self.k else None,
                first if self.r <= 0 >= self.k else None)

    def sign(self) -> bool:
        """The top bit, which may be set for a large multiple of R, too."""
        if max(abs(self.r), abs(self.k)) >= self.size // 2:
            raise Undecided("the sign of %r" % self)
        return self.is_negative()

    def is_negative(self) -> bool:
        """Whether the number as such, not modulo 2^width, is below 0."""
        if not any(self.d):
            low, high = self._range()
            if low is not None and low >= 0:
                return False
            if high is not None and high < 0:
                return True
        raise Undecided("the sign of %r" % self)


def _is_plain(value: Union[int, Lin]) -> bool:
    """True for a number that does not wrap: a count, or an address in or close
    to an input, by the module's assumptions."""
    if isinstance(value, int):
        return True
    if not value.d:
        return max(abs(value.r), abs(value.k)) <= value.size \
            and abs(value.const) <= MARGIN * value.size \
            and not value.is_negative()
    return sum(value.d) == 1 and all(d in (0, 1) for d in value.d) \
        and 0 <= value.r <= value.size and 0 <= -value.k <= value.size \
        and abs(value.const) <= MARGIN * value.size


def is_less(a: Union[int, Lin], b: Union[int, Lin], c: int) -> bool:
    """a < b + c as unsigned numbers; one at least is linear."""
    if not _is_plain(a) or not _is_plain(b):
        raise Undecided("the order of %r and %r" % (a, b))
    first, second = [value if isinstance(value, Lin)
                     else Lin(value, (), 0, 0, 0) for value in (a, b)]
    count = max(len(first.d), len(second.d))
    return Lin(first.const - second.const - c,
               tuple([sum(first.d[i:i + 1]) - sum(second.d[i:i + 1])
                      for i in range(count)]),
               first.r - second.r, first.k - second.k, 0).is_negative()


def total(parts: Iterable[tuple[Union[int, Lin], int]], width: int
          ) -> Union[int, Lin]:
    """The sum of value * factor."""
    found: Union[int, Lin] = 0
    for value, factor in parts:
        part = value.times(factor) if isinstance(value, Lin) \
            else value * factor
        if isinstance(part, Lin):
            found = part.plus(found)
        elif isinstance(found, Lin):
            found = found.plus(part)
        else:
            found += part
    return found if isinstance(found, Lin) else found & ((1 << width) - 1)


def make(const: int, d: tuple[int, ...], r: int, k: int, width: int
         ) -> Union[int, Lin]:
    """A linear value, or an integer if it depends on nothing."""
    full = (1 << width) - 1
    const &= full
    while d and not d[-1]:
        d = d[:-1]
    if not d and not r and not k:
        return const
    if const >> (width - 1):
        const -= 1 << width
    return Lin(const, d, r, k, width)


def signed(value: int, width: int) -> int:
    """The value as a signed number."""
    return value - (1 << width) if value >> (width - 1) else value
