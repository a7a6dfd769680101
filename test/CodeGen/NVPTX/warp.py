# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Generates the tests of the warp-level matrix intrinsics.

warp.py sm_80 70 prints a function for each variant whose lowest target is sm_80
with PTX 7.0 (one for each selector of sparse ones). Its parameters are the
instruction's registers, its result is what the instruction returns; the checks
follow each from its place in the parameters or the result to its place in the
instruction. warp-sm80-ptx70.ll and its like run this script, warp-coverage.ll
checks that together they miss nothing.

The stubs add --implicit-check-not=.sync. and --implicit-check-not=mov. : nothing
stands between what the checks name.
"""

import os
import re
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
import stubs
from ptx_isa.matrix import VARIANTS, ir
from ptx_isa.matrix.assembly import operand_texts

# How LLVM names the registers of a width.
REGISTERS = {16: "%rs[0-9]+", 32: "%r[0-9]+", 64: "%rd[0-9]+"}
ANY_SPACE = "{{[[:space:]]*}}"


def width(role, register):
    return 64 if role == "p" else register.bits


def variable(role, i):
    return f"{role.upper().replace('-', '')}{i}"


def use(role, i):
    return f"[[{variable(role, i)}]]"


def define(role, i, register):
    return f"[[{variable(role, i)}:{REGISTERS[width(role, register)]}]]"


def instruction(variant, target, selector):
    """The pattern of the instruction. D is defined here, the rest before."""
    text = {}
    for operand in variant.operands:
        role, count = operand.role, operand.fragment.count
        if role == "d":
            register = operand.fragment.register
            text[role] = [define(role, i, register) for i in range(count)]
        elif role == "selector":
            text[role] = [str(selector)]
        elif role == "p":
            text[role] = [use(role, 0)]
        else:
            text[role] = [use(role, i) for i in range(count)]
    operands = [
        # [[[P0]]] would not be what it looks like.
        re.sub(r"^\[(.*)\]$", r"{{\\[}}\1{{\\]}}", o) if "[[P0]]" in o else o
        for o in operand_texts(variant.operands, text, variant.mnemonic)
    ]
    joined = f",{ANY_SPACE}".join(operands)
    return f"{variant.mnemonic_in(target.ptx)}{ANY_SPACE}{joined};"


def gen_function(variant, target, name, selector=None):
    out = [f"; CHECK-LABEL: .func {{{{.*}}}}{name}("]
    parameters = [r for r in ir.registers(variant) if r[0] != "selector"]
    for number, (role, i, register) in enumerate(parameters):
        out.append(
            f"; CHECK-DAG: ld.param.b{width(role, register)} "
            f"{define(role, i, register)}, [{name}_param_{number}];"
        )
    out.append("; CHECK-NOT: mov.")
    out.append(f"; CHECK: {{{{[[:space:]]}}}}{instruction(variant, target, selector)}")
    if variant.result:
        bits = variant.result.register.bits
        for i in range(variant.result.count):
            offset = f"+{i * bits // 8}" if i else ""
            out.append(
                f"; CHECK-DAG: st.param.b{bits} [func_retval0{offset}], {use('d', i)};"
            )
    out += ["; CHECK-NOT: {{mov|[.]sync}}.", "; CHECK: ret;"]
    return out + ir.function(variant, name, selector)


def gen_tests(target):
    for variant in VARIANTS:
        if target not in variant.targets or not variant.intrinsic:
            continue
        for selector in variant.selectors or (None,):
            name = ir.name(variant) + ("" if selector is None else f"_sel{selector}")
            print("\n".join(gen_function(variant, target, name, selector)))
        print(ir.declaration(variant) + "\n")


def gen_illegal_selectors():
    """A call for each sparsity selector that a sparse instruction does not have."""
    for variant in (v for v in VARIANTS if v.selectors):
        count = len(variant.selectors)
        for selector in range(4):
            if selector in variant.selectors:
                continue
            name = f"{ir.name(variant)}_sel{selector}"
            print(
                f"; CHECK: immarg value {selector}{{{{( for arg [0-9]+)?}}}} out of range [0,{{{{ ?}}}}{count})"
            )
            print(f"; CHECK-NEXT: call {{{{.*}}}} @{variant.mangled}(")
            print("\n".join(ir.function(variant, name, selector)) + "\n")


if __name__ == "__main__":
    stubs.main(
        "warp",
        VARIANTS,
        {target for v in VARIANTS if v.intrinsic for target in v.targets},
        gen_tests,
        illegal_selectors=gen_illegal_selectors,
    )
