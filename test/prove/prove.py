#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""prove.py [--arch ARCH] [--kernel TEXT] - proves kernels equal to the standard.

Prints a line for each kernel of c/kernels.def that fits, and a summary.
"""
from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from multiprocessing import Pool
from typing import Optional, Sequence

import sums
import terms
from abi import ABIS, Abi
from dc import DcFamily, DcLanesFamily
from families import FAMILIES, Case, Family, LoopFamily, Mismatch
from induction import Induction
from linear import Undecided
from loader import Program, Row, rows
from machine import Fault
from memory import Memory, Refuted
from report import Trace, localise
from unwind import Unwind

FAMILIES["sha1dc"] = DcFamily()
FAMILIES["sha1dcx"] = DcLanesFamily()
STRICT = ("v4", "t1", "strict")      # rows that load bytes only
FIRMWARE = ("v4", "t1", "t2")        # rows that leave r9 alone


class Result:
    """The outcome for one kernel."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.proved = ""
        self.instructions = 0
        self.stack = 0
        self.left = 0
        self.seconds = 0.0
        self.problem = ""

    def __str__(self) -> str:
        head = "%-8s %-20s " % (self.row.arch, self.row.name)
        if self.problem:
            return head + "FAILED  " + self.problem
        return head + "proved  %s, %7d instructions, stack %4d, " \
            "leaves %3d bytes, %5.1f s" % (
                self.proved, self.instructions, self.stack, self.left,
                self.seconds)


class Prover:
    """The proof of one kernel."""

    def __init__(self, row: Row, path: str, symbol: str, limit: int,
                 scratch: str, linked: bool = False) -> None:
        self.row = row
        self.program = Program(row.arch, path, symbol, scratch, linked)
        self.family: Family = FAMILIES[row.algorithm]
        self.abi_class = ABIS[row.arch]
        self.limit = limit
        self.instructions = 0
        self.deepest = 0
        self.left = 0
        terms.reset()
        # SipHash's state is taken as halves by the induction over words.
        sums.set_split(self.abi_class.word == 4 and (
            row.arch != "i386" or row.algorithm.startswith("sip") or
            self.program.uses("adc", "sbb")))
        self.family.prepare(row.variant, self.abi_class.word)
        self.unwind = Unwind(self.program)
        self.memory = Memory()
        for section in self.program.sections:
            if not section.writable and section.content:
                self.memory.add_constant(section)
        self.machine = self.abi_class.machine_for(self.program, self.memory)
        tier = row.variant.partition("_")[0]
        self.memory.strict = tier in STRICT
        if row.arch == "armv7" and tier in FIRMWARE:
            self.machine.untouched = (9,)
        self.machine.interworks = tier != "v4"

    def stacks(self) -> int:
        """The number of stack positions to try."""
        return len(self.abi_class.stack_steps)

    def set_up(self, case: Case, count: Optional[terms.Value] = None,
               data: Sequence[terms.Value] = ()) -> Abi:
        """Lays out a case; count and data, if given, are passed in place of
        the case's."""
        self.memory.reset()
        family, word = self.family, self.abi_class.word
        if count is not None:
            assert isinstance(family, LoopFamily)
            family.set_up_at(case, self.memory, self.memory.strict, data)
            arguments = family.arguments_at(case, word, count, data)
        else:
            family.set_up(case, self.memory, self.memory.strict)
            arguments = family.arguments(case, word)
        abi = self.abi_class(self.machine,
                             self.abi_class.stack_steps[case.stack],
                             self.limit)
        abi.arguments(arguments)
        abi.note_entry()
        self.machine.oracle = family.oracle(case, self.machine)
        return abi

    def run(self, case: Case, trace: bool = False) -> None:
        """Proves one case, or raises what is wrong."""
        abi = self.set_up(case)
        memory = self.memory
        if trace:
            self._locate(case, abi)
            return
        if case.unwind:
            abi.machine.watch = self.unwind.watcher(abi)
        abi.machine.run(self.program.entry & ~1)
        abi.check_return()
        self.family.check(case, memory, abi)
        self.instructions += abi.machine.count
        self.deepest = max(self.deepest,
                           abi.entry_sp - abi.machine.stack_lowest)
        self.left = max(self.left, abi.left_on_stack())

    def _locate(self, case: Case, abi: Abi) -> None:
        """Runs a case that does not compute the standard, to say where."""
        trace = Trace()
        abi.machine.watch = trace
        abi.machine.run(self.program.entry & ~1)
        trace.collect(abi.machine)
        raise Mismatch(localise(self.family.names(case), trace))

    def all(self) -> str:
        """Proves every case; says what was proved."""
        if self.program.writable_bytes():
            raise Refuted("has %d bytes of writable data"
                          % self.program.writable_bytes())
        cases = list(self.family.cases(self.row.variant, self.stacks()))
        for case in cases:
            try:
                self.run(case)
            except Mismatch as problem:
                try:
                    self.run(case, True)
                except Mismatch as place:
                    raise Mismatch("%s (%s)\n%s" % (problem, case, place)
                                   ) from problem
            except (Refuted, Fault) as problem:
                raise Refuted("%s (%s)" % (problem, case)) from problem
        proved = self.family.describe(cases)
        if isinstance(self.family, LoopFamily):
            inductions = 0
            for _ in self.family.inductions():
                Induction(self).prove()
                inductions += 1
            if inductions:
                proved += ", then any"
        return proved


def prove(row: Row, path: str = "") -> Result:
    """Proves a row of the table, or another object in its place."""
    result = Result(row)
    start = time.process_time()
    try:
        promised = row.stack()
        if row.algorithm not in FAMILIES:
            raise Refuted("no specification for " + row.algorithm)
        if promised is None:
            raise Refuted("the banner has no line Stack")
        with tempfile.TemporaryDirectory() as scratch:
            prover = Prover(row, path or row.object, row.symbol, promised,
                            scratch)
            result.proved = prover.all()
        result.instructions = prover.instructions
        result.stack = prover.deepest
        result.left = prover.left
        if prover.deepest != promised:
            raise Refuted("uses %d bytes of stack, its banner says %d"
                          % (prover.deepest, promised))
    except (Refuted, Fault, Mismatch, terms.Unsupported, Undecided, KeyError,
            subprocess.CalledProcessError) as problem:
        result.problem = str(problem)
    result.seconds = time.process_time() - start
    return result


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = [row for row in rows()
              if options.arch in ("", row.arch) and options.kernel in row.name]
    if not chosen:
        print("no kernel of that name")
        return 2
    failed = 0
    with Pool(options.jobs, maxtasksperchild=1) as pool:
        for result in pool.imap(prove, chosen, chunksize=1):
            print(result, flush=True)
            failed += bool(result.problem)
    print("%d passed, %d failed, 0 skipped" % (len(chosen) - failed, failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
