#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Tests the lint: breaks a copy of the tree in one way, and wants one complaint.

Each case edits files of a copy, builds the object concerned, and runs one check,
which must complain, with the words given, where it did not before. A check of
lint.py without a case here is a failure of this test.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import lint

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = "asm/x86_64/sha1_base.asm"
SSSE3 = "asm/x86_64/sha1_ssse3.asm"
A64 = "asm/aarch64/sha1_base.S"
CE = "asm/aarch64/sha1_ce.S"
T1 = "asm/armv7/sha1_t1.S"
V4 = "asm/armv7/sha1_v4.S"
I386 = "asm/i386/siphash24_sse2.asm"
I386_BASE = "asm/i386/siphash24_base.asm"
TABLE = "c/kernels.def"


def before(pattern, text):
    """Inserts text before the first place that matches."""
    return lambda old: re.sub(pattern, lambda match: text + match[0], old, count=1,
                              flags=re.M)


def after(pattern, text):
    """And after it."""
    return lambda old: re.sub(pattern, lambda match: match[0] + text, old, count=1,
                              flags=re.M)


def change(pattern, text):
    """Replaces the first place."""
    return lambda old: re.sub(pattern, lambda _: text, old, count=1, flags=re.M)


NASM_ENTRY = r"^KERNEL hk_\w+\n"
NASM_END = r"^ENDKERNEL"
GNU_ENTRY = r"^\s*kernel\s+hk_.*\n"
GNU_END = r"^\s*endkernel\b"


def nasm(*lines):
    return "".join(f"        {line}\n" for line in lines)


