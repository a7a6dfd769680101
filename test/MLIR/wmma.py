# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Generates MLIR of the NVVM WMMA ops, with checks of the PTX that it becomes.

ROWS holds what the tables of "NVVM WMMA Ops" list (tile shapes, types, the types'
availability) and nothing that LLVM's or MLIR's tables say; wmma.test runs each row
at its lowest target and says where the document and the PTX ISA disagree.

Each variant becomes a function: a load for each fragment, layout, address space
and kind of stride, a store likewise, and an mma for each pair of layouts. The checks
(prefix IR) follow the op to its intrinsic, and (prefix PTX) each register from its
place in the parameters through the instruction to its place in the result.

What the ops of MLIR 22 cannot express goes by llvm.call_intrinsic.
"""

import argparse
from dataclasses import dataclass
from itertools import product

SQUARE = ("m16n16k16",)
OBLONG = ("m8n32k16", "m32n8k16")
ANY_LAYOUT = ("row", "col")
ADDRESS_SPACES = {0: "", 1: ".global", 3: ".shared"}

# Bits of an element in memory; tf32 takes 32.
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64}
BITS |= {"s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}


@dataclass(frozen=True)
class Row:
    shapes: tuple
    multiplicands: tuple
    accumulators: tuple
    has_op: bool  # MLIR 22 has these types in nvvm.wmma.*.
    a_layouts: tuple = ANY_LAYOUT
    b_layouts: tuple = ANY_LAYOUT
    operation: str = ""


# f16's oblong shapes and b1's operations have lowest targets of their own.
ROWS = {
    "f16": Row(SQUARE, ("f16",), ("f16", "f32"), True),
    "f16-oblong": Row(OBLONG, ("f16",), ("f16", "f32"), True),
    "bf16": Row(SQUARE + OBLONG, ("bf16",), ("f32",), False),
    "tf32": Row(("m16n16k8",), ("tf32",), ("f32",), True),
    "s8-u8": Row(SQUARE + OBLONG, ("s8", "u8"), ("s32",), True),
    "s4-u4": Row(("m8n8k32",), ("s4", "u4"), ("s32",), False, ("row",), ("col",)),
    "b1-xor": Row(
        ("m8n8k128",), ("b1",), ("s32",), False, ("row",), ("col",), ".xor.popc"
    ),
    "b1-and": Row(
        ("m8n8k128",), ("b1",), ("s32",), False, ("row",), ("col",), ".and.popc"
    ),
    "f64": Row(("m8n8k4",), ("f64",), ("f64",), True),
}


def extents(shape):
    """m16n8k32 -> 16, 8, 32."""
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


class Fragment:
    """One thread's part of matrix a, b, c or d: its registers."""

    def __init__(self, matrix, shape, element):
        m, n, k = extents(shape)
        self.matrix, self.shape, self.element = matrix, shape, element
        self.bits = 64 if element == "f64" else 32
        self.type = {"f16": "vector<2xf16>", "f32": "f32", "f64": "f64"}.get(
            element, "i32"
        )
        size = {"a": m * k, "b": k * n}.get(matrix, m * n) * BITS[element]
        self.count = size // (32 * self.bits)
        # Several threads hold the same elements.
        if element == "f16" and matrix in "ab":
            self.count = 8
        # A result of one register is no struct.
        self.mlir = f"!llvm.struct<({', '.join(self.types())})>"
        if self.count == 1:
            self.mlir = self.type

    def types(self):
        return [self.type] * self.count

    def values(self):
        return [f"%{self.matrix}{i}" for i in range(self.count)]

    def names(self):
        return [f"{self.matrix.upper()}{i}" for i in range(self.count)]


def define(name, bits):
    return f"[[{name}:%{'rd' if bits == 64 else 'r'}[0-9]+]]"


def use(name):
    return f"[[{name}]]"


def braces(registers):
    return f"{{{', '.join(registers)}}}"


