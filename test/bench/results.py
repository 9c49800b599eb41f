#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Writes RESULTS.md, its pictures and the README's figures from what tables.py
measured (build/results) and from what others published (published.csv).

    results.py            writes
    results.py --check    says whether README.md has RESULTS.md's headline
"""

import csv
import json
import sys
import textwrap
from pathlib import Path

import pictures

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build/results"
HEADLINE = ("<!-- headline: written by make tables -->\n",
            "<!-- end of headline -->\n")
STEPS = ("speed", "cases", "siphash", "links", "tool", "count32", "arm", "pack",
         "git", "cost")
TITLES = {"sha1": "SHA-1", "sha1dc": "SHA-1 with collision detection",
          "sha256": "SHA-256", "sha512": "SHA-512",
          "siphash24": "SipHash-2-4", "siphash13": "SipHash-1-3"}
ARCH_NAMES = {"x86_64": "x86-64", "i386": "i386", "armv7": "32-bit ARM",
              "aarch64": "AArch64"}


OPTIONAL = ("links", "git")             # they need programs that may not be here


def load(step):
    """What a step of tables.py kept."""
    file = KEPT / f"{step}.json"
    if not file.exists():
        if step in OPTIONAL:
            return {"commit": "none", "changed": False, "found": {}}
        sys.exit(f"results: {step} was not measured; run make tables")
    return json.loads(file.read_text())


def published(table):
    """The rows of a table that others published."""
    with open(ROOT / "test/bench/published.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["table"] == table]


def table(head, rows):
    """A Markdown table; all columns but the first are numbers."""
    lines = ["| " + " | ".join(head) + " |",
             "|---|" + "--:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def text(value, decimals=2):
    """A number, or a dash."""
    return "-" if value is None else f"{value:.{decimals}f}"


# ---- Speed -------------------------------------------------------------------


class Speed:
    """The results of make bench."""

    def __init__(self, found):
        self.found = found
        self.rows = found["results"]

    def algorithms(self):
        """Those that hash messages, in the order of the table of kernels."""
        return [name for name in dict.fromkeys(r["algorithm"] for r in self.rows)
                if name in TITLES]

    def of(self, algorithm, level="messages"):
        """Competitors, each with its rows by size."""
        found = {}
        for row in self.rows:
            if row["algorithm"] == algorithm and row["level"] == level and \
                    not row["tier"]:
                found.setdefault((row["source"], row["name"]), {})[row["bytes"]] = row
        return found

    def best(self, algorithm, size, accept):
        """The fastest row of those that accept takes, or None."""
        rows = [by_size[size] for (source, name), by_size
                in self.of(algorithm).items()
                if size in by_size and accept(source, name)]
        return min(rows, key=lambda row: row["cycles_per_byte"], default=None)


def is_ours(source, name):
    """The library's own function for one message, as programs call it."""
    return source == "API" and name == "one call"


def is_many(_, name):
    """The library's function for many messages."""
    return name == "32 messages"


def is_c(source, _):
    """C by any compiler."""
    return source == "C"


def is_peer(source, _):
    """Another library."""
    return source.startswith("lib")


def short(name):
    """A kernel's name without its algorithm."""
    head, _, tail = name.partition("_")
    return tail if head in TITLES else name


def headline(speed):
    """One line for each algorithm: the README's figures."""
    def names(sizes):
        return [f"{s} B" if s < 1024 else f"{s >> 10} KiB" if s < 1 << 20 else
                f"{s >> 20} MiB" for s in sizes]

    sha = (64, 1024, 1 << 20)
    sip = (8, 64, 1024)
    columns = ["MB/s", "C / this", "best library / this", "of the limit"]
    rows = {sha: [], sip: []}
    for algorithm in speed.algorithms():
        sizes = sip if "siphash" in algorithm else sha
        large = sizes[-1]
        ours = [speed.best(algorithm, size, is_ours) for size in sizes]
        c = speed.best(algorithm, large, is_c)
        peer = speed.best(algorithm, large, is_peer)
        many = speed.best(algorithm, 32768, is_many)
        last = ours[-1]
        rows[sizes].append([
            TITLES[algorithm],
            *[text(row["cycles_per_byte"]) for row in ours],
            f"{last['MB_per_s']:.0f}",
            text(c["cycles_per_byte"] / last["cycles_per_byte"]),
            f"{peer['cycles_per_byte'] / last['cycles_per_byte']:.2f} "
            f"({peer['name'].split()[0]})" if peer else "-",
            f"{100 * last['limit'] / last['cycles_per_byte']:.0f} %",
            *([text(many and many["cycles_per_byte"])] if sizes == sha else [])])
    return table(["cycles per byte", *names(sha), *columns, "32 at once"],
                 rows[sha]) + "\n" + \
        table(["cycles per byte", *names(sip), *columns], rows[sip]) + (
            "\nOne call for one message of that size; the columns after the sizes are "
            "about the\nlargest. C is the best of gcc and clang at -O3; the limit is "
            "what this core's\ninstructions allow, measured in the same run; 32 at "
            "once are messages of 32 KiB.\n")


