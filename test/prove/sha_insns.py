# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""The SHA instructions of x86 and ARM, from the vendors' manuals.

Registers are tuples of four 32-bit lanes, or two 64-bit elements, lowest
first. `seen` hears the working variables inside of the instruction.
"""
from __future__ import annotations

from typing import Callable, Sequence

from spec import SHA1_K, Sha2, ch, maj, parity, sha256, sha512, sigma
from sums import add, add_all
from terms import Value, rol, xor

Lanes = tuple[Value, ...]
Seen = Callable[[Value], None]


# ---- x86: Intel 64 and IA-32 Architectures SDM, volume 2 ---------------------

def sha1rnds4(state: Lanes, words: Lanes, immediate: int, seen: Seen) -> Lanes:
    """Four rounds; lane 3 of words holds W + E for the first."""
    d, c, b, a = state
    e: Value = 0
    for i in range(4):
        if immediate & 3 == 0:
            f = ch(b, c, d, 32)
        elif immediate & 3 == 2:
            f = maj(b, c, d)
        else:
            f = parity(b, c, d)
        total = add_all((f, rol(a, 5, 32), words[3 - i], e,
                         SHA1_K[immediate & 3]), 32)
        seen(total)
        a, b, c, d, e = total, a, rol(b, 30, 32), c, d
    return (d, c, b, a)


def sha1nexte(old: Lanes, words: Lanes) -> Lanes:
    """words, with E of four rounds on added to its lane 3."""
    return words[:3] + (add(words[3], rol(old[3], 30, 32), 32),)


def sha1msg1(one: Lanes, two: Lanes) -> Lanes:
    """W[t] ^ W[t+2] for four words of SHA-1's schedule."""
    w3, w2, w1, w0 = one
    w5, w4 = two[2], two[3]
    return (xor(w5, w3), xor(w4, w2), xor(w3, w1), xor(w2, w0))


def sha1msg2(one: Lanes, two: Lanes) -> Lanes:
    """The last step of SHA-1's schedule for four words."""
    w16 = rol(xor(one[3], two[2]), 1, 32)
    w17 = rol(xor(one[2], two[1]), 1, 32)
    w18 = rol(xor(one[1], two[0]), 1, 32)
    w19 = rol(xor(one[0], w16), 1, 32)
    return (w19, w18, w17, w16)


def _sha2_round(v: Sequence[Value], wk: Value, engine: Sha2,
                seen: Seen) -> list[Value]:
    """One round of SHA-256 or SHA-512 with W + K given."""
    a, b, c, d, e, f, g, h = v
    width = engine.width
    t1 = add_all((h, sigma(e, width, *engine.big1), ch(e, f, g, width), wk),
                 width)
    t2 = add(sigma(a, width, *engine.big0), maj(a, b, c), width)
    after = [add(t1, t2, width), a, b, c, add(d, t1, width), e, f, g]
    seen(after[0])
    seen(after[4])
    return after


def sha256rnds2(cdgh: Lanes, abef: Lanes, wk: Lanes, seen: Seen) -> Lanes:
    """Two rounds of SHA-256 with W + K from the low lanes of wk."""
    h, g, d, c = cdgh
    f, e, b, a = abef
    v: list[Value] = [a, b, c, d, e, f, g, h]
    for i in range(2):
        v = _sha2_round(v, wk[i], sha256, seen)
    return (v[5], v[4], v[1], v[0])


def sha256msg1(one: Lanes, two: Lanes) -> Lanes:
    """W[t] + sigma0(W[t+1]) for four words."""
    words = one + two[:1]
    return tuple(add(words[i], sha256.small(words[i + 1], sha256.small0), 32)
                 for i in range(4))


def sha256msg2(one: Lanes, two: Lanes) -> Lanes:
    """Adds sigma1 of the words two before."""
    out = [two[2], two[3]]
    for i in range(4):
        out.append(add(one[i], sha256.small(out[i], sha256.small1), 32))
    return tuple(out[2:])


# ---- ARM: Arm Architecture Reference Manual, shared pseudocode ---------------

