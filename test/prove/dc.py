# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The family of the collision-detecting SHA-1 kernels.

These kernels may branch on one thing: whether a block satisfies the conditions
of a disturbance vector, and then, whether a trial confirms it. What is asked is
compared with the conjunction of the conditions in conditions.csv, bit by bit;
the run then goes on under an assumed mask. Each vector is assumed alone, and
some pairs. Whether a trial confirms is assumed, both ways, and not proved.
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
from families import DATA, OTHER, STATE, Case, Family, Mismatch, Names, Words
from loader import ROOT
from machine import Machine
from memory import Memory, Refuted, Region
from terms import Term, Value, rol, symbol, xor

VECTORS = 32
Condition = tuple[int, int, int, int, int, int]


def read_conditions() -> list[Condition]:
    """i, bit of W[i], j, bit of W[j], value of their sum, vectors."""
    path = os.path.join(ROOT, "test", "sha1dc", "conditions.csv")
    with open(path, encoding="ascii", newline="") as file:
        return [(int(row["i"]), int(row["bit_i"]), int(row["j"]),
                 int(row["bit_j"]), int(row["value"]),
                 int(row["dv_mask"], 16)) for row in csv.DictReader(file)]


class DcCase(Case):
    """A call with assumptions.

    masks      for each block, the mask that it is assumed to have
    confirmed  the answers to the trials, in order; then False
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
        self.trials = 0

    def __str__(self) -> str:
        return "%s, masks %s, trials %s" % (
            super().__str__(), ["%x" % mask for mask in self.masks],
            self.confirmed)


class DcFamily(Family):
    """size_t hk_x(state[10], data, nblocks, masks)."""

    most = 5

    def prepare(self) -> None:
        self.affine = Affine()
        terms.set_plugin(self.affine)
        conditions = read_conditions()
        self.data = Words("the data", 32, "message", True)
        state = [symbol("state[%d]" % i, 32, "state") for i in range(10)]
        self.state = state
        self.chain: list[list[Value]] = [list(state[:5])]
        self.feed: list[list[Value]] = [list(state[5:])]
        self.masks: list[list[Bit]] = []
        self.block_names: list[Names] = []
        for block in range(self.most):
            names = Names()
            where = "block %d, " % block
            words = self._schedule(block, names, where)
            self.masks.append(self._mask(words, conditions))
            after = spec.sha1_rounds(self.chain[block], words, names, where)
            total = []
            for i in range(5):
                value = sums.add(self.feed[block][i], after[i], 32)
                sums.cut(value)
                names("%sround 80: state[%d]" % (where, i), value)
                total.append(value)
            self.chain.append(total)
            self.feed.append(total)
            self.block_names.append(names)
        terms.forget_results()     # which were found before there were names

    def _schedule(self, block: int, names: Names, where: str) -> list[Term]:
        words = [self.data.word(16 * block + t, "block %d W[%d]" % (block, t))
                 for t in range(16)]
        for word in words:
            self.affine.word(word.node)
        for t in range(16, 80):
            value = rol(xor(spec.parity(words[t - 3], words[t - 8],
                                        words[t - 14]), words[t - 16]), 1, 32)
            word = self.affine.name("block %d W[%d]" % (block, t), value)
            names("%sW[%d]" % (where, t), word)
            words.append(word)
        return words

    def _mask(self, words: Sequence[Term], conditions: Sequence[Condition]
              ) -> list[Bit]:
        """For each vector, the conjunction of its conditions."""
        def bit(t: int, place: int) -> int:
            return 1 << (self.affine.base[words[t].node] + place)
        return [self.affine.conjunction(
            [bit(i, p) ^ bit(j, q) ^ value
             for i, p, j, q, value, vectors in conditions
             if vectors >> vector & 1]) for vector in range(VECTORS)]

    # ---- cases ---------------------------------------------------------------

    def cases(self, variant: str, stacks: int) -> Iterator[Case]:
        for blocks in range(self.most + 1):
            yield DcCase([0] * blocks, unwind=blocks in (0, 2))
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
        memory.add_region(Region("the state", STATE, 40, True))
        for i, word in enumerate(self.state):
            memory.fill(STATE + 4 * i, 4, word)
        self.data.put(memory, DATA + case.data, 16 * case.blocks, False,
                      strict)
        if case.store:
            memory.add_region(Region("the masks", OTHER, 4 * case.blocks,
                                     True))

    def arguments(self, case: DcCase, word: int) -> Sequence[tuple[int, int]]:
        return ((STATE, word), (DATA + case.data, word), (case.blocks, word),
                (OTHER if case.store else 0, word))

    def oracle(self, case: DcCase, machine: Machine
               ) -> Optional[Callable[[Value], bool]]:
        case.asked, case.trials = set(), 0
        answers: dict[Value, bool] = {}

        def decide(value: Term) -> bool:
            if value in answers:
                return answers[value]
            block = self._asked(value, case)
            if block is not None:
                case.asked.add(block)
                self._assume(machine, case, block)
                answer = case.masks[block] == 0
            elif not any(case.masks[block] for block in case.asked):
                raise Refuted("a condition depends on data: %r" % value)
            else:
                case.trials += 1
                answer = case.trials <= len(case.confirmed) \
                    and case.confirmed[case.trials - 1]
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
        asked = 0
        for block, mask in enumerate(case.masks):
            count = bin(mask).count("1")
            if any(case.confirmed[asked:asked + count]):
                attack = block + 1
                break
            asked += count
        result = abi.result(abi.word)
        if result != attack:
            raise Mismatch("returns %s, not %d" % (result, attack))
        hashed = attack or case.blocks
        if not case.asked >= set(range(hashed)):
            raise Mismatch("does not look at the mask of every block")
        feed = hashed - 1 if attack else hashed
        for i, wanted in enumerate([*self.chain[hashed], *self.feed[feed]]):
            if memory.peek(STATE + 4 * i, 4) is not wanted:
                raise Mismatch("state[%d] is not the standard's" % i)
        if case.store:
            for block in range(hashed):
                found = memory.peek(OTHER + 4 * block, 4)
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
