#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Asserts the house rules on sources, table and objects.

    lint.py [--only CHECK[,CHECK...]] [--arch ARCH[,ARCH...]] [ROOT]

Every function check_* below is one check; its first line says what it asserts.
It yields complaints, each "place: what is wrong", or raises Skip. The objects
must have been built (make asm-objects ARCH=...). Ends with the line "N passed, N
failed, N skipped"; the exit status is 1 if anything failed.

That strict rows load only bytes through the data pointer is not checked here but
by the prover (make prove), on every path.
"""

import argparse
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARCHES = ("x86_64", "i386", "armv7", "aarch64")
CROSS = {"x86_64": "x86_64-linux-gnu-", "i386": "i686-linux-gnu-",
         "armv7": "arm-linux-gnueabihf-", "aarch64": "aarch64-linux-gnu-"}
FIELDS = ("Needs", "Stack", "Method", "Bound", "Origin", "Registers")


class Skip(Exception):
    """A check that cannot be made here, and why."""


def run(*command, cwd=None):
    """Output of a command, errors included, and its exit status."""
    done = subprocess.run(command, cwd=cwd, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace")
    return done.stdout, done.returncode


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Skip(f"no {tool} here")


class Row:
    """One assembly row of the table."""

    def __init__(self, tree, algorithm, arch, variant, needs):
        self.tree, self.algorithm, self.arch = tree, algorithm, arch
        self.variant = variant
        self.needs = set(re.findall(r"[A-Z]\w*", needs))
        self.name = f"{algorithm}_{variant}"
        self.symbol = f"hk_{self.name}"
        suffix = "asm" if arch in ("x86_64", "i386") else "S"
        self.source = f"asm/{arch}/{self.name}.{suffix}"
        self.object = tree.root / f"build/{arch}/asm/{self.name}.o"

    def tool(self, name):
        """A binutils program for this architecture."""
        full = CROSS[self.arch] + name
        if not shutil.which(full):
            raise Skip(f"no {full} here")
        return full

    @functools.cached_property
    def text(self):
        return (self.tree.root / self.source).read_text()

    @functools.cached_property
    def banner(self):
        """The lines of the first comment, markers taken off."""
        if self.source.endswith(".asm"):
            block = re.match(r"(?:;.*\n)*", self.text)[0]
            return [line[1:].removeprefix(" ") for line in block.splitlines()]
        block = self.text.split("*/")[0]
        return [re.sub(r"^\s*/?\* ?", "", line) for line in block.splitlines()]

    def field(self, name):
        """A field of the banner, its lines joined; None if there is none."""
        lines = iter(self.banner)
        for line in lines:
            if re.match(rf"{name}\b", line):
                found = [line[len(name):].strip()]
                for more in lines:
                    if not more.startswith("  "):
                        break
                    found.append(more.strip())
                return " ".join(found)
        return None

    @functools.cached_property
    def instructions(self):
        """(address, mnemonic, operands) of the whole of .text."""
        if not self.object.exists():
            raise Skip(f"{self.object.name} of {self.arch} was not built")
        options = ["-M", "intel"] if self.source.endswith(".asm") else []
        output, _ = run(self.tool("objdump"), "-d", "-z", "-j", ".text",
                        "--no-show-raw-insn", *options, str(self.object))
        found = []
        for line in output.splitlines():
            if match := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)$", line):
                operands = re.sub(r"\s*(;|//|@).*$", "", match[3])
                found.append((int(match[1], 16), match[2], operands))
        return found


class Tree:
    """A source tree to be checked."""

    def __init__(self, root, arches):
        self.root = pathlib.Path(root)
        self.table = (self.root / "c/kernels.def").read_text()
        self.all_rows = re.findall(
            r"^KERNEL\((\w+),\s*(\w+),\s*(\w+),\s*([^,]+),\s*\"([^\"]*)\"\)",
            self.table, re.M)
        self.rows = [Row(self, algorithm, arch, variant, needs)
                     for algorithm, arch, variant, needs, _ in self.all_rows
                     if arch in arches]
        self.sources = [row for row in self.rows
                        if (self.root / row.source).exists()]

    @functools.cached_property
    def files(self):
        """Every text file of the project, as relative names."""
        listed, status = run("git", "ls-files", "-co", "--exclude-standard",
                             cwd=self.root)
        if status:
            found = [os.path.relpath(os.path.join(place, file), self.root)
                     for place, _, files in os.walk(self.root) for file in files]
            listed = "\n".join(f for f in found if not f.startswith("build/"))
        return [name for name in listed.splitlines()
                if (self.root / name).is_file() and
                not name.endswith((".bin", ".png")) and
                b"\0" not in (self.root / name).read_bytes()[:8192]]

    def read(self, name):
        return (self.root / name).read_bytes().decode("utf-8", "replace")


# ---- Text -----------------------------------------------------------------------

CODE = re.compile(r"(\.(c|h|cpp|asm|S|inc|sh|py|mk|def|rs|gp|ld|map)|Makefile|run)$")


def check_licence(tree):
    """Every source file says in its first lines whose it is and how it may be used."""
    for name in tree.files:
        # Lists that two assemblers and C include cannot have a comment.
        if not CODE.search(name) or name.endswith("_k.inc"):
            continue
        head = "\n".join(tree.read(name).splitlines()[:6])
        if ("SPDX-License-Identifier: MIT" not in head or
                "SPDX-FileCopyrightText: The hashkern authors" not in head):
            yield f"{name}: the two SPDX lines are missing"


def check_text(tree):
    """Plain ASCII, no tab, no blank at a line's end, newline at the file's end."""
    for name in tree.files:
        text = tree.read(name)
        tabs = re.search(r"(Makefile|\.mk|debian/rules|\.patch|\.gitmodules)$", name)
        for number, line in enumerate(text.split("\n"), 1):
            place = f"{name}:{number}"
            if "\t" in line and not tabs:
                yield f"{place}: a tab"
            if "\r" in line:
                yield f"{place}: a carriage return"
            elif line != line.rstrip() and not name.endswith(".patch"):
                yield f"{place}: a blank at the end"
            if not line.isascii():
                yield f"{place}: a character that is not ASCII"
        if text and not text.endswith("\n"):
            yield f"{name}: no newline at the end"


def check_kernel_layout(tree):
    """Kernel sources: 80 columns but for prototypes, labels are words."""
    for name in tree.files:
        if not re.match(r"asm/.*\.(asm|S|inc)$", name):
            continue
        for number, line in enumerate(tree.read(name).splitlines(), 1):
            place = f"{name}:{number}"
            prototype = re.match(r"[;*\s]+\w+ hk_\w+\(", line)
            if len(line) > 80 and not prototype:
                yield f"{place}: longer than 80 columns"
            if re.match(r"\s*\d+:", line):
                yield f"{place}: a label that is a number"


def check_align(tree):
    """No .align: it means bytes to one assembler and a power to another."""
    for name in tree.files:
        if re.match(r"(asm|test)/.*\.(S|inc|asm)$", name):
            for number, line in enumerate(tree.read(name).splitlines(), 1):
                if re.search(r"(^|\s)\.align\b", line):
                    yield f"{name}:{number}: .align; say .balign"


# ---- Table and banners ----------------------------------------------------------

def check_rows(tree):
    """Each row has its file and each file its row."""
    for row in tree.rows:
        if not (tree.root / row.source).exists():
            yield f"c/kernels.def: {row.name} ({row.arch}) has no {row.source}"
    known = {row.source for row in tree.rows}
    arches = {row.arch for row in tree.rows}
    for path in sorted(tree.root.glob("asm/*/*.[aS]*")):
        name = str(path.relative_to(tree.root))
        if name not in known and path.parent.name in arches:
            yield f"{name}: no row in c/kernels.def"
    for algorithm, arch, variant, _, _ in tree.all_rows:
        source = tree.root / f"c/{algorithm}_{re.sub('^c_.*', 'c', variant)}.c"
        if arch == "any" and not source.exists():
            yield f"c/kernels.def: {algorithm}_{variant} has no {source.name}"


def check_order(tree):
    """One reference per algorithm, the last; no row behind one that always runs."""
    for line in tree.table.splitlines():
        if line.startswith("KERNEL") and not re.match(
                r'KERNEL\(\w+, +\w+, +\w+, +[A-Z0-9|]+, +"[\w:.-]+"\)$', line):
            yield f"c/kernels.def: not a row: {line}"
    lists = {}
    for algorithm, arch, variant, needs, _ in tree.all_rows:
        lists.setdefault((algorithm, arch), []).append((variant, needs))
    for algorithm in {algorithm for algorithm, _ in lists}:
        if algorithm.endswith("x"):
            continue  # lanes: their reference is that of one message
        portable = [variant for variant, _ in lists.get((algorithm, "any"), [])]
        if portable.count("ref") != 1 or portable[-1] != "ref":
            yield (f"c/kernels.def: {algorithm} does not end with exactly one "
                   "reference")
    for (algorithm, arch), variants in lists.items():
        anywhere = ""
        for variant, needs in variants:
            if needs.strip() == "0":
                anywhere = anywhere or variant
            elif anywhere:
                yield (f"c/kernels.def: {algorithm}_{variant} ({arch}) can never be "
                       f"chosen, it comes after {anywhere}")
        seen = set()
        for variant, _ in variants:
            if variant in seen:
                yield f"c/kernels.def: {algorithm}_{variant} ({arch}) twice"
            seen.add(variant)


def check_banner(tree):
    """Banners: a summary with the symbol, all fields, needs as in the table."""
    names = set(re.findall(r"HK_CPU_(\w+)", tree.read("c/hashkern.h")))
    for row in tree.sources:
        if not any(line.startswith(f"{row.symbol} - ") for line in row.banner):
            yield f"{row.source}: no line \"{row.symbol} - summary\""
        for name in FIELDS:
            if row.field(name) is None:
                yield f"{row.source}: the banner has no {name}"
        needs = row.field("Needs") or ""
        said = {word for word in re.findall(r"\w+", needs) if word in names}
        if said != row.needs or not re.fullmatch(
                r"\w+(\|\w+)*" if row.needs else r"any .+", needs):
            yield (f"{row.source}: Needs says \"{needs}\", the table "
                   f"{'|'.join(sorted(row.needs)) or 0}")
        if not re.match(r"\d+ bytes?\b", row.field("Stack") or ""):
            yield f"{row.source}: Stack does not begin with a number of bytes"


def prototypes(tree):
    """The macros HK_X_KERNEL of the header: X -> prototype with a %s."""
    header = tree.read("c/hashkern.h").replace("\\\n", " ")
    return {match[1]: " ".join(match[2].split()) for match in re.finditer(
        r"^#define HK_(\w+)_KERNEL\(name\)\s+(.*)$", header, re.M)}


def check_prototype(tree):
    """The prototype in a banner is the header's."""
    known = prototypes(tree)
    for row in tree.sources:
        family = row.algorithm.upper()
        while family and family not in known:
            family = family[:-1]
        if not family:
            yield f"c/hashkern.h: no kernel prototype for {row.algorithm}"
            continue
        want = re.sub(r"\bname\b", row.symbol, known[family]) + ";"
        if row.algorithm.endswith("x"):
            want = re.sub(r"\*const (\w+)\[\]", r"*const \1[%s]"
                          % row.variant.rsplit("x")[-1], want)
        banner = " ".join(" ".join(row.banner).split())
        if want not in banner:
            yield f"{row.source}: the banner lacks \"{want}\""