def linker(speed):
    """Table 1: the linker's hash benchmark."""
    sizes = (1024, 4096, 32768, 262144, 1048576)
    before = {(row["what"], row["where"], row["note"]): float(row["value"])
              for row in published("linker")}
    rows = []

    def line(title, cells):
        rows.append([title, *[f"{cell:,.0f}" if cell else "" for cell in cells]])

    for what, note in (("before", "clang"), ("after", "clang"), ("before", "gcc"),
                       ("after", "gcc")):
        line(f"report: LLVM's SHA-1 {what} ({note})",
             [before.get((what, str(size), note)) for size in sizes])
    for title, accept in (
            ("here: LLVM 14's SHA-1", lambda s, n: n == "LLVM"),
            ("here: best C, gcc -O3", lambda s, n: s == "C" and "gcc" in n),
            ("here: best C, clang -O3", lambda s, n: s == "C" and "clang" in n),
            ("here: SHA-1 in general registers",
             lambda s, n: n == "sha1_base"),
            ("here: hk_sha1", is_ours)):
        found = [speed.best("sha1", size, accept) for size in sizes]
        line(title, [row and row["ns"] for row in found])
    return table(["nanoseconds", "1 KiB", "4 KiB", "32 KiB", "256 KiB", "1 MiB"],
                 rows)


def linked(rows):
    """Whole links."""
    if not rows:
        return "Whole links were not measured in this run.\n"
    return table(
        ["whole link with lld 14, seconds", "MB", "cores", "no identifier",
         "LLVM's SHA-1", "hk_sha1", "shorter"],
        [[row["program"], text(row["bytes"] / 1e6, 0), row["cores"],
          text(row["none_s"], 3), text(row["stock_s"], 3), text(row["hashkern_s"], 3),
          f"{row['shorter_percent']:.1f} %"] for row in rows])


# ---- The other tables of the report ------------------------------------------

STRATEGIES = {"c": "plain", "c_volatile": "volatile", "c_constraint": "constraint",
              "c_barrier": "barrier"}


def arm(found):
    """Table 2: 32-bit ARM."""
    seconds = {row["what"]: float(row["value"]) for row in published("arm")}
    plain = seconds["block-sha1 plain"]
    out = [table(["report", "seconds", "relative to plain C"],
                 [[name, text(value), text(value / plain)]
                  for name, value in seconds.items()]), "\n"]
    rows, stores, sizes = [], [], []
    for build, kernels in found.items():
        base = kernels["sha1_c gcc -O2"]["aligned"]
        c = {kernel: row for kernel, row in kernels.items() if " " in kernel}
        best = min(row["aligned"] for row in c.values())
        compilers = list(dict.fromkeys(kernel.split(" ", 1)[1] for kernel in c))
        for kernel, row in kernels.items():
            if kernel not in c:
                rows.append([f"{build} `{kernel}`", text(row["aligned"] / 1e9, 3),
                             text(row["unaligned"] / 1e9, 3),
                             text(row["aligned"] / 203247018, 1),
                             text(row["aligned"] / base), text(row["aligned"] / best)])
                sizes.append([f"{build} `{kernel}`", row["text"], row["data"],
                              row["bss"]])
        for variant, store in STRATEGIES.items():
            for compiler in compilers:
                row = c[f"sha1_{variant} {compiler}"]
                stores.append([f"{build} {store} store, {compiler}",
                               text(row["aligned"] / 1e9, 3),
                               text(row["unaligned"] / 1e9, 3),
                               text(row["aligned"] / 203247018, 1),
                               text(row["aligned"] / base),
                               text(row["aligned"] / best)])
                sizes.append([f"{build} {store} store, {compiler}", row["text"],
                              row["data"], row["bss"]])
    head = ["10^9 instructions, aligned", "from an odd address",
            "instructions a byte", "relative to plain C at -O2",
            "relative to the best C"]
    out.append(table(["C here, executed", *head], stores) + "\n")
    out.append(table(["assembly here, executed", *head], rows))
    out.append("\nBytes of the object files (report: "
               + ", ".join(f"{row['what']} {row['value']}"
                           for row in published("arm-size")) + " bytes of text):\n\n")
    out.append(table(["object", "text", "data", "bss"], sizes))
    return "".join(out)


