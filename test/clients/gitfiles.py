#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Hashed files of the real world: git's, read and written by hk_file_*.

    gitfiles.py [--emulator 'qemu-arm'] build/<arch>/hashed

The installed git makes a repository of SHA-1 and one of SHA-256, with a pack, its
indexes, a commit graph (whole and in layers), a multi-pack index and an index.
Every trailer must verify; changed and shortened files must not. Then hk_file_*
writes the index: git must list, check and accept it, and complain of a changed
one. Prints a report in TAP; without git it is one skip.
"""

import argparse
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

OK = "the content has the digest that its trailer says"
MISMATCH = "the content does not have the digest that its trailer says"
TOO_SHORT = "too short for its content and trailer"
TOO_LONG = "bytes after the trailer"
NOT_HASHED = "written without a digest: the trailer is all zero"

# Of each format: the algorithms that hash so, and the trailer's bytes.
FORMATS = {"sha1": (("sha1", "sha1dc"), 20), "sha256": (("sha256",), 32)}

# What the installed git must have made, below .git.
KINDS = {
    "pack": "objects/pack/pack-*.pack",
    "idx": "objects/pack/pack-*.idx",
    "rev": "objects/pack/pack-*.rev",
    "bitmap": "objects/pack/*.bitmap",
    "multi-pack-index": "objects/pack/multi-pack-index",
    "commit-graph": "objects/info/commit-graph",
    "commit-graph-layer": "objects/info/commit-graphs/*.graph",
    "index": "index",
}
GIT_OPTIONS = ("-c", "pack.writeReverseIndex=true", "-c", "gc.auto=0",
               "-c", "maintenance.auto=false")
# No settings of this machine or its user.
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
       for what, value in (("NAME", "N"), ("EMAIL", "n@example.org"),
                           ("DATE", "1000000000 +0000"))},
}


class Report:
    """Results in TAP."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, name, problem):
        """A test that failed says why; problem is empty if it did not."""
        self.count += 1
        self.failed += bool(problem)
        print(f"{'not ok' if problem else 'ok'} {self.count} - {name}")
        for line in str(problem or "").splitlines():
            print(f"# {line}")
        sys.stdout.flush()

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}")

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed else 0


class Repository:
    """A repository of the installed git, in one of the two formats."""

    def __init__(self, place, object_format):
        self.place = place
        self.git("init", "-q", "-b", "master",
                 f"--object-format={object_format}", str(place))
        data = random.Random(object_format)
        for part in (range(15), range(15, 30)):
            self.git("-c", "fastimport.unpackLimit=0", "fast-import", "--quiet",
                     input=b"".join(self.commit(n, data) for n in part))
        self.git("reset", "-q", "--hard")
        self.git("multi-pack-index", "write")
        self.keep("objects/pack/multi-pack-index", "multi-pack-index")
        self.git("commit-graph", "write", "--reachable", "--split")
        [layer] = (place / ".git/objects/info/commit-graphs").glob("*.graph")
        self.keep(f"objects/info/commit-graphs/{layer.name}", "commit-graph-layer")
        self.git("commit-graph", "write", "--reachable")
        self.git("repack", "-q", "-a", "-d", "-b")

    @staticmethod
    def commit(number, data):
        """A commit of random files, as git fast-import reads it."""
        files = {f"d{data.randrange(5)}/f{n}":
                 ("100644", data.randbytes(data.randrange(3000))) for n in range(4)}
        if number == 7:
            files["/".join(["n" * 200] * 10) + "/x"] = ("100644", b"deep")
            files["link"] = ("120000", b"d0")
            files["run"] = ("100755", b"#!/bin/sh\n")
        command = [b"commit refs/heads/master\n"
               b"committer N <n@example.org> %d +0000\ndata 1\nm\n"
               % (1000000000 + number)]
        if number == 15:
            command.append(b"from refs/heads/master^0\n")
        command += [b"M %s inline %s\ndata %d\n%s\n"
                % (mode.encode(), path.encode(), len(content), content)
                for path, (mode, content) in files.items()]
        return b"".join(command)

    def keep(self, path, name):
        """Keeps a file that a later command removes."""
        kept = self.place / ".git" / "kept"
        kept.mkdir(exist_ok=True)
        shutil.copy(self.place / ".git" / path, kept / name)

    def run(self, *argv, **more):
        """The finished process, whatever its status."""
        return subprocess.run(
            ("git", *GIT_OPTIONS, *argv), cwd=self.place, env=ENVIRONMENT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)

    def git(self, *argv, **more):
        """What a command prints; it must succeed."""
        self.place.mkdir(exist_ok=True)
        done = self.run(*argv, **more)
        if done.returncode:
            raise RuntimeError(f"git {argv}: {done.stdout.decode()}")
        return done.stdout

    def files(self, kind):
        """The files of a kind."""
        found = sorted((self.place / ".git").glob(KINDS[kind]))
        kept = self.place / ".git" / "kept" / kind
        return found + ([kept] if kept.exists() else [])


