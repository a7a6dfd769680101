# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Compares where llc and clang have an instruction with where the PTX ISA has it.

usage: kernel_targets.py llc LLC | clang CLANG | ptxas PTXAS

Of the instructions around the matrix instructions, for each target around which
the ISA's list changes. llc must compile a function for each that the ISA has
there, and name the others in an error of what they require; clang must have the
builtins; ptxas must take the instructions. What differs is printed.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
from ptx_isa.kernel import VARIANTS, ir, text
from ptx_isa.matrix import assembly
from ptx_isa.matrix.targets import BOUNDARIES, supported
from ptx_isa.matrix.variant import Target

# Of the same intrinsic and targets one does for all.
KEYS = {}
for _variant in VARIANTS:
    KEYS.setdefault((_variant.intrinsic, _variant.targets), _variant)
SAMPLE = list(KEYS.values())

MORE_BOUNDARIES = [
    Target(arch, ptx)
    for arch, versions in {
        "sm_70": (74, 75),
        "sm_80": (73, 74),
        "sm_90": (81, 82, 83, 85, 86),
        "sm_90a": (81, 82, 83, 85, 86),
        "sm_100": (87,),
        "sm_100a": (88,),
        "sm_101a": (87,),
    }.items()
    for ptx in versions
]
TARGETS = sorted({*BOUNDARIES, *MORE_BOUNDARIES})

ERROR = re.compile(
    r"in function f(\d+)\b[^:]*: (\S+) (?:with \d+ as argument \d+ )?requires sm_.*, "
    r"but the target is (sm_\w+) with PTX (\d+)\.(\d)$"
)


def refused_by_llc(llc, target):
    """The indices of the functions in SAMPLE that llc refuses, and complaints."""
    module = "\n".join(
        line for i, v in enumerate(SAMPLE) for line in ir.function(v, f"f{i}")
    )
    options = ["-mtriple=nvptx64", f"-mcpu={target.arch}", f"-mattr=+ptx{target.ptx}"]
    done = subprocess.run(
        [llc, *options, "-o", os.devnull], input=module, capture_output=True, text=True
    )
    refused, complaints = set(), []
    for line in filter(None, done.stderr.splitlines()):
        # Of setmaxnreg outside of a kernel.
        if line.startswith("warning: "):
            continue
        match = ERROR.search(line)
        if not match or Target(match[3], int(match[4] + match[5])) != target:
            # Anything else that it says, or dies of, or another target than it has.
            return refused, [f"{target}: llc says '{line}'"]
        index = int(match[1])
        refused.add(index)
        if match[2] != SAMPLE[index].intrinsic:
            complaints.append(
                f"{target}: llc takes {SAMPLE[index].intrinsic} for {match[2]}"
            )
    return refused, complaints


def refused_by_ptxas(ptxas, target):
    lines = [text.instruction(v) for v in SAMPLE]
    refused = assembly.refused(ptxas, lines, target)
    return set(refused), []


def compare(tool, path, target):
    """How the tool differs from the ISA, as texts."""
    refuse = {"llc": refused_by_llc, "ptxas": refused_by_ptxas}[os.path.basename(tool)]
    refused, differences = refuse(path, target)
    if differences:
        return differences
    for index, variant in enumerate(SAMPLE):
        if supported(variant, target) == (index in refused):
            verb = "refuses" if index in refused else "accepts"
            differences.append(
                f"{target}: {tool} {verb} {variant.intrinsic}: {text.instruction(variant)}"
            )
    return differences


def main():
    tool, path = sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda target: compare(tool, path, target), TARGETS)
        differences = sum(found, [])
    for difference in differences:
        print(difference)
    print(
        f"{len(SAMPLE)} instructions on {len(TARGETS)} targets: "
        f"{len(differences)} differences"
    )


if __name__ == "__main__":
    main()
