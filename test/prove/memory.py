# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Memory of a run: named regions with exact bounds, everything else a fault.

Each region has a slab of 2^24 addresses of its own, so an access that leaves
its region is still recognised as one that went for it. Addresses are integers.
"""
from __future__ import annotations

from typing import Optional

from loader import Section
from terms import Value, field, shl, xor

SLAB = 24


class Refuted(Exception):
    """The kernel breaks its contract."""


class Cell:
    """A value in memory: `size` bytes, little-endian, from `address`; writable
    as its region is."""

    __slots__ = ("address", "size", "value", "writable")

    def __init__(self, address: int, size: int, value: Value,
                 writable: bool) -> None:
        self.address = address
        self.size = size
        self.value = value
        self.writable = writable


class Region:
    """A range of addresses that may be read, and perhaps written."""

    def __init__(self, name: str, base: int, size: int, writable: bool,
                 content: Optional[bytes] = None,
                 narrow: bool = False) -> None:
        self.name = name
        self.base = base
        self.end = base + size
        self.writable = writable
        self.content = content    # constant bytes, or None
        self.narrow = narrow      # no access of more than one byte
        self.origin = base        # where offsets in messages count from

    def where(self, address: int) -> str:
        """The address in words."""
        if address < self.base:
            return "%d bytes before %s" % (self.base - address, self.name)
        if address >= self.end:
            return "%d bytes after the end of %s" % (address - self.end,
                                                     self.name)
        return "offset %d of %s" % (address - self.origin, self.name)


class Memory:
    """All regions and what they hold.

    stack_low      start of the stack's slab
    stack_pointer  lowest address of the stack that may be used
    """

    def __init__(self) -> None:
        self.constants: list[Region] = []   # sections, anywhere
        self.strict = False                 # no unaligned access at all
        self.reset()

    def reset(self) -> None:
        """Forgets all but the constants."""
        self.slabs: dict[int, Region] = {}
        self.owner: dict[int, Cell] = {}    # by the byte
        self.released: dict[int, Cell] = {}  # the same, below the stack pointer
        self.stack_low = 0
        self.stack_pointer = 0
        self.last: Value = 0      # the value stored last, for messages

    def add_region(self, region: Region) -> None:
        """Maps a region; one per slab."""
        for slab in range(region.base >> SLAB, (region.end >> SLAB) + 1):
            if slab in self.slabs:
                raise ValueError("two regions in one slab")
            self.slabs[slab] = region

    def add_constant(self, section: Section) -> None:
        """Maps a read-only section of the program."""
        self.constants.append(Region(
            section.name, section.address, len(section.content), False,
            section.content))

    def fill(self, address: int, size: int, value: Value) -> None:
        """Puts a value in place without any check, before the run."""
        region = self.slabs.get(address >> SLAB)
        cell = Cell(address, size, value,
                    region is not None and region.writable)
        for byte in range(address, address + size):
            self.owner[byte] = cell

    def _check(self, address: int, size: int, store: bool) -> Region:
        region = self.slabs.get(address >> SLAB)
        if region is None:
            for section in self.constants:
                if section.base <= address < section.end:
                    region = section
        verb = "writes" if store else "reads"
        if region is None:
            raise Refuted("%s %d bytes at 0x%x, outside of everything it may "
                          "use" % (verb, size, address))
        if address < region.base or address + size > region.end:
            at = address if address < region.base or address >= region.end \
                else region.end
            raise Refuted("%s %d bytes: %s" % (verb, size, region.where(at)))
        if store and not region.writable:
            raise Refuted("writes to " + region.name)
        if region.narrow and size > 1:
            raise Refuted("reads %d bytes at once from %s" % (size,
                                                             region.name))
        if self.strict and address % size:
            raise Refuted("accesses %d bytes at 0x%x, which is not aligned"
                          % (size, address))
        return region

    def load(self, address: int, size: int) -> Value:
        """The value of size bytes at the address."""
        if self.stack_low <= address < self.stack_pointer:
            raise Refuted("reads %d bytes below the stack pointer"
                          % (self.stack_pointer - address))
        cell = self.owner.get(address)
        if cell is not None and cell.address == address and cell.size == size:
            return cell.value
        region = self._check(address, size, False)
        if region.content is not None:
            at = address - region.base
            return int.from_bytes(region.content[at:at + size], "little")
        result = self.peek(address, size)
        if result is None:
            raise Refuted("reads %s, which was never written"
                          % region.where(self._unwritten(address)))
        return result

    def _unwritten(self, address: int) -> int:
        """The first byte from there on that has no value."""
        while address in self.owner:
            address += 1
        return address

    def is_narrow(self, address: int) -> bool:
        """True where only bytes may be loaded."""
        region = self.slabs.get(address >> SLAB)
        return region is not None and region.narrow

    def check_element(self, address: int, size: int) -> None:
        """On a machine without unaligned access, elements are aligned."""
        if self.strict and address % size:
            raise Refuted("accesses %d bytes at 0x%x, which is not aligned"
                          % (size, address))

    def peek(self, address: int, size: int) -> Optional[Value]:
        """What is there, or None; no check and no fault."""
        result: Value = 0
        done = 0
        while done < size:
            cell = self.owner.get(address + done)
            if cell is None:
                return None
            skip = address + done - cell.address
            take = min(cell.size - skip, size - done)
            part = field(cell.value, 8 * skip, 8 * take)
            result = xor(result, shl(part, 8 * done, 8 * size))
            done += take
        return result

    def store(self, address: int, size: int, value: Value) -> None:
        """Writes size bytes."""
        if self.stack_low <= address < self.stack_pointer:
            raise Refuted("writes %d bytes below the stack pointer"
                          % (self.stack_pointer - address))
        self.last = value
        cell = self.owner.get(address)
        if cell is not None and cell.address == address \
                and cell.size == size and cell.writable:
            cell.value = value
            return
        self._check(address, size, True)
        # Cut what stays of older cells, then claim the bytes.
        for byte in (address, address + size - 1):
            cell = self.owner.get(byte)
            if cell is not None:
                self._split(cell, address, address + size)
        self.fill(address, size, value)

    def release(self, low: int, high: int) -> None:
        """The stack pointer goes up: an interrupt may write to these bytes."""
        for byte in range(low, high):
            cell = self.owner.pop(byte, None)
            if cell is not None:
                self.released[byte] = cell

    def _split(self, cell: Cell, low: int, high: int) -> None:
        """Makes the bytes of the cell outside low..high cells of their own."""
        end = cell.address + cell.size
        if cell.address < low:
            size = low - cell.address
            self.fill(cell.address, size, field(cell.value, 0, 8 * size))
        if end > high:
            skip = high - cell.address
            self.fill(high, end - high,
                      field(cell.value, 8 * skip, 8 * (end - high)))
