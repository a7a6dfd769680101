# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Compares the targets on which llc has an intrinsic with those of the PTX ISA, and
the few more for which ptxas takes the instruction.

usage: warp_targets.py LLC

For each target around which the ISA's list changes, llc gets a function for each
intrinsic. It must compile those of the instructions that are there, and
name the others in an error. What differs is printed.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
from ptx_isa.matrix import INTRINSICS, ir
from ptx_isa.matrix.targets import BOUNDARIES, assembled
from ptx_isa.matrix.variant import Target

# The state space makes no difference.
VARIANTS = [variants[0] for variants in INTRINSICS.values()]
ERROR = re.compile(
    r"in function f(\d+)\b[^:]*: (\S+) requires (?:sm_|a PTX version).*, "
    r"but the target is (sm_\w+) with PTX (\d+)\.(\d)$"
)


def module():
    lines = []
    for index, variant in enumerate(VARIANTS):
        selector = variant.selectors[0] if variant.selectors else None
        lines += ir.function(variant, f"f{index}", selector)
    return "\n".join(lines)


def compare(llc, text, target):
    """How llc differs from the ISA, as texts."""
    options = ["-mtriple=nvptx64", f"-mcpu={target.arch}", f"-mattr=+ptx{target.ptx}"]
    done = subprocess.run(
        [llc, *options, "-o", os.devnull], input=text, capture_output=True, text=True
    )
    errors = {}
    for line in filter(None, done.stderr.splitlines()):
        match = ERROR.search(line)
        # Anything else that it says, or dies of, or another target than it has.
        if not match or Target(match[3], int(match[4] + match[5])) != target:
            return [f"{target}: llc says '{line}'"]
        errors[int(match[1])] = match[2]
    differences = []
    for index, variant in enumerate(VARIANTS):
        if assembled(variant, target) and index in errors:
            differences.append(f"{target}: llc refuses {variant.intrinsic}")
        elif not assembled(variant, target) and index not in errors:
            differences.append(f"{target}: llc accepts {variant.intrinsic}")
        elif index in errors and errors[index] != variant.intrinsic:
            differences.append(
                f"{target}: of {variant.intrinsic}, llc says {errors[index]}"
            )
    return differences


def main():
    (llc,) = sys.argv[1:]
    text = module()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda target: compare(llc, text, target), BOUNDARIES)
        differences = sum(found, [])
    for difference in differences:
        print(difference)
    print(
        f"{len(VARIANTS)} intrinsics on {len(BOUNDARIES)} targets: "
        f"{len(differences)} differences"
    )


if __name__ == "__main__":
    main()
