#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Adds up reports of the check program and prints the ledger of kernels.

    summary.py [--partial] [--cpuinfo FILE] build/<arch>/tap...

Every *.tap file in the directories is one run, in the Test Anything Protocol.
The ledger has a line for each row of c/kernels.def that these architectures
build: a row without a single "ok" is a failure, except that one whose weakest
CPU is native:<flag> is a counted skip where the machine lacks the flag.
--partial: the run was filtered, so the ledger is printed but not demanded.
--cpuinfo: another machine's flags instead of /proc/cpuinfo.
Ends with "N passed, N failed, N skipped"; exit code 1 if anything failed.
"""

import argparse
import pathlib
import re
import sys
from dataclasses import dataclass, field

ROW = re.compile(r'^KERNEL\((\w+),\s*(\w+),\s*(\w+),\s*([^,]+),\s*"([^"]+)"\)', re.M)
RESULT = re.compile(r"^(ok|not ok) \d+ - (\S+)(?: # SKIP (.*))?$")


@dataclass
class Run:
    """One report: which tests were ok, which failed and why, which skipped."""

    name: str
    passed: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def read(path: pathlib.Path) -> Run:
    """Reads a report; one that ends without a plan is a failure of its own."""
    run = Run(f"{path.parent.parent.name}/{path.stem}")
    planned = False
    for line in path.read_text(errors="replace").splitlines():
        if match := RESULT.match(line):
            result, test, reason = match.groups()
            if result == "not ok":
                run.failed.append((test, ""))
            elif reason is not None:
                run.skipped.append((test, reason))
            else:
                run.passed.append(test)
        elif line.startswith("# ") and run.failed and not run.failed[-1][1]:
            run.failed[-1] = (run.failed[-1][0], line[2:])
        elif line.startswith("Bail out!"):
            run.failed.append(("the whole run", line))
        elif line.startswith("1.."):
            total = len(run.passed) + len(run.failed) + len(run.skipped)
            planned = int(line[3:]) == total
    if not planned:
        run.failed.append(("the whole run", "it ended before its plan"))
    return run


def cpu_flags(cpuinfo: pathlib.Path) -> set[str]:
    """The flags of a machine, as /proc/cpuinfo names them."""
    text = cpuinfo.read_text()
    return set(re.findall(r"\w+", " ".join(
        re.findall(r"^(?:flags|Features)\s*:(.*)$", text, re.M))))


def ledger(runs: list[Run], arches: list[str], flags: set[str],
           partial: bool) -> Run:
    """Prints a line for each row; returns the rows that did not run."""
    result = Run("ledger")
    print("ok per kernel and run:")
    table = pathlib.Path("c/kernels.def").read_text()
    known = {arch for _, arch, *_ in ROW.findall(table)}
    arches = [arch for arch in arches if arch in known]  # not "firmware"
    for algorithm, arch, variant, _needs, weakest in ROW.findall(table):
        row = f"{algorithm}_{variant}"
        for here in arches if arch == "any" else [arch] if arch in arches else []:
            counts = {
                run.name.split("/")[1]:
                    sum(test.startswith(row + "/") and test != row + "/needs"
                        for test in run.passed)
                for run in runs if run.name.startswith(here + "/")}
            counts = {name: n for name, n in counts.items() if n}
            where = ", ".join(f"{name} {n}" for name, n in counts.items())
            if partial and not counts:
                continue
            print(f"  {here:8} {row:24} {where or 'never ran'}")
            flag = weakest.removeprefix("native:")
            if counts:
                continue
            if flag != weakest and flag not in flags:
                result.skipped.append((row, f"this machine has no {flag}"))
            else:
                result.failed.append((row, "was ok in no run"))
    return result


def main() -> int:
    """Prints ledger, skips, failures and the count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("--cpuinfo", type=pathlib.Path, default="/proc/cpuinfo")
    parser.add_argument("places", type=pathlib.Path, nargs="+")
    args = parser.parse_args()
    runs = [read(path) for place in args.places
            for path in sorted(place.glob("*.tap"))]
    rows = ledger(runs, [place.parent.name for place in args.places],
                  cpu_flags(args.cpuinfo), args.partial)
    runs += [] if args.partial else [rows]
    for run in runs:
        for test, reason in run.skipped:
            print(f"SKIP {run.name} {test}: {reason}")
    for run in runs:
        for test, reason in run.failed:
            print(f"FAIL {run.name} {test}: {reason}")
    passed, failed, skipped = (
        sum(len(getattr(run, what)) for run in runs)
        for what in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed + skipped else 0


if __name__ == "__main__":
    sys.exit(main())