ARCH_OF = {  # the .arch, and .fpu, that a 32-bit ARM row must set by its needs
    frozenset(): ("armv6-m",),
    frozenset({"A32"}): ("armv4", "armv4t", "armv5t", "armv5te"),
    frozenset({"V6"}): ("armv6",),
    frozenset({"T2"}): ("armv6t2", "armv7-a", "armv7-m", "armv7"),
    frozenset({"NEON"}): ("armv7-a",),
    frozenset({"SHA1"}): ("armv8-a",),
    frozenset({"SHA2"}): ("armv8-a",),
}


def check_arm_level(tree):
    """ARM sources set the .arch (and .fpu) of what they need, no more."""
    for row in tree.sources:
        levels = re.findall(r"^\s*\.arch\s+(\S+)", row.text, re.M)
        extension = re.search(r"^\s*\.(?:fpu|arch_extension)\s+(\S+)", row.text,
                              re.M)
        if row.arch == "armv7":
            top = [name for name in ("SHA2", "SHA1", "NEON", "T2", "V6", "A32")
                   if name in row.needs][:1]
            allowed = ARCH_OF[frozenset(top)]
            if not levels:
                yield f"{row.source}: no .arch"
            for level in levels:
                if level not in allowed:
                    yield f"{row.source}: .arch {level}, not {' or '.join(allowed)}"
            if extension and not row.needs & {"NEON", "SHA1", "SHA2"}:
                yield f"{row.source}: .fpu {extension[1]} without need"
        elif row.arch == "aarch64":
            crypto = {"SHA1", "SHA2", "SHA512"} & row.needs
            if any("+" in level for level in levels) and not crypto:
                yield f"{row.source}: .arch {levels[-1]} without need"


