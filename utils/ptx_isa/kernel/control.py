# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Clusters, caches, tensor maps, registers and launches: PTX ISA 9.7.9 to 9.7.19."""

from itertools import product

from ptx_isa.matrix.targets import targets

from .variant import (
    CLUSTER,
    CONST,
    F32,
    GENERIC,
    GLOBAL,
    I1,
    I128,
    I32,
    I64,
    LOCAL,
    PARAM,
    SHARED,
    Parameter,
    Variant,
    flag,
)

HOPPER = targets(("sm_90", 78))
BLACKWELL = targets(("sm_100", 86))
# prefetch is older than sm_70, the first architecture here.
ALL = targets(("sm_70", 60))
# What the families of Blackwell have beside sm_90a. .sm_120a came with PTX 8.7.
FAMILIES = (
    ("sm_100a", 86),
    ("sm_101a", 86),
    ("sm_120a", 86),
    ("sm_100f", 88),
    ("sm_101f", 88),
    ("sm_120f", 88),
    ("sm_110a", 90),
    ("sm_110f", 90),
)


def clusters():
    rank = Parameter("rank", I32)
    for space, name, kind, result in (
        ("", "", GENERIC, GENERIC),
        (".shared::cluster", ".shared.cluster", SHARED, CLUSTER),
    ):
        address = Parameter("address", kind)
        yield Variant(
            "mapa, getctarank",
            "9.7.9.23",
            f"mapa{space}.u64 {{r}}, {{address}}, {{rank}};",
            HOPPER,
            f"llvm.nvvm.mapa{name}",
            (address, rank),
            (result,),
        )
        yield Variant(
            "mapa, getctarank",
            "9.7.9.24",
            f"getctarank{space}.u64 {{r}}, {{address}};",
            HOPPER,
            f"llvm.nvvm.getctarank{name}",
            (address,),
            (I32,),
        )


def caches():
    size = Parameter("size", I64, 128)
    for space, kind in (("", GENERIC), (".global", GLOBAL), (".local", LOCAL)):
        address = (Parameter("address", kind),)
        for level in ("L1", "L2"):
            yield Variant(
                "prefetch",
                "9.7.9.15",
                f"prefetch{space}.{level} [{{address}}];",
                ALL,
                f"llvm.nvvm.prefetch{space}.{level}",
                address,
            )
        if space == ".local":
            continue
        low = targets(("sm_80", 74))
        yield Variant(
            "applypriority",
            "9.7.9.16",
            f"applypriority{space}.L2::evict_normal [{{address}}], 128;",
            low,
            f"llvm.nvvm.applypriority{space}.L2.evict.normal",
            (*address, size),
        )
        yield Variant(
            "discard",
            "9.7.9.17",
            f"discard{space}.L2 [{{address}}], 128;",
            low,
            f"llvm.nvvm.discard{space}.L2",
            (*address, size),
        )
    for priority in ("evict_normal", "evict_last"):
        yield Variant(
            "prefetch",
            "9.7.9.15",
            f"prefetch.global.L2::{priority} [{{address}}];",
            targets(("sm_80", 74)),
            f"llvm.nvvm.prefetch.global.L2.{priority.replace('_', '.')}",
            (Parameter("address", GLOBAL),),
        )
    yield Variant(
        "prefetch",
        "9.7.9.15",
        "prefetchu.L1 [{address}];",
        ALL,
        "llvm.nvvm.prefetchu.L1",
        (Parameter("address", GENERIC),),
    )
    for space, kind in (("", GENERIC), (".const", CONST), (".param", PARAM)):
        yield Variant(
            "prefetch",
            "9.7.9.15",
            f"prefetch{space}.tensormap [{{address}}];",
            targets(("sm_90", 80)),
            "llvm.nvvm.prefetch.tensormap",
            (Parameter("address", kind),),
            is_overloaded=True,
        )


# The first priority is in the intrinsic's name, the second one a flag.
FIRST_PRIORITIES = ("evict_last", "evict_normal", "evict_first", "evict_unchanged")
AMPERE = targets(("sm_80", 74))


def policies():
    def policy(kind, name, operands, parameters):
        for first in FIRST_PRIORITIES:
            # .L2::evict_unchanged is the default, which LLVM does not print.
            for second in (False, True):
                more = ".L2::evict_first" if second else ""
                yield Variant(
                    "createpolicy",
                    "9.7.9.18",
                    f"createpolicy.{kind}.L2::{first}{more}.b64 {{r}}, {operands};",
                    AMPERE,
                    f"llvm.nvvm.createpolicy.{name}.L2.{first.replace('_', '.')}",
                    (*parameters, flag(second)),
                    (I64,),
                )

    yield from policy(
        "fractional", "fractional", "{fraction}", (Parameter("fraction", F32),)
    )
    sizes = (Parameter("primary", I32), Parameter("total", I32))
    for space, kind in (("", GENERIC), (".global", GLOBAL)):
        yield from policy(
            f"range{space}",
            f"range{space}",
            "[{address}], {primary}, {total}",
            (Parameter("address", kind), *sizes),
        )
    yield Variant(
        "createpolicy",
        "9.7.9.18",
        "createpolicy.cvt.L2.b64 {r}, {property};",
        AMPERE,
        "llvm.nvvm.createpolicy.cvt.L2",
        (Parameter("property", I64),),
        (I64,),
    )


