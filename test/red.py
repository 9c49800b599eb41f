#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Breaks real kernels, one after the other, and demands that make check is red.

    red.py [ARCH...]

The tree is copied below build/red. Each case changes one text in one source of
the copy, runs "make check" there for that kernel, and must see it fail with the
name of the kernel and the reason. The report is in TAP. (The kernels of
test/broken/ test the tests; this tests the whole way from source to exit code.)
"""

import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One change, and what the run must say of it."""

    name: str
    arch: str
    source: str
    before: str
    after: str
    row: str
    reason: str


ENTRY_X86 = "KERNEL hk_sha1_base\n"
READ_TOO_FAR = ENTRY_X86 + """
        mov     rax, rdx
        shl     rax, 6
        movzx   eax, byte [rsi + rax]
"""

CASES = [
    Case("wrong-rotate", "x86_64", "asm/x86_64/sha1_base.asm",
         r"(rol     r%\[NEW\]d), 1 ", r"\1, 2 ", "sha1_base", "state after"),
    Case("rbx-not-saved", "x86_64", "asm/x86_64/sha1_base.asm",
         "PUSH    rbx, rbp", "PUSH    rbp, rbp", "sha1_base",
         "rbx not restored"),
    Case("one-byte-too-far", "x86_64", "asm/x86_64/sha1_base.asm",
         ENTRY_X86, READ_TOO_FAR, "sha1_base", "SIGSEGV: 0 past the end"),
    Case("wrong-needs", "x86_64", "c/kernels.def",
         r'ssse3, +SSSE3, +"Conroe"', 'ssse3, 0, "qemu64"', "sha1_ssse3",
         "SIGILL"),
    Case("no-vzeroupper", "x86_64", "asm/x86_64/sha1_avx2.asm",
         "vzeroupper", "nop", "sha1_avx2", "left dirty"),
    Case("ebx-not-saved", "i386", "asm/i386/sha1_base.asm",
         "PUSH    ebx, ", "PUSH    ebp, ", "sha1_base", "ebx not restored"),
    Case("v4-with-a-word-load", "armv7", "asm/armv7/sha1_v4.S",
         r"ldrb    \\n, \[data, #4 \* \\t\]", r"ldr     \\n, [data, #4 * \\t]",
         "sha1_v4/", "loads more than a byte"),
    Case("q4-not-saved", "armv7", "asm/armv7/abi.inc",
         r"vpop    \{d8-d15\}", "vpop    {d0-d7}", "sha1_neon",
         "d8 not restored"),
    Case("x18-used", "aarch64", "asm/aarch64/abi.inc",
         r"(hint    #34 .*\n)", r"\1        mov     x18, x0\n", "sha1_base",
         "x18"),
    Case("no-landing-pad", "aarch64", "asm/aarch64/abi.inc",
         r"hint    #34 ", "nop     ", "sha1_base", "landing-pad"),
]


def copy_tree(root: pathlib.Path, copy: pathlib.Path, arches: list[str]) -> None:
    """Sources and what is built already, so that little has to be built."""
    shutil.rmtree(copy, ignore_errors=True)
    for name in ("asm", "c", "ci", "test"):
        shutil.copytree(root / name, copy / name)
    shutil.copy2(root / "Makefile", copy)
    for arch in arches:
        if (root / "build" / arch).is_dir():
            shutil.copytree(root / "build" / arch, copy / "build" / arch)


def run(case: Case, tree: pathlib.Path) -> str:
    """The empty string if the run was red for the right reason, else why not."""
    source = tree / case.source
    good = source.read_text()
    bad = re.sub(case.before, case.after, good, count=1)
    if bad == good:
        return f"{case.source} has no {case.before!r} any more"
    source.write_text(bad)
    result = subprocess.run(
        ["make", "-s", f"ARCH={case.arch}", f"FILTER={case.row}", "check-rows"],
        cwd=tree, capture_output=True, text=True, check=False)
    source.write_text(good)
    failures = [line for line in result.stdout.splitlines()
                if line.startswith("FAIL") and case.row in line]
    if result.returncode == 0:
        return "the run is green"
    if not any(case.reason in line for line in failures):
        return (f"no failure of {case.row} says {case.reason!r}: "
                f"{result.stdout[-500:]} {result.stderr[-500:]}")
    return ""


def main() -> int:
    """Runs the cases of the architectures asked for."""
    root = pathlib.Path(__file__).resolve().parent.parent
    arches = sys.argv[1:] or sorted({case.arch for case in CASES})
    copy = root / "build" / "red"
    copy_tree(root, copy, arches)
    cases = [case for case in CASES if case.arch in arches]
    failed = False
    print("TAP version 13")
    for number, case in enumerate(cases, 1):
        why = run(case, copy)
        failed |= bool(why)
        print(f"{'not ok' if why else 'ok'} {number} - "
              f"red/{case.arch}/{case.name}", flush=True)
        if why:
            print("# " + " ".join(why.split()))
    print(f"1..{len(cases)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
