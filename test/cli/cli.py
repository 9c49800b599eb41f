#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Tests the command-line tool, alone and against the coreutils of this machine.

    cli.py [--emulator 'qemu-arm'] [--wrapper 'valgrind -q'] [--quick] [--seed N]
           build/<arch>/hksum

Each case of CASES is a command with its exact output and exit status. It runs
for the five algorithms that coreutils has, under the name of the coreutils tool
(sha1sum, ...). Where that tool is on this machine it must print the same, byte
for byte, unless the case names the versions that differ. After that come lists
of random lines, only against coreutils; and what only hksum has.
Prints a report in TAP. --quick: less repetition, for emulators. --wrapper: the
tool runs under that command, by way of links that have the tools' names.
"""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ALGORITHMS = ("sha1", "sha224", "sha256", "sha384", "sha512")
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.environ["PATH"]}


# ---- Running ------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Output:
    """What a command did."""

    stdout: bytes
    stderr: bytes
    status: int


def run(argv, command, cwd, executable=None, stdin=b"", stdout=None):
    """Runs a command; executable, if it is not the command's first word."""
    if isinstance(stdin, bytes):
        feed = {"input": stdin}
    else:
        feed = {"stdin": stdin}
    done = subprocess.run(
        [*command, *argv], executable=executable, cwd=cwd, env=ENVIRONMENT,
        stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        timeout=300, **feed)
    return Output(done.stdout or b"", done.stderr, done.returncode)


class Report:
    """Results in TAP, each printed at once."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, name, good, detail=""):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            for line in str(detail).splitlines() or ["no detail"]:
                print(f"# {line}")
        sys.stdout.flush()

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}")

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed else 0


def difference(expected, got):
    """Says in a few lines how two outputs differ; empty if they do not."""
    lines = []
    for what in ("stdout", "stderr", "status"):
        want, have = getattr(expected, what), getattr(got, what)
        if want != have:
            lines.append(f"{what}: wanted {want!r}")
            lines.append(f"{what}: got    {have!r}")
    return "\n".join(lines)


# ---- Cases --------------------------------------------------------------------

FILES = {"e": b"", "a": b"abc", "f": b"foo", " lead": b"", "trail ": b"",
         "*star": b"", "-x": b"", "x\ny": b"", "b\\s": b"", "c\rr": b"",
         "with space": b"", "it's": b""}


@dataclasses.dataclass(frozen=True)
class Case:
    """One command. In texts, {E} {A} {F} are the digests of e, a and f, {S} the
    tool's name, {T} its tag; in names of lists likewise."""

    name: str
    argv: tuple
    stdout: str = ""
    stderr: str = ""
    status: int = 0
    stdin: str = ""
    lists: tuple = ()      # pairs of name and text
    versions: tuple = ()   # coreutils (least, most) that agree; (): all


TRY = "Try '{S} --help' for more information.\n"


def fails(name, argv, message, **more):
    """A command that is refused with a hint."""
    return Case(name, argv, "", "{S}: " + message + "\n" + TRY, 1, **more)


ALL = ("all.sum", "{E}  e\n{E}  f\n{E}  gone\nbad\n")
ALL_GONE = "{S}: gone: No such file or directory\n"
ALL_END = ("{S}: WARNING: 1 line is improperly formatted\n"
           "{S}: WARNING: 1 listed file could not be read\n"
           "{S}: WARNING: 1 computed checksum did NOT match\n")
ALL_LINES = "e: OK\nf: FAILED\ngone: FAILED open or read\n"
ALL_FOURTH = "{S}: all.sum: 4: improperly formatted {T} checksum line\n"
NOT_CHECKING = "the --%s option is meaningful only when verifying checksums"
NO_LINES = "{S}: %s: no properly formatted checksum lines found\n"
BAD = "{S}: WARNING: 1 line is improperly formatted\n"

