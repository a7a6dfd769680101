#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Write the tables of contrib/cutlass/include/nvptx_mma: the builtins of wgmma,
and what CUTLASS's atoms of SM90 are called.

  cutlass_overlay.py           write the tables
  cutlass_overlay.py --check   fail where a table is not what would be written

Builtins, operands and the values of N come from the compiler's tables
(matrix_tables.py). CUTLASS's naming scheme is here: the types in capitals, what
they end in, and which N are there without CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED.

Exit status: 0, or 1 when --check finds something, 2 for wrong usage.
"""

import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(1, str(ROOT / "utils" / "documentation"))
from matrix_tables import Reader
from written import write_from_tables

FOLDER = ROOT / "contrib" / "cutlass" / "include" / "nvptx_mma"

# The N that CUTLASS always has.
BASE = (8, 16, 32, 64, 96, 128, 192, 256)

HEADER = """\
// Written by utils/cutlass_overlay.py of nvptx-mma: do not edit.
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
"""


@dataclass(frozen=True)
class Builtin:
    """A builtin of wgmma as CUTLASS sees it."""

    name: str
    sparse: bool
    form: str  # "SS" or "RS"
    types: str  # "F32F16F16"
    k: int
    ns: tuple
    registers_per_8n: int
    parameters: tuple

    @property
    def space(self):
        return "Sparse" if self.sparse else "Dense"

    @property
    def is_integer(self):
        return self.types.startswith("S32")

    @property
    def register(self):
        """As CUTLASS declares it: two halves, and integers, are uint32_t."""
        return "float" if self.types.startswith("F32") else "uint32_t"

    @property
    def kind(self):
        """What varies in the atoms that share the builtin and N."""
        names = {p.name for p in self.parameters if p.immediate}
        if "trans_b" in names:
            return "MAJOR"
        return "SCALE" if "scale_b" in names else "SATURATE"

    def row(self):
        """The builtin's row of gmma_builtins.def."""
        arguments = (argument(p) for p in self.parameters)
        text = (
            f"NVPTX_MMA_BUILTIN({self.space}, {self.form}, {self.types}, "
            f"{self.register}, {self.registers_per_8n}, "
            f"{self.name}({', '.join(arguments)}))"
        )
        return textwrap.fill(text, 80, subsequent_indent="  ")

    def atoms(self):
        """The row of gmma_dense.def or gmma_sparse.def."""
        shapes = "NVPTX_MMA_INTEGER" if self.is_integer else "NVPTX_MMA_FLOAT"
        macro = f"NVPTX_MMA_{self.space.upper()}_{self.kind}"
        return f"{shapes}({macro}, {self.k}, {self.types}, {self.form})"


# What an atom has as several registers, or as another type.
ARGUMENTS = {
    "d": "Sum{d...}",
    "a": "Vector<uint32_t, 4>{a0, a1, a2, a3}",
    "scale_d": "scale_d != ScaleOut::Zero",
}


def argument(parameter):
    if parameter.immediate:
        return f"Imm::{parameter.name}"
    return ARGUMENTS.get(parameter.name, parameter.name)


def builtin(entry):
    _, *sparse, form, d, a, b = re.fullmatch(
        r"__nvvm_wgmma_mma_(async)(_sp)?_(ss|rs)_(\w+?)_(\w+?)_(\w+)", entry.builtin
    ).groups()
    accumulator = next(p for p in entry.parameters if p.name == "d")
    return Builtin(
        entry.builtin,
        sparse != [None],
        form.upper(),
        (d + a + b).upper(),
        int(re.search(r"n<N>k([0-9]+)", entry.ptx)[1]),
        entry.ns,
        8 // int(accumulator.c_type.split("N/")[1].rstrip(">")),
        entry.parameters,
    )


def builtins(build):
    """Those of wgmma.mma_async; CUTLASS has no atoms of b1."""
    entries = Reader(build).wgmma_entries()
    return [builtin(e) for e in entries if "_b1_" not in e.builtin]


def shapes(name, ns):
    """A macro that calls another one for each N."""
    calls = " ".join(f"X({n}, __VA_ARGS__)" for n in ns)
    lines = textwrap.wrap(calls, 76, break_on_hyphens=False)
    lines = [f"#define {name}(X, ...)", *(f"  {line}" for line in lines)]
    return "\n".join([*(f"{line:<79}\\" for line in lines[:-1]), lines[-1]])


def extended(all_builtins, is_integer):
    (ns,) = {b.ns for b in all_builtins if b.is_integer == is_integer}
    assert set(BASE) <= set(ns)
    return [n for n in ns if n not in BASE]


def tables(build):
    """{path: text}"""
    found = builtins(build)
    lists = (
        ("NVPTX_MMA_N_BASE", BASE),
        ("NVPTX_MMA_N_EXTENDED_FLOAT", extended(found, False)),
        ("NVPTX_MMA_N_EXTENDED_INTEGER", extended(found, True)),
    )
    texts = {
        "gmma_builtins.def": "// The builtins, each with its accumulator's "
        "register, how many of them 8 columns\n// take, and the call.\n\n"
        + "\n".join(b.row() for b in found),
        "gmma_shapes.def": "// The values of N: those that CUTLASS always has, "
        "and the rest.\n\n" + "\n".join(shapes(*entry) for entry in lists),
    }
    for space in ("Dense", "Sparse"):
        texts[f"gmma_{space.lower()}.def"] = (
            f"// The {space.lower()} atoms: what else is in their names, their K, "
            "types and form. Its\n// user defines NVPTX_MMA_FLOAT and "
            "NVPTX_MMA_INTEGER to be lists of N.\n\n"
            + "\n".join(b.atoms() for b in found if b.space == space)
            + "\n\n#undef NVPTX_MMA_FLOAT\n#undef NVPTX_MMA_INTEGER"
        )
    return {FOLDER / name: HEADER + text + "\n" for name, text in texts.items()}


if __name__ == "__main__":
    write_from_tables(__doc__, tables, FOLDER, "*.def", "tables")
