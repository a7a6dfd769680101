#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The warp-level matrix instructions, from the grammar of the PTX ISA.

The functions named after instructions follow the ISA's syntax sections and tables of
shapes; the number of registers follows from the size of a matrix. The tables of the
compiler under test are never read. How LLVM calls each instruction comes after that.
"""

from dataclasses import dataclass
from itertools import product
import re

BITS = {
    **dict.fromkeys(("b1",), 1),
    **dict.fromkeys(("s4", "u4", "e2m1"), 4),
    # In a register, the 6-bit types take 8 bits, and e2m1 does so for k32 and k64.
    **dict.fromkeys(("s8", "u8", "e4m3", "e5m2", "e3m2", "e2m3"), 8),
    **dict.fromkeys(("f16", "bf16", "b16"), 16),
    **dict.fromkeys(("tf32", "f32", "s32"), 32),
    **dict.fromkeys(("f64",), 64),
}
LANES = 32


@dataclass(frozen=True)
class Registers:
    """What one thread holds of a matrix."""

    type: str  # of an element
    count: int

    @property
    def words(self):
        return self.count * (2 if self.type == "f64" else 1)

    @property
    def constraint(self):
        """The PTX type of a register."""
        return {"f64": "f64", "f32": "f32"}.get(self.type, "b32")


@dataclass(frozen=True)
class Variant:
    family: str
    ptx: str  # The instruction with all its qualifiers.
    # An operand is Registers, "address", "stride" or the name of an i32.
    result: object  # Registers, or None for a store.
    operands: tuple
    name: str  # LLVM's, after "llvm.nvvm.", without what stands for the pointer.
    fields: tuple = ()  # What the program that runs it must know.
    selectors: tuple = (None,)
    immediates: int = 0  # Further operands, of block scaling.

    @property
    def space(self):
        return dict(self.fields).get("space")

    @property
    def has_stride(self):
        return "stride" in self.operands

    @property
    def title(self):
        """The ISA has one name for what takes a stride or does not."""
        return self.ptx + (" with stride" if self.has_stride else "")


def fields(**named):
    return tuple((key, str(value)) for key, value in named.items())


def dims(shape):
    return tuple(map(int, re.findall(r"\d+", shape)))


def extent(shape, role):
    m, n, k = dims(shape)
    return {"a": m * k, "b": k * n, "c": m * n, "d": m * n}[role]


def evenly(elements, type, width=None):
    """A matrix of which each thread holds as much."""
    bits = elements * (width or BITS[type])
    return Registers(type, bits // LANES // (64 if type == "f64" else 32))


# ---------------------------------------------------------------------------
# wmma
# ---------------------------------------------------------------------------

F16_SHAPES = ("m16n16k16", "m8n32k16", "m32n8k16")
# (shapes, types of A and B, types of C, types of D)
WMMA = (
    (F16_SHAPES, ("f16",), ("f16", "f32"), ("f16", "f32")),
    (F16_SHAPES, ("s8", "u8"), ("s32",), ("s32",)),
    (F16_SHAPES, ("bf16",), ("f32",), ("f32",)),
    (("m16n16k8",), ("tf32",), ("f32",), ("f32",)),
    (("m8n8k4",), ("f64",), ("f64",), ("f64",)),
    (("m8n8k32",), ("s4", "u4"), ("s32",), ("s32",)),
    (("m8n8k128",), ("b1",), ("s32",), ("s32",)),
)
LAYOUTS = ("row", "col")
SPACES = ("", "global", "shared")
SUB_BYTE = ("s4", "u4", "b1")


def wmma_registers(shape, role, type):
    # Elements of f16 A and B are held twice.
    return Registers(type, 8) if type == "f16" and role in "ab" else evenly(
        extent(shape, role), type
    )


def wmma_fragments():
    """(shape, role, type, layouts), each once."""
    seen = {}
    for shapes, ab, c, d in WMMA:
        for shape, (role, types) in product(
            shapes, (("a", ab), ("b", ab), ("c", c), ("d", d))
        ):
            for type in types:
                fixed = {"a": ("row",), "b": ("col",)}.get(role) if type in SUB_BYTE else None
                seen[shape, role, type] = fixed or LAYOUTS
    return [(*key, layouts) for key, layouts in seen.items()]


def wmma_load_store():
    for shape, role, type, layouts in wmma_fragments():
        for layout, space, stride in product(layouts, SPACES, (False, True)):
            load = role != "d"
            what = f"wmma.{'load' if load else 'store'}"
            registers = wmma_registers(shape, role, type)
            operands = ("address",) + (() if load else (registers,))
            yield Variant(
                family=what,
                ptx=f"{what}.{role}.sync.aligned.{layout}.{shape}"
                f"{dotted(space)}.{type}",
                result=registers if load else None,
                operands=operands + (("stride",) if stride else ()),
                name=f"wmma.{shape}.{'load' if load else 'store'}.{role}.{layout}"
                f"{'.stride' if stride else ''}.{type}",
                fields=fields(
                    shape=shape, role=role, layout=layout, type=type,
                    space=space or "generic", stride=int(stride),
                ),
            )


def wmma_mma():
    for shapes, ab, c_types, d_types in WMMA:
        for shape, type, c, d in product(shapes, ab, c_types, d_types):
            layouts = (("row", "col"),) if type in SUB_BYTE else product(LAYOUTS, LAYOUTS)
            rounding = ("", "rn", "rz", "rm", "rp") if type == "f64" else ("",)
            # The ISA has had none for f16 since PTX 6.5.
            saturation = ("", "satfinite") if d == "s32" and type != "b1" else ("",)
            operations = ("xor", "and") if type == "b1" else ("",)
            for (al, bl), rnd, sat, op in product(
                layouts, rounding, saturation, operations
            ):
                popc = f".{op}.popc" if op else ""
                types = f".{d}.{c}" if type == "f16" else f".{d}.{type}.{type}.{c}"
                yield Variant(
                    family="wmma.mma",
                    ptx=f"wmma.mma{popc}.sync.aligned.{al}.{bl}.{shape}"
                    f"{dotted(rnd)}{types}{dotted(sat)}",
                    result=wmma_registers(shape, "d", d),
                    operands=tuple(
                        wmma_registers(shape, role, t)
                        for role, t in (("a", type), ("b", type), ("c", c))
                    ),
                    name=f"wmma.{shape}.mma{popc}.{al}.{bl}{dotted(rnd)}"
                    f".{signature(d, type, type, c)}{dotted(sat)}",
                    fields=fields(
                        shape=shape, alayout=al, blayout=bl, d=d, a=type, b=type, c=c,
                        rnd=rnd or "none", satfinite=int(bool(sat)), bitop=op or "none",
                    ),
                )


# ---------------------------------------------------------------------------
# mma and mma.sp
# ---------------------------------------------------------------------------

FP8 = tuple(product(("e4m3", "e5m2"), repeat=2))
F8F6F4 = tuple(product(("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"), repeat=2))
INT8 = tuple(product(("s8", "u8"), repeat=2))
INT4 = tuple(product(("s4", "u4"), repeat=2))


def same(*types):
    return tuple((t, t) for t in types)


F16_OR_F32 = same("f16", "f32")
# (shapes, (A, B)s, (D, C)s)
MMA = (
    (("m16n8k8", "m16n8k16"), same("f16"), F16_OR_F32),
    (("m16n8k8", "m16n8k16"), same("bf16"), same("f32")),
    (("m16n8k4", "m16n8k8"), same("tf32"), same("f32")),
    (("m16n8k16", "m16n8k32"), FP8, F16_OR_F32),
    (("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"), same("f64"), same("f64")),
    (("m8n8k16", "m16n8k16", "m16n8k32"), INT8, same("s32")),
    (("m8n8k32", "m16n8k32", "m16n8k64"), INT4, same("s32")),
    (("m8n8k128", "m16n8k128", "m16n8k256"), same("b1"), same("s32")),
)
MMA_SP = (
    (("m16n8k16", "m16n8k32"), same("f16"), F16_OR_F32),
    (("m16n8k16", "m16n8k32"), same("bf16"), same("f32")),
    (("m16n8k8", "m16n8k16"), same("tf32"), same("f32")),
    (("m16n8k64",), FP8, same("f32")),
    (("m16n8k32", "m16n8k64"), INT8, same("s32")),
    (("m16n8k64", "m16n8k128"), INT4, same("s32")),
)
# The types of the scales that go with a kind, and the sizes of their vectors.
SCALES = {
    "mxf8f6f4": (("ue8m0", ("", "1X")),),
    "mxf4": (("ue8m0", ("", "2X")),),
    "mxf4nvf4": (("ue8m0", ("2X",)), ("ue4m3", ("4X",))),
}
SATURATES = ("s8", "u8", "s4", "u4")


def selectors(shape, type):
    """Which threads of four may hold the metadata."""
    chunk = {"tf32": 2, "s4": 8, "u4": 8}.get(type, 4)
    # One nibble for each chunk, 8 nibbles in a register.
    nibbles = 16 * dims(shape)[2] // chunk
    threads_of_four = nibbles // 8 // 8
    return tuple(range(4 // threads_of_four))


def mma_operands(shape, d, a, b, c, sparse=False, computations=1, width=None):
    packed = 2 if sparse else 1
    return evenly(extent(shape, "d") * computations, d), (
        evenly(extent(shape, "a") * computations // packed, a, width),
        evenly(extent(shape, "b") * computations, b, width),
        evenly(extent(shape, "c") * computations, c),
    )


def mma_variant(sp, shape, al, bl, d, a, b, c, sat="", op="", computations=1):
    family = f"mma{sp}"
    popc = f".{op}.popc" if op else ""
    result, operands = mma_operands(shape, d, a, b, c, bool(sp), computations)
    return Variant(
        family=family,
        ptx=f"{family}.sync.aligned.{shape}.{al}.{bl}{dotted(sat)}.{d}.{a}.{b}.{c}{popc}",
        result=result,
        operands=operands + (("metadata",) if sp else ()),
        name=f"mma{llvm_sp(sp)}{popc}.{shape}.{al}.{bl}{dotted(sat)}"
        f".{signature(d, a, b, c)}",
        fields=fields(
            shape=shape, alayout=al, blayout=bl, d=d, a=a, b=b, c=c,
            rnd="none", satfinite=int(bool(sat)), bitop=op or "none",
            ordered=int("ordered" in sp),
        ),
        selectors=selectors(shape, a) if sp else (None,),
    )


def mma():
    # f16 m8n8k4: four computations, each by 8 threads; D is f32 where C is.
    for al, bl, (d, c) in product(
        LAYOUTS, LAYOUTS, (("f16", "f16"), ("f32", "f16"), ("f32", "f32"))
    ):
        yield mma_variant("", "m8n8k4", al, bl, d, "f16", "f16", c, computations=4)
    for shapes, ab, dc in MMA:
        for shape, (a, b), (d, c) in product(shapes, ab, dc):
            for sat in ("", "satfinite") if a in SATURATES else ("",):
                for op in ("xor", "and") if a == "b1" else ("",):
                    yield mma_variant("", shape, "row", "col", d, a, b, c, sat, op)


def mma_sp():
    for sp in (".sp", ".sp::ordered_metadata"):
        for shapes, ab, dc in MMA_SP:
            for shape, (a, b), (d, c) in product(shapes, ab, dc):
                for sat in ("", "satfinite") if a in SATURATES else ("",):
                    yield mma_variant(sp, shape, "row", "col", d, a, b, c, sat)


def with_kind(sp, shape, kind, ab, dc, scales=((None, ("",)),)):
    """What names a kind of types, with a scale for blocks of elements or without."""
    for (a, b), (d, c), (scale, sizes) in product(ab, dc, scales):
        for size in sizes:
            # Only the kinds of nothing but 4 bits pack them.
            width = 4 if kind in ("mxf4", "mxf4nvf4") else 8
            result, operands = mma_operands(shape, d, a, b, c, bool(sp), width=width)
            block = f".block_scale{f'.scale_vec::{size}' if size else ''}" if scale else ""
            vector = f".scale.{size.lower()}" if size else ""
            yield Variant(
                family=f"mma{sp}{'.block_scale' if scale else ''}",
                ptx=f"mma{sp}.sync.aligned.{shape}.row.col.kind::{kind}{block}"
                f".{d}.{a}.{b}.{c}{dotted(scale)}",
                result=result,
                operands=operands + (("metadata",) if sp else ()),
                name=f"mma{llvm_sp(sp)}{'.block.scale' if scale else ''}.{shape}.row.col"
                f".{'' if scale else 'kind.'}{kind}{vector}"
                f".{signature(d, a, b, c)}{dotted(scale)}",
                selectors=(0,) if sp else (None,),
                immediates=2 if scale else 0,
            )


def mma_with_kind():
    for sp, k in (("", 32), (".sp::ordered_metadata", 64)):
        yield from with_kind(sp, f"m16n8k{k}", "f8f6f4", F8F6F4, F16_OR_F32)
        yield from with_kind(
            sp, f"m16n8k{k}", "mxf8f6f4", F8F6F4, same("f32"), SCALES["mxf8f6f4"]
        )
        for kind in ("mxf4", "mxf4nvf4"):
            yield from with_kind(
                sp, f"m16n8k{2 * k}", kind, same("e2m1"), same("f32"), SCALES[kind]
            )


# ---------------------------------------------------------------------------
# ldmatrix, stmatrix, movmatrix
# ---------------------------------------------------------------------------

PACKED = ("b8x16.b6x16_p32", "b8x16.b4x16_p64")
# (shape, numbers, transposed or not, types)
LDMATRIX = (
    ("m8n8", (1, 2, 4), ("", "trans"), ("b16",)),
    ("m16n16", (1, 2), ("trans",), ("b8",) + PACKED),
    ("m8n16", (1, 2, 4), ("",), PACKED),
)
STMATRIX = (
    ("m8n8", (1, 2, 4), ("", "trans"), ("b16",)),
    ("m16n8", (1, 2, 4), ("trans",), ("b8",)),
)


def matrix_moves(what, rows):
    for shape, numbers, transposed, types in rows:
        for num, trans, type, space in product(
            numbers, transposed, types, ("", "shared")
        ):
            m, n = dims(shape)
            width = 16 if type == "b16" else 8
            registers = Registers("b16", m * n * width // 1024 * num)
            load = what == "ldmatrix"
            yield Variant(
                family=what,
                ptx=f"{what}.sync.aligned.{shape}.x{num}{dotted(trans)}"
                f"{dotted(space)}.{type}",
                result=registers if load else None,
                operands=("address",) if load else ("address", registers),
                name=f"{what}.sync.aligned.{shape}.x{num}{dotted(trans)}.{type}",
                fields=fields(num=num, trans=int(bool(trans)), space=space or "generic"),
            )


def movmatrix():
    registers = Registers("b16", 1)
    name = "movmatrix.sync.aligned.m8n8.trans.b16"
    yield Variant("movmatrix", name, registers, (registers,), name)


# ---------------------------------------------------------------------------
# How LLVM calls them
# ---------------------------------------------------------------------------


def dotted(word):
    return f".{word}" if word else ""


def llvm_sp(sp):
    return sp.replace("::", ".").replace("_", ".")


def signature(d, a, b, c):
    """What LLVM's names say of the types: as little as tells them apart."""
    if a in ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"):
        return f"{d}.{a}.{b}.{c}"
    if a == "f16":
        return f"{d}.{c}"
    return a if a == b else f"{a}.{b}"


def variants():
    """All of the ISA, whatever the target."""
    result = [
        *wmma_load_store(), *wmma_mma(), *mma(), *mma_sp(), *mma_with_kind(),
        *matrix_moves("ldmatrix", LDMATRIX), *matrix_moves("stmatrix", STMATRIX),
        *movmatrix(),
    ]
    assert len({v.title for v in result}) == len(result)
    return result
