# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Generates calls of the matrix intrinsics that a target lacks.

matrix-errors.py sm_80 70 prints a function for each intrinsic that the PTX ISA
does not have on sm_80 with PTX 7.0, with a check of the one error that llc must
report for it. matrix-errors-target.ll runs it.
"""

import argparse
import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
from ptx_isa.matrix import INTRINSICS, ir
from ptx_isa.matrix.targets import assembled
from ptx_isa.matrix.variant import Target


def version(ptx):
    return f"{ptx // 10}.{ptx % 10}"


def needed(variant, target):
    """What the error must say of the need: all of it where that is one target."""
    if variant.last_ptx and target.ptx > variant.last_ptx:
        return "a PTX version below 6.5, which removed .satfinite"
    lowest = (variant.beyond + variant.targets)[0]
    text = f"{lowest.arch} and PTX {version(lowest.ptx)}"
    if len(variant.targets) == 1:
        return text + ", but"
    return text if lowest.arch == "sm_120a" else lowest.arch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("arch")
    parser.add_argument("ptx", type=int)
    args = parser.parse_args()
    target = Target(args.arch, args.ptx)

    lacking = [
        variants[0]
        for variants in INTRINSICS.values()
        if not assembled(variants[0], target)
    ]
    assert lacking, f"{target} has everything"
    for variant in lacking:
        selector = variant.selectors[0] if variant.selectors else None
        print(
            f"; CHECK: error: {{{{.*}}}}{variant.intrinsic} "
            f"requires {needed(variant, target)}{{{{.*}}}} "
            f"the target is {args.arch} with PTX {version(args.ptx)}{{{{$}}}}"
        )
        print("\n".join(ir.function(variant, ir.name(variant), selector)))
        print(ir.declaration(variant) + "\n")
    print("; CHECK-NOT: error:")


if __name__ == "__main__":
    main()
