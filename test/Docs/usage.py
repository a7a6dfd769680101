# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the syntax in NVPTXUsageMatrix.txt with the grammar of the PTX ISA.

usage.py FILE   each intrinsic of the grammar must be that of one declaration in
                FILE, which has its parameters, and each declaration of some

In a declaration's name <x> stands for anything, {x|y} for one of several, and
[x] may be left out.
"""

import os
import re
import sys
from pathlib import Path

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "utils"))
from ptx_isa.matrix import INTRINSICS

DECLARATION = re.compile(r"^ *declare (\S+) @(\S*)\((.*)\)$", re.M)
SPELLINGS = {
    "<n>": "[0-9]",
    "<shape>": "m[0-9]+n[0-9]+k[0-9]+",
    "<type>": "[a-z]+[0-9]+",
    "<kind>": "mx[a-z0-9]+",
    "<stype>": "ue[a-z0-9]+",
    **dict.fromkeys(("<D>", "<A>", "<B>", "<C>"), "[a-z][0-9a-z]+"),
}


def regular_expression(name):
    text = re.escape(name)
    for placeholder, spelling in SPELLINGS.items():
        text = text.replace(placeholder, spelling)
    for old, new in (("{", "("), ("}", ")"), ("|", "|"), ("[", "("), ("]", ")?")):
        # Square brackets of spellings are not escaped.
        text = text.replace(re.escape(old), new)
    return re.compile(text)


def parameters(variant):
    """As a declaration has them, without names."""
    # movmatrix has a register, whose type needs no placeholder.
    fragments = () if variant.family == "movmatrix" else ("a", "b", "c", "d", "r")
    kinds = []
    for operand in variant.arguments:
        if operand.role == "p":
            kinds.append("ptr addrspace(<n>)")
        elif operand.role in fragments:
            kinds.append("fragment")
        else:
            constant = " immarg" if operand.is_constant else ""
            kinds.append(operand.fragment.register.ir + constant)
    return kinds


def declared_parameters(text):
    kinds = [re.sub(r" %\S+$", "", kind) for kind in text.split(", ")]
    return ["fragment" if re.fullmatch("<[a-d]>", kind) else kind for kind in kinds]


def main():
    declarations = DECLARATION.findall(Path(sys.argv[1]).read_text())
    patterns = [regular_expression(name) for _, name, _ in declarations]
    problems, used = [], set()
    for variants in INTRINSICS.values():
        variant = variants[0]
        found = [i for i, p in enumerate(patterns) if p.fullmatch(variant.mangled)]
        if len(found) != 1:
            problems.append(f"{variant.mangled}: {len(found)} declarations")
            continue
        used.update(found)
        result, _, text = declarations[found[0]]
        if declared_parameters(text) != parameters(variant):
            problems.append(f"{variant.mangled}: other parameters: {text}")
        if (result == "void") != (variant.result is None):
            problems.append(f"{variant.mangled}: does not return {result}")
    problems += [
        f"no intrinsic is a {name}"
        for i, (_, name, _) in enumerate(declarations)
        if i not in used
    ]
    print(f"{len(INTRINSICS)} intrinsics, {len(declarations)} declarations")
    print("\n".join(problems))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
