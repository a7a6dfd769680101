# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The fifth generation of tensor cores, tcgen05: PTX ISA 9.7.16."""

from itertools import product

from ptx_isa.matrix.targets import targets

from .variant import (
    F32,
    GENERIC,
    I1,
    I16,
    I32,
    I64,
    LLVM_MAJOR,
    SHARED,
    TENSOR,
    Parameter,
    Variant,
    flag,
    vector,
)

SECTION = "9.7.16"
FIFTH = (
    ("sm_100a", 86),
    ("sm_101a", 86),
    ("sm_100f", 88),
    ("sm_101f", 88),
    ("sm_110f", 90),
)
TARGETS = targets(*FIFTH)
SHIFT = targets(("sm_100a", 86), ("sm_101a", 86), ("sm_103a", 88), ("sm_110a", 90))
I8 = targets(("sm_100a", 86), ("sm_101a", 86), ("sm_110a", 90))
SCALE_D = targets(("sm_100a", 86), ("sm_100f", 88))
LOAD_REDUCE = targets(("sm_103f", 88), ("sm_101f", 88), ("sm_110f", 90))
SPARSE_F4 = ("sm_100a", "sm_101a", "sm_103a", "sm_110a")
GROUPS = (1, 2)


def tcgen05(family, text, intrinsic, parameters=(), result=(), low=TARGETS):
    return Variant(
        f"tcgen05.{family}",
        SECTION,
        f"tcgen05.{text}",
        low,
        f"llvm.nvvm.tcgen05.{intrinsic}",
        parameters,
        result,
    )


def allocations():
    address, columns = Parameter("address", TENSOR), Parameter("columns", I32)
    for group in GROUPS:
        pair, name = f"cta_group::{group}", f"cg{group}"
        for space, suffix, kind in (
            ("", "", GENERIC),
            (".shared::cta", ".shared", SHARED),
        ):
            yield tcgen05(
                "alloc",
                f"alloc.{pair}.sync.aligned{space}.b32 [{{dst}}], {{columns}};",
                f"alloc{suffix}.{name}",
                (Parameter("dst", kind), columns),
            )
        yield tcgen05(
            "alloc",
            f"dealloc.{pair}.sync.aligned.b32 {{address}}, {{columns}};",
            f"dealloc.{name}",
            (address, columns),
        )
        yield tcgen05(
            "alloc",
            f"relinquish_alloc_permit.{pair}.sync.aligned;",
            f"relinq.alloc.permit.{name}",
        )


def synchronizations():
    for group, (space, kind) in product(GROUPS, (("", GENERIC), (".shared", SHARED))):
        bar = (Parameter("bar", kind),)
        prefix = f"commit.cta_group::{group}.mbarrier::arrive::one.shared::cluster"
        yield tcgen05(
            "commit", f"{prefix}.b64 [{{bar}}];", f"commit{space}.cg{group}", bar
        )
        yield tcgen05(
            "commit",
            f"{prefix}.multicast::cluster.b64 [{{bar}}], {{mask}};",
            f"commit.mc{space}.cg{group}",
            (*bar, Parameter("mask", I16)),
        )
    for what in ("ld", "st"):
        yield tcgen05("wait", f"wait::{what}.sync.aligned;", f"wait.{what}")
    for when in ("before_thread_sync", "after_thread_sync"):
        yield tcgen05("fence", f"fence::{when};", f"fence.{when.replace('_', '.')}")


COPY_SHAPES = (
    "128x256b",
    "4x256b",
    "128x128b",
    "64x128b.warpx2::02_13",
    "64x128b.warpx2::01_23",
    "32x128b.warpx4",
)


def copies():
    for group, shape, source in product(
        GROUPS, COPY_SHAPES, ("", "b6x16_p32", "b4x16_p64")
    ):
        formats = f".b8x16.{source}" if source else ""
        parts = [shape.replace("::", "_").replace(".", "_"), source, f"cg{group}"]
        yield tcgen05(
            "cp",
            f"cp.cta_group::{group}.{shape}{formats} [{{address}}], {{desc}};",
            "cp." + ".".join(filter(None, parts)),
            (Parameter("address", TENSOR), Parameter("desc", I64)),
        )
    for group in GROUPS:
        yield tcgen05(
            "shift",
            f"shift.cta_group::{group}.down [{{address}}];",
            f"shift.down.cg{group}",
            (Parameter("address", TENSOR),),
            low=SHIFT,
        )


# Shape to the 32-bit registers of a thread for .x1.
ACCESS_SHAPES = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}


