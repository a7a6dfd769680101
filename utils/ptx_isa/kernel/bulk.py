# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Bulk copies and the tensor memory accelerator: PTX ISA 9.7.9.25."""

from itertools import product

from ptx_isa.matrix.targets import targets

from .variant import (
    CLUSTER,
    GENERIC,
    GLOBAL,
    I16,
    I32,
    I64,
    SHARED,
    Parameter,
    Variant,
    flag,
)

HOPPER = targets(("sm_90", 80))
# cp.async.bulk to .shared::cta came later.
HOPPER_CTA = targets(("sm_90", 86))
BLACKWELL = targets(("sm_100", 86))
# .cta_group, gathering, scattering, and im2col with a width into a cluster.
FIFTH = targets(
    ("sm_100a", 86), ("sm_101a", 86), ("sm_100f", 88), ("sm_101f", 88), ("sm_110f", 90)
)

HINT = Parameter("hint", I64)
BYTES = ".mbarrier::complete_tx::bytes"


def hinted(hint):
    """(qualifier, operand) of a cache policy, or nothing."""
    return (".L2::cache_hint", ", {hint}") if hint else ("", "")


def multicast(mask):
    return (".multicast::cluster", ", {mask}") if mask else ("", "")


# ---------------------------------------------------------------------------
# cp.async.bulk
# ---------------------------------------------------------------------------


def bulk():
    prefix = "llvm.nvvm.cp.async.bulk."
    size = Parameter("size", I32)
    for mask, hint in product((False, True), repeat=2):
        qualifier, operand = multicast(mask)
        hint_qualifier, hint_operand = hinted(hint)
        yield Variant(
            "cp.async.bulk",
            "9.7.9.25.4.1",
            f"cp.async.bulk.shared::cluster.global{BYTES}{qualifier}{hint_qualifier} "
            f"[{{dst}}], [{{src}}], {{size}}, [{{bar}}]{operand}{hint_operand};",
            HOPPER,
            f"{prefix}global.to.shared.cluster",
            (
                Parameter("dst", CLUSTER),
                Parameter("bar", SHARED),
                Parameter("src", GLOBAL),
                size,
                Parameter("mask", I16),
                HINT,
                flag(mask),
                flag(hint),
            ),
        )
    for hint in (False, True):
        qualifier, operand = hinted(hint)
        yield Variant(
            "cp.async.bulk",
            "9.7.9.25.4.1",
            f"cp.async.bulk.shared::cta.global{BYTES}{qualifier} "
            f"[{{dst}}], [{{src}}], {{size}}, [{{bar}}]{operand};",
            HOPPER_CTA,
            f"{prefix}global.to.shared.cta",
            (
                Parameter("dst", SHARED),
                Parameter("bar", SHARED),
                Parameter("src", GLOBAL),
                size,
                HINT,
                flag(hint),
            ),
        )
        to_global = (Parameter("dst", GLOBAL), Parameter("src", SHARED), size, HINT)
        yield Variant(
            "cp.async.bulk",
            "9.7.9.25.4.1",
            f"cp.async.bulk.global.shared::cta.bulk_group{qualifier} "
            f"[{{dst}}], [{{src}}], {{size}}{operand};",
            HOPPER,
            f"{prefix}shared.cta.to.global",
            (*to_global, flag(hint)),
        )
        yield Variant(
            "cp.async.bulk",
            "9.7.9.25.4.1",
            f"cp.async.bulk.global.shared::cta.bulk_group{qualifier}.cp_mask "
            f"[{{dst}}], [{{src}}], {{size}}{operand}, {{bytes}};",
            BLACKWELL,
            f"{prefix}shared.cta.to.global.bytemask",
            (*to_global, flag(hint), Parameter("bytes", I16)),
        )
        yield Variant(
            "cp.async.bulk.prefetch",
            "9.7.9.25.4.3",
            f"cp.async.bulk.prefetch.L2.global{qualifier} "
            f"[{{src}}], {{size}}{operand};",
            HOPPER,
            f"{prefix}prefetch.L2",
            (Parameter("src", GLOBAL), size, HINT, flag(hint)),
        )
    yield Variant(
        "cp.async.bulk",
        "9.7.9.25.4.1",
        f"cp.async.bulk.shared::cluster.shared::cta{BYTES} "
        "[{dst}], [{src}], {size}, [{bar}];",
        HOPPER,
        f"{prefix}shared.cta.to.cluster",
        (
            Parameter("dst", CLUSTER),
            Parameter("bar", SHARED),
            Parameter("src", SHARED),
            size,
        ),
    )


def groups():
    yield Variant(
        "cp.async.bulk groups",
        "9.7.9.25.6.1",
        "cp.async.bulk.commit_group;",
        HOPPER,
        "llvm.nvvm.cp.async.bulk.commit.group",
    )
    for read, count in product(("", ".read"), (0, 3)):
        yield Variant(
            "cp.async.bulk groups",
            "9.7.9.25.6.2",
            f"cp.async.bulk.wait_group{read} {count};",
            HOPPER,
            f"llvm.nvvm.cp.async.bulk.wait.group{read}",
            (Parameter("count", I32, count),),
        )


# ---------------------------------------------------------------------------
# cp.async.bulk.tensor
# ---------------------------------------------------------------------------


