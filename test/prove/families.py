# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The families of kernels: prototype, cases to run, and what must come out.

A case is one call with fixed pointers, counts and alignments, for all contents
of memory. Families lay out the memory of a case and compare it afterwards.
"""
from __future__ import annotations

import re
from typing import Callable, Iterator, Optional, Sequence

import spec
import terms
from abi import Abi
from machine import Machine
from memory import Memory, Region
from terms import Term, Unsupported, Value, bswap, field, symbol, xor

DATA = 0x10000000         # the bases of regions; lane i has i * LANE more
STATE = 0x20000000
OTHER = 0x30000000
MORE = 0x31000000
LANE = 0x01000000


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

    def prepare(self, variant: str, word: int) -> None:
        """Makes the input symbols and the results of the standard, for a
        variant on a machine with words of that many bytes."""
        raise NotImplementedError

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        """The calls to prove."""
        raise NotImplementedError

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        """Lays out the memory of a case."""
        raise NotImplementedError

    def arguments(self, case: Case, word: int) -> Sequence[tuple[Value, int]]:
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


class Lane:
    """A message of a kernel that goes through blocks from a state to a state.

    chain[b] is the state after b blocks, each word of it a node.
    """

    def __init__(self, width: int, big: bool, name: str) -> None:
        self.name = name
        self.state = Words("the state" + name, width, "state", False)
        self.data = Words("the data" + name, width, "message", big)
        self.chain: list[list[Value]] = []
        self.block_names: list[Names] = []


class LoopFamily(Family):
    """A family whose kernels go through blocks."""

    block_words: int
    block_bytes: int
    lanes: list[Lane]

    def looped(self, blocks: int, data: int) -> Case:
        """The call with that many blocks that the induction is about."""
        return Case(blocks, data)

    def inductions(self) -> Iterator[None]:
        """Prepares for each induction that there is to do."""
        yield

    def bases(self, data: int) -> list[int]:
        """Where the data of each lane is, at that alignment."""
        return [DATA + data]

    def set_up_at(self, case: Case, memory: Memory, strict: bool,
                  pointers: Sequence[Value]) -> None:
        """Lays out a case; where there is an array of pointers to the data,
        these are in it."""
        self.set_up(case, memory, strict)

    def arguments(self, case: Case, word: int) -> Sequence[tuple[Value, int]]:
        return self.arguments_at(case, word, case.blocks,
                                 self.bases(case.data))

    def arguments_at(self, case: Case, word: int, count: Value,
                     pointers: Sequence[Value]
                     ) -> Sequence[tuple[Value, int]]:
        """The arguments with another number of blocks and other pointers."""
        raise NotImplementedError


class BlockFamily(LoopFamily):
    """void hk_x(state, data, nblocks), for SHA-1, SHA-256 and SHA-512."""

    block_words = 16

    def __init__(self, width: int, state_words: int, standard) -> None:
        self.width = width
        self.state_words = state_words
        self.standard = standard
        self.most = 6                 # blocks that have names
        self.block_bytes = 2 * width

    def prepare(self, variant: str, word: int) -> None:
        self.lanes = [self._lane("")]

    def _lane(self, name: str) -> Lane:
        """A message, with the standard's results."""
        lane = Lane(self.width, True, name and ", " + name)
        before = name and name + ", "
        lane.chain = [[lane.state.word(i, "%sH[%d]" % (before, i))
                       for i in range(self.state_words)]]
        for block in range(self.most):
            names = Names()
            where = "%sblock %d, " % (before, block)
            words = [lane.data.word(16 * block + t, "%sblock %d W[%d]"
                                    % (before, block, t)) for t in range(16)]
            lane.chain.append(self.standard(lane.chain[-1], words, names,
                                            where))
            lane.block_names.append(names)
        return lane

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for blocks in range(self.most):
            yield Case(blocks, 0, 0, blocks in (0, 2, 3))
        for stack in range(1, stacks):
            yield Case(2, 0, stack)
        for data in (1, 2, 3, 4, 8, 15, 16, 32, 63):
            yield Case(2, data, 0)
        yield Case(3, 1, stacks - 1)

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        for i, (lane, base) in enumerate(zip(self.lanes,
                                             self.bases(case.data))):
            lane.state.put(memory, self._state_at(case, i), self.state_words,
                           True, False)
            lane.data.put(memory, base, 16 * case.blocks, False, strict)

    def _state_at(self, case: Case, lane: int) -> int:
        """Where the state is: aligned to its words, and seldom to more."""
        off = 0 if case.data == 16 else self.width // 8
        return STATE + lane * LANE + off

    def arguments_at(self, case: Case, word: int, count: Value,
                     pointers: Sequence[Value]
                     ) -> Sequence[tuple[Value, int]]:
        return ((self._state_at(case, 0), word), (pointers[0], word),
                (count, word))

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        size = self.width // 8
        for number, lane in enumerate(self.lanes):
            for i, wanted in enumerate(lane.chain[case.blocks]):
                found = memory.peek(self._state_at(case, number) + size * i,
                                    size)
                if found is not wanted:
                    raise Mismatch("state[%d]%s is not the standard's"
                                   % (i, lane.name))

    def names(self, case: Case) -> list[tuple[str, Value]]:
        return [entry for lane in self.lanes for block in range(case.blocks)
                for entry in lane.block_names[block].list]

    def describe(self, cases: Sequence[Case]) -> str:
        return "%d..%d blocks" % (min(c.blocks for c in cases),
                                  max(c.blocks for c in cases))


