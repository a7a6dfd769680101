# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Generates kernels that keep f16 accumulators as arrays of halves.

That is how CUTLASS and most kernels keep them: an array of halves, reinterpreted
as an array of 32-bit registers for wgmma and for the empty inline assembly that
pins an accumulator around it. Each kernel has one loop over K, which nothing
unrolls. -DASM multiplies with inline assembly, as a compiler without builtins
has to; so the same program compiles with nvcc.

-DHALF=n chooses the type: 0 a struct of uint16_t, 1 _Float16, 2 __half, 3 uint16_t.
-DLONG makes the loops longer, for a test to notice.
"""

import argparse
import itertools
import re
from dataclasses import dataclass

PREAMBLE = """\
#include <stdint.h>
#if HALF == 0
struct half_t {
  uint16_t storage;
};
using H = half_t;
__device__ inline uint16_t bits(H h) { return h.storage; }
__device__ inline H zero() { return H{0}; }
#elif HALF == 1
using H = _Float16;
__device__ inline uint16_t bits(H h) { return reinterpret_cast<uint16_t &>(h); }
__device__ inline H zero() { return 0; }
#elif HALF == 2
#include <cuda_fp16.h>
using H = __half;
__device__ inline uint16_t bits(H h) { return __half_as_ushort(h); }
__device__ inline H zero() { return __ushort_as_half(0); }
#else
using H = uint16_t;
__device__ inline uint16_t bits(H h) { return h; }
__device__ inline H zero() { return 0; }
#endif

__device__ inline float to_float(H h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits(h)));
  return f;
}

template <int N> __device__ inline void pin(H (&acc)[N]) {
  uint32_t *registers = reinterpret_cast<uint32_t *>(acc);
#pragma unroll
  for (int i = 0; i < N / 2; ++i)
    asm volatile("" : "+r"(registers[i])::"memory");
}

#ifdef ASM
#define FENCE asm volatile("wgmma.fence.sync.aligned;\\n" ::: "memory")
#define COMMIT asm volatile("wgmma.commit_group.sync.aligned;\\n" ::: "memory")
#define WAIT(N) asm volatile("wgmma.wait_group.sync.aligned %0;\\n" ::"n"(N) : "memory")
#else
using A4 = int __attribute__((ext_vector_type(4)));
#define FENCE __nvvm_wgmma_fence_sync_aligned()
#define COMMIT __nvvm_wgmma_commit_group_sync_aligned()
#define WAIT(N) __nvvm_wgmma_wait_group_sync_aligned(N)
#endif
"""


@dataclass(frozen=True)
class Shape:
    sparse: bool
    source: str  # ss or rs.
    n: int
    loop: str  # A key of LOOPS.

    @property
    def registers(self):
        return self.n // 4

    @property
    def name(self):
        return f"{'sp_' if self.sparse else ''}{self.source}_n{self.n}_{self.loop}"

    @property
    def fragment(self):
        """The parameter that A comes in."""
        return "uint64_t a" if self.source == "ss" else "const uint32_t *a"


def asm_call(shape):
    """The instruction with d, A, b, meta and scale-d, in inline assembly."""
    count = itertools.count()

    def registers(number):
        return "{" + ", ".join(f"%{next(count)}" for _ in range(number)) + "}"

    d = registers(shape.registers)
    a = f"%{next(count)}" if shape.source == "ss" else registers(4)
    operands = [d, a, f"%{next(count)}"]
    if shape.sparse:
        operands += [f"%{next(count)}", "0"]
    predicate = f"%{next(count)}"
    operands += ["p", "1", "1"] + (["0", "0"] if shape.source == "ss" else ["0"])
    inputs = ['"l"(a)'] if shape.source == "ss" else [f'"r"(a[{i}])' for i in range(4)]
    inputs += ['"l"(b)'] + (['"r"(meta)'] if shape.sparse else []) + ['"r"(scale)']
    outputs = ", ".join(f'"+r"(d[{i}])' for i in range(shape.registers))
    k, sp = (32, ".sp") if shape.sparse else (16, "")
    return f"""\
  asm volatile("{{\\n.reg .pred p;\\nsetp.ne.b32 p, {predicate}, 0;\\n"
    "wgmma.mma_async{sp}.sync.aligned.m64n{shape.n}k{k}.f16.f16.f16 {', '.join(operands)};\\n}}\\n"
    : {outputs}
    : {', '.join(inputs)});
"""


def builtin_call(shape):
    a = (
        "a"
        if shape.source == "ss"
        else "A4{(int)a[0], (int)a[1], (int)a[2], (int)a[3]}"
    )
    sparse = "meta, 0, " if shape.sparse else ""
    trans = "0, 0" if shape.source == "ss" else "0"
    name = f"{'sp_' if shape.sparse else ''}{shape.source}_f16_f16_f16"
    values = ", ".join(f"(int)d[{i}]" for i in range(shape.registers))
    return f"""\
  using V = int __attribute__((ext_vector_type({shape.registers})));
  V v = {{{values}}};
  v = __nvvm_wgmma_mma_async_{name}(v, {a}, b, {sparse}scale != 0, 1, 1, {trans});
