# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The assembly around the instructions that xcheck.py runs.

Each architecture has a context, the image of its registers, and two routines:
`enter` loads all registers and jumps to a unit; `leave`, where each unit ends,
stores them again and returns to C. A unit is one instruction, or a few where
one makes the flags that another uses.
"""
from __future__ import annotations

from typing import Sequence

from loader import Insn

SCRATCH = 0x30000000
SIZE = 65536
MIDDLE = SCRATCH + SIZE // 2


class Unit:
    """Instructions to run as they are in a kernel, or as text.

    texts    for each instruction, None (its own bytes) or a text in its place
    branch   there is a jump to the end ("{end}" in its text), past a marker
    returns  it takes an address from memory or the link register
    """

    def __init__(self, key: str, insns: Sequence[Insn]) -> None:
        self.key = key
        self.insns = list(insns)
        self.texts: list[str | None] = [None] * len(self.insns)
        self.branch = False
        self.returns = False
        self.zero: int | None = None      # a register that must be 0
        self.free = 0             # ARM: a register that the unit does not use
        self.start = 0            # addresses in the test program
        self.end = 0

    def __str__(self) -> str:
        return "; ".join(str(insn) for insn in self.insns)


class Stub:
    """What differs between architectures."""

    registers: int              # general registers in the context
    size: int                   # bytes in each
    flags: int                  # offset of the flags
    vectors: int                # offset of the vector registers
    vector_count: int
    vector_size: int
    marker: str                 # an instruction with an effect to see
    free: tuple[int, ...] = ()  # candidates for Unit.free

    @property
    def context(self) -> int:
        """Bytes of the context."""
        return self.vectors + self.vector_count * self.vector_size

    def raw(self, insn: Insn) -> str:
        """The directive for the bytes of an instruction."""
        return ".byte " + ",".join("0x%02x" % byte for byte in insn.raw)

    def prologue(self) -> list[str]:
        """Directives at the top, and the shared routines."""
        raise NotImplementedError

    def enter(self, unit: Unit) -> str:
        """The routine that enters the unit."""
        return "enter"

    def leave(self, unit: Unit) -> str:
        """The jump that ends the unit."""
        return "jmp leave"

    def code(self, unit: Unit) -> str:
        """The address to jump to."""
        return "unit_%s"

    def text(self, units: Sequence[Unit]) -> str:
        """The whole file."""
        word = ".quad" if self.size == 8 else ".long"
        lines = [".section .note.GNU-stack,\"\",%progbits", *self.prologue(),
                 ".p2align 6", ".space 65536, 0"]
        for i, unit in enumerate(units):
            lines += self.align(unit.insns[0])
            lines.append("unit_%d:" % i)
            for insn, text in zip(unit.insns, unit.texts):
                lines.append(self.raw(insn) if text is None
                             else text.format(end="unit_%d_end" % i))
            if unit.branch or unit.returns:
                lines.append(self.marker)
            lines += ["unit_%d_end:" % i, self.leave(unit)]
        lines += [".p2align 6", ".space 65536, 0",
                  ".section .rodata", ".p2align 3", ".globl xcheck_units",
                  "xcheck_units:"]
        for i, unit in enumerate(units):
            fill = self.thumb("unit_%d_end" % i) if unit.returns else "0"
            lines.append("%s %s, %s, %s" % (
                word, self.thumb(self.enter(unit)), self.thumb("unit_%d" % i),
                fill))
        lines += [".globl xcheck_context_size", "xcheck_context_size:",
                  ".long %d" % self.context,
                  ".bss", ".p2align 6", ".globl xcheck_context",
                  "xcheck_context:", ".space %d" % self.context,
                  "saved_sp: .space 8", "target: .space 8",
                  ".section .scratch,\"aw\",%nobits",
                  ".globl xcheck_scratch", "xcheck_scratch:",
                  ".space %d" % SIZE]
        return "\n".join(lines) + "\n"

    def align(self, insn: Insn) -> list[str]:
        """The same place within 64 bytes as in the kernel."""
        return self.skip(insn, ", 0x90")

    @staticmethod
    def skip(insn: Insn, fill: str) -> list[str]:
        """Filling up to that place."""
        count = insn.address % 64
        return [".p2align 6" + fill] \
            + ([".space %d%s" % (count, fill or ", 0")] if count else [])

    def thumb(self, label: str) -> str:
        """A code address in a table."""
        return label


class X86_64Stub(Stub):
    """x86-64; needs AVX for the upper halves."""

    vector, move = "ymm", "vmovdqu"
    registers, size, flags = 16, 8, 128
    vectors, vector_count, vector_size = 160, 16, 32
    marker = "lea rax, [rax + 1]"
    names = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
             "r9", "r10", "r11", "r12", "r13", "r14", "r15")
    saved = ("rbx", "rbp", "r12", "r13", "r14", "r15")
    argument = ("mov [target], rdi",)
    ip = "rip + "
    stack = "rsp"

    def prologue(self) -> list[str]:
        at = self.ip
        count = self.vector_count
        enter = ["push " + name for name in self.saved] + list(self.argument) \
            + ["mov [%ssaved_sp], %s" % (at, self.stack)] \
            + ["%s %s%d, [%sxcheck_context + %d]"
               % (self.move, self.vector, n, at,
                  self.vectors + self.vector_size * n)
               for n in range(count)] \
            + ["push %s PTR [%sxcheck_context + %d]"
               % ("QWORD" if self.size == 8 else "DWORD", at, self.flags),
               "popfq" if self.size == 8 else "popfd"] \
            + ["mov %s, [%sxcheck_context + %d]" % (name, at, self.size * n)
               for n, name in enumerate(self.names)] \
            + ["jmp [%starget]" % at]
        leave = ["mov [%sxcheck_context + %d], %s" % (at, self.size * n, name)
                 for n, name in enumerate(self.names)] \
            + ["mov %s, [%ssaved_sp]" % (self.stack, at),
               "pushfq" if self.size == 8 else "pushfd",
               "pop %s PTR [%sxcheck_context + %d]"
               % ("QWORD" if self.size == 8 else "DWORD", at, self.flags)] \
            + ["%s [%sxcheck_context + %d], %s%d"
               % (self.move, at, self.vectors + self.vector_size * n,
                  self.vector, n) for n in range(count)] \
            + ["vzeroupper"] \
            + ["pop " + name for name in reversed(self.saved)] + ["ret"]
        return [".intel_syntax noprefix", ".text", "enter:", *enter, "leave:",
                *leave]


class Avx512Stub(X86_64Stub):
    """x86-64 with AVX-512."""

    vector, move = "zmm", "vmovdqu32"
    vectors, vector_count, vector_size = 192, 32, 64


class I386Stub(X86_64Stub):
    """i386; needs AVX for the upper halves."""

    registers, size, flags = 8, 4, 32
    vectors, vector_count, vector_size = 64, 8, 32
    marker = "lea eax, [eax + 1]"
    names = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")
    saved = ("ebx", "ebp", "esi", "edi")
    argument = ("mov eax, [esp + 20]", "mov [target], eax")
    ip = ""
    stack = "esp"


class AArch64Stub(Stub):
    """AArch64; a unit gives up one register for the jumps around it."""

    registers, size, flags = 32, 8, 256
    vectors, vector_count, vector_size = 272, 32, 16
    marker = "add x0, x0, #1"
    free = (16, 17, 15, 14, 13, 12, 11, 10, 9)

    def raw(self, insn: Insn) -> str:
        return ".inst 0x%08x" % int.from_bytes(insn.raw, "little")

    def align(self, insn: Insn) -> list[str]:
        return self.skip(insn, "")

    def enter(self, unit: Unit) -> str:
        return "enter_%d" % unit.free

    def leave(self, unit: Unit) -> str:
        return "b leave_%d" % unit.free

    def prologue(self) -> list[str]:
        lines = [".arch armv8.4-a+sha2+sha3", ".text"]
        for f in self.free:
            other = 1 if f != 1 else 2
            lines += ["enter_%d:" % f, "stp x29, x30, [sp, #-160]!"]
            lines += ["stp x%d, x%d, [sp, #%d]" % (n, n + 1, 16 + 8 * (n - 19))
                      for n in range(19, 29, 2)]
            lines += ["stp d%d, d%d, [sp, #%d]" % (n, n + 1, 96 + 8 * (n - 8))
                      for n in range(8, 16, 2)]
            lines += ["mov x%d, sp" % other] + self._at(f, "saved_sp") + [
                "str x%d, [x%d]" % (other, f), "str x0, [x%d, #8]" % f]
            lines += self._at(f, "xcheck_context")
            lines += ["ldr x%d, [x%d, #256]" % (other, f),
                      "msr nzcv, x%d" % other,
                      "ldr x%d, [x%d, #248]" % (other, f),
                      "mov sp, x%d" % other]
            lines += ["ldr q%d, [x%d, #%d]" % (n, f, 272 + 16 * n)
                      for n in range(32)]
            lines += ["ldr x%d, [x%d, #%d]" % (n, f, 8 * n)
                      for n in range(31) if n not in (f, 18)]
            lines += self._at(f, "target") + ["ldr x%d, [x%d]" % (f, f),
                                              "br x%d" % f]
            lines += ["leave_%d:" % f] + self._at(f, "xcheck_context")
            lines += ["str x%d, [x%d, #%d]" % (n, f, 8 * n)
                      for n in range(31) if n not in (f, 18)]
            lines += ["mrs x%d, nzcv" % other,
                      "str x%d, [x%d, #256]" % (other, f),
                      "mov x%d, sp" % other,
                      "str x%d, [x%d, #248]" % (other, f)]
            lines += ["str q%d, [x%d, #%d]" % (n, f, 272 + 16 * n)
                      for n in range(32)]
            lines += self._at(f, "saved_sp") + [
                "ldr x%d, [x%d]" % (other, f), "mov sp, x%d" % other]
            lines += ["ldp d%d, d%d, [sp, #%d]" % (n, n + 1, 96 + 8 * (n - 8))
                      for n in range(8, 16, 2)]
            lines += ["ldp x%d, x%d, [sp, #%d]" % (n, n + 1, 16 + 8 * (n - 19))
                      for n in range(19, 29, 2)]
            lines += ["ldp x29, x30, [sp], #160", "ret"]
        return lines

    @staticmethod
    def _at(register: int, label: str) -> list[str]:
        return ["adrp x%d, %s" % (register, label),
                "add x%d, x%d, :lo12:%s" % (register, register, label)]


class ArmStub(Stub):
    """A32; T32 in the derived class."""

    registers, size, flags = 15, 4, 60
    vectors, vector_count, vector_size = 64, 32, 8
    marker = "add r0, r0, #1"
    free = tuple(range(12, 0, -1))
    mode = ".arm"

    def raw(self, insn: Insn) -> str:
        return ".inst 0x%08x" % int.from_bytes(insn.raw, "little")

    def align(self, insn: Insn) -> list[str]:
        return self.skip(insn, "")

    def enter(self, unit: Unit) -> str:
        return "enter_%d" % unit.free

    def leave(self, unit: Unit) -> str:
        return "b leave_%d" % unit.free

    def prologue(self) -> list[str]:
        lines = [".syntax unified", ".arch armv8-a",
                 ".fpu crypto-neon-fp-armv8", ".text", self.mode]
        for f in self.free:
            others = [n for n in range(15) if n not in (13, f)]
            low = [n for n in others if n < 13]
            o = 1 if f != 1 else 2
            lines += ["enter_%d:" % f, "push {r4-r11, lr}", "vpush {d8-d15}",
                      "mov r3, r0", "mov r2, sp"]
            lines += self._at(f, "saved_sp") + [
                "str r2, [r%d]" % f, "str r3, [r%d, #8]" % f]
            lines += self._at(f, "xcheck_context + 64")
            lines += ["vldmia r%d!, {d0-d15}" % f, "vldmia r%d, {d16-d31}" % f]
            lines += self._at(f, "xcheck_context")
            lines += ["ldr r%d, [r%d, #60]" % (o, f),
                      "msr apsr_nzcvq, r%d" % o,
                      "ldr r%d, [r%d, #52]" % (o, f), "mov sp, r%d" % o,
                      "ldr lr, [r%d, #56]" % f]
            lines += ["ldr r%d, [r%d, #%d]" % (n, f, 4 * n) for n in low]
            lines += self._at(f, "target") + ["ldr r%d, [r%d]" % (f, f),
                                              "bx r%d" % f]
            lines += ["leave_%d:" % f] + self._at(f, "xcheck_context")
            lines += ["str r%d, [r%d, #%d]" % (n, f, 4 * n) for n in low]
            lines += ["str lr, [r%d, #56]" % f,
                      "mrs r%d, apsr" % o, "str r%d, [r%d, #60]" % (o, f),
                      "mov r%d, sp" % o, "str r%d, [r%d, #52]" % (o, f)]
            lines += ["add.w r%d, r%d, #64" % (f, f) if self.mode == ".thumb"
                      else "add r%d, r%d, #64" % (f, f),
                      "vstmia r%d!, {d0-d15}" % f, "vstmia r%d, {d16-d31}" % f]
            lines += self._at(f, "saved_sp") + [
                "ldr r%d, [r%d]" % (o, f), "mov sp, r%d" % o,
                "vpop {d8-d15}", "pop {r4-r11, pc}"]
        return lines

    @staticmethod
    def _at(register: int, label: str) -> list[str]:
        return ["movw r%d, #:lower16:(%s)" % (register, label),
                "movt r%d, #:upper16:(%s)" % (register, label)]


class ThumbStub(ArmStub):
    """T32."""

    mode = ".thumb"
    marker = "add.w r0, r0, #1"

    def raw(self, insn: Insn) -> str:
        if len(insn.raw) == 2:
            return ".inst.n 0x%04x" % int.from_bytes(insn.raw, "little")
        high, low = (int.from_bytes(insn.raw[i:i + 2], "little")
                     for i in (0, 2))
        return ".inst.w 0x%04x%04x" % (high, low)

    def leave(self, unit: Unit) -> str:
        return "b.w leave_%d" % unit.free

    def thumb(self, label: str) -> str:
        return label + " + 1"


STUBS: dict[str, Stub] = {"x86_64": X86_64Stub(), "i386": I386Stub(),
                          "aarch64": AArch64Stub(), "armv7": ArmStub(),
                          "thumb": ThumbStub(), "avx512": Avx512Stub()}