# check, file, edit, words of the complaint
CASES = [
    ("licence", BASE, change("SPDX-License-Identifier: MIT", "MIT"), "SPDX"),
    ("text", BASE, change("^        ", "\t"), "a tab"),
    ("text", "c/cpu.c", change(r";\n", "; \n"), "a blank at the end"),
    ("text", "c/cpu.c", change(r";\n", ";\r\n"), "a carriage return"),
    ("text", "c/cpu.c", change(r"/\*", "/* \u00e9"), "not ASCII"),
    ("text", "c/cpu.c", lambda old: old.rstrip("\n"), "no newline"),
    ("kernel_layout", BASE, after(NASM_ENTRY, nasm("; " + 80 * "x")), "80 columns"),
    ("kernel_layout", V4, after(GNU_ENTRY, "1:\n"), "a number"),
    ("align", V4, after(GNU_ENTRY, nasm(".align 4")), ".align"),
    ("rows", TABLE, change(r"^KERNEL\(sha1, +x86_64, +base,", "KERNEL(sha1, x86_64, basic,"),
     "sha1_base.asm: no row"),
    ("rows", TABLE, change(r"^KERNEL\(sha1, +x86_64, +base,", "KERNEL(sha1, x86_64, basic,"),
     "has no asm/x86_64/sha1_basic.asm"),
    ("rows", TABLE, after(r"^KERNEL\(sha1, +any, .*\n",
                          'KERNEL(sha1,      any,     d,   0,  "any")\n'),
     "has no sha1_d.c"),
    ("order", TABLE, after(r"^KERNEL\(sha1, +any, +ref.*\n",
                           'KERNEL(sha1,      any,     z,   0,  "any")\n'),
     "exactly one reference"),
    ("order", TABLE, after(r"^KERNEL\(sha1, +x86_64, +base.*\n",
                           'KERNEL(sha1,      x86_64,  late,  AVX,  "max")\n'),
     "can never be chosen"),
    ("order", TABLE, after(r"^KERNEL\(sha1, +x86_64, +base.*\n",
                           'KERNEL(sha1,      x86_64,  base,  0,  "qemu64")\n'),
     "twice"),
    ("order", TABLE, change(r'"qemu64"\)', "qemu64)"), "not a row"),
    ("banner", BASE, change("hk_sha1_base - ", "sha1_base - "), "summary"),
    *(("banner", BASE, change(rf"^; {name}\b", "; Other"), f"has no {name}")
      for name in lint.FIELDS),
    ("banner", SSSE3, change(r"^; Needs .*", "; Needs     AVX2"), "the table SSSE3"),
    ("banner", BASE, change(r"^; Needs .*", "; Needs     SSSE3"), "the table 0"),
    ("banner", SSSE3, change(r"^; Stack .*", "; Stack     some"), "number of bytes"),
    ("prototype", BASE, change(r"size_t nblocks\);", "size_t n);"), "the banner lacks"),
    ("prototype", "c/hashkern.h", change(r"uint32_t state\[5\], const uint8_t \*data",
                                         "uint32_t state[6], const uint8_t *data"),
     "the banner lacks"),
    ("arm_level", V4, change(r"\.arch\s+\S+", ".arch   armv7-a"), ".arch armv7-a"),
    ("arm_level", V4, change(r"^\s*\.arch\s+\S+", ""), "no .arch"),
    ("arm_level", V4, after(r"^\s*\.arch\s+\S+", "\n        .fpu    neon"),
     "without need"),
    ("arm_level", A64, before(r'^#include "abi.inc"', nasm(".arch armv8-a+crypto")),
     "without need"),
    ("symbols", BASE, before(r"^KERNEL", nasm(
        "section .rodata", "global second") + "second: dd 1\n"), "global symbols"),
    ("symbols", BASE, lambda old: "extern memcpy\n" + after(
        NASM_ENTRY, nasm("call memcpy"))(old), "undefined symbol memcpy"),
    ("symbols", V4, change(r"^\s*endkernel.*", "        .cfi_endproc"), "no function"),
    ("sections", BASE, before(r"^KERNEL", "section .data\n        dd 1\n"), "writable"),
    ("sections", BASE, before(r"^KERNEL", "section .text.hot progbits alloc exec\n"
                              "        nop\n"), "unexpected section"),
    ("sections", SSSE3, change(r"^CONSTANTS",
                               "section .rodata progbits alloc merge oword align=16\n"
                               "CONSTANTS"), "merge flag"),
    ("sections", V4, change(r"^\s*endkernel\s+(\S+)",
                            nasm(".cfi_endproc", ".size hk_sha1_v4, . - hk_sha1_v4")),
     "no .note.GNU-stack"),
    ("sections", "asm/x86_frame.inc", change(
        r"section \.note\.GNU-stack progbits noalloc noexec",
        "section .note.GNU-stack progbits noalloc exec"), "executable"),
    ("relocations", BASE, before(NASM_END, nasm("mov rax, hk_sha1_base")),
     "R_X86_64_64 in .text"),
    ("relocations", I386, after(NASM_ENTRY, nasm("mov eax, hk_siphash24_sse2")),
     "R_386_32 in .text"),
    ("relocations", V4, before(GNU_END, nasm(".word hk_sha1_v4")),
     "R_ARM_ABS32 in .text"),
    ("entry", "asm/x86_64/abi.inc", change(r"^\s+endbr64", "        nop"),
     "begins with nop"),
    ("entry", "asm/aarch64/abi.inc", change(r"^\s+hint\s+#34", "        nop"),
     "begins with nop"),
    ("entry", "asm/x86_frame.inc", change(r"0xc0000002, 4, 3", "0xc0000002, 4, 2"),
     "property note"),
    ("entry", I386, before(r"^%include", "%define NO_ENDBR\n"), "NO_ENDBR"),
    ("registers", A64, after(GNU_ENTRY, nasm("mov w18, w0")), "w18"),
    ("registers", V4, after(GNU_ENTRY, nasm("mov r9, r0")), "mov r9, r0"),
    ("stack", BASE, after(NASM_ENTRY, nasm("mov [rsp - 8], rax")), "[rsp-0x8]"),
    ("stack", I386, after(NASM_ENTRY, nasm("mov [esp + eax*2 - 8], eax")), "[esp+eax*2-0x8]"),
    ("stack", V4, after(GNU_ENTRY, nasm("str r0, [sp, #-4]")), "[sp, #-4]"),
    ("stack", V4, after(GNU_ENTRY, nasm("stmdb sp, {r4, r5}")), "stmdb sp"),
    ("stack", A64, after(GNU_ENTRY, nasm("stur x0, [sp, #-8]")), "[sp, #-8]"),
    ("opcodes", SSSE3, after(NASM_ENTRY, nasm("vpxor xmm0, xmm0, xmm0")), "vpxor"),
    ("opcodes", SSSE3, after(NASM_ENTRY, nasm("pextrd eax, xmm0, 1")), "pextrd"),
    ("opcodes", BASE, after(NASM_ENTRY, nasm("pshufb xmm0, xmm1")), "pshufb"),
    ("opcodes", BASE, after(NASM_ENTRY, nasm("rorx eax, ebx, 5")), "rorx"),
    ("opcodes", "asm/x86_64/sha1_avx2.asm", after(
        NASM_ENTRY, nasm("vpaddd xmm20, xmm1, xmm2")), "xmm20"),
    ("opcodes", I386_BASE, change(r"^%define NO_ENDBR", ""), "endbr32"),
    ("opcodes", I386_BASE, after(NASM_ENTRY, nasm("cmovne eax, ebx")), "cmovne"),
    ("opcodes", V4, lambda old: change(r"\.arch\s+\S+", ".arch   armv7-a")(
        after(GNU_ENTRY, nasm("rev r0, r0"))(old)), "rev r0, r0"),
    ("opcodes", A64, after(GNU_ENTRY, nasm(".arch armv8-a+crypto", "sha1h s0, s0")),
     "sha1h"),
    ("only_code", BASE, before(NASM_END, nasm("db 0x6, 0x6")), "(bad)"),
    ("only_code", SSSE3, before(NASM_END, nasm("dd 0x00010203, 0x04050607")),
     "never reached"),
    ("only_code", V4, before(GNU_END, nasm(".word 0x12345678")), "in .text"),
    ("only_code", CE, before(GNU_END, nasm(".word 0x12345678")), "in .text"),
    ("links", BASE, before(NASM_END, nasm("mov eax, hk_sha1_base")), "R_X86_64_32"),
    ("links", "asm/x86_frame.inc", change(r"0xc0000002, 4, 3", "0xc0000002, 4, 2"),
     "missing IBT"),
    ("links", "asm/aarch64/abi.inc", change(r"0xc0000000, 4, 3, 0",
                                            "0xc0000000, 4, 0, 0"), "BTI"),
    ("execute_only", CE, after(GNU_ENTRY, nasm("adr x3, hk_sha1_ce")), "adr x3"),
    ("execute_only", CE, after(GNU_ENTRY, nasm("ldr x3, hk_sha1_ce")), "ldr x3"),
    ("execute_only", V4, after(GNU_ENTRY, nasm("ldr r4, hk_sha1_v4")), "[pc"),
    ("execute_only", SSSE3, after(NASM_ENTRY, nasm("mov rax, [rel hk_sha1_ssse3]")),
     "[rip"),
    ("clang_assembles", V4, after(GNU_ENTRY, nasm("adrl r0, hk_sha1_v4")), "adrl"),
    ("format", "c/cpu.c", change(r"^    ", "   "), "clang-format"),
    ("shell", "ci/setup.sh", after(r"^set -eu\n", "echo $unknown_variable\n"),
     "unknown_variable"),
    ("headers", "c/hashkern.h", after(r"^#define HK_VERSION.*\n",
                                      "inline int hk_bad(void) { return 1 }\n"),
     "as c99"),
    ("headers", "c/hashkern.h", after(r"^#define HK_VERSION.*\n",
                                      "typedef int class;\n"), "as c++"),
    ("generated", "README.md", change(r"^\| `sha1_base` \| x86-64 \| - \| \d+",
                                      "| `sha1_base` | x86-64 | - | 7"), "make readme"),
    ("results", "README.md", change(r"^\| SHA-256 \| \d", "| SHA-256 | 0"),
     "not those of RESULTS.md"),
    ("example", "README.md", change(r'hk_sha1\("abc", 3', 'hk_sha1("abd", 3'),
     "the example prints"),
    ("example", "README.md", change(r'hk_sha1\("abc", 3', 'hk_sha0("abc", 3'),
     "the example"),
]


