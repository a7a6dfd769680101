# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""mma.sp and mma.sp::ordered_metadata: PTX ISA 9.7.14.6.3, no block scaling."""

from itertools import product

from .mma import F8F6F4, FP8, operands, signature
from .targets import KIND_F8_BEYOND, targets
from .variant import Variant, scalar

SPARSITIES = ("sp", "sp::ordered_metadata")


def selectors(shape, element):
    """The sparsity selectors: 9.7.14.6.1."""
    one_thread = {
        ("m16n8k16", "f16"),
        ("m16n8k16", "bf16"),
        ("m16n8k8", "tf32"),
    }
    two_threads = {
        ("m16n8k32", "f16"),
        ("m16n8k32", "bf16"),
        ("m16n8k16", "tf32"),
        ("m16n8k32", "s8"),
        ("m16n8k32", "u8"),
        ("m16n8k64", "s4"),
        ("m16n8k64", "u4"),
    }
    if (shape, element) in one_thread:
        return (0, 1, 2, 3)
    return (0, 1) if (shape, element) in two_threads else (0,)


def mma(sparsity, shape, types, low, kind="", sat="", beyond=()):
    d, a, b, c = types
    ptx_kind = f".kind::{kind}" if kind else ""
    ir_kind = f".kind.{kind}" if kind else ""
    ir_sparsity = sparsity.replace("::", ".").replace("_", ".")
    return Variant(
        f"mma.{sparsity}",
        "9.7.14.6.3",
        f"mma.{sparsity}.sync.aligned.{shape}.row.col{ptx_kind}{sat}.{d}.{a}.{b}.{c}",
        low,
        operands(shape, types, sparse=True) + (scalar("metadata"), scalar("selector")),
        f"llvm.nvvm.mma.{ir_sparsity}.{shape}.row.col{ir_kind}{sat}.{signature(types)}",
        selectors=selectors(shape, a),
        beyond=beyond,
    )


def rows():
    """(shapes, types, satfinite) of what both sparsities have."""
    for acc in ("f16", "f32"):
        yield ("m16n8k16", "m16n8k32"), (acc, "f16", "f16", acc), ("",)
    yield ("m16n8k16", "m16n8k32"), ("f32", "bf16", "bf16", "f32"), ("",)
    yield ("m16n8k8", "m16n8k16"), ("f32", "tf32", "tf32", "f32"), ("",)
    for a, b in product(FP8, FP8):
        yield ("m16n8k64",), ("f32", a, b, "f32"), ("",)
    for shapes, elements in (
        (("m16n8k32", "m16n8k64"), ("s8", "u8")),
        (("m16n8k64", "m16n8k128"), ("s4", "u4")),
    ):
        for a, b in product(elements, elements):
            yield shapes, ("s32", a, b, "s32"), ("", ".satfinite")


def variants():
    for sparsity, (shapes, types, saturations) in product(SPARSITIES, rows()):
        arch, ptx = ("sm_89", 84) if types[1] in FP8 else ("sm_80", 71)
        if sparsity != "sp":
            ptx = 85
        for shape, sat in product(shapes, saturations):
            yield mma(sparsity, shape, types, targets((arch, ptx)), sat=sat)
    low = targets(("sm_120a", 87), ("sm_120f", 88))
    for acc, a, b in product(("f16", "f32"), F8F6F4, F8F6F4):
        types = (acc, a, b, acc)
        beyond = KIND_F8_BEYOND if acc == "f32" and {a, b} <= set(FP8) else ()
        yield mma(
            "sp::ordered_metadata", "m16n8k64", types, low, kind="f8f6f4", beyond=beyond
        )


VARIANTS = tuple(variants())
