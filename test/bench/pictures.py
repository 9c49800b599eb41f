# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Draws the pictures of RESULTS.md with gnuplot: throughput by message size for
each algorithm, and instructions by code size for 32-bit ARM.

Colours are those of Okabe and Ito, which people with any colour vision tell apart;
kinds of competitors differ in line and mark as well.
"""

import math
import re
import subprocess
import sys
from pathlib import Path

PLACE = Path("test/bench/pictures")
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#999999")
ASM = [BLUE, SKY, "#3B4CC0", "#7A9CC6"]
C = [ORANGE, "#B8860B"]
PEERS = [GREEN, RED, PURPLE, "#8B5A2B"]


def draw(name, body, data):
    """Runs gnuplot twice: PNG to look at, SVG to print."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for ending, terminal in (
            ("png", "pngcairo size 760,440 font 'DejaVu Sans,10'"),
            ("svg", "svg size 760,440 font 'DejaVu Sans,12' background '#ffffff'")):
        script = (f"set terminal {terminal}\nset output '{PLACE / name}.{ending}'\n"
                  f"{data}{body}")
        done = subprocess.run(["gnuplot"], input=script, text=True,
                              capture_output=True, check=False)
        if done.returncode or "error" in done.stderr.lower():
            sys.exit(f"pictures: {name}: {done.stderr}")
    svg = PLACE / f"{name}.svg"
    svg.write_text("\n".join(line.expandtabs().rstrip() for line in
                             svg.read_text().splitlines() if line.strip()) + "\n")


def size_name(size):
    """A message size as its tick says it."""
    return f"{size}" if size < 1024 else \
        f"{size // 1024} K" if size < 1048576 else f"{size // 1048576} M"


def throughput(algorithm, title, everyone):
    """One algorithm: kernels, the best C of each compiler, libraries, the limit."""
    lines = []                          # title, style, {size: MB/s}
    last = max(size for rows in everyone.values() for size in rows)

    def rate(rows, size):
        return rows[size]["MB_per_s"]

    def add(label, rows, style):
        lines.append((label, style, {s: rate(rows, s) for s in sorted(rows)}))

    kernels = [(name, rows) for (source, name), rows in everyone.items()
               if source == "asm"]
    for index, (name, rows) in enumerate(kernels):
        add(name, rows, f"lw 2.5 lc '{ASM[index % 4]}' pt 7 ps 0.8 dt "
                        f"{1 + index // 4}")
    for colour, compiler in zip(C, ("gcc", "clang")):
        made = [(name, rows) for (source, name), rows in everyone.items()
                if source == "C" and compiler in name]
        if made:
            _, rows = max(made, key=lambda pair: rate(pair[1], last))
            add(f"best C, {compiler} -O3", rows, f"lw 1.5 lc '{colour}' pt 9 ps 0.9")
    peers = [(name, rows) for (source, name), rows in everyone.items()
             if source.startswith("lib") and not re.search(r"\(\)", name)]
    for index, (name, rows) in enumerate(peers):
        add(name, rows, f"lw 1.5 dt 2 lc '{PEERS[index % 4]}' pt {1 + index} ps 0.9")
    best = everyone["API", "one call"]
    limit = {s: row["MB_per_s"] * row["cycles_per_byte"] / row["limit"]
             for s, row in sorted(best.items()) if row["limit"]}
    if limit:
        lines.append(("limit of this core", f"lw 1.5 dt 3 lc '{GREY}' pt 0", limit))
    blocks, plots = [], []
    for index, (label, style, points) in enumerate(lines):
        blocks.append(f"$d{index} << END\n" + "".join(
            f"{size} {value}\n" for size, value in points.items()) + "END\n")
        plots.append(f"$d{index} with linespoints {style} title '{label}'")
    sizes = sorted({size for rows in everyone.values() for size in rows})
    ticks = ", ".join(f"'{size_name(s)}' {s}" for s in sizes if s not in (7, 445))
    top = 1.06 * max(value for _, _, points in lines for value in points.values())
    body = (f"set title '{title}: one core, MB/s by message size'\n"
            f"set logscale x 2\nset xrange [{sizes[0]}:{last * 1.01}]\n"
            f"set yrange [0:{top}]\n"
            f"set xtics ({ticks})\nset ylabel 'MB/s'\nset grid lc '#dddddd'\n"
            "set xlabel 'bytes'\nset key outside right top noenhanced\nset border 3\nset tics nomirror\n"
            "plot " + ", \\\n  ".join(plots) + "\n")
    draw(algorithm, body, "".join(blocks))


