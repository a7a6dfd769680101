# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""mbarrier, fences and barriers: PTX ISA 9.7.13."""

from itertools import product

from ptx_isa.matrix.targets import targets

from .variant import GENERIC, CLUSTER, I1, I32, I64, SHARED, Parameter, Variant

AMPERE = targets(("sm_80", 70))
HOPPER_78 = targets(("sm_90", 78))
HOPPER_80 = targets(("sm_90", 80))
HOPPER_86 = targets(("sm_90", 86))

# ---------------------------------------------------------------------------
# mbarrier
# ---------------------------------------------------------------------------


def mbarrier_basic():
    """The instructions of PTX 7.0, with a generic and with a shared address."""
    state = (Parameter("state", I64),)
    count = (Parameter("count", I32),)
    for space, suffix, kind in (("", "", GENERIC), (".shared", ".shared", SHARED)):
        address = (Parameter("bar", kind),)
        for operation, name, section, more, result in (
            ("init", "init", "9.7.13.15.9", count, ()),
            ("inval", "inval", "9.7.13.15.10", (), ()),
            ("arrive", "arrive", "9.7.13.15.13", (), (I64,)),
            ("arrive.noComplete", "arrive.noComplete", "9.7.13.15.13", count, (I64,)),
            ("arrive_drop", "arrive.drop", "9.7.13.15.14", (), (I64,)),
            (
                "arrive_drop.noComplete",
                "arrive.drop.noComplete",
                "9.7.13.15.14",
                count,
                (I64,),
            ),
            ("test_wait", "test.wait", "9.7.13.15.16", state, (I1,)),
        ):
            operands = ["{r}"] if result else []
            operands += ["[{bar}]", *(f"{{{p.name}}}" for p in more)]
            yield Variant(
                "mbarrier",
                section,
                f"mbarrier.{operation}{space}.b64 {', '.join(operands)};",
                AMPERE,
                f"llvm.nvvm.mbarrier.{name}{suffix}",
                (*address, *more),
                result,
            )
    yield Variant(
        "mbarrier",
        "9.7.13.15.17",
        "mbarrier.pending_count.b64 {r}, {state};",
        AMPERE,
        "llvm.nvvm.mbarrier.pending.count",
        state,
        (I32,),
    )


# LLVM prints .shared, which is .shared::cta, and leaves the default semantics out
# where the scope is the default as well: each may be left out only with the other.
SPACES = {"cta": (".shared", SHARED), "cluster": (".shared::cluster", CLUSTER)}


def semantics(default, relaxed, scope):
    if relaxed:
        return f".relaxed.{scope}"
    return f".{default}.cluster" if scope == "cluster" else ""


def arrive_targets(operation, relaxed, scope, space):
    if relaxed:
        return HOPPER_86
    # A count came before scopes, transactions and remote mbarriers.
    plain = operation in ("arrive", "arrive_drop") and scope == space == "cta"
    return HOPPER_78 if plain else HOPPER_80


def mbarrier_transactions():
    tx = Parameter("count", I32)
    for scope, space in product(("cta", "cluster"), SPACES):
        qualifier, kind = SPACES[space]
        tail = f"scope.{scope}.space.{space}"
        for operation, name, section in (
            ("expect_tx", "expect.tx", "9.7.13.15.11"),
            ("complete_tx", "complete.tx", "9.7.13.15.12"),
        ):
            yield Variant(
                "mbarrier",
                section,
                f"mbarrier.{operation}.relaxed.{scope}{qualifier}.b64 [{{bar}}], {{count}};",
                HOPPER_80,
                f"llvm.nvvm.mbarrier.{name}.{tail}",
                (Parameter("bar", kind), tx),
            )
        for operation, relaxed in product(
            ("arrive", "arrive.expect_tx", "arrive_drop", "arrive_drop.expect_tx"),
            (False, True),
        ):
            name = operation.replace("_", ".") + (".relaxed" if relaxed else "")
            # A remote mbarrier has no state to return.
            result = (I64,) if space == "cta" else ()
            drop = "9.7.13.15.14" if "drop" in operation else "9.7.13.15.13"
            yield Variant(
                "mbarrier",
                drop,
                f"mbarrier.{operation}{semantics('release', relaxed, scope)}{qualifier}"
                f".b64 {'{r}' if result else '_'}, [{{bar}}], {{count}};",
                arrive_targets(operation, relaxed, scope, space),
                f"llvm.nvvm.mbarrier.{name}.{tail}",
                (Parameter("bar", kind), tx),
                result,
            )


def wait_targets(operation, parity, relaxed, scope):
    if relaxed:
        return HOPPER_86
    if scope == "cluster":
        return HOPPER_80
    if operation == "try_wait":
        return HOPPER_78
    return targets(("sm_80", 71)) if parity else AMPERE


