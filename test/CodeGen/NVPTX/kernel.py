# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Generates the tests of the intrinsics around the matrix instructions.

kernel.py sm_90 80 prints a function for each variant whose lowest target is
sm_90 with PTX 8.0. Its parameters are the instruction's registers, its result is
what the instruction returns; the checks follow each from its place in the
parameters to its place in the instruction. kernel-sm90-ptx80.ll and its like run
this script, kernel-coverage.ll checks that together they miss nothing.
"""

import os
import re
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
import stubs
from ptx_isa.kernel import VARIANTS, ir, text
from ptx_isa.kernel.variant import LLVM_MAJOR

# How LLVM names the registers of a type. A pointer's are those of 64 bits.
REGISTERS = {
    "": "%rd[0-9]+",
    "b16": "%rs[0-9]+",
    "b32": "%r[0-9]+",
    "b64": "%rd[0-9]+",
    "pred": "%p[0-9]+",
}
WIDTHS = {"": 64, "b16": 16, "b32": 32, "b64": 64}


def lowest(variant):
    return variant.targets[0]


def gen_function(variant, name):
    kinds = {p.name: p.kind for p in variant.operands}
    used = set(re.findall(r"\{(\w+)\}", variant.text))
    print(f"; CHECK-LABEL: .visible .func {{{{.*}}}}{name}(")
    followed = set()
    for number, parameter in enumerate(variant.operands):
        kind = parameter.kind
        # Predicates and vectors take several instructions to load.
        if (
            parameter.name in used
            and kind.ptx in WIDTHS
            and not kind.ir.startswith("<")
        ):
            followed.add(parameter.name)
            print(
                f"; CHECK-DAG: ld.param{{{{(::func)?}}}}.b{WIDTHS[kind.ptx]} "
                f"[[{parameter.name.upper()}:{REGISTERS[kind.ptx]}]], "
                f"[{name}_param_{number}];"
            )

    def operand(key, index):
        if key in followed:
            return f"[[{key.upper()}]]"
        if key in kinds:
            return f"{{{{{REGISTERS[kinds[key].ptx]}}}}}"
        number = int(key[1:] or 0)
        return f"{{{{{REGISTERS[variant.result[number].ptx]}}}}}"

    # So ends what LLVM 23 itself prints to store a byte.
    end = "{{ $}}" if LLVM_MAJOR >= 23 and "%st_async_val" in variant.text else "{{$}}"
    print("; CHECK: {{^[[:space:]]*}}" + text.pattern(variant, operand) + end)
    print("; CHECK: ret;")
    print("\n".join(ir.function(variant, name)) + "\n")


def gen_tests(target):
    declared = {}
    for number, variant in enumerate(VARIANTS):
        if lowest(variant) != target:
            continue
        gen_function(variant, f"f{number}")
        declared[variant.mangled] = ir.declaration(variant)
    print("\n".join(declared.values()))


if __name__ == "__main__":
    stubs.main("kernel", VARIANTS, {lowest(v) for v in VARIANTS}, gen_tests)
