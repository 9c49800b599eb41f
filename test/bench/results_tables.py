# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The tables of RESULTS.md, each from what a step of tables.py measured and what
others published (published.csv).
"""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TITLES = {"sha1": "SHA-1", "sha1dc": "SHA-1 with collision detection",
          "sha256": "SHA-256", "sha512": "SHA-512",
          "siphash24": "SipHash-2-4", "siphash13": "SipHash-1-3"}
ARCH_NAMES = {"x86_64": "x86-64", "i386": "i386", "armv7": "32-bit ARM",
              "aarch64": "AArch64"}


def published(table):
    """The rows of a table that others published."""
    with open(ROOT / "test/bench/published.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["table"] == table]


def arm_bytes():
    """The length of the message that 32-bit ARM hashes."""
    [size] = {int(row["where"]) for row in published("arm")}
    return size


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


# ---- The tables of the report ------------------------------------------------


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


STRATEGIES = {"c": "plain", "c_volatile": "volatile", "c_constraint": "constraint",
              "c_barrier": "barrier"}


def arm(found):
    """Table 2: 32-bit ARM."""
    seconds = {row["what"]: float(row["value"]) for row in published("arm")}
    plain = seconds["block-sha1 plain"]
    size = arm_bytes()
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
                             text(row["aligned"] / size, 1),
                             text(row["aligned"] / base), text(row["aligned"] / best)])
                sizes.append([f"{build} `{kernel}`", row["text"], row["data"],
                              row["bss"]])
        for variant, store in STRATEGIES.items():
            for compiler in compilers:
                row = c[f"sha1_{variant} {compiler}"]
                stores.append([f"{build} {store} store, {compiler}",
                               text(row["aligned"] / 1e9, 3),
                               text(row["unaligned"] / 1e9, 3),
                               text(row["aligned"] / size, 1),
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