def zeros(found):
    """Table 3: 10^9 zero bytes, and many files, in both builds."""
    old = {row["what"]: float(row["value"]) for row in published("zeros")}
    out = []
    for build in ("64-bit", "32-bit"):
        took = {(name, what, who): ms / 1000 for name, what, who, ms in found[build]}
        others = [who for who in ("coreutils", "openssl")
                  if ("sha1", "zeros", who) in took]
        for what, title in (("zeros", "10^9 zero bytes"),
                            ("many", "2000 files of 100 KB")):
            rows = []
            head = [f"{title}, {build} tools, seconds", *others, "hksum",
                    "best other / hksum", "hksum -j2"]
            alone = what == "zeros" and build == "64-bit"
            if alone:
                head += ["the hash alone", "report"]
            for name in ("sha1", "sha256", "sha512"):
                if (name, what, "hksum") not in took:
                    continue
                ours = took[name, what, "hksum"]
                row = [name, *[text(took[name, what, who], 3) for who in others],
                       text(ours, 3),
                       text(min((took[name, what, who] for who in others),
                                default=ours) / ours),
                       text(took[name, what, "hksum-j2"], 3)]
                if alone:
                    row += [text(1e3 / found["MB_per_s"][name], 3),
                            f"{old['sha512 before']} -> {old['sha512 after']} s"
                            if name == "sha512" else "-"]
                rows.append(row)
            if rows:
                out.append(table(head, rows) + "\n")
    many, one = found["peak_MB"]
    out.append(f"Peak memory of the 64-bit hksum: {one:.1f} MB for one file, "
               f"{many:.1f} MB for 100,000 (their names are a part of it).\n\n")
    if not found["32-bit"]:
        out.append("32-bit programs do not run on this CPU.\n\n")
    return "".join(out)


def count32(found):
    """The 32-bit tools by instructions."""
    return table(["32-bit, instructions a byte", "SHA-1", "SHA-256", "SHA-512"],
                 [[who, *[text(value[name]) for name in ("sha1", "sha256", "sha512")]]
                  for who, value in found.items()])


def pack(found, models):
    """Table 4: the checksum of a pack."""
    old = {row["what"]: row["value"] for row in published("pack")}
    rows = []
    for name, value in found.items():
        rows.append([f"`{name}`" if "_" in name else name,
                     "yes" if name.startswith(("sha1dc", "git")) else "no",
                     text(value)])
    for row in models["x86_64"]:
        if row["kernel"] in ("sha1_shani", "sha1dc_shani"):
            rows.append([f"`{row['kernel']}` (in QEMU)",
                         "yes" if "dc" in row["kernel"] else "no",
                         text(int(row["block"]) / 64)])
    return (f"Report, serving a clone of {published('pack')[0]['where']}: "
            f"{old['time safe']} s with detection in the pack checksum, "
            f"{old['time fast']} s without;\nhashing was {old['share safe']} % of all "
            f"instructions, then {old['share fast']} %.\n\n" +
            table(["checksum", "detects attacks", "instructions a byte"], rows))


def served(found):
    """Git with four ways to make SHA-1."""
    if not found:
        return "git was not measured in this run.\n"
    names = [name for name in found["instructions"] if name != "task"]
    rows = [[f"{row['task']}, time", *[text(row[name] / row[names[0]])
                                       for name in names]]
            for row in found["seconds"]]
    counts = found["instructions"]
    rows.append(["pack-objects, 10^6 instructions",
                 *[counts[name]["million"] for name in names]])
    rows.append(["of these in SHA-1",
                 *[f"{counts[name]['hashing_percent']} %" for name in names]])
    return table(["git, one process", *names], rows)


