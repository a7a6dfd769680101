# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""A variant's text as PTX has it, and as a pattern of FileCheck."""

import re

OPERAND = re.compile(r"\{\{|\}\}|\{(\w+)(?::(\d+))?\}")


def render(variant, operand):
    """The instruction's text, with operand(name, index or None) for operands."""

    def replace(match):
        if match[0] in ("{{", "}}"):
            return match[0][0]
        return operand(match[1], None if match[2] is None else int(match[2]))

    return OPERAND.sub(replace, variant.text)


# Brackets and braces might begin a variable or an expression of FileCheck.
LITERALS = {
    "[": r"{{\[}}",
    "]": r"{{\]}}",
    "{": "{{[{]}}",
    "}": "{{[}]}}",
    " ": "{{[[:space:]]+}}",
}


def literal(text):
    """Text as FileCheck takes it."""
    return "".join(LITERALS.get(character, character) for character in text)


def pattern(variant, operand):
    """A pattern for the instruction; operand() returns patterns for operands."""
    parts, end = [], 0
    for match in OPERAND.finditer(variant.text):
        parts.append(literal(variant.text[end : match.start()]))
        if match[0] in ("{{", "}}"):
            parts.append(literal(match[0][0]))
        else:
            index = None if match[2] is None else int(match[2])
            parts.append(operand(match[1], index))
        end = match.end()
    parts.append(literal(variant.text[end:]))
    return "".join(parts)


# Kinds of registers: the prefix of the names that ptx_isa.matrix.assembly declares.
PREFIX = {"pred": "q", "b16": "h", "b32": "r", "b64": "d", "": "d"}


def instruction(variant):
    """The instruction with registers of its own, as ptxas takes it."""
    names, taken = {}, dict.fromkeys(PREFIX.values(), 0)
    kinds = {p.name: p.kind for p in variant.parameters}
    kinds.update({f"r{i}": kind for i, kind in enumerate(variant.result)})
    if len(variant.result) == 1:
        kinds["r"] = variant.result[0]

    def operand(name, index):
        key = (name, index)
        if key not in names:
            prefix = PREFIX[kinds[name].ptx]
            names[key] = f"{prefix}{taken[prefix]}"
            taken[prefix] += 1
        return names[key]

    line = render(variant, operand)
    if "%clc_handle" in line:
        line = f"{{ .reg .b128 %clc_handle; {line} }}"
    if "%multimem" in line or "%st_async_val" in line:
        line = f"{{ .reg .b8 %multimem<8>, %st_async_val; {line} }}"
    return line
