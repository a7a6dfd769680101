//===- gemm_fp8.cu - e4m3 matrix multiplication on Hopper -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is in gemm/kernel.h; here is what is particular to e4m3.
//
// Of 8-bit floating point the tensor core adds with 13 bits only
// (docs/rounding.md). "fast" lets it; "promoted" takes the sums of each 128
// elements of K out of it, and adds them in f32. Results are rounded to f16.
//
//   clang++ -O3 -std=c++17 --cuda-gpu-arch=sm_90a --cuda-path=/usr/local/cuda
//       examples/gemm_fp8.cu -o gemm_fp8 -L/usr/local/cuda/lib64
//       -lcudart_static -ldl -lrt -lpthread
//
// gemm_fp8 [M N K]; exit status 0: right, 1: wrong, 3: no suitable GPU, 4: CUDA
// failed.
//
//===----------------------------------------------------------------------===//

#include "gemm/elements.h"
#include "gemm/host.h"

#include <cuda_fp16.h>
#include <cuda_fp8.h>

using namespace gemm;

namespace {

template <bool IsPromoted> struct E4M3 : FloatElements<__nv_fp8_e4m3, __half> {
  /// Promoted sums take twice the registers.
  static constexpr int MaxTileN = IsPromoted ? 128 : 256;
  static constexpr bool Promotes = IsPromoted;
  static constexpr int MetadataWords = 0;
  template <int N> using Accumulator = wgmma::accumulator_f32<N>;

  /// Multiples of 1/2 up to 1: 13 bits hold sums of their products below 1024.
  static __device__ Element exact(uint32_t Random) {
    return Element((int(Random % 5) - 2) / 2.0f);
  }

  template <int, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_e4m3_e4m3(Sum, A, B, Adds,
                                                  /*scale_a=*/1, /*scale_b=*/1);
  }
};

} // namespace

int main(int Argc, char **Argv) {
  requireHopper();
  bool IsRight = runAll<E4M3<false>>("e4m3 fast", 0x1p-6, Argc, Argv);
  IsRight &= runAll<E4M3<true>>("e4m3 promoted", 0x1p-9, Argc, Argv);
  return IsRight ? 0 : 1;
}
