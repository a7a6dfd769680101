# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Generates the tests of the builtins around the matrix builtins.

kernel.py sm_103a 90            prints functions for each builtin that sm_103a with
                                PTX 9.0 has, one that calls it with generic
                                pointers, and one with pointers to each address
                                space that it takes; and checks that each argument
                                gets to its place in the intrinsic's call
kernel.py --lacking sm_80 70    prints calls of those that sm_80 with PTX 7.0 lacks,
                                and the errors that Clang must report
"""

import argparse
import os
import re
import sys

HERE = os.path.dirname(__file__)
# Here, and in LLVM's repository.
for utils in ("../../utils", "../../../../llvm/utils"):
    sys.path.append(os.path.join(HERE, utils))
from ptx_isa.kernel import INTRINSICS, ir
from ptx_isa.matrix.targets import supported
from ptx_isa.matrix.variant import Target

PROLOGUE = """\
#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
// host-no-diagnostics
"""


def space(number):
    return f"__attribute__((address_space({number}))) " if number else ""


def c_type(kind, number=0):
    """A parameter's type; of a pointer, to address space number."""
    return kind.c if kind.spaces is None else f"void {space(number)}*"


def result_type(variant):
    if not variant.result:
        return "void"
    kind, *others = variant.result
    # What is beside an integer or a vector is one more element.
    if others:
        element, count = elements(kind)
        return f"vec<{element}, {count + 1}>"
    return c_type(kind, kind.spaces[0] if kind.spaces else 0)


def elements(kind):
    """(type, number) of the elements of a number or a vector."""
    match = re.fullmatch(r"vec<(\w+), (\d+)>", kind.c)
    return (match[1], int(match[2])) if match else (kind.c, 1)


def literal(parameter):
    if parameter.kind.ir == "i1":
        return "true" if parameter.value else "false"
    return str(parameter.value)


def call(variant):
    values = [literal(p) if p.is_immediate else p.name for p in variant.parameters]
    return f"{variant.builtin}({', '.join(values)})"


def argument_checks(variant, spaces):
    """(lines, arguments): how arguments are converted, and how they are used."""
    lines, arguments = [], []
    for parameter in variant.parameters:
        kind, name = parameter.kind, parameter.name
        value = f"[[{name.upper()}]]"
        conversion = None
        if kind.ir == "ptr addrspace(6)":
            conversion = f"inttoptr i32 %{name} to {kind.ir}"
        elif kind.ir == "<1 x i32>":
            conversion = f"insertelement {kind.ir} poison, i32 %{name}, i64 0"
        elif kind.spaces and spaces[name] != kind.spaces[0]:
            have = f"ptr addrspace({spaces[name]})" if spaces[name] else "ptr"
            conversion = f"addrspacecast {have} %{name} to {kind.ir}"
        if conversion:
            lines.append(f"// CHECK-DAG: [[{name.upper()}:%[0-9]+]] = {conversion}")
        elif parameter.is_immediate:
            # Of some LLVM prints what they mean, as a comment.
            kind, _, value = ir.argument(parameter).rpartition(" ")
            arguments.append(f"{{{{(/[*][^*]*[*]/ )?}}}}{kind} {value}")
            continue
        else:
            value = f"%{name}"
        arguments.append(f"{kind.ir} {{{{[^%,]*}}}}{value}")
    return lines, arguments


def gen_function(variant, name, spaces):
    parameters = ", ".join(
        f"{c_type(p.kind, spaces.get(p.name, 0))} {p.name}" for p in variant.operands
    )
    lines, arguments = argument_checks(variant, spaces)
    joined = ", ".join(arguments)
    print(f"// CHECK-LABEL: define {{{{.*}}}}@{name}(")
    print("\n".join(lines))
    print(f"// CHECK: call {{{{.*}}}}@{variant.mangled}({joined})")
    print(f'extern "C" __device__ {result_type(variant)} {name}({parameters}) {{')
    print(f"  return {call(variant)};\n}}\n")


def address_spaces(variant, variants):
    """The address spaces of the pointers in each function, by parameter."""
    pointers = [p for p in variant.operands if p.kind.spaces]
    if not pointers:
        return [{}]
    if variant.is_overloaded:
        name = pointers[0].name
        numbers = dict.fromkeys(v.parameters[0].kind.spaces[0] for v in variants)
        return [{name: number} for number in numbers]
    longest = max(len(p.kind.spaces) for p in pointers)
    return [
        {p.name: p.kind.spaces[min(i, len(p.kind.spaces) - 1)] for p in pointers}
        for i in range(longest)
    ]


def gen_tests(target):
    for variants in INTRINSICS.values():
        there = [v for v in variants if supported(v, target)]
        if not there:
            continue
        name = there[0].intrinsic.replace("llvm.nvvm.", "test_").replace(".", "_")
        if there[0].overload:
            for variant in there:
                for i, spaces in enumerate(address_spaces(variant, [variant])):
                    gen_function(variant, f"{name}_{variant.overload}_{i}", spaces)
            continue
        for i, spaces in enumerate(address_spaces(there[0], there)):
            variant = there[0]
            if variant.is_overloaded:
                (number,) = spaces.values()
                variant = next(
                    v for v in there if v.parameters[0].kind.spaces[0] == number
                )
            gen_function(variant, f"{name}_{i}", spaces)


def feature(target):
    """The features that the error must name for the lowest target.

    Clang has no names for families, but for their members with an "a".
    """
    arch = re.sub("f$", "a", target.arch)
    return f"({{{{([^|)]*[|])*}}}}{arch}{{{{[|)].*}}}}(ptx{target.ptx}{{{{[|)].*}}}}"


def gen_errors(target):
    lacking = [
        variants[0]
        for variants in INTRINSICS.values()
        if not any(supported(v, target) for v in variants)
    ]
    assert lacking, f"{target} has everything"
    kinds = sorted({c_type(p.kind) for v in lacking for p in v.operands})
    names = {kind: f"v{i}" for i, kind in enumerate(kinds)}
    parameters = ", ".join(f"{kind} {name}" for kind, name in names.items())
    # One function, for Clang generates no more after the first with an error.
    print(f"__device__ void calls({parameters}) {{")
    for variant in lacking:
        values = [
            literal(p) if p.is_immediate else names[c_type(p.kind)]
            for p in variant.parameters
        ]
        print(
            f"  (void){variant.builtin}({', '.join(values)}); // expected-error-re "
            f"{{{{'{variant.builtin}' needs target feature "
            f"{feature(variant.targets[0])}}}}}"
        )
    print("}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lacking", action="store_true")
    parser.add_argument("arch")
    parser.add_argument("ptx", type=int)
    args = parser.parse_args()
    print(PROLOGUE)
    generate = gen_errors if args.lacking else gen_tests
    generate(Target(args.arch, args.ptx))


if __name__ == "__main__":
    main()
