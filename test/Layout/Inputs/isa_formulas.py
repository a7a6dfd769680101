# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compare what the command prints with the PTX ISA and with CUTLASS.

  isa_formulas.py LAYOUT

The ISA's formulas are those of 9.7.14.5.1 to 9.7.14.5.4, 9.7.14.5.10 and 9.7.14.5.11,
word for word in their own notation: row and column by lane and i, where element a_i,
b_i or c_i is the i-th of a thread's fragment.

The ISA's text does not say which row, column and part of K a scale factor of block
scaling is of, and of m16n16, m8n16 and m16n8 of ldmatrix and stmatrix it leaves places
to figures, and has no thread for 8 of the 16 addresses of m16n16. CUTLASS has all of
this in mma_traits_sm120.hpp, copy_sm100.hpp and copy_traits_sm100.hpp. It is written
here from the other side, the place of each element.

Nothing of the model is used.
"""

import subprocess
import sys
from itertools import product


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

# Block scaling: m16n8k32 with elements in 8 bits, m16n8k64 with elements in 4 bits.
E4M3 = "mma.block_scale.m16n8k32.mxf8f6f4.1X.e4m3"
E2M1 = "mma.block_scale.m16n8k64.mxf4nvf4.4X.e2m1"
FORMULAS += [
    (
        E4M3,
        "A",
        16,
        8,
        lambda t, i: group(t)
        if i in range(0, 4) or i in range(8, 12)
        else group(t) + 8,
        lambda t, i: in_group(t) * 4 + (i & 0x3) + (0 if i < 8 else 16),
    ),
    (
        E4M3,
        "B",
        8,
        8,
        lambda t, i: in_group(t) * 4 + (i & 0x3) + (0 if i < 4 else 16),
        lambda t, i: group(t),
    ),
    (
        E2M1,
        "A",
        32,
        4,
        lambda t, i: group(t)
        if i in range(0, 8) or i in range(16, 24)
        else group(t) + 8,
        lambda t, i: in_group(t) * 8 + (i & 0x7) + (0 if i < 16 else 32),
    ),
    (
        E2M1,
        "B",
        16,
        4,
        lambda t, i: in_group(t) * 8 + (i & 0x7) + (0 if i < 8 else 32),
        lambda t, i: group(t),
    ),
]
FORMULAS += [
    (
        instruction,
        "C",
        4,
        32,
        lambda t, i: group(t) if i < 2 else group(t) + 8,
        lambda t, i: in_group(t) * 2 + (i & 0x1),
    )
    for instruction in (E4M3, E2M1)
]

SCALED = {
    E4M3: 1,
    "mma.block_scale.m16n8k64.mxf4.2X.e2m1": 2,
    E2M1: 4,
    "mma.sp.block_scale.m16n8k64.mxf8f6f4.1X.e2m1": 1,
    "mma.sp.block_scale.m16n8k128.mxf4nvf4.2X.e2m1": 2,
    "mma.sp.block_scale.m16n8k128.mxf4nvf4.4X.e2m1": 4,
}


def as_words(*values):
    return tuple(map(str, values))


def byte(number):
    return f"{8 * number + 7}:{8 * number}"


def expected(instruction, elements, bits, row, column):
    """All lines of the table, as tuples of their words."""
    register_bits = max(bits, 32)
    for lane in range(32):
        for i in range(elements):
            register, bit = divmod(i * bits, register_bits)
            place = (lane, register, f"{bit + bits - 1}:{bit}")
            # Threads 0-3 and 16-19 do the first computation of four, and so on.
            part = (lane // 4 % 4,) if instruction == F16 else ()
            yield as_words(*part, row(lane, i), column(lane, i), *place)


def scale_a(size):
    """Rows q and q + 8 are with the lower or upper two threads of quad q."""
    for thread_id, row, part in product(range(2), range(16), range(size)):
        pair = (0, 1) if thread_id == 0 else (2, 3)
        lane = 4 * (row % 8) + pair[row // 8]
        for byte_id in range(0, 4, size):
            yield as_words(thread_id, byte_id, row, part, lane, 0, byte(byte_id + part))


def scale_b(size):
    """Column q is with one thread of quad q."""
    for thread_id, part, column in product(range(4), range(size), range(8)):
        lane = 4 * column + thread_id
        for byte_id in range(0, 4, size):
            yield as_words(
                thread_id, byte_id, part, column, lane, 0, byte(byte_id + part)
            )


def m8n16(count):
    """Four threads have a row, each four neighbours."""
    for matrix, row, column in product(range(count), range(8), range(16)):
        lane = 4 * row + column // 4
        yield as_words(matrix, row, column, lane, matrix, byte(column % 4))


def m16n16(count):
    """The same of the transposed matrix, with a second register for its lower half."""
    for matrix, row, column in product(range(count), range(16), range(16)):
        lane = 4 * (column % 8) + row // 4
        register = 2 * matrix + column // 8
        yield as_words(matrix, row, column, lane, register, byte(row % 4))


def m16n8(count):
    """Transposed, each thread has two neighbours, and those eight rows below."""
    for matrix, row, column in product(range(count), range(8), range(16)):
        lane = 4 * (column % 8) + row // 2
        number = row % 2 + 2 * (column // 8)
        yield as_words(matrix, row, column, lane, matrix, byte(number))


def addresses(rows, count):
    for matrix, row in product(range(count), range(rows)):
        yield as_words(matrix, row, 0, rows * matrix + row, 0, "31:0")


def isa_tables():
    """(instruction, operand, lines)"""
    for instruction, operand, *formula in FORMULAS:
        yield instruction, operand, expected(instruction, *formula)


def cutlass_tables():
    """The same of what the ISA's text does not give."""
    for instruction, size in SCALED.items():
        yield instruction, "scale_A", scale_a(size)
        yield instruction, "scale_B", scale_b(size)
    sources = ("b8x16.b6x16_p32", "b8x16.b4x16_p64")
    for count, source in product((1, 2), ("b8", *sources)):
        name = f"ldmatrix.m16n16.x{count}.trans.{source}"
        yield name, "d", m16n16(count)
        yield name, "p", addresses(16, count)
    for count, source in product((1, 2, 4), sources):
        name = f"ldmatrix.m8n16.x{count}.{source}"
        yield name, "d", m8n16(count)
        yield name, "p", addresses(8, count)
    for count in (1, 2, 4):
        name = f"stmatrix.m16n8.x{count}.trans.b8"
        yield name, "r", m16n8(count)
        yield name, "p", addresses(8, count)


def all_agree(tables, source):
    checked = wrong = 0
    for instruction, operand, lines in tables:
        command = [sys.argv[1], instruction, operand]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        printed = [tuple(line.split()) for line in output.stdout.splitlines()[1:]]
        checked += 1
        if sorted(printed) != sorted(lines):
            print(f"error: {instruction} {operand} is not as {source} has it")
            wrong += 1
    print(f"{checked - wrong} of {checked} tables are as {source} has them")
    return wrong == 0


def main():
    isa = all_agree(isa_tables(), "the PTX ISA")
    cutlass = all_agree(cutlass_tables(), "CUTLASS")
    return 0 if isa and cutlass else 1


if __name__ == "__main__":
    sys.exit(main())
