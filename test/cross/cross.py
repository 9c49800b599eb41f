#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Cross-compiling: what is promised is built, what cannot work is refused.

    cross.py

The report is in TAP. Everything is built below build/cross; the commands of the
README's section "Cross-compile" are run as they stand there, but for that.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "cross"
ROW = re.compile(r"^KERNEL\((\w+), *(\w+), *(\w+), *([^,]+),", re.M)
ROWS = [(f"{algorithm}_{variant}", arch, needs.strip()) for
        algorithm, arch, variant, needs in
        ROW.findall((ROOT / "c" / "kernels.def").read_text())]
MACHINE = {"aarch64": "AArch64", "armv7": "ARM", "i386": "Intel 80386"}
HOSTED = {"hashkern_file.o", "digest.o"}


class Failure(Exception):
    """What is wrong."""


def run(*command, good=True):
    """The output of a command, which must succeed (or must fail)."""
    result = subprocess.run(command, cwd=ROOT, text=True, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if (result.returncode == 0) != good:
        raise Failure(f"{' '.join(command)}: exit status {result.returncode}: "
                      f"{result.stdout[-400:]}")
    return result.stdout


def make(where, *arguments, target=(), good=True):
    """make with everything below build/cross/<where>."""
    below = f"build/cross/{where}"
    return run("make", "-s", "-j2", f"B={below}", *arguments,
               *(f"{below}/{name}" for name in target), good=good)


# ---- The README's commands ------------------------------------------------------

def readme_commands():
    """The commands of the section, comments left out."""
    section = (ROOT / "README.md").read_text().split("\n## Cross-compile\n")[1]
    section = section.split("\n## ")[0]
    return [line.split("#")[0].split()[1:] for line in section.splitlines()
            if line.startswith("    make ")]


def words_of(command):
    """The variables of a command: ARCH, CROSS, CPU."""
    return dict(word.split("=") for word in command)


def readme(command):
    """The library is built, for that machine, of the rows that belong in it."""
    said = words_of(command)
    arch, cross, cpu = (said.get(name, "") for name in ("ARCH", "CROSS", "CPU"))
    where = "-".join(filter(None, (arch, cross.strip("-"), cpu)))
    make(where, *command)
    library = f"build/cross/{where}/libhashkern.a"
    members = set(run("ar", "t", library).split())
    machines = set(re.findall(r"Machine: *(.*)", run("readelf", "-h", library)))
    if machines != {MACHINE[arch]}:
        raise Failure(f"{library} is for {machines}")
    rows = {f"{name}.o" for name, of, _ in ROWS if of == arch}
    missing = rows - members
    if not cpu and "none" not in cross and missing:
        raise Failure(f"{library} lacks {sorted(missing)}")
    if not members & rows:
        raise Failure(f"{library} has no kernel")
    bare = "none" in cross
    if (bare and members & HOSTED) or (not bare and not HOSTED <= members):
        raise Failure(f"{library}: {members & HOSTED} of {HOSTED}")
    if bare:
        symbols = run("nm", library)
        defined = set(re.findall(r" [A-TV-Z] (\w+)", symbols))
        needed = set(re.findall(r" U (\w+)", symbols)) - defined
        if any(not name.startswith("__aeabi_") for name in needed):
            raise Failure(f"{library} needs {sorted(needed)}")
    elif not (BUILD / where / "hksum").exists():
        raise Failure("no hksum")


def every_machine():
    """The section speaks of armel, armhf, aarch64, arm-none-eabi and i686."""
    said = [words_of(command) for command in readme_commands()]
    for arch, cross in (("armv7", "arm-linux-gnueabi-"), ("armv7", ""),
                        ("aarch64", ""), ("armv7", "arm-none-eabi-"),
                        ("i386", "")):
        if not any(one["ARCH"] == arch and one.get("CROSS", "") == cross
                   for one in said):
            raise Failure(f"no command for {arch} {cross}")


# ---- What is refused ------------------------------------------------------------

def refused(cpu, row, need, cross=""):
    """The object is not made, and make says why."""
    where = f"refused-{cpu}"
    output = make(where, "ARCH=armv7", f"CPU={cpu}",
                  *([f"CROSS={cross}"] if cross else []),
                  target=[f"asm/{row}.o"], good=False)
    if f"{row} needs {need}, which {cpu} lacks" not in output:
        raise Failure(f"make says: {output[-300:]}")
    if (BUILD / where / "asm" / f"{row}.o").exists():
        raise Failure("the object was made all the same")


def allowed(cpu, row):
    """The object is made."""
    where = f"refused-{cpu}"
    make(where, "ARCH=armv7", f"CPU={cpu}", target=[f"asm/{row}.o"])
    if not (BUILD / where / "asm" / f"{row}.o").exists():
        raise Failure("no object")


def sources(arch):
    """The kernels of an architecture, with the options that they need."""
    for name, of, _ in ROWS:
        if of == arch:
            yield name, (f"asm/{arch}/{name}.S", "-Iasm/" + arch, "-Iasm")


def big_endian(arch, compiler, message):
    """No kernel assembles for the other byte order."""
    out = str(BUILD / f"{arch}-big.o")
    for name, source in sources(arch):
        output = run(compiler, "-mbig-endian", "-c", *source, "-o", out,
                     good=False)
        if message not in output:
            raise Failure(f"{name}: {output[-300:]}")


def big_endian_c(compiler):
    """But the C kernels do, and are the only ones."""
    output = run(compiler, "-mbig-endian", "-DHK_FREESTANDING", "-ffreestanding",
                 "-Ic", "-E", "-P", "c/kernels.c")
    if re.search(r'"armv7"|"aarch64"', output) or "hk_sha256_c" not in output:
        raise Failure("the table has kernels in assembly")


# ---- clang ----------------------------------------------------------------------

def clang(arch, target):
    """clang assembles every file, to one function of the right name and state."""
    out = str(BUILD / f"{arch}-clang.o")
    for name, source in sources(arch):
        run("clang", f"--target={target}", "-Werror", "-c", *source, "-o", out)
        if not re.search(rf"FUNC +GLOBAL +DEFAULT +\d+ hk_{name}$",
                         run("readelf", "-sW", out), re.M):
            raise Failure(f"{name}: no such function in clang's object")


# ---- Interworking ---------------------------------------------------------------

def interwork(state):
    """Every kernel is called from that state, and returns to it."""
    make("armhf", "ARCH=armv7", target=["libhashkern.a"])
    program = str(BUILD / f"interwork-{state}")
    run("arm-linux-gnueabihf-gcc", f"-m{state}", "-O1", "-std=c11", "-Wall",
        "-Wextra", "-Werror", "-Ic", "-static", "test/cross/interwork.c",
        "build/cross/armhf/libhashkern.a", "-o", program)
    output = run("qemu-arm", "-cpu", "max", program)
    for name, arch, _ in ROWS:
        family = name.partition("_")[0]
        if arch == "armv7" and family[-1] != "x" and family != "sha1dc" and \
                f"ok {name} from {state}\n" not in output:
            raise Failure(f"{name} was not called: {output[-300:]}")
    if "not ok" in output:
        raise Failure(output[-300:])


def interwork_tester():
    """A kernel whose symbol is not a function does crash its caller."""
    text = (ROOT / "asm" / "armv7" / "abi.inc").read_text()
    bad = BUILD / "no-type"
    bad.mkdir(exist_ok=True)
    broken = re.sub(r"^ *\.type .*\n", "", text, flags=re.M)
    if broken == text:
        raise Failure("abi.inc has no .type")
    (bad / "abi.inc").write_text(broken)
    out = str(bad / "sha1_v4.o")
    # abi.inc of the copy; the other files from where they are
    (bad / "sha1_v4.S").write_text(
        (ROOT / "asm" / "armv7" / "sha1_v4.S").read_text())
    run("arm-linux-gnueabihf-gcc", "-c", f"-I{bad}", "-Iasm/armv7", "-Iasm",
        str(bad / "sha1_v4.S"), "-o", out)
    program = str(bad / "interwork")
    run("arm-linux-gnueabihf-gcc", "-mthumb", "-O1", "-std=c11", "-Ic",
        "-static", "-Wl,--allow-multiple-definition", "test/cross/interwork.c",
        out, "build/cross/armhf/libhashkern.a", "-o", program)
    run("qemu-arm", "-cpu", "max", program, good=False)


TESTS = [
    *((f"readme/{'-'.join(c)}", readme, (c,)) for c in readme_commands()),
    ("readme/every-machine", every_machine, ()),
    ("refused/neon-for-arm926ej-s", refused, ("arm926ej-s", "sha1_neon", "NEON")),
    ("refused/v6-for-arm926ej-s", refused, ("arm926ej-s", "sha256_v6", "V6")),
    ("refused/ce-for-cortex-a9", refused, ("cortex-a9", "sha1_ce", "SHA1")),
    ("refused/v4-for-cortex-m3", refused,
     ("cortex-m3", "sha1_v4", "A32", "arm-none-eabi-")),
    ("refused/t2-for-cortex-m0", refused,
     ("cortex-m0", "sha512_t2", "T2", "arm-none-eabi-")),
    ("allowed/v4-for-arm926ej-s", allowed, ("arm926ej-s", "sha1_v4")),
    ("allowed/neon-for-cortex-a9", allowed, ("cortex-a9", "sha1_neon")),
    ("big-endian/armv7", big_endian,
     ("armv7", "arm-linux-gnueabihf-gcc", "ARM kernels are little-endian")),
    ("big-endian/aarch64", big_endian,
     ("aarch64", "aarch64-linux-gnu-gcc", "kernels are little-endian")),
    ("big-endian/armv7-c", big_endian_c, ("arm-linux-gnueabihf-gcc",)),
    ("big-endian/aarch64-c", big_endian_c, ("aarch64-linux-gnu-gcc",)),
    ("clang/armv7", clang, ("armv7", "armv7-linux-gnueabihf")),
    ("clang/aarch64", clang, ("aarch64", "aarch64-linux-gnu")),
    ("interwork/arm", interwork, ("arm",)),
    ("interwork/thumb", interwork, ("thumb",)),
    ("interwork/tester", interwork_tester, ()),
]


def main():
    """Runs the tests."""
    BUILD.mkdir(parents=True, exist_ok=True)
    failed = False
    print("TAP version 13")
    for number, (name, test, arguments) in enumerate(TESTS, 1):
        try:
            test(*arguments)
            print(f"ok {number} - cross/{name}", flush=True)
        except Failure as problem:
            failed = True
            print(f"not ok {number} - cross/{name}")
            print("# " + " ".join(str(problem).split()), flush=True)
    print(f"1..{len(TESTS)}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