class LanesFamily(BlockFamily):
    """void hk_x(state[], data[], nblocks): several messages at once.

    Their number is the digits at the end of the variant's name.
    """

    def prepare(self, variant: str, word: int) -> None:
        match = re.search(r"x(\d+)$", variant)
        if match is None:
            raise Unsupported("the variant does not end with a number of lanes")
        self.word = word
        self.lanes = [self._lane("lane %d" % i)
                      for i in range(int(match.group(1)))]

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for blocks in range(self.most):
            yield Case(blocks, 0, 0, blocks in (0, 2, 3))
        for stack in range(1, stacks):
            yield Case(1, 0, stack)
        for data in (1, 2, 4, 8, 16, 32):
            yield Case(1, data, 0)
        yield Case(2, 1, stacks - 1)

    def bases(self, data: int) -> list[int]:
        return [DATA + i * LANE + (data + i * (data & 1)) % 64
                for i in range(len(self.lanes))]

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        self.set_up_at(case, memory, strict, self.bases(case.data))

    def set_up_at(self, case: Case, memory: Memory, strict: bool,
                  pointers: Sequence[Value]) -> None:
        super().set_up(case, memory, strict)
        states = [self._state_at(case, i) for i in range(len(self.lanes))]
        for name, base, values in (
                ("the array of states", OTHER + self.word, states),
                ("the array of data", MORE + self.word, pointers)):
            memory.add_region(Region(name, base, self.word * len(values),
                                     False))
            for i, value in enumerate(values):
                memory.fill(base + self.word * i, self.word, value)

    def arguments_at(self, case: Case, word: int, count: Value,
                     pointers: Sequence[Value]
                     ) -> Sequence[tuple[Value, int]]:
        return ((OTHER + word, word), (MORE + word, word), (count, word))

    def describe(self, cases: Sequence[Case]) -> str:
        return "%d lanes, %s" % (len(self.lanes), super().describe(cases))


class SipFamily(Family):
    """uint64_t hk_x(key, data, length): SipHash of a whole message.

    The blocks of a case are bytes.
    """

    def __init__(self, c_rounds: int, d_rounds: int) -> None:
        self.c_rounds = c_rounds
        self.d_rounds = d_rounds

    def prepare(self, variant: str, word: int) -> None:
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

    def arguments(self, case: Case, word: int) -> Sequence[tuple[Value, int]]:
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
        wanted = self._standard(case, quiet)
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

    def prepare(self, variant: str, word: int) -> None:
        self.lanes = [Lane(64, False, "")]

    def inductions(self) -> Iterator[None]:
        for rounds in (1, 2, 3, 4):
            self._name_chain(rounds)
            yield

    def _name_chain(self, rounds: int) -> None:
        """Names the states, as the induction wants it."""
        self.rounds = rounds
        (lane,) = self.lanes
        plugin = SipNames()
        lane.chain = [[lane.state.word(i) for i in range(4)]]
        for at in range(6):
            word = lane.data.word(at)
            plugin.next += [word, field(word, 0, 32), field(word, 32, 32)]
            news: list[Value] = [symbol("word %d, v%d" % (at, i), 64, "state")
                                 for i in range(4)]
            # The second time, v0 is a name when the others are made of it.
            for plug in (None, plugin):
                terms.set_plugin(plug)
                terms.forget_results()
                after = spec.siphash_words(list(lane.chain[-1]), [word],
                                           rounds, quiet)
                terms.set_plugin(None)
                for value, new in zip(after, news):
                    if value is not new:
                        plugin.name(value, new)
            lane.chain.append(news)
        terms.forget_results()
        terms.set_plugin(plugin)

    def looped(self, blocks: int, data: int) -> Case:
        return Case(blocks, data).with_rounds(self.rounds)

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for rounds in (1, 2, 3, 4, 5):
            for blocks in range(6):
                yield Case(blocks, 0, 0, blocks < 3).with_rounds(rounds)
        for data in range(1, 8):
            yield Case(2, data, 0).with_rounds(2)
        for stack in range(1, stacks):
            yield Case(2, 0, stack).with_rounds(2)

    def set_up(self, case: Case, memory: Memory, strict: bool) -> None:
        (lane,) = self.lanes
        lane.state.put(memory, STATE + 8, 4, True, False)
        lane.data.put(memory, DATA + case.data, case.blocks, False, strict)

    def arguments_at(self, case: Case, word: int, count: Value,
                     pointers: Sequence[Value]
                     ) -> Sequence[tuple[Value, int]]:
        return ((STATE + 8, word), (pointers[0], word), (count, word),
                (case.rounds, 4))

    def _standard(self, case: Case, note: spec.Note) -> list[Value]:
        (lane,) = self.lanes
        return spec.siphash_words(
            [lane.state.word(i, "v%d" % i) for i in range(4)],
            [lane.data.word(i) for i in range(case.blocks)], case.rounds,
            note)

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        if terms.PLUGIN is not None:
            wanted = self.lanes[0].chain[case.blocks]
        else:
            wanted = self._standard(case, quiet)
        for i in range(4):
            if memory.peek(STATE + 8 + 8 * i, 8) is not wanted[i]:
                raise Mismatch("v%d is not the standard's" % i)

    def names(self, case: Case) -> list[tuple[str, Value]]:
        names = Names()
        self._standard(case, names)
        return names.list

    def describe(self, cases: Sequence[Case]) -> str:
        return "%d..%d words" % (min(c.blocks for c in cases),
                                 max(c.blocks for c in cases))


def quiet(name: str, value: Value) -> None:
    """Hears nothing."""


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
    "sha1x": LanesFamily(32, 5, spec.sha1),
    "sha256x": LanesFamily(32, 8, spec.sha256),
    "sha512x": LanesFamily(64, 8, spec.sha512),
    "siphash24": SipFamily(2, 4),
    "siphash13": SipFamily(1, 3),
    "sipabsorb": AbsorbFamily(),
}
