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

    def rules(self, pc: int) -> Rules:
        """The row for an address."""
        at = bisect_right(self.places, pc) - 1
        if at < 0 or pc >= self.end:
            raise Refuted("no unwind information here")
        return self.rows[at][1]

    def check(self, abi: Abi, pc: int) -> None:
        """Compares the row for pc with the state of the machine."""
        rules = self.rules(pc)
        match = re.fullmatch(r"(\w+)([+-]\d+)", rules["CFA"])
        if match is None:
            raise Refuted("unwind: no simple frame address: " + rules["CFA"])
        frame = abi.register(match.group(1))
        if type(frame) is not int or \
                frame + int(match.group(2)) != abi.final_sp():
            raise Refuted("unwind: the frame is not at " + rules["CFA"])
        wanted = abi.unwound()
        for name, rule in rules.items():
            if rule[0] == "c" and name not in wanted and name != "CFA":
                wanted[name] = abi.at_entry[name]
        for name, (value, size) in wanted.items():
            rule = rules.get(name, "u")
            if rule in ("u", "s"):
                if abi.register(name) != value:
                    raise Refuted("unwind: %s is no longer the caller's, and "
                                  "the table names no place" % name)
                continue
            if re.fullmatch(r"r\d+", rule):
                if abi.register(rule) != value:
                    raise Refuted("unwind: %s is not in %s" % (name, rule))
                continue
            place = re.fullmatch(r"c([+-]\d+)", rule)
            if place is None:
                raise Refuted("unwind: rule %s for %s" % (rule, name))
            address = abi.final_sp() + int(place.group(1))
            if abi.memory.peek(address, size) != value:
                raise Refuted("unwind: %s is not saved at %s" % (name, rule))

    def watcher(self, abi: Abi) -> "Watcher":
        """A callback for Machine.watch."""
        return Watcher(self, abi)


class Watcher:
    """Checks before each instruction of a run."""

    def __init__(self, unwind: Unwind, abi: Abi) -> None:
        self.unwind = unwind
        self.abi = abi

    def __call__(self, machine: Machine, insn: Insn) -> None:
        self.unwind.check(self.abi, insn.address)
