//===- types.h - The types that sparse_gemm multiplies ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What gemm/kernel.h and gemm/check.h ask of a Type, for a sparse A of f16,
// bf16, e4m3 and s8. Besides:
//   Name      as on the command line
//   MaxError  of data that are not exact, how far an element may be from the
//             exact sum, as a fraction of the largest one
//
//===----------------------------------------------------------------------===//

#ifndef SPARSE_GEMM_TYPES_H
#define SPARSE_GEMM_TYPES_H

#include "../gemm/elements.h"

#include <nvptx_epilogue.h>
#include <nvptx_sparse.h>
#include <nvptx_wgmma.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace sparse_gemm {

namespace wgmma = nvptx::wgmma;

/// What the types with sums of f32 have in common. One word of metadata serves
/// two instructions where elements have 16 bits, the first with the selector 0
/// and the second with 1; of 8 bits each instruction has its own.
template <class T, class O> struct SparseFloat : gemm::FloatElements<T, O> {
  static constexpr int MaxTileN = 256;
  static constexpr bool Promotes = false;
  static constexpr int MetadataWords = sizeof(T) == 2 ? 1 : 2;
  template <int N> using Accumulator = wgmma::accumulator_f32<N>;

  /// Multiples of 1/16, of 8 bits 1/2, up to 1, but not zero.
  static __device__ T exact(uint32_t Random) {
    constexpr int Most = sizeof(T) == 2 ? 16 : 2;
    int Number = 1 + int(Random / 2 % Most);
    return T((Random % 2 ? Number : -Number) / float(Most));
  }
};

struct F16 : SparseFloat<__half, __half> {
  static constexpr const char *Name = "f16";
  /// Half a unit in the last place of the largest sum, and a little.
  static constexpr double MaxError = 0x1.1p-11;
  static constexpr nvptx::sparse::type Sparsity = nvptx::sparse::type::f16;
  template <int Step, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B,
                                  const unsigned (&Word)[1]) {
    Sum = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(
        Sum, A, B, Word[0], /*sp_sel=*/Step, Adds, /*scale_a=*/1,
        /*scale_b=*/1, /*trans_a=*/false, /*trans_b=*/false);
  }
};

struct BF16 : SparseFloat<__nv_bfloat16, __nv_bfloat16> {
  static constexpr const char *Name = "bf16";
  static constexpr double MaxError = 0x1.1p-8;
  static constexpr nvptx::sparse::type Sparsity = nvptx::sparse::type::bf16;
  template <int Step, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B,
                                  const unsigned (&Word)[1]) {
    Sum = __nvvm_wgmma_mma_async_sp_ss_f32_bf16_bf16(
        Sum, A, B, Word[0], /*sp_sel=*/Step, Adds, /*scale_a=*/1,
        /*scale_b=*/1, /*trans_a=*/false, /*trans_b=*/false);
  }
};

struct E4M3 : SparseFloat<__nv_fp8_e4m3, __half> {
  static constexpr const char *Name = "e4m3";
  /// The tensor core adds fp8 with 13 bits.
  static constexpr double MaxError = 0x1p-6;
  static constexpr nvptx::sparse::type Sparsity = nvptx::sparse::type::e4m3;
  template <int Step, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B,
                                  const unsigned (&Word)[2]) {
    Sum = __nvvm_wgmma_mma_async_sp_ss_f32_e4m3_e4m3(
        Sum, A, B, Word[Step], /*sp_sel=*/0, Adds, /*scale_a=*/1,
        /*scale_b=*/1);
  }
};

struct S8 : gemm::S8Elements {
  static constexpr const char *Name = "s8";
  static constexpr double MaxError = 0;
  static constexpr int MaxTileN = 256;
  static constexpr bool Promotes = false;
  static constexpr int MetadataWords = 2;
  static constexpr nvptx::sparse::type Sparsity = nvptx::sparse::type::s8;
  template <int N> using Accumulator = wgmma::accumulator_s32<N>;

  template <int Step, bool Adds, class Sums>
  static __device__ void multiply(Sums &Sum, unsigned long A, unsigned long B,
                                  const unsigned (&Word)[2]) {
    Sum = __nvvm_wgmma_mma_async_sp_ss_s32_s8_s8(Sum, A, B, Word[Step],
                                                 /*sp_sel=*/0, Adds,
                                                 /*satfinite=*/false);
  }
};

} // namespace sparse_gemm

#endif // SPARSE_GEMM_TYPES_H
