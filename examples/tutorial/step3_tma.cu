//===- step3_tma.cu - Tiles, copied ahead by TMA --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As step 2, but one thread starts the copies, which the hardware makes,
// swizzle included; an mbarrier for each stage tells when they have come.
//
// docs/tutorial/gemm.md explains it. Sizes are multiples of 128, 128 and 64.
//
//===----------------------------------------------------------------------===//

#include "warpgroup.h"

#include <nvptx_mbarrier.h>
#include <nvptx_tma.h>

using namespace tutorial;

namespace {

constexpr int TileM = 128, TileN = 128;
constexpr int Threads = 256;
constexpr int Stages = 4;
constexpr int ABytes = TileM * LineBytes, BBytes = TileN * LineBytes;
constexpr int StageBytes = ABytes + BBytes;
constexpr int SharedBytes = Stages * StageBytes + AtomBytes;

__global__ void __launch_bounds__(Threads, 1)
    multiply(const __grid_constant__ nvptx::tensor_map A,
             const __grid_constant__ nvptx::tensor_map B, half *D, int N,
             int K) {
  extern __shared__ char Dynamic[];
  __shared__ nvptx::mbarrier Full[Stages];
  char *Memory = alignToAtom(Dynamic);
  const int Row0 = blockIdx.x * TileM, Column0 = blockIdx.y * TileN;
  const int Warpgroup = warpgroupIndex(), Count = K / StageK;

  if (threadIdx.x == 0) {
    for (nvptx::mbarrier &Barrier : Full)
      Barrier.init(/*arrivals=*/1);
    nvptx::fence_mbarrier_init();
  }
  __syncthreads();

  auto startCopy = [&](int I) {
    if (threadIdx.x != 0 || I >= Count)
      return;
    nvptx::mbarrier &Barrier = Full[I % Stages];
    char *Stage = Memory + I % Stages * StageBytes;
    Barrier.arrive_expect_tx(StageBytes);
    tma::load(Stage, Barrier, A, I * StageK, Row0);
    tma::load(Stage + ABytes, Barrier, B, I * StageK, Column0);
  };
  for (int I = 0; I < Stages; ++I)
    startCopy(I);

  wgmma::accumulator_f32<TileN> Sum = {};
  wgmma::fence_operand(Sum);
  for (int I = 0; I < Count; ++I) {
    // A barrier's phases have parity 0, 1, 0, ...: one for each round.
    Full[I % Stages].wait(I / Stages % 2);
    const char *Stage = Memory + I % Stages * StageBytes;
    multiplyStage<TileN>(Sum, Stage + Warpgroup * 64 * LineBytes,
                         Stage + ABytes);
    wgmma::wait_group<0>();
    __syncthreads(); // both warpgroups have multiplied stage I
    startCopy(I + Stages);
  }
  wgmma::fence_operand(Sum);
  storeSums<TileN>(D + size_t(Row0 + Warpgroup * 64) * N + Column0, N, Sum,
                   threadIdx.x % 128);
}

} // namespace

int main(int Argc, char **Argv) {
  return run(
      "step3_tma", Argc, Argv, {TileM, TileN, StageK}, [](const Problem &P) {
        device::check(cudaFuncSetAttribute(
                          multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                          SharedBytes),
                      "cudaFuncSetAttribute");
        return [P, A = mapOf(P.A, P.M, P.K, TileM),
                B = mapOf(P.B, P.N, P.K, TileN)] {
          dim3 Grid(P.M / TileM, P.N / TileN);
          multiply<<<Grid, Threads, SharedBytes>>>(A, B, P.D, P.N, P.K);
        };
      });
}
