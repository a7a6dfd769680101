# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The combinations of qualifiers just outside the grammar.

A neighbour differs from a legal variant in one qualifier: another shape, layout,
type, state space, rounding, ... None must have an intrinsic, and ptxas must
refuse each, as far as it holds to the ISA's text.
"""

import re
from dataclasses import dataclass

from . import block_scale, mma, wmma
from .spellings import spellings
from .variant import B32, ELEMENTS, Fragment, Operand, scalar

SHAPES = (
    "m16n16k16",
    "m8n32k16",
    "m32n8k16",
    "m16n16k8",
    # The wide shapes with half of their k, as tf32 has half of that of m16n16k16
    # (PTX ISA 9.7.14.1, "Matrix Shape").
    "m8n32k8",
    "m32n8k8",
    "m8n8k4",
    "m8n8k16",
    "m8n8k32",
    "m8n8k128",
    "m16n8k4",
    "m16n8k8",
    "m16n8k16",
    "m16n8k32",
    "m16n8k64",
    "m16n8k128",
    "m16n8k256",
)
LAYOUTS = ("row", "col")
TYPES = tuple(ELEMENTS)
SATURATIONS = ("", ".satfinite")
ROUNDINGS = ("", ".rn", ".rz", ".rm", ".rp", ".rna")
OPERATIONS = ("", ".xor.popc", ".and.popc", ".or.popc")
SPACES = ("", ".global", ".shared", ".shared::cta", ".local", ".const")


@dataclass(frozen=True)
class Form:
    """A mnemonic with the places of its qualifiers, and what may stand there."""

    mnemonic: str
    axes: dict

    def parse(self, mnemonic):
        """The qualifiers of a mnemonic of this form, or None."""
        # Where a legal variant has what no other has in this place, too.
        parts = re.split(r"\{(\w+)\}", self.mnemonic)
        pattern = ""
        for i, part in enumerate(parts):
            if i % 2:
                values = sorted(self.axes[part], key=len, reverse=True)
                pattern += f"(?P<{part}>{'|'.join(map(re.escape, values))})"
            else:
                pattern += re.escape(part)
        match = re.fullmatch(pattern, mnemonic)
        return match.groupdict() if match else None

    def neighbours(self, axes):
        for name, values in self.axes.items():
            for value in values:
                if value != axes[name]:
                    yield {**axes, name: value}


LOAD = Form(
    "wmma.load.{matrix}.sync.aligned.{layout}.{shape}{space}.{type}",
    dict(
        matrix=("a", "b", "c", "d"),
        layout=LAYOUTS,
        shape=SHAPES,
        space=SPACES,
        type=TYPES,
    ),
)
STORE = Form(LOAD.mnemonic.replace("load", "store"), LOAD.axes)
WMMA = Form(
    "wmma.mma{operation}.sync.aligned.{a_layout}.{b_layout}.{shape}{rounding}"
    ".{d}{a}{b}.{c}{satfinite}",
    dict(
        operation=OPERATIONS,
        a_layout=LAYOUTS,
        b_layout=LAYOUTS,
        shape=SHAPES,
        rounding=ROUNDINGS,
        d=TYPES,
        a=("",) + tuple(f".{t}" for t in TYPES),
        b=("",) + tuple(f".{t}" for t in TYPES),
        c=TYPES,
        satfinite=SATURATIONS,
    ),
)
MMA = Form(
    "mma{sparsity}.sync.aligned.{shape}.{a_layout}.{b_layout}{kind}{block}{size}"
    "{modifier}.{d}.{a}.{b}.{c}{stype}{operation}",
    dict(
        sparsity=("", ".sp", ".sp::ordered_metadata"),
        shape=SHAPES,
        a_layout=LAYOUTS,
        b_layout=LAYOUTS,
        kind=("",)
        + tuple(f".kind::{k}" for k in ("f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4")),
        block=("", ".block_scale"),
        size=("",) + tuple(f".scale_vec::{n}X" for n in (1, 2, 4)),
        modifier=SATURATIONS + ROUNDINGS[1:],
        d=TYPES,
        a=TYPES,
        b=TYPES,
        c=TYPES,
        stype=("", ".ue8m0", ".ue4m3"),
        operation=OPERATIONS,
    ),
)
MOVE_AXES = dict(
    shape=("m8n8", "m16n16", "m8n16", "m16n8"),
    number=("x1", "x2", "x4", "x8"),
    trans=("", ".trans"),
    space=SPACES,
    type=("b8", "b16", "b32", "b8x16.b6x16_p32", "b8x16.b4x16_p64"),
)
LDMATRIX = Form(
    "ldmatrix.sync.aligned.{shape}.{number}{trans}{space}.{type}", MOVE_AXES
)
STMATRIX = Form(LDMATRIX.mnemonic.replace("ld", "st", 1), MOVE_AXES)
MOVMATRIX = Form(
    "movmatrix.sync.aligned.{shape}{trans}.{type}",
    {axis: MOVE_AXES[axis] for axis in ("shape", "trans", "type")},
)

# Family to its form.
FORMS = {
    "wmma.load": LOAD,
    "wmma.store": STORE,
    "wmma.mma": WMMA,
    "mma": MMA,
    "mma.sp": MMA,
    "mma.sp::ordered_metadata": MMA,
    "mma.block_scale": MMA,
    "mma.sp::ordered_metadata.block_scale": MMA,
    "ldmatrix": LDMATRIX,
    "stmatrix": STMATRIX,
    "movmatrix": MOVMATRIX,
}


def at_least_one(fragment):
    """Wrong combinations may leave a thread less than a register."""
    return Fragment(fragment.register, max(1, fragment.count))


def operands(family, axes):
    """The operands that the combination would have, were it legal."""
    if family in ("wmma.load", "wmma.store"):
        if axes["matrix"] in "cd":
            held = wmma.accumulator(axes["shape"], axes["type"])
        else:
            held = wmma.multiplicand(axes["matrix"], axes["shape"], axes["type"])
        out = (Operand("d", held), scalar("p"))
        if family == "wmma.store":
            out = (scalar("p"), Operand("r", held))
    elif family == "wmma.mma":
        a, b = (axes[matrix][1:] or "f16" for matrix in "ab")
        out = (
            Operand("d", wmma.accumulator(axes["shape"], axes["d"])),
            Operand("a", wmma.multiplicand("a", axes["shape"], a)),
            Operand("b", wmma.multiplicand("b", axes["shape"], b)),
            Operand("c", wmma.accumulator(axes["shape"], axes["c"])),
        )
    elif family.startswith("mma"):
        types = [axes[matrix] for matrix in "dabc"]
        # Elements of these two kinds are not in containers.
        bits = 4 if "mxf4" in axes["kind"] else None
        sparse = bool(axes["sparsity"])
        out = mma.operands(axes["shape"], types, sparse, bits)
        if sparse:
            out += (scalar("metadata"), scalar("selector"))
        if axes["block"]:
            out += block_scale.SCALES
    elif family == "movmatrix":
        return (scalar("d"), scalar("a"))
    else:
        count = int(axes["number"][1:]) * (2 if axes["shape"] == "m16n16" else 1)
        held = Operand("d" if family == "ldmatrix" else "r", Fragment(B32, count))
        out = (held, scalar("p")) if family == "ldmatrix" else (scalar("p"), held)
    return tuple(Operand(o.role, at_least_one(o.fragment)) for o in out)


def ir_name(family, axes):
    """The intrinsic that LLVM's naming rules would give the combination.

    None where the name says nothing of the qualifier that is wrong: LLVM's
    intrinsics cannot express that combination.
    """
    if family in ("wmma.load", "wmma.store"):
        operation = family.split(".")[1]
        return (
            f"llvm.nvvm.wmma.{axes['shape']}.{operation}.{axes['matrix']}."
            f"{axes['layout']}.{axes['type']}"
        )
    if family == "wmma.mma":
        a, b, c, d = (axes[matrix].lstrip(".") for matrix in "abcd")
        if bool(a) != bool(b):
            return None
        types = mma.signature((d, a or "f16", b or "f16", c))
        return (
            f"llvm.nvvm.wmma.{axes['shape']}.mma{axes['operation']}"
            f".{axes['a_layout']}.{axes['b_layout']}{axes['rounding']}.{types}"
            f"{axes['satfinite']}"
        )
    if not family.startswith("mma"):
        return f"llvm.nvvm.{FORMS[family].mnemonic.format(**{**axes, 'space': ''})}"
    sparsity = axes["sparsity"].replace("::", ".").replace("_", ".")
    layout = f"{axes['a_layout']}.{axes['b_layout']}"
    types = [axes[matrix] for matrix in "dabc"]
    size = axes["size"].replace("_vec::", ".").lower()
    if axes["block"]:
        kind = axes["kind"].replace("kind::", "")
        return (
            f"llvm.nvvm.mma{sparsity}.block.scale.{axes['shape']}.{layout}{kind}{size}"
            f"{axes['modifier']}.{'.'.join(types)}{axes['stype']}{axes['operation']}"
        )
    kind = axes["kind"].replace("::", ".")
    return (
        f"llvm.nvvm.mma{sparsity}{axes['operation']}.{axes['shape']}.{layout}{kind}"
        f"{size}{axes['modifier']}.{mma.signature(types)}{axes['stype']}"
    )


@dataclass(frozen=True)
class Neighbour:
    """A combination that the grammar does not have."""

    family: str
    mnemonic: str
    operands: tuple
    intrinsic: str


def neighbours(variants):
    """The neighbours of variants, none of which is legal in any PTX version.

    Several variants have the same neighbours; each is listed once.
    """
    legal = {variant.mnemonic for variant in variants}
    legal |= {spelling.mnemonic for spelling, _ in spellings(variants)}
    names = {variant.intrinsic for variant in variants}
    found = {}
    for variant in variants:
        form = FORMS[variant.family]
        for axes in form.neighbours(form.parse(variant.mnemonic)):
            mnemonic = form.mnemonic.format(**axes)
            if mnemonic in legal or mnemonic in found:
                continue
            name = ir_name(variant.family, axes)
            found[mnemonic] = Neighbour(
                variant.family,
                mnemonic,
                operands(variant.family, axes),
                # A type that the name does not contain changes nothing there.
                None if name in names else name,
            )
    return list(found.values())
