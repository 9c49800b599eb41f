#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Kernels broken on purpose are refused, and the message names the place.

The machine code of hk_sha1_base (x86-64) is changed in one place at a time.
"""
from __future__ import annotations

import os
import re
import tempfile
import unittest
from typing import Callable, Optional

import terms
from families import Mismatch
from linear import Undecided
from loader import Insn, Row, rows
from machine import Fault
from memory import Refuted
from mutants import sections_in_file
from prove import Prover

NEAR = 30       # instructions between the change and the place named


class Broken(unittest.TestCase):
    """Each test changes some instructions and reads the message."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.row: Row = next(row for row in rows() if row.arch == "x86_64"
                             and row.name == "sha1_base")
        self.prover = Prover(self.row, self.row.object, self.row.symbol,
                             self.row.stack(), self.folder.name)
        self.insns = [insn for _, insn
                      in sorted(self.prover.program.insns.items())]

    def find(self, pattern: str, count: int = 0) -> Insn:
        """The count-th instruction whose text has the pattern."""
        return [insn for insn in self.insns
                if re.fullmatch(pattern, str(insn))][count]

    def message(self, changes: dict[Insn, bytes], limit: Optional[int] = None
                ) -> str:
        """What the checker says after the changes."""
        with open(self.prover.program.linked, "rb") as file:
            data = bytearray(file.read())
        _, address, offset, _ = next(
            section for section in sections_in_file(
                self.prover.program.linked) if section[0] == ".text")
        for insn, code in changes.items():
            self.assertEqual(len(code), insn.size)
            at = insn.address - address + offset
            data[at:at + insn.size] = code
        path = os.path.join(self.folder.name, "broken")
        with open(path, "wb") as file:
            file.write(data)
        prover = Prover(self.row, path, self.row.symbol,
                        self.row.stack() if limit is None else limit,
                        self.folder.name, linked=True)
        try:
            prover.all()
        except (Refuted, Fault, Mismatch, terms.Unsupported, Undecided
                ) as problem:
            return str(problem)
        return "proved"

    def edit(self, insn: Insn, change: Callable[[bytearray], None],
             **options: int) -> str:
        """The message after changing some bytes of one instruction."""
        code = bytearray(insn.raw)
        change(code)
        return self.message({insn: bytes(code)}, **options)

    def assert_near(self, text: str, insn: Insn) -> None:
        """The message names an address close to the instruction."""
        match = re.search(r"nearest: ([0-9a-f]+)|^([0-9a-f]+)  ", text)
        self.assertIsNotNone(match, text)
        address = int(match.group(1) or match.group(2), 16)
        places = [each.address for each in self.insns]
        self.assertLessEqual(abs(places.index(address)
                                 - places.index(insn.address)), NEAR, text)

    def test_unchanged(self) -> None:
        """Without a change it is proved."""
        self.assertEqual(self.message({}), "proved")

    def test_swapped_rotate(self) -> None:
        """a <<< 6 instead of a <<< 5, in round 33."""
        insn = self.find(r"rol \w+,0x5", 33)
        text = self.edit(insn, lambda code: code.__setitem__(-1, 6))
        self.assertIn("never computed: block 0, round 33: a", text)
        self.assertIn(">>>27", text)
        self.assert_near(text, insn)

    def test_schedule_rotate(self) -> None:
        """W[40] <<< 2 instead of <<< 1: the 25th word made."""
        insn = self.find(r"rol \w+(,(0x)?1)?", 24)
        # "rol r, 1" has no immediate: D1 /0 becomes D1 /1, "ror r, 1"
        text = self.edit(insn, lambda code: code.__setitem__(
            -1, code[-1] | 8))
        self.assertIn("never computed: block 0, W[40]", text)
        self.assert_near(text, insn)

    def test_wrong_constant(self) -> None:
        """One bit of K in round 47."""
        insn = self.find(r"lea \w+,\[.*0x70e44324\]", 7)
        text = self.edit(insn, lambda code: code.__setitem__(
            -4, code[-4] ^ 0x10))
        self.assertIn("never computed: block 0, round 47: a", text)
        self.assertIn("instead of 0x8f1bbcdc", text)
        self.assert_near(text, insn)

    def test_missing_restore(self) -> None:
        """pop r13 where r14 should come back."""
        insn = self.find("pop r14")
        text = self.edit(insn, lambda code: code.__setitem__(-1, 0x5d))
        self.assertIn("does not restore r14", text)

    def test_unwind(self) -> None:
        """The frame is moved by 16 bytes more than the table says."""
        down = self.find(r"sub rsp,0x50")
        up = self.find(r"add rsp,0x50")
        text = self.message({down: down.raw[:-1] + b"\x60",
                             up: up.raw[:-1] + b"\x60"}, limit=144)
        self.assertIn("unwind", text)

    def test_more_stack(self) -> None:
        """16 bytes of stack more than the banner says."""
        down = self.find(r"sub rsp,0x50")
        text = self.edit(down, lambda code: code.__setitem__(-1, 0x60))
        self.assertIn("more than its banner says", text)
        self.assertIn("%x" % down.address, text)

    def test_red_zone(self) -> None:
        """A store below the stack pointer."""
        insn = self.find(r"mov DWORD PTR \[rsp\+0x8\],r\d+d")
        text = self.edit(insn, lambda code: code.__setitem__(-1, 0xf8))
        self.assertIn("below the stack pointer", text)
        self.assertIn("%x" % insn.address, text)

    def test_never_written(self) -> None:
        """A word of the frame that is read before there is one."""
        store = self.find(r"mov DWORD PTR \[rsp\+0x3c\],r\d+d")
        load = self.find(r"\w+ \w+,DWORD PTR \[rsp\+0x3c\]")
        text = self.edit(store, lambda code: code.__setitem__(-1, 0x38))
        self.assertIn("%x" % load.address, text)
        self.assertIn("which was never written", text)

    def test_past_the_end(self) -> None:
        """The last word of a block, read one byte too late."""
        insn = self.find(r"mov \w+,DWORD PTR \[rdi\+0x3c\]")
        text = self.edit(insn, lambda code: code.__setitem__(-1, 0x3d))
        self.assertIn("after the end of the data", text)
        self.assertIn("%x" % insn.address, text)

    def test_branch_on_data(self) -> None:
        """The loop ends when a is 0."""
        insn = self.find(r"cmp rdi,QWORD PTR .*")
        code = b"\x85\xc0" + b"\x90" * (insn.size - 2)
        text = self.message({insn: code})
        self.assertIn("condition depends on data", text)
        self.assert_near(text, insn)

    def test_address_from_data(self) -> None:
        """The ring is indexed by a."""
        insn = self.find(r"xor r\d+d,DWORD PTR \[rsp\+0x8\]")
        # the SIB byte: no index becomes rax
        text = self.edit(insn, lambda code: code.__setitem__(
            -2, code[-2] & ~0x38))
        self.assertIn("address depends on data", text)
        self.assertIn("%x" % insn.address, text)

    def test_signed_end(self) -> None:
        """Right up to 5 blocks here, wrong across the middle of memory."""
        insn = self.find(r"jne .*")
        # jne (0F 85) becomes jl (0F 8C)
        text = self.edit(insn, lambda code: code.__setitem__(1, 0x8c))
        self.assertIn("no induction", text)
        self.assertIn("the sign of", text)

    def test_narrow_count(self) -> None:
        """The length of the data in 32 bits: right below 2^26 blocks."""
        insn = self.find(r"shl rdx,0x6")
        text = self.message({insn: insn.raw[1:] + b"\x90"})
        self.assertIn("no induction", text)

    def test_off_by_one_count(self) -> None:
        """One block too many."""
        insn = self.find(r"jne .*")
        back = self.find(r"cmp rdi,QWORD PTR .*")
        # jne (0F 85) becomes jbe (0F 86): goes on while data <= end
        text = self.edit(insn, lambda code: code.__setitem__(1, 0x86))
        self.assertIn("after the end of the data", text)
        self.assertIsNotNone(back)


if __name__ == "__main__":
    unittest.main()