# ---- Objects --------------------------------------------------------------------

def built(tree):
    """Rows whose object is there; a Skip if an architecture has none."""
    for row in tree.sources:
        if not row.object.exists():
            raise Skip(f"{row.object.relative_to(tree.root)} was not built")
        yield row


def check_symbols(tree):
    """One global symbol per object, its name: a function with a size; none undefined."""
    for row in built(tree):
        output, _ = run(row.tool("readelf"), "-sW", str(row.object))
        symbols = [line.split() for line in output.splitlines()
                   if re.match(r"\s+\d+:", line)]
        shown = [s for s in symbols if s[4] in ("GLOBAL", "WEAK") and s[6] != "UND"]
        if [s[7] for s in shown] != [row.symbol]:
            yield f"{row.source}: global symbols {[s[7] for s in shown]}"
        for s in shown:
            if s[3] != "FUNC" or int(s[2], 0) == 0:
                yield f"{row.source}: {s[7]} is no function with a size"
        for s in symbols:
            if s[6] == "UND" and len(s) > 7:
                yield f"{row.source}: undefined symbol {s[7]}"


def sections(row):
    """(name, type, size, flags) of each section."""
    output, _ = run(row.tool("readelf"), "-SW", str(row.object))
    for match in re.finditer(r"^\s*\[ *\d+\] (\S+)\s+(\S+)\s+[0-9a-f]+ [0-9a-f]+ "
                             r"([0-9a-f]+) [0-9a-f]+\s+([A-Za-z]*)", output, re.M):
        yield match[1], match[2], int(match[3], 16), match[4]


