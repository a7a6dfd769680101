# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Where the PTX ISA contradicts itself, and instructions that tell which holds.

One part of a section (its syntax, an example, a table) allows what another part
(its text, its notes) excludes. The grammar of this package follows the part named
last in each entry's comment; utils/documentation/audit_ptx.py asks ptxas.
"""

from dataclasses import dataclass

from . import block_scale, mma, wmma
from .variant import B32, F64, Fragment, Operand, scalar


@dataclass(frozen=True)
class Contradiction:
    section: str
    # What allows it, what excludes it.
    allows: str
    excludes: str
    mnemonic: str
    operands: tuple


def sparse(shape, types):
    metadata = (scalar("metadata"), scalar("selector"))
    return mma.operands(shape, types, sparse=True) + metadata


def wide(d, element, c):
    shape = "m16n16k16"
    return (
        Operand("d", wmma.accumulator(shape, d)),
        Operand("a", wmma.multiplicand("a", shape, element)),
        Operand("b", wmma.multiplicand("b", shape, element)),
        Operand("c", wmma.accumulator(shape, c)),
    )


def move(family, count):
    held, address = Fragment(B32, count), scalar("p")
    if family == "ldmatrix":
        return (Operand("d", held), address)
    return (address, Operand("r", held))


def single_f64():
    one, two = Fragment(F64, 1), Fragment(F64, 2)
    return {
        count: (
            Operand("d", held),
            Operand("a", one),
            Operand("b", one),
            Operand("c", held),
        )
        for count, held in ((1, one), (2, two))
    }


MXF4NVF4 = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale"
FP4_OPERANDS = (
    mma.operands("m16n8k64", ("f32", "e2m1", "e2m1", "f32"), bits=4)
    + block_scale.SCALES
)
F64_MMA = "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64"
FP8_SP = ("f16", "e4m3", "e5m2", "f16")
FP8_SP32 = ("f32", "e4m3", "e5m2", "f32")

CONTRADICTIONS = (
    Contradiction(
        "9.7.9.12",
        "the syntax: .mmio with both scopes",
        "the text: .sys",
        "st.async.mmio.release.gpu.global.b32",
        (scalar("p"), scalar("value")),
    ),
    Contradiction(
        "9.7.9.14",
        "an example: multimem.red with .max.f64",
        "the syntax: .add only",
        "multimem.red.relaxed.gpu.max.f64",
        (scalar("p"), scalar("value", F64)),
    ),
    Contradiction(
        "9.7.13.7",
        "the syntax: .cluster with .release",
        "the notes: .gpu and .sys",
        "red.async.release.cluster.global.add.u32",
        (scalar("p"), scalar("value")),
    ),
    Contradiction(
        "9.7.13.7",
        "the notes and an example: .sys with .release",
        "the syntax: .gpu and .cluster",
        "red.async.release.sys.global.add.u32",
        (scalar("p"), scalar("value")),
    ),
    Contradiction(
        "9.7.14.4.1",
        "the table of fragments: C and D of m8n8k4 have one f64 register",
        "the examples of wmma.mma: two",
        F64_MMA,
        single_f64()[1],
    ),
    Contradiction(
        "9.7.14.4.1",
        "the examples of wmma.mma: C and D of m8n8k4 have two f64 registers",
        "the table of fragments: one",
        F64_MMA,
        single_f64()[2],
    ),
    Contradiction(
        "9.7.14.4.3",
        "the examples: the shape before the layout",
        "the syntax: the layout before the shape",
        "wmma.load.a.sync.aligned.m16n16k16.row.f16",
        (Operand("d", wmma.multiplicand("a", "m16n16k16", "f16")), scalar("p")),
    ),
    Contradiction(
        "9.7.14.4.5",
        "the examples: the shape before the layouts",
        "the syntax: the layouts before the shape",
        "wmma.mma.sync.aligned.m16n16k16.row.col.f32.f32",
        wide("f32", "f16", "f32"),
    ),
    Contradiction(
        "9.7.14.4.5",
        "the text: .atype and .btype are .f16 where they are not explicit",
        "the syntax: no place for them with .f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32",
        wide("f32", "f16", "f32"),
    ),
    Contradiction(
        "9.7.14.4.5",
        "the syntax: .atype and .btype each .s8 or .u8",
        "the text: they must be the same",
        "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32",
        wide("s32", "s8", "s32"),
    ),
    Contradiction(
        "9.7.14.5.14",
        "the text: rounding modifiers of .f64",
        "the syntax: no place for them",
        "mma.sync.aligned.m16n8k8.row.col.rz.f64.f64.f64.f64",
        mma.operands("m16n8k8", ("f64",) * 4),
    ),
    Contradiction(
        "9.7.14.5.14",
        "the syntax: .atype and .btype of m16n8k8 each .bf16 or .tf32",
        "the text: they must be the same",
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.tf32.f32",
        mma.operands("m16n8k8", ("f32", "bf16", "tf32", "f32")),
    ),
    Contradiction(
        "9.7.14.5.14",
        "the syntax: m8n84 for .f64",
        "the text: m8n8k4",
        "mma.sync.aligned.m8n84.row.col.f64.f64.f64.f64",
        mma.operands("m8n8k4", ("f64",) * 4),
    ),
    Contradiction(
        "9.7.14.5.14",
        "the syntax: .scale_vec::2X with .ue4m3",
        "table 36: .ue4m3 with 4X only",
        f"{MXF4NVF4}.scale_vec::2X.f32.e2m1.e2m1.f32.ue4m3",
        FP4_OPERANDS,
    ),
    Contradiction(
        "9.7.14.5.14",
        "the syntax: .scale_vec::4X with .ue8m0",
        "the notes: since PTX 9.1",
        f"{MXF4NVF4}.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
        FP4_OPERANDS,
    ),
    Contradiction(
        "9.7.14.5.15",
        "the syntax: m16n16 with .x4",
        "the text: only .x1 and .x2",
        "ldmatrix.sync.aligned.m16n16.x4.trans.b8",
        move("ldmatrix", 8),
    ),
    Contradiction(
        "9.7.14.5.15",
        "the syntax: .trans optional for m16n16 .b8",
        "the text: mandatory",
        "ldmatrix.sync.aligned.m16n16.x1.b8",
        move("ldmatrix", 2),
    ),
    Contradiction(
        "9.7.14.5.15",
        "the syntax: m8n8 with .b8",
        "the table of shapes: m8n8 has 16-bit elements",
        "ldmatrix.sync.aligned.m8n8.x1.b8",
        move("ldmatrix", 1),
    ),
    Contradiction(
        "9.7.14.5.16",
        "an example: m16n8 without .trans",
        "the text: .trans is mandatory",
        "stmatrix.sync.aligned.m16n8.x4.b8",
        move("stmatrix", 4),
    ),
    Contradiction(
        "9.7.14.5.16",
        "the syntax: m8n8 with .b8",
        "the figures: 8-bit elements with m16n8 only",
        "stmatrix.sync.aligned.m8n8.x1.b8",
        move("stmatrix", 1),
    ),
    Contradiction(
        "9.7.14.6.3",
        "the notes: .e4m3 and .e5m2 with f16 accumulators since PTX 8.7",
        "the syntax: f32 only, without a kind",
        "mma.sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e5m2.f16",
        sparse("m16n8k64", FP8_SP),
    ),
    Contradiction(
        "9.7.14.6.3",
        "the notes: .e4m3 and .e5m2 with f16 accumulators since PTX 8.7",
        "the syntax: f32 only, without a kind",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16.e4m3.e5m2.f16",
        sparse("m16n8k64", FP8_SP),
    ),
    Contradiction(
        "9.7.14.6.3",
        "the notes: .e4m3 and .e5m2 with m16n8k32 since PTX 8.7",
        "the syntax: m16n8k64 only",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32",
        sparse("m16n8k32", FP8_SP32),
    ),
)
