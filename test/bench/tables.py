#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Measures what RESULTS.md shows, and writes it.

    tables.py [STEP]...

Each step measures one thing and keeps it as build/results/STEP.json; without
arguments all of them run. RESULTS.md and its pictures are then written from all
that was kept (results.py). A step that cannot be done here ends the run.

    speed    every kernel, C and peer, by message size: make bench
    cases    ragged messages, and blocks that are hard to judge: make bench-cases
    siphash  SipHash-2-4 against Rust's standard library: make time-rust
    links    whole links with a build identifier, if lld 14 is here
    tool     10^9 zero bytes and many files, hksum against coreutils and openssl, in
             64-bit builds and, where the CPU runs them, 32-bit ones: make bench-tool
    count32  instructions of the 32-bit tools
    arm      32-bit ARM: C with four ways to store a word against assembly
    pack     instructions in the checksum of a pack, safe and fast
    git      git with one SHA-1 and another, built from Debian's source if it is to
             be had (in $CLIENTS, or build/clients)
    cost     instructions and models of other CPUs, all architectures: make cost
"""

import concurrent.futures
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/cost"))
import cost  # noqa: E402
from results_tables import arm_bytes  # noqa: E402

KEPT = ROOT / "build/results"
HOST = platform.machine()


def run(*command, **options):
    """What a command prints; if it fails, that ends the run."""
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, cwd=ROOT, check=False, **options)
    if done.returncode:
        sys.exit(f"tables: {' '.join(map(str, command))}: {done.stdout[-2000:]}")
    return done.stdout


def make(*words):
    """make, quietly."""
    return run("make", "-s", "--no-print-directory", *words)


def first_line(*command):
    """The first line that a program says of itself, if it is here."""
    try:
        return run(*command).splitlines()[0]
    except FileNotFoundError:
        return None


# ---- Steps -------------------------------------------------------------------


def speed():
    """All of make bench, as JSON."""
    return json.loads(run(
        f"build/{HOST}/bench", "--json", "--compilers", "--peers", "--seconds",
        os.environ.get("SECONDS", "30")))


def cases():
    """[case, algorithm or kernel, nanoseconds, nanoseconds]..."""
    make(f"build/{HOST}/cases")
    rows = [line.split(",") for line in
            run(f"build/{HOST}/cases", "--csv", "1000").splitlines()]
    return [[*row[:2], float(row[2]), float(row[3])] for row in rows]


def siphash():
    """Nanoseconds a call, and of the SipRounds alone."""
    lines = {}
    if not shutil.which("cargo"):
        print("tables: siphash: skipped, no cargo here")
        return {"compiler": "no rustc", "lines": {}}
    for line in make("time-rust").splitlines():
        field = line.split()
        if field and field[0].isdigit():
            lines[int(field[0])] = [float(word) for word in field[1:]]
    return {"compiler": first_line("rustc", "--version"), "lines": lines}


def links():
    """Seconds of whole links, with LLVM's SHA-1 and with ours preloaded."""
    if not Path("/usr/lib/llvm-14/bin/ld.lld").exists():
        print("tables: links: skipped, no lld 14 here")
        return []
    preload = f"build/{HOST}/hashkern-lld14.so"
    make(preload)
    return json.loads(run("python3", "test/clients/links.py", "--time", "3",
                          "--json", KEPT / "links", preload))["links"]


TOOL_ALGORITHMS = ("sha1", "sha256", "sha512")


def i386_root():
    """A folder with Debian's 32-bit coreutils and openssl; None if not to be had."""
    root = ROOT / "build/i386-root"
    got = subprocess.run(["test/bench/fetch-i386.sh", root, "coreutils", "openssl",
                          "libssl3"], cwd=ROOT, check=False)
    return None if got.returncode else root


