//===- step1_one_wgmma.cu - One multiplication at a time ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is one warpgroup and has 64 by 64 elements of D. For each 16 of K it
// copies 64 rows of A and 64 columns of B to shared memory, multiplies them by
// one wgmma, and waits.
//
// docs/tutorial/gemm.md explains it. Sizes are multiples of 64, 64 and 16.
//
//===----------------------------------------------------------------------===//

#include "tutorial.h"

#include <nvptx_epilogue.h>
#include <nvptx_wgmma.h>

namespace wgmma = nvptx::wgmma;
using tutorial::half;

namespace {

constexpr int TileM = 64, TileN = 64, TileK = 16;

/// Where element k of a row is in shared memory: without a swizzle, in pieces
/// of eight rows and 16 bytes, two of which are a line of K.
__device__ int placeOf(int Row, int K) {
  return Row / 8 * 128 + K / 8 * 64 + Row % 8 * 8 + K % 8;
}

/// Copies this thread's 16 bytes of 64 rows of 16 elements.
__device__ void copyRows(half *Shared, const half *Global, int Stride) {
  int Row = threadIdx.x / 2, K = threadIdx.x % 2 * 8;
  *reinterpret_cast<uint4 *>(Shared + placeOf(Row, K)) =
      *reinterpret_cast<const uint4 *>(Global + size_t(Row) * Stride + K);
}

__global__ void __launch_bounds__(128)
    multiply(const half *A, const half *B, half *D, int N, int K) {
  __shared__ alignas(128) half ATile[TileM * TileK], BTile[TileN * TileK];
  const int Row0 = blockIdx.x * TileM, Column0 = blockIdx.y * TileN;
  const unsigned long ADescriptor =
      wgmma::descriptor(ATile, /*leading_byte_offset=*/128,
                        /*stride_byte_offset=*/256, wgmma::swizzle::none);
  const unsigned long BDescriptor =
      wgmma::descriptor(BTile, 128, 256, wgmma::swizzle::none);

  wgmma::accumulator_f32<TileN> Sum = {};
  for (int K0 = 0; K0 < K; K0 += TileK) {
    copyRows(ATile, A + size_t(Row0) * K + K0, K);
    copyRows(BTile, B + size_t(Column0) * K + K0, K);
    wgmma::fence_proxy_async(); // what this thread wrote, wgmma may read
    __syncthreads();            // and what the others wrote

    wgmma::fence_operand(Sum); // what wrote Sum stays above the fence
    wgmma::fence();            // registers are written before wgmma uses them
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        Sum, ADescriptor, BDescriptor, /*scale_d=*/true, /*scale_a=*/1,
        /*scale_b=*/1, /*trans_a=*/false, /*trans_b=*/false);
    wgmma::commit_group();
    wgmma::wait_group<0>();
    wgmma::fence_operand(Sum); // from here on Sum has its value
    __syncthreads();           // the tiles have been read
  }

  auto Halves = wgmma::to_f16(Sum);
  half *Tile = D + size_t(Row0) * N + Column0;
  wgmma::static_for<TileN / 4>([&](auto I) {
    int Row = wgmma::accumulator_row(threadIdx.x, 2 * I());
    int Column = wgmma::accumulator_col(threadIdx.x, 2 * I());
    *reinterpret_cast<int *>(Tile + size_t(Row) * N + Column) = Halves[I()];
  });
}

} // namespace

int main(int Argc, char **Argv) {
  return tutorial::run("step1_one_wgmma", Argc, Argv, {TileM, TileN, TileK},
                       [](const tutorial::Problem &P) {
                         return [P] {
                           dim3 Grid(P.M / TileM, P.N / TileN);
                           multiply<<<Grid, 128>>>(P.A, P.B, P.D, P.N, P.K);
                         };
                       });
}
