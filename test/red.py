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

import summary


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
    flag: str = ""  # of /proc/cpuinfo, without which the row cannot run here


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
    Case("zmm-left-dirty", "x86_64", "asm/x86_64/lanes_sha1.inc",
         r"%if VECTOR >= 32\n        vzeroupper", "%if VECTOR == 32\n        vzeroupper",
         "sha1x_avx512x16", "left dirty", "avx512bw"),
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


def ledger(root: pathlib.Path, place: pathlib.Path, flags: str) -> str:
    """A run in which all rows were ok but those that only some machines can run:
    red on a machine that can, a named and counted skip on one that cannot."""
    table = [row for row in summary.ROW.findall((root / "c/kernels.def").read_text())
             if row[1] in ("x86_64", "any")]
    native = {f"{algorithm}_{variant}": weakest.removeprefix("native:")
              for algorithm, _, variant, _, weakest in table
              if weakest.startswith("native:")}
    tap = place / "x86_64" / "tap"
    tap.mkdir(parents=True, exist_ok=True)
    names = [f"{algorithm}_{variant}" for algorithm, _, variant, *_ in table]
    ran = [name for name in names if name not in native]
    (tap / "all.tap").write_text("".join(
        f"ok {n} - {name}/counts\n" for n, name in enumerate(ran, 1))
        + f"1..{len(ran)}\n")
    (place / "cpuinfo").write_text(f"flags\t\t: fpu {flags}\n")
    result = subprocess.run(
        [root / "test/summary.py", "--cpuinfo", place / "cpuinfo", tap],
        cwd=root, capture_output=True, text=True, check=False)
    lines = result.stdout.splitlines()
    for name, flag in native.items():
        want = (f"FAIL ledger {name}: was ok in no run" if flag in flags.split()
                else f"SKIP ledger {name}: this machine has no {flag}")
        if want not in lines:
            return f"the summary does not say: {want}"
    lacking = sum(flag not in flags.split() for flag in native.values())
    count = f"{len(ran)} passed, {len(native) - lacking} failed, {lacking} skipped"
    if lines[-1] != count:
        return f"the summary ends with {lines[-1]!r} instead of {count!r}"
    if result.returncode != (lacking < len(native)):
        return f"exit code {result.returncode}"
    return ""


def main() -> int:
    """Runs the cases of the architectures asked for."""
    root = pathlib.Path(__file__).resolve().parent.parent
    arches = sys.argv[1:] or sorted({case.arch for case in CASES})
    copy = root / "build" / "red"
    copy_tree(root, copy, arches)
    cases = [case for case in CASES if case.arch in arches]
    failed = False
    flags = summary.cpu_flags(pathlib.Path("/proc/cpuinfo"))
    print("TAP version 13")
    for number, case in enumerate(cases, 1):
        if case.flag and case.flag not in flags:
            print(f"ok {number} - red/{case.arch}/{case.name} # SKIP "
                  f"this machine has no {case.flag}")
            continue
        why = run(case, copy)
        failed |= bool(why)
        print(f"{'not ok' if why else 'ok'} {number} - "
              f"red/{case.arch}/{case.name}", flush=True)
        if why:
            print("# " + " ".join(why.split()))
    for number, (name, flags) in enumerate(
            [("machine-lacks", ""), ("machine-has", "avx512bw sha_ni")],
            len(cases) + 1):
        why = ledger(root, copy / name, flags)
        failed |= bool(why)
        print(f"{'not ok' if why else 'ok'} {number} - red/ledger/{name}")
        if why:
            print("# " + why)
    print(f"1..{len(cases) + 2}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