def many(algorithms):
    """One call for one message against one call for 32, of each algorithm."""
    blocks, plots = [], []
    for index, (title, one, lanes) in enumerate(algorithms):
        colour = [BLUE, ORANGE, GREEN, RED][index]
        for kind, rows, style in (("one", one, "dt 2 lw 1.5 pt 6"),
                                  ("lanes", lanes, "lw 2.5 pt 7")):
            blocks.append(f"${kind}{index} << END\n" + "".join(
                f"{size} {rows[size]['MB_per_s']}\n" for size in sorted(rows)) +
                "END\n")
            plots.append(f"${kind}{index} with linespoints {style} ps 0.9 "
                         f"lc '{colour}' title '{title}, "
                         f"{'one message' if kind == 'one' else '32 messages'}'")
    sizes = sorted(algorithms[0][1])
    ticks = ", ".join(f"'{size_name(s)}' {s}" for s in sizes)
    body = ("set title 'Several messages in one call: one core, MB/s by message "
            "size'\nset logscale x 2\n"
            f"set xrange [{sizes[0]}:{sizes[-1] * 1.01}]\nset yrange [0:*]\n"
            f"set xtics ({ticks})\nset ylabel 'MB/s'\nset grid lc '#dddddd'\n"
            "set xlabel 'bytes'\nset key outside right top noenhanced\n"
            "set border 3\nset tics nomirror\nplot " + ", \\\n  ".join(plots) + "\n")
    draw("many", body, "".join(blocks))


SMALLEST = 200                          # bytes of code that the picture shows


def beside(points, others):
    """Where each point's name goes, so that it covers no name and no point. Boxes
    are in doublings, as the axes are: so much is a letter wide and high."""
    wide, high, gap = 0.24, 0.3, 0.18
    taken = [(math.log2(x) - gap, math.log2(x) + gap, math.log2(y) - gap,
              math.log2(y) + gap) for x, y, _ in [*points, *others]]
    for x, y, name in points:
        x, y, width = math.log2(x), math.log2(y), wide * len(name)
        places = [("left offset 0.8,0.1", x + gap, y - high / 2),
                  ("right offset -0.8,0.1", x - gap - width, y - high / 2),
                  ("center offset 0,0.8", x - width / 2, y + gap),
                  ("center offset 0,-0.8", x - width / 2, y - gap - high),
                  ("left offset 0.5,-0.8", x + gap / 2, y - gap - high),
                  ("right offset -0.5,0.8", x - gap / 2 - width, y + gap),
                  ("right offset -0.5,-0.8", x - gap / 2 - width, y - gap - high),
                  ("left offset 0.5,0.8", x + gap / 2, y + gap)]

        def covers(place, width=width):
            _, left, low = place
            if left < math.log2(SMALLEST) + gap:    # it would touch the axis
                return len(taken) + 1
            return sum(left < r and left + width > l and low < t and low + high > b
                       for l, r, b, t in taken)

        how, left, low = min(places, key=covers)
        taken.append((left, left + width, low, low + high))
        yield (2 ** x, 2 ** y, name), how


def arm_size(rows):
    """Code size against executed instructions a byte, of 32-bit ARM."""
    block = {"sha1": 64, "sha256": 64, "sha512": 128}
    data, panels = [], []
    for algorithm, title in (("sha1", "SHA-1"), ("sha256", "SHA-256"),
                             ("sha512", "SHA-512")):
        groups = {"asm": [], "c": []}
        for row in rows:
            kernel = row["kernel"]
            head, variant = kernel.split("_", 1)
            if head == algorithm and variant != "ref" and row["block"] != "-":
                kind = "c" if variant.startswith("c") and variant != "ce" else "asm"
                groups[kind].append(
                    (int(row["text"]) + int(row["rodata"]),
                     int(row["block"]) / block[algorithm], variant))
        if not groups["asm"]:
            continue
        for kind, points in groups.items():
            data.append(f"${algorithm}_{kind} << END\n" + "".join(
                f"{x} {y} {name}\n" for x, y, name in sorted(points)) + "END\n")
        labels = [f"set label '{name}' at {x},{y} {how} noenhanced font ',9' "
                  f"tc '{BLUE}'\n" for (x, y, name), how in
                  beside(sorted(groups["asm"]), groups["c"])]
        panels.append(
            "unset label\n" + "".join(labels) +
            f"set title '{title}'\n"
            f"plot ${algorithm}_asm with points pt 7 ps 1.1 lc '{BLUE}' "
            "title 'assembly', "
            f"${algorithm}_c with points pt 9 ps 1.2 lc '{ORANGE}' "
            "title 'C, gcc -O2'\n")
    body = (f"set multiplot layout 1,{len(panels)} title "
            "'32-bit ARM: instructions a byte (executed) by bytes of code and "
            "constants'\n"
            f"set logscale xy 2\nset xrange [{SMALLEST}:24000]\nset border 3\n"
            "set tics nomirror\nset grid lc '#dddddd'\n"
            "set xtics (256, 512, '1 K' 1024, '2 K' 2048, '4 K' 4096, '8 K' 8192, "
            "'16 K' 16384) rotate by -45\n"
            "set key top right\nset xlabel 'bytes'\n"
            "set yrange [1:256]\n"
            + "".join(panels) + "unset multiplot\n")
    draw("arm-size", body, "".join(data))