def check_sections(tree):
    """Only .text, .rodata, unwind tables and notes; nothing writable, no merging."""
    for row in built(tree):
        names = set()
        for name, _, size, flags in sections(row):
            names.add(name)
            if "W" in flags and size:
                yield f"{row.source}: {name} is writable and not empty"
            if "A" in flags and size and name not in (
                    ".text", ".rodata", ".eh_frame", ".note.gnu.property",
                    ".data", ".bss"):
                yield f"{row.source}: an unexpected section {name}"
            if "M" in flags and "A" in flags:
                yield f"{row.source}: {name} has the merge flag"
            if name == ".note.GNU-stack" and "X" in flags:
                yield f"{row.source}: the stack is to be executable"
            if name == ".rodata" and "X" in flags or \
                    name == ".text" and "W" in flags:
                yield f"{row.source}: flags {flags} of {name}"
        if ".note.GNU-stack" not in names:
            yield f"{row.source}: no .note.GNU-stack"
        if not names & {".eh_frame", ".debug_frame"}:
            yield f"{row.source}: no unwind table"


PC_RELATIVE = {
    "x86_64": {"R_X86_64_PC32", "R_X86_64_PC64"},
    "i386": {"R_386_PC32"},
    "armv7": {"R_ARM_REL32", "R_ARM_PREL31", "R_ARM_V4BX",
              "R_ARM_ALU_PC_G0_NC", "R_ARM_ALU_PC_G1_NC", "R_ARM_ALU_PC_G2",
              "R_ARM_MOVW_PREL_NC", "R_ARM_MOVT_PREL",
              "R_ARM_THM_MOVW_PREL_NC", "R_ARM_THM_MOVT_PREL"},
    "aarch64": {"R_AARCH64_ADR_PREL_PG_HI21", "R_AARCH64_ADD_ABS_LO12_NC",
                "R_AARCH64_LDST128_ABS_LO12_NC", "R_AARCH64_LDST64_ABS_LO12_NC",
                "R_AARCH64_LDST32_ABS_LO12_NC", "R_AARCH64_PREL32",
                "R_AARCH64_PREL64"},
}


