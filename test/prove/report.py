# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Where a kernel leaves the standard: the first value it never computed."""
from __future__ import annotations

import re
from typing import Optional

from loader import Insn
from machine import Machine
from terms import PRODUCTS, Node, Term, Value, describe


class Trace:
    """A callback for Machine.watch that remembers where values appeared."""

    def __init__(self) -> None:
        self.first: dict[Value, Insn] = {}
        self.previous: Optional[Insn] = None

    def __call__(self, machine: Machine, insn: Insn) -> None:
        self.collect(machine)
        self.previous = insn

    def collect(self, machine: Machine) -> None:
        """Notes the values that the previous instruction made."""
        if self.previous is None:
            self.previous = next(iter(machine.program.insns.values()))
        first, insn = self.first, self.previous
        for value in machine.registers():
            if value not in first:
                first[value] = insn
        for value in [machine.memory.last, *machine.computed]:
            if value not in first:
                first[value] = insn
        machine.computed.clear()


def missing(names: list[tuple[str, Value]], trace: Trace
            ) -> Optional[tuple[str, Value]]:
    """The first named value that should have appeared and did not.

    Values of one kind ("block 0, round 7: a", "block 0, W[20]") form a row. In
    each the suspect is the first that was not computed; of the suspects, that
    with the lowest numbers. A row of which a kernel computes little is one that
    its method leaves out.
    """
    rows: dict[str, list[tuple[tuple[int, ...], int]]] = {}
    for at, (name, _) in enumerate(names):
        kind = re.sub(r"\d+", "#", re.sub(r"\b[a-z]\d$", "v", name))
        numbers = tuple(int(text) for text in re.findall(r"\d+", name))
        rows.setdefault(kind, []).append((numbers, at))
    suspects = []
    for row in rows.values():
        lacking = [entry for entry in row
                   if names[entry[1]][1] not in trace.first]
        if lacking and (lacking[0] == row[0] or len(lacking) < len(row)):
            suspects.append(lacking[0])
    if not suspects:
        return None
    return names[min(suspects)[1]]


def _distance(a: Node, b: Node) -> int:
    """How many summands differ."""
    return sum(1 for part in a.parts.keys() | b.parts.keys()
               if a.parts.get(part) != b.parts.get(part)) \
        + (a.const != b.const)


def _nodes(value: Term) -> set[int]:
    """The numbers of the nodes that a term is written with."""
    return {atom >> 6 for number in value.monos for atom in PRODUCTS[number]}


def _nearest(wanted: Term, trace: Trace) -> Optional[tuple[Term, Insn]]:
    best: Optional[tuple[int, Term, Insn]] = None
    for value, insn in trace.first.items():
        if type(value) is not Term:
            continue
        if wanted.node is not None and wanted.node.parts is not None:
            node = value.node
            if node is None or node.parts is None \
                    or node.width != wanted.node.width:
                continue
            distance = _distance(node, wanted.node)
        else:
            distance = 1000 * len(_nodes(value) ^ _nodes(wanted)) \
                + len(set(value.monos.items()) ^ set(wanted.monos.items()))
        if best is None or distance < best[0]:
            best = (distance, value, insn)
    return None if best is None else best[1:]


def _difference(wanted: Term, found: Term) -> list[str]:
    lines = []
    a, b = wanted.node, found.node
    if a is not None and b is not None and a.parts is not None \
            and b.parts is not None:
        for part in [p for p in a.parts if b.parts.get(p) != a.parts[p]][:4]:
            lines.append("lacks   %s" % _scaled(part, a.parts[part]))
        for part in [p for p in b.parts if a.parts.get(p) != b.parts[p]][:4]:
            lines.append("has     %s" % _scaled(part, b.parts[part]))
        if a.const != b.const:
            lines.append("adds    0x%x instead of 0x%x" % (b.const, a.const))
    else:
        lines.append("wanted  " + describe(wanted))
        lines.append("has     " + describe(found))
    return lines


def _scaled(part: Term, factor: int) -> str:
    return describe(part) if factor == 1 else "%d * (%s)" % (factor,
                                                            describe(part))


def localise(names: list[tuple[str, Value]], trace: Trace) -> str:
    """Some lines that point to the fault."""
    suspect = missing(names, trace)
    if suspect is None:
        return "    every named value was computed; look at the last steps"
    name, wanted = suspect
    lines = ["never computed: " + name]
    if type(wanted) is Term:
        near = _nearest(wanted, trace)
        if near is not None:
            found, insn = near
            lines.append("nearest: %x  %s" % (insn.address, insn))
            lines += _difference(wanted, found)
    return "\n".join("    " + line for line in lines)
