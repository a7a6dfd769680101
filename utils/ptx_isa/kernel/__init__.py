# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What a kernel needs around its matrix instructions, from the PTX ISA's grammar.

Bulk copies, reductions, multimem, mbarriers, fences, barriers, clusters, caches,
tensor maps, and tcgen05. As in ptx_isa.matrix, the tables of the compiler under test
are never read; only how LLVM spells an intrinsic, and what its flags stand for,
follows LLVM's documentation.
"""

from . import bulk, control, multimem, reductions, synchronization, tensor_memory

VARIANTS = (
    bulk.VARIANTS
    + reductions.VARIANTS
    + multimem.VARIANTS
    + synchronization.VARIANTS
    + control.VARIANTS
    + tensor_memory.VARIANTS
)
FAMILIES = tuple(dict.fromkeys(v.family for v in VARIANTS))
# Intrinsic to its variants, which differ in immediates and in the state space.
INTRINSICS = {}
for _variant in VARIANTS:
    INTRINSICS.setdefault(_variant.intrinsic, []).append(_variant)
# One variant of each mnemonic: others differ in the value of an operand alone.
INSTRUCTIONS = tuple(
    {(v.intrinsic, v.mnemonic): v for v in reversed(VARIANTS)}.values()
)[::-1]