def i386_tools(root):
    """A folder of these under their names."""
    place = KEPT / "i386-tools"
    place.mkdir(exist_ok=True)
    for name in (*[f"{name}sum" for name in TOOL_ALGORITHMS], "openssl"):
        script = place / name
        script.write_text(f"#!/bin/sh\nexec '{root}/run' '{root}/usr/bin/{name}' "
                          '"$@"\n')
        script.chmod(0o755)
    return place


def timed(*command, **options):
    """What tool.sh printed: [algorithm, files, tool, milliseconds]..."""
    return [[*line.split()[:3], float(line.split()[3])]
            for line in run("sh", "test/bench/tool.sh", *command, **options)
            .splitlines()]


NAMES = 100000


def peak_memory(program):
    """MB that the tool takes for so many files, and for one. Its last file is one
    that it waits for; then the system tells what it took."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        names = [f"{number:x}" for number in range(NAMES)]
        (place / "0").write_bytes(bytes(1000))
        for name in names[1:]:
            (place / name).symlink_to("0")
        os.mkfifo(place / "last")
        for some in (names, names[:1]):
            with subprocess.Popen([ROOT / program, "-a", "sha256", *some, "last"],
                                  cwd=place, stdout=subprocess.DEVNULL) as process:
                with open(place / "last", "wb"):
                    status = Path(f"/proc/{process.pid}/status").read_text()
            found.append(int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1000)
    return found


def tool():
    """The tool in both builds."""
    make("ARCH=i386", "build/i386/hksum")
    result = {"64-bit": timed(f"build/{HOST}/hksum"), "32-bit": []}
    result["peak_MB"] = peak_memory(f"build/{HOST}/hksum")
    bench = json.loads(run(f"build/{HOST}/bench", "--json", "--seconds", "3",
                           *TOOL_ALGORITHMS))
    result["MB_per_s"] = {
        row["algorithm"]: row["MB_per_s"] for row in bench["results"]
        if row["name"] == "one call" and row["bytes"] == 1 << 20}
    try:
        run("build/i386/hksum", "--version")
        native = True
    except OSError:
        native = False
    if native:
        root = i386_root()
        path = f"{i386_tools(root)}:{os.environ['PATH']}" if root else ""
        result["32-bit"] = timed(
            "build/i386/hksum", "5",
            env={**os.environ, "PATH": path} if root else {**os.environ, "TOOLS": ""})
    return result


def executed(emulator, *command):
    """How many instructions a program takes, all of it."""
    text = run(emulator[0], "-h")
    single = "-one-insn-per-tb" if "-one-insn-per-tb" in text else "-singlestep"
    with subprocess.Popen(
            [*emulator, single, "-d", "exec,nochain", "-D", "/dev/stderr", *command],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        count = sum(line.startswith(b"Trace ") for line in process.stderr)
    if process.returncode:
        sys.exit(f"tables: {command} failed under {emulator[0]}")
    return count


def count32():
    """Instructions a byte of 32-bit tools; a time says nothing of older CPUs. The
    difference between two files is free of start and end."""
    make("ARCH=i386", "build/i386/hksum")
    small, large = KEPT / "zeros-small", KEPT / "zeros-large"
    sizes = (4096, 8192)
    for file, size in ((small, sizes[0]), (large, sizes[1])):
        file.write_bytes(bytes(size))
    tools = {}
    for model, what in (("max", "SHA-NI, AVX2"), ("n270", "SSSE3"),
                        ("pentium3", "general registers")):
        tools[f"hksum on {model} ({what})"] = (
            ["qemu-i386", "-cpu", model], ["build/i386/hksum", "-a"])
    root = i386_root()
    if root:
        tools["coreutils"] = (["qemu-i386", "-cpu", "max", "-L", str(root)],
                              [f"{root}/usr/bin"])
    result = {}
    for who, (emulator, command) in tools.items():
        result[who] = {}
        for name in TOOL_ALGORITHMS:
            start = ([*command, name] if command[-1] == "-a"
                     else [f"{command[0]}/{name}sum"])
            counts = [executed(emulator, *start, str(file))
                      for file in (small, large)]
            result[who][name] = (counts[1] - counts[0]) / (sizes[1] - sizes[0])
    return result


ARM_BYTES = arm_bytes()
ARM_BUILDS = {"ARMv5": ("CROSS=arm-linux-gnueabi-", "CPU=arm926ej-s"), "ARMv7": ()}
ARM_TARGETS = {"ARMv5": "arm-linux-gnueabi", "ARMv7": "arm-linux-gnueabihf"}


def arm_compilers(build):
    """What C is compiled with, and what make is told for that. gcc calls a function
    of the kernel for what ARMv5 has no instruction for, clang one of libatomic."""
    atomic = "-Wl,-u,__atomic_load_4,-u,__atomic_store_4 -latomic"
    clang = ["clang", f"--target={ARM_TARGETS[build]}", "-w",
             *[atomic] * (build == "ARMv5")]
    compilers = {"gcc -O2": ()}
    if shutil.which("clang"):
        compilers["clang -O3"] = (f"CC={' '.join(clang)}", "CFLAGS=-O3")
    return compilers


def arm():
    """SHA-1 of the seed's message, aligned and not, and sizes of objects."""
    result = {}
    blocks = (ARM_BYTES + 9 + 63) // 64
    for build, words in ARM_BUILDS.items():
        result[build] = {}
        for compiler, more in arm_compilers(build).items():
            place = f"build/tables/{build}-{compiler.replace(' ', '')}"
            make("ARCH=armv7", f"B={place}", *words, *more, f"{place}/test/call")
            program = cost.Program("armv7", str(ROOT / place / "test/call"))
            for kernel, block in program.kernels():
                algorithm, variant = kernel.split("_", 1)
                if algorithm != "sha1" or not block or variant == "ref":
                    continue
                kind = "c" if variant.startswith("c") and variant != "ce" else "asm"
                if kind == "asm" and (compiler != "gcc -O2" or
                                      build == "ARMv5" and
                                      needs(kernel) not in ("", "A32")):
                    continue
                row = {}
                for name, offset in (("aligned", 0), ("unaligned", 1)):
                    count = cost.count(program, kernel, offset)
                    row[name] = count["call"] + (blocks - 1) * count["block"]
                line = run("arm-linux-gnueabihf-size",
                           f"{place}/{kind}/{kernel}.o").splitlines()[1]
                row["text"], row["data"], row["bss"] = map(int, line.split()[:3])
                result[build][f"{kernel} {compiler}" if kind == "c"
                              else kernel] = row
    return result


