# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""multimem.ld_reduce, multimem.st and multimem.red: PTX ISA 9.7.9.14."""

from itertools import product

from ptx_isa.matrix.targets import targets

from .reductions import BITWISE, ORDERING
from .variant import GLOBAL, I32, Kind, Parameter, Variant

SECTION = "9.7.9.14"
HOPPER = targets(("sm_90", 81))
WIDE_SUM = targets(("sm_90", 82))
F8 = targets(
    ("sm_100a", 86),
    ("sm_101a", 86),
    ("sm_120a", 87),
    ("sm_121a", 88),
    ("sm_100f", 88),
    ("sm_101f", 88),
    ("sm_110a", 90),
    ("sm_110f", 90),
)

INTEGERS = ("u32", "s32", "u64", "s64")
BITS = ("b32", "b64")
HALVES = ("f16", "f16x2", "bf16", "bf16x2")
BYTES = ("e5m2", "e5m2x2", "e5m2x4", "e4m3", "e4m3x2", "e4m3x4")
SINGLE_BYTES = ("e5m2", "e4m3")
FLOATS = (*HALVES, "f32", "f64", *BYTES)
# .vec to what floating-point types it goes with.
VECTORS = {
    1: ("f16x2", "bf16x2", "f32", "f64", "e5m2x4", "e4m3x4"),
    2: (*HALVES, "f32", "e5m2x2", "e5m2x4", "e4m3x2", "e4m3x4"),
    4: (*HALVES, "f32", *BYTES),
    8: ("f16", "bf16", "e5m2", "e4m3", "e5m2x2", "e4m3x2"),
}
# .op, with .acc_prec, to its types.
LOADS = {
    "add": ("u32", "u64", "s32", *FLOATS),
    "add.acc::f32": HALVES,
    "add.acc::f16": BYTES,
    **dict.fromkeys(ORDERING, (*INTEGERS, *HALVES, *BYTES)),
    **dict.fromkeys(BITWISE, BITS),
}
REDUCTIONS = {
    "add": ("u32", "u64", "s32", *HALVES, "f32", "f64"),
    **dict.fromkeys(ORDERING, INTEGERS),
    **dict.fromkeys(BITWISE, BITS),
}
SCOPES = ("cta", "cluster", "gpu", "sys")

# An element as LLVM has it, its register in PTX, and it in C.
ELEMENTS = {
    "f16": ("half", "b16", "_Float16"),
    "bf16": ("bfloat", "b16", "__bf16"),
    "f32": ("float", "b32", "float"),
    "f64": ("double", "b64", "double"),
    8: ("i8", "b32", "unsigned char"),
    16: ("i16", "b16", "unsigned short"),
    32: ("i32", "b32", "int"),
    64: ("i64", "b64", "long"),
}


def bits(name):
    """Of a type that is an integer to LLVM."""
    if name in BYTES:
        return 8 * int(name[5:] or 1)
    return int(name[1:])


def value_kind(count, name):
    """The value of count elements: two elements of PTX's f16x2 are four."""
    pair = name in ("f16x2", "bf16x2")
    key = name.removesuffix("x2") if pair else name
    ir, register, c = ELEMENTS[key if key in ELEMENTS else bits(name)]
    size = count * 2 if pair else count
    register = "b32" if pair else register
    if size == 1:
        return Kind(register, ir, c)
    return Kind(register, f"<{size} x {ir}>", f"vec<{c}, {size}>")


def list_text(count, name, value):
    """The registers; those of 8 bits are declared around the instruction."""
    if name in SINGLE_BYTES:
        texts = [f"%multimem{i}" for i in range(count)]
    elif count == 1:
        return f"{{{value}}}"
    else:
        texts = [f"{{{value}:{i}}}" for i in range(count)]
    return f"{{{{{', '.join(texts)}}}}}"


def types(names):
    """(.vec, type) for each type of the names that there is."""
    for name in names:
        if name not in FLOATS:
            yield 1, name
    for count, floats in VECTORS.items():
        for name in floats:
            if name in names:
                yield count, name


def orders(strong, has_weak):
    """(qualifiers, end of the intrinsic's name, flags): weak is PTX's default."""
    if has_weak:
        yield "", ".weak", ()
    for (sem, order), (scope, text) in product(
        enumerate(("relaxed", strong)), enumerate(SCOPES)
    ):
        flags = (Parameter("sem", I32, sem), Parameter("scope", I32, scope))
        yield f".{order}.{text}", "", flags


def needed(operation, name):
    if name in BYTES:
        return F8
    return WIDE_SUM if operation == "add.acc::f32" else HOPPER


def instruction(name, operations, strong, is_load=False, has_weak=True):
    """All of an instruction, "ld_reduce"; of a store the operation is ""."""
    for operation, names in operations.items():
        for (count, element), (order, weak, flags) in product(
            types(names), orders(strong, has_weak)
        ):
            vector = f".v{count}" if count > 1 else ""
            op = f".{operation}" if operation else ""
            kind = value_kind(count, element)
            registers = list_text(count, element, "r" if is_load else "value")
            operands = f"{registers}, [{{addr}}]"
            if not is_load:
                operands = f"[{{addr}}], {registers}"
            stored = () if is_load else (Parameter("value", kind),)
            yield Variant(
                f"multimem.{name}",
                SECTION,
                f"multimem.{name}{order}.global{op}{vector}.{element} {operands};",
                needed(operation, element),
                f"llvm.nvvm.multimem.{name}{weak}{op.replace('::', '.')}{vector}.{element}",
                (Parameter("addr", GLOBAL), *stored, *flags),
                (kind,) if is_load else (),
            )


VARIANTS = (
    *instruction("ld_reduce", LOADS, "acquire", is_load=True),
    # Integers with and without sign are the same to a store as bits.
    *instruction("st", {"": (*BITS, *FLOATS)}, "release"),
    *instruction("red", REDUCTIONS, "release", has_weak=False),
)
