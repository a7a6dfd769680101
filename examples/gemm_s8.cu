//===- gemm_s8.cu - s8 matrix multiplication on Hopper --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is in gemm/kernel.h; here is what is particular to s8. D is s32,
// and exact.
//
//   clang++ -O3 -std=c++17 --cuda-gpu-arch=sm_90a --cuda-path=/usr/local/cuda
//       examples/gemm_s8.cu -o gemm_s8 -L/usr/local/cuda/lib64
//       -lcudart_static -ldl -lrt -lpthread
//
// gemm_s8 [M N K]; exit status 0: right, 1: wrong, 3: no suitable GPU, 4: CUDA
// failed.
//
//===----------------------------------------------------------------------===//

#include "gemm/elements.h"
#include "gemm/host.h"

using namespace gemm;

namespace {

struct S8 : S8Elements {
  static constexpr int MaxTileN = 256;
  static constexpr bool Promotes = false;
  static constexpr int MetadataWords = 0;
  template <int N> using Accumulator = wgmma::accumulator_s32<N>;

  template <int, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B) {
    Sum = __nvvm_wgmma_mma_async_ss_s32_s8_s8(Sum, A, B, Adds,
                                              /*satfinite=*/false);
  }
};

} // namespace

int main(int Argc, char **Argv) {
  requireHopper();
  return runAll<S8>("s8", 0, Argc, Argv) ? 0 : 1;
}
