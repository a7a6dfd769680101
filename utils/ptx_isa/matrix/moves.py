# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""ldmatrix, stmatrix and movmatrix: PTX ISA 9.7.14.5.15 to 9.7.14.5.17."""

from itertools import product

from .targets import targets
from .variant import B32, SHARED_SPACES, Fragment, Operand, Variant, scalar

# The shapes of 8-bit elements: 9.7.14.5.15, target notes. They name PTX 8.6 for
# sm_120a, too, which only PTX 8.7 introduced.
NARROW = targets(
    ("sm_100a", 86),
    ("sm_101a", 86),
    ("sm_120a", 86),
    ("sm_100f", 88),
    ("sm_101f", 88),
    ("sm_120f", 88),
    ("sm_110a", 90),
    ("sm_110f", 90),
)
COUNTS = {"x1": 1, "x2": 2, "x4": 4}
PADDED = ("b8x16.b6x16_p32", "b8x16.b4x16_p64")

# (shape, numbers of matrices, .trans, types, registers for each matrix, targets)
LDMATRIX = (
    ("m8n8", ("x1", "x2", "x4"), ("", ".trans"), ("b16",), 1, targets(("sm_75", 65))),
    ("m16n16", ("x1", "x2"), (".trans",), ("b8",) + PADDED, 2, NARROW),
    ("m8n16", ("x1", "x2", "x4"), ("",), PADDED, 1, NARROW),
)
STMATRIX = (
    ("m8n8", ("x1", "x2", "x4"), ("", ".trans"), ("b16",), 1, targets(("sm_90", 78))),
    ("m16n8", ("x1", "x2", "x4"), (".trans",), ("b8",), 1, NARROW),
)


def moves(family, section, rows):
    for shape, numbers, transpositions, types, each, low in rows:
        for number, trans, element, space in product(
            numbers, transpositions, types, SHARED_SPACES
        ):
            registers = Fragment(B32, COUNTS[number] * each)
            address = (scalar("p"),)
            if family == "ldmatrix":
                operands = (Operand("d", registers),) + address
            else:
                operands = address + (Operand("r", registers),)
            prefix = f"{family}.sync.aligned.{shape}.{number}{trans}"
            yield Variant(
                family,
                section,
                f"{prefix}{space}.{element}",
                low,
                operands,
                f"llvm.nvvm.{prefix}.{element}",
                space=space,
            )


MOVMATRIX = Variant(
    "movmatrix",
    "9.7.14.5.17",
    "movmatrix.sync.aligned.m8n8.trans.b16",
    targets(("sm_75", 78)),
    (scalar("d"), scalar("a")),
    "llvm.nvvm.movmatrix.sync.aligned.m8n8.trans.b16",
)

VARIANTS = (
    *moves("ldmatrix", "9.7.14.5.15", LDMATRIX),
    *moves("stmatrix", "9.7.14.5.16", STMATRIX),
    MOVMATRIX,
)
