#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Packs NIST's CAVP response files for SHA-1 and SHA-2 into *.cavp.

    from_cavp.py DIRECTORY

The directory is that of Debian's package python3-cryptography-vectors, which
has SHA1/ and SHA2/ with the files *ShortMsg.rsp, *LongMsg.rsp and *Monte.rsp
(byte-oriented, CAVS 11). A packed file holds the same as binary:

    u32 count, then count times: u32 length, the message, its digest
    the seed of the Monte Carlo test and its 100 checkpoints

Numbers are little-endian. Run only when the vectors change; the results are in
the tree.
"""

import pathlib
import re
import struct
import sys

ALGORITHMS = {
    "sha1": ("SHA1/SHA1", 20), "sha224": ("SHA2/SHA224", 28),
    "sha256": ("SHA2/SHA256", 32), "sha384": ("SHA2/SHA384", 48),
    "sha512": ("SHA2/SHA512", 64), "sha512_224": ("SHA2/SHA512_224", 28),
    "sha512_256": ("SHA2/SHA512_256", 32),
}


def messages(text: str) -> list[tuple[bytes, bytes]]:
    """The (message, digest) pairs of a short or long response file."""
    found = re.findall(r"Len = (\d+)\s+Msg = (\w+)\s+MD = (\w+)", text)
    return [(bytes.fromhex(msg)[:int(bits) // 8], bytes.fromhex(digest))
            for bits, msg, digest in found]


def monte(text: str) -> list[bytes]:
    """The seed and the checkpoints of a Monte Carlo response file."""
    return [bytes.fromhex(value)
            for value in re.findall(r"(?:Seed|MD) = (\w+)", text)]


def main() -> None:
    """Packs every algorithm."""
    source = pathlib.Path(sys.argv[1])
    target = pathlib.Path(__file__).parent
    for name, (stem, size) in ALGORITHMS.items():
        pairs = [pair for kind in ("ShortMsg", "LongMsg")
                 for pair in messages((source / f"{stem}{kind}.rsp").read_text())]
        chain = monte((source / f"{stem}Monte.rsp").read_text())
        assert len(chain) == 101 and all(len(md) == size for md in chain)
        packed = struct.pack("<I", len(pairs))
        for message, digest in pairs:
            assert len(digest) == size
            packed += struct.pack("<I", len(message)) + message + digest
        (target / f"{name}.cavp").write_bytes(packed + b"".join(chain))


if __name__ == "__main__":
    main()