def siphash(found):
    """Table 5: SipHash-2-4 against std."""
    old = {int(row["where"]): row["value"] for row in published("siphash")}
    rows = []
    for size, cell in found["lines"].items():
        rows.append([size, old.get(int(size), "-"), *[text(v) for v in cell[:5]],
                     *[text(v) for v in cell[5:]]])
    return table(["bytes", "std, earlier", "std", "hk", "std / hk", "rounds",
                  "std / rounds", "std", "hk", "std / hk", "rounds",
                  "std / rounds"], rows)


def siphash_c(speed):
    """SipHash against C, in cycles a call."""
    rows = []
    for algorithm in ("siphash24", "siphash13"):
        everyone = speed.of(algorithm)
        sizes = sorted({size for by_size in everyone.values() for size in by_size})
        for title, accept in (
                ("hk", is_ours), ("`base` alone", lambda s, n: n.endswith("_base")),
                ("gcc -O3", lambda s, n: "gcc" in n),
                ("clang -O3", lambda s, n: "clang" in n),
                ("libsodium", lambda s, n: n == "libsodium"),
                ("HighwayHash", lambda s, n: n == "HighwayHash")):
            found = [speed.best(algorithm, size, accept) for size in sizes]
            if any(found):
                rows.append([f"{TITLES[algorithm][8:]} {title}",
                             *[text(row["cycles_per_byte"] * row["bytes"], 1)
                               for row in found]])
    return table(["cycles", *[str(size) for size in sizes]], rows)


def siphash_counts(found):
    """Executed instructions of SipHash-2-4 where no time can be taken."""
    out = []
    for arch, part in found.items():
        out.append(table([ARCH_NAMES[arch], *map(str, part["lengths"])],
                         [[f"`{name}`" if "_" in name else name, *cells]
                          for name, cells in part["rows"]]) + "\n")
    return "".join(out)


def ragged(rows):
    """Short messages of many lengths."""
    return table(["1000 messages of 0 to 400 bytes, microseconds", "one by one",
                  "in one call", "times as fast"],
                 [[TITLES[name], text(apart / 1e3, 1), text(together / 1e3, 1),
                   text(apart / together)]
                  for case, name, apart, together in rows if case == "ragged"])


def hard(rows):
    """The blocks that collision detection likes least."""
    found = {name: (usual, worst) for case, name, usual, worst in rows
             if case == "worst"}
    return table(["nanoseconds a block", "random", "hard", "reference, hard / this"],
                 [[f"`{name}`", text(usual, 1), text(worst, 1),
                   text(found["sha1dc_ref"][1] / worst)]
                  for name, (usual, worst) in found.items()])


# ---- Costs -------------------------------------------------------------------


def bounds(speed):
    """Measured cycles a block, the bound, what sets it."""
    rows = []
    block = {"sha1": 64, "sha1dc": 64, "sha256": 64, "sha512": 128}
    for algorithm in ("sha1", "sha1dc", "sha256", "sha512"):
        for (source, name), by_size in speed.of(algorithm, "blocks").items():
            row = by_size.get(4096)
            if source == "asm" and row and row["limit"]:
                rows.append([f"`{name}`", text(row["cycles_per_byte"] * block[algorithm], 0),
                             text(row["limit"] * block[algorithm], 0), row["limit_by"],
                             f"{100 * row['limit'] / row['cycles_per_byte']:.0f} %"])
    for algorithm in ("siphash24", "siphash13", "sipabsorb"):
        level = "blocks" if algorithm == "sipabsorb" else "messages"
        for (source, name), by_size in speed.of(algorithm, level).items():
            row = by_size.get(65536)
            if source == "asm" and row and row["limit"]:
                rows.append([f"`{name}` (8 bytes)", text(row["cycles_per_byte"] * 8),
                             text(row["limit"] * 8), row["limit_by"],
                             f"{100 * row['limit'] / row['cycles_per_byte']:.0f} %"])
    return table(["kernel", "cycles a block", "bound", "set by", "reached"], rows)


def models(found, arch):
    """Instructions and modelled cycles of one architecture."""
    rows = found[arch]
    columns = [name for name in rows[0] if name not in ("arch", "kernel")]
    return table([ARCH_NAMES[arch], *columns],
                 [[f"`{row['kernel']}`", *[row[name] for name in columns]]
                  for row in rows])


