#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compare what the command prints with formulas of the PTX ISA.

  isa_formulas.py LAYOUT

The formulas are those of 9.7.14.5.1 to 9.7.14.5.4, word for word in their own
notation: row and column by lane and i, where element a_i, b_i or c_i is the i-th of
a thread's fragment. Nothing of the model is used.
"""

import subprocess
import sys


def half(lane):
    """4 for the threads of the high group of m8n8k4 with .f16."""
    return 0 if lane < 16 else 4


def group(lane):
    return lane >> 2


def in_group(lane):
    return lane % 4


def x(lane, i):
    return (lane & 0b1) + (i & 0b10)


# Instruction, operand, elements of a thread, bits of an element, row, column.
F16 = "mma.m8n8k4.f16"
F64 = "mma.m8n8k4.f64"
FORMULAS = [
    (F16, "A.row", 4, 16, lambda t, i: t % 4 + half(t), lambda t, i: i),
    (F16, "A.col", 4, 16, lambda t, i: i % 4 + half(t), lambda t, i: t % 4),
    (F16, "B.row", 4, 16, lambda t, i: t % 4, lambda t, i: i + half(t)),
    (F16, "B.col", 4, 16, lambda t, i: i, lambda t, i: t % 4 + half(t)),
    (F16, "C.f16", 8, 16, lambda t, i: t % 4 + half(t), lambda t, i: i),
    (
        F16,
        "C.f32",
        8,
        32,
        lambda t, i: x(t, i) + half(t),
        lambda t, i: (i & 0b100) + (t & 0b10) + (i & 0b1),
    ),
    (F64, "A", 1, 64, lambda t, i: t >> 2, lambda t, i: t % 4),
    (F64, "B", 1, 64, lambda t, i: t % 4, lambda t, i: t >> 2),
    (
        F64,
        "C",
        2,
        64,
        lambda t, i: group(t),
        lambda t, i: in_group(t) * 2 + (i & 0x1),
    ),
]
for _shape, _types, _count, _bits in (
    ("m8n8k16", ("s8", "u8"), 4, 8),
    ("m8n8k32", ("s4", "u4"), 8, 4),
):
    for _type in _types:

        def _along_k(t, i, count=_count):
            return in_group(t) * count + i

        def _group(t, _):
            return group(t)

        _name = f"mma.{_shape}.{_type}"
        FORMULAS += [
            (_name, "A", _count, _bits, _group, _along_k),
            (_name, "B", _count, _bits, _along_k, _group),
            (_name, "C", 2, 32, _group, lambda t, i: in_group(t) * 2 + i),
        ]


def expected(instruction, elements, bits, row, column):
    """All lines of the table, as tuples of their words."""
    register_bits = max(bits, 32)
    for lane in range(32):
        for i in range(elements):
            register, bit = divmod(i * bits, register_bits)
            place = (lane, register, f"{bit + bits - 1}:{bit}")
            # Threads 0-3 and 16-19 do the first computation of four, and so on.
            part = (lane // 4 % 4,) if instruction == F16 else ()
            yield tuple(
                str(v) for v in part + (row(lane, i), column(lane, i)) + place
            )


def main():
    wrong = 0
    for instruction, operand, *formula in FORMULAS:
        command = [sys.argv[1], instruction, operand]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        lines = [tuple(line.split()) for line in output.stdout.splitlines()[1:]]
        if sorted(lines) != sorted(expected(instruction, *formula)):
            print(f"error: {instruction} {operand} differs from the ISA's formulas")
            wrong += 1
    print(f"{len(FORMULAS) - wrong} of {len(FORMULAS)} fragments are as in the ISA")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
