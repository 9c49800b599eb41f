# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The calling conventions: how a kernel is entered, what it must leave.

An Abi makes a machine whose registers hold the arguments and, everywhere else,
fresh symbols: kind "saved" for what the caller gets back, "junk" for the rest,
"return" for the return address.
"""
from __future__ import annotations

from typing import Sequence

from aarch64 import SP as AARCH64_SP
from aarch64 import AArch64
from arm import Arm
from loader import Program
from memory import Memory, Refuted, Region
from machine import Machine, halves, pair
from terms import Term, Value, field, inputs_of, symbol, xor
from x86 import REGISTERS, SP, X86

STACK_TOP = 0x7f000000
STACK_ROOM = 1 << 16


class Abi:
    """One call of a kernel: `machine` is ready to run."""

    word = 0                  # bytes in a register
    stack_steps = (0,)        # entry positions to try: bytes below STACK_TOP
    link_on_stack = False

    def __init__(self, machine: Machine, position: int, limit: int) -> None:
        memory = machine.memory
        self.machine = machine
        self.memory = memory
        self.entry_sp = STACK_TOP - position
        self.limit = limit
        self.stack = Region("the stack", STACK_TOP - STACK_ROOM,
                            self.entry_sp - STACK_TOP + STACK_ROOM, True)
        self.stack.origin = self.entry_sp
        memory.add_region(self.stack)
        memory.stack_low = STACK_TOP - STACK_ROOM
        memory.stack_pointer = self.entry_sp
        self.saved: list[tuple[str, Value, int]] = []   # name, value, bytes
        self.link: Value = 0
        self.at_entry: dict[str, tuple[Value, int]] = {}
        machine.reset()
        self.fill(machine)
        # what an unwinder restores: name -> value, bytes
        self.unwound = {self.dwarf_name(name): (value, size)
                        for name, value, size in self.saved}
        self.unwound["ra"] = (self.link, self.word)
        machine.stack_entry = machine.stack_lowest = self.entry_sp
        machine.stack_limit = self.entry_sp - limit

    # ---- what each convention provides ---------------------------------------

    @classmethod
    def machine_for(cls, program: Program, memory: Memory) -> Machine:
        """A machine for this convention."""
        raise NotImplementedError

    def fill(self, machine: Machine) -> None:
        """Puts everything but the arguments in place."""
        raise NotImplementedError

    def arguments(self, values: Sequence[tuple[Value, int]]) -> None:
        """Passes arguments (value, bytes)."""
        raise NotImplementedError

    def result(self, size: int) -> Value:
        """The returned value of that many bytes."""
        raise NotImplementedError

    def register(self, name: str) -> Value:
        """A register by the name that readelf uses."""
        raise NotImplementedError

    def final_sp(self) -> int:
        """The stack pointer after the return."""
        return self.entry_sp

    def sp(self) -> Value:
        """The stack pointer."""
        raise NotImplementedError

    def check_modes(self) -> None:
        """Processor modes that must be as at entry."""

    def dwarf_name(self, name: str) -> str:
        """The name that readelf uses for a register that is kept."""
        return name

    def adopt(self, other: "Abi") -> None:
        """Takes the caller's values of another call for its own."""
        self.saved, self.link = other.saved, other.link

    def note_entry(self) -> None:
        """Remembers every register by its name, once arguments are in."""
        raise NotImplementedError

    # ---- common --------------------------------------------------------------

    def check_return(self) -> None:
        """What every kernel owes its caller."""
        if self.sp() != self.final_sp():
            raise Refuted("returns with the stack pointer %s, not 0x%x"
                          % (self.sp(), self.final_sp()))
        for name, value, _ in self.saved:
            if self.register(name) != value:
                raise Refuted("does not restore %s" % name)
        self.check_modes()

    def left_on_stack(self) -> int:
        """Bytes below the stack pointer that depend on the message."""
        count = 0
        for address in range(self.machine.stack_lowest, self.entry_sp):
            cell = self.memory.owner.get(address) \
                or self.memory.released.get(address)
            if cell is not None and type(cell.value) is Term:
                value = field(cell.value, 8 * (address - cell.address), 8)
                if inputs_of(value) & {"message", "state"}:
                    count += 1
        return count


