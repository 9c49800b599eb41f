# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The families of kernels: prototype, cases to run, and what must come out.

A case is one call with fixed pointers, counts and alignments, for all contents
of memory. Families lay out the memory of a case and compare it afterwards.
"""
from __future__ import annotations

from typing import Iterator, Optional, Sequence

import spec
from abi import Abi
from memory import Memory, Region
from terms import Term, Value, bswap, field, symbol

DATA = 0x10000000
STATE = 0x20000000
OTHER = 0x30000000


class Case:
    """One call.

    blocks    how many blocks, or bytes for SipHash
    data      address of the input modulo 64
    stack     index of the stack position
    unwind    compare the unwind table at every instruction
    """

    def __init__(self, blocks: int, data: int = 0, stack: int = 0,
                 unwind: bool = False) -> None:
        self.blocks = blocks
        self.data = data
        self.stack = stack
        self.unwind = unwind

    def __str__(self) -> str:
        return "%d blocks, data at 64k+%d, stack position %d" % (
            self.blocks, self.data, self.stack)


class Names:
    """The named intermediate values of the standard, in order."""

    def __init__(self) -> None:
        self.list: list[tuple[str, Value]] = []

    def __call__(self, name: str, value: Value) -> None:
        self.list.append((name, value))


class Mismatch(Exception):
    """A result that is not the standard's."""


class Family:
    """What the kernels of one algorithm have in common."""

    def prepare(self) -> None:
        """Makes the input symbols and the results of the standard."""
        raise NotImplementedError

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        """The calls to prove."""
        raise NotImplementedError

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        """Lays out the memory of a case."""
        raise NotImplementedError

    def arguments(self, case: Case, word: int) -> Sequence[tuple[int, int]]:
        """The arguments of a case: (value, bytes)."""
        raise NotImplementedError

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        """Compares the results; Mismatch if they differ."""
        raise NotImplementedError

    def names(self, case: Case) -> list[tuple[str, Value]]:
        """The named values that a case computes."""
        raise NotImplementedError

    def describe(self, cases: Sequence[Case]) -> str:
        """What was proved, for the report."""
        raise NotImplementedError


class Words:
    """A region filled with words: symbols in the byte order given."""

    def __init__(self, name: str, width: int, kind: str, big: bool) -> None:
        self.name = name
        self.width = width
        self.kind = kind
        self.big = big
        self.words: list[Term] = []

    def word(self, i: int, name: Optional[str] = None) -> Term:
        """Word i; made on first use."""
        while len(self.words) <= i:
            self.words.append(symbol(
                name or "%s[%d]" % (self.name, len(self.words)), self.width,
                self.kind))
        return self.words[i]

    def put(self, memory: Memory, base: int, count: int, writable: bool,
            narrow: bool) -> None:
        """Maps count words at base."""
        size = self.width // 8
        memory.add_region(Region(self.name, base, size * count, writable,
                                 narrow=narrow))
        for i in range(count):
            value: Value = self.word(i)
            if self.big:
                value = bswap(value, self.width)
            if narrow:
                for byte in range(size):
                    memory.fill(base + size * i + byte, 1,
                                field(value, 8 * byte, 8))
            else:
                memory.fill(base + size * i, size, value)


class BlockFamily(Family):
    """void hk_x(state, data, nblocks), for SHA-1, SHA-256 and SHA-512."""

    def __init__(self, width: int, state_words: int, standard) -> None:
        self.width = width
        self.state_words = state_words
        self.standard = standard
        self.most = 5

    def prepare(self) -> None:
        self.state = Words("the state", self.width, "state", False)
        self.data = Words("the data", self.width, "message", True)
        self.chain: list[list[Value]] = [
            [self.state.word(i, "H[%d]" % i)
             for i in range(self.state_words)]]
        self.block_names: list[Names] = []
        for block in range(self.most):
            names = Names()
            words = [self.data.word(16 * block + t, "block %d W[%d]"
                                    % (block, t)) for t in range(16)]
            self.chain.append(self.standard(self.chain[-1], words, names,
                                            "block %d, " % block))
            self.block_names.append(names)

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for blocks in range(self.most + 1):
            yield Case(blocks, 0, 0, blocks in (0, 2))
        for stack in range(1, stacks):
            yield Case(2, 0, stack)
        for data in (1, 2, 3, 4, 8, 15, 16, 32, 63):
            yield Case(2, data, 0)
        yield Case(3, 1, stacks - 1)

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        self.state.put(memory, STATE, self.state_words, True, False)
        self.data.put(memory, DATA + case.data, 16 * case.blocks, False,
                      strict)

    def arguments(self, case: Case, word: int) -> Sequence[tuple[int, int]]:
        return ((STATE, word), (DATA + case.data, word), (case.blocks, word))

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        size = self.width // 8
        for i, wanted in enumerate(self.chain[case.blocks]):
            found = memory.peek(STATE + size * i, size)
            if found is not wanted:
                raise Mismatch("state[%d] is not the standard's" % i)

    def names(self, case: Case) -> list[tuple[str, Value]]:
        return [entry for block in range(case.blocks)
                for entry in self.block_names[block].list]

    def describe(self, cases: Sequence[Case]) -> str:
        return "%d..%d blocks" % (min(c.blocks for c in cases),
                                  max(c.blocks for c in cases))


FAMILIES: dict[str, Family] = {
    "sha1": BlockFamily(32, 5, spec.sha1),
    "sha256": BlockFamily(32, 8, spec.sha256),
    "sha512": BlockFamily(64, 8, spec.sha512),
}
