# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Generates matrix-convergent.ll: code that must not be duplicated.

In each function threads diverge, meet again for one matrix instruction, and
diverge once more as they did before. Simplifying this would join each first way to
its second one, and give both an instruction of their own.
"""

import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
from ptx_isa.matrix import INTRINSICS, ir


def function(name, call):
    return f"""\
define void @{name}(i1 %diverges, ptr %p0) {{
entry:
  br i1 %diverges, label %left, label %meet
left:
  call void @work()
  br label %meet
meet:
  %again = phi i1 [ true, %left ], [ false, %entry ]
  {call}
  br i1 %again, label %yes, label %no
yes:
  call void @work()
  ret void
no:
  ret void
}}
"""


def matrix_call(variant):
    """A call with any values: those of registers do not matter here."""
    arguments = []
    for role, _, register in ir.registers(variant):
        kind = ir.argument_type(variant, role, register)
        value = {"p": "%p0", "selector": "0"}.get(role, "zeroinitializer")
        if value == "zeroinitializer" and kind in ("i32", "i16"):
            value = "0"
        elif value == "zeroinitializer" and kind in ("float", "double"):
            value = "0.0"
        arguments.append(f"{kind} {value}")
    result = ir.return_type(variant)
    assign = "" if result == "void" else "%r = "
    return f"{assign}call {result} @{variant.mangled}({', '.join(arguments)})"


def main():
    print("declare void @work()\n")
    # What may be duplicated is, or else this would test nothing.
    print("; CHECK-LABEL: define void @ordinary(")
    print("; CHECK-COUNT-2: store volatile i32 0, ptr %p0")
    print(function("ordinary", "store volatile i32 0, ptr %p0"))
    for variants in INTRINSICS.values():
        variant = next(v for v in variants if not v.space)
        name = ir.name(variant)
        print(f"; CHECK-LABEL: define void @{name}(")
        print(f"; CHECK: call {{{{.*}}}}@{variant.mangled}(")
        print(f"; CHECK-NOT: @{variant.mangled}(")
        print(f"; CHECK: {{{{^}}}}}}")
        print(function(name, matrix_call(variant)))
        print(ir.declaration(variant) + "\n")


if __name__ == "__main__":
    main()
