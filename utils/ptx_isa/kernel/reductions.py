# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Asynchronous reductions and stores: PTX ISA 9.7.9.25.4.2, 9.7.13.7, 9.7.9.12."""

from ptx_isa.matrix.targets import targets

from .bulk import BYTES, HINT, HOPPER, hinted
from .variant import (
    CLUSTER,
    GLOBAL,
    I8,
    I16,
    I32,
    I64,
    LONG2,
    SHARED,
    Parameter,
    Variant,
    flag,
    vector,
)

BLACKWELL = targets(("sm_100", 87))
# What a release to global memory is in PTX, and in the intrinsics' names. The syntax
# of red.async has .cluster in place of .sys, of which its text knows nothing.
RELEASES = {
    "release.gpu": "gpu",
    "release.sys": "sys",
    "mmio.release.sys": "mmio.sys",
}
BITWISE = ("and", "or", "xor")
COUNTING = ("inc", "dec")
ORDERING = ("min", "max")

# Operation to its types in global memory: the table of cp.reduce.async.bulk.
GLOBAL_TYPES = {
    "add": ("u32", "s32", "u64", "f32", "f64"),
    "add.noftz": ("f16", "bf16"),
    **dict.fromkeys(ORDERING, ("u32", "s32", "u64", "s64", "f16", "bf16")),
    **dict.fromkeys(COUNTING, ("u32",)),
    **dict.fromkeys(BITWISE, ("b32", "b64")),
}
# In shared memory of the cluster: the same for both instructions.
CLUSTER_TYPES = {
    "add": ("u32", "s32", "u64"),
    **dict.fromkeys(ORDERING, ("u32", "s32")),
    **dict.fromkeys(COUNTING, ("u32",)),
    **dict.fromkeys(BITWISE, ("b32",)),
}


def pairs(types):
    for operation, names in types.items():
        for name in names:
            yield f"{operation}.{name}"


def bulk():
    prefix = "llvm.nvvm.cp.reduce.async.bulk.shared.cta.to"
    src, size = Parameter("src", SHARED), Parameter("size", I32)
    for operation in pairs(GLOBAL_TYPES):
        for hint in (False, True):
            qualifier, operand = hinted(hint)
            yield Variant(
                "cp.reduce.async.bulk",
                "9.7.9.25.4.2",
                f"cp.reduce.async.bulk.global.shared::cta.bulk_group{qualifier}"
                f".{operation} [{{dst}}], [{{src}}], {{size}}{operand};",
                HOPPER,
                f"{prefix}.global.{operation}",
                (Parameter("dst", GLOBAL), src, size, HINT, flag(hint)),
            )
    for operation in pairs(CLUSTER_TYPES):
        yield Variant(
            "cp.reduce.async.bulk",
            "9.7.9.25.4.2",
            f"cp.reduce.async.bulk.shared::cluster.shared::cta{BYTES}"
            f".{operation} [{{dst}}], [{{src}}], {{size}}, [{{bar}}];",
            HOPPER,
            f"{prefix}.cluster.{operation}",
            (Parameter("dst", CLUSTER), Parameter("bar", CLUSTER), src, size),
        )


def registers():
    for operation in pairs(CLUSTER_TYPES):
        yield Variant(
            "red.async",
            "9.7.13.7",
            f"red.async.relaxed.cluster.shared::cluster{BYTES}.{operation} "
            "[{dst}], {value}, [{bar}];",
            targets(("sm_90", 81)),
            f"llvm.nvvm.red.async.{operation}",
            (
                Parameter("dst", CLUSTER),
                Parameter("value", I64 if operation.endswith("64") else I32),
                Parameter("bar", CLUSTER),
            ),
        )


def registers_to_global():
    for order, name in RELEASES.items():
        for kind in ("u32", "s32", "u64", "s64"):
            yield Variant(
                "red.async",
                "9.7.13.7",
                f"red.async.{order}.global.add.{kind} [{{dst}}], {{value}};",
                BLACKWELL,
                f"llvm.nvvm.red.async.{name}.add.{kind}",
                (
                    Parameter("dst", GLOBAL),
                    Parameter("value", I64 if kind.endswith("64") else I32),
                ),
            )


def stores():
    """To the cluster's shared memory. Other types of as many bits are the same."""
    for qualifiers, kind, overload in (
        (".b32", I32, "i32"),
        (".v2.b32", vector(2), "v2i32"),
        (".v4.b32", vector(4), "v4i32"),
        (".b64", I64, "i64"),
        (".v2.b64", LONG2, "v2i64"),
    ):
        count = int(qualifiers[2]) if "v" in qualifiers else 1
        value = "{value}"
        if count > 1:
            value = ", ".join(f"{{value:{i}}}" for i in range(count))
            value = f"{{{{{value}}}}}"
        yield Variant(
            "st.async",
            "9.7.9.12",
            f"st.async.shared::cluster{BYTES}{qualifiers} [{{dst}}], {value}, [{{bar}}];",
            targets(("sm_90", 81)),
            "llvm.nvvm.st.async",
            (
                Parameter("dst", CLUSTER),
                Parameter("value", kind),
                Parameter("bar", CLUSTER),
            ),
            overload=overload,
        )


def stores_to_global():
    """Of integers; other types of as many bits are the same. The flag says that it is
    multimem.st.async, which came with PTX 9.3."""
    for order, name in RELEASES.items():
        for kind in (I8, I16, I32, I64):
            width = kind.ir[1:]
            value = "%st_async_val" if kind == I8 else "{value}"
            yield Variant(
                "st.async",
                "9.7.9.12",
                f"st.async.{order}.global.b{width} [{{dst}}], {value};",
                BLACKWELL,
                f"llvm.nvvm.st.async.{name}",
                (
                    Parameter("dst", GLOBAL),
                    Parameter("value", kind),
                    *(() if "mmio" in order else (flag(False),)),
                ),
                overload=kind.ir,
            )


VARIANTS = (
    *bulk(),
    *registers(),
    *registers_to_global(),
    *stores(),
    *stores_to_global(),
)
