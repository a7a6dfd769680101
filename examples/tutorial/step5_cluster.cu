//===- step5_cluster.cu - Two blocks share their columns ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As step 4, in clusters of two blocks, one below the other. They multiply the
// same columns of B: each loads half of them, for both.
//
// docs/tutorial/gemm.md explains it. Sizes are multiples of 256, 256 and 64.
//
//===----------------------------------------------------------------------===//

#include "warpgroup.h"

#include <nvptx_cluster.h>
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

using Cluster = nvptx::cluster::shape<2>;
/// What each block loads of the tile of B.
constexpr int BPart = TileN / Cluster::size;

using Registers = nvptx::register_split<40, 232, 232>;
using Pipeline = nvptx::pipeline<Stages>;
using Place = nvptx::pipeline_state<Stages>;

/// One thread: starts the copies of this block's A, and of its part of B to
/// both blocks. Each block expects all of a stage's bytes, whoever sends them.
__device__ void produce(const nvptx::tensor_map &A, const nvptx::tensor_map &B,
                        Pipeline &Ring, char *Memory, int Row, int Column,
                        int Count) {
  const int Part = int(nvptx::cluster::rank()) * BPart;
  Place At;
  for (int I = 0; I < Count; ++I, At.advance()) {
    Ring.producer_acquire(At, StageBytes); // empty here and in the other block
    char *Stage = Memory + At.stage * StageBytes;
    nvptx::mbarrier &Full = Ring.full[At.stage];
    tma::load(Stage, Full, A, I * StageK, Row);
    tma::load_multicast(Stage + ABytes + Part * LineBytes, Full, B,
                        Cluster::all_mask(), I * StageK, Column + Part);
  }
  // The other block still writes here, and arrives here.
  Ring.producer_finish(At);
}

/// A warpgroup: multiplies 64 rows. An empty stage is told to both producers.
__device__ void consume(wgmma::accumulator_f32<TileN> &Sum, Pipeline &Ring,
                        const char *Memory, int Consumer, int Count) {
  const unsigned Thread = threadIdx.x % 128;
  Place At, Before;
  wgmma::fence_operand(Sum);
  for (int I = 0; I < Count; ++I) {
    Ring.consumer_wait(At);
    const char *Stage = Memory + At.stage * StageBytes;
    multiplyStage<TileN>(Sum, Stage + Consumer * 64 * LineBytes,
                         Stage + ABytes);
    wgmma::wait_group<1>();
    if (I > 0 && Thread < Cluster::size)
      Ring.consumer_release(Before, /*rank=*/Thread);
    Before = At;
    At.advance();
  }
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
  // For producer_finish().
  if (Thread < Cluster::size)
    Ring.consumer_release(Before, Thread);
}

__global__ void __launch_bounds__(Registers::threads, 1)
    multiply(const __grid_constant__ nvptx::tensor_map A,
             const __grid_constant__ nvptx::tensor_map B, half *D, int M, int N,
             int K) {
  extern __shared__ char Dynamic[];
  __shared__ Pipeline Ring;
  char *Memory = alignToAtom(Dynamic);
  // Blocks that follow each other are below each other.
  const int Row0 = int(blockIdx.x) % (M / TileM) * TileM;
  const int Column0 = int(blockIdx.x) / (M / TileM) * TileN;

  if (threadIdx.x == 0) {
    Ring.init(/*producers=*/1, /*consumers=*/2 * Cluster::size);
    nvptx::fence_mbarrier_init();
  }
  nvptx::cluster::sync(); // before the other block arrives here

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
  return run("step5_cluster", Argc, Argv,
             {TileM * Cluster::size, TileN, StageK}, [](const Problem &P) {
               device::ClusterLauncher Launcher(
                   multiply, Cluster::size, Registers::threads, SharedBytes,
                   /*Blocks=*/P.M / TileM * (P.N / TileN));
               return [P, Launcher, A = mapOf(P.A, P.M, P.K, TileM),
                       B = mapOf(P.B, P.N, P.K, BPart)] {
                 Launcher(A, B, P.D, P.M, P.N, P.K);
               };
             });
}
