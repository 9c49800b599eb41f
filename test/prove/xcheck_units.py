# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""What xcheck.py runs: every distinct shape of instruction in the kernels.

An instruction that uses flags makes a unit with the one that makes them.
"""
from __future__ import annotations

import re
import tempfile
from typing import Iterator, Optional

import arm
from loader import Insn, Program, rows, split_operands
from x86 import REGISTERS as X86_REGISTERS
from xcheck_stub import Unit


# ---- shapes ------------------------------------------------------------------

_X86_VECTOR = re.compile(r"\b([xyz]mm)(\d+)\b")
_ARM_REGISTER = re.compile(
    r"\b(r\d+|sl|fp|sb|ip|[xw]\d+|[qdsvhb]\d+)(?=\b|\.)")


def shape(insn: Insn, arch: str) -> str:
    """The text with registers numbered by appearance, offsets left out."""
    seen: dict[str, str] = {}

    def name(kind: str, key: str) -> str:
        label = seen.setdefault(key, "%d" % len(seen))
        return "%s_%s" % (kind, label)

    text = insn.operands
    if arch in ("x86_64", "i386"):
        text = _X86_VECTOR.sub(lambda m: name(m.group(1), "v" + m.group(2)),
                               text)

        def general(m: re.Match) -> str:
            place = X86_REGISTERS.get(m.group(0))
            if place is None or m.group(0) in ("rsp", "esp", "cl"):
                return m.group(0)
            return name("r%d.%d" % (place[2], place[1]), "g%d" % place[0])
        text = re.sub(r"\b[a-z0-9]+\b", general, text)
        text = re.sub(r"[+-]0x[0-9a-f]+\]", "+N]", text)
    else:
        text = _ARM_REGISTER.sub(
            lambda m: name(re.sub(r"\d+", "", m.group(1))
                           if m.group(1)[0] in "xwqdsvhb" else "r",
                           m.group(1)), text)
        text = re.sub(r"(\[[^]]*)#-?(0x)?[0-9a-f]+", r"\1#N", text)
    text = re.sub(r"\b0x[0-9a-f]{3,}\b|\b[0-9a-f]{5,} <.*", "N", text)
    return insn.name + " " + text


# ---- units -------------------------------------------------------------------

_X86_SETS = {"add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test",
             "inc", "dec", "neg", "shl", "shr", "sar", "shld", "shrd", "andn"}
_X86_CARRY = (_X86_SETS - {"inc", "dec"}) | {"rol", "ror"}
_X86_USES_CARRY = re.compile(r"adc|sbb|(j|set|cmov)(b|ae|be|a)$")
_X86_USES = re.compile(r"(j(?!mp)|set|cmov)")


class Flow:
    """Which instructions make and use flags, which jump; one for each arch."""

    def uses(self, insn: Insn) -> Optional[str]:
        """What it needs: "carry", "flags" or None."""
        raise NotImplementedError

    def sets(self, insn: Insn, what: str) -> bool:
        """True if it makes that."""
        raise NotImplementedError

    def jump(self, insn: Insn) -> Optional[str]:
        """The text of a branch with "{end}" as its target, or None."""
        raise NotImplementedError

    def returns(self, insn: Insn) -> bool:
        """True if it goes to an address from memory or the link register."""
        raise NotImplementedError


class X86Flow(Flow):
    """x86."""

    def uses(self, insn: Insn) -> Optional[str]:
        if _X86_USES_CARRY.match(insn.name):
            return "carry"
        return "flags" if _X86_USES.match(insn.name) else None

    def sets(self, insn: Insn, what: str) -> bool:
        return insn.name in (_X86_CARRY if what == "carry" else _X86_SETS)

    def jump(self, insn: Insn) -> Optional[str]:
        if insn.name[0] == "j":
            return insn.name + " {end}"
        return None

    def returns(self, insn: Insn) -> bool:
        return insn.name == "ret"


class AArch64Flow(Flow):
    """AArch64."""

    def uses(self, insn: Insn) -> Optional[str]:
        return "flags" if re.match(r"b\.|cs|adc", insn.name) else None

    def sets(self, insn: Insn, what: str) -> bool:
        return insn.name in ("adds", "subs", "ands", "bics", "adcs", "cmp",
                             "cmn", "tst")

    def jump(self, insn: Insn) -> Optional[str]:
        if re.fullmatch(r"b|b\.\w\w", insn.name):
            return insn.name + " {end}"
        if re.fullmatch(r"[ct]bn?z", insn.name):
            ops = split_operands(insn.operands)
            return "%s %s, {end}" % (insn.name, ", ".join(ops[:-1]))
        return None

    def returns(self, insn: Insn) -> bool:
        return insn.name == "ret"


class ArmFlow(Flow):
    """A32 and T32."""

    @staticmethod
    def _parts(insn: Insn) -> tuple[str, bool, str]:
        name = re.sub(r"\.[nw]$", "", insn.name)
        if name[0] == "v" or name[:3] == "sha":
            return name, False, ""
        found = arm._conditional(name, arm._MAKERS.__contains__)
        return found or (name, False, "")

    def uses(self, insn: Insn) -> Optional[str]:
        base, _, code = self._parts(insn)
        if base in ("adc", "sbc", "rsc", "rrx") \
                or re.search(r"\brrx\b", insn.operands):
            return "carry"
        if code:
            return "carry" if code in ("cs", "cc", "hs", "lo", "hi", "ls") \
                else "flags"
        return None

    def sets(self, insn: Insn, what: str) -> bool:
        base, flags, code = self._parts(insn)
        if code:
            return False
        if base in ("cmp", "cmn") or (base in ("tst", "teq")
                                      and what == "flags"):
            return True
        if not flags:
            return False
        return what == "flags" or base in ("add", "sub", "rsb", "adc", "sbc",
                                           "lsl", "lsr", "asr", "ror")

    def jump(self, insn: Insn) -> Optional[str]:
        base = self._parts(insn)[0]
        if base == "bl":
            return "bl {end}"
        if base == "b":
            return insn.name.replace(".n", ".w") + " {end}" if insn.thumb \
                else insn.name + " {end}"
        if base in ("cbz", "cbnz"):
            return "%s %s, {end}" % (base, split_operands(insn.operands)[0])
        return None

    def returns(self, insn: Insn) -> bool:
        base = self._parts(insn)[0]
        return base == "bx" or "pc}" in insn.operands or (
            base == "mov" and insn.operands.startswith("pc"))


FLOWS: dict[str, Flow] = {"x86_64": X86Flow(), "i386": X86Flow(),
                          "aarch64": AArch64Flow(), "armv7": ArmFlow(),
                          "thumb": ArmFlow(), "avx512": X86Flow()}


def units_of(program: Program, kind: str) -> Iterator[Unit]:
    """The units of a kernel."""
    flow = FLOWS[kind]
    code = [section for section in program.sections if section.executable]
    insns = [insn for address, insn in sorted(program.insns.items())
             if any(section.address <= address < section.address
                    + len(section.content) for section in code)
             and insn.name[0] != "."]
    block: list[Insn] = []        # the IT instruction that is open
    left = 0
    for at, insn in enumerate(insns):
        if re.fullmatch(r"it[te]{0,3}", insn.name):
            block, left = [insn], len(insn.name) - 1
            continue
        chain = [insn]
        if left:
            block.append(insn)
            left -= 1
            if left:
                continue
            chain = list(block)
        needed = flow.uses(insn)
        before = insns.index(chain[0])
        while needed is not None:
            before -= 1
            while not flow.sets(insns[before], needed):
                before -= 1
            chain.insert(0, insns[before])
            needed = flow.uses(insns[before])
        unit = Unit(" ; ".join(shape(each, program.arch) for each in chain),
                    chain)
        for i, each in enumerate(chain):
            unit.texts[i] = flow.jump(each)
            unit.branch |= unit.texts[i] is not None
            unit.returns |= flow.returns(each)
            if each.name == "add" and each.operands.startswith("pc, pc, r"):
                # a jump by a table: with 0, over the marker to the end
                unit.branch, unit.zero = True, arm.REGISTERS[
                    split_operands(each.operands)[2]]
        yield unit


def collect(arch: str) -> dict[str, dict[str, Unit]]:
    """All units of an architecture by test program and shape."""
    found: dict[str, dict[str, Unit]] = {}
    for row in rows():
        if row.arch != arch:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            program = Program(arch, row.object, row.symbol, scratch)
        kind = "thumb" if arch == "armv7" and program.entry & 1 \
            else "avx512" if "AVX512" in row.needs.split("|") else arch
        for unit in units_of(program, kind):
            found.setdefault(kind, {}).setdefault(unit.key, unit)
    return found
