//===- gemm_f16.cu - f16 and bf16 matrix multiplication on Hopper ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is in gemm/kernel.h; here is what is particular to f16 and bf16.
// Elements are added in f32, and rounded to the inputs' type in the end; or in
// f16 from the start.
//
//   clang++ -O3 -std=c++17 --cuda-gpu-arch=sm_90a --cuda-path=/usr/local/cuda
//       examples/gemm_f16.cu -o gemm_f16 -L/usr/local/cuda/lib64
//       -lcudart_static -ldl -lrt -lpthread
//
// gemm_f16 [M N K]; exit status 0: right, 1: wrong, 3: no suitable GPU, 4: CUDA
// failed.
//
//===----------------------------------------------------------------------===//

#include "gemm/elements.h"
#include "gemm/host.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace gemm;

namespace {

/// What f16 and bf16 have in common.
template <class T> struct Type16 : FloatElements<T, T> {
  static constexpr int MaxTileN = 256;
  static constexpr bool Promotes = false;
  static constexpr int MetadataWords = 0;
  template <int N> using Accumulator = wgmma::accumulator_f32<N>;

  /// Multiples of 1/16 up to 1: their products are multiples of 1/256.
  static __device__ T exact(uint32_t Random) {
    return T((int(Random % 33) - 16) / 16.0f);
  }
};

struct F16 : Type16<__half> {
  template <int, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        Sum, A, B, Adds, /*scale_a=*/1, /*scale_b=*/1,
        /*trans_a=*/false, /*trans_b=*/false);
  }
};

struct BF16 : Type16<__nv_bfloat16> {
  template <int, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_bf16_bf16(
        Sum, A, B, Adds, /*scale_a=*/1, /*scale_b=*/1,
        /*trans_a=*/false, /*trans_b=*/false);
  }
};

/// Sums in f16, too: half of the registers, and less exact.
struct F16Sums : Type16<__half> {
  template <int N> using Accumulator = wgmma::accumulator_f16<N>;

  template <class Sums>
  static __device__ void add(Sums &Sum, const Sums &Other) {
    using Halves = _Float16
        __attribute__((ext_vector_type(sizeof(Sums) / sizeof(__half))));
    Sum = wgmma::register_cast<Sums>(wgmma::register_cast<Halves>(Sum) +
                                     wgmma::register_cast<Halves>(Other));
  }
  /// Integers: f16 holds sums below 2048.
  static __device__ __half exact(uint32_t Random) {
    return __half(float(int(Random % 3) - 1));
  }
  template <int, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B) {
    Sum = __nvvm_wgmma_mma_async_ss_f16_f16_f16(
        Sum, A, B, Adds, /*scale_a=*/1, /*scale_b=*/1,
        /*trans_a=*/false, /*trans_b=*/false);
  }
  template <class Sums> static __device__ Sums convert(const Sums &Sum) {
    return Sum;
  }
};

} // namespace

int main(int Argc, char **Argv) {
  requireHopper();
  // Half a unit in the last place of the largest sum, and a little.
  bool IsRight = runAll<F16>("f16", 0x1.1p-11, Argc, Argv);
  IsRight &= runAll<BF16>("bf16", 0x1.1p-8, Argc, Argv);
  IsRight &= runAll<F16Sums>("f16, sums in f16", 0x1p-5, Argc, Argv);
  return IsRight ? 0 : 1;
}
