# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Other spellings that the PTX ISA allows for variants. LLVM never prints them."""

from dataclasses import replace

from .targets import ARCHITECTURES, Target


def from_ptx(variant, ptx):
    """The variant's targets, no PTX version below ptx."""
    return tuple(
        Target(t.arch, max(t.ptx, ptx, ARCHITECTURES[t.arch])) for t in variant.targets
    )


def spellings(variants):
    """(spelling, variant) pairs; the spelling is a variant without intrinsic."""
    for variant in variants:
        if variant.space == ".shared":
            # Since PTX 7.8.
            mnemonic = variant.mnemonic.replace(".shared", ".shared::cta")
            targets = from_ptx(variant, 78)
        elif variant.mnemonic.startswith("mma.") and variant.mnemonic.endswith(
            ".col.f64.f64.f64.f64"
        ):
            # The default rounding. wmma.mma.rn has an intrinsic of its own.
            mnemonic = variant.mnemonic.replace(".col.", ".col.rn.")
            targets = variant.targets
        else:
            continue
        yield replace(
            variant, mnemonic=mnemonic, targets=targets, intrinsic=None
        ), variant