class X86Abi(Abi):
    """System V, both widths."""

    bits = 64
    saved_names: tuple[str, ...] = ()

    @classmethod
    def machine_for(cls, program: Program, memory: Memory) -> X86:
        return X86(program, memory, cls.bits)

    def fill(self, machine: X86) -> None:
        size = self.bits // 8
        names = {number: name for name, (number, low, width)
                 in REGISTERS.items() if width == self.bits and not low}
        for number in range(len(machine.regs)):
            if names[number] in self.saved_names:
                value = symbol(names[number], self.bits, "saved")
                machine.regs[number] = value
                self.saved.append((names[number], value, size))
        machine.regs[SP] = self.entry_sp
        self.link = symbol("return address", self.bits, "return")
        self.memory.fill(self.entry_sp, size, self.link)
        self.stack.end += size

    def register(self, name: str) -> Value:
        if name == "ra":
            return 0              # it is never in a register
        return self.machine.regs[REGISTERS[name][0]]

    def note_entry(self) -> None:
        size = self.bits // 8
        for name, (number, low, width) in REGISTERS.items():
            if width == self.bits and not low \
                    and number < len(self.machine.regs):
                self.at_entry[name] = (self.machine.regs[number], size)

    def sp(self) -> Value:
        return self.machine.regs[SP]

    def final_sp(self) -> int:
        return self.entry_sp + self.bits // 8

    def check_modes(self) -> None:
        if self.machine.dirty:
            raise Refuted("returns without vzeroupper: the upper halves of "
                          "the vector registers are in use")


class X86_64Abi(X86Abi):
    """System V, x86-64: the stack pointer is 8 below a multiple of 16."""

    word = 8
    stack_steps = (8, 8 + 16, 8 + 32, 8 + 48)
    saved_names = ("rbx", "rbp", "r12", "r13", "r14", "r15")

    def arguments(self, values: Sequence[tuple[Value, int]]) -> None:
        for name, (value, size) in zip(("rdi", "rsi", "rdx", "rcx", "r8",
                                        "r9"), values, strict=False):
            number = REGISTERS[name][0]
            if size == 4:
                # the upper half is anything
                junk = symbol("upper " + name, 64, "junk")
                self.machine.regs[number] = xor(_without_low(junk), value)
            else:
                self.machine.regs[number] = value
        assert len(values) <= 6

    def result(self, size: int) -> Value:
        assert size == 8
        return self.machine.regs[0]


def _without_low(value: Value) -> Value:
    """The value with its low 32 bits cleared."""
    return xor(value, field(value, 0, 32))


class I386Abi(X86Abi):
    """System V, i386: the stack is aligned to 4 bytes only."""

    word = 4
    bits = 32
    stack_steps = tuple(range(0, 64, 4))
    saved_names = ("ebx", "esi", "edi", "ebp")

    def arguments(self, values: Sequence[tuple[Value, int]]) -> None:
        at = self.entry_sp + 4
        for value, size in values:
            self.memory.fill(at, size, value)
            at += size
        self.stack.end = at

    def result(self, size: int) -> Value:
        if size == 4:
            return self.machine.regs[0]
        return pair(self.machine.regs[0], self.machine.regs[2])