def check_function(name, params, instruction, result, constants=()):
    """Checks for a function that does nothing but the instruction, a list of lines.

    params are pairs of a register's name and its bits, constants of name and value.
    """
    print(f"// PTX-LABEL: .func {{{{.*}}}}{name}(")
    for i, (param, bits) in enumerate(params):
        register = define(param, bits)
        print(f"// PTX-DAG: ld.param.b{bits} {register}, [{name}_param_{i}];")
    for register, value in constants:
        print(f"// PTX-DAG: mov.b32 {define(register, 32)}, {value};")
    print(f"// PTX: {instruction[0]}")
    for line in instruction[1:]:
        print(f"// PTX-NEXT: {line}")
    for i, register in enumerate(result.names() if result else ()):
        offset = f"+{i * result.bits // 8}" if i else ""
        print(
            f"// PTX-DAG: st.param.b{result.bits} [func_retval0{offset}], "
            f"{use(register)};"
        )
    print("// PTX: ret;")


def print_function(name, params, body, result=None):
    """A function of MLIR; body's last line defines %result if there is one."""
    params = ", ".join(f"{value}: {kind}" for value, kind in params)
    print(f"llvm.func @{name}({params}){f' -> {result}' if result else ''} {{")
    for line in body:
        print(f"  {line}")
    print(f"  llvm.return{f' %result : {result}' if result else ''}")
    print("}\n")


def call_intrinsic(name, operands, result=None):
    values = ", ".join(value for value, _ in operands)
    types = ", ".join(kind for _, kind in operands)
    left = "%result = " if result else ""
    return f'{left}llvm.call_intrinsic "{name}"({values}) : ({types}) -> ' + (
        result or "()"
    )


def attributes(shape, **kwargs):
    """kwargs: attribute -> (kind, value)."""
    items = [f"{dim} = {x} : i32" for dim, x in zip("mnk", extents(shape))]
    items += [f"{key} = #nvvm.{kind}<{v}>" for key, (kind, v) in kwargs.items()]
    return f"{{{', '.join(items)}}}"


def gen_memory(fragment, layout, space, stride, has_op, aligned):
    """wmma.load of a, b, c or wmma.store of d."""
    shape, element, matrix = fragment.shape, fragment.element, fragment.matrix
    store = matrix == "d"
    name = f"{matrix}_{layout}_{shape}_{element}_p{space}_{stride}"
    pointer = f"!llvm.ptr<{space}>"
    data = list(zip(fragment.values(), fragment.types())) if store else []
    params = [("%p", pointer)] + data
    checks = [("P", 64)]
    checks += [(register, fragment.bits) for register in fragment.names() if store]
    body, constants = [], []
    if stride == "register":
        params.append(("%stride", "i32"))
        checks.append(("STRIDE", 32))
    else:
        body.append("%stride = llvm.mlir.constant(48 : i32) : i32")
        constants.append(("STRIDE", 48))

    intrinsic = f"{'store' if store else 'load'}.{matrix}"
    intrinsic = f"llvm.nvvm.wmma.{shape}.{intrinsic}.{layout}.stride.{element}.p{space}"
    given = {"layout": ("mma_layout", layout), "eltype": ("mma_type", element)}
    if not has_op:
        operands = [("%p", pointer), *data, ("%stride", "i32")]
        result = None if store else fragment.mlir
        body.append(call_intrinsic(intrinsic, operands, result))
    elif store:
        values = ", ".join(fragment.values())
        body.append(
            f"nvvm.wmma.store %p, %stride, {values} {attributes(shape, **given)} "
            f": {pointer}, {', '.join(fragment.types())}"
        )
    else:
        given["frag"] = ("mma_frag", matrix)
        body.append(
            f"%result = nvvm.wmma.load %p, %stride {attributes(shape, **given)} "
            f": ({pointer}) -> {fragment.mlir}"
        )

    opcode = f"wmma.{'store' if store else 'load'}.{matrix}.sync{aligned}.{layout}"
    opcode += f".{shape}{ADDRESS_SPACES[space]}.{element}"
    address = "{{\\[}}[[P]]{{\\]}}"
    if store:
        registers = braces(map(use, fragment.names()))
        ptx = f"{opcode} {address},{{{{ *}}}}{registers}, {use('STRIDE')};"
    else:
        registers = braces(define(r, fragment.bits) for r in fragment.names())
        ptx = f"{opcode} {registers}, {address}, {use('STRIDE')};"

    print(f"// IR-LABEL: @{name}(")
    print(f"// IR: call {{{{.*}}}}@{intrinsic}(")
    check_function(name, checks, [ptx], None if store else fragment, constants)
    print_function(name, params, body, None if store else fragment.mlir)


