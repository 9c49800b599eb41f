# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The families of the collision-detecting SHA-1 kernels.

The kernels for one message may branch on one thing: whether a block satisfies the conditions
of a disturbance vector, and then, whether a trial confirms it. What is asked is
compared with the conjunction of the conditions in conditions.csv, bit by bit;
the run then goes on under an assumed mask. Each vector is assumed alone, and
some pairs. What a trial asks is compared with the standard's rounds, and both
answers are assumed.

Those with lanes branch on nothing. Their records are compared with the chaining
values and with the same conjunctions.
"""
from __future__ import annotations

import csv
import os
from typing import Callable, Iterator, Optional, Sequence

import spec
import sums
import terms
from abi import Abi
from affine import Affine, Bit
from families import (DATA, OTHER, STATE, Case, Family, Lane, LanesFamily,
                      Mismatch, Names, Words, quiet)
from loader import ROOT
from machine import Machine
from memory import Memory, Refuted, Region
from terms import Term, Value, rol, symbol, xor

VECTORS = 32
COMMON = (55, 56, 60, 64, 65, 68)     # steps at which trials start
Condition = tuple[int, int, int, int, int, int]


def read_conditions() -> list[Condition]:
    """i, bit of W[i], j, bit of W[j], value of their sum, vectors."""
    path = os.path.join(ROOT, "test", "sha1dc", "conditions.csv")
    with open(path, encoding="ascii", newline="") as file:
        return [(int(row["i"]), int(row["bit_i"]), int(row["j"]),
                 int(row["bit_j"]), int(row["value"]),
                 int(row["dv_mask"], 16)) for row in csv.DictReader(file)]


def read_vectors() -> list[tuple[int, list[int]]]:
    """For each vector the step where both blocks agree, and dm[0..79]."""
    path = os.path.join(ROOT, "test", "sha1dc", "disturbance-vectors.csv")
    with open(path, encoding="ascii", newline="") as file:
        return [(int(row["testt"]),
                 [int(row["dm%d" % t], 16) for t in range(80)])
                for row in csv.DictReader(file)]


def read_places() -> list[int]:
    """For each vector its bit in the records of kernels with lanes."""
    def place(kind: str, b: int, K: int) -> int:
        if b == 0:
            return K - 33 if kind == "I" else K - 25
        if kind == "I":
            return K - 46
        return 6 if K == 46 else K - 42
    path = os.path.join(ROOT, "test", "sha1dc", "disturbance-vectors.csv")
    with open(path, encoding="ascii", newline="") as file:
        return [place(row["type"], int(row["b"]), int(row["K"]))
                for row in csv.DictReader(file)]


def make_schedule(affine: Affine, first: list[Term], names: Names, where: str
                  ) -> list[Term]:
    """W[0..79] of a block from its words, as names."""
    words = list(first)
    for word in words:
        affine.word(word.node)
    for t in range(16, 80):
        value = rol(xor(spec.parity(words[t - 3], words[t - 8],
                                    words[t - 14]), words[t - 16]), 1, 32)
        word = affine.name("%sW[%d]" % (where.replace(",", ""), t), value)
        names("%sW[%d]" % (where, t), word)
        words.append(word)
    return words


def make_mask(affine: Affine, words: Sequence[Term],
              conditions: Sequence[Condition]) -> list[Bit]:
    """For each vector, the conjunction of its conditions."""
    def bit(t: int, place: int) -> int:
        return 1 << (affine.base[words[t].node] + place)
    return [affine.conjunction(
        [bit(i, p) ^ bit(j, q) ^ value
         for i, p, j, q, value, vectors in conditions
         if vectors >> vector & 1]) for vector in range(VECTORS)]


def make_sum(feed: Sequence[Value], after: Sequence[Value], names: Names,
             where: str) -> list[Value]:
    """The chaining value after a block."""
    total = []
    for i in range(5):
        value = sums.add(feed[i], after[i], 32)
        sums.cut(value)
        names("%sround 80: state[%d]" % (where, i), value)
        total.append(value)
    return total


class DcCase(Case):
    """A call with assumptions.

    masks      for each block, the mask that it is assumed to have
    confirmed  the answer to each trial, by block and then by vector; then
               False
    store      pass an array for the masks
    """

    def __init__(self, masks: Sequence[int], confirmed: Sequence[bool] = (),
                 data: int = 0, stack: int = 0, store: bool = True,
                 unwind: bool = False) -> None:
        super().__init__(len(masks), data, stack, unwind)
        self.masks = list(masks)
        self.confirmed = list(confirmed)
        self.store = store
        self.asked: set[int] = set()
        self.tried: set[tuple[int, int]] = set()

    def candidates(self) -> list[tuple[int, int]]:
        """Block and vector of each trial, in order."""
        return [(block, vector) for block, mask in enumerate(self.masks)
                for vector in range(VECTORS) if mask >> vector & 1]

    def answer(self, candidate: tuple[int, int]) -> bool:
        """Whether this trial confirms an attack."""
        at = self.candidates().index(candidate)
        return at < len(self.confirmed) and self.confirmed[at]

    def __str__(self) -> str:
        return "%s, masks %s, trials %s" % (
            super().__str__(), ["%x" % mask for mask in self.masks],
            self.confirmed)


class DcFamily(Family):
    """size_t hk_x(state[10], data, nblocks, masks)."""

    most = 5

    def prepare(self, variant: str, word: int) -> None:
        self.affine = Affine()
        terms.set_plugin(self.affine)
        conditions = read_conditions()
        self.data = Words("the data", 32, "message", True)
        state = [symbol("state[%d]" % i, 32, "state") for i in range(10)]
        self.state = state
        self.chain: list[list[Value]] = [list(state[:5])]
        self.feed: list[list[Value]] = [list(state[5:])]
        self.masks: list[list[Bit]] = []
        self.words: list[list[Term]] = []
        self.vectors = read_vectors()
        self.trials: dict[tuple[int, int], list[Value]] = {}
        self.block_names: list[Names] = []
        for block in range(self.most):
            names = Names()
            where = "block %d, " % block
            words = make_schedule(
                self.affine, [self.data.word(16 * block + t, "%sW[%d]" % (
                    where.replace(",", ""), t)) for t in range(16)], names,
                where)
            self.words.append(words)
            self.masks.append(make_mask(self.affine, words, conditions))
            after = spec.sha1_rounds(self.chain[block], words, names, where)
            total = make_sum(self.feed[block], after, names, where)
            self.chain.append(total)
            self.feed.append(total)
            self.block_names.append(names)
        terms.forget_results()     # which were found before there were names

    # ---- cases ---------------------------------------------------------------

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for blocks in range(self.most + 1):
            yield DcCase([0] * blocks, unwind=blocks in (0, 2, 3))
            yield DcCase([0] * blocks, store=False)
        for stack in range(1, stacks):
            yield DcCase([0, 0], stack=stack)
        for data in (1, 2, 3, 4, 15, 16, 32, 63):
            yield DcCase([0, 0], data=data)
        for vector in range(VECTORS):
            one = 1 << vector
            unwind = vector in (0, 31)
            yield DcCase([one], [False], unwind=unwind)
            yield DcCase([one, 0], [True], unwind=unwind)
            yield DcCase([one, 0], [False], unwind=unwind)
        for confirmed in (False, True):
            for vector in (0, 1, 8, 31):
                yield DcCase([0, 1 << vector], [confirmed])
                yield DcCase([0, 1 << vector, 0], [confirmed], store=False)
        for first, second in ((0, 1), (3, 31), (16, 17), (30, 31)):
            both = 1 << first | 1 << second
            yield DcCase([both, 0], [False, False], unwind=True)
            yield DcCase([both, 0], [False, True], unwind=True)
            yield DcCase([both], [True])
            yield DcCase([1 << first, 1 << second, 0], [False, False],
                         unwind=True)
        yield DcCase([0xffffffff, 0], [False] * 32)

    def set_up(self, case: DcCase, memory: Memory, strict: bool) -> None:
        memory.add_region(Region("the state", STATE + 4, 40, True))
        for i, word in enumerate(self.state):
            memory.fill(STATE + 4 + 4 * i, 4, word)
        self.data.put(memory, DATA + case.data, 16 * case.blocks, False,
                      strict)
        if case.store:
            memory.add_region(Region("the masks", OTHER + 4,
                                     4 * case.blocks, True))

    def arguments(self, case: DcCase, word: int) -> Sequence[tuple[int, int]]:
        return ((STATE + 4, word), (DATA + case.data, word),
                (case.blocks, word), (OTHER + 4 if case.store else 0, word))

    def oracle(self, case: DcCase, machine: Machine
               ) -> Optional[Callable[[Value], bool]]:
        case.asked, case.tried = set(), set()
        answers: dict[Value, bool] = {}

        def decide(value: Term) -> bool:
            if value in answers:
                return answers[value]
            block = self._asked(value, case)
            if block is not None:
                case.asked.add(block)
                self._assume(machine, case, block)
                answer = case.masks[block] == 0
            else:
                candidate = self._tried(value, case)
                if candidate is None:
                    raise Refuted("a condition depends on data: %r" % value)
                case.tried.add(candidate)
                answer = case.answer(candidate)
            answers[value] = answer
            return answer
        return decide

    def _asked(self, value: Term, case: DcCase) -> Optional[int]:
        """The block of which the value has exactly the mask's bits."""
        if not self.affine.handles(value):
            return None
        found = {bit for bit in self.affine.bits(value, value.bits).values()
                 if bit != (0, frozenset())}
        for block in range(case.blocks):
            if found == set(self.masks[block]):
                return block
        wanted = [set(mask) for mask in self.masks[:case.blocks]]
        best = max(range(len(wanted)), key=lambda i: len(wanted[i] & found))
        lack = [v for v in range(VECTORS)
                if self.masks[best][v] not in found]
        raise Mismatch("candidates of block %d: not the conditions of the "
                       "vectors %s" % (best, lack))

    # ---- trials --------------------------------------------------------------

    def _trial(self, block: int, vector: int) -> list[Value]:
        """What is all ones exactly if the trial confirms, in each form.

        The twin has W' = W ^ dm, and from a common state that of the block at
        a step. On from there to step 80, the chaining value at the end less
        that is the twin's chaining value before step 0; from that it must come
        to the common state again (each step has an inverse, so this is the
        same as going back from the common state and comparing at the end).
        """
        key = (block, vector)
        if key in self.trials:
            return self.trials[key]
        forms = self.trials[key] = []
        agree, differences = self.vectors[vector]
        words = self.words[block]
        twin = [xor(word, dm) for word, dm in zip(words, differences)]

        def rounds(state: Sequence[Value], schedule: Sequence[Value],
                   first: int, last: int) -> list[Value]:
            return spec.sha1_rounds(state, schedule, quiet, "", first, last)
        for common in COMMON:
            if any(differences[min(common, agree):max(common, agree)]):
                continue          # the blocks do not agree there
            state = rounds(self.chain[block], words, 0, common)
            for start in {common, 60}:
                begin = rounds(state, twin, common, start) \
                    if start >= common \
                    else spec.sha1_rounds_back(state, twin, start, common)
                after = rounds(begin, twin, start, 80)
                before = [sums.sub(out, value, 32) for out, value
                          in zip(self.chain[block + 1], after)]
                again = rounds(before, twin, 0, start)
                for turn in (0, 30):          # e, or a of four steps before
                    same = 0xffffffff
                    for i in range(5):
                        k = turn if i == 4 else 0
                        difference = xor(rol(begin[i], 32 - k, 32),
                                         rol(again[i], 32 - k, 32))
                        same = terms.and_(same, terms.not_(difference, 32))
                    forms.append(same)
        return forms

    def _tried(self, value: Term, case: DcCase) -> Optional[tuple[int, int]]:
        """The candidate whose trial asks whether the value is 0."""
        same: Value = 0xffffffff
        for at in range(0, value.bits.bit_length(), 32):
            same = terms.and_(same, terms.not_(terms.field(value, at, 32), 32))
        for candidate in case.candidates():
            if candidate[0] in case.asked and candidate not in case.tried \
                    and same in self._trial(*candidate):
                return candidate
        return None

    def _assume(self, machine: Machine, case: DcCase, block: int) -> None:
        """Decides the bits of a block's mask in registers and memory."""
        known = {}
        for vector, (_, nodes) in enumerate(self.masks[block]):
            (node,) = nodes
            known[node] = case.masks[block] >> vector & 1

        def decided(value: Value) -> Value:
            return self.affine.assume(value, known)
        for file in machine.files():
            for i, value in enumerate(file):
                if type(value) is tuple:
                    file[i] = tuple([decided(lane) for lane in value])
                else:
                    file[i] = decided(value)
        for cell in machine.memory.owner.values():
            cell.value = decided(cell.value)

    def check(self, case: DcCase, memory: Memory, abi: Abi) -> None:
        attack = 0
        for candidate in case.candidates():
            if case.answer(candidate):
                attack = candidate[0] + 1
                break
            if candidate not in case.tried:
                raise Mismatch("does not try vector %d on block %d"
                               % (candidate[1], candidate[0]))
        result = abi.result(abi.word)
        if result != attack:
            raise Mismatch("returns %s, not %d" % (result, attack))
        hashed = attack or case.blocks
        if not case.asked >= set(range(hashed)):
            raise Mismatch("does not look at the mask of every block")
        feed = hashed - 1 if attack else hashed
        for i, wanted in enumerate([*self.chain[hashed], *self.feed[feed]]):
            if memory.peek(STATE + 4 + 4 * i, 4) is not wanted:
                raise Mismatch("state[%d] is not the standard's" % i)
        if case.store:
            for block in range(hashed):
                found = memory.peek(OTHER + 4 + 4 * block, 4)
                if found != case.masks[block]:
                    raise Mismatch("masks[%d] is %s, not %x" % (
                        block, found, case.masks[block]))

    def names(self, case: Case) -> list[tuple[str, Value]]:
        return [entry for block in range(case.blocks)
                for entry in self.block_names[block].list]

    def describe(self, cases: Sequence[Case]) -> str:
        return "0..%d blocks, %d masks" % (
            self.most, len({tuple(case.masks) for case in cases
                            if any(case.masks)}))