def check_relocations(tree):
    """What is loaded refers to other places by distance only."""
    for row in built(tree):
        output, _ = run(row.tool("readelf"), "-rW", str(row.object))
        section = ""
        for line in output.splitlines():
            if match := re.match(r"Relocation section '\.rela?(\S*)'", line):
                section = match[1]
            match = re.search(r"\b(R_[A-Z0-9_]+)\b", line)
            if match and not section.startswith(".debug") and \
                    match[1] not in PC_RELATIVE[row.arch]:
                yield f"{row.source}: {match[1]} in {section}"


def distances(row):
    """Addresses of words in .text that hold a distance, where they may.

    16-bit Thumb can form the address of its constants in no other way.
    """
    if row.arch != "armv7" or not row.variant.startswith("t1"):
        return set()
    output, _ = run(row.tool("readelf"), "-rW", str(row.object))
    text = output.split("'.rel.text'")[-1].split("\nRelocation")[0]
    return {int(place, 16)
            for place in re.findall(r"^([0-9a-f]+) .*R_ARM_REL32", text, re.M)}


ENTRY = {"x86_64": ("endbr64", ""), "i386": ("endbr32", ""),
         "aarch64": ("bti", "c")}


def check_entry(tree):
    """The first instruction is a landing pad, and the property note says so."""
    for row in built(tree):
        if row.arch not in ENTRY:
            continue
        _, mnemonic, operands = row.instructions[0]
        padded = (mnemonic, operands) == ENTRY[row.arch]
        bare = row.arch == "i386" and "NO_ENDBR" in row.text
        if bare and (padded or row.needs):
            yield f"{row.source}: NO_ENDBR is for kernels of CPUs before it"
        elif not bare and not padded:
            yield f"{row.source}: begins with {mnemonic}, not {ENTRY[row.arch][0]}"
        output, _ = run(row.tool("readelf"), "-nW", str(row.object))
        want = {"aarch64": "BTI, PAC"}.get(row.arch,
                                           "SHSTK" if bare else "IBT, SHSTK")
        said = re.search(r"feature: (.*)$", output, re.M)
        if not said or said[1].strip() != want:
            yield (f"{row.source}: the property note says "
                   f"{said[1] if said else 'nothing'}, not {want}")


def check_registers(tree):
    """x18 is never named; r9 not by the kernels for ARM firmware."""
    for row in built(tree):
        banned = None
        if row.arch == "aarch64":
            banned = r"\b[wx]18\b"
        elif row.arch == "armv7" and re.match(r"(t1|t2|v4)", row.variant):
            banned = r"\b(r9|sb)\b"
        if not banned:
            continue
        for address, mnemonic, operands in row.instructions:
            if re.search(banned, operands):
                yield f"{row.source}: {address:#x}: {mnemonic} {operands}"