def accesses():
    address = Parameter("address", TENSOR)
    for (shape, each), number, packed in product(
        ACCESS_SHAPES.items(), (1 << i for i in range(8)), (False, True)
    ):
        count = each * number
        if count > 128:
            continue
        offset = (Parameter("offset", I64, 2),) if shape == "16x32bx2" else ()
        second = ", 2" if offset else ""
        name = f"{shape}.x{number}"
        value = vector(count)
        loaded = "{r}" if count == 1 else ", ".join(f"{{r:{i}}}" for i in range(count))
        stored = "{v}" if count == 1 else ", ".join(f"{{v:{i}}}" for i in range(count))
        yield tcgen05(
            "ld",
            f"ld.sync.aligned.{name}{'.pack::16b' if packed else ''}.b32 "
            f"{{{{{loaded}}}}}, [{{address}}]{second};",
            f"ld.{name}",
            (address, *offset, flag(packed)),
            (value,),
        )
        yield tcgen05(
            "st",
            f"st.sync.aligned.{name}{'.unpack::16b' if packed else ''}.b32 "
            f"[{{address}}]{second}, {{{{{stored}}}}};",
            f"st.{name}",
            (address, *offset, Parameter("v", value), flag(packed)),
        )


REDUCTIONS = ("min", "max")  # As LLVM numbers them.
# PTX's type to the one at the end of LLVM's name, and to that of the registers.
REDUCED = {"u32": ("i32", I32), "s32": ("s32", I32), "f32": ("f32", F32)}


def reductions(kind):
    """(qualifiers, flags) of each reduction of a type."""
    modifiers = product((False, True), repeat=2) if kind == "f32" else [()]
    for chosen, (number, operation) in product(modifiers, enumerate(REDUCTIONS)):
        flags = [Parameter("operation", I32, number)]
        for name, value in zip(("abs", "NaN"), chosen):
            flags.append(flag(value, name.lower()))
            operation += f".{name}" if value else ""
        yield operation, flags


def reducing_loads():
    """Of what a thread loads, in one more register the least or the greatest."""
    address = Parameter("address", TENSOR)
    for shape, count, (kind, (suffix, register)) in product(
        ("32x32b", "16x32bx2"), (1 << i for i in range(1, 8)), REDUCED.items()
    ):
        offset = (Parameter("offset", I64, 2),) if shape == "16x32bx2" else ()
        second = ", 2" if offset else ""
        loaded = ", ".join(f"{{r0:{i}}}" for i in range(count))
        for operation, flags in reductions(kind):
            yield tcgen05(
                "ld.red",
                f"ld.red.sync.aligned.{shape}.x{count}.{operation}.{kind} "
                f"{{{{{loaded}}}}}, {{r1}}, [{{address}}]{second};",
                f"ld.red.{shape}.x{count}.{suffix}",
                (address, *offset, *flags),
                (vector(count, register), register),
                low=LOAD_REDUCE,
            )


# ---------------------------------------------------------------------------
# mma
# ---------------------------------------------------------------------------

# As LLVM numbers them.
KINDS = ("f16", "tf32", "f8f6f4", "i8")
COLLECTORS = ("discard", "lastuse", "fill", "use")


def matrices(space, sparse):
    """(parameters, {name: text}) of the operands that all forms begin with."""
    a = Parameter("a", TENSOR if space == "tensor" else I64)
    parameters = [
        Parameter("d", TENSOR),
        a,
        Parameter("b", I64),
        Parameter("idesc", I32),
        Parameter("input_d", I1),
    ]
    if sparse:
        parameters.append(Parameter("meta", TENSOR))
    text = "[{d}], " + ("[{a}]" if space == "tensor" else "{a}") + ", {b}"
    return tuple(parameters), text + (", [{meta}]" if sparse else "")


def kind_targets(kind, scale_d):
    if scale_d:
        return SCALE_D
    return I8 if kind == "i8" else TARGETS


