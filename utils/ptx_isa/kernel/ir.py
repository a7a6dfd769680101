# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Functions in LLVM IR that contain a variant's intrinsic and nothing else."""


def return_type(variant):
    types = [kind.ir for kind in variant.result]
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"


def argument(parameter):
    if not parameter.is_immediate:
        return f"{parameter.kind.ir} %{parameter.name}"
    value = parameter.value
    if parameter.kind.ir == "i1":
        value = "true" if value else "false"
    return f"{parameter.kind.ir} {value}"


def function(variant, name):
    """A function whose parameters are those of the intrinsic but for immediates."""
    result = return_type(variant)
    parameters = ", ".join(argument(p) for p in variant.operands)
    arguments = ", ".join(argument(p) for p in variant.parameters)
    assign, returned = ("", "void") if result == "void" else ("%r = ", f"{result} %r")
    return [
        f"define {result} @{name}({parameters}) {{",
        f"  {assign}call {result} @{variant.mangled}({arguments})",
        f"  ret {returned}",
        "}",
    ]


def declaration(variant):
    types = ", ".join(p.kind.ir for p in variant.parameters)
    return f"declare {return_type(variant)} @{variant.mangled}({types})"
