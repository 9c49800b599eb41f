# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The families of kernels: prototype, cases to run, and what must come out.

A case is one call with fixed pointers, counts and alignments, for all contents
of memory. Families lay out the memory of a case and compare it afterwards.
"""
from __future__ import annotations

from typing import Callable, Iterator, Optional, Sequence

import spec
import terms
from abi import Abi
from machine import Machine
from memory import Memory, Region
from terms import Term, Value, bswap, field, symbol, xor

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
        self.rounds = 0

    def with_rounds(self, rounds: int) -> "Case":
        """The same, with a number of rounds."""
        self.rounds = rounds
        return self

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

    def oracle(self, case: Case, machine: Machine
               ) -> Optional[Callable[[Value], bool]]:
        """What decides conditions on data; None: there must be none."""
        return None

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
            _fill(memory, base + size * i, size, value, narrow)


class LoopFamily(Family):
    """A family whose kernels go through blocks from a state to a state.

    chain[b] is the state after b blocks, each word of it a node.
    """

    block_words: int
    block_bytes: int
    data: Words
    chain: list[list[Value]]

    def looped(self, blocks: int) -> Case:
        """The call with that many blocks that the induction is about."""
        return Case(blocks)


class BlockFamily(LoopFamily):
    """void hk_x(state, data, nblocks), for SHA-1, SHA-256 and SHA-512."""

    block_words = 16

    def __init__(self, width: int, state_words: int, standard) -> None:
        self.width = width
        self.state_words = state_words
        self.standard = standard
        self.most = 6                 # blocks that have names
        self.block_bytes = 2 * width

    def prepare(self) -> None:
        self.state = Words("the state", self.width, "state", False)
        self.data = Words("the data", self.width, "message", True)
        self.chain = [
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
        for blocks in range(self.most):
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


class SipFamily(Family):
    """uint64_t hk_x(key, data, length): SipHash of a whole message.

    The blocks of a case are bytes.
    """

    def __init__(self, c_rounds: int, d_rounds: int) -> None:
        self.c_rounds = c_rounds
        self.d_rounds = d_rounds

    def prepare(self) -> None:
        self.key = [symbol("key[%d]" % i, 64, "state") for i in range(2)]
        self.words = [symbol("word %d" % i, 64, "message") for i in range(20)]

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for length in [*range(34), *range(40, 97, 8), 255, 256, 257]:
            yield Case(length, 0, 0, length in (0, 2, 5, 29))
        for data in range(1, 8):
            for length in (1, 3, 7, 8, 21):
                yield Case(length, data, 0)
        for stack in range(1, stacks):
            yield Case(13, 0, stack)

    def _word(self, i: int) -> Term:
        while len(self.words) <= i:
            self.words.append(symbol("word %d" % len(self.words), 64,
                                     "message"))
        return self.words[i]

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        base, length = DATA + case.data, case.blocks
        memory.add_region(Region("the data", base, length, False,
                                 narrow=strict))
        for i in range((length + 7) // 8):
            size = min(8, length - 8 * i)
            _fill(memory, base + 8 * i, size,
                  field(self._word(i), 0, 8 * size), strict)
        key = OTHER + case.data
        memory.add_region(Region("the key", key, 16, False, narrow=strict))
        for i in range(2):
            _fill(memory, key + 8 * i, 8, self.key[i], strict)

    def arguments(self, case: Case, word: int) -> Sequence[tuple[int, int]]:
        return ((OTHER + case.data, word), (DATA + case.data, word),
                (case.blocks, word))

    def _standard(self, case: Case, note: spec.Note) -> list[Value]:
        length = case.blocks
        words: list[Value] = [self._word(i) for i in range(length // 8)]
        last: Value = (length & 255) << 56
        if length % 8:
            last = xor(last, field(self._word(length // 8), 0,
                                   8 * (length % 8)))
        v = spec.siphash_start(self.key, False)
        v = spec.siphash_words(v, words + [last], self.c_rounds, note)
        return spec.siphash_end(v, self.d_rounds, False, note)

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        wanted = self._standard(case, lambda name, value: None)
        if abi.result(8) is not wanted[0]:
            raise Mismatch("the result is not the standard's")

    def names(self, case: Case) -> list[tuple[str, Value]]:
        names = Names()
        self._standard(case, names)
        return names.list

    def describe(self, cases: Sequence[Case]) -> str:
        return "%d lengths" % len({case.blocks for case in cases})


class SipNames:
    """Names for the state after each word of SipHash.

    A term that is v0..v3 after some word, or that added to the next word, is
    replaced by the name. Whoever asks is terms.py.
    """

    def __init__(self) -> None:
        self.names: dict[Value, Term] = {}
        self.next: list[Value] = []       # words that may be added

    def name(self, value: Value, term: Value) -> None:
        """The term names a value of 64 bits, its halves name both halves."""
        self.names[value] = term
        for low in (0, 32):
            self.names[field(value, low, 32)] = field(term, low, 32)

    def known_as(self, value: Value) -> Value:
        """The name of a value, if it has one."""
        found = self.names.get(value)
        if found is not None or type(value) is not Term:
            return value if found is None else found
        terms.set_plugin(None)
        try:
            for word in self.next:
                found = self.names.get(xor(value, word))
                if found is not None:
                    return xor(found, word)
        finally:
            terms.set_plugin(self)
        return value

    def and_(self, a: Value, b: Value) -> None:
        """Nothing to say."""

    or_ = and_


class AbsorbFamily(LoopFamily):
    """void hk_x(state, data, nwords, rounds): SipHash compression.

    For the induction, `rounds` is fixed, and the state after each word named.
    """

    block_words = 1
    block_bytes = 8
    rounds = 2

    def prepare(self) -> None:
        self.state = Words("the state", 64, "state", False)
        self.data = Words("the data", 64, "message", False)

    def name_chain(self, rounds: int) -> None:
        """Names the states, as the induction wants it."""
        self.rounds = rounds
        plugin = SipNames()
        self.chain = [[self.state.word(i) for i in range(4)]]
        for at in range(6):
            word = self.data.word(at)
            plugin.next += [word, field(word, 0, 32), field(word, 32, 32)]
            news = [symbol("word %d, v%d" % (at, i), 64, "state")
                    for i in range(4)]
            # The second time, v0 is a name when the others are made of it.
            for plug in (None, plugin):
                terms.set_plugin(plug)
                terms.forget_results()
                after = spec.siphash_words(
                    list(self.chain[-1]), [word], rounds,
                    lambda name, value: None)
                terms.set_plugin(None)
                for value, new in zip(after, news):
                    if value is not new:
                        plugin.name(value, new)
            self.chain.append(news)
        terms.forget_results()
        terms.set_plugin(plugin)

    def looped(self, blocks: int) -> Case:
        return Case(blocks).with_rounds(self.rounds)

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for rounds in (1, 2, 3, 4, 5):
            for blocks in range(6):
                yield Case(blocks, 0, 0, blocks < 3).with_rounds(rounds)
        for data in range(1, 8):
            yield Case(2, data, 0).with_rounds(2)
        for stack in range(1, stacks):
            yield Case(2, 0, stack).with_rounds(2)

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        self.state.put(memory, STATE, 4, True, False)
        self.data.put(memory, DATA + case.data, case.blocks, False, strict)

    def arguments(self, case: Case, word: int) -> Sequence[tuple[int, int]]:
        return ((STATE, word), (DATA + case.data, word), (case.blocks, word),
                (case.rounds, 4))

    def _standard(self, case: Case, note: spec.Note) -> list[Value]:
        return spec.siphash_words(
            [self.state.word(i, "v%d" % i) for i in range(4)],
            [self.data.word(i) for i in range(case.blocks)], case.rounds,
            note)

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        if terms.PLUGIN is not None:
            wanted = self.chain[case.blocks]
        else:
            wanted = self._standard(case, lambda name, value: None)
        for i in range(4):
            if memory.peek(STATE + 8 * i, 8) is not wanted[i]:
                raise Mismatch("v%d is not the standard's" % i)

    def names(self, case: Case) -> list[tuple[str, Value]]:
        names = Names()
        self._standard(case, names)
        return names.list

    def describe(self, cases: Sequence[Case]) -> str:
        return "%d..%d words" % (min(c.blocks for c in cases),
                                 max(c.blocks for c in cases))


def _fill(memory: Memory, base: int, size: int, value: Value,
          narrow: bool) -> None:
    """Puts a value in memory, as bytes if it must be read as bytes."""
    if narrow:
        for byte in range(size):
            memory.fill(base + byte, 1, field(value, 8 * byte, 8))
    else:
        memory.fill(base, size, value)


FAMILIES: dict[str, Family] = {
    "sha1": BlockFamily(32, 5, spec.sha1),
    "sha256": BlockFamily(32, 8, spec.sha256),
    "sha512": BlockFamily(64, 8, spec.sha512),
    "siphash24": SipFamily(2, 4),
    "siphash13": SipFamily(1, 3),
    "sipabsorb": AbsorbFamily(),
}
