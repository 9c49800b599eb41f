#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Writes RESULTS.md, its pictures and the README's figures from what tables.py
measured (build/results) and from what others published (published.csv).

    results.py            writes
    results.py --check    says whether README.md has RESULTS.md's headline
"""

import json
import sys
import textwrap
from pathlib import Path

import pictures
from results_tables import (
    ARCH_NAMES, TITLES, Speed, arm, arm_bytes, bounds, count32, hard, is_c, is_many,
    is_ours, is_peer, linked, linker, models, pack, ragged, served, siphash, siphash_c,
    siphash_counts, table, text, zeros)

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build/results"
HEADLINE = ("<!-- headline: written by make tables -->\n",
            "<!-- end of headline -->\n")
STEPS = ("speed", "cases", "siphash", "links", "tool", "count32", "arm", "pack",
         "git", "cost")
OPTIONAL = ("links", "git")             # they need programs that may not be here


def load(step):
    """What a step of tables.py kept."""
    file = KEPT / f"{step}.json"
    if not file.exists():
        if step in OPTIONAL:
            return {"commit": "none", "changed": False, "found": {}}
        sys.exit(f"results: {step} was not measured; run make tables")
    return json.loads(file.read_text())


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

{arm_bytes} bytes. The report is from 2009 and an ARM of that time, in seconds. Here is
no ARM: instructions are counted in QEMU, which says nothing of caches or pipelines.
The compilers are {gcc} and
{clang}. `ARMv5` is for arm926ej-s in ARM state and includes
only kernels that run there, `ARMv7` is for Debian's armhf. Kernels for later
instruction sets are in the second part alone.

{arm}
## 3. 10^9 zero bytes

The least wall time of each tool, files in the page cache, in one thread but for the
one in which hksum reads a large file ahead, and for -j2. "The hash alone" is the same
amount hashed from the cache, without a file. The report's machine is not known; it
had no SHA instructions. Instructions are counted in QEMU.

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

Executed instructions, counted in QEMU (with AVX-512 on this CPU): `call` for one
block, or for two or eight of kernels that take so many together, `block` for each
further one; of lanes, for a block in each. The other columns are cycles a block as
the models of llvm-mca estimate them for the executed trace (ADL: Alder Lake; ICL: Ice
Lake server; SKL: Skylake; and ARM's by their names). They are estimates; nothing was
measured on these CPUs. A dash: the model does not know the code.

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
        arm_bytes=arm_bytes(), gcc=measured["gcc"], clang=measured["clang"],
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
    lanes = [(TITLES[name].replace("collision ", ""), everyone["API", "one call"],
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
    content = page()                    # ends the run if a step was not measured
    draw()
    results.write_text(content)
    before, _, after = block(readme.read_text())
    readme.write_text(before + HEADLINE[0] + block(content)[1] + HEADLINE[1] + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