# ---- The page ----------------------------------------------------------------

PAGE = """\
# Results

Written by `make tables`; do not edit. What is measured here is measured in one run on
one core, competitors taking turns, and the least time of many rounds counts. Ratios
travel better than absolute figures: quote those, and quote no run that says it was
disturbed.

- CPU: {cpu}, {ghz:.2f} GHz during the run; {system}
- compilers: {gcc}; {clang}; {rustc}
- {date}; revisions: {revisions}
- noise: two halves of the run differ by {noise:.1f} % on average; its clock by
  {clock:.1f} %
- measured here, operations a cycle: {per_cycle}; cycles an instruction takes:
  {cycles}
- the limit is what these make of one message; short messages that do not wait for
  each other overlap, and may pass it

## One call

{headline}
{pictures}
## Ragged messages, hard blocks

{ragged}
To detect collisions takes longer for blocks that look like an attack. Hard ones
satisfy the conditions of as many disturbance vectors as a block can, nine on average;
of random ones, one in twenty satisfies any.

{hard}
## 1. A linker's build identifier

SHA-1 of one buffer in memory. The report's figures (LLVM, review D69295) come from
other and older hardware without saying which; what can be compared is before and
after. There, SHA-1 of LLVM became 1.7 to 3.1 times as fast, and links with a SHA-1
build identifier 8 to 28 % shorter.

{linker}
## 2. SHA-1 on 32-bit ARM: how C stores a word

203247018 bytes. The report is from 2009 and an ARM of that time, in seconds. Here is
no ARM: instructions are counted in QEMU, which says nothing of caches or pipelines.
The compilers are {gcc} and
{clang}. `ARMv5` is for arm926ej-s in ARM state and includes
only kernels that run there, `ARMv7` is for Debian's armhf. Kernels for later
instruction sets are in the second part alone.

{arm}
## 3. 10^9 zero bytes

The least wall time of each tool, files in the page cache, in one thread but for the
one in which hksum reads a large file ahead, and for -j2. "The hash alone" is the same
amount hashed from the cache, without a file. The report's machine is not known; it was
without SHA instructions. Instructions are counted in QEMU.

{zeros}
## 4. The checksum of a pack

Instructions by callgrind, which shows programs a CPU with AVX2 but without SHA
instructions. The report counted whole runs of git on other hardware.

{pack}
## 5. SipHash

SipHash-2-4 against Rust's standard library, nanoseconds a call; `rounds` is the
SipRounds alone, without message and length, so std / rounds is what could be gained
at most. First calls that do not depend on each other, then calls whose key is the
result of the last. The column `std, earlier` was taken on a Zen 3 core; the report
had gains of up to 70 % at 4 to 128 bytes over the standard library of its time.

{siphash}
Against the same construction in C, cycles a call by message length:

{siphash_c}
Executed instructions where no time can be taken, SipHash-2-4, by message length; an
asterisk marks a compiler that is not behind:

{siphash_counts}
## How far from the hardware

The bound is the largest of four: the chain of operations that wait for each other
(latency); operations of one kind over their rate (throughput); all instructions over
the core's width (front end); or the SHA instruction's own latency, or throughput for
lanes. Rates are those measured above. Whole blocks of a message of 4 KiB:

{bounds}
## Other CPUs

Executed instructions, counted in QEMU: `call` for one block, `block` for each
further one. The other columns are cycles a block as the models of llvm-mca estimate
them for the executed trace (ADL: Alder Lake; ICL: Ice Lake server; SKL: Skylake; and
ARM's by their names). They are estimates; nothing was measured on these CPUs. A dash:
the model does not know the code.

{models}"""


def picture(name, title):
    """A picture that shows in Markdown, and opens as vector graphics."""
    place = "test/bench/pictures"
    return f"[![{title}]({place}/{name}.png)]({place}/{name}.svg)\n\n"


def revisions():
    """Which revision each step measured."""
    by_commit = {}
    for step in STEPS:
        kept = load(step)
        if kept["commit"] == "none":
            continue
        commit = kept["commit"] + (" with changes" if kept["changed"] else "")
        by_commit.setdefault(commit, []).append(step)
    if len(by_commit) == 1:
        return next(iter(by_commit))
    return "; ".join(f"{commit} ({', '.join(steps)})"
                     for commit, steps in by_commit.items())


