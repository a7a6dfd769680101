//===- warpgroup.h - What a warpgroup does in several steps -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is 64 of K: a line of 128 bytes for each row of A and each column of
// B, swizzled by 128 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TUTORIAL_WARPGROUP_H
#define TUTORIAL_WARPGROUP_H

#include "tutorial.h"

#include <nvptx_epilogue.h>
#include <nvptx_tensor_map.h>
#include <nvptx_wgmma.h>

namespace tutorial {

namespace wgmma = nvptx::wgmma;
namespace tma = nvptx::tma;

constexpr int StageK = 64;
constexpr int LineBytes = 128;
/// Eight lines, after which the swizzle repeats.
constexpr int AtomBytes = 8 * LineBytes;

/// Dynamic shared memory from the next multiple of an atom on: programs ask for
/// an atom more than they need.
__device__ inline char *alignToAtom(char *Shared) {
  return Shared + (-__cvta_generic_to_shared(Shared) & (AtomBytes - 1));
}

/// The warpgroup's index. The shuffle tells the compiler that a warp agrees on
/// it, so that descriptors stay in uniform registers.
__device__ inline int warpgroupIndex() {
  return __shfl_sync(~0u, int(threadIdx.x) / 128, 0);
}

/// Starts multiplying a stage: 64 rows of A by N columns of B.
template <int N>
__device__ void multiplyStage(wgmma::accumulator_f32<N> &Sum, const char *A,
                              const char *B) {
  unsigned long ADescriptor =
      wgmma::descriptor(A, 16, AtomBytes, wgmma::swizzle::bytes_128);
  unsigned long BDescriptor =
      wgmma::descriptor(B, 16, AtomBytes, wgmma::swizzle::bytes_128);
  wgmma::fence();
  // 16 of K are 32 bytes.
  wgmma::static_for<StageK / 16>([&](auto Step) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        Sum, wgmma::advance(ADescriptor, 32 * Step()),
        wgmma::advance(BDescriptor, 32 * Step()), /*scale_d=*/true,
        /*scale_a=*/1, /*scale_b=*/1, /*trans_a=*/false, /*trans_b=*/false);
  });
  wgmma::commit_group();
}

/// Stores 64 rows of sums as f16, two elements at a time. \p D is the first
/// one's place.
template <int N>
__device__ void storeSums(half *D, size_t Stride,
                          const wgmma::accumulator_f32<N> &Sum, int Thread) {
  auto Halves = wgmma::to_f16(Sum);
  wgmma::static_for<N / 4>([&](auto I) {
    int Row = wgmma::accumulator_row(Thread, 2 * I());
    int Column = wgmma::accumulator_col(Thread, 2 * I());
    *reinterpret_cast<int *>(D + Row * Stride + Column) = Halves[I()];
  });
}

/// The map of a matrix of \p Rows lines of \p Columns halves, in boxes of
/// \p BoxRows by 64.
inline nvptx::tensor_map mapOf(const half *Matrix, int Rows, int Columns,
                               int BoxRows) {
  nvptx::tensor_map Map;
  auto Unsigned = [](auto Number) {
    return static_cast<unsigned long long>(Number);
  };
  cudaError_t Error = nvptx::make_tensor_map(
      Map, nvptx::tensor_type::f16, Matrix, {Unsigned(Columns), Unsigned(Rows)},
      {Unsigned(Columns) * sizeof(half)},
      {StageK, static_cast<unsigned>(BoxRows)}, wgmma::swizzle::bytes_128);
  device::check(Error, "make_tensor_map");
  return Map;
}

} // namespace tutorial

#endif // TUTORIAL_WARPGROUP_H
