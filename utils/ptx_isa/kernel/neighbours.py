# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Instructions just outside of the grammar, for the audit of ptxas.

Of the asynchronous reductions and stores and of multimem, whose types depend on the
operation: each operation with each type, and with each vector where there are any.
"""

from dataclasses import dataclass
from itertools import product

from . import multimem, reductions
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


# What an operand of a type is in, where it is not in 32 bits.
NARROW = ("f16", "bf16", "b16", "u16", "s16", "e5m2x2", "e4m3x2")
# Without those that need registers of 8 bits.
MULTIMEM_TYPES = (*TYPES, "e5m2x2", "e5m2x4", "e4m3x2", "e4m3x4")
MULTIMEM_OPERATIONS = (*multimem.LOADS, "inc", "dec")


# The ISA's others are the same as those of bits.
STORED_TYPES = ("f16", "f16x2", "bf16", "bf16x2", "b16", "b32", "b64", "b128")


def register(name, index=0):
    if name in WIDE:
        return f"d{index + 1}"
    return f"{'h' if name in NARROW else 'r'}{index}"


def to_global():
    """red.async and st.async, with the scopes and orders that they might have."""
    orders = [
        f"{mmio}{sem}.{scope}"
        for mmio, sem, scope in product(
            ("", "mmio."), ("relaxed", "release"), ("cta", "cluster", "gpu", "sys")
        )
    ]
    for order, operation, name in product(orders, OPERATIONS, TYPES):
        yield Neighbour(
            f"red.async.{order}.global.{operation}.{name}", f"[d0], {register(name)}"
        )
    for order, name in product(orders, STORED_TYPES):
        yield Neighbour(f"st.async.{order}.global.{name}", f"[d0], {register(name)}")


def of_multimem():
    for operation, vector, name in product(
        MULTIMEM_OPERATIONS, ("", ".v2", ".v4", ".v8"), MULTIMEM_TYPES
    ):
        count = int(vector[2:] or 1)
        registers = ", ".join(register(name, i) for i in range(count))
        if count > 1:
            registers = f"{{{registers}}}"
        tail = f"{vector}.{name}"
        load = f"multimem.ld_reduce.relaxed.gpu.global.{operation}{tail}"
        yield Neighbour(load, f"{registers}, [d0]")
        if "acc" in operation:
            continue
        red = f"multimem.red.relaxed.gpu.global.{operation}{tail}"
        yield Neighbour(red, f"[d0], {registers}")
        if operation == "add" and name not in multimem.INTEGERS:
            yield Neighbour(
                f"multimem.st.relaxed.gpu.global{tail}", f"[d0], {registers}"
            )


def candidates():
    yield from to_global()
    yield from of_multimem()
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
    variants = (*reductions.VARIANTS, *multimem.VARIANTS)
    known = {variant.mnemonic for variant in variants}
    return [c for c in candidates() if c.mnemonic not in known]
