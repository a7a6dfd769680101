//===- step2_tile_loop.cu - Tiles, copied ahead by cp.async ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is two warpgroups and has 128 by 128 elements of D. Tiles of A and B,
// 64 of K at a time, lie in shared memory as wgmma reads them best, and are
// copied some steps ahead.
//
// docs/tutorial/gemm.md explains it. Sizes are multiples of 128, 128 and 64.
//
//===----------------------------------------------------------------------===//

#include "warpgroup.h"

using namespace tutorial;

namespace {

constexpr int TileM = 128, TileN = 128;
constexpr int Threads = 256;
constexpr int Stages = 4;
/// Copies run this far ahead: all stages but the one that is multiplied.
constexpr int Ahead = Stages - 1;
constexpr int ABytes = TileM * LineBytes, BBytes = TileN * LineBytes;
constexpr int StageBytes = ABytes + BBytes;
constexpr int SharedBytes = Stages * StageBytes + AtomBytes;

/// Starts copying \p Rows lines of 64 halves. The whole block takes part: each
/// thread copies pieces of 16 bytes. The swizzle: piece p of line r lies at
/// place p ^ r % 8.
template <int Rows>
__device__ void copyLines(char *Shared, const half *Global, int Stride) {
  constexpr int Pieces = LineBytes / 16;
#pragma unroll
  for (int I = threadIdx.x; I < Rows * Pieces; I += Threads) {
    int Row = I / Pieces, Piece = I % Pieces;
    char *To = Shared + Row * LineBytes + (Piece ^ Row % 8) * 16;
    const half *From = Global + size_t(Row) * Stride + Piece * 8;
    __nvvm_cp_async_cg_shared_global_16(
        (__attribute__((address_space(3))) void *)To,
        (const __attribute__((address_space(1))) void *)From);
  }
}

__global__ void __launch_bounds__(Threads, 1)
    multiply(const half *A, const half *B, half *D, int N, int K) {
  extern __shared__ char Dynamic[];
  char *Memory = alignToAtom(Dynamic);
  const int Row0 = blockIdx.x * TileM, Column0 = blockIdx.y * TileN;
  const int Warpgroup = warpgroupIndex(), Count = K / StageK;

  auto startCopy = [&](int I) {
    if (I < Count) {
      char *Stage = Memory + I % Stages * StageBytes;
      copyLines<TileM>(Stage, A + size_t(Row0) * K + I * StageK, K);
      copyLines<TileN>(Stage + ABytes, B + size_t(Column0) * K + I * StageK, K);
    }
    // An empty group beyond the end keeps the count for the wait.
    __nvvm_cp_async_commit_group();
  };
  for (int I = 0; I < Ahead; ++I)
    startCopy(I);

  wgmma::accumulator_f32<TileN> Sum = {};
  wgmma::fence_operand(Sum);
  for (int I = 0; I < Count; ++I) {
    __nvvm_cp_async_wait_group(Ahead - 1); // this thread's copies of stage I
    wgmma::fence_proxy_async();
    __syncthreads(); // everybody's; and all have multiplied stage I - 1
    startCopy(I + Ahead);

    const char *Stage = Memory + I % Stages * StageBytes;
    multiplyStage<TileN>(Sum, Stage + Warpgroup * 64 * LineBytes,
                         Stage + ABytes);
    wgmma::wait_group<0>();
  }
  wgmma::fence_operand(Sum);
  storeSums<TileN>(D + size_t(Row0 + Warpgroup * 64) * N + Column0, N, Sum,
                   threadIdx.x % 128);
}

} // namespace

int main(int Argc, char **Argv) {
  return run(
      "step2_tile_loop", Argc, Argv, {TileM, TileN, StageK},
      [](const Problem &P) {
        device::check(cudaFuncSetAttribute(
                          multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                          SharedBytes),
                      "cudaFuncSetAttribute");
        return [P] {
          dim3 Grid(P.M / TileM, P.N / TileN);
          multiply<<<Grid, Threads, SharedBytes>>>(P.A, P.B, P.D, P.N, P.K);
        };
      });
}
