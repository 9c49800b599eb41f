# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The unwind table, compared with the machine at every instruction.

The table (.eh_frame or .debug_frame) is read as readelf interprets it. At each
instruction executed, its frame address must be the stack pointer at entry (plus
the return address on x86), and for each register that belongs to the caller
the place it names must hold the caller's value.
"""
from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from typing import Optional

from abi import Abi
from loader import Insn, Program, tool
from machine import Machine
from memory import Refuted

Rules = dict[str, str]


class Row:
    """A row of the table: where the frame is, and the caller's registers."""

    def __init__(self, rules: Rules) -> None:
        match = re.fullmatch(r"(\w+)([+-]\d+)", rules["CFA"])
        if match is None:
            raise Refuted("unwind: no simple frame address: " + rules["CFA"])
        self.frame_register = match.group(1)
        self.frame_offset = int(match.group(2))
        self.offsets: dict[str, int] = {}      # in memory, from the frame
        self.copies: dict[str, str] = {}       # in another register
        for name, rule in rules.items():
            place = re.fullmatch(r"c([+-]\d+)", rule)
            if name == "CFA" or rule in ("u", "s"):
                continue
            if place:
                self.offsets[name] = int(place.group(1))
            elif re.fullmatch(r"r\d+", rule):
                self.copies[name] = rule
            else:
                raise Refuted("unwind: rule %s for %s" % (rule, name))

    def check(self, abi: Abi) -> None:
        """Compares the row with the state of the machine."""
        top = abi.final_sp()
        frame = abi.register(self.frame_register)
        if type(frame) is not int or frame + self.frame_offset != top:
            raise Refuted("unwind: the frame is not at %s%+d"
                          % (self.frame_register, self.frame_offset))
        peek, register = abi.memory.peek, abi.register
        for name, offset in self.offsets.items():
            value, size = abi.unwound[name] if name in abi.unwound \
                else abi.at_entry[name]
            found = peek(top + offset, size)
            if found is None and name not in abi.unwound:
                continue          # an argument, in a frame that is given back
            if found != value:
                raise Refuted("unwind: %s is not saved at frame%+d"
                              % (name, offset))
        for name, other in self.copies.items():
            if register(other) != abi.unwound[name][0]:
                raise Refuted("unwind: %s is not in %s" % (name, other))
        for name, (value, _) in abi.unwound.items():
            if name not in self.offsets and name not in self.copies \
                    and register(name) != value:
                raise Refuted("unwind: %s is no longer the caller's, and the "
                              "table names no place" % name)


class Unwind:
    """The rows of the table of one kernel."""

    def __init__(self, program: Program) -> None:
        self.rows: list[tuple[int, Rules]] = []
        self.end = 0
        text = subprocess.run(
            [tool(program.arch, "readelf"), "--debug-dump=frames-interp",
             program.linked], check=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True).stdout
        columns: Optional[list[str]] = None
        inside = False
        common = ""                  # the CIE being read
        initial: dict[str, Rules] = {}
        for line in text.splitlines():
            match = re.search(r" FDE .*cie=([0-9a-f]+)"
                              r" pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
            if match:
                start, end = (int(part, 16) for part in match.groups()[1:])
                common = ""
                inside = start <= program.entry & ~1 < end
                columns = None
                if inside:
                    self.end = end
                    self.rows.append((start, initial[match.group(1)]))
            elif " CIE " in line:
                inside = False
                common, columns = line.split()[0], None
            elif (inside or common) and line.split()[:1] == ["LOC"]:
                columns = line.split()[1:]
            elif columns and line.strip():
                fields = line.split()
                rules = dict(zip(columns, fields[1:]))
                if inside:
                    self.rows.append((int(fields[0], 16), rules))
                elif common:
                    initial[common] = rules
        self.places = [row[0] for row in self.rows]
        self.parsed = [Row(rules) for _, rules in self.rows]

    def row(self, pc: int) -> "Row":
        """The row for an address."""
        at = bisect_right(self.places, pc) - 1
        if at < 0 or pc >= self.end:
            raise Refuted("no unwind information here")
        return self.parsed[at]

    def watcher(self, abi: Abi) -> "Watcher":
        """A callback for Machine.watch."""
        return Watcher(self, abi)


class Watcher:
    """Checks before each instruction of a run."""

    def __init__(self, unwind: Unwind, abi: Abi) -> None:
        self.unwind = unwind
        self.abi = abi

    def __call__(self, machine: Machine, insn: Insn) -> None:
        self.unwind.row(insn.address).check(self.abi)