BELOW_STACK = {
    "x86_64": r"\[rsp[^\]]*-", "i386": r"\[esp[^\]]*-",
    "armv7": r"\[sp, #-\d+\](?!!)", "aarch64": r"\[sp, #-\d+\](?!!)",
}


def check_stack(tree):
    """No access below the stack pointer, where a signal may write."""
    for row in built(tree):
        for address, mnemonic, operands in row.instructions:
            if re.search(BELOW_STACK[row.arch], operands) or re.match(
                    r"(st|ld)m(db|ea|fd)?\S* sp,", f"{mnemonic} {operands}") and \
                    "db" in mnemonic:
                yield f"{row.source}: {address:#x}: {mnemonic} {operands}"


CONDITIONS = ("", "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge",
              "lt", "gt", "le", "al", "hs", "lo")


def opcode_lists(tree):
    """What opcodes.txt says: (arch, feature) -> mnemonics; feature -> implied."""
    allowed, implied = {}, {}
    for line in tree.read("ci/opcodes.txt").splitlines():
        if match := re.match(r"(\w+) (\w+): (.*)$", line):
            arch, feature, words = match.groups()
            if arch == "implies":
                implied[feature] = words.split()
            else:
                allowed.setdefault((arch, feature), set()).update(words.split())
    return allowed, implied


def spellings(arch, mnemonics):
    """As objdump may write them."""
    if arch != "armv7":
        return mnemonics
    return {f"{m}{s}{c}{w}" for m in mnemonics for s in ("", "s")
            for c in CONDITIONS for w in ("", ".w", ".n")}


def features_of(row, implied):
    """What a row may use."""
    features, queue = {"0"}, list(row.needs)
    while queue:
        feature = queue.pop()
        if feature not in features:
            features.add(feature)
            queue += implied.get(feature, [])
    if row.arch == "aarch64":
        features -= {"NEON", "T2", "V6", "A32"}
    return features


def check_opcodes(tree):
    """Every instruction is one of those that the row's needs allow."""
    allowed, implied = opcode_lists(tree)
    for row in built(tree):
        features = features_of(row, implied)
        words = spellings(row.arch, set().union(
            *(allowed.get((row.arch, feature), set()) for feature in features)))
        data = distances(row)
        for address, mnemonic, operands in row.instructions:
            if address in data:
                continue
            plain = mnemonic
            if row.arch == "aarch64":
                plain = re.sub(r"^b\..*", "b.cond", plain)
            elif row.arch == "armv7":
                plain = re.sub(r"^(v\w+|sha\w+)\..*", r"\1", plain)
            wide = row.arch in ("x86_64", "i386") and "ymm" in operands and \
                "AVX2" not in features
            large = re.search(r"\b(zmm\d+|[xy]mm(1[6-9]|[23]\d)|k[0-7])\b", operands)
            large = large and "AVX512" not in features
            if plain not in words or wide or large:
                yield (f"{row.source}: {address:#x}: {mnemonic} {operands} is not "
                       f"for {'|'.join(sorted(row.needs)) or 'any ' + row.arch}")
                break


LEAVES = {"x86_64": r"(ret|jmp)$", "i386": r"(ret|jmp)$",
          "armv7": r"(bx|b|b\.n|b\.w|pop|ldm|ldmia|ldmfd|mov)$",
          "aarch64": r"(ret|b|br)$"}


def leaves(arch, mnemonic, operands):
    """Whether control never goes on to the next instruction."""
    if not re.match(LEAVES[arch], mnemonic):
        return False
    if arch == "armv7":
        return mnemonic.startswith("b") or "pc" in operands
    return True


