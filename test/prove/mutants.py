#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""mutants.py [--arch ARCH] [--kernel TEXT] [--count N] - tests the checker.

Flips one random bit of a kernel's machine code or constants and asks for a
proof, many times. Every mutant must be refused, unless it is a true equivalent:
those are recognised by rules in mutants.allow, each reviewed and with a reason.
"""
from __future__ import annotations

import argparse
import os
import random
import re
import struct
import sys
import tempfile
from collections import Counter
from multiprocessing import Pool
from typing import Optional

import terms
from families import Mismatch
from linear import Undecided
from loader import Insn, Program, Row, rows
from machine import Fault
from memory import Refuted
from prove import Prover

ALLOWED = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "mutants.allow")


class Rule:
    """A kind of mutant that changes nothing: before, after, reason."""

    def __init__(self, line: str) -> None:
        before, rest = line.split(" => ", 1)
        after, self.reason = rest.split(" : ", 1)
        self.before = re.compile(before.strip())
        self.after = re.compile(after.strip())

    def fits(self, before: str, after: str) -> bool:
        """True if the rule covers this change."""
        return bool(self.before.fullmatch(before)
                    and self.after.fullmatch(after))


def read_rules() -> list[Rule]:
    """The reviewed rules."""
    with open(ALLOWED, encoding="ascii") as file:
        return [Rule(line.rstrip("\n")) for line in file
                if line.strip() and line[0] != "#"]


def sections_in_file(path: str) -> list[tuple[str, int, int, int]]:
    """(name, address, offset, size) of code and constants in an ELF file."""
    with open(path, "rb") as file:
        data = file.read()
    wide = data[4] == 2
    (offset,) = struct.unpack_from("<Q" if wide else "<I", data,
                                   0x28 if wide else 0x20)
    size, count, names = struct.unpack_from("<HHH", data,
                                            0x3a if wide else 0x2e)
    header = "<IIQQQQ" if wide else "<IIIIII"
    found = []
    headers = [struct.unpack_from(header, data, offset + size * i)
               for i in range(count)]
    for name, _, _, address, start, length in headers:
        at = headers[names][4] + name
        text = data[at:data.index(0, at)].decode()
        if text in (".text", ".rodata"):
            found.append((text, address, start, length))
    return found


# Such as the place in a table of a vector that does not exist.
UNREAD = "a byte of the constants that no run reads"


def text_at(insns: dict[int, Insn], address: int) -> tuple[int, str]:
    """The instruction that covers an address, and where it starts."""
    for back in range(16):
        insn = insns.get(address - back)
        if insn is not None and back < insn.size:
            return insn.address, str(insn)
    return address, "data"


class Watched(bytes):
    """Constants that remember which of their bytes are read."""

    def __new__(cls, content: bytes) -> "Watched":
        self = super().__new__(cls, content)
        self.seen: set[int] = set()
        return self

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        if isinstance(key, slice):
            self.seen.update(range(*key.indices(len(self))))
        return super().__getitem__(key)


class Mutator:
    """The mutants of one kernel."""

    def __init__(self, row: Row, scratch: str) -> None:
        self.row = row
        self.scratch = scratch
        self.original = Program(row.arch, row.object, row.symbol, scratch)
        with open(self.original.linked, "rb") as file:
            self.data = file.read()
        self.places = [
            (address + i, start + i)
            for _, address, start, length in
            sections_in_file(self.original.linked) for i in range(length)]

    def survives(self, address: int, offset: int, bit: int
                 ) -> Optional[tuple[str, str]]:
        """Texts before and after if the mutant proves, else None."""
        path = os.path.join(self.scratch, "mutant")
        data = bytearray(self.data)
        data[offset] ^= 1 << bit
        with open(path, "wb") as file:
            file.write(data)
        try:
            prover = Prover(self.row, path, self.row.symbol, self.row.stack(),
                            self.scratch, linked=True)
            for region in prover.memory.constants:
                region.content = Watched(region.content or b"")
            cases = list(prover.family.cases(self.row.variant,
                                             prover.stacks()))
            cases.sort(key=lambda case: (case.blocks > 2, case.blocks))
            for case in cases:
                prover.run(case)
        except (Refuted, Fault, Mismatch, terms.Unsupported, Undecided):
            return None
        place, before = text_at(self.original.insns, address)
        for region in prover.memory.constants:
            if before == "data" and isinstance(region.content, Watched) and \
                    region.base <= address < region.end and \
                    address - region.base not in region.content.seen:
                return "data", UNREAD
        after = prover.program.insns.get(place)
        return before, str(after) if after else "data"


def mutate(job: tuple[Row, int, int]) -> tuple[Row, int, list[str],
                                                Counter[str]]:
    """Tries count mutants of a row: refused, survivors, allowed by reason."""
    row, count, seed = job
    rules = read_rules()
    source = random.Random("%s %s %d" % (row.arch, row.name, seed))
    refused = 0
    survivors: list[str] = []
    allowed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        mutator = Mutator(row, scratch)
        for _ in range(count):
            address, offset = source.choice(mutator.places)
            bit = source.randrange(8)
            texts = mutator.survives(address, offset, bit)
            if texts is None:
                refused += 1
                continue
            if texts[1] == UNREAD:
                allowed[UNREAD] += 1
                continue
            if texts[0] == texts[1] != "data":
                allowed["a bit that the CPU ignores"] += 1
                continue
            for rule in rules:
                if rule.fits(*texts):
                    allowed[rule.reason] += 1
                    break
            else:
                survivors.append("%x bit %d: %s => %s" % (address, bit,
                                                          *texts))
    return row, refused, survivors, allowed


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    jobs = [(row, options.count, options.seed) for row in rows()
            if options.arch in ("", row.arch) and options.kernel in row.name]
    total = refused = failed = 0
    reasons: Counter[str] = Counter()
    with Pool(options.jobs, maxtasksperchild=1) as pool:
        for row, count, survivors, allowed in pool.imap(mutate, jobs,
                                                        chunksize=1):
            print("%-8s %-20s %3d refused, %2d equivalent, %2d survive" % (
                row.arch, row.name, count, sum(allowed.values()),
                len(survivors)), flush=True)
            for text in survivors:
                print("    " + text, flush=True)
            total += options.count
            refused += count
            failed += len(survivors)
            reasons += allowed
    for reason, count in reasons.most_common():
        print("%5d equivalent: %s" % (count, reason))
    print("%d mutants, %d refused, %d equivalent, %d survive"
          % (total, refused, sum(reasons.values()), failed))
    print("%d passed, %d failed, 0 skipped" % (total - failed, failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
