//===- wgmma_tile.cu - A 64xN tile of D with wgmma ------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worked example of docs/matrix-descriptors.md: D = A * B for a 64x64 A and
// a 64x128 B of f16, both swizzled by 128 bytes, by one warpgroup.
//
//===----------------------------------------------------------------------===//

#include "shared_tile.h"

#include <nvptx_wgmma.h>

namespace wgmma = nvptx::wgmma;

constexpr int M = 64, N = 128, K = 64;
// Lines of 64 halves: one row of the swizzle each.
constexpr layouts::Tile ATile = {M, K * 2, 128};
constexpr layouts::Tile BTile = {N, K * 2, 128};
constexpr unsigned ABytes = M * K * 2, BBytes = N * K * 2;

// A is row-major, B is column-major: K is contiguous in both.
__device__ void store(char *Shared, const layouts::Tile &Tile,
                      const uint4 *Matrix) {
  unsigned Units = Tile.LineBytes / 16;
  for (unsigned I = threadIdx.x; I < Tile.Lines * Units; I += blockDim.x)
    *reinterpret_cast<uint4 *>(
        Shared + Tile.offset(I / Units, I % Units * 16)) = Matrix[I];
}

__global__ void multiply(float *D, const uint4 *A, const uint4 *B) {
  __shared__ __align__(1024) char Shared[ABytes + BBytes];
  store(Shared, ATile, A);
  store(Shared + ABytes, BTile, B);
  // Ordinary stores must be made visible to wgmma, each thread's own.
  wgmma::fence_proxy_async();
  __syncthreads();

  // One instruction's K is 32 bytes of a row of 128, so that it never needs
  // the leading offset.
  unsigned long ADescriptor =
      wgmma::descriptor(Shared, /*leading_byte_offset=*/16, ATile.downStep(),
                        wgmma::swizzle::bytes_128);
  unsigned long BDescriptor =
      wgmma::descriptor(Shared + ABytes, /*leading_byte_offset=*/16,
                        BTile.downStep(), wgmma::swizzle::bytes_128);
  wgmma::accumulator_f32<N> Sum = {};
  wgmma::fence_operand(Sum);
  wgmma::fence();
#pragma unroll
  for (int Byte = 0; Byte < K * 2; Byte += 32)
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        Sum, wgmma::advance(ADescriptor, ATile.kMajorStart(Byte)),
        wgmma::advance(BDescriptor, BTile.kMajorStart(Byte)),
        /*scale_d=*/true, /*scale_a=*/1, /*scale_b=*/1, /*trans_a=*/false,
        /*trans_b=*/false);
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);

#pragma unroll
  for (int R = 0; R < N / 2; ++R)
    D[wgmma::accumulator_row(threadIdx.x, R) * N +
      wgmma::accumulator_col(threadIdx.x, R)] = Sum[R];
}
