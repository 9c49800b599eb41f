#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Sizes of the kernels, from the objects and banners; the README's table of them.

    sizes.py ARCH...            prints text, rodata and stack bytes of each row
    sizes.py --readme           writes the table between README.md's markers
    sizes.py --check            says whether README.md has just that table

Objects must have been built: make kernels, or make asm-objects ARCH=... for the
README, whose table is about assembly in all four architectures.
"""

import pathlib
import re
import subprocess
import sys

import lint

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN = "<!-- kernels: written by make readme -->\n"
END = "<!-- end of kernels -->\n"
ARCH_NAMES = {"x86_64": "x86-64", "i386": "i386", "armv7": "32-bit ARM",
              "aarch64": "AArch64"}


def sizes(path, arch):
    """Bytes of .text and .rodata in an object."""
    output = subprocess.run([lint.CROSS[arch] + "size", "-A", str(path)],
                            check=True, capture_output=True, text=True).stdout
    found = {".text": 0, ".rodata": 0}
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)", output, re.M):
        for section in found:
            if name == section or name.startswith(section + "."):
                found[section] += int(size)
    return found[".text"], found[".rodata"]


def stack(row):
    """The banner's promise."""
    match = re.match(r"\d+", row.field("Stack") or "")
    return int(match[0]) if match else None


def print_sizes(tree, arch):
    print(f"{arch:20} {'text':>7} {'rodata':>7} {'stack':>7}")
    for row in tree.rows:
        if row.arch == arch:
            text, rodata = sizes(row.object, arch)
            print(f"{row.name:20} {text:7} {rodata:7} {stack(row):7}")
    for algorithm, where, variant, _, _ in tree.all_rows:
        path = ROOT / f"build/{arch}/c/{algorithm}_{variant}.o"
        if where == "any" and path.exists():
            text, rodata = sizes(path, arch)
            print(f"{algorithm + '_' + variant:20} {text:7} {rodata:7} {'-':>7}")


def table(tree):
    """The kernels as a Markdown table, in the order of kernels.def."""
    lines = ["| kernel | CPU | needs | code | constants | stack | least CPU tested |",
             "|---|---|---|--:|--:|--:|---|"]
    weakest = {(algorithm, arch, variant): model
               for algorithm, arch, variant, _, model in tree.all_rows}
    for row in tree.rows:
        text, rodata = sizes(row.object, row.arch)
        needs = ", ".join(sorted(row.needs)) or "-"
        model = weakest[row.algorithm, row.arch, row.variant]
        lines.append(f"| `{row.name}` | {ARCH_NAMES[row.arch]} | {needs} | {text} | "
                     f"{rodata} | {stack(row)} | {model} |")
    return "\n".join(lines) + "\n"


def main():
    tree = lint.Tree(ROOT, lint.ARCHES)
    if sys.argv[1] not in ("--readme", "--check"):
        for arch in sys.argv[1:]:
            print_sizes(tree, arch)
        return 0
    readme = ROOT / "README.md"
    before, rest = readme.read_text().split(BEGIN)
    after = rest.split(END)[1]
    text = before + BEGIN + table(tree) + END + after
    if sys.argv[1] == "--readme":
        readme.write_text(text)
    elif readme.read_text() != text:
        print("README.md: the table of kernels is old; run make readme")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
