# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""mma with dense matrices: PTX ISA 9.7.14.5.14, without block scaling."""

from itertools import product

from .targets import KIND_F8_BEYOND, targets
from .variant import Operand, Variant, fragment

FP8 = ("e4m3", "e5m2")
F8F6F4 = FP8 + ("e3m2", "e2m3", "e2m1")
LAYOUTS = ("row", "col")
# Rounding modifiers of f64: in the section's text, though not in its syntax. .rn
# is the default.
ROUNDINGS = (".rz", ".rm", ".rp")


def sizes(shape):
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


def operands(shape, types, sparse=False, bits=None):
    """D, A, B and C. A sparse A holds half of its elements."""
    m, n, k = sizes(shape)
    d, a, b, c = types
    # m8n8k4 with f16 multiplies four pairs of matrices.
    times = 4 if (shape, a) == ("m8n8k4", "f16") else 1
    return (
        Operand("d", fragment(d, times * m * n)),
        Operand("a", fragment(a, times * m * k // (2 if sparse else 1), bits)),
        Operand("b", fragment(b, times * k * n, bits)),
        Operand("c", fragment(c, times * m * n)),
    )


def signature(types):
    """What LLVM names of the types: the fewest that tell the variants apart."""
    d, a, b, c = types
    if a in F8F6F4:
        return f"{d}.{a}.{b}.{c}"
    if a == "f16":
        return f"{d}.{c}"
    return a if a == b else f"{a}.{b}"


def mma(shape, types, low, layouts=("row", "col"), kind="", sat="", bits="", **more):
    d, a, b, c = types
    layout = ".".join(layouts)
    ptx_kind = f".kind::{kind}" if kind else ""
    ir_kind = f".kind.{kind}" if kind else ""
    values = dict(
        intrinsic=f"llvm.nvvm.mma{bits}.{shape}.{layout}{ir_kind}{sat}."
        f"{signature(types)}"
    )
    values.update(more)
    return Variant(
        "mma",
        "9.7.14.5.14",
        f"mma.sync.aligned.{shape}.{layout}{ptx_kind}{sat}.{d}.{a}.{b}.{c}{bits}",
        low,
        operands(shape, types),
        **values,
    )


def half():
    low = targets(("sm_70", 64))
    accumulators = (("f16", "f16"), ("f32", "f16"), ("f32", "f32"))
    for (d, c), *layouts in product(accumulators, LAYOUTS, LAYOUTS):
        yield mma("m8n8k4", (d, "f16", "f16", c), low, layouts)
    for acc in ("f16", "f32"):
        types = (acc, "f16", "f16", acc)
        yield mma("m16n8k8", types, targets(("sm_75", 65)))
        yield mma("m16n8k16", types, targets(("sm_80", 70)))


def alternate():
    low = targets(("sm_80", 70))
    for shape in ("m16n8k4", "m16n8k8"):
        yield mma(shape, ("f32", "tf32", "tf32", "f32"), low)
    for shape in ("m16n8k8", "m16n8k16"):
        yield mma(shape, ("f32", "bf16", "bf16", "f32"), low)
    for shape, acc, a, b in product(("m16n8k16", "m16n8k32"), ("f16", "f32"), FP8, FP8):
        first = (shape, acc) == ("m16n8k32", "f32")
        yield mma(shape, (acc, a, b, acc), targets(("sm_89", 84 if first else 87)))
    low = targets(("sm_120a", 87), ("sm_120f", 88))
    for acc, a, b in product(("f16", "f32"), F8F6F4, F8F6F4):
        beyond = KIND_F8_BEYOND if {a, b} <= set(FP8) else ()
        types = (acc, a, b, acc)
        yield mma("m16n8k32", types, low, kind="f8f6f4", beyond=beyond)


def double():
    types = ("f64",) * 4
    for shape in ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"):
        low = targets(("sm_80", 70) if shape == "m8n8k4" else ("sm_90", 78))
        yield mma(shape, types, low)
        for rounding in ROUNDINGS:
            # ptxas encodes each of them differently; LLVM has no intrinsic.
            yield mma(shape, types, low, sat=rounding)


def integer():
    rows = (
        (("s8", "u8"), "m8n8k16", ("m16n8k16", "m16n8k32")),
        (("s4", "u4"), "m8n8k32", ("m16n8k32", "m16n8k64")),
    )
    for elements, small, large in rows:
        for shape, a, b, sat in product(
            (small, *large), elements, elements, ("", ".satfinite")
        ):
            low = targets(("sm_75", 65) if shape == small else ("sm_80", 70))
            yield mma(shape, ("s32", a, b, "s32"), low, sat=sat)


def single_bit():
    types = ("s32", "b1", "b1", "s32")
    for shape, op in product(("m8n8k128", "m16n8k128", "m16n8k256"), ("xor", "and")):
        low = targets(("sm_80", 71))
        if op == "xor":
            low = targets(("sm_75" if shape == "m8n8k128" else "sm_80", 70))
        yield mma(shape, types, low, bits=f".{op}.popc")


VARIANTS = (*half(), *alternate(), *double(), *integer(), *single_bit())
