# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
"""Terms: the algebraic normal form of machine words, interned.

A value is a Python integer or a Term. A Term is an exclusive or

    T  =  XOR over j of  (P_j & mask_j)

where each P_j is a product (bitwise and) of atoms and the empty product is all
ones. An atom (node, offset) is an infinite periodic bit string:

    bit i of (node, offset)  =  bit (i + offset) mod width of the node

A node is an unknown: an input word, or a sum (see sums.py) that is not looked
into. Bit by bit this is the algebraic normal form (Zhegalkin polynomial) over
the bits of the nodes. That form is unique, so two values are the same function
of the nodes exactly if they are the same object here: equal terms are interned.

Values carry no width. A register of n bits holds a value whose bits from n up
are zero, and who writes one sees to that.
"""
from __future__ import annotations

from typing import Iterable, Optional, Union

from linear import Lin


class Unsupported(Exception):
    """The checker cannot follow this; the kernel counts as not proved."""


class Node:
    """An unknown word: an input symbol, or a sum if `parts` is not None.

    kind names what an input is ("message", "state", "saved", "junk", ...);
    a sum, and the carry of a sum, has kind "sum".
    """

    __slots__ = ("index", "name", "width", "kind", "parts", "const", "cut",
                 "term", "inputs", "carry_of", "carry")

    def __init__(self, name: str, width: int, kind: str) -> None:
        self.index = len(NODES)
        self.name = name
        self.width = width
        self.kind = kind
        self.parts: Optional[dict["Term", int]] = None
        self.const = 0
        self.cut = False
        self.inputs: Optional[frozenset[str]] = None
        self.carry_of: Optional[Node] = None
        self.carry: Optional[Node] = None
        NODES.append(self)
        self.term = _intern({product((self.index << 6,)): (1 << width) - 1})

    def __repr__(self) -> str:
        return self.name


class Term:
    """An interned exclusive or of masked products; see the module's text.

    monos   product number -> mask, no mask zero; product 0 is the empty one
    bits    the bits that may be set: the union of the masks
    node    n if the term is exactly the node n, else None
    """

    __slots__ = ("monos", "bits", "node", "serial")

    def __init__(self, monos: dict[int, int]) -> None:
        self.monos = monos
        self.serial = len(_TERMS)
        bits = 0
        for mask in monos.values():
            bits |= mask
        self.bits = bits
        self.node: Optional[Node] = None
        if len(monos) == 1:
            (number,) = monos
            atoms = PRODUCTS[number]
            if len(atoms) == 1 and not atoms[0] & 63:
                node = NODES[atoms[0] >> 6]
                if bits == (1 << node.width) - 1:
                    self.node = node

    def __repr__(self) -> str:
        return describe(self)


Value = Union[int, Term, Lin]

# Everything is interned for the life of one proof; reset() starts the next.
NODES: list[Node] = []
PRODUCTS: list[tuple[int, ...]] = []     # number -> sorted atoms
_PRODUCT_OF: dict[tuple[int, ...], int] = {}
_PRODUCT_SHIFT: dict[tuple[int, int], int] = {}
_PRODUCT_MUL: dict[tuple[int, int], int] = {}
_TERMS: dict[frozenset[tuple[int, int]], Term] = {}
_XOR: dict[tuple[Term, Value], Value] = {}
_AND: dict[tuple[Term, Value], Value] = {}
_OR: dict[tuple[Value, Value], Value] = {}
_SHR: dict[tuple[Term, int], Value] = {}
_SHL: dict[tuple[Term, int, int], Value] = {}
_ROR: dict[tuple[Term, int, int], Value] = {}
_INPUTS: dict[Term, frozenset[str]] = {}
_LIMIT = 20000                           # products in one term
_RESETS: list = []                       # tables of other modules
_RESULTS: list = []
PLUGIN = None                            # affine.Affine, where it is needed


def reset() -> None:
    """Forgets every node and term."""
    for table in (NODES, PRODUCTS, _PRODUCT_OF, _PRODUCT_SHIFT, _PRODUCT_MUL,
                  _TERMS, _XOR, _AND, _OR, _SHR, _SHL, _ROR, _INPUTS, *_RESETS):
        table.clear()
    product(())
    set_plugin(None)


def set_plugin(plugin) -> None:
    """Has and_, or_ and xor ask for another form of their result first."""
    global PLUGIN
    PLUGIN = plugin


def on_forget(table: dict) -> None:
    """Has forget_results() clear this table as well, and reset()."""
    _RESULTS.append(table)
    _RESETS.append(table)


def on_reset(table: Union[list, dict]) -> None:
    """Has reset() clear this table as well."""
    _RESETS.append(table)


def product(atoms: tuple[int, ...]) -> int:
    number = _PRODUCT_OF.get(atoms)
    if number is None:
        number = _PRODUCT_OF[atoms] = len(PRODUCTS)
        PRODUCTS.append(atoms)
    return number


