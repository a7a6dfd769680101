# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the kernels of two PTX files by what they do, not by their registers.

usage: ptx_effects.py OURS.ptx THEIRS.ptx

Follows the values of each kernel, which must be straight code, from parameters
and loads through moves into the operands of wgmma instructions and the stores.
Two kernels are the same if they have the same wgmma instructions in the same
order, with the same values for each operand, and store the same values to the
same places. Ours has a wgmma.fence wherever theirs has one, and may have more:
the compiler adds one where two wgmma read the same registers of A, as the PTX ISA
asks. Prints how many are the same; exits with 1 if any differs.
"""

import re
import sys

ADDRESS = re.compile(r"\[([%\w]+)(?:\+([0-9]+))?\]")


class Kernel:
    """The effects of one kernel."""

    def __init__(self, parameters, body):
        names = re.findall(r"\w+_param_[0-9]+", parameters)
        self.parameters = {name: ("param", i) for i, name in enumerate(names)}
        self.values = {}
        self.wgmma = []
        self.fences = set()  # Before which of them there is one.
        self.stores = {}
        for statement in split_statements(body):
            self.execute(statement)

    def value(self, operand):
        """What a register holds; constants are themselves."""
        if operand in self.parameters:
            return self.parameters[operand]
        if re.fullmatch(r"-?[0-9]+", operand):
            return operand
        return self.values[operand]

    def address(self, operand):
        base, offset = ADDRESS.fullmatch(operand).groups()
        return self.value(base), int(offset or 0)

    def execute(self, statement):
        opcode, *rest = statement.split(None, 1)
        operands = split_operands(rest[0]) if rest else []
        if opcode.startswith("wgmma."):
            self.issue(opcode, operands)
        elif opcode.startswith(("ld.param", "ld.global")):
            base, offset = self.address(operands[1])
            for i, register in enumerate(registers(operands[0])):
                place = (base, offset + 4 * i)
                assert place not in self.stores, statement
                self.values[register] = ("load", *place)
        elif opcode.startswith("st.global"):
            base, offset = self.address(operands[0])
            for i, register in enumerate(registers(operands[1])):
                self.stores[base, offset + 4 * i] = self.value(register)
        elif opcode.startswith(("mov.", "cvta.")):
            self.values[operands[0]] = self.value(operands[1])
        elif opcode not in ("ret", ".reg"):
            result, *inputs = operands
            self.values[result] = simplify(opcode, *map(self.value, inputs))

    def issue(self, opcode, operands):
        values = tuple(tuple(map(self.value, registers(o))) for o in operands)
        index = len(self.wgmma)
        if opcode.startswith("wgmma.fence."):
            self.fences.add(index)
            return
        self.wgmma.append((normalize(opcode), values))
        if "mma_async" in opcode:
            for i, register in enumerate(registers(operands[0])):
                self.values[register] = ("result", index, i)

    def does_the_same_as(self, theirs):
        return (
            self.wgmma == theirs.wgmma
            and self.stores == theirs.stores
            and self.fences >= theirs.fences
        )


def simplify(opcode, *inputs):
    """The value of an operation. Two complements are what keeps ptxas from loading
    an input of wgmma anew: no change."""
    if opcode == "not.b32" and inputs[0][0] == "not.b32":
        return inputs[0][1]
    return (opcode, *inputs)


def normalize(opcode):
    """ptxas takes .satfinite in front of the types as well as after them."""
    if ".satfinite" not in opcode:
        return opcode
    return opcode.replace(".satfinite", "") + ".satfinite"


def split_statements(body):
    body = re.sub(r"//[^\n]*", "", body)
    # The braces of a scope, not those of a list of registers.
    body = re.sub(r"^\s*[{}]\s*$", "", body, flags=re.M)
    return [s.strip() for s in body.split(";") if s.strip()]


def split_operands(text):
    return [o.strip() for o in re.findall(r"\{[^}]*\}|[^,{}]+", text) if o.strip()]


def registers(operand):
    return [r.strip() for r in operand.strip("{}").split(",")]


def read_kernels(path):
    """{name: Kernel}"""
    _, *kernels = open(path).read().split(".visible .entry ")
    found = {}
    for text in kernels:
        # Inline assembly may have braces at the start of a line, too.
        text = text.split("// -- End function")[0]
        head, body = text.split("\n{\n", 1)
        name, parameters = head.split("(", 1)
        found[name] = Kernel(parameters, body.rstrip().removesuffix("}"))
    return found


def describe(ours, theirs):
    """The first instruction, operand or store that is not the same."""
    for index, (a, b) in enumerate(zip(ours.wgmma, theirs.wgmma)):
        if a[0] != b[0]:
            return f"wgmma {index} is {a[0]}, there {b[0]}"
        for operand, (x, y) in enumerate(zip(a[1], b[1])):
            if x != y:
                return f"operand {operand} of wgmma {index} is {x}, there {y}"
    if len(ours.wgmma) != len(theirs.wgmma):
        return f"{len(ours.wgmma)} wgmma instructions, there {len(theirs.wgmma)}"
    if ours.stores != theirs.stores:
        return f"stores {ours.stores}, there {theirs.stores}"
    return f"fences before wgmma {ours.fences or 'none'}, there {theirs.fences}"


def main():
    ours, theirs = map(read_kernels, sys.argv[1:3])
    different = 0
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in ours or name not in theirs:
            print(f"{name}: only in one of the files")
        elif not ours[name].does_the_same_as(theirs[name]):
            print(f"{name}: {describe(ours[name], theirs[name])}")
        else:
            continue
        different += 1
    print(f"{len(ours) - different} of {len(ours)} kernels are the same")
    return 1 if different or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