def needs(kernel):
    """What a 32-bit ARM row of the table needs."""
    algorithm, variant = kernel.split("_", 1)
    match = re.search(rf"^KERNEL\({algorithm}, *armv7, *{variant}, *([^,]*),",
                      (ROOT / "c/kernels.def").read_text(), re.M)
    return "" if match[1].strip() == "0" else match[1].strip()


def instructions(*command):
    """Instructions of a program under callgrind."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        cwd=ROOT, capture_output=True, text=True, check=False)
    match = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not match:
        sys.exit(f"tables: {command} under callgrind: {done.stderr[-2000:]}")
    return int(match[1])


def pack():
    """Instructions a byte of the checksum: two sizes, their difference."""
    make(f"build/{HOST}/hksum")
    files = {}
    data = bytearray()
    state = 1
    while len(data) < 1 << 20:          # nothing that a tool could skip
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        data += state.to_bytes(8, "little")
    for size in (1 << 19, 1 << 20):
        files[size] = KEPT / f"pack-{size}"
        files[size].write_bytes(data[:size])
    tool = f"build/{HOST}/hksum"
    commands = {"coreutils sha1sum": ["sha1sum"]}
    if shutil.which("git"):
        commands["git hash-object"] = ["git", "hash-object", "--no-filters"]
    under = run("valgrind", "-q", tool, "--list")
    for line in under.splitlines():
        name = line.split()[0] if line.split() else ""
        if re.match(r"sha1(dc)?_(?!c_|ref)", name) and "not without" not in line:
            commands[name] = [tool, "-a", name.split("_")[0], "--kernel", name]
    result = {}
    for name, command in commands.items():
        counts = [instructions(*command, str(file)) for file in files.values()]
        result[name] = (counts[1] - counts[0]) / (1 << 19)
    return result


GITS = ("sha1dc", "block-sha1", "openssl", "hashkern")
GIT_TASKS = ("pack-objects", "hash-object")


def git():
    """Seconds of git, and instructions when it serves a clone."""
    built = Path(os.environ.get("CLIENTS", ROOT / "build/clients"))
    subprocess.run(["ci/clients.sh", "gits"], cwd=ROOT, check=False,
                   stdout=subprocess.DEVNULL)
    gits = [f"{name}={built}/git-{name}/git" for name in GITS]
    if not all((built / f"git-{name}/git").exists() for name in GITS):
        print("tables: git: skipped, its source is not to be had here")
        return {}
    result = {"seconds": []}
    for task in GIT_TASKS:
        result["seconds"] += json.loads(run(
            "python3", "test/clients/gits.py", "--rounds", "5", "--json", "--only",
            task, KEPT / "gits", *gits))["git"]
    [result["instructions"]] = json.loads(run(
        "python3", "test/clients/gits.py", "--count", "--json", "--only",
        "pack-objects", KEPT / "gits", *gits))["git-instructions"]
    return result


def cost_tables():
    """make cost for all, and make cost-siphash for those that cannot be timed."""
    arches = ("x86_64", "i386", "armv7", "aarch64")
    for arch in arches:
        make(f"ARCH={arch}", f"build/{arch}/test/call")
        make(f"ARCH={arch}", f"build/{arch}/libhashkern.a")
    if HOST == "x86_64":
        make("build/cost/step")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        models = pool.map(model_table, arches)
        siphashes = pool.map(siphash_table, arches[1:])
        return {"models": dict(zip(arches, models)),
                "siphash": dict(zip(arches[1:], siphashes))}


def model_table(arch):
    """What make cost prints, as rows."""
    table = KEPT / f"cost-{arch}.csv"
    run("python3", "test/cost/cost.py", "--csv", table, arch)
    head, *rows = [line.split(",") for line in table.read_text().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def siphash_table(arch):
    """What make cost-siphash prints, as rows."""
    lengths, rows = None, []
    for line in run("python3", "test/cost/siphash.py", arch).splitlines():
        field = line.split()
        if "of bytes:" in line:
            lengths = [int(word) for word in line.split(":")[1].split()]
        elif field and lengths:
            rows.append([" ".join(field[:-len(lengths)]), field[-len(lengths):]])
    return {"lengths": lengths, "rows": rows}


STEPS = {"speed": speed, "cases": cases, "siphash": siphash, "links": links,
         "tool": tool, "count32": count32, "arm": arm, "pack": pack, "git": git,
         "cost": cost_tables}


def main():
    """Runs the steps of the command line, then writes the results."""
    steps = sys.argv[1:] or list(STEPS)
    for step in steps:
        if step not in STEPS:
            sys.exit(f"tables: no step {step}; there are {' '.join(STEPS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    for step in steps:
        start = time.time()
        print(f"tables: {step}", flush=True)
        found = STEPS[step]()
        (KEPT / f"{step}.json").write_text(json.dumps({
            "date": datetime.date.today().isoformat(),
            "commit": run("git", "rev-parse", "--short=10", "HEAD").strip(),
            "changed": bool(run("git", "status", "--porcelain", "-uno", "--",
                                "asm", "c")),
            "gcc": first_line("gcc", "--version"),
            "clang": first_line("clang", "--version"),
            "system": f"{platform.system()} {platform.release()}",
            "found": found}, indent=1) + "\n")
        print(f"tables: {step}: {time.time() - start:.0f} s", flush=True)
    run("python3", "test/bench/results.py")


if __name__ == "__main__":
    main()
