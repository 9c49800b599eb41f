#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Links real programs with lld 14, with and without hashkern-lld14.so preloaded.

    links.py [--time ROUNDS] [--only NAME] [--json] FOLDER hashkern-lld14.so

The programs are made of Debian's static archives: the Python interpreter, ICU,
the whole of LLVM 14 as one library, and one with more than 200 MB of debugging
information (one source with most of LLVM's headers, many times over). FOLDER
keeps what they are linked of. Each must come out the same, byte for byte, the
build id with it: a report in TAP. With --time a table instead: the least time of
each of several rounds, in which all competitors take turns, on one core and on
all of them.
"""

import argparse
import glob
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

LLD = "/usr/lib/llvm-14/bin"
ARCHIVES = {
    "python": "/usr/lib/python3.11/config-3.11-*/libpython3.11.a",
    "icu": "/usr/lib/*-linux-gnu/libicu*.a",
    "llvm": "/usr/lib/llvm-14/lib/libLLVM*.a",
    "debug": "/usr/lib/llvm-14/lib/libLLVM*.a",  # for the headers beside them
}
PACKAGES = {"python": "libpython3.11-dev", "icu": "libicu-dev",
            "llvm": "llvm-14-dev", "debug": "llvm-14-dev"}
MAINS = {
    "python": "int Py_BytesMain(int, char **);\n"
              "int main(int c, char **v) { return Py_BytesMain(c, v); }\n",
    "icu": "int main(void) { return 0; }\n",
    "debug": "int main(void) { return 0; }\n",
}
LIBRARIES = {"python": ["-lexpat", "-lz", "-ldl", "-lm"], "icu": ["-lstdc++", "-lm"],
             "debug": ["-L/usr/lib/llvm-14/lib", "-lLLVM-14", "-lstdc++"]}
HEADERS = ("IR/Module.h", "IR/IRBuilder.h", "CodeGen/MachineFunction.h",
           "CodeGen/SelectionDAG.h", "CodeGen/TargetLowering.h",
           "Analysis/ScalarEvolution.h", "Passes/PassBuilder.h",
           "ExecutionEngine/Orc/LLJIT.h")
COPIES = 20


class Missing(Exception):
    """What a program is made of is not here."""


def debug_object(folder):
    """An object of some 20 MB of debugging information and no strong symbol."""
    made = folder / "headers.o"
    if not made.exists():
        source = folder / "headers.cpp"
        source.write_text("".join(f"#include <llvm/{h}>\n" for h in HEADERS))
        subprocess.run(
            ["g++", "-std=c++14", "-O0", "-g", "-fPIC",
             "-fno-eliminate-unused-debug-types", "-isystem",
             "/usr/include/llvm-14", "-isystem", "/usr/include/llvm-c-14", "-c",
             source, "-o", made], check=True)
    return made


def command(name, folder):
    """The link command of a program, but for output and build id."""
    archives = sorted(glob.glob(ARCHIVES[name]))
    if not archives:
        raise Missing(f"no package {PACKAGES[name]}")
    if name == "llvm":
        return [f"{LLD}/ld.lld", "-shared", "--whole-archive", *archives]
    main = folder / f"{name}.c"
    main.write_text(MAINS[name])
    subprocess.run(["gcc", "-c", main, "-o", main.with_suffix(".o")], check=True)
    if name == "debug":
        one = debug_object(folder)
        archives = [folder / f"headers{n}.o" for n in range(COPIES)]
        for copy in archives:
            if not copy.exists():
                os.link(one, copy)
    # The driver knows start files and folders; its linker command is ours.
    shown = subprocess.run(
        ["gcc", "-###", "-no-pie", "-rdynamic", main.with_suffix(".o"),
         "-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive",
         *LIBRARIES[name]],
        check=True, stderr=subprocess.PIPE, text=True).stderr
    [line] = [line for line in shown.splitlines() if "--eh-frame-hdr" in line]
    words = shlex.split(line)
    start = words.index("--eh-frame-hdr")
    for option in ("-o", "--build-id"):
        if option in words:
            at = words.index(option)
            del words[at:at + (2 if option == "-o" else 1)]
    # Who links for a debugger does not wait for strings to be merged.
    return [f"{LLD}/ld.lld", *["-O0"][:name == "debug"], *words[start:]]


def link(argv, output, build_id, preload=None):
    """Seconds of wall and processor time of one link."""
    environment = {"PATH": os.environ["PATH"]}
    if preload:
        environment["LD_PRELOAD"] = preload
    output.unlink(missing_ok=True)
    before, start = os.times(), time.monotonic()
    done = subprocess.run([*argv, f"--build-id={build_id}", "-o", output],
                          env=environment, stderr=subprocess.PIPE, check=False)
    wall, after = time.monotonic() - start, os.times()
    if done.returncode or done.stderr:
        raise RuntimeError(done.stderr.decode())
    return wall, (after.children_user - before.children_user
                  + after.children_system - before.children_system)


def build_id(path):
    """As readelf reads it."""
    notes = subprocess.run(["readelf", "-n", path], check=True, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    [found] = [line.split()[-1] for line in notes.stdout.splitlines()
               if "Build ID" in line]
    return found


def check(names, folder, preload):
    """The report in TAP."""
    failed = 0
    for number, name in enumerate(names, 1):
        problem = skip = ""
        try:
            argv = command(name, folder)
            outputs = [folder / f"{name}.stock", folder / f"{name}.ours"]
            link(argv, outputs[0], "sha1")
            link(argv, outputs[1], "sha1", preload)
            if build_id(outputs[0]) != build_id(outputs[1]):
                problem = "another build id"
            elif subprocess.run(["cmp", *outputs], check=False).returncode:
                problem = "another file"
            elif name == "debug" and outputs[0].stat().st_size < 200e6:
                problem = "less than 200 MB"
            for output in outputs:
                output.unlink()
        except Missing as missing:
            skip = f" # SKIP {missing}"
        except (RuntimeError, subprocess.CalledProcessError) as error:
            problem = str(error)
        failed += bool(problem)
        print(f"{'not ok' if problem else 'ok'} {number} - links/{name}{skip}")
        for line in problem.splitlines():
            print(f"# {line}")
    print(f"1..{len(names)}")
    return failed != 0


def measure(names, folder, preload, rounds, as_json):
    """The table. "none" writes no build id at all."""
    kinds = {"none": ("none", None), "stock": ("sha1", None),
             "hashkern": ("sha1", preload)}
    rows = []
    with tempfile.TemporaryDirectory(
            dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as place:
        output = pathlib.Path(place) / "out"
        for name in names:
            try:
                argv = command(name, folder)
            except Missing as missing:
                print(f"links: {name}: {missing}", file=sys.stderr)
                continue
            everywhere = set(range(os.cpu_count()))
            for cores in (1, len(everywhere)):
                usual = os.sched_getaffinity(0)
                os.sched_setaffinity(
                    0, {max(everywhere)} if cores == 1 else everywhere)
                least = {kind: float("inf") for kind in kinds}
                for _ in range(rounds):
                    for kind, (how, what) in kinds.items():
                        wall, _cpu = link(argv, output, how, what)
                        least[kind] = min(least[kind], wall)
                os.sched_setaffinity(0, usual)
                rows.append({"program": name, "cores": cores,
                             "bytes": output.stat().st_size,
                             **{f"{k}_s": round(v, 4) for k, v in least.items()},
                             "shorter_percent": round(
                                 100 * (1 - least["hashkern"] / least["stock"]), 1)})
    if as_json:
        print(json.dumps({"links": rows}, indent=1))
        return
    print("ld.lld 14, --build-id=sha1: seconds, the least of "
          f"{rounds} rounds\n"
          f"{'program':8} {'MB':>5} {'cores':>5} {'no id':>7} {'stock':>7} "
          f"{'hashkern':>8} {'shorter':>8}")
    for row in rows:
        print(f"{row['program']:8} {row['bytes'] / 1e6:5.0f} {row['cores']:5} "
              f"{row['none_s']:7.3f} {row['stock_s']:7.3f} "
              f"{row['hashkern_s']:8.3f} {row['shorter_percent']:7.1f}%")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--time", type=int, metavar="ROUNDS")
    parser.add_argument("--only", choices=ARCHIVES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("preload")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [options.only] if options.only else list(ARCHIVES)
    preload = os.path.abspath(options.preload)
    if not shutil.which(f"{LLD}/ld.lld"):
        print("ok 1 - links # SKIP no lld 14 on this machine\n1..1")
        return 0
    if options.time:
        measure(names, options.folder, preload, options.time, options.json)
        return 0
    return check(names, options.folder, preload)


if __name__ == "__main__":
    sys.exit(main())
