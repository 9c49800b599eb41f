# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Pointers and counters that are not fixed: numbers linear in two unknowns.

    value  =  const + d * D + r * R      (mod 2^width)

D is the address of a block of the input, R the number of blocks from there to
the end, of which only R >= Lin.least is assumed. Such values are added,
subtracted, scaled by known factors and compared; a comparison must come out the
same for every R. D and R * (block size) are below 2^width, so that differences
of addresses inside of the input do not wrap.
"""
from __future__ import annotations

from typing import Union


class Undecided(Exception):
    """This would depend on the number of blocks or on where they lie."""


class Lin:
    """A linear value; at least one of d and r is not 0.

    As addresses in the runs, D and R have fixed values (base, count) so far
    apart from everything else that an address which depends on R is outside of
    the memory that is there.
    """

    __slots__ = ("const", "d", "r", "width")

    least = 1                 # the assumption: R >= least
    base = 0                  # D where it is used as an address
    count = 1 << 20           # R where it is used as an address
    size = 64                 # bytes in a block
    serial = -1               # for the order of operands in terms.py
    node = None

    def __init__(self, const: int, d: int, r: int, width: int) -> None:
        self.const = const
        self.d = d
        self.r = r
        self.width = width

    def __repr__(self) -> str:
        return "%d%+d*D%+d*R" % (self.const, self.d, self.r)

    def __hash__(self) -> int:
        return hash((self.const, self.d, self.r, self.width))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lin) and (
            self.const, self.d, self.r, self.width) == (
                other.const, other.d, other.r, other.width)

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
            return make(self.const + factor * other.const,
                        self.d + factor * other.d,
                        self.r + factor * other.r, self.width)
        return make(self.const + factor * other, self.d, self.r, self.width)

    def times(self, factor: int) -> Union[int, "Lin"]:
        """factor * self."""
        return make(factor * self.const, factor * self.d, factor * self.r,
                    self.width)

    def masked(self, mask: int) -> int:
        """self & mask, for the low bits that D and R leave alone."""
        if mask < 64 and self.r % (mask + 1) == 0:
            return self.const + self.d * self.base & mask
        raise Undecided("bits of a pointer or counter")

    def moved(self, blocks: int, size: int) -> Union[int, "Lin"]:
        """The same with D + blocks * size for D and R - blocks for R."""
        return make(self.const + self.d * blocks * size - self.r * blocks,
                    self.d, self.r, self.width)

    def address(self) -> int:
        """The value at the fixed D and R."""
        if self.d not in (0, 1):
            raise Undecided("an address of %r" % self)
        return self.const + self.d * self.base + self.r * self.count \
            & self.bits

    def is_zero(self) -> bool:
        """self == 0, which must be false for every R >= least."""
        if self.d == 0 and self.r and (
                self.const % self.r or -self.const // self.r < self.least):
            return False
        raise Undecided("a comparison with zero of %r" % self)

    def sign(self) -> bool:
        """The top bit, which may be set for a large multiple of R, too."""
        if abs(self.r) >= self.size // 2:
            raise Undecided("the sign of %r" % self)
        return self.is_negative()

    def is_negative(self) -> bool:
        """Whether the number as such, not modulo 2^width, is below 0."""
        if self.d == 0 and self.r > 0 \
                and self.r * self.least + self.const >= 0:
            return False
        if self.d == 0 and self.r < 0 \
                and self.r * self.least + self.const < 0:
            return True
        raise Undecided("the sign of %r" % self)


def make(const: int, d: int, r: int, width: int) -> Union[int, Lin]:
    """A linear value, or an integer if it depends on nothing."""
    full = (1 << width) - 1
    const &= full
    if not d and not r:
        return const
    if const >> (width - 1):
        const -= 1 << width
    return Lin(const, d, r, width)


def signed(value: int, width: int) -> int:
    """The value as a signed number."""
    return value - (1 << width) if value >> (width - 1) else value
