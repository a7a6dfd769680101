# ===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Instructions just outside of the grammar, for the audit of ptxas.

Of the asynchronous reductions, whose types depend on the operation: each
operation with each type.
"""

from dataclasses import dataclass
from itertools import product

from . import reductions
from .bulk import BYTES

OPERATIONS = (*reductions.GLOBAL_TYPES, "min.noftz", "max.noftz")
TYPES = (
    *("f16", "f16x2", "bf16", "bf16x2", "f32", "f64"),
    *("b16", "u16", "b32", "u32", "s32", "b64", "u64", "s64", "b128"),
)
WIDE = ("f64", "b64", "u64", "s64")


@dataclass(frozen=True)
class Neighbour:
    mnemonic: str
    operands: str  # With registers that ptx_isa.matrix.assembly declares.

    @property
    def text(self):
        return f"{self.mnemonic} {self.operands};"


def candidates():
    bulk = "cp.reduce.async.bulk"
    for operation, name in product(OPERATIONS, TYPES):
        tail = f".{operation}.{name}"
        yield Neighbour(f"{bulk}.global.shared::cta.bulk_group{tail}", "[d0], [d1], r0")
        yield Neighbour(
            f"{bulk}.shared::cluster.shared::cta{BYTES}{tail}", "[d0], [d1], r0, [d2]"
        )
        value = "d1" if name in WIDE else "r0"
        yield Neighbour(
            f"red.async.relaxed.cluster.shared::cluster{BYTES}{tail}",
            f"[d0], {value}, [d2]",
        )


def neighbours():
    """Those that the ISA lacks."""
    known = {variant.mnemonic for variant in reductions.VARIANTS}
    return [c for c in candidates() if c.mnemonic not in known]
