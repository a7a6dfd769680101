# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The warp-level matrix instructions, from the grammar of the PTX ISA.

Each module holds what the ISA's sections say of a family: the combinations of
qualifiers, the registers, the lowest targets. The tables of the compiler under
test are never read: a fault in them must not be able to hide itself. Only how
LLVM spells an intrinsic follows LLVM's naming rules.

The warpgroup-level ones are in ptx_isa.wgmma.
"""

from . import block_scale, mma, mma_sp, moves, wmma

VARIANTS = (
    wmma.VARIANTS
    + mma.VARIANTS
    + mma_sp.VARIANTS
    + block_scale.VARIANTS
    + moves.VARIANTS
)
FAMILIES = tuple(dict.fromkeys(v.family for v in VARIANTS))
# Intrinsic to its variants, which differ in the state space alone.
INTRINSICS = {}
for _variant in VARIANTS:
    if _variant.intrinsic:
        INTRINSICS.setdefault(_variant.intrinsic, []).append(_variant)