#pragma unroll
  for (int i = 0; i < {shape.registers}; ++i)
    d[i] = v[i];
"""


def multiplication(shape):
    return f"""\
__device__ inline void multiply_{shape.name}(H (&acc)[{2 * shape.registers}], {shape.fragment},
                                             uint64_t b, uint32_t meta, int scale) {{
  uint32_t *d = reinterpret_cast<uint32_t *>(acc);
#ifdef LONG
  for (int i = 0; i < 4; ++i)
    asm volatile("nanosleep.u32 0;\\n");
#endif
#ifdef ASM
{asm_call(shape)}#else
{builtin_call(shape)}#endif
}}
"""


# Each loop begins with zeros in acc, j counts, and MULTIPLY(acc, scale) multiplies
# the fragments number j, each time by another B: of two wgmma that multiply the same
# ptxas executes only one, so that a fence would stand between them.

# A group a time.
ONE = """\
  int scale = 0;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    LOAD
    pin(acc);
    FENCE;
    MULTIPLY(acc, scale);
    MULTIPLY(acc, 1);
    COMMIT;
    WAIT(0);
    pin(acc);
    scale = 1;
  }
"""

# The next group is issued before the last is waited for, and the accumulator
# pinned while it is in flight, as CUTLASS does.
TWO = """\
  pin(acc);
  {
    const int j = 0;
    LOAD
    FENCE;
    MULTIPLY(acc, 0);
    COMMIT;
    WAIT_FOR_A
  }
  pin(acc);
#pragma unroll 1
  for (int j = 1; j < n; ++j) {
    LOAD
    pin(acc);
    FENCE;
    MULTIPLY(acc, 1);
    MULTIPLY(acc, 1);
    COMMIT;
    WAIT_LOOP
    pin(acc);
  }
  WAIT(0);
  pin(acc);
"""

# Leaves through the middle; what is read after it is what went into the loop.
MIDDLE = """\
  FENCE;
  for (int j = 0;; ++j) {
    pin(acc);
    if (j == n)
      break;
    LOAD
    FENCE;
    MULTIPLY(acc, 1);
    MULTIPLY(acc, 1);
    COMMIT;
    WAIT(0);
  }
"""

# Two accumulators, a group each.
BOTH = """\
  alignas(16) H acc2[SIZE];
#pragma unroll
  for (int i = 0; i < SIZE; ++i)
    acc2[i] = zero();
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    LOAD
    pin(acc);
    pin(acc2);
    FENCE;
    MULTIPLY(acc, 1);
    COMMIT;
    MULTIPLY(acc2, 1);
    COMMIT;
    WAIT(1);
    pin(acc);
    WAIT(0);
    pin(acc2);
  }
#pragma unroll
  for (int i = 0; i < SIZE; ++i)
    out[(SIZE + i) * 128 + threadIdx.x] = to_float(acc2[i]);
"""

LOOPS = {"one": ONE, "two": TWO, "middle": MIDDLE, "both": BOTH}


def kernel(shape):
    size = 2 * shape.registers
    if shape.source == "ss":
        load, fragment, wait = "", "a + j", ("", "WAIT(1);")
    else:
        # A must not be overwritten before the wait.
        load = "uint32_t fragment[4];\n#pragma unroll\n"
        load += "    for (int i = 0; i < 4; ++i)\n      fragment[i] = a[(4 * j + i) * 128 + threadIdx.x];"
        fragment, wait = "fragment", ("WAIT(0);", "WAIT(0);")
    body = LOOPS[shape.loop]
    for old, new in (
        ("LOAD\n", load + "\n"),
        ("WAIT_FOR_A", wait[0]),
        ("WAIT_LOOP", wait[1]),
        ("SIZE", str(size)),
    ):
        body = body.replace(old, new)
    return f"""\
#undef MULTIPLY
#define MULTIPLY(ACC, SCALE) multiply_{shape.name}(ACC, {fragment}, b + j + 64 * __COUNTER__, meta, SCALE)
extern "C" __global__ void {shape.name}(float *out, {shape.fragment}, uint64_t b,
                                        uint32_t meta, int n) {{
  alignas(16) H acc[{size}];
#pragma unroll
  for (int i = 0; i < {size}; ++i)
    acc[i] = zero();
{body}#pragma unroll
  for (int i = 0; i < {size}; ++i)
    out[i * 128 + threadIdx.x] = to_float(acc[i]);
}}
"""


def shapes(sizes):
    for sparse, source, n, loop in itertools.product(
        (False, True), ("ss", "rs"), sizes, LOOPS
    ):
        yield Shape(sparse, source, n, loop)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int, nargs="+", help="the N of the instructions")
    parser.add_argument("--only", default="", help="in the names of the kernels")
    args = parser.parse_args()
    print(PREAMBLE)
    for shape in shapes(args.n):
        if re.search(args.only, shape.name):
            print(multiplication(shape))
            print(kernel(shape))


if __name__ == "__main__":
    main()
