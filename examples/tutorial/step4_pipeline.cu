//===- step4_pipeline.cu - Warpgroups with a job each ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is three warpgroups and has 128 by 256 elements of D. One thread of
// the first warpgroup starts all copies; the other two warpgroups multiply, and
// tell it which stages are empty again. Nobody waits for everybody.
//
// docs/tutorial/gemm.md explains it. Sizes are multiples of 128, 256 and 64.
//
//===----------------------------------------------------------------------===//

#include "warpgroup.h"

#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_tma.h>

using namespace tutorial;

namespace {

constexpr int TileM = 128, TileN = 256;
constexpr int Stages = 4;
constexpr int ABytes = TileM * LineBytes, BBytes = TileN * LineBytes;
constexpr int StageBytes = ABytes + BBytes;
constexpr int SharedBytes = Stages * StageBytes + AtomBytes;

/// A producer and two consumers, with the registers of a thread of each.
using Registers = nvptx::register_split<40, 232, 232>;
using Pipeline = nvptx::pipeline<Stages>;
using Place = nvptx::pipeline_state<Stages>;

/// One thread: starts all copies.
__device__ void produce(const nvptx::tensor_map &A, const nvptx::tensor_map &B,
                        Pipeline &Ring, char *Memory, int Row, int Column,
                        int Count) {
  Place At;
  for (int I = 0; I < Count; ++I, At.advance()) {
    Ring.producer_acquire(At, StageBytes); // the stage is empty
    char *Stage = Memory + At.stage * StageBytes;
    tma::load(Stage, Ring.full[At.stage], A, I * StageK, Row);
    tma::load(Stage + ABytes, Ring.full[At.stage], B, I * StageK, Column);
  }
}

/// A warpgroup: multiplies 64 rows. While a stage is multiplied, the one before
/// it is given back.
__device__ void consume(wgmma::accumulator_f32<TileN> &Sum, Pipeline &Ring,
                        const char *Memory, int Consumer, int Count) {
  const bool IsFirstThread = threadIdx.x % 128 == 0;
  Place At, Before;
  wgmma::fence_operand(Sum);
  for (int I = 0; I < Count; ++I) {
    Ring.consumer_wait(At); // the stage is full
    const char *Stage = Memory + At.stage * StageBytes;
    multiplyStage<TileN>(Sum, Stage + Consumer * 64 * LineBytes,
                         Stage + ABytes);
    wgmma::wait_group<1>(); // all but this stage have been multiplied
    if (I > 0 && IsFirstThread)
      Ring.consumer_release(Before);
    Before = At;
    At.advance();
  }
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
}

__global__ void __launch_bounds__(Registers::threads, 1)
    multiply(const __grid_constant__ nvptx::tensor_map A,
             const __grid_constant__ nvptx::tensor_map B, half *D, int N,
             int K) {
  extern __shared__ char Dynamic[];
  __shared__ Pipeline Ring;
  char *Memory = alignToAtom(Dynamic);
  const int Row0 = blockIdx.x * TileM, Column0 = blockIdx.y * TileN;

  if (threadIdx.x == 0) {
    Ring.init(/*producers=*/1, /*consumers=*/2);
    nvptx::fence_mbarrier_init();
  }
  __syncthreads();

  const int Warpgroup = warpgroupIndex();
  if (Warpgroup == 0) {
    Registers::reallocate<0>();
    if (threadIdx.x == 0)
      produce(A, B, Ring, Memory, Row0, Column0, K / StageK);
  } else {
    Registers::reallocate<1>();
    const int Consumer = Warpgroup - 1;
    wgmma::accumulator_f32<TileN> Sum = {};
    consume(Sum, Ring, Memory, Consumer, K / StageK);
    storeSums<TileN>(D + size_t(Row0 + Consumer * 64) * N + Column0, N, Sum,
                     threadIdx.x % 128);
  }
}

} // namespace

int main(int Argc, char **Argv) {
  return run("step4_pipeline", Argc, Argv, {TileM, TileN, StageK},
             [](const Problem &P) {
               device::check(cudaFuncSetAttribute(
                                 multiply,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 SharedBytes),
                             "cudaFuncSetAttribute");
               return [P, A = mapOf(P.A, P.M, P.K, TileM),
                       B = mapOf(P.B, P.N, P.K, TileN)] {
                 dim3 Grid(P.M / TileM, P.N / TileN);
                 multiply<<<Grid, Registers::threads, SharedBytes>>>(A, B, P.D,
                                                                     P.N, P.K);
               };
             });
}
