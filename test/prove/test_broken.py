#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""test_broken.py [--arch ARCH] - kernels broken on purpose are refused.

Those of broken.cases are assembled from their changed sources, and the checker
must say what is wrong with each; those of test_refute.py, changed in their
machine code, must also be refused close to the change.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import unittest
from multiprocessing import Pool

import test_refute
from loader import ROOT, Row, rows, tool
from prove import prove

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "broken.cases")


class Case:
    """A change of a kernel's source."""

    def __init__(self, arch: str, kernel: str, title: str) -> None:
        self.arch = arch
        self.kernel = kernel
        self.title = title
        self.changes: list[tuple[str, list[str]]] = []
        self.expected = ""

    def __str__(self) -> str:
        return "%-8s %-15s %s" % (self.arch, self.kernel, self.title)

    def row(self) -> Row:
        """The row of the table."""
        return next(row for row in rows() if row.arch == self.arch
                    and row.name == self.kernel)

    def source(self) -> str:
        """The changed source."""
        with open(self.row().source, encoding="ascii") as file:
            lines = file.read().splitlines()
        for old, new in self.changes:
            found = [i for i, line in enumerate(lines) if line.strip() == old]
            if len(found) != 1:
                raise ValueError("%s: %d times in the source: %s"
                                 % (self, len(found), old))
            lines[found[0]:found[0] + 1] = ["        " + line for line in new]
        return "\n".join(lines) + "\n"


def read_cases() -> list[Case]:
    """The cases of the file."""
    found: list[Case] = []
    with open(CASES, encoding="ascii") as file:
        for line in file:
            mark, text = line[:1], line[1:].strip()
            if mark == "[":
                where, title = text.split("]", 1)
                found.append(Case(*where.split(), title=title.strip()))
            elif mark == "-":
                found[-1].changes.append((text, []))
            elif mark == "+":
                found[-1].changes[-1][1].append(text)
            elif mark == "=":
                found[-1].expected = text
            elif mark not in ("#", "\n"):
                raise ValueError("broken.cases: " + line)
    return found


def assemble(case: Case, folder: str) -> str:
    """The object of a case, made as the Makefile makes those of kernels."""
    source = os.path.join(folder, os.path.basename(case.row().source))
    with open(source, "w", encoding="ascii") as file:
        file.write(case.source())
    path = os.path.join(folder, "broken.o")
    inner = os.path.join(ROOT, "asm", case.arch)
    outer = os.path.join(ROOT, "asm")
    if source.endswith(".asm"):
        elf = {"x86_64": "elf64", "i386": "elf32"}[case.arch]
        command = [os.environ.get("NASM", "nasm"), "-f", elf, "-I",
                   inner + "/", "-I", outer + "/"]
    else:
        command = [tool(case.arch, "gcc"), "-c", "-g", "-I", inner, "-I",
                   outer]
    subprocess.run([*command, source, "-o", path], check=True,
                   stderr=subprocess.DEVNULL)
    return path


def run(case: Case) -> tuple[Case, str]:
    """What is wrong with the answer to a case; nothing if it is right."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            path = assemble(case, folder)
        except (ValueError, subprocess.CalledProcessError) as problem:
            return case, str(problem)
        found = prove(case.row(), path).problem
    if not found:
        return case, "is proved"
    if not re.search(case.expected, found):
        return case, "refused with: " + found
    return case, ""


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = [case for case in read_cases()
             if options.arch in ("", case.arch)]
    failed = 0
    with Pool(options.jobs, maxtasksperchild=1) as pool:
        for case, problem in pool.imap(run, cases, chunksize=1):
            if problem:
                failed += 1
                print("FAIL %s: %s" % (case, problem), flush=True)
    count = len(cases)
    if options.arch in ("", "x86_64"):
        found = unittest.TextTestRunner(verbosity=0).run(
            unittest.defaultTestLoader.loadTestsFromModule(test_refute))
        count += found.testsRun
        failed += len(found.failures) + len(found.errors)
    print("%d passed, %d failed, 0 skipped" % (count - failed, failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
