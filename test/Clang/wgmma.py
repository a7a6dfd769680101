# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Generates a CUDA program that calls each builtin of wgmma.mma_async[.sp].

Each one is called at some of its N (together they use all of them) and with its
immediates cycled. IR says what Clang makes of the call, PTX what the whole
compiler does.
"""

import argparse
import os
import sys

HERE = os.path.dirname(__file__)
# Here, and in LLVM's repository.
for utils in ("../../utils", "../../../../llvm/utils"):
    sys.path.append(os.path.join(HERE, utils))
from ptx_isa.wgmma import INTRINSICS

# The N at which an intrinsic is called; which third of them, its index decides.
STRIDE = 3


REGISTERS = "{%r{{[^}]*}}}"  # How many, CodeGen/NVPTX/wgmma.py checks.


def gen_function(intrinsic, n, setting, satfinite):
    name = f"{intrinsic.form}_{intrinsic.types.replace('.', '_')}_n{n}"
    c_type = f"{intrinsic.element[2]}{intrinsic.length(n)}"
    acc = intrinsic.acc(n)

    c_immediates = [str(setting[m]) for m in intrinsic.immediates]
    if intrinsic.has_satfinite:
        c_immediates.append(str(satfinite).lower())
    c_meta = ["meta", str(setting["sp-sel"])] if intrinsic.sparse else []
    c_args = ["d", "a", "b", *c_meta, "scale_d", *c_immediates]

    call = intrinsic.call(n, setting, satfinite, scale_d="%scale_d")
    call = call.removeprefix(f"call {acc} ")
    ptx = f"{intrinsic.ptx(n, satfinite)} {REGISTERS}, "
    ptx += "%rd{{[0-9]+}}" if intrinsic.form == "ss" else REGISTERS
    ptx += ", %rd{{[0-9]+}}"
    if intrinsic.sparse:
        ptx += ", %r{{[0-9]+}}, " + str(setting["sp-sel"])
    ptx += ", %p{{[0-9]+}}" + intrinsic.ptx_immediates(setting) + ";"
    c_a = "long" if intrinsic.form == "ss" else "int4"
    return f"""\
// IR-LABEL: define {{{{.*}}}} @{name}(
// IR: call {{{{.*}}}}{acc} {call}
// PTX-LABEL: ) {name}(
// PTX: {ptx}
extern "C" __device__
{c_type} {name}({c_type} d, {c_a} a, long b, {'int meta, ' if c_meta else ''}bool scale_d) {{
  __nvvm_wgmma_fence_sync_aligned();
  d = {intrinsic.builtin}({', '.join(c_args)});
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(0);
  return __nvvm_wgmma_fence_operand(d);
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", choices=("dense", "sparse"))
    sparse = parser.parse_args().family == "sparse"
    intrinsics = [i for i in INTRINSICS if i.sparse == sparse]
    print("#define __device__ __attribute__((device))")
    for element in ("int", "float"):
        for length in range(2, 129, 2):
            print(
                f"using {element}{length} = "
                f"{element} __attribute__((ext_vector_type({length})));"
            )
    print()
    for index, intrinsic in enumerate(intrinsics):
        for i, n in list(enumerate(intrinsic.rule.n))[index % STRIDE :: STRIDE]:
            setting = intrinsic.flag_settings(i)[i // STRIDE % 2 - 1]
            satfinite = intrinsic.has_satfinite and i // STRIDE % 2 == 1
            print(gen_function(intrinsic, n, setting, satfinite))
    print(f"// {len(intrinsics)} builtins")


if __name__ == "__main__":
    main()
