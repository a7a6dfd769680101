# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""How long a kernel of many wgmma compiles, with builtins and with inline asm.

The same clang compiles the same kernel (see wgmma_kernels.py) in each form, to PTX
and, where there is ptxas, to machine code. That both issue the same wgmma is
checked in what comes out.
"""

import collections
import os
import re

from measure import cpu_seconds, interleaved_medians
from wgmma_kernels import FORMS, instruction, kernel

LIMIT_FACTOR = 3
COUNT = 64
# The first is the one that the limit is for.
CASES = [
    {"n": n, "sparse": sparse, "group": group}
    for n in (256, 64)
    for sparse in (False, True)
    for group in (COUNT, 4)
]


def compile_command(build, source, output):
    # CUDA's headers would cost both forms the same, and more than the kernel.
    options = ["-O3", "--cuda-gpu-arch=sm_90a", "--cuda-feature=+ptx82"]
    return build.device_compile(options, source, output)


def wgmma_instructions(ptx):
    """{instruction: how often it stands in PTX text}."""
    names = re.findall(r"\bwgmma\.mma_async\S+", ptx)
    return dict(collections.Counter(names))


def write_kernels(build, folder, case, count):
    """Writes and compiles all forms once; returns {form: (source, PTX)}."""
    files = {}
    expected = {instruction(case["n"], case["sparse"]): count}
    for form in FORMS:
        name = f"n{case['n']}{'-sp' if case['sparse'] else ''}-{case['group']}-{form}"
        source, ptx = f"{folder}/{name}.cu", f"{folder}/{name}.ptx"
        with open(source, "w") as file:
            file.write(kernel(form, count=count, **case))
        cpu_seconds(compile_command(build, source, ptx))
        with open(ptx) as file:
            found = wgmma_instructions(file.read())
        if found != expected:
            raise ValueError(f"{ptx} has {found}, not {expected}")
        files[form] = (source, ptx)
    return files


def measure_case(build, folder, ptxas, case, count, rounds):
    files = write_kernels(build, folder, case, count)
    steps = {
        "clang": {f: compile_command(build, s, p) for f, (s, p) in files.items()},
    }
    if ptxas:
        steps["ptxas"] = {
            form: [ptxas, "-arch=sm_90a", ptx, "-o", f"{ptx}.cubin"]
            for form, (_, ptx) in files.items()
        }
    # ptxas takes longest, and the same for all forms.
    rounds_of = {"clang": rounds, "ptxas": min(rounds, 3)}
    seconds = {
        step: interleaved_medians(c, rounds_of[step]) for step, c in steps.items()
    }
    ours = seconds["clang"]["builtin"]
    others = {form: t for form, t in seconds["clang"].items() if form != "builtin"}
    return {
        **case,
        "count": count,
        "seconds": seconds,
        "factors": {form: time / ours for form, time in others.items()},
    }


def kernel_cost(build, folder, ptxas, rounds, quick=False):
    """Measures, and returns what was measured."""
    folder = f"{folder}/kernels"
    os.makedirs(folder, exist_ok=True)
    cases = [{**CASES[0], "group": 2}] if quick else CASES
    count = 2 if quick else COUNT
    rows = [measure_case(build, folder, ptxas, case, count, rounds) for case in cases]
    factor = min(rows[0]["factors"].values())
    return {
        "limit_factor": LIMIT_FACTOR,
        "holds": factor >= LIMIT_FACTOR,
        "factor": factor,
        "rounds": rounds,
        "rows": rows,
    }