def page():
    """RESULTS.md."""
    measured = load("speed")
    speed = Speed(measured["found"])
    found = measured["found"]
    counts = load("cost")["found"]
    repeats = [row["repeat"] for row in found["results"]]
    rates = found["rates"]
    shown = [name for name in TITLES if name in speed.algorithms()]
    page_text = PAGE.format(
        cpu=found["cpu"], ghz=found["ghz"], system=measured["system"],
        gcc=measured["gcc"], clang=measured["clang"],
        rustc=load("siphash")["found"]["compiler"],
        date=measured["date"], revisions=revisions(),
        noise=100 * sum(repeats) / len(repeats), clock=100 * found["clock_repeat"],
        per_cycle=", ".join(f"{name} {1 / rate['cycles']:.2f}"
                            for name, rate in rates.items() if rate["cycles"] < 1),
        cycles=", ".join(f"{name} {rate['cycles']:.2f}"
                         for name, rate in rates.items() if rate["cycles"] >= 1),
        headline=HEADLINE[0] + headline(speed) + HEADLINE[1],
        pictures="".join(picture(name, f"{TITLES[name]}: throughput by message size")
                         for name in shown) +
        picture("many", "Several messages in one call"),
        ragged=ragged(load("cases")["found"]), hard=hard(load("cases")["found"]),
        linker=linker(speed) + "\n" + linked(load("links")["found"]),
        arm=arm(load("arm")["found"]) + "\n" +
        picture("arm-size", "32-bit ARM: instructions a byte by code size"),
        zeros=zeros(load("tool")["found"]) + count32(load("count32")["found"]),
        pack=pack(load("pack")["found"], counts["models"]) +
        "\nGit 2.39 itself, one core, built with its own sha1dc, its block-sha1, "
        "OpenSSL's SHA-1, and this library's collision-detecting SHA-1 as drop-in; "
        "pack-objects serves a clone of a generated repository of 151 MB, "
        "hash-object reads a file of 256 MB. Times are relative to the first; "
        "instructions are callgrind's, so without SHA instructions:\n\n" + served(load("git")["found"]),
        siphash=siphash(load("siphash")["found"]), siphash_c=siphash_c(speed),
        siphash_counts=siphash_counts(counts["siphash"]),
        bounds=bounds(speed),
        models="\n".join(models(counts["models"], arch) for arch in ARCH_NAMES))
    return "\n".join(fill(line) for line in page_text.splitlines()) + "\n"


def fill(line):
    """Prose that became too long is broken; tables and pictures stay."""
    if len(line) <= 86 or line[0] in "|[<":
        return line
    return textwrap.fill(line, 86, break_long_words=False, break_on_hyphens=False,
                         subsequent_indent="  " if line.startswith("- ") else "")


def draw():
    """All pictures."""
    speed = Speed(load("speed")["found"])
    for name in speed.algorithms():
        pictures.throughput(name, TITLES[name], speed.of(name))
    lanes = [(TITLES[name], everyone["API", "one call"],
              everyone["API", "32 messages"])
             for name in speed.algorithms() for everyone in [speed.of(name)]
             if ("API", "32 messages") in everyone and
             speed.best(name, 32768, is_many)["cycles_per_byte"] * 1.2 <
             speed.best(name, 32768, is_ours)["cycles_per_byte"]]
    pictures.many(lanes)
    pictures.arm_size(load("cost")["found"]["models"]["armv7"])


def block(content):
    """The headline in a file, with its marks."""
    before, mark, rest = content.partition(HEADLINE[0])
    inside, end, after = rest.partition(HEADLINE[1])
    if not mark or not end:
        sys.exit("results: no headline between its marks")
    return before, inside, after


def main():
    """Writes, or checks."""
    results, readme = ROOT / "RESULTS.md", ROOT / "README.md"
    if sys.argv[1:] == ["--check"]:
        if block(readme.read_text())[1] != block(results.read_text())[1]:
            print("README.md: the figures are not those of RESULTS.md")
            return 1
        return 0
    draw()
    content = page()
    results.write_text(content)
    before, _, after = block(readme.read_text())
    readme.write_text(before + HEADLINE[0] + block(content)[1] + HEADLINE[1] + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