CASES = [
    Case("files", ("e", "a"), "{E}  e\n{A}  a\n"),
    Case("stdin", (), "{A}  -\n", stdin="abc"),
    Case("stdin-dash", ("-",), "{A}  -\n", stdin="abc"),
    Case("stdin-twice", ("-", "-"), "{A}  -\n{E}  -\n", stdin="abc"),
    Case("binary", ("-b", "a"), "{A} *a\n"),
    Case("text", ("-t", "a"), "{A}  a\n"),
    Case("binary-text", ("-bt", "a"), "{A}  a\n"),
    Case("text-binary", ("-tb", "a"), "{A} *a\n"),
    Case("binary-long", ("--binary", "a"), "{A} *a\n"),
    Case("tag", ("--tag", "a"), "{T} (a) = {A}\n"),
    Case("tag-after", ("a", "--tag"), "{T} (a) = {A}\n"),
    fails("tag-text", ("--tag", "-t", "a"), "--tag does not support --text mode"),
    Case("text-tag", ("-t", "--tag", "a"), "{T} (a) = {A}\n",
         versions=((0, 0), (9, 9))),
    fails("tag-check", ("--tag", "-c", "a"),
          "the --tag option is meaningless when verifying checksums"),
    Case("directory", ("d", "a"), "{A}  a\n", "{S}: d: Is a directory\n", 1),
    Case("missing", ("gone", "a"), "{A}  a\n",
         "{S}: gone: No such file or directory\n", 1),
    Case("newline", ("x\ny",), "\\{E}  x\\ny\n"),
    Case("backslash", ("b\\s",), "\\{E}  b\\\\s\n"),
    Case("backslash-tag", ("--tag", "b\\s"), "\\{T} (b\\\\s) = {E}\n"),
    Case("return", ("c\rr",), "\\{E}  c\\rr\n"),
    Case("zero", ("-z", "x\ny"), "{E}  x\ny\0"),
    Case("zero-tag", ("--tag", "-z", "a"), "{T} (a) = {A}\0"),
    Case("zero-two", ("-z", "a", "e"), "{A}  a\0{E}  e\0"),
    fails("zero-check", ("-c", "-z", "s"),
          "the --zero option is not supported when verifying checksums"),
    Case("check-newline", ("-c", "l"), "\\x\\ny: OK\n",
         lists=(("l", "\\{E}  x\\ny\n"),), versions=((8, 25), (9, 10))),
    Case("check-backslash", ("-c", "l"), "\\b\\\\s: OK\n",
         lists=(("l", "\\{E}  b\\\\s\n"),), versions=((9, 4), (9, 10))),
    Case("check-return", ("-c", "l"), "\\c\\rr: OK\n",
         lists=(("l", "\\{E}  c\\rr\n"),), versions=((9, 4), (9, 10))),
    Case("check-bad-escape", ("-c", "l"), "", NO_LINES % "l", 1,
         lists=(("l", "\\{E}  x\\qy\n\\{E}  x\\\n"),)),
    Case("check-tag-escaped", ("-c", "l"), "\\x\\ny: OK\n",
         lists=(("l", "\\{T} (x\\ny) = {E}\n"),), versions=((8, 25), (9, 10))),
    Case("crlf", ("-c", "l"), "e: OK\na: OK\n",
         lists=(("l", "{E}  e\r\n{A}  a\r\n"),)),
    Case("crlf-alone", ("-c", "l"), "e: OK\n", lists=(("l", "\r\n{E}  e\r\n"),)),
    Case("no-newline", ("-c", "l"), "e: OK\n", lists=(("l", "{E}  e"),)),
    Case("comment-strict", ("-c", "--strict", "l"), "e: OK\n",
         lists=(("l", "# comment\n\n{E}  e\n"),)),
    Case("comment-warn", ("-c", "--warn", "l"), "e: OK\n",
         lists=(("l", "# comment\n\n{E}  e\n"),)),
    Case("upper", ("-c", "l"), "e: OK\n", lists=(("l", "{E^}  e\n"),)),
    Case("star", ("-c", "l"), "e: OK\n", lists=(("l", "{E} *e\n"),)),
    Case("reversed", ("-c", "l"), "e: OK\na: OK\n",
         lists=(("l", "{E} e\n{A} a\n"),)),
    Case("mixed", ("-c", "l"), "e: OK\n", BAD, lists=(("l", "{E}  e\n{A} a\n"),)),
    Case("mixed-strict", ("-c", "--strict", "l"), "e: OK\n", BAD, 1,
         lists=(("l", "{E}  e\n{A} a\n"),)),
    Case("mixed-lists", ("-c", "l", "m"), "e: OK\n", NO_LINES % "m", 1,
         lists=(("l", "{E}  e\n"), ("m", "{A} a\n"))),
    Case("reversed-blank", ("-c", "l"), "a: OK\n lead: OK\n",
         lists=(("l", "{A} a\n{E}  lead\n"),)),
    Case("bad-first", ("-c", "l"), "e: OK\na: OK\n", BAD,
         lists=(("l", "{_} blah\n{E}  e\n{A}  a\n"),)),
    Case("tagged", ("-c", "l"), "e: OK\n", lists=(("l", "{T} (e) = {E}\n"),)),
    Case("tagged-openssl", ("-c", "l"), "e: OK\n",
         lists=(("l", "{T}(e)= {E}\n"),)),
    Case("tagged-other", ("-c", "l"), "", NO_LINES % "l", 1,
         lists=(("l", "MD5 (e) = d41d8cd98f00b204e9800998ecf8427e\n"),)),
    Case("tagged-trailing", ("-c", "l"), "", NO_LINES % "l", 1,
         lists=(("l", "{T} (e) = {E} \n"),)),
    Case("leading-blanks", ("-c", "l"), "e: OK\na: OK\n",
         lists=(("l", " \t{E}  e\n  {T} (a) = {A}\n"),)),
    Case("other-names", ("-c", "l"), " lead: OK\ntrail : OK\n*star: OK\n",
         lists=(("l", "{E}   lead\n{E}  trail \n{E}  *star\n"),)),
    Case("all", ("-c", "all.sum"), ALL_LINES, ALL_GONE + ALL_END, 1,
         lists=(ALL,)),
    Case("all-warn", ("-c", "-w", "all.sum"), ALL_LINES,
         ALL_GONE + ALL_FOURTH + ALL_END, 1, lists=(ALL,)),
    Case("all-quiet", ("-c", "--quiet", "all.sum"),
         "f: FAILED\ngone: FAILED open or read\n", ALL_GONE + ALL_END, 1,
         lists=(ALL,)),
    Case("all-status", ("-c", "--status", "all.sum"), "", ALL_GONE, 1,
         lists=(ALL,)),
    Case("all-warn-status", ("-c", "-w", "--status", "all.sum"), "", ALL_GONE, 1,
         lists=(ALL,)),
    Case("all-status-warn", ("-c", "--status", "-w", "all.sum"), ALL_LINES,
         ALL_GONE + ALL_FOURTH + ALL_END, 1, lists=(ALL,)),
    Case("all-status-quiet", ("-c", "--status", "--quiet", "all.sum"),
         "f: FAILED\ngone: FAILED open or read\n", ALL_GONE + ALL_END, 1,
         lists=(ALL,)),
    Case("all-ignore-missing", ("-c", "--ignore-missing", "all.sum"),
         "e: OK\nf: FAILED\n",
         BAD + "{S}: WARNING: 1 computed checksum did NOT match\n", 1,
         lists=(ALL,)),
    Case("none-verified", ("-c", "--ignore-missing", "l"), "",
         "{S}: l: no file was verified\n", 1, lists=(("l", "{E}  gone\n"),)),
    Case("none-verified-status", ("-c", "--ignore-missing", "--status", "l"),
         "", "", 1, lists=(("l", "{E}  gone\n"),)),
    Case("many-failed", ("-c", "l"), "e: FAILED\nf: FAILED\n",
         "{S}: WARNING: 2 computed checksums did NOT match\n", 1,
         lists=(("l", "{A}  e\n{A}  f\n"),)),
    Case("many-missing", ("-c", "l"),
         "g: FAILED open or read\nh: FAILED open or read\n",
         "{S}: g: No such file or directory\n"
         "{S}: h: No such file or directory\n"
         "{S}: WARNING: 2 lines are improperly formatted\n"
         "{S}: WARNING: 2 listed files could not be read\n", 1,
         lists=(("l", "x\n{E}  g\ny\n{E}  h\n"),)),
    Case("bad-line", ("-c", "l"), "e: OK\n", BAD, 0,
         lists=(("l", "{E}  e\nbad\n"),)),
    Case("bad-line-strict", ("-c", "--strict", "l"), "e: OK\n", BAD, 1,
         lists=(("l", "{E}  e\nbad\n"),)),
    Case("empty-list", ("-c", "/dev/null"), "", NO_LINES % "/dev/null", 1),
    Case("empty-list-status", ("-c", "--status", "/dev/null"), "",
         NO_LINES % "/dev/null", 1),
    Case("empty-stdin", ("-c",), "", NO_LINES % "'standard input'", 1),
    Case("garbage-status", ("-c", "--status", "l"), "", NO_LINES % "l", 1,
         lists=(("l", "garbage\n"),)),
    Case("list-stdin", ("-c",), "e: OK\na: OK\n", stdin="{E}  e\n{A}  a\n"),
    Case("list-dash", ("-c", "-"), "e: OK\n", stdin="{E}  e\n"),
    Case("check-stdin", ("-c", "l"), "-: OK\n", stdin="abc",
         lists=(("l", "{A}  -\n"),)),
    Case("check-stdin-stdin", ("-c",), "", NO_LINES % "'standard input'", 1,
         stdin="{A}  -\n"),
    Case("two-lists", ("-c", "l", "m"), "e: OK\na: OK\n",
         lists=(("l", "{E}  e\n"), ("m", "{A}  a\n"))),
    Case("list-missing", ("-c", "gone", "l"), "e: OK\n",
         "{S}: gone: No such file or directory\n", 1,
         lists=(("l", "{E}  e\n"),)),
    Case("check-directory", ("-c", "l"), "d: FAILED open or read\n",
         "{S}: d: Is a directory\n"
         "{S}: WARNING: 1 listed file could not be read\n", 1,
         lists=(("l", "{E}  d\n"),)),
    *(fails(f"only-check-{option}", (f"--{option}", "a"), NOT_CHECKING % option)
      for option in ("strict", "quiet", "status", "warn", "ignore-missing")),
    fails("only-check-order", ("--strict", "--quiet", "--ignore-missing", "a"),
          NOT_CHECKING % "ignore-missing"),
    *(fails(f"check{option}", ("-c", option, "s"),
            "the --binary and --text options are meaningless when verifying "
            "checksums") for option in ("-b", "-t")),
    Case("dash-file", ("--", "-x"), "{E}  -x\n"),
    Case("dash-file-path", ("./-x",), "{E}  ./-x\n"),
    Case("list-directory", ("-c", "d"), "", "{S}: d: read error\n", 1,
         versions=((0, 0), (9, 1))),
    fails("bogus", ("--bogus",), "unrecognized option '--bogus'"),
    fails("bogus-short", ("-q", "a"), "invalid option -- 'q'"),
    fails("no-argument", ("--warn=3", "a"),
          "option '--warn' doesn't allow an argument"),
    fails("ambiguous-st", ("--st", "a"), "option '--st' is ambiguous; "
          "possibilities: '--status' '--strict'"),
    fails("ambiguous-t", ("--t", "a"), "option '--t' is ambiguous; "
          "possibilities: '--tag' '--text'"),
    Case("short-long", ("--bin", "a"), "{A} *a\n"),
    Case("short-check", ("--ch", "--qui", "l"), "", lists=(("l", "{E}  e\n"),)),
    Case("many-e", ("--ignore", "-c", "l"), "e: OK\n",
         lists=(("l", "{E}  e\n{E}  gone\n"),)),
    Case("quoted-names", ("with gap", "a:b", "isn't", "tab\t", "\\", "#n", "n#",
                          "", "{", "{}", "a\"b", "'$", "\x7f", "a=b", "~", "q?"),
         "", "".join("{S}: " + text + ": No such file or directory\n"
                     for text in ("'with gap'", "'a:b'", '"isn\'t"',
                                  "'tab'$'\\t'", "'\\'", "'#n'", "n#", "''",
                                  "'{{'", "{{}}", "'a\"b'", "''\\''$'",
                                  "''$'\\177'", "'a=b'", "'~'", "'q?'")), 1),
    Case("read-error", ("/proc/self/mem", "a"), "{A}  a\n",
         "{S}: /proc/self/mem: Input/output error\n", 1),
    Case("check-read-error", ("-c", "l"),
         "/proc/self/mem: FAILED open or read\n",
         "{S}: /proc/self/mem: Input/output error\n"
         "{S}: WARNING: 1 listed file could not be read\n", 1,
         lists=(("l", "{E}  /proc/self/mem\n"),)),
    Case("denied", ("/proc/sys/vm/drop_caches",), "",
         "{S}: /proc/sys/vm/drop_caches: Permission denied\n", 1),
]