def multiplications():
    for sparse, space, scale_d, shift, group, masked in product(
        (False, True),
        ("shared", "tensor"),
        (False, True),
        (False, True),
        GROUPS,
        (False, True),
    ):
        if shift and space == "shared":
            continue
        parameters, matrix_text = matrices(space, sparse)
        name = f"mma{'.sp' if sparse else ''}.{space}{'.scale_d' if scale_d else ''}"
        if masked:
            name += f".disable_output_lane.cg{group}"
        name += ".ashift" if shift else ""
        # Shifting A and keeping it do not go together.
        collectors = COLLECTORS[:2] if shift else COLLECTORS
        # .scale-input-d is of f16 and tf32 alone.
        kinds = KINDS[:2] if scale_d else KINDS
        scale = (Parameter("scale", I64, 5),) if scale_d else ()
        mask = (Parameter("lanes", vector(4 * group)),) if masked else ()
        lanes = ", ".join(f"{{lanes:{i}}}" for i in range(4 * group))
        for (kind_number, kind), (collector_number, collector) in product(
            enumerate(kinds), enumerate(collectors)
        ):
            qualifiers = [f".collector::a::{collector}", ".ashift" if shift else ""]
            # PTX takes both orders; LLVM 22 writes the other one here.
            if masked or LLVM_MAJOR >= 23:
                qualifiers.reverse()
            group_flag = () if masked else (Parameter("group", I32, group),)
            yield tcgen05(
                "mma.sp" if sparse else "mma",
                f"mma{'.sp' if sparse else ''}.cta_group::{group}.kind::{kind}"
                f"{''.join(qualifiers)} {matrix_text}, {{idesc}}, "
                + (f"{{{{{lanes}}}}}, " if masked else "")
                + "{input_d}"
                + (", 5" if scale_d else "")
                + ";",
                name,
                (
                    *parameters,
                    *scale,
                    *mask,
                    Parameter("kind", I32, kind_number),
                    *group_flag,
                    Parameter("collector", I32, collector_number),
                ),
                low=kind_targets(kind, scale_d),
            )


# (kind, scale vector size: a name of PTX 8.8)
BLOCK_SCALES = (
    ("mxf8f6f4", ""),
    ("mxf4", ""),
    ("mxf4nvf4", ".block16"),
    ("mxf4", ".block32"),
    ("mxf4nvf4", ".block32"),
    ("mxf8f6f4", ".block32"),
)


def block_scale_targets(kind, sparse):
    """PTX 8.8 named .block16 and .block32.

    ptxas 13.0 asks for it where the size is left out, too, which it takes for
    .block32; the ISA does not.
    """
    if not sparse or kind == "mxf8f6f4":
        return targets(*((arch, max(ptx, 88)) for arch, ptx in FIFTH))
    return targets(*((arch, 88) for arch in SPARSE_F4))


def block_scaled():
    for sparse, space, (kind, size), group in product(
        (False, True), ("shared", "tensor"), BLOCK_SCALES, GROUPS
    ):
        parameters, matrix_text = matrices(space, sparse)
        for number, collector in enumerate(COLLECTORS):
            yield tcgen05(
                "mma.sp.block_scale" if sparse else "mma.block_scale",
                f"mma{'.sp' if sparse else ''}.cta_group::{group}.kind::{kind}"
                f".block_scale{size}.collector::a::{collector} {matrix_text}, {{idesc}}, "
                "[{scale_a}], [{scale_b}], {input_d};",
                f"mma{'.sp' if sparse else ''}.{space}.{kind}.block_scale{size}",
                (
                    *parameters,
                    Parameter("scale_a", TENSOR),
                    Parameter("scale_b", TENSOR),
                    Parameter("group", I32, group),
                    Parameter("collector", I32, number),
                ),
                low=block_scale_targets(kind, sparse),
            )


def weight_stationary():
    for sparse, space, masked in product(
        (False, True), ("shared", "tensor"), (False, True)
    ):
        parameters, matrix_text = matrices(space, sparse)
        mask = (Parameter("columns", I64),) if masked else ()
        name = f"mma.ws{'.sp' if sparse else ''}.{space}"
        name += ".zero_col_mask" if masked else ""
        for (kind_number, kind), buffer, (number, collector) in product(
            enumerate(KINDS), range(4), enumerate(COLLECTORS)
        ):
            yield tcgen05(
                "mma.ws.sp" if sparse else "mma.ws",
                f"mma.ws{'.sp' if sparse else ''}.cta_group::1.kind::{kind}"
                f".collector::b{buffer}::{collector} {matrix_text}, {{idesc}}, {{input_d}}"
                + (", {columns}" if masked else "")
                + ";",
                name,
                (
                    *parameters,
                    *mask,
                    Parameter("kind", I32, kind_number),
                    Parameter("buffer", I32, buffer),
                    Parameter("collector", I32, number),
                ),
                low=kind_targets(kind, False),
            )


VARIANTS = (
    *allocations(),
    *synchronizations(),
    *copies(),
    *accesses(),
    *reducing_loads(),
    *multiplications(),
    *block_scaled(),
    *weight_stationary(),
)
