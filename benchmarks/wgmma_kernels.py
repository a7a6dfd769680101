# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Writes the same CUDA kernel with builtins and with inline assembly.

  wgmma_kernels.py --form builtin --n 256 --count 64

The kernel issues `count` wgmma of f16 with an accumulator of f32 and stores the
accumulator. The forms:
  builtin        this project's
  asm-array      asm whose operands are the elements of an array
  asm-reference  asm in a function with a reference parameter for each register,
                 as CUTLASS has it

This project's Clang makes intrinsics of both of asm; with another one they are what
they were with it until 2096ca9.

All are in one loop that clang unrolls, so that each form is written once. The
instructions are issued and waited for in groups; around the wait stands what each
form needs to keep the accumulator where it is.
"""

import argparse
import sys

FORMS = ("builtin", "asm-array", "asm-reference")

PROLOGUE = """\
// Written by benchmarks/wgmma_kernels.py
#define DEVICE static inline __attribute__((device, always_inline))
"""

BUILTIN = """\
#include <nvptx_wgmma.h>
using namespace nvptx::wgmma;
using Accumulator = accumulator_f32<{n}>;

DEVICE void multiply(Accumulator &d, unsigned long a, unsigned long b, unsigned metadata) {{
  d = {builtin}(
      d, a, b, {sparse_arguments}/*scale_d=*/true, /*scale_a=*/1, /*scale_b=*/1,
      /*trans_a=*/false, /*trans_b=*/false);
}}
DEVICE void keep(Accumulator &d) {{ fence_operand(d); }}
"""

ASM = """\
using Accumulator = float[{registers}];

DEVICE void fence() {{ asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }}
DEVICE void commit_group() {{
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}}
template <int Pending> DEVICE void wait_group() {{
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}}
{multiply}
DEVICE void keep(Accumulator &d) {{
#pragma unroll
  for (int i = 0; i < {registers}; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
}}
"""

ASM_STATEMENT = """\
  asm volatile(
      "{{.reg .pred p;\\n"
      "setp.ne.b32 p, %{scale_d}, 0;\\n"
      "{instruction} "
      "{{{registers}}}, %{a}, %{b}, {sparse_operands}p, 1, 1, 0, 0;}}\\n"
      : {outputs}
      : "l"(a), "l"(b), {sparse_inputs}"r"(1));
"""

KERNEL = """\
extern "C" __attribute__((global)) void kernel(float *out, unsigned long a,
                                               unsigned long b, unsigned metadata) {{
  Accumulator d = {{}};
#pragma unroll
  for (int group = 0; group < {groups}; ++group) {{
    keep(d);
    fence();
#pragma unroll
    for (int k = 0; k < {group}; ++k)
      multiply(d, a + 2 * ({group} * group + k), b + 2 * ({group} * group + k), metadata);
    commit_group();
    wait_group<0>();
    keep(d);
  }}
#pragma unroll
  for (int i = 0; i < {registers}; ++i)
    out[128 * i + __nvvm_read_ptx_sreg_tid_x()] = d[i];
}}
"""


def instruction(n, sparse):
    sp, k = (".sp", 32) if sparse else ("", 16)
    return f"wgmma.mma_async{sp}.sync.aligned.m64n{n}k{k}.f32.f16.f16"


def asm_statement(n, sparse, outputs):
    count = len(outputs)
    return ASM_STATEMENT.format(
        instruction=instruction(n, sparse),
        registers=", ".join(f"%{i}" for i in range(count)),
        a=count,
        b=count + 1,
        sparse_operands=f"%{count + 2}, 0, " if sparse else "",
        sparse_inputs='"r"(metadata), ' if sparse else "",
        scale_d=count + 2 + sparse,
        outputs=", ".join(f'"+f"({output})' for output in outputs),
    )


def asm_multiply(form, n, sparse):
    registers = range(n // 2)
    inputs = "unsigned long a, unsigned long b, unsigned metadata"
    elements = [f"d[{i}]" for i in registers]
    if form == "asm-array":
        body = asm_statement(n, sparse, elements)
        return f"DEVICE void multiply(Accumulator &d, {inputs}) {{\n{body}}}\n"
    references = ", ".join(f"float &d{i}" for i in registers)
    body = asm_statement(n, sparse, [f"d{i}" for i in registers])
    return (
        f"DEVICE void fma({inputs}, {references}) {{\n{body}}}\n"
        f"DEVICE void multiply(Accumulator &d, {inputs}) {{\n"
        f"  fma(a, b, metadata, {', '.join(elements)});\n}}\n"
    )


def kernel(form, n, count, group, sparse):
    """The CUDA source of a kernel with `count` wgmma, `group` to each wait."""
    if form not in FORMS or n % 8 or not 8 <= n <= 256 or count % group:
        raise ValueError("no such kernel")
    if form == "builtin":
        sp = "_sp" if sparse else ""
        text = BUILTIN.format(
            n=n,
            builtin=f"__nvvm_wgmma_mma_async{sp}_ss_f32_f16_f16",
            sparse_arguments="metadata, /*sp_sel=*/0, " if sparse else "",
        )
    else:
        text = ASM.format(registers=n // 2, multiply=asm_multiply(form, n, sparse))
    return (
        PROLOGUE
        + text
        + KERNEL.format(groups=count // group, group=group, registers=n // 2)
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--form", choices=FORMS, required=True)
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--group", type=int, help="wgmma to each wait (default: all)")
    parser.add_argument("--sparse", action="store_true")
    args = parser.parse_args()
    sys.stdout.write(
        kernel(args.form, args.n, args.count, args.group or args.count, args.sparse)
    )


if __name__ == "__main__":
    main()