def _product_mul(a: int, b: int) -> int:
    """Idempotence: x & x = x, so a product is the set of its atoms."""
    if not a or a == b:
        return b
    if not b:
        return a
    key = (a, b) if a < b else (b, a)
    number = _PRODUCT_MUL.get(key)
    if number is None:
        atoms = tuple(sorted(set(PRODUCTS[a]) | set(PRODUCTS[b])))
        number = _PRODUCT_MUL[key] = product(atoms)
    return number


def product_shift(number: int, k: int) -> int:
    """(node, offset) >> k = (node, offset + k); node widths divide 64."""
    if not number or not k & 63:
        return number
    key = (number, k & 63)
    shifted = _PRODUCT_SHIFT.get(key)
    if shifted is None:
        atoms = []
        for atom in PRODUCTS[number]:
            width = NODES[atom >> 6].width
            atoms.append((atom & ~63) | ((atom & 63) + k) % width)
        shifted = _PRODUCT_SHIFT[key] = product(tuple(sorted(atoms)))
    return shifted


def forget_results() -> None:
    """Has operations be done anew; the terms stay the same."""
    for table in (_XOR, _AND, _OR, _SHR, _SHL, _ROR, *_RESULTS):
        table.clear()


def _intern(monos: dict[int, int]) -> Term:
    key = frozenset(monos.items())
    term = _TERMS.get(key)
    if term is None:
        if len(monos) > _LIMIT:
            raise Unsupported("a term of more than %d products" % _LIMIT)
        term = Term(monos)
        _TERMS[key] = term
    return term


def value_of(monos: dict[int, int]) -> Value:
    if not monos:
        return 0
    if len(monos) == 1 and 0 in monos:
        return monos[0]
    return _intern(monos)


def symbol(name: str, width: int, kind: str) -> Term:
    """A fresh unknown of that many bits."""
    return Node(name, width, kind).term


def xor(a: Value, b: Value) -> Value:
    """(P & m) ^ (P & n) = P & (m ^ n), and a masked product of mask 0 is 0."""
    if type(a) is int:
        if type(b) is int:
            return a ^ b
        a, b = b, a
    if type(b) is int:
        if not b:
            return a
        other = {0: b}
    elif a is b:
        return 0
    else:
        if a.serial < b.serial:
            a, b = b, a
        other = b.monos
    key = (a, b)
    result = _XOR.get(key)
    if result is None:
        if type(b) is not int and len(a.monos) < len(other):
            monos, other = dict(other), a.monos
        else:
            monos = dict(a.monos)
        for number, mask in other.items():
            mask ^= monos.get(number, 0)
            if mask:
                monos[number] = mask
            else:
                del monos[number]
        result = value_of(monos)
        if PLUGIN is not None:
            result = PLUGIN.known_as(result)
        _XOR[key] = result
    return result


def and_(a: Value, b: Value) -> Value:
    """(P & m) & (Q & n) = (P Q) & (m & n), distributed over both sums."""
    if type(a) is int:
        if type(b) is int:
            return a & b
        a, b = b, a
    if type(b) is int:
        bits = a.bits
        if bits & b == bits:
            return a
        if not bits & b:
            return 0
        key = (a, b)
        result = _AND.get(key)
        if result is None:
            if type(a) is Lin:
                return a.masked(b)
            monos = {}
            for number, mask in a.monos.items():
                mask &= b
                if mask:
                    monos[number] = mask
            result = _AND[key] = value_of(monos)
        return result
    if a is b:
        return a
    if not a.bits & b.bits:
        return 0
    if a.serial < b.serial:
        a, b = b, a
    key = (a, b)
    result = _AND.get(key)
    if result is None:
        if PLUGIN is not None:
            result = PLUGIN.and_(a, b)
            if result is not None:
                _AND[key] = result
                return result
        if len(a.monos) * len(b.monos) > 50 * _LIMIT:
            raise Unsupported("a product of two large terms")
        monos = {}
        other = list(b.monos.items())
        for p, m in a.monos.items():
            for q, n in other:
                mask = m & n
                if mask:
                    number = _product_mul(p, q)
                    mask ^= monos.get(number, 0)
                    if mask:
                        monos[number] = mask
                    else:
                        del monos[number]
        result = _AND[key] = value_of(monos)
    return result


def or_(a: Value, b: Value) -> Value:
    """a | b = a ^ b ^ (a & b)."""
    if type(a) is int and type(b) is int:
        return a | b
    if type(a) is not int and type(b) is not int and a.serial < b.serial:
        a, b = b, a
    key = (a, b)
    result = _OR.get(key)
    if result is None:
        if PLUGIN is not None and type(a) is Term and type(b) is Term:
            result = PLUGIN.or_(a, b)
        if result is None:
            result = xor(xor(a, b), and_(a, b))
        _OR[key] = result
    return result


def not_(a: Value, width: int) -> Value:
    """~a = a ^ (2^width - 1)."""
    return xor(a, (1 << width) - 1)


def shr(a: Value, k: int) -> Value:
    """(P & m) >> k = (P >> k) & (m >> k), atom by atom."""
    if type(a) is int:
        return a >> k
    if not k:
        return a
    key = (a, k)
    result = _SHR.get(key)
    if result is None:
        monos = {}
        for number, mask in a.monos.items():
            mask >>= k
            if mask:
                monos[product_shift(number, k)] = mask
        result = _SHR[key] = value_of(monos)
    return result