def substitute(text, algorithm):
    """Fills in digests and names."""
    digests = {letter: hashlib.new(algorithm, FILES[name]).hexdigest()
               for letter, name in (("E", "e"), ("A", "a"), ("F", "f"))}
    digests["E^"] = digests["E"].upper()
    digests["_"] = "_" * len(digests["E"])
    digests["S"] = f"{algorithm}sum"
    digests["T"] = algorithm.upper()
    text = text.replace("{{", "\1").replace("}}", "\2")
    text = re.sub(r"\{([A-Z_]\^?)\}", lambda match: digests[match[1]], text)
    return text.replace("\1", "{").replace("\2", "}").encode()


def make_files(place):
    for name, data in FILES.items():
        (place / name).write_bytes(data)
    (place / "d").mkdir()


# ---- The tests ----------------------------------------------------------------

class Tests:
    """All tests on one build of the tool."""

    def __init__(self, options, place):
        self.report = Report()
        self.place = place
        self.hksum = str(pathlib.Path(options.hksum).resolve())
        self.emulator = shlex.split(options.emulator)
        self.wrapper = shlex.split(options.wrapper)
        self.quick = options.quick
        self.random = random.Random(options.seed)
        first = subprocess.run(["sha1sum", "--version"], check=False,
                               capture_output=True, text=True).stdout
        match = re.match(r"sha1sum \(GNU coreutils\) (\d+)\.(\d+)", first)
        self.version = (int(match[1]), int(match[2])) if match else None

    def command(self, name):
        """How to call the tool under a name, and the program to execute."""
        if self.wrapper:
            return [*self.wrapper, self.called(name)], None
        if self.emulator:  # of QEMU, which takes the name as an option
            return [*self.emulator, "-0", name, self.hksum], None
        return [name], self.hksum

    def called(self, name):
        """What the tool calls itself in messages: its first argument."""
        if not self.wrapper:
            return name
        link = self.place / "links" / name
        if not link.exists():
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(self.hksum)
        return str(link)

    def tool(self, argv, name="hksum", **more):
        command, executable = self.command(name)
        return run(argv, command, self.place, executable, **more)

    def theirs(self, argv, name, **more):
        return run(argv, [name], self.place, shutil.which(name), **more)

    def substitute(self, text, algorithm):
        text = text.replace("{S}", self.called(f"{algorithm}sum"))
        return substitute(text, algorithm)

    def cases(self):
        for case in CASES:
            for algorithm in (ALGORITHMS[:1] if self.wrapper else
                              ALGORITHMS[::4 if self.quick else 1]):
                self.case(case, algorithm)

    def case(self, case, algorithm):
        def fill(text):
            return self.substitute(text, algorithm)
        tool, name = f"{algorithm}sum", f"{algorithm}/{case.name}"
        for file, text in case.lists:
            (self.place / file).write_bytes(fill(text))
        argv = [os.fsdecode(fill(word)) for word in case.argv]
        if case.name == "denied" and os.geteuid() == 0:
            self.report.skip(name, "root may read everything")
            return
        got = self.tool(argv, tool, stdin=fill(case.stdin))
        want = Output(fill(case.stdout), fill(case.stderr), case.status)
        self.report.result(name, want == got, difference(want, got))
        least, most = case.versions or ((0, 0), (99, 0))
        if self.quick:
            pass  # the native run compares
        elif not self.version:
            self.report.skip(f"{name}/coreutils", "no coreutils here")
        elif not least <= self.version <= most:
            self.report.skip(f"{name}/coreutils",
                             "coreutils %d.%d does otherwise" % self.version)
        else:
            other = self.theirs(argv, tool, stdin=fill(case.stdin))
            self.report.result(f"{name}/coreutils", other == got,
                               difference(other, got))
        for file, _ in case.lists:
            (self.place / file).unlink()

    def random_lists(self):
        """Lists of random lines, with every set of options, as coreutils."""
        if self.quick:
            return
        if not self.version:
            self.report.skip("random-lists", "no coreutils here")
            return
        for number in range(20):
            for algorithm in ALGORITHMS:
                self.random_list(number, algorithm)

    def random_list(self, number, algorithm):
        tool, pick = f"{algorithm}sum", self.random
        names = ["e", "a", "f", "gone", " lead", "trail ", "*star", "d", "-x",
                 "x y)", "with space"]
        pieces = ["{E}", "{A}", "{F}", "{E^}", "{T}", "MD5", " ", "  ", " *",
                  "\t", "(", ")", " = ", "=", "\\", "#", "\r", "\0", "{_}", *names]

        def line():
            name, digest = pick.choice(names), pick.choice(["{E}", "{A}", "{E^}"])
            text = pick.choice([f"{digest}  {name}", f"{digest} *{name}",
                                f"{digest} {name}", f"{{T}} ({name}) = {digest}",
                                f"{{T}}({name})= {digest}", "", "# x", "junk"])
            for _ in range(pick.choice([0, 0, 0, 1, 2])):
                at = pick.randrange(len(text) + 1)
                if pick.random() < 0.5:
                    text = text[:at] + pick.choice(pieces) + text[at:]
                else:
                    text = text[:at] + text[at + 1:]
            if self.version < (9, 4):  # it prints names with these otherwise
                text = re.sub(r"\\|\r(?!$)", "/", text)
            return text
        text = "\n".join(line() for _ in range(pick.randrange(12)))
        text += pick.choice(["", "\n"])
        text = re.sub(r"\{(?![A-Z_]\^?\})|(?<!\{.)(?<!\{.\^)\}", "", text)
        (self.place / "random").write_bytes(substitute(text, algorithm))
        argv = ["-c", *(option for option in ("--strict", "--ignore-missing")
                        if pick.random() < 0.3),
                *pick.choice([(), (), ("--quiet",), ("--status",), ("-w",)]),
                "random"]
        name = f"{algorithm}/random-list-{number}"
        got, other = self.tool(argv, tool), self.theirs(argv, tool)
        self.report.result(name, got == other,
                           f"{' '.join(argv)} of {text!r}\n" +
                           difference(other, got))
        (self.place / "random").unlink()

    def files(self):
        """Contents: sizes around the buffer's, FIFOs, files that change."""
        report, place = self.report, self.place
        for size in (1, 63, 64, 65, 131071, 131072, 131073, 1000003):
            data = self.random.randbytes(size)
            (place / "data").write_bytes(data)
            for algorithm in ALGORITHMS[:1 if self.wrapper else None]:
                want = hashlib.new(algorithm, data).hexdigest()
                got = self.tool(["data"], f"{algorithm}sum")
                report.result(f"{algorithm}/size-{size}",
                              got.stdout.decode() == f"{want}  data\n", got)

        self.large()
        os.mkfifo(place / "fifo")
        with subprocess.Popen(["sh", "-c", "(printf ab; sleep 0.1; printf c) >fifo"],
                              cwd=place) as writer:
            got = self.tool(["fifo"], "sha1sum")
            writer.wait()
        report.result("fifo", got.stdout ==
                      substitute("{A}  fifo\n", "sha1"), got)
        version = hashlib.sha1(pathlib.Path("/proc/version").read_bytes())
        got = self.tool(["/proc/version"], "sha1sum")
        report.result("proc", got.stdout.decode() ==
                      f"{version.hexdigest()}  /proc/version\n", got)

        size = 2**32 + 1
        with open(place / "sparse", "wb") as file:
            file.truncate(size)
        if self.quick:
            report.skip("over-4-GiB", "too long under an emulator")
        else:
            got = self.tool(["sparse"], "sha1sum")
            report.result("over-4-GiB", got.stdout ==
                          b"e7d747b75f76e0e41e83b75bce4642816136304f  sparse\n", got)
        # A file that gets shorter meanwhile is hashed as far as it goes.
        command, executable = self.command("sha1sum")
        with subprocess.Popen([*command, "sparse"], executable=executable, cwd=place,
                              stdout=subprocess.PIPE) as tool:
            time.sleep(0.1)
            os.truncate(place / "sparse", 1 << 20)
            out, _ = tool.communicate()
        report.result("shrinking", tool.returncode == 0 and len(out) == 49, out)
        (place / "sparse").unlink()

    def large(self):
        """Files that a thread reads ahead, if there is a core for it."""
        report, large = self.report, 4 << 20
        data = self.random.randbytes(9 * (1 << 20) + 17)
        command, executable = self.command("sha256sum")
        for size in (large - 1, large, large + 1, len(data)):
            (self.place / "data").write_bytes(data[:size])
            want = f"{hashlib.sha256(data[:size]).hexdigest()}  data\n"
            got = self.tool(["data"], "sha256sum")
            report.result(f"large/{size}", got.stdout.decode() == want, got)
            cores = os.sched_getaffinity(0)
            os.sched_setaffinity(0, {min(cores)})
            got = self.tool(["data"], "sha256sum")
            os.sched_setaffinity(0, cores)
            report.result(f"large/{size}/one-core", got.stdout.decode() == want, got)
        if self.emulator or self.wrapper or not shutil.which("strace"):
            report.skip("large/read-error", "needs strace and the plain program")
            return
        for when in (1, 2, 60):
            # Who looks for leaks is a tracer, too, and there can be only one.
            argv = ["-f", "-qq", "-o", "trace", "-E", "ASAN_OPTIONS=detect_leaks=0",
                    "-P", "data", "-e", "trace=read", "-e",
                    f"inject=read:error=EIO:when={when}", executable or command[0]]
            got = run([*argv, "-a", "sha256", "data", "a"], ["strace"], self.place)
            report.result(
                f"large/read-error-{when}", got.status == 1 and
                got.stderr.endswith(b"hksum: data: Input/output error\n") and
                got.stdout.endswith(b"  a\n"), got)

    def descriptors(self):
        """Standard descriptors that are closed: no file is taken for one."""
        report, place = self.report, self.place
        big = self.random.randbytes(5 << 20)
        (place / "big").write_bytes(big)
        digest = hashlib.sha1(big).hexdigest()
        (place / "dash").write_bytes(substitute("{E}  -\n", "sha1"))
        (place / "good").write_bytes(substitute("{A}  a\n", "sha1"))

        def shell(arguments, name="sha1sum"):
            words, program = self.command(name)
            command = " ".join(map(shlex.quote, words))
            if program:
                command = f"exec -a {name} {shlex.quote(program)}"
            return run(["-c", f"{command} {arguments}"], ["bash"], place)

        for jobs in ("-j1", "-j3"):
            got = shell(f"-a sha1 {jobs} big - a <&-", "hksum")
            report.result(
                f"closed-stdin/{jobs}", got.status == 1 and got.stdout ==
                f"{digest}  big\n".encode() + substitute("{A}  a\n", "sha1") and
                b"-: Bad file descriptor\n" in got.stderr, got)
        got = shell("-c dash <&-")
        report.result("closed-stdin/check", got.status == 1 and
                      got.stdout == b"-: FAILED open or read\n", got)
        got = shell("a >&-")
        report.result("closed-stdout", got.status == 1 and
                      b"write error: Bad file descriptor" in got.stderr, got)
        for option in ("--status", "--quiet"):
            got = shell(f"-c {option} good >&-")
            report.result(f"closed-stdout/{option}", got == Output(b"", b"", 0), got)
        if self.wrapper:
            report.skip("closed-stderr", "valgrind needs it")
        else:
            got = shell("-c good 2>&-")
            report.result("closed-stderr", got == Output(b"a: OK\n", b"", 0), got)

    def limits(self):
        """Little memory, no threads: slower, not less."""
        if self.emulator or self.wrapper or not shutil.which("prlimit"):
            self.report.skip("limits", "needs prlimit and the plain program")
            return
        if b"sanitizer" in pathlib.Path(self.hksum).read_bytes():
            self.report.skip("limits", "sanitizers need their memory")
            return
        want = hashlib.sha1((self.place / "big").read_bytes()).hexdigest()
        for limit in ("--as=5000000", "--as=6000000"):
            got = run([limit, self.hksum, "-a", "sha1", "big", "a"], ["prlimit"],
                      self.place)
            self.report.result(
                f"limits/{limit}", got.status == 0 and got.stdout ==
                f"{want}  big\n".encode() + substitute("{A}  a\n", "sha1"), got)

    def hostile_lists(self):
        """Lists that somebody made to harm."""
        name = b"y" * 3000000
        (self.place / "long").write_bytes(
            substitute("{A}  ", "sha1") + name + b"\n")
        start = time.monotonic()
        got = self.tool(["-c", "long"], "sha1sum")
        took = time.monotonic() - start
        # Time that grows with the square of the length would be a minute.
        self.report.result("long-name", got.status == 1 and took < 30, took)
        for text in (b"\\{E}  a\0junk\n", b"\\{E}  \0a\n",
                     b"\\SHA1 (a\0) = {E}\n"):
            text = text.replace(b"{E}", hashlib.sha1(b"").hexdigest().encode())
            got = self.tool(["-c", "--strict"], "sha1sum", stdin=text)
            self.report.result("nul-in-escaped-name", got.status == 1 and
                               got.stdout == b"" and
                               b"no properly formatted" in got.stderr, got)

    def output(self):
        """Where the output goes to."""
        report = self.report
        with open("/dev/full", "wb") as full:
            got = self.tool(["a"], "sha1sum", stdout=full)
        report.result("full-disk", got.status == 1 and
                      b"sha1sum: write error" in got.stderr, got)
        with open("/dev/full", "wb") as full:
            got = self.tool(["-c"], "sha1sum", stdout=full,
                            stdin=substitute("{A}  a\n{E}  e\n", "sha1"))
        report.result("full-disk-check", got.status == 1 and
                      b"sha1sum: write error" in got.stderr, got)
        with open("/dev/full", "wb") as full:
            got = self.tool(["--help"], "sha1sum", stdout=full)
        report.result("full-disk-help", got.status == 1 and
                      b"sha1sum: write error" in got.stderr, got)

        names = [f"many-{i}" for i in range(100 if self.quick else 400)]
        for name in names:
            (self.place / name).write_bytes(name.encode())
        done = subprocess.run(
            ["xargs", "-P8", "-n1", *self.wrapper, *self.emulator, self.hksum,
             "-a", "sha1"], check=False,
            input="\n".join(names).encode(), capture_output=True, cwd=self.place)
        want = sorted(f"{hashlib.sha1(name.encode()).hexdigest()}  {name}"
                      for name in names)
        report.result("many-processes-one-pipe",
                      sorted(done.stdout.decode().splitlines()) == want,
                      done.stderr)

    def own(self):
        """What hksum has and coreutils has not."""
        report = self.report
        for name in (*ALGORITHMS, "sha512_224", "sha512_256", "sha1dc"):
            other = {"sha1dc": "sha1"}.get(name, name)
            want = hashlib.new(other, b"abc").hexdigest()
            got = self.tool(["-a", name, "a"])
            report.result(f"algorithm/{name}", got.stdout.decode() ==
                          f"{want}  a\n" and not got.status, got)
        got = self.tool(["-a", "siphash24", "--key",
                         "000102030405060708090a0b0c0d0e0f", "e"])
        report.result("algorithm/siphash24",
                      got.stdout == b"310e0edd47db6f72  e\n", got)
        for argv, message in (
                ([], "no algorithm; name one with -a"),
                (["-a", "md4", "a"], "unknown algorithm md4"),
                (["-a", "siphash24", "a"], "SipHash needs a key"),
                (["-a", "siphash24", "--key", "12", "a"],
                 "a key is 32 hexadecimal digits"),
                (["-a", "sha1", "--key", "12", "a"],
                 "the --key option is for SipHash"),
                (["-a", "sha1", "--kernel", "none", "a"],
                 "sha1 has no kernel none")):
            got = self.tool(argv)
            report.result("refused/" + "_".join(argv[1:] or ["nothing"]),
                          got.status == 1 and not got.stdout and
                          f"hksum: {message}" in got.stderr.decode(), got)
        listed = self.tool(["--list"]).stdout.decode().splitlines()[1:]
        report.result("list", sum("in use" in line for line in listed) >= 5 and
                      any(line.startswith("sha1_ref ") for line in listed), listed)
        want = substitute("{A}  a\n", "sha1")
        for line in listed:
            kernel = line.split()[0]
            if not kernel.startswith("sha1_"):
                continue
            for word in (kernel, kernel.removeprefix("sha1_")):
                got = self.tool(["-a", "sha1", "--kernel", word, "a"])
                if "not without" in line:
                    good = got.status == 1 and b"this CPU does not have" in got.stderr
                else:
                    good = got.stdout == want
                report.result(f"kernel/{word}", good, got)
        attacks = pathlib.Path(__file__).resolve().parent.parent / "sha1dc"
        for name in ("shattered-1.320.bin", "sha-mbles-2.bin"):
            data = (attacks / name).read_bytes()
            (self.place / name).write_bytes(data)
            line = f"{hashlib.sha1(data).hexdigest()}  {name}\n".encode()
            got = self.tool(["-a", "sha1dc", "a", name])
            told = f"{name}: made by a collision attack on SHA-1\n".encode()
            report.result(f"attack/{name}", got.status == 1 and
                          got.stdout == want + line and got.stderr.endswith(told), got)
            got = self.tool(["-a", "sha1dc", "-c"], stdin=line)
            report.result(f"attack-check/{name}", got.status == 1 and
                          got.stdout == f"{name}: FAILED\n".encode(), got)
        self.attack_among_many((attacks / "shattered-2.320.bin").read_bytes())
        self.many()
        got = self.tool(["-a", "sha1", "--progress", "a"])
        report.result("progress-short", got == Output(want, b"", 0), got)
        self.progress()
        self.documents()

    def attack_among_many(self, attack):
        """Files in lanes: those that are attacks are named, and no other."""
        (self.place / "attacks").mkdir()
        want, attacked = [], []
        names = [f"attacks/{number}" for number in range(40)]
        for number, name in enumerate(names):
            data = bytes([number]) * (number * 977)
            if number % 13 == 5:
                data = attack + data
                attacked.append(f"{name}: made by a collision attack on SHA-1")
            (self.place / name).write_bytes(data)
            want.append(f"{hashlib.sha1(data).hexdigest()}  {name}")
        got = self.tool(["-a", "sha1dc", *names])
        told = [line.split(": ", 1)[1] for line in got.stderr.decode().splitlines()]
        self.report.result("attack/among-many", got.status == 1 and told == attacked
                           and got.stdout.decode().splitlines() == want, got)

    def many(self):
        """Many files: in lanes and in threads, output and messages in order."""
        place = self.place / "many"
        place.mkdir()
        names = []
        sizes = (0, 1, 55, 64, 200, 4096, 70000)
        for number in range(30 if self.wrapper or self.emulator else 150):
            name = f"many/{number}"
            names.append(name)
            if number % 29 == 7:
                continue            # this one does not exist
            if number % 31 == 9:
                (self.place / name).mkdir()
                continue
            size = sizes[number % len(sizes)] + number
            if number == 20:
                size = 5 << 20      # too long for a group
            (self.place / name).write_bytes(self.random.randbytes(size))
        want_out, want_err, listed, checked = [], [], [], []
        for name in names:
            path = self.place / name
            data = path.read_bytes() if path.is_file() else None
            digest = hashlib.sha256(data or b"").hexdigest()
            listed.append(f"{digest}  {name}")
            if data is None:
                what = "Is a directory" if path.is_dir() else \
                    "No such file or directory"
                want_err.append(f"{name}: {what}")
                checked.append(f"{name}: FAILED open or read")
            else:
                want_out.append(f"{digest}  {name}")
                checked.append(f"{name}: OK")
        (self.place / "list").write_text("\n".join(listed) + "\n")
        for jobs in ([], ["-j1"], ["-j", "3"], ["--jobs=8"], ["-j0"]):
            label = "".join(jobs) or "lanes"
            got = self.tool(["-a", "sha256", *jobs, *names])
            errors = [line.split(": ", 1)[1] for line in
                      got.stderr.decode().splitlines()]
            self.report.result(f"many/{label}", got.status == 1 and
                               got.stdout.decode().splitlines() == want_out and
                               errors == want_err, got)
            got = self.tool(["-a", "sha256", *jobs, "-c", "list"])
            self.report.result(f"many-check/{label}", got.status == 1 and
                               got.stdout.decode().splitlines() == checked, got)
            got = self.tool(["-a", "sha1", *jobs, "-", "a"], stdin=b"abc")
            self.report.result(f"many-stdin/{label}", got.status == 0 and
                               got.stdout == substitute("{A}  -\n{A}  a\n", "sha1"),
                               got)
        got = self.tool(["-a", "sha1", "-j", "x", "a"])
        self.report.result("many/no-number", got.status == 1 and
                           b"x is no number of jobs" in got.stderr, got)

    def progress(self):
        """A file that takes some time: the display, and that it goes away."""
        # Long enough for the tool to start meanwhile, on a busy machine, too.
        seconds = 15 if self.emulator or self.wrapper else 3
        with subprocess.Popen(["sh", "-c", f"printf ab; sleep {seconds}; printf c"],
                              stdout=subprocess.PIPE) as writer:
            got = self.tool(["-a", "sha1", "--progress"], stdin=writer.stdout)
        self.report.result(
            "progress", got.stdout == substitute("{A}  -\n", "sha1") and
            re.fullmatch(rb"\r-: 0\.0 MB, \d+ MB/s\x1b\[K\r\x1b\[K", got.stderr),
            got)

    def documents(self):
        """The manual knows every option and algorithm, the completion some."""
        source = pathlib.Path(__file__).parents[2] / "ci/package"
        text = self.tool(["--help"]).stdout.decode()
        words = set(re.findall(r"(?:^|, ) *(--[a-z-]+)", text, re.M))
        words |= set(re.findall(r"\b(?:sha|siphash)\d+\w*", text))
        manual = (source / "hksum.1").read_text().replace("\\-", "-")
        for word in sorted(words):
            self.report.result(f"manual/{word.lstrip('-')}",
                               re.search(rf"(?<![\w-]){word}\b", manual),
                               "not in the manual")
        if self.emulator or self.wrapper:
            return
        for line, wanted in (("-a sha2", "sha224 sha256"), ("--stri", "--strict"),
                             ("--algorithm siphash1", "siphash13")):
            words = line.split()
            script = (f"source {shlex.quote(str(source / 'hksum.bash'))}; "
                      f"COMP_WORDS=({shlex.quote(self.hksum)} {line}); "
                      f"COMP_CWORD={len(words)}; _hksum; echo \"${{COMPREPLY[*]}}\"")
            done = subprocess.run(["bash", "-c", script], check=False,
                                  capture_output=True, text=True)
            self.report.result(f"completion/{words[-1]}",
                               done.stdout.strip() == wanted, done)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--emulator", default="")
    parser.add_argument("--wrapper", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("hksum")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        tests = Tests(options, pathlib.Path(place))
        make_files(tests.place)
        tests.cases()
        tests.files()
        tests.descriptors()
        tests.limits()
        tests.hostile_lists()
        tests.output()
        tests.own()
        tests.random_lists()
    return tests.report.end()


if __name__ == "__main__":
    sys.exit(main())