def mbarrier_waits():
    for operation, parity, relaxed, scope, limit in product(
        ("test_wait", "try_wait"),
        (False, True),
        (False, True),
        ("cta", "cluster"),
        (False, True),
    ):
        if limit and operation == "test_wait":
            continue
        phase = Parameter("phase", I32 if parity else I64)
        parameters = (Parameter("bar", SHARED), phase)
        name = operation.replace("_", ".") + (".parity" if parity else "")
        if limit:
            parameters += (Parameter("limit", I32),)
            name += ".tl"
        yield Variant(
            "mbarrier",
            "9.7.13.15.16",
            f"mbarrier.{operation}{'.parity' if parity else ''}"
            f"{semantics('acquire', relaxed, scope)}.shared.b64 "
            f"{{r}}, [{{bar}}], {{phase}}{', {limit}' if limit else ''};",
            wait_targets(operation, parity, relaxed, scope),
            f"llvm.nvvm.mbarrier.{name}{'.relaxed' if relaxed else ''}"
            f".scope.{scope}.space.cta",
            parameters,
            (I1,),
        )


# ---------------------------------------------------------------------------
# Fences
# ---------------------------------------------------------------------------


def fence(text, low, intrinsic, parameters=()):
    return Variant(
        "fence",
        "9.7.13.4",
        f"fence.{text};",
        low,
        f"llvm.nvvm.fence.{intrinsic}",
        parameters,
    )


def fences():
    yield fence("sc.cluster", HOPPER_78, "sc.cluster")
    yield fence(
        "mbarrier_init.release.cluster", HOPPER_80, "mbarrier_init.release.cluster"
    )
    for direction, space in (("acquire", "cluster"), ("release", "cta")):
        tail = f"{direction}.sync_restrict::shared::{space}.cluster"
        name = f"{direction}.sync_restrict.space.{space}.scope.cluster"
        yield fence(tail, HOPPER_86, name)
        yield fence(
            f"proxy.async::generic.{tail}", HOPPER_86, f"proxy.async_generic.{name}"
        )
    yield fence("proxy.alias", targets(("sm_70", 75)), "proxy.alias")
    yield fence("proxy.async", HOPPER_80, "proxy.async")
    for space in ("global", "shared::cta", "shared::cluster"):
        name = space.replace("::", "_")
        yield fence(f"proxy.async.{space}", HOPPER_80, f"proxy.async.{name}")
    for scope in ("cta", "cluster", "gpu", "sys"):
        low = targets(("sm_90", 83))
        yield fence(
            f"proxy.tensormap::generic.release.{scope}",
            low,
            f"proxy.tensormap_generic.release.{scope}",
        )
        yield fence(
            f"proxy.tensormap::generic.acquire.{scope} [{{map}}], 128",
            low,
            f"proxy.tensormap_generic.acquire.{scope}",
            (Parameter("map", GENERIC), Parameter("size", I32, 128)),
        )


# ---------------------------------------------------------------------------
# Barriers
# ---------------------------------------------------------------------------


def cta_barriers():
    """bar is barrier with .aligned, in the words of all PTX versions.

    Both are older than sm_70, the first architecture here.
    """
    name, count = Parameter("name", I32), Parameter("count", I32)
    predicate = Parameter("predicate", I1)
    for aligned, all_threads in product((False, True), repeat=2):
        prefix = "bar" if aligned else "barrier"
        low = targets(("sm_70", 60))
        tail = (".aligned" if aligned else "") + (".all" if all_threads else ".count")
        who, text = (
            ((name,), "{name}") if all_threads else ((name, count), "{name}, {count}")
        )
        yield Variant(
            "barrier",
            "9.7.13.1",
            f"{prefix}.sync {text};",
            low,
            f"llvm.nvvm.barrier.cta.sync{tail}",
            who,
        )
        if not all_threads:
            yield Variant(
                "barrier",
                "9.7.13.1",
                f"{prefix}.arrive {text};",
                low,
                f"llvm.nvvm.barrier.cta.arrive{tail}",
                who,
            )
        for operation, kind, ptx in (
            ("popc", I32, "u32"),
            ("and", I1, "pred"),
            ("or", I1, "pred"),
        ):
            yield Variant(
                "barrier",
                "9.7.13.1",
                f"{prefix}.red.{operation}.{ptx} {{r}}, {text}, {{predicate}};",
                low,
                f"llvm.nvvm.barrier.cta.red.{operation}{tail}",
                (*who, predicate),
                (kind,),
            )


def cluster_barriers():
    for operation, aligned in product(
        ("arrive", "arrive.relaxed", "wait"), ("", ".aligned")
    ):
        yield Variant(
            "barrier.cluster",
            "9.7.13.3",
            f"barrier.cluster.{operation}{aligned};",
            HOPPER_80 if "relaxed" in operation else HOPPER_78,
            f"llvm.nvvm.barrier.cluster.{operation}{aligned}",
        )


VARIANTS = (
    *mbarrier_basic(),
    *mbarrier_transactions(),
    *mbarrier_waits(),
    *fences(),
    *cta_barriers(),
    *cluster_barriers(),
)
