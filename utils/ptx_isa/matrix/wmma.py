# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""wmma.load, wmma.store and wmma.mma: PTX ISA 9.7.14.4.3 to 9.7.14.4.5."""

from itertools import product

from .targets import targets
from .variant import F16X2, SPACES, Fragment, Operand, Variant, fragment, scalar

LAYOUTS = ("row", "col")
WIDE_SHAPES = ("m16n16k16", "m8n32k16", "m32n8k16")

# One row for each paragraph of the syntax sections:
# (shapes, types of A and B, types of C and D, A's layouts, B's layouts)
MULTIPLICANDS = (
    (WIDE_SHAPES, ("f16",), ("f16", "f32"), LAYOUTS, LAYOUTS),
    (WIDE_SHAPES, ("s8", "u8"), ("s32",), LAYOUTS, LAYOUTS),
    (WIDE_SHAPES, ("bf16",), ("f32",), LAYOUTS, LAYOUTS),
    (("m16n16k8",), ("tf32",), ("f32",), LAYOUTS, LAYOUTS),
    (("m8n8k4",), ("f64",), ("f64",), LAYOUTS, LAYOUTS),
    (("m8n8k32",), ("s4", "u4"), ("s32",), ("row",), ("col",)),
    (("m8n8k128",), ("b1",), ("s32",), ("row",), ("col",)),
)
ROUNDINGS = ("", ".rn", ".rz", ".rm", ".rp")
BIT_OPERATIONS = (".xor", ".and")


def lowest(element, shape, operation=""):
    """The lowest targets of an element type of A and B, by the sections' notes."""
    if operation == ".and":
        return targets(("sm_80", 71))
    if element in ("s4", "u4", "b1"):
        return targets(("sm_75", 63))
    if element in ("s8", "u8"):
        return targets(("sm_72", 63))
    if element in ("bf16", "tf32", "f64"):
        return targets(("sm_80", 70))
    return targets(("sm_70", 60 if shape == "m16n16k16" else 61))


def sizes(shape):
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


def multiplicand(matrix, shape, element):
    """A's or B's fragment: 9.7.14.4.1. f16 is held twice in the warp."""
    m, n, k = sizes(shape)
    if element == "f16":
        return Fragment(F16X2, 8)
    return fragment(element, (m if matrix == "a" else n) * k)


def accumulator(shape, element):
    m, n, _ = sizes(shape)
    return fragment(element, m * n)


def memory_rows():
    """(matrix, shape, element, layouts, lowest targets), no row twice.

    An accumulator of one shape and type serves several types of A and B; then
    the lowest target of any of them holds.
    """
    rows = {}
    for shapes, inputs, outputs, a_layouts, b_layouts in MULTIPLICANDS:
        for shape, element in product(shapes, inputs):
            low = lowest(element, shape)
            rows["a", shape, element] = (a_layouts, low)
            rows["b", shape, element] = (b_layouts, low)
            for output in outputs:
                key = ("c", shape, output)
                known = rows.get(key, (LAYOUTS, low))[1]
                rows[key] = (LAYOUTS, min(known, low, key=lambda t: t[0].ptx))
    return [(*key, *value) for key, value in rows.items()]


def memory_variants():
    for matrix, shape, element, layouts, low in memory_rows():
        if matrix == "c":
            held = accumulator(shape, element)
        else:
            held = multiplicand(matrix, shape, element)
        for layout, space, stride in product(layouts, SPACES, (False, True)):
            tail = (scalar("stride"),) if stride else ()
            op = f"{layout}{'.stride' if stride else ''}.{element}"
            yield Variant(
                "wmma.load",
                "9.7.14.4.3",
                f"wmma.load.{matrix}.sync.aligned.{layout}.{shape}{space}.{element}",
                low,
                (Operand("d", held), scalar("p")) + tail,
                f"llvm.nvvm.wmma.{shape}.load.{matrix}.{op}",
                space=space,
            )
            if matrix == "c":
                yield Variant(
                    "wmma.store",
                    "9.7.14.4.4",
                    f"wmma.store.d.sync.aligned.{layout}.{shape}{space}.{element}",
                    low,
                    (scalar("p"), Operand("r", held)) + tail,
                    f"llvm.nvvm.wmma.{shape}.store.d.{op}",
                    space=space,
                )


def mma(shape, element, d, c, qualifiers, types, intrinsic, operation="", **more):
    """qualifiers: what stands between .aligned and the shape, and after it."""
    a_layout, b_layout, rounding, satfinite = qualifiers
    bits = f"{operation}.popc" if operation else ""
    return Variant(
        "wmma.mma",
        "9.7.14.4.5",
        f"wmma.mma{bits}.sync.aligned.{a_layout}.{b_layout}.{shape}"
        f"{rounding}.{types}{satfinite}",
        lowest(element, shape, operation),
        (
            Operand("d", accumulator(shape, d)),
            Operand("a", multiplicand("a", shape, element)),
            Operand("b", multiplicand("b", shape, element)),
            Operand("c", accumulator(shape, c)),
        ),
        f"llvm.nvvm.wmma.{shape}.mma{bits}.{a_layout}.{b_layout}"
        f"{rounding}.{intrinsic}{satfinite}",
        **more,
    )


def mma_variants():
    for shapes, inputs, outputs, a_layouts, b_layouts in MULTIPLICANDS:
        for shape, element, a_layout, b_layout in product(
            shapes, inputs, a_layouts, b_layouts
        ):
            layouts = (a_layout, b_layout)
            if element == "f16":
                # Of floating point .satfinite, PTX 6.4 was the last version.
                for d, c, sat in product(outputs, outputs, ("", ".satfinite")):
                    yield mma(
                        shape,
                        element,
                        d,
                        c,
                        (*layouts, "", sat),
                        f"{d}.{c}",
                        f"{d}.{c}",
                        last_ptx=64 if sat else None,
                    )
                continue
            (acc,) = outputs
            types = f"{acc}.{element}.{element}.{acc}"
            roundings = ROUNDINGS if element == "f64" else ("",)
            saturations = ("",)
            if acc == "s32" and element != "b1":
                saturations = ("", ".satfinite")
            operations = BIT_OPERATIONS if element == "b1" else ("",)
            for rounding, sat, operation in product(roundings, saturations, operations):
                yield mma(
                    shape,
                    element,
                    acc,
                    acc,
                    (*layouts, rounding, sat),
                    types,
                    element,
                    operation,
                )


VARIANTS = tuple(memory_variants()) + tuple(mma_variants())
