# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Functions in LLVM IR that contain a variant's intrinsic and nothing else."""

from .variant import SPACES


def name(variant):
    """A name for the function: PTX has no dots in names."""
    return variant.mangled.replace("llvm.nvvm.", "", 1).replace(".", "_")


def registers(variant):
    """(role, number of the register, register) of each value read, in order."""
    return [
        (operand.role, i, operand.fragment.register)
        for operand in variant.arguments
        for i in range(operand.fragment.count)
    ]


def argument_type(variant, role, register):
    if role == "p":
        number = SPACES[variant.space]
        return f"ptr addrspace({number})" if number else "ptr"
    return register.ir


def return_type(variant):
    if not variant.result:
        return "void"
    types = [variant.result.register.ir] * variant.result.count
    return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"


def function(variant, function_name, selector=None):
    """A function whose parameters are the values read, but for the selector."""
    parameters, arguments = [], []
    for role, i, register in registers(variant):
        kind = argument_type(variant, role, register)
        if role == "selector":
            arguments.append(f"{kind} {selector}")
        else:
            value = f"{kind} %{role}{i}"
            parameters.append(value)
            arguments.append(value)
    result = return_type(variant)
    assign, returned = ("", "void") if result == "void" else ("%r = ", f"{result} %r")
    return [
        f"define {result} @{function_name}({', '.join(parameters)}) {{",
        f"  {assign}call {result} @{variant.mangled}({', '.join(arguments)})",
        f"  ret {returned}",
        "}",
    ]


def declaration(variant):
    types = [argument_type(variant, r, reg) for r, _, reg in registers(variant)]
    return f"declare {return_type(variant)} @{variant.mangled}({', '.join(types)})"
