# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""What the processors have in common: the run loop, lanes and stack limits.

A step is the meaning of one instruction, made once from its text: a function
without arguments that changes the machine and returns the address to go on at,
or None for the next instruction.
"""
from __future__ import annotations

from typing import Callable, Iterable, Optional, Sequence

from linear import Lin, Undecided, is_less, total
from loader import Insn, Program
from memory import Memory, Refuted
from terms import Term, Unsupported, Value, and_, field, shl, shr, xor

Step = Callable[[], Optional[int]]
Lanes = tuple[Value, ...]     # a vector register in lanes of 32 bits
Note = Callable[[str, Value], None]

M32 = 0xffffffff
STOP = -1                     # where a run ends: the return to the caller
STEP_LIMIT = 3_000_000


class Fault(Exception):
    """A contract broken, or something unknown, at an instruction."""

    def __init__(self, message: str, insn: Optional[Insn]) -> None:
        where = "" if insn is None else "%x  %s: " % (insn.address, insn)
        super().__init__(where + message)
        self.insn = insn


class Undefined(Unsupported):
    """The architecture leaves open what comes out."""


class Machine:
    """State and steps of a processor; the instruction sets derive from it."""

    bits = 64                     # in an address

    def __init__(self, program: Optional[Program], memory: Memory) -> None:
        self.program = program
        self.memory = memory
        self.steps: dict[int, tuple[Step, int]] = {}
        self.regs: list[Value] = []
        self.untouched: tuple[int, ...] = ()   # registers not to be written
        self.interworks = True        # ARM: any load of pc may change state
        # decides conditions on data, where a family allows them
        self.oracle: Optional[Callable[[Value], bool]] = None
        self.reset()

    def reset(self) -> None:
        """Fills the registers with fresh symbols; steps stay compiled."""
        self.pc = 0
        self.count = 0
        self.stack_entry = 0          # stack pointer at entry
        self.stack_lowest = 0         # lowest value it had
        self.stack_limit = 0          # lowest value it may have
        self.computed: list[Value] = []   # inner results of big instructions
        self.watch: Optional[Callable[["Machine", Insn], None]] = None

    # ---- what an instruction set provides ------------------------------------

    def compile(self, insn: Insn) -> Step:
        """The step of an instruction; Unsupported if it is not known."""
        raise NotImplementedError

    def files(self) -> list[list]:
        """The register files: lists of values or of tuples of lanes."""
        raise NotImplementedError

    def modes(self) -> Value:
        """What else there is to the state at the head of a loop."""
        return 0

    def set_modes(self, value: Value) -> None:
        """Brings it back."""

    def registers(self) -> Iterable[Value]:
        """Every value that is in a register."""
        raise NotImplementedError

    # ---- running -------------------------------------------------------------

    def run(self, start: int) -> None:
        """Runs to the return."""
        steps = self.steps
        pc = start
        count = 0
        try:
            while pc != STOP:
                entry = steps.get(pc)
                self.pc = pc
                if entry is None:
                    entry = steps[pc] = self._compile_at(pc)
                step, after = entry
                if self.watch is not None:
                    self.watch(self, self.program.insns[pc])
                target = step()
                pc = after if target is None else target
                count += 1
                if count > STEP_LIMIT:
                    raise Refuted("does not come to an end")
        except (Refuted, Unsupported, Undecided) as problem:
            raise Fault(str(problem),
                        self.program.insns.get(self.pc)) from problem
        finally:
            self.count += count

    def _compile_at(self, pc: int) -> tuple[Step, int]:
        insn = self.program.insns.get(pc)
        if insn is None:
            raise Refuted("goes to 0x%x, where there is no instruction" % pc)
        try:
            return self.compile(insn), pc + insn.size
        except (KeyError, ValueError, IndexError, AssertionError) as problem:
            raise Unsupported("unknown form of this instruction (%r)"
                              % problem) from problem

    # ---- help for the instruction sets ---------------------------------------

    def address(self, value: Value) -> int:
        """The value as an address: it must not depend on unknowns."""
        if type(value) is int:
            return value
        if type(value) is Lin:
            return value.address()
        raise Refuted("an address depends on data: %r" % value)

    def address_of(self, *parts: tuple[Value, int]) -> int:
        """The sum of value * factor as an address."""
        for value, _ in parts:
            if type(value) is Term:
                raise Refuted("an address depends on data: %r" % value)
        return self.address(total(parts, self.bits))

    def known(self, value: Value, what: str) -> int:
        """The value as an integer."""
        if type(value) is int:
            return value
        raise Refuted("%s depends on data: %r" % (what, value))

    def is_zero(self, value: Value) -> bool:
        """A condition: the value is 0."""
        if type(value) is Lin:
            return value.is_zero()
        if type(value) is Term and self.oracle is not None:
            return self.oracle(value)
        return self.known(value, "a condition") == 0

    def is_negative(self, value: Value, width: int) -> bool:
        """A condition: the top bit of the value is set."""
        if type(value) is Lin:
            return value.sign()
        return bool(self.known(value, "a condition") >> (width - 1) & 1)

    def borrow(self, a: Value, b: Value, c: Value) -> int:
        """1 if a < b + c as unsigned numbers."""
        if type(a) is int and type(b) is int and type(c) is int:
            return int(a < b + c)
        if type(a) is not Term and type(b) is not Term and type(c) is int:
            return int(is_less(a, b, c))
        raise Unsupported("the borrow of a difference of data")

    @staticmethod
    def no_addresses(a: Value, b: Value) -> None:
        """A comparison of signed numbers: not of addresses."""
        if any(type(value) is Lin and value.d for value in (a, b)):
            raise Undecided("addresses compared as signed numbers")

    def set_stack(self, value: Value) -> None:
        """Moves the stack pointer."""
        place = self.known(value, "the stack pointer")
        if place < self.stack_lowest:
            if place < self.stack_limit:
                raise Refuted("uses %d bytes of stack, more than its banner "
                              "says" % (self.stack_entry - place))
            self.stack_lowest = place
        memory = self.memory
        if place > memory.stack_pointer:
            if place > self.stack_entry + self.bits // 8:
                raise Refuted("the stack pointer goes above the frame")
            memory.release(memory.stack_pointer, place)
        memory.stack_pointer = place

    def load_lanes(self, address: int, count: int) -> Lanes:
        """count lanes of 32 bits from memory."""
        load = self.memory.load
        return tuple([load(address + 4 * i, 4) for i in range(count)])

    def store_lanes(self, address: int, lanes: Lanes) -> None:
        """Lanes of 32 bits to memory."""
        for i, lane in enumerate(lanes):
            self.memory.store(address + 4 * i, 4, lane)

    def aligned(self, address: int, size: int) -> int:
        """The address, if it has the alignment the instruction demands."""
        if address % size:
            raise Refuted("accesses address 0x%x, which is not aligned to %d "
                          "bytes" % (address, size))
        return address


# ---- lanes -------------------------------------------------------------------

def pair(low: Value, high: Value) -> Value:
    """low + 2^32 high."""
    if type(low) is int and type(high) is int:
        return low | high << 32
    return xor(low, shl(high, 32, 64))


def halves(value: Value) -> tuple[Value, Value]:
    """The two lanes of a 64-bit value."""
    return and_(value, M32), shr(value, 32)


def elements(lanes: Lanes, width: int) -> list[Value]:
    """The register as elements of 8, 16, 32 or 64 bits, lowest first."""
    if width == 32:
        return list(lanes)
    if width == 64:
        return [pair(lanes[i], lanes[i + 1]) for i in range(0, len(lanes), 2)]
    return [field(lane, at, width) for lane in lanes
            for at in range(0, 32, width)]


def join(parts: Sequence[Value], width: int) -> Lanes:
    """The inverse of elements."""
    if width == 32:
        return tuple(parts)
    if width == 64:
        return tuple([half for part in parts for half in halves(part)])
    per = 32 // width
    lanes = []
    for i in range(0, len(parts), per):
        lane: Value = 0
        for j in range(per):
            lane = xor(lane, shl(parts[i + j], j * width, 32))
        lanes.append(lane)
    return tuple(lanes)


def extract(low: Lanes, high: Lanes, n: int) -> Lanes:
    """The bytes from n on of high:low, as many as a register has."""
    if n % 4 == 0:
        return (low + high)[n // 4:n // 4 + len(low)]
    size = 4 * len(low)
    return join((elements(low, 8) + elements(high, 8))[n:n + size], 8)


def lanewise(function: Callable[..., Value], width: int
             ) -> Callable[..., Lanes]:
    """A function of elements as a function of registers."""
    if width == 32:
        return lambda *args: tuple(map(function, *args))

    def apply(*args: Lanes) -> Lanes:
        return join([function(*each) for each in
                     zip(*[elements(arg, width) for arg in args])], width)
    return apply


def is_symbol(value: Value, kind: str) -> bool:
    """True for an input symbol of that kind, whole."""
    return type(value) is Term and value.node is not None \
        and value.node.kind == kind