REPLACE = targets(("sm_90a", 83), *FAMILIES)
FAMILY_TARGETS = targets(*FAMILIES)
# The types of 4 and 6 bits came with PTX 8.7.
SMALL_TYPES = targets(*((arch, max(ptx, 87)) for arch, ptx in FAMILIES))
# The values of a field that other targets have than the rest.
NEW_VALUES = {
    "elemtype": {13: SMALL_TYPES, 15: SMALL_TYPES},
    "swizzle_mode": {4: targets(("sm_103a", 88))},
    "swizzle_atomicity": {0: FAMILY_TARGETS, 3: FAMILY_TARGETS},
}
# (field, type, its values; None: any, in a register)
FIELDS = (
    ("global_address", "b64", None),
    ("rank", "b32", None),
    ("elemtype", "b32", (0, 12, 13, 15)),
    ("interleave_layout", "b32", (0, 2)),
    ("swizzle_mode", "b32", (0, 3, 4)),
    ("swizzle_atomicity", "b32", (0, 3)),
    ("fill_mode", "b32", (0, 1)),
)
ORDINAL_FIELDS = (
    ("global_stride", "b64", 3),
    ("box_dim", "b32", 4),
    ("global_dim", "b32", 4),
    ("element_stride", "b32", 4),
)


def tensormaps():
    spaces = (("", GENERIC), (".global", GLOBAL), (".shared::cta", SHARED))
    for space, kind in spaces:
        address = Parameter("map", kind)

        def replace(field, ptx_type, more, operands, low=REPLACE):
            name = field.replace("_", ".")
            return Variant(
                "tensormap.replace",
                "9.7.9.26",
                f"tensormap.replace.tile.{field}{space}.b1024.{ptx_type} "
                f"[{{map}}], {operands};",
                low,
                f"llvm.nvvm.tensormap.replace.{name}",
                (address, *more),
                is_overloaded=True,
            )

        for field, ptx_type, values in FIELDS:
            value_kind = I64 if ptx_type == "b64" else I32
            if values is None:
                value = Parameter("value", value_kind)
                yield replace(field, ptx_type, (value,), "{value}")
                continue
            for number in values:
                value = Parameter("value", value_kind, number)
                low = NEW_VALUES.get(field, {}).get(number, REPLACE)
                yield replace(field, ptx_type, (value,), str(number), low)
        for field, ptx_type, last in ORDINAL_FIELDS:
            value = Parameter("value", I64 if ptx_type == "b64" else I32)
            for ordinal in (0, last):
                yield replace(
                    field,
                    ptx_type,
                    (Parameter("ordinal", I32, ordinal), value),
                    f"{ordinal}, {{value}}",
                )


def tensormap_copies():
    for scope in ("cta", "cluster", "gpu", "sys"):
        yield Variant(
            "tensormap.cp_fenceproxy",
            "9.7.13.16",
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic"
            f".release.{scope}.sync.aligned [{{dst}}], [{{src}}], 128;",
            targets(("sm_90", 83)),
            "llvm.nvvm.tensormap.cp_fenceproxy.global.shared.cta"
            f".tensormap_generic.release.{scope}.sync.aligned",
            (
                Parameter("dst", GLOBAL),
                Parameter("src", SHARED),
                Parameter("size", I32, 128),
            ),
        )


def launches():
    for operation in ("inc", "dec"):
        for count in (24, 256):
            yield Variant(
                "setmaxnreg",
                "9.7.19.5",
                f"setmaxnreg.{operation}.sync.aligned.u32 {count};",
                targets(("sm_90a", 80), *FAMILIES),
                f"llvm.nvvm.setmaxnreg.{operation}.sync.aligned.u32",
                (Parameter("count", I32, count),),
            )
    yield Variant(
        "elect.sync",
        "9.7.13.14",
        "elect.sync {r0}|{r1}, {mask};",
        targets(("sm_90", 80)),
        "llvm.nvvm.elect.sync",
        (Parameter("mask", I32),),
        (I32, I1),
    )
    for operation, name in (
        ("launch_dependents", "launch.dependents"),
        ("wait", "wait"),
    ):
        yield Variant(
            "griddepcontrol",
            "9.7.13.13",
            f"griddepcontrol.{operation};",
            HOPPER,
            f"llvm.nvvm.griddepcontrol.{name}",
        )
    for space, name, kind in (
        ("", "", GENERIC),
        (".shared::cta", ".shared.cta", SHARED),
    ):
        yield Variant(
            "st.bulk",
            "9.7.9.13",
            f"st.bulk{space} [{{address}}], {{size}}, 0;",
            BLACKWELL,
            f"llvm.nvvm.st.bulk{name}",
            (
                Parameter("address", kind),
                Parameter("size", I64),
                Parameter("value", I64, 0),
            ),
        )


CANCEL = (
    "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
)


def cancellations():
    operands = (Parameter("address", SHARED), Parameter("bar", SHARED))
    for qualifier, name, low in (
        ("", "", BLACKWELL),
        (".multicast::cluster::all", ".multicast", FAMILY_TARGETS),
    ):
        yield Variant(
            "clusterlaunchcontrol",
            "9.7.13.15.19",
            f"{CANCEL}{qualifier}.b128 [{{address}}], [{{bar}}];",
            low,
            f"llvm.nvvm.clusterlaunchcontrol.try_cancel.async{name}.shared",
            operands,
        )
    for what, name, kind in (
        ("is_canceled.pred", "is_canceled", I1),
        *((f"get_first_ctaid::{d}.b32", f"get_first_ctaid.{d}", I32) for d in "xyz"),
    ):
        # LLVM puts the two halves of the response together first.
        yield Variant(
            "clusterlaunchcontrol",
            "9.7.13.15.20",
            f"clusterlaunchcontrol.query_cancel.{what}.b128 {{r}}, %clc_handle;",
            BLACKWELL,
            f"llvm.nvvm.clusterlaunchcontrol.query_cancel.{name}",
            (Parameter("response", I128),),
            (kind,),
        )


VARIANTS = (
    *clusters(),
    *caches(),
    *policies(),
    *tensormaps(),
    *tensormap_copies(),
    *launches(),
    *cancellations(),
)