def modes(*names):
    """(mode, dimensions, coordinates, offsets) of the modes that are named."""
    for dims in range(1, 6):
        for name in names:
            if name == "tile":
                yield name, dims, dims, 0
            elif name in ("tile::gather4", "tile::scatter4"):
                if dims == 2:
                    yield name, 2, 5, 0
            elif dims >= 3:
                offsets = dims - 2 if name == "im2col" else 2
                yield name, dims, dims, offsets


def numbered(prefix, kind, count):
    return tuple(Parameter(f"{prefix}{i}", kind) for i in range(count))


def braced(prefix, count):
    names = ", ".join(f"{{{prefix}{i}}}" for i in range(count))
    return f"{{{{{names}}}}}"


def intrinsic_mode(mode, dims):
    return f"{mode.replace('::', '.').replace('_', '.')}.{dims}d"


LOAD_MODES = ("tile", "tile::gather4", "im2col", "im2col::w", "im2col::w::128")
MAP = Parameter("map", GENERIC)
TENSOR_SECTION = "9.7.9.25.5.2"


def load_targets(mode, group):
    return FIFTH if group or mode not in ("tile", "im2col") else HOPPER


def loads():
    for mode, dims, coordinates, offsets in modes(*LOAD_MODES):
        offset_text = f", {braced('o', offsets)}" if offsets else ""
        box = f"[{{map}}, {braced('c', coordinates)}]"
        place = numbered("c", I32, coordinates) + numbered("o", I16, offsets)
        for mask, hint, group in product((False, True), (False, True), (0, 1, 2)):
            qualifier, operand = multicast(mask)
            hint_qualifier, hint_operand = hinted(hint)
            pair = f".cta_group::{group}" if group else ""
            yield Variant(
                "cp.async.bulk.tensor",
                TENSOR_SECTION,
                f"cp.async.bulk.tensor.{dims}d.shared::cluster.global.{mode}{BYTES}"
                f"{qualifier}{hint_qualifier}{pair} "
                f"[{{dst}}], {box}, [{{bar}}]{offset_text}{operand}{hint_operand};",
                load_targets(mode, group),
                f"llvm.nvvm.cp.async.bulk.tensor.g2s.{intrinsic_mode(mode, dims)}",
                (
                    Parameter("dst", CLUSTER),
                    Parameter("bar", SHARED),
                    MAP,
                    *place,
                    Parameter("mask", I16),
                    HINT,
                    flag(mask),
                    flag(hint),
                    Parameter("group", I32, group),
                ),
            )
        for hint in (False, True):
            qualifier, operand = hinted(hint)
            yield Variant(
                "cp.async.bulk.tensor",
                TENSOR_SECTION,
                f"cp.async.bulk.tensor.{dims}d.shared::cta.global.{mode}{BYTES}"
                f"{qualifier} [{{dst}}], {box}, [{{bar}}]{offset_text}{operand};",
                {
                    "tile": HOPPER_CTA,
                    "im2col": HOPPER_CTA,
                    "tile::gather4": BLACKWELL,
                    "im2col::w": BLACKWELL,
                    "im2col::w::128": FIFTH,
                }[mode],
                f"llvm.nvvm.cp.async.bulk.tensor.g2s.cta.{intrinsic_mode(mode, dims)}",
                (
                    Parameter("dst", SHARED),
                    Parameter("bar", SHARED),
                    MAP,
                    *place,
                    HINT,
                    flag(hint),
                ),
            )
            yield Variant(
                "cp.async.bulk.prefetch.tensor",
                "9.7.9.25.5.4",
                f"cp.async.bulk.prefetch.tensor.{dims}d.L2.global.{mode}"
                f"{qualifier} {box}{offset_text}{operand};",
                load_targets(mode, 0),
                f"llvm.nvvm.cp.async.bulk.tensor.prefetch.{intrinsic_mode(mode, dims)}",
                (MAP, *place, HINT, flag(hint)),
            )


REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")


def stores():
    """Stores and reductions, which take no offsets."""
    for mode, dims, coordinates, _ in modes("tile", "tile::scatter4", "im2col"):
        box = f"[{{map}}, {braced('c', coordinates)}]"
        written = {"im2col": "im2col_no_offs"}.get(mode, mode)
        name = intrinsic_mode(mode, dims)
        for hint in (False, True):
            qualifier, operand = hinted(hint)
            parameters = (
                Parameter("src", SHARED),
                MAP,
                *numbered("c", I32, coordinates),
                HINT,
                flag(hint),
            )
            tail = f".{written}.bulk_group{qualifier} {box}, [{{src}}]{operand};"
            yield Variant(
                "cp.async.bulk.tensor",
                TENSOR_SECTION,
                f"cp.async.bulk.tensor.{dims}d.global.shared::cta{tail}",
                load_targets(mode, 0),
                f"llvm.nvvm.cp.async.bulk.tensor.s2g.{name}",
                parameters,
            )
            if mode == "tile::scatter4":
                continue
            for operation in REDUCTIONS:
                yield Variant(
                    "cp.reduce.async.bulk.tensor",
                    "9.7.9.25.5.3",
                    f"cp.reduce.async.bulk.tensor.{dims}d.global.shared::cta"
                    f".{operation}{tail}",
                    HOPPER,
                    f"llvm.nvvm.cp.async.bulk.tensor.reduce.{operation}.{name}",
                    parameters,
                )


VARIANTS = (*bulk(), *groups(), *loads(), *stores())
