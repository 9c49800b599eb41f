# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""From the kernel table and an object file to instructions and constants.

The object is linked at a fixed address first, so relocations are the linker's
work. Instructions are taken from objdump's text.
"""
from __future__ import annotations

import os
import platform
import re
import struct
import subprocess
from typing import Optional

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TEXT = 0x40000000

PREFIX = {"x86_64": "x86_64-linux-gnu-", "i386": "i686-linux-gnu-",
          "armv7": "arm-linux-gnueabihf-", "aarch64": "aarch64-linux-gnu-"}
EXTENSION = {"x86_64": "asm", "i386": "asm", "armv7": "S", "aarch64": "S"}


class Row:
    """A row of c/kernels.def."""

    def __init__(self, algorithm: str, arch: str, variant: str, needs: str,
                 weakest: str) -> None:
        self.algorithm = algorithm
        self.arch = arch
        self.variant = variant
        self.needs = needs
        self.weakest = weakest
        self.name = algorithm + "_" + variant
        self.symbol = "hk_" + self.name

    @property
    def source(self) -> str:
        """The file of the kernel."""
        return os.path.join(ROOT, "asm", self.arch,
                            self.name + "." + EXTENSION[self.arch])

    @property
    def object(self) -> str:
        """The object file that make builds."""
        return os.path.join(ROOT, "build", self.arch, "asm",
                            self.name + ".o")

    def stack(self) -> Optional[int]:
        """The number of bytes after "Stack" in the banner."""
        with open(self.source, encoding="ascii") as file:
            match = re.search(r"^[;* ]+Stack +(\d+)", file.read(), re.M)
        return int(match.group(1)) if match else None


def rows() -> list[Row]:
    """The rows of assembly kernels, in the order of the table."""
    path = os.path.join(ROOT, "c", "kernels.def")
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    found = []
    for line in re.findall(r"KERNEL\(([^)]*)\)", text):
        fields = [field.strip() for field in line.split(",")]
        row = Row(*fields[:4], weakest=fields[4].strip('"'))
        if row.arch != "any":
            found.append(row)
    return found


def tool(arch: str, name: str) -> str:
    """The binutils program for an architecture."""
    return (name if platform.machine() == arch else PREFIX[arch] + name)


class Insn:
    """One instruction as objdump prints it."""

    __slots__ = ("address", "raw", "name", "operands", "comment", "thumb")

    def __init__(self, address: int, raw: bytes, name: str, operands: str,
                 comment: str, thumb: bool) -> None:
        self.address = address
        self.raw = raw
        self.name = name
        self.operands = operands
        self.comment = comment
        self.thumb = thumb

    @property
    def size(self) -> int:
        """Bytes of machine code."""
        return len(self.raw)

    def __str__(self) -> str:
        return (self.name + " " + self.operands).strip()


class Section:
    """An allocated section of the linked kernel."""

    def __init__(self, name: str, address: int, flags: int,
                 content: bytes) -> None:
        self.name = name
        self.address = address
        self.writable = bool(flags & 1)
        self.executable = bool(flags & 4)
        self.content = content


class Program:
    """A linked kernel: its entry, instructions and constants."""

    def __init__(self, arch: str, path: str, symbol: str, scratch: str,
                 linked: bool = False) -> None:
        self.arch = arch
        self.symbol = symbol
        self.linked = path
        if not linked:
            self.linked = os.path.join(scratch, "linked")
            subprocess.run([tool(arch, "ld"), "-Ttext=0x%x" % TEXT, "-e",
                            "0", "-o", self.linked, path], check=True)
        self.sections: list[Section] = []
        self.symbols: dict[str, int] = {}
        self._read_elf()
        if symbol not in self.symbols:
            raise KeyError("%s does not define %s" % (path, symbol))
        self.entry = self.symbols[symbol]
        self.insns = self._disassemble()

    def uses(self, *names: str) -> bool:
        """Whether it has an instruction of one of these names."""
        return any(insn.name in names for insn in self.insns.values())

    def _read_elf(self) -> None:
        with open(self.linked, "rb") as file:
            data = file.read()
        if data[4] == 2:
            (offset,) = struct.unpack_from("<Q", data, 0x28)
            size, count, names = struct.unpack_from("<HHH", data, 0x3a)
            header, symbol = "<IIQQQQIIQQ", "<IBBHQQ"
        else:
            (offset,) = struct.unpack_from("<I", data, 0x20)
            size, count, names = struct.unpack_from("<HHH", data, 0x2e)
            header, symbol = "<IIIIIIIIII", "<IIIBBH"
        headers = [struct.unpack_from(header, data, offset + size * i)
                   for i in range(count)]

        def text(table: int, at: int) -> str:
            at += headers[table][4]
            return data[at:data.index(0, at)].decode()

        for name, kind, flags, address, start, length, link, *_ in headers:
            if flags & 2 and kind != 8:
                self.sections.append(Section(
                    text(names, name), address, flags,
                    data[start:start + length]))
            elif flags & 2:
                self.sections.append(Section(text(names, name), address,
                                             flags, bytes(length)))
            if kind == 2:
                step = struct.calcsize(symbol)
                for at in range(start, start + length, step):
                    entry = struct.unpack_from(symbol, data, at)
                    value = entry[4] if data[4] == 2 else entry[1]
                    self.symbols.setdefault(text(link, entry[0]), value)

    def _disassemble(self) -> dict[int, Insn]:
        command = [tool(self.arch, "objdump"), "-d", "-w", "-z"]
        if self.arch in ("x86_64", "i386"):
            command += ["-M", "intel"]
        listing = subprocess.run(command + [self.linked], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
        thumb = bool(self.entry & 1)
        found = {}
        pattern = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f ]+)\t(\S+)\s*(.*)")
        for line in listing.splitlines():
            match = pattern.match(line)
            if not match:
                continue
            address = int(match.group(1), 16)
            groups = match.group(2).split()
            # ARM prints words and halfwords, x86 bytes
            raw = b"".join(bytes.fromhex(group)[::-1] for group in groups)
            rest = match.group(4)
            comment = ""
            for mark in ("#", ";", "//", "@"):
                # ARM immediates begin with #, so a comment has a blank too
                at = rest.find("\t" + mark)
                if at < 0 and mark in ("#", "//"):
                    at = rest.find(" " + mark + " ")
                if at >= 0:
                    rest, comment = rest[:at], rest[at:].strip(" \t#;/@")
                    break
            name = match.group(3)
            words = [name] + rest.split(None, 1)
            while words[0] in ("rep", "repz", "repnz", "lock", "data16",
                               "cs", "ds", "notrack", "bnd") \
                    and len(words) > 1:
                name = " ".join(words[:2])
                rest = words[2] if len(words) > 2 else ""
                break
            found[address] = Insn(address, raw, name, rest.strip(), comment,
                                  thumb)
        return found

    def writable_bytes(self) -> int:
        """Bytes of data that could be written: must be none."""
        return sum(len(section.content) for section in self.sections
                   if section.writable)


def split_operands(text: str) -> list[str]:
    """Splits at commas that are outside of brackets and braces."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    if text.strip():
        parts.append(text[start:].strip())
    return parts