def check_only_code(tree):
    """.text holds nothing but instructions that can be reached, and padding."""
    for row in built(tree):
        output, _ = run(row.tool("readelf"), "-sW", str(row.object))
        text = [n for n, s in enumerate(sections(row)) if s[0] == ".text"]
        data = distances(row)
        for line in output.splitlines():
            if re.search(r"\$d", line) and line.split()[6] in map(str, text) and \
                    int(line.split()[1], 16) not in data:
                yield f"{row.source}: data in .text (a mapping symbol $d)"
        code = [line for line in row.instructions if line[0] not in data]
        targets = {int(match[1], 16) for _, _, operands in code
                   for match in [re.match(r"(?:.*, )?(?:0x)?([0-9a-f]+) <",
                                          operands + " <")] if match}
        for (_, mnemonic, operands), (address, after, rest) in zip(code, code[1:]):
            if re.match(r"\(bad\)|\.(word|short|byte|inst|long)|udf|<", after):
                yield f"{row.source}: {address:#x}: {after} {rest} in .text"
                break
            if leaves(row.arch, mnemonic, operands) and address not in targets \
                    and after not in ("nop", "nop.w") and "[cs:" not in rest:
                yield f"{row.source}: {address:#x}: {after} {rest} is never reached"
                break


def check_links(tree):
    """Each object passes the linker's strictest gates, alone."""
    options = {
        "x86_64": ["-z", "text", "-z", "cet-report=error"],
        "i386": ["-z", "text", "-z", "cet-report=error"],
        "armv7": ["-z", "text"],
        "aarch64": ["-z", "text", "-z", "force-bti"],
    }
    with tempfile.TemporaryDirectory() as place:
        for row in built(tree):
            flags = options[row.arch]
            if row.arch == "i386" and "NO_ENDBR" in row.text:
                flags = flags[:2]  # no landing pad, and the note says so
            output, status = run(row.tool("ld"), "-shared", "--fatal-warnings",
                                 "--no-undefined", *flags, str(row.object),
                                 "-o", f"{place}/linked")
            if status:
                yield f"{row.source}: {output.strip()}"
                continue
            output, _ = run(row.tool("readelf"), "-lW", f"{place}/linked")
            for line in output.splitlines():
                if re.search(r"GNU_STACK.*\bRWE\b|LOAD.*\bRWE\b", line):
                    yield f"{row.source}: {line.strip()}"


def check_execute_only(tree):
    """Code does not read itself: .text may be mapped without the right to read."""
    for row in built(tree):
        output, _ = run(row.tool("readelf"), "-rW", str(row.object))
        moved = {int(word, 16) for word in re.findall(
            r"^([0-9a-f]+) .*PC32\b", output.split("'.rel.text'")[-1].split(
                "'.rela.text'")[-1].split("\nRelocation")[0], re.M)}
        code = row.instructions
        for (address, mnemonic, operands), (end, _, _) in zip(
                code, [*code[1:], (1 << 32, "", "")]):
            if row.arch == "aarch64":
                bad = mnemonic == "adr" or (mnemonic.startswith("ldr") and
                                            re.search(r", [0-9a-f]+ <", operands))
            elif row.arch == "armv7":
                bad = mnemonic.startswith("adr")
                if match := re.search(r"\[pc(?:, #(-?\d+))?\]", operands):
                    bad = (address & ~3) + 4 + int(match[1] or 0) \
                        not in distances(row)
            else:
                bad = "[rip" in operands and not any(
                    address < place < end for place in moved)
            if bad:
                yield f"{row.source}: {address:#x}: {mnemonic} {operands}"


# ---- Other tools ----------------------------------------------------------------

def check_clang_assembles(tree):
    """Clang's assembler takes every GNU source, too."""
    need("clang")
    target = {"armv7": "arm-linux-gnueabihf", "aarch64": "aarch64-linux-gnu"}
    with tempfile.TemporaryDirectory() as place:
        for row in tree.sources:
            if row.arch in target:
                output, status = run(
                    "clang", f"--target={target[row.arch]}", "-c", "-Werror",
                    f"-Iasm/{row.arch}", "-Iasm", row.source, "-o",
                    f"{place}/object", cwd=tree.root)
                if status:
                    yield f"{row.source}: {' '.join(output.split())[:300]}"


