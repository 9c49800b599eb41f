#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Times git with one SHA-1 and another.

    gits.py [--rounds N] [--only TASK] [--count] [--json] FOLDER NAME=GIT...

Each GIT is a git program, all built alike but for their SHA-1. FOLDER keeps a
repository of more than 100 MB of objects, which is made from nothing, always the
same. A table of seconds: for each task the least of N rounds, in which all take
turns, and the ratio to the first. All must give the same result. --count instead
counts instructions, by valgrind's callgrind, and the share spent in SHA-1; note
that valgrind's CPU has AVX2 but no SHA instructions.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

COMMITS, FILES, SIZE = 200, 16, 80000
BIG = 256 << 20

# Functions that hash, of all competitors.
HASHING = re.compile(r"sha1_|sha1dc|SHA1|blk_|ubc_check|hk_", re.I)


class Git:
    """One competitor: a folder that holds it under every name it calls itself."""

    def __init__(self, name, program, folder):
        self.name = name
        self.folder = folder / "exec" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for link in ("git", "git-upload-pack", "git-index-pack", "git-pack-objects"):
            (self.folder / link).symlink_to(os.path.abspath(program))
        self.environment = {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "GIT_EXEC_PATH": str(self.folder), "HOME": "/nonexistent",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_TEMPLATE_DIR": ""}

    def run(self, argv, before=(), **more):
        """A finished command; its output, if it is a pipe."""
        return subprocess.run(
            [*before, str(self.folder / "git"), *argv], env=self.environment,
            check=True, **more).stdout


def history():
    """Commits of files of hexadecimal digits: half of their size when packed."""
    data = random.Random(1)
    for commit in range(COMMITS):
        yield (b"commit refs/heads/master\n"
               b"committer N <n@example.org> %d +0000\ndata 2\nc\n"
               % (1000000000 + commit))
        for number in range(FILES):
            yield b"M 100644 inline d%d/f%d\ndata %d\n%s\n" % (
                commit % 20, FILES * (commit // 20) + number, SIZE,
                data.randbytes(SIZE // 2).hex().encode())


def make_repository(git, folder):
    """The repository, packed, and a big file."""
    place = folder / "repository.git"
    if (place / "ready").exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    git.run(["init", "-q", "--bare", "-b", "master", str(place)])
    with subprocess.Popen(
            [git.folder / "git", "-C", place, "-c", "core.compression=1",
             "fast-import", "--quiet", "--depth=0"],
            env=git.environment, stdin=subprocess.PIPE) as process:
        process.stdin.writelines(history())
        process.stdin.close()
    if process.returncode:
        raise RuntimeError("git fast-import failed")
    data = random.Random(2)
    with (folder / "big").open("wb") as big:
        for _ in range(BIG >> 20):
            big.write(data.randbytes(1 << 20))
    (place / "ready").touch()
    return place


def tasks(folder, place):
    """What is timed: a name, and a function of a competitor that gives what must
    be the same for all."""
    [pack] = (place / "objects/pack").glob("pack-*.pack")
    scratch = folder / "scratch"

    def clean():
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()

    def fsck(git, before=()):
        return git.run(["-C", place, "fsck", "--full", "--no-progress"], before,
                       stdout=subprocess.PIPE)

    def index_pack(git, before=()):
        return git.run(["-C", place, "index-pack", "--threads=1", "-o",
                        scratch / "idx", pack], before, stdout=subprocess.PIPE)

    def hash_object(git, before=()):
        return git.run(["-C", place, "hash-object", folder / "big"], before,
                       stdout=subprocess.PIPE)

    def clone(git, before=()):
        git.run(["clone", "-q", "--bare", "--no-local", place, scratch / "clone"],
                before)
        return sorted(p.name for p in
                      (scratch / "clone/objects/pack").glob("pack-*.pack"))

    def serve(git, before=()):
        # What a clone would be sent; that it is right, the clone above shows.
        git.run(["-C", place, "pack-objects", "--revs", "--stdout", "-q",
                 "--delta-base-offset", "--threads=1"], before,
                input=b"master\n", stdout=subprocess.DEVNULL)

    return clean, {"fsck": fsck, "index-pack": index_pack,
                   "hash-object": hash_object, "clone": clone,
                   "pack-objects": serve}


def measure(gits, clean, chosen, rounds):
    """For each task the least seconds of each competitor."""
    rows = []
    for name, task in chosen.items():
        least = {git.name: float("inf") for git in gits}
        results = set()
        for _ in range(rounds):
            for git in gits:
                clean()
                start = time.monotonic()
                result = task(git)
                least[git.name] = min(least[git.name], time.monotonic() - start)
                results.add(repr(result))
        if len(results) != 1:
            raise RuntimeError(f"{name}: results differ: {results}")
        rows.append({"task": name, **{k: round(v, 3) for k, v in least.items()}})
    return rows


def counted(out):
    """The instructions of one process, and those in functions that hash."""
    table = subprocess.run(
        ["callgrind_annotate", "--auto=no", "--threshold=100", out], check=True,
        stdout=subprocess.PIPE, text=True).stdout
    total = hashing = 0
    for line in table.splitlines():
        match = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+(\S.*)", line)
        if not match:
            continue
        instructions = int(match[1].replace(",", ""))
        if "PROGRAM TOTALS" in match[2]:
            total = instructions
        elif HASHING.search(match[2].split(" [")[0]) or "libcrypto" in match[2]:
            hashing += instructions
    return total, hashing


def count(gits, clean, chosen, folder):
    """For each task the instructions of each competitor, and the share of them in
    functions that hash."""
    rows = []
    outs = folder / "callgrind"
    for name, task in chosen.items():
        row = {"task": name}
        for git in gits:
            clean()
            shutil.rmtree(outs, ignore_errors=True)
            outs.mkdir()
            # Git starts itself again for parts of its work.
            task(git, ["valgrind", "-q", "--tool=callgrind", "--trace-children=yes",
                       f"--callgrind-out-file={outs}/%p"])
            total = hashing = 0
            for out in outs.iterdir():
                instructions, share = counted(out)
                total += instructions
                hashing += share
            row[git.name] = {"million": round(total / 1e6),
                             "hashing_percent": round(100 * hashing / total)}
        rows.append(row)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("gits", nargs="+", metavar="NAME=GIT")
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    gits = [Git(*each.split("=", 1), folder) for each in options.gits]
    place = make_repository(gits[0], folder)
    clean, chosen = tasks(folder, place)
    if options.only:
        chosen = {options.only: chosen[options.only]}
    if options.count:
        rows = count(gits, clean, chosen, folder)
    else:
        rows = measure(gits, clean, chosen, options.rounds)
    if options.json:
        print(json.dumps({"git-instructions" if options.count else "git": rows},
                         indent=1))
        return 0
    first = gits[0].name
    print("millions of instructions (share in SHA-1)" if options.count else
          f"seconds, the least of {options.rounds} rounds (ratio to {first})")
    print(f"{'task':14}" + "".join(f"{git.name:>18}" for git in gits))
    for row in rows:
        cells = []
        for git in gits:
            value = row[git.name]
            cells.append(
                f"{value['million']} ({value['hashing_percent']:3}%)"
                if options.count else f"{value:.3f} ({value / row[first]:.2f})")
        print(f"{row['task']:14}" + "".join(f"{cell:>18}" for cell in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