def copy_tree(place):
    """A copy with the objects, so that only what is edited is built again."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    for pattern in ("build/*/asm/*.o", "build/x86_64/libhashkern.a"):
        for path in ROOT.glob(pattern):
            copy = place / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
    subprocess.run(["git", "init", "-q"], cwd=place, check=True)


def row_of(name):
    """The architecture and row to look at when that file is broken."""
    path = pathlib.Path(name)
    if path.parts[0] != "asm":
        return None
    arch = path.parts[1] if len(path.parts) > 2 else "x86_64"
    return arch, "sha1_base" if path.suffix == ".inc" else path.stem


def rebuild(place, name):
    """Builds the object of a broken source; the message if that fails."""
    if not row_of(name):
        return ""
    arch, row = row_of(name)
    done = subprocess.run(
        ["make", "-s", f"ARCH={arch}", f"build/{arch}/asm/{row}.o"],
        cwd=place, check=False, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    return done.stdout if done.returncode else ""


def complaints(place, check, name):
    """What the check says, of the row concerned if there is one."""
    tree = lint.Tree(place, lint.ARCHES)
    if row_of(name):
        tree.sources = [row for row in tree.sources
                        if (row.arch, row.name) == row_of(name)]
    return list(getattr(lint, f"check_{check}")(tree))


def broken(place, check, name, edit, words):
    """Breaks and mends one file; what is wrong with the lint, or None."""
    path = place / name
    original = path.read_bytes()
    built = row_of(name) and place / "build/{}/asm/{}.o".format(*row_of(name))
    kept = built and built.read_bytes()
    old = complaints(place, check, name)
    text = edit(original.decode())
    if text.encode() == original:
        return "the edit changes nothing"
    path.write_bytes(text.encode())
    try:
        failure = rebuild(place, name)
        if failure:
            return f"the broken file does not build: {failure}"
        found = complaints(place, check, name)
        if not any(words in complaint for complaint in found
                   if complaint not in old):
            return f"no complaint with \"{words}\", but {found[:3]}"
        return None
    finally:
        path.write_bytes(original)
        if built:
            built.write_bytes(kept)


def main():
    passed = failed = skipped = 0
    tested = set()
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        copy_tree(place)
        for check, name, edit, words in CASES:
            try:
                wrong = broken(place, check, name, edit, words)
            except lint.Skip as reason:
                print(f"SKIP {check}: {reason}")
                skipped += 1
                tested.add(check)
                continue
            tested.add(check)
            if wrong:
                print(f"FAIL {check}, {name}, wanted \"{words}\": {wrong}")
                failed += 1
            else:
                passed += 1
    for check in (name.removeprefix("check_") for name in vars(lint)
                  if name.startswith("check_")):
        if check not in tested:
            print(f"FAIL {check}: nothing here shows that it can fail")
            failed += 1
    print(f"lint-test: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
