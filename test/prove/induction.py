# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Any number of blocks: induction over the block loop of a kernel.

A state of the machine at the head of the loop is generalised: what is the
chaining value there becomes free symbols; pointers and counters become linear
in the addresses of the next blocks, the number R of blocks left, and the number
K of blocks done (see linear.py); what does not follow that pattern becomes junk,
of which nothing may depend. Then

    entry  from the start of the kernel, for all addresses and every count from
           ENTRY on, the head is reached in such a state;
    step   from such a state with R >= STEP, the head is reached again in such a
           state, moved on by a turn and with the standard's chaining value;
    exit   from such a state with every smaller R that can occur, the kernel
           returns with the standard's result and all its duties done.

All of that at odd addresses of the data; and at every other alignment as well if
the kernel asks for low bits of an address.

Counts below ENTRY are proved one by one elsewhere.
"""
from __future__ import annotations

from typing import Iterable, Optional, Sequence

import sums
import terms
from abi import Abi
from families import DATA, STATE, LoopFamily, Mismatch
from linear import Lin, Undecided, signed, total
from loader import Insn
from machine import Fault, Machine
from memory import Refuted
from terms import NODES, PRODUCTS, Term, Unsupported, Value

ENTRY = 6
STEP = 4

Place = tuple      # ("r", file, index, lane) or ("m", address, size)
State = dict[Place, Value]


class Reached(Exception):
    """The head of the loop, for the last visit asked for."""


class Rename:
    """Substitution of terms for nodes, through sums."""

    def __init__(self, nodes: dict[terms.Node, Optional[Value]], blocks: int,
                 size: int) -> None:
        self.nodes = nodes        # None: there is no such block
        self.blocks = blocks
        self.size = size
        self.done: dict[Term, Value] = {}

    def __call__(self, value: Value) -> Value:
        if type(value) is int:
            return value
        if type(value) is Lin:
            return value.moved(self.blocks, self.size)
        result = self.done.get(value)
        if result is None:
            result = self.done[value] = self._term(value)
        return result

    def _term(self, value: Term) -> Value:
        atoms = {atom for number in value.monos for atom in PRODUCTS[number]}
        if all(self._node(NODES[atom >> 6]) is NODES[atom >> 6].term
               for atom in atoms):
            return value
        result: Value = 0
        for number, mask in value.monos.items():
            product: Value = mask
            for atom in PRODUCTS[number]:
                product = terms.and_(product, self._atom(atom,
                                                         mask.bit_length()))
            result = terms.xor(result, product)
        return result

    def _atom(self, atom: int, bits: int) -> Value:
        """The replaced periodic string of an atom, as far as needed."""
        node = NODES[atom >> 6]
        word = terms.ror(self._node(node), atom & 63, node.width)
        width = node.width
        while width < bits:
            word = terms.xor(word, terms.shl(word, width, 2 * width))
            width *= 2
        return word

    def _node(self, node: terms.Node) -> Value:
        if node not in self.nodes:
            self.nodes[node] = self._sum(node)
        result = self.nodes[node]
        if result is None:
            raise Unsupported("a block out of sight")
        return result

    def _sum(self, node: terms.Node) -> Value:
        """A sum of the renamed parts; other nodes stay."""
        source = node.carry_of or node
        if source.parts is None:
            return node.term
        parts = {}
        for part, factor in source.parts.items():
            new = self(part)
            if type(new) is not Term or new in parts:
                raise Unsupported("a sum changes its form")
            parts[new] = factor
        if parts == source.parts:
            return node.term
        renamed = sums.sum_node(source.const, parts, source.width)
        if node.carry_of is None:
            return renamed.term
        return sums.carry_node(renamed).term


class Induction:
    """The induction for one kernel; `prover` runs it."""

    def __init__(self, prover) -> None:
        self.prover = prover
        self.family: LoopFamily = prover.family
        self.machine: Machine = prover.machine
        self.size = self.family.block_bytes
        self.bits = 8 * prover.abi_class.word

    # ---- names of blocks -----------------------------------------------------

    def _shift(self, blocks: int) -> Rename:
        """Block b becomes block b + blocks, in data and chaining values."""
        nodes: dict[terms.Node, Optional[Value]] = {}
        family = self.family
        for lane in family.lanes:
            words = lane.data.words
            for i, word in enumerate(words):
                to = i + family.block_words * blocks
                nodes[word.node] = words[to] if 0 <= to < len(words) else None
            for block, chain in enumerate(lane.chain):
                to = block + blocks
                news = lane.chain[to] if 0 <= to < len(lane.chain) \
                    else [None] * len(chain)
                for old, new in zip(chain, news):
                    self._map(nodes, old, new)
        return Rename(nodes, blocks, self.size)

    @staticmethod
    def _map(nodes: dict[terms.Node, Optional[Value]], old: Value,
             new: Optional[Value]) -> None:
        """old, a node or two halves that are nodes, becomes new."""
        if old.node is not None:
            nodes[old.node] = new
            return
        for low in (0, 32):
            half = terms.field(old, low, 32)
            nodes[half.node] = None if new is None else \
                terms.field(new, low, 32)

    # ---- states --------------------------------------------------------------

    def _capture(self) -> State:
        """Everything in registers and memory."""
        state: State = {}
        for file, values in enumerate(self.machine.files()):
            for index, value in enumerate(values):
                if type(value) is tuple:
                    for lane, part in enumerate(value):
                        state["r", file, index, lane] = part
                else:
                    state["r", file, index, None] = value
        for address, cell in self.machine.memory.owner.items():
            if cell.address == address and not self._is_data(address):
                state["m", address, cell.size] = cell.value
        state["modes",] = self.machine.modes()
        return state

    @staticmethod
    def _is_data(address: int) -> bool:
        return DATA <= address < STATE

    def _restore(self, state: State) -> None:
        """Puts a state into registers and memory (which holds the data)."""
        files = self.machine.files()
        lanes: dict[tuple[int, int], dict[int, Value]] = {}
        for place, value in state.items():
            if place[0] == "modes":
                self.machine.set_modes(value)
            elif place[0] == "m":
                self.machine.memory.fill(place[1], place[2], value)
            elif place[3] is None:
                files[place[1]][place[2]] = value
            else:
                lanes.setdefault(place[1:3], {})[place[3]] = value
        for (file, index), parts in lanes.items():
            files[file][index] = tuple(parts[i] for i in sorted(parts))

    # ---- runs ----------------------------------------------------------------

    def _prepare(self, blocks: int, count: Value, data: Sequence[Value]
                 ) -> Abi:
        """A run with that many blocks of data in memory."""
        return self.prover.set_up(self.family.looped(blocks, self.alignment),
                                  count, data)

    def _run(self, start: int, head: int, first: int, last: int
             ) -> list[State]:
        """Runs; the states at those visits of the head, where it stops."""
        seen = 0
        states: list[State] = []

        def watch(machine: Machine, insn: Insn) -> None:
            nonlocal seen
            if insn.address == head:
                seen += 1
                if seen >= first:
                    states.append(self._capture())
                if seen == last:
                    raise Reached
        self.machine.watch = watch
        try:
            self.machine.run(start)
        except Reached:
            return states
        raise Unsupported("the loop is left early")

    def heads(self) -> list[tuple[int, int]]:
        """Candidates for the head of the loop: (address, blocks a turn)."""
        counts: list[dict[int, int]] = []
        for blocks in (3, 5):
            visits: dict[int, int] = {}
            last = 0

            def watch(machine: Machine, insn: Insn) -> None:
                nonlocal last
                if insn.address < last:
                    visits[insn.address] = visits.get(insn.address, 0) + 1
                last = insn.address
            self._prepare(blocks, blocks, Lin.bases)
            self.machine.watch = watch
            self.machine.run(self.prover.program.entry & ~1)
            counts.append(visits)
        found = []
        for address, count in counts[1].items():
            more = count - counts[0].get(address, 0)
            if more in (1, 2):
                found.append((address, 2 // more))
        return found

    def prove(self) -> None:
        """Proves it, or raises why not."""
        Lin.asked_low = False
        self._align(1)
        self._prove()
        if Lin.asked_low:
            for alignment in [0, *range(2, 64)]:
                self._align(alignment)
                self._prove()

    def _align(self, alignment: int) -> None:
        self.alignment = alignment
        Lin.bases = self.family.bases(alignment)
        Lin.size = self.size

    def _prove(self) -> None:
        problem: Optional[Exception] = None
        for head, turn in self.heads():
            for visit in (1, 2) if turn == 1 else (1,):
                try:
                    self._at(head, turn, visit)
                    return
                except (Fault, Unsupported, Undecided, Refuted, Mismatch
                        ) as trouble:
                    problem = trouble
        raise Unsupported("no induction: %s" % (problem or "no loop found"))

    def _at(self, head: int, turn: int, visit: int) -> None:
        """The induction at this head, generalising that visit."""
        start = self.prover.program.entry & ~1
        data = [Lin(0, (0,) * i + (1,), 0, 0, self.bits)
                for i in range(len(self.family.lanes))]
        left = Lin(0, (), 1, 0, self.bits)

        # entry, for every count from ENTRY on, twice: once more a turn later
        Lin.least = ENTRY
        self.caller = self._prepare(ENTRY, left, data)
        first, second = self._run(start, head, visit, visit + 1)
        done = self._done(first, turn * visit)
        if ENTRY - done < STEP - turn:
            raise Unsupported("too many blocks before the loop")
        move = self._shift(turn)
        back, forth = self._shift(-done), self._shift(done)
        general: State = {}
        live: dict[Place, Value] = {}      # what it must be a turn later
        for place, value in first.items():
            later = self._try(move, value)
            here = self._try(back, value)
            if here is None or self._try(forth, here) != value:
                here = None
            elif later != second.get(place):
                here = self._by_turns(place, here, later, second.get(place),
                                      done, turn)
            if here is None:
                general[place] = self._junk(place)
            else:
                general[place] = here
                live[place] = self._try(move, here)

        # step, for every R from STEP on; what it does not keep is junk, too
        Lin.least = STEP
        while True:
            self._resume(general, STEP, None)
            _, after = self._run(head, head, 1, 2)
            lost = [place for place, value in live.items()
                    if value is None or after.get(place) != value]
            if not lost:
                break
            for place in lost:
                del live[place]
                general[place] = self._junk(place)

        # exit, for the smaller ones
        for count in range(STEP - turn, STEP):
            abi = self._resume(general, count, count)
            self.machine.watch = None
            self.machine.run(head)
            abi.check_return()
            self.family.check(self.family.looped(count, self.alignment),
                              self.machine.memory, abi)

    def _by_turns(self, place: Place, here: Value, later: Value,
                  second: Value, done: int, turn: int) -> Optional[Value]:
        """A value that changes by a constant in each turn: linear in K."""
        if type(later) is Term or type(second) is Term or second is None \
                or place[0] == "modes" or self._width(place) != self.bits:
            return None
        change = total([(second, 1), (later, -1)], self.bits)
        if type(change) is Lin or signed(change, self.bits) % turn:
            return None
        return total([(here, 1), (Lin(-done, (), 0, 1, self.bits),
                                  signed(change, self.bits) // turn)],
                     self.bits)

    def _width(self, place: Place) -> int:
        """The bits of a place."""
        if place[0] == "m":
            return 8 * place[2]
        return self.bits if place[3] is None else 32

    def _junk(self, place: Place) -> Value:
        """A value that nothing may depend on."""
        if place[0] == "modes":
            raise Unsupported("modes that change from turn to turn")
        return terms.symbol("junk", self._width(place), "junk")

    def _done(self, state: State, guess: int) -> int:
        """How many blocks lie behind at the visit: whose chaining value is
        in a register or in memory."""
        values = set(state.values())
        for blocks in range(guess + 1, -1, -1):
            chain = self.family.lanes[0].chain
            if blocks < len(chain) and self._parts(chain[blocks]) & values:
                return blocks
        return guess

    @staticmethod
    def _parts(chain: Iterable[Value]) -> set[Value]:
        found = set()
        for value in chain:
            found |= {value, terms.field(value, 0, 32),
                      terms.field(value, 32, 32)}
        return found - {0}

    @staticmethod
    def _try(move: Rename, value: Value) -> Optional[Value]:
        try:
            return move(value)
        except Unsupported:
            return None

    def _resume(self, general: State, blocks: int, count: Optional[int]
                ) -> Abi:
        """A machine in the general state; count makes R, and D, integers."""
        abi = self._prepare(blocks, 0, Lin.bases)
        memory = self.machine.memory
        abi.adopt(self.caller)
        state = general
        if count is not None:
            state = {place: value.settled(count) if type(value) is Lin
                     else value for place, value in general.items()}
        memory.owner = {address: cell for address, cell
                        in memory.owner.items() if self._is_data(address)}
        self._restore(state)
        self.machine.set_stack(abi.sp())
        return abi
