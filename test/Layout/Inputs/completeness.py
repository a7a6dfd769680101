# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Check that the command has every operand that the PTX grammar has.

  completeness.py LAYOUT

For each instruction of the grammar the command must list the operands in registers,
with as many registers as the grammar says. Exempt: wmma, whose fragments PTX leaves
open.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[3] / "utils"))
from ptx_isa import wgmma
from ptx_isa.matrix import block_scale, mma, mma_sp, moves

TYPES = r"(f64|f32|s32|f16|bf16|tf32|[su][84]|e4m3|e5m2|e3m2|e2m3|e2m1|b1)"


def warp_level():
    """(instruction, operand, registers) of mma and mma.sp."""
    for variant in mma.VARIANTS + mma_sp.VARIANTS:
        match = re.search(
            r"\.(m\d+n\d+k\d+)\.(row|col)\.(row|col).*?"
            rf"\.{TYPES}\.{TYPES}\.{TYPES}\.{TYPES}",
            variant.mnemonic,
        )
        shape, *layouts, d, a, _, c = match.groups()
        family = "mma.sp" if variant.family.startswith("mma.sp") else "mma"
        name = f"{family}.{shape}.{a}"
        has_layouts = name == "mma.m8n8k4.f16"
        for role, layout in zip("ab", layouts):
            operand = role.upper() + (f".{layout}" if has_layouts else "")
            yield name, operand, variant.argument(role).fragment.count
        yield name, f"C.{d}", variant.result.count
        yield name, f"C.{c}", variant.argument("c").fragment.count
        if variant.argument("metadata"):
            yield name, "metadata", 1


def with_block_scale():
    """The same of mma and mma.sp with block scaling."""
    default_sizes = {"mxf8f6f4": "1X", "mxf4": "2X"}
    for variant in block_scale.VARIANTS:
        match = re.search(
            r"\.(m\d+n\d+k\d+)\.row\.col\.kind::(\w+)\.block_scale"
            rf"(?:\.scale_vec::(\dX))?\.f32\.{TYPES}\.{TYPES}\.f32\.",
            variant.mnemonic,
        )
        shape, kind, size, a, _ = match.groups()
        sparse = variant.argument("metadata") is not None
        family = "mma.sp.block_scale" if sparse else "mma.block_scale"
        name = f"{family}.{shape}.{kind}.{size or default_sizes[kind]}.{a}"
        for role in "ab":
            yield name, role.upper(), variant.argument(role).fragment.count
        yield name, "C.f32", variant.argument("c").fragment.count
        for role in "ab":
            count = variant.argument(f"scale-{role}").fragment.count
            yield name, f"scale_{role.upper()}", count
        if sparse:
            yield name, "metadata", 1


def warpgroup_level():
    """The same of wgmma, where N is the largest."""
    for rule in wgmma.RULES:
        for d in rule.dtypes:
            for a, _ in rule.abtypes:
                for family, k in (("wgmma", rule.k), ("wgmma.sp", rule.sparse_k)):
                    if not k:
                        continue
                    name = f"{family}.m64nNk{k}.{a}"
                    yield name, "A", 4
                    yield name, f"D.{d}", 64 if d == "f16" else 128
                    if family == "wgmma.sp":
                        yield name, "metadata", 1


def matrix_moves():
    for variant in moves.VARIANTS:
        mnemonic = variant.mnemonic.replace(".shared", "")
        name = mnemonic.replace(".sync.aligned", "")
        for operand in variant.operands:
            yield name, operand.role, operand.fragment.count


def main():
    expected = {
        *warp_level(),
        *with_block_scale(),
        *warpgroup_level(),
        *matrix_moves(),
    }
    output = subprocess.run(
        [sys.argv[1], "--list"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    lines = [tuple(line.split()) for line in output.splitlines()]
    listed = {(name, operand, int(count)) for name, operand, count in lines}
    for what, operands in (
        ("missing", expected - listed),
        ("not in the grammar", listed - expected),
    ):
        for operand in sorted(operands):
            print(f"error: {what}: {' '.join(map(str, operand))} registers")
    print(f"{len(expected & listed)} operands")
    return 0 if expected == listed and len(listed) == len(lines) else 1


if __name__ == "__main__":
    sys.exit(main())