def shl(a: Value, k: int, width: int) -> Value:
    """(P & m) << k = (P << k) & (m << k), kept to width bits."""
    full = (1 << width) - 1
    if type(a) is int:
        return a << k & full
    key = (a, k, width)
    result = _SHL.get(key)
    if result is None:
        if type(a) is Lin:
            return a.times(1 << k)
        monos = {}
        for number, mask in a.monos.items():
            mask = mask << k & full
            if mask:
                monos[product_shift(number, -k)] = mask
        result = _SHL[key] = value_of(monos)
    return result


def ror(a: Value, k: int, width: int) -> Value:
    """a >>> k = (a >> k) ^ (a << (width - k)): the two have no common bit."""
    k %= width
    if type(a) is int:
        return (a >> k | a << (width - k)) & ((1 << width) - 1)
    if not k:
        return a
    key = (a, k, width)
    result = _ROR.get(key)
    if result is None:
        result = _ROR[key] = xor(shr(a, k), shl(a, width - k, width))
    return result


def rol(a: Value, k: int, width: int) -> Value:
    """a <<< k = a >>> (width - k)."""
    return ror(a, (width - k) % width, width)


def trunc(a: Value, width: int) -> Value:
    """a mod 2^width."""
    return and_(a, (1 << width) - 1)


def field(a: Value, low: int, width: int) -> Value:
    """Bits low to low + width - 1 of a."""
    return and_(shr(a, low), (1 << width) - 1)


def concat(parts: Iterable[Value], width: int) -> Value:
    """parts[0] + parts[1] * 2^width + ...: disjoint bits, so + is ^."""
    result: Value = 0
    at = 0
    for part in parts:
        result = xor(result, shl(part, at, at + width))
        at += width
    return result


def bswap(a: Value, width: int) -> Value:
    """The bytes of a in reverse order."""
    if type(a) is int:
        return int.from_bytes(a.to_bytes(width // 8, "little"), "big")
    count = width // 8
    return concat([field(a, 8 * (count - 1 - i), 8) for i in range(count)], 8)


def reverse(a: Value, width: int) -> Value:
    """The bits of a in reverse order."""
    if type(a) is int:
        return int(format(a, "0%db" % width)[::-1], 2)
    return concat([field(a, width - 1 - i, 1) for i in range(width)], 1)


def inputs_of(a: Value) -> frozenset[str]:
    """The kinds of input symbols that the value is written with."""
    if type(a) is int:
        return frozenset()
    found = _INPUTS.get(a)
    if found is None:
        kinds: set[str] = set()
        for index in {atom >> 6 for number in a.monos
                      for atom in PRODUCTS[number]}:
            kinds |= _node_inputs(NODES[index])
        found = _INPUTS[a] = frozenset(kinds)
    return found


def _node_inputs(node: Node) -> frozenset[str]:
    if node.inputs is None:
        if node.carry_of is not None:
            node.inputs = _node_inputs(node.carry_of)
        elif node.parts is None:
            node.inputs = frozenset((node.kind,))
        else:
            kinds: set[str] = set()
            for part in node.parts:
                kinds |= inputs_of(part)
            node.inputs = frozenset(kinds)
    return node.inputs


def evaluate(a: Value, given: dict[Node, int]) -> int:
    """The value as an integer when the nodes have these values.

    Nodes that are sums are computed (and noted in `given`) from their parts.
    """
    if type(a) is int:
        return a
    result = 0
    for number, mask in a.monos.items():
        for atom in PRODUCTS[number]:
            node = NODES[atom >> 6]
            word = _node_value(node, given)
            word = ror(word, atom & 63, node.width)
            shift = node.width
            while shift < mask.bit_length():
                word |= word << shift
                shift *= 2
            mask &= word
        result ^= mask
    return result


def _node_value(node: Node, given: dict[Node, int]) -> int:
    if node in given:
        return given[node]
    source = node.carry_of or node
    if source.parts is None:
        raise Unsupported("no value given for " + node.name)
    total = source.const
    for part, factor in source.parts.items():
        total += factor * evaluate(part, given)
    if node.carry_of is not None:
        total >>= source.width
    given[node] = total & ((1 << node.width) - 1)
    return given[node]


def describe(a: Value, limit: int = 6) -> str:
    """A short text for messages; sums are shown by name only."""
    if type(a) is int:
        return "0x%x" % a
    texts = []
    for number, mask in sorted(a.monos.items()):
        factors = []
        for atom in PRODUCTS[number]:
            node = NODES[atom >> 6]
            factors.append(node.name + (">>>%d" % (atom & 63)
                                        if atom & 63 else ""))
        text = "&".join(factors)
        full = PRODUCTS[number] and mask == \
            (1 << NODES[PRODUCTS[number][0] >> 6].width) - 1
        if not full:
            text += ("&" if text else "") + "0x%x" % mask
        texts.append(text)
    if len(texts) > limit:
        texts[limit:] = ["... (%d products)" % len(texts)]
    return " ^ ".join(texts)


reset()