def arm_sha1_rounds(abcd: Lanes, e: Value, words: Lanes, kind: str,
                    seen: Seen) -> Lanes:
    """SHA1C, SHA1P, SHA1M: four rounds with W + K given."""
    a, b, c, d = abcd
    for i in range(4):
        f = {"c": lambda: ch(b, c, d, 32), "p": lambda: parity(b, c, d),
             "m": lambda: maj(b, c, d)}[kind]()
        total = add_all((e, rol(a, 5, 32), f, words[i]), 32)
        seen(total)
        a, b, c, d, e = total, a, rol(b, 30, 32), c, d
    return (a, b, c, d)


def arm_sha1su0(one: Lanes, two: Lanes, three: Lanes) -> Lanes:
    """one ^ (the middle of one:two) ^ three."""
    middle = one[2:] + two[:2]
    return tuple(xor(xor(x, y), z) for x, y, z in zip(middle, one, three))


def arm_sha1su1(one: Lanes, two: Lanes) -> Lanes:
    """The last step of SHA-1's schedule for four words."""
    mixed = [xor(x, y) for x, y in zip(one, two[1:] + (0,))]
    out = [rol(x, 1, 32) for x in mixed]
    out[3] = xor(out[3], rol(mixed[0], 2, 32))
    return tuple(out)


def arm_sha256h(abcd: Lanes, efgh: Lanes, wk: Lanes, upper: bool,
                seen: Seen) -> Lanes:
    """SHA256H (upper false: new a..d) and SHA256H2 (upper true: new e..h)."""
    v: list[Value] = [*abcd, *efgh]
    for i in range(4):
        v = _sha2_round(v, wk[i], sha256, seen)
    return tuple(v[4:] if upper else v[:4])


def arm_sha256su0(one: Lanes, two: Lanes) -> Lanes:
    """W[t] + sigma0(W[t+1]) for four words."""
    return sha256msg1(one, two)


def arm_sha256su1(one: Lanes, two: Lanes, three: Lanes) -> Lanes:
    """one + W[t-7] (from two:three) + sigma1 of the words two before."""
    seven = two[1:] + three[:1]
    out = [three[2], three[3]]
    for i in range(4):
        out.append(add_all((one[i], seven[i],
                            sha256.small(out[i], sha256.small1)), 32))
    return tuple(out[2:])


def arm_sha512h(sum_: Lanes, x: Lanes, y: Lanes) -> Lanes:
    """SHA512H on 64-bit elements: the two T1 with d added.

    sum_ = (W + K + g of the second round.., W + K + h), x = (f, g) rotated,
    y = (d, e) as the manual lays them out.
    """
    def t(x_: Value, y_: Value, z_: Value) -> Value:
        return add(sigma(x_, 64, *sha512.big1), ch(x_, y_, z_, 64), 64)
    high = add(t(y[1], x[0], x[1]), sum_[1], 64)
    tmp = add(high, y[0], 64)
    low = add(t(tmp, y[1], x[0]), sum_[0], 64)
    return (low, high)


def arm_sha512h2(sum_: Lanes, x: Lanes, y: Lanes) -> Lanes:
    """SHA512H2 on 64-bit elements: adds T2."""
    high = add_all((maj(y[0], y[1], x[0]), sigma(y[0], 64, *sha512.big0),
                    sum_[1]), 64)
    low = add_all((maj(high, y[0], y[1]), sigma(high, 64, *sha512.big0),
                   sum_[0]), 64)
    return (low, high)


def arm_sha512su0(one: Lanes, two: Lanes) -> Lanes:
    """W[t] + sigma0(W[t+1]) for two words."""
    return (add(one[0], sha512.small(one[1], sha512.small0), 64),
            add(one[1], sha512.small(two[0], sha512.small0), 64))


def arm_sha512su1(one: Lanes, two: Lanes, three: Lanes) -> Lanes:
    """one + sigma1(two) + three."""
    return tuple(add_all((a, sha512.small(b, sha512.small1), c), 64)
                 for a, b, c in zip(one, two, three))
