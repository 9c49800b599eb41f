#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""SipHash-2-4 by executed instructions: kernels against compilers.

    siphash.py ARCH...

One table for each architecture: for each kernel of kernels.def, the executed
instructions of one call by message length, and below it those of the portable
C row, compiled at -O3 by gcc and clang for the same instruction set. Counted
exactly, by plugin.c in QEMU. A count in which a compiler is not behind is
marked with an asterisk.
"""

import re
import subprocess
import sys
from pathlib import Path

import cost

LENGTHS = [0, 4, 7, 8, 16, 32, 64, 128, 445, 1024]

# Clang's target; and for each variant of the table, what tells a compiler to stay
# within its instruction set.
ARCHES = {
    "i386": ("i686-linux-gnu", {
        "base": "-march=i486", "sse2": "-march=pentium4 -msse2"}),
    "armv7": ("arm-linux-gnueabihf", {
        "v4": "-marm -march=armv4t -mfloat-abi=soft",
        "v6": "-marm -march=armv6 -mfloat-abi=soft",
        "t2": "-mthumb -march=armv7-a -mfloat-abi=soft",
        "t1": "-mthumb -march=armv4t -mfloat-abi=soft"}),
    "aarch64": ("aarch64-linux-gnu", {
        "base": "", "strict": "-mstrict-align"}),
}


def run(*command: str) -> subprocess.CompletedProcess:
    """Runs a command; its failure ends the script with what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done


def build(arch: str, variant: str) -> tuple[Path, bool]:
    """The program for one variant; whether clang could make its part."""
    target, variants = ARCHES[arch]
    prefix = cost.ARCHES[arch]["prefix"]
    place = Path(f"build/{arch}/test/siphash-{variant}")
    place.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-O3", "-ffreestanding", "-DHK_FREESTANDING", "-Ic", "-c",
             "c/siphash24_c.c", *variants[variant].split()]
    run(f"{prefix}gcc", *flags, "-Dhk_siphash24_c=hk_siphash24_gcc",
        "-o", f"{place}/gcc.o")
    clang = subprocess.run(
        ["clang", f"--target={target}", *flags, "-Dhk_siphash24_c=hk_siphash24_clang", "-o", f"{place}/clang.o"],
        capture_output=True, check=False).returncode == 0
    objects = [f"{place}/gcc.o"] + ([f"{place}/clang.o"] if clang else [])
    program = place / "siphash"
    run(f"{prefix}gcc", "-std=c11", "-O1", "-Ic", "-static",
        "-Wl,--no-warn-mismatch",  # soft-float objects in a hard-float program
        "test/cost/siphash.c",
        *([] if clang else ["-Dhk_siphash24_clang=hk_siphash24_gcc"]),
        *objects, f"build/{arch}/libhashkern.a", "-o", str(program))
    return program, clang


def count(arch: str, program: Path, name: str) -> list[int]:
    """Executed instructions of one call, for each length."""
    traced = cost.Program(arch, str(program))
    for compiler in ("gcc", "clang"):
        if name == compiler:  # trace() knows a function by its row's name
            for known in (traced.symbols, traced.sizes):
                known["hk_" + name] = known["hk_siphash24_" + name]
    return [len(call) for call in traced.trace(name, LENGTHS)]


def main() -> None:
    """Prints the tables of the architectures on the command line."""
    table = Path("c/kernels.def").read_text()
    for arch in sys.argv[1:]:
        print(f"\n{arch:8}{'SipHash-2-4 of bytes:':18}" +
              "".join(f"{n:7}" for n in LENGTHS))
        for variant in re.findall(rf"^KERNEL\(siphash24, +{arch}, +(\w+)", table, re.M):
            program, clang = build(arch, variant)
            ours = count(arch, program, f"siphash24_{variant}")
            print(f"  {'siphash24_' + variant:24}" + "".join(f"{n:7}" for n in ours))
            for compiler in ["gcc"] + (["clang"] if clang else []):
                theirs = count(arch, program, compiler)
                cells = "".join(f"{n}{'*' if n <= our else ''}".rjust(7)
                                for n, our in zip(theirs, ours))
                print(f"  {'  ' + compiler + ' -O3':24}{cells}")


if __name__ == "__main__":
    main()