class DcLane(Lane):
    """A message, with the mask of each block at the places of the records."""

    def __init__(self, name: str) -> None:
        super().__init__(32, True, name)
        self.masks: list[Value] = []


class DcLanesFamily(LanesFamily):
    """void hk_x(state[], data[], nblocks, records): candidates of each block."""

    RECORDS = 0x32000000 + 4

    def __init__(self) -> None:
        super().__init__(32, 5, spec.sha1)

    def prepare(self, variant: str, word: int) -> None:
        self.affine = Affine()
        self.conditions = read_conditions()
        self.places = read_places()
        terms.set_plugin(self.affine)
        # A call has no more than 64 blocks in all lanes (c/sha1dc_many.c).
        self.most = 1 + 64 // int(variant.rpartition("x")[2])
        super().prepare(variant, word)
        terms.forget_results()     # which were found before there were names

    def _lane(self, name: str) -> DcLane:
        lane = DcLane(", " + name)
        lane.chain = [[lane.state.word(i, "%s, H[%d]" % (name, i))
                       for i in range(5)]]
        for block in range(self.most):
            names = Names()
            where = "%s, block %d, " % (name, block)
            words = make_schedule(
                self.affine, [lane.data.word(16 * block + t, "%sW[%d]" % (
                    where.replace(",", ""), t)) for t in range(16)], names,
                where)
            mask = make_mask(self.affine, words, self.conditions)
            lane.masks.append(self.affine.value(dict(zip(self.places, mask))))
            after = spec.sha1_rounds(lane.chain[block], words, names, where)
            lane.chain.append(make_sum(lane.chain[block], after, names, where))
            lane.block_names.append(names)
        return lane

    def inductions(self) -> Iterator[None]:
        """None: the caller bounds the blocks of a call by the records that it
        has room for."""
        yield from ()

    def set_up_at(self, case: Case, memory: Memory, strict: bool,
                  pointers: Sequence[Value]) -> None:
        super().set_up_at(case, memory, strict, pointers)
        memory.add_region(Region("the records", self.RECORDS,
                                 24 * case.blocks * len(self.lanes), True))

    def arguments_at(self, case: Case, word: int, count: Value,
                     pointers: Sequence[Value]
                     ) -> Sequence[tuple[Value, int]]:
        return (*super().arguments_at(case, word, count, pointers),
                (self.RECORDS, word))

    def check(self, case: Case, memory: Memory, abi: Abi) -> None:
        super().check(case, memory, abi)
        for number, lane in enumerate(self.lanes):
            for block in range(case.blocks):
                wanted = [*lane.chain[block], lane.masks[block]]
                for i, value in enumerate(wanted):
                    at = (6 * block + i) * len(self.lanes) + number
                    found = memory.peek(self.RECORDS + 4 * at, 4)
                    if found is not value:
                        raise Mismatch("%s of block %d in a record%s is not "
                                       "the standard's" % (
                                           "word %d" % i if i < 5 else
                                           "the candidates", block, lane.name))