class AArch64Abi(Abi):
    """AAPCS64."""

    word = 8
    stack_steps = (0, 16, 32, 48)

    @classmethod
    def machine_for(cls, program: Program, memory: Memory) -> AArch64:
        return AArch64(program, memory)

    def fill(self, machine: AArch64) -> None:
        for n in range(19, 30):
            value = symbol("x%d" % n, 64, "saved")
            machine.regs[n] = value
            self.saved.append(("x%d" % n, value, 8))
        self.link = symbol("return address", 64, "return")
        machine.regs[30] = self.link
        self.saved.append(("ra", self.link, 8))
        machine.regs[AARCH64_SP] = self.entry_sp
        for n in range(8, 16):
            low = symbol("d%d" % n, 64, "saved")
            machine.vectors[n] = halves(low) + machine.vectors[n][2:]
            self.saved.append(("v%d" % n, low, 8))

    def arguments(self, values: Sequence[tuple[Value, int]]) -> None:
        assert len(values) <= 8
        for n, (value, size) in enumerate(values):
            if size == 4:
                junk = symbol("upper x%d" % n, 64, "junk")
                self.machine.regs[n] = xor(_without_low(junk), value)
            else:
                self.machine.regs[n] = value

    def result(self, size: int) -> Value:
        assert size == 8
        return self.machine.regs[0]

    def register(self, name: str) -> Value:
        if name == "ra":
            return self.machine.regs[30]
        if name == "sp":
            return self.machine.regs[AARCH64_SP]
        if name[0] == "v":
            return pair(*self.machine.vectors[int(name[1:])][:2])
        return self.machine.regs[int(name[1:])]

    def note_entry(self) -> None:
        for n in range(31):
            self.at_entry["x%d" % n] = (self.machine.regs[n], 8)

    def sp(self) -> Value:
        return self.machine.regs[AARCH64_SP]


class ArmAbi(Abi):
    """AAPCS, with VFP registers where there are any."""

    word = 4
    stack_steps = tuple(range(0, 64, 8))

    @classmethod
    def machine_for(cls, program: Program, memory: Memory) -> Arm:
        return Arm(program, memory)

    def fill(self, machine: Arm) -> None:
        for n in range(4, 12):
            value = symbol("r%d" % n, 32, "saved")
            machine.regs[n] = value
            self.saved.append(("r%d" % n, value, 4))
        self.link = symbol("return address", 32, "return")
        machine.regs[14] = machine.link = self.link
        machine.thumb_caller = bool(self.entry_sp >> 3 & 1)
        machine.regs[13] = self.entry_sp
        for n in range(8, 16):
            value = symbol("d%d" % n, 64, "saved")
            machine.words[2 * n:2 * n + 2] = halves(value)
            self.saved.append(("d%d" % n, value, 8))

    def arguments(self, values: Sequence[tuple[Value, int]]) -> None:
        at = 0                        # words
        for value, size in values:
            if size == 8:
                at += at & 1
            for part in halves(value) if size == 8 else (value,):
                if at < 4:
                    self.machine.regs[at] = part
                else:
                    self.memory.fill(self.entry_sp + 4 * (at - 4), 4, part)
                    self.stack.end = self.entry_sp + 4 * (at - 3)
                at += 1

    def result(self, size: int) -> Value:
        if size == 4:
            return self.machine.regs[0]
        return pair(*self.machine.regs[:2])

    def register(self, name: str) -> Value:
        if name in ("ra", "r14", "lr"):
            return self.machine.regs[14]
        if name in ("sp", "r13"):
            return self.machine.regs[13]
        n = int(name[1:])
        if name[0] == "d" or n >= 256:    # 256 is the DWARF number of d0
            n %= 256
            return pair(*self.machine.words[2 * n:2 * n + 2])
        return self.machine.regs[n]

    def adopt(self, other: Abi) -> None:
        super().adopt(other)
        self.machine.link = self.link

    def dwarf_name(self, name: str) -> str:
        return "r%d" % (256 + int(name[1:])) if name[0] == "d" else name

    def note_entry(self) -> None:
        for n in range(15):
            self.at_entry["r%d" % n] = (self.machine.regs[n], 4)

    def sp(self) -> Value:
        return self.machine.regs[13]


ABIS: dict[str, type[Abi]] = {"x86_64": X86_64Abi, "i386": I386Abi,
                              "aarch64": AArch64Abi, "armv7": ArmAbi}
