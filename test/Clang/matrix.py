# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Generates the tests of the matrix builtins.

matrix.py            prints a function for each builtin that calls it with its
                     parameters, and checks that each register of each fragment
                     gets to its place in the intrinsic's call, and back
matrix.py sm_80 70   prints calls of those builtins that sm_80 with PTX 7.0 lacks,
                     and the errors that Clang must report
"""

import argparse
import dataclasses
import os
import sys

HERE = os.path.dirname(__file__)
# Here, and in LLVM's repository.
for utils in ("../../utils", "../../../../llvm/utils"):
    sys.path.append(os.path.join(HERE, utils))
from ptx_isa.matrix import INTRINSICS, ir
from ptx_isa.matrix.targets import assembled
from ptx_isa.matrix.variant import B32, F16X2, F32, F64, U16, Target

C_TYPES = {B32: "int", F32: "float", F64: "double", U16: "unsigned short"}
IR_TYPES = {"int": "i32", "float": "float", "double": "double", "_Float16": "half"}

PROLOGUE = """\
#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
"""


def elements(fragment):
    """(type, number) of the elements of the builtin's value for a fragment."""
    if fragment.register == F16X2:
        return "_Float16", 2 * fragment.count
    return C_TYPES[fragment.register], fragment.count


def c_type(fragment):
    element, count = elements(fragment)
    return element if count == 1 else f"vec<{element}, {count}>"


def identifier(role):
    return role.replace("-", "_")


def parameter_type(variant, operand):
    if operand.role == "p":
        return "void *" if variant.result is None else "const void *"
    return c_type(operand.fragment)


def call(variant):
    values = [
        str(variant.selectors[-1]) if o.is_constant else identifier(o.role)
        for o in variant.arguments
    ]
    return f"{variant.builtin}({', '.join(values)})"


def variable(role, i):
    return f"{identifier(role).upper().replace('_', '')}{i}"


def extraction(role, fragment, i):
    """The check of how one register is taken out of a parameter."""
    element, count = elements(fragment)
    vector = f"<{count} x {IR_TYPES[element]}> %{role}"
    if fragment.register == F16X2:
        return (
            f"shufflevector {vector}, <{count} x half> poison, "
            f"<2 x i32> <i32 {2 * i}, i32 {2 * i + 1}>"
        )
    return f"extractelement {vector}, i64 {i}"


def argument_checks(variant):
    """(lines, arguments): how registers are got, and how they are used."""
    lines, arguments = [], []
    for operand in variant.arguments:
        role, fragment = operand.role, operand.fragment
        kind = ir.argument_type(variant, role, fragment.register)
        if operand.is_constant:
            arguments.append(f"{kind} {variant.selectors[-1]}")
        elif fragment.count == 1:
            # Of two halves, the whole parameter is the register.
            arguments.append(f"{kind} {{{{[^%,]*}}}}%{identifier(role)}")
        else:
            for i in range(fragment.count):
                name = variable(role, i)
                lines.append(
                    f"// CHECK-DAG: [[{name}:%[0-9]+]] = {extraction(role, fragment, i)}"
                )
                arguments.append(f"{kind} [[{name}]]")
    return lines, arguments


def result_checks(variant):
    result = variant.result
    if result is None:
        return ["// CHECK-NEXT: ret void"]
    if result.count == 1:
        return [f"// CHECK-NEXT: ret {result.register.ir} [[R]]"]
    element, count = elements(result)
    lines = [
        f"// CHECK-DAG: [[D{i}:%[0-9]+]] = extractvalue {{{{.*}}}} [[R]], {i}"
        for i in range(result.count)
    ]
    if result.register == F16X2:
        return lines + joined_pairs(result.count)
    previous = "poison"
    for i in range(count):
        lines.append(
            f"// CHECK-DAG: [[V{i}:%[0-9]+]] = insertelement "
            f"<{count} x {IR_TYPES[element]}> {previous}, {IR_TYPES[element]} [[D{i}]], i64 {i}"
        )
        previous = f"[[V{i}]]"
    return lines + [f"// CHECK: ret <{count} x {IR_TYPES[element]}> {previous}"]


def joined_pairs(count):
    """Pairs of halves are put together two by two."""
    lines, names, size = [], [f"D{i}" for i in range(count)], 2
    while len(names) > 1:
        wider = []
        for low, high in zip(names[::2], names[1::2]):
            mask = ", ".join(f"i32 {i}" for i in range(2 * size))
            lines.append(
                f"// CHECK-DAG: [[J{low}{high}:%[0-9]+]] = shufflevector "
                f"<{size} x half> [[{low}]], <{size} x half> [[{high}]], "
                f"<{2 * size} x i32> <{mask}>"
            )
            wider.append(f"J{low}{high}")
        names, size = wider, 2 * size
    return lines + [f"// CHECK: ret <{size} x half> [[{names[0]}]]"]


def gen_function(variant):
    parameters = ", ".join(
        f"{parameter_type(variant, o)} {identifier(o.role)}"
        for o in variant.arguments
        if not o.is_constant
    )
    result = c_type(variant.result) if variant.result else "void"
    name = ir.name(variant)
    lines, arguments = argument_checks(variant)
    assign = "[[R:%[0-9]+]] = " if variant.result else ""
    print(f"// CHECK-LABEL: define {{{{.*}}}}@test_{name}(")
    print("\n".join(lines))
    print(
        f"// CHECK: {assign}{{{{(tail )?}}}}call {{{{.*}}}}@{variant.mangled}"
        f"({', '.join(arguments)})"
    )
    print("\n".join(result_checks(variant)))
    print(f'extern "C" __device__ {result} test_{name}({parameters}) {{')
    print(f"  return {call(variant)};\n}}\n")


def gen_errors(target):
    # That a later version has an instruction no longer is for the backend to tell.
    lacking = [
        variants[0]
        for variants in INTRINSICS.values()
        if not assembled(dataclasses.replace(variants[0], last_ptx=None), target)
    ]
    assert lacking, f"{target} has everything"
    kinds = sorted({parameter_type(v, o) for v in lacking for o in v.arguments})
    names = {kind: f"v{i}" for i, kind in enumerate(kinds)}
    parameters = ", ".join(f"{kind} {name}" for kind, name in names.items())
    # One function, for Clang generates no more after the first with an error.
    print(f"__device__ void calls({parameters}) {{")
    for variant in lacking:
        values = [
            "0" if o.is_constant else names[parameter_type(variant, o)]
            for o in variant.arguments
        ]
        lowest = (variant.beyond + variant.targets)[0]
        print(
            f"  (void){variant.builtin}({', '.join(values)}); // expected-error-re "
            f"{{{{'{variant.builtin}' needs target feature "
            f"({lowest.arch}{{{{[|)].*}}}}(ptx{lowest.ptx}{{{{[|)].*}}}}}}}}"
        )
    print("}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("arch", nargs="?")
    parser.add_argument("ptx", nargs="?", type=int)
    args = parser.parse_args()
    print(PROLOGUE)
    if args.arch:
        gen_errors(Target(args.arch, args.ptx))
        return
    for variants in INTRINSICS.values():
        gen_function(next(v for v in variants if not v.space))


if __name__ == "__main__":
    main()