def check_format(tree):
    """C is as clang-format 14 leaves it."""
    need("clang-format")
    version, _ = run("clang-format", "--version")
    if not re.search(r"version 14\.", version):
        raise Skip(f"the style is that of version 14, not {version.strip()}")
    names = [name for name in tree.files if re.search(r"\.[ch]$", name)]
    output, _ = run("clang-format", "--dry-run", *names, cwd=tree.root)
    for place in sorted(set(re.findall(r"^(\S+:\d+):\d+: .*format", output, re.M))):
        yield f"{place}: clang-format -i changes it"


def check_shell(tree):
    """Shell scripts pass shellcheck."""
    need("shellcheck")
    names = [name for name in tree.files
             if name.endswith(".sh") or
             re.match(r"#!.*\bsh\b", tree.read(name).split("\n")[0])]
    output, status = run("shellcheck", "-f", "gcc", *names, cwd=tree.root)
    if status:
        yield from output.splitlines()


def check_headers(tree):
    """Public headers compile alone, as C99, C11 and C++."""
    need("gcc", "g++")
    for header in sorted((tree.root / "c").glob("hashkern*.h")):
        for compiler, standards in (("gcc", ("c99", "c11")),
                                    ("g++", ("c++98", "c++17"))):
            for standard in standards:
                language = "c" if compiler == "gcc" else "c++"
                extra = ["-Wno-long-long"] if standard == "c++98" else []
                output, status = run(
                    compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror",
                    "-Wpedantic", *extra, "-fsyntax-only", "-x", language,
                    str(header))
                if status:
                    yield f"c/{header.name} as {standard}: " + \
                        " ".join(output.split())[:300]


def check_generated(tree):
    """The README's table of kernels is what make readme writes."""
    list(built(tree))
    output, status = run(sys.executable, "ci/sizes.py", "--check", cwd=tree.root)
    if status:
        yield output.strip()


def check_results(tree):
    """The README's figures are those of RESULTS.md."""
    output, status = run(sys.executable, "test/bench/results.py", "--check",
                         cwd=tree.root)
    if status:
        yield output.strip()


def check_example(tree):
    """The README's example compiles without a warning and prints what it says."""
    need("gcc")
    library = tree.root / "build/x86_64/libhashkern.a"
    if os.uname().machine != "x86_64" or not library.exists():
        raise Skip("no library for this machine was built")
    example = re.search(r"```c\n(.*?)```\n", tree.read("README.md"), re.S)[1]
    with tempfile.TemporaryDirectory() as place:
        source = pathlib.Path(place, "example.c")
        source.write_text(example)
        output, status = run("gcc", "-Wall", "-Wextra", "-Werror", "-Ic",
                             str(source), str(library), "-o", f"{place}/example",
                             cwd=tree.root)
        if status:
            yield f"README.md: the example: {output.strip()}"
            return
        output, status = run(f"{place}/example")
        said = re.search(r"/\* (?:prints )?([0-9a-f]{40,}) \*/", example)
        if status or not said or output.strip() != said[1]:
            yield f"README.md: the example prints {output.strip()}"


# ---- Running --------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--arch", default=",".join(ARCHES))
    parser.add_argument("root", nargs="?",
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    tree = Tree(options.root, options.arch.split(","))
    checks = {name.removeprefix("check_"): function
              for name, function in globals().items() if name.startswith("check_")}
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, check in checks.items():
        if options.only and name not in options.only.split(","):
            continue
        try:
            complaints = list(check(tree))
        except Skip as reason:
            counts["skipped"] += 1
            print(f"SKIP {name}: {reason}")
            continue
        counts["failed" if complaints else "passed"] += 1
        if complaints:
            print(f"FAIL {name}: {check.__doc__.splitlines()[0]}")
            for complaint in complaints[:20]:
                print(f"  {complaint}")
            if len(complaints) > 20:
                print(f"  and {len(complaints) - 20} more")
    print("lint: " + ", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
