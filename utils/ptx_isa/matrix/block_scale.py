# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""mma with block scaling, dense and sparse: PTX ISA 9.7.14.5.14, 9.7.14.6.3.

Which kinds, scale types and scale vector sizes go together is table 36 of
9.7.14.3. (mxf4nvf4 with ue8m0 and 4X came with PTX 9.1, which is after LLVM 22.)
"""

from itertools import product

from .mma import F8F6F4, operands
from .targets import targets
from .variant import U16, Variant, scalar

# (kind, element types, bits of an element, scale vector sizes, scale type)
COMBINATIONS = (
    ("mxf8f6f4", F8F6F4, 8, ("", "1X"), "ue8m0"),
    ("mxf4", ("e2m1",), 4, ("", "2X"), "ue8m0"),
    ("mxf4nvf4", ("e2m1",), 4, ("2X",), "ue8m0"),
    ("mxf4nvf4", ("e2m1",), 4, ("4X",), "ue4m3"),
)
SCALES = tuple(
    operand
    for matrix in "ab"
    for operand in (
        scalar(f"scale-{matrix}"),
        scalar(f"byte-id-{matrix}", U16),
        scalar(f"thread-id-{matrix}", U16),
    )
)


def lowest(kind, sparse):
    """Only the sparse section excludes mxf4 and mxf4nvf4 from sm_120f."""
    if sparse and kind != "mxf8f6f4":
        return targets(("sm_120a", 87), ("sm_121a", 88))
    return targets(("sm_120a", 87), ("sm_120f", 88))


def mma(sparse, kind, a, b, bits, size, stype):
    k = {8: 32, 4: 64}[bits] * (2 if sparse else 1)
    shape = f"m16n8k{k}"
    types = ("f32", a, b, "f32")
    ptx_size = f".scale_vec::{size}" if size else ""
    ir_size = f".scale.{size.lower()}" if size else ""
    sp = ".sp::ordered_metadata" if sparse else ""
    ir_sp = ".sp.ordered.metadata" if sparse else ""
    metadata = (scalar("metadata"), scalar("selector")) if sparse else ()
    return Variant(
        f"mma{sp}.block_scale",
        "9.7.14.6.3" if sparse else "9.7.14.5.14",
        f"mma{sp}.sync.aligned.{shape}.row.col.kind::{kind}.block_scale{ptx_size}"
        f".f32.{a}.{b}.f32.{stype}",
        lowest(kind, sparse),
        operands(shape, types, sparse, bits) + metadata + SCALES,
        f"llvm.nvvm.mma{ir_sp}.block.scale.{shape}.row.col.{kind}{ir_size}"
        f".f32.{a}.{b}.f32.{stype}",
        selectors=(0,) if sparse else (),
    )


VARIANTS = tuple(
    mma(sparse, kind, a, b, bits, size, stype)
    for sparse in (False, True)
    for kind, elements, bits, vec_sizes, stype in COMBINATIONS
    for a, b, size in product(elements, elements, vec_sizes)
)