class Tests:
    """All tests of one format."""

    def __init__(self, report, hashed, place, object_format):
        self.report = report
        self.hashed = hashed
        self.name = object_format
        self.algorithms, self.trailer = FORMATS[object_format]
        self.repository = Repository(place / object_format, object_format)

    def verdict(self, algorithm, content, length=None):
        """What hk_file_verify says of these bytes."""
        done = subprocess.run(
            [*self.hashed, "verify", algorithm, *([str(length)] if length else [])],
            input=content, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False)
        return done.stdout.decode().rstrip()

    def wrong(self, algorithm, whole):
        """Verdicts on a file and on what has become of it: those not expected."""
        size = len(whole)
        length = size - self.trailer
        cases = [("whole", whole, None, OK), ("length known", whole, length, OK),
                 ("longer", whole + b"\0", length, TOO_LONG),
                 ("longer by a trailer", whole + whole[-self.trailer:], length,
                  TOO_LONG),
                 ("empty", b"", None, TOO_SHORT)]
        for at in {0, size // 3, length - 1, length, size - 1}:
            changed = bytearray(whole)
            changed[at] ^= 1 << at % 8
            cases.append((f"byte {at} changed", bytes(changed), None, MISMATCH))
        for cut in (1, self.trailer, length):
            short = whole[:-cut]
            cases.append((f"{cut} bytes cut", short, length, TOO_SHORT))
            cases.append((f"{cut} bytes cut, length unknown", short, None,
                          MISMATCH if any(short[-self.trailer:]) else NOT_HASHED))
        for what, content, known, want in cases:
            got = self.verdict(algorithm, content, known)
            if got != want:
                yield f"{algorithm}, {what}: {got}"

    def trailers(self):
        """Reads what git wrote."""
        for kind in KINDS:
            files = self.repository.files(kind)
            problems = [] if files else ["git made no such file"]
            for path in files:
                whole = path.read_bytes()
                problems += self.wrong(self.algorithms[0], whole)
                for algorithm in self.algorithms[1:]:
                    if (got := self.verdict(algorithm, whole)) != OK:
                        problems.append(f"{algorithm}: {got}")
            self.report.result(f"{self.name}/{kind}", "\n".join(problems))

    def write_index(self, algorithm, buffer):
        """Replaces the repository's index by one that hk_file_* wrote."""
        listing = self.repository.git("ls-tree", "-r", "-z", "HEAD")
        path = self.repository.place / ".git" / "index"
        path.unlink(missing_ok=True)
        with path.open("wb") as index:
            subprocess.run([*self.hashed, "index", algorithm, str(buffer)],
                           input=listing, stdout=index, check=True)
        return path

    def written(self, algorithm, buffer):
        """Does git take the index for its own, and notice a changed one?"""
        repository = self.repository
        repository.git("reset", "-q", "--hard")
        listed = repository.git("ls-files", "--stage", "-z")
        index = self.write_index(algorithm, buffer)
        if repository.git("ls-files", "--stage", "-z") != listed:
            yield "git ls-files lists something else"
        done = repository.run("fsck", "--strict", "--no-progress")
        if done.returncode or re.search(rb"error|bad|missing", done.stdout):
            yield f"git fsck: {done.stdout.decode()}"
        if repository.git("status", "--porcelain"):
            yield "git status: the tree is not clean"
        if repository.git("write-tree") != repository.git(
                "rev-parse", "HEAD^{tree}"):
            yield "git write-tree: another tree"
        whole = self.write_index(algorithm, buffer).read_bytes()
        for at in (len(whole) // 2, len(whole) - 1):
            changed = bytearray(whole)
            changed[at] ^= 0x10
            index.write_bytes(changed)
            done = repository.run("fsck", "--no-progress")
            if not done.returncode:
                yield f"git fsck does not mind byte {at} of the index"
        index.write_bytes(whole)

    def indexes(self):
        """Writes what git reads."""
        for algorithm in self.algorithms:
            for buffer in (1, 0):
                self.report.result(
                    f"{self.name}/written-by-{algorithm}/buffer-{buffer}",
                    "\n".join(self.written(algorithm, buffer)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--emulator", default="")
    parser.add_argument("hashed")
    options = parser.parse_args()
    report = Report()
    if not shutil.which("git"):
        report.skip("git", "no git on this machine")
        return report.end()
    hashed = [*shlex.split(options.emulator), os.path.abspath(options.hashed)]
    with tempfile.TemporaryDirectory() as place:
        for object_format in FORMATS:
            tests = Tests(report, hashed, pathlib.Path(place), object_format)
            tests.trailers()
            tests.indexes()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