def gen_mma(shape, layouts, element, c_type, d_type, row, aligned):
    a, b, c, d = (
        Fragment(matrix, shape, kind)
        for matrix, kind in zip("abcd", (element, element, c_type, d_type))
    )
    operands = [x for f in (a, b, c) for x in zip(f.values(), f.types())]
    checks = [(register, f.bits) for f in (a, b, c) for register in f.names()]
    # f16 is named by its accumulators, the other types by themselves.
    tail = f"{d_type}.{c_type}" if element == "f16" else element
    ptx_tail = tail if element == "f16" else f"{d_type}.{element}.{element}.{c_type}"
    layout = ".".join(layouts)
    intrinsic = f"llvm.nvvm.wmma.{shape}.mma{row.operation}.{layout}.{tail}"
    name = f"mma{row.operation}_{layout}_{shape}_{tail}".replace(".", "_")

    # The op has no type of d: it is c's.
    if row.has_op and c_type == d_type:
        given = attributes(
            shape,
            layoutA=("mma_layout", layouts[0]),
            layoutB=("mma_layout", layouts[1]),
            eltypeA=("mma_type", element),
            eltypeB=("mma_type", c_type),
        )
        values = ", ".join(value for value, _ in operands)
        types = ", ".join(kind for _, kind in operands)
        body = f"%result = nvvm.wmma.mma {values} {given} : ({types}) -> {d.mlir}"
    else:
        body = call_intrinsic(intrinsic, operands, d.mlir)

    instruction = [
        f"wmma.mma{row.operation}.sync{aligned}.{layout}.{shape}.{ptx_tail}",
        braces(define(r, d.bits) for r in d.names()) + ",",
        braces(map(use, a.names())) + ",",
        braces(map(use, b.names())) + ",",
        braces(map(use, c.names())) + ";",
    ]
    print(f"// IR-LABEL: @{name}(")
    print(f"// IR: call {{{{.*}}}}@{intrinsic}(")
    check_function(name, checks, instruction, d)
    print_function(name, operands, [body], d.mlir)


def gen_row(row, aligned):
    for shape in row.shapes:
        layouts = {"a": row.a_layouts, "b": row.b_layouts}
        fragments = [Fragment(x, shape, t) for t in row.multiplicands for x in "ab"]
        fragments += [Fragment(x, shape, t) for t in row.accumulators for x in "cd"]
        for fragment in fragments:
            # MLIR 22 wants a struct of the one register that the intrinsic returns
            # without a struct: wmma-one-register.mlir.
            has_op = row.has_op and (fragment.count > 1 or fragment.element == "f64")
            for layout, space, stride in product(
                layouts.get(fragment.matrix, ANY_LAYOUT),
                ADDRESS_SPACES,
                ("register", "constant"),
            ):
                gen_memory(fragment, layout, space, stride, has_op, aligned)
        for ab, element, c_type, d_type in product(
            product(row.a_layouts, row.b_layouts),
            row.multiplicands,
            row.accumulators,
            row.accumulators,
        ):
            gen_mma(shape, ab, element, c_type, d_type, row, aligned)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("row", choices=ROWS)
    parser.add_argument(
        "--before-ptx63", action="store_true", help=".aligned is not yet spelled"
    )
    args = parser.parse_args()
    gen_row(ROWS[args.row], "" if args.before_ptx63 else ".aligned")


if __name__ == "__main__":
    main()
