//===- persistent.h - The kernel of step 6 ----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As many clusters as run at a time, each of which multiplies one tile after
// the other. While sums are converted and stored, copies for the next tile are
// under way.
//
// A template, so that tiles.cu can try other sizes.
//
//===----------------------------------------------------------------------===//

#ifndef TUTORIAL_PERSISTENT_H
#define TUTORIAL_PERSISTENT_H

#include "../gemm/schedule.h"
#include "warpgroup.h"

#include <nvptx_cluster.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_tma.h>

namespace tutorial {

/// A tile is 128 by \p Columns elements of D.
template <int Columns, int StageCount, int ClusterSize> struct Shape {
  static constexpr int TileM = 128, TileN = Columns;
  static constexpr int Stages = StageCount;
  static constexpr int ABytes = TileM * LineBytes, BBytes = TileN * LineBytes;
  static constexpr int StageBytes = ABytes + BBytes;
  /// What TMA stores at a time, of each warpgroup: 64 rows of 64 columns. It
  /// fills one box while the other one is stored; the next tile begins with the
  /// first one again, so that there are two only where their number is even.
  static constexpr int BoxBytes = 64 * LineBytes;
  static constexpr int BoxBuffers = TileN / 64 % 2 == 0 ? 2 : 1;
  static constexpr int SharedBytes =
      Stages * StageBytes + 2 * BoxBuffers * BoxBytes + AtomBytes;
  static_assert(SharedBytes + 1024 <= 227 * 1024,
                "a block has 227 KiB, some of it for barriers");

  using Cluster = nvptx::cluster::shape<ClusterSize>;
  static constexpr int BPart = TileN / ClusterSize;
  static_assert(BPart % 8 == 0, "a part of B is whole atoms");

  using Registers = nvptx::register_split<40, 232, 232>;
  using Pipeline = nvptx::pipeline<Stages>;
  using Place = nvptx::pipeline_state<Stages>;
  using Accumulator = wgmma::accumulator_f32<TileN>;
};

struct Arguments {
  nvptx::tensor_map A, B, D;
  gemm::TileGrid Grid; ///< Of tiles of clusters.
  int Count;           ///< Of stages that K is.
};

/// Calls \p Do with the first row and column of each tile of this block.
template <class S, class Function>
__device__ void forEachTile(const gemm::TileGrid &Grid, Function Do) {
  for (int I = int(nvptx::cluster::id_x()); I < Grid.count();
       I += int(nvptx::cluster::count_x())) {
    gemm::TileGrid::Tile Tile = Grid.at(I);
    int RowTile = Tile.Row * S::Cluster::size + int(nvptx::cluster::rank());
    Do(RowTile * S::TileM, Tile.Column * S::TileN);
  }
}

/// One thread: starts all copies. The ring goes on from tile to tile.
template <class S>
__device__ void produce(const Arguments &Args, typename S::Pipeline &Ring,
                        char *Memory) {
  const int Part = int(nvptx::cluster::rank()) * S::BPart;
  typename S::Place At;
  forEachTile<S>(Args.Grid, [&](int Row, int Column) {
    for (int I = 0; I < Args.Count; ++I, At.advance()) {
      Ring.producer_acquire(At, S::StageBytes);
      char *Stage = Memory + At.stage * S::StageBytes;
      nvptx::mbarrier &Full = Ring.full[At.stage];
      tma::load(Stage, Full, Args.A, I * StageK, Row);
      tma::load_multicast(Stage + S::ABytes + Part * LineBytes, Full, Args.B,
                          S::Cluster::all_mask(), I * StageK, Column + Part);
    }
  });
  Ring.producer_finish(At);
}

/// A warpgroup's sums of one tile.
template <class S>
__device__ void accumulate(typename S::Accumulator &Sum,
                           typename S::Pipeline &Ring, typename S::Place &At,
                           const char *Memory, int Consumer, int Count) {
  const unsigned Thread = threadIdx.x % 128;
  typename S::Place Before = At;
  auto release = [&] {
    if (Thread < S::Cluster::size)
      Ring.consumer_release(Before, Thread);
  };
  wgmma::fence_operand(Sum);
  for (int I = 0; I < Count; ++I) {
    Ring.consumer_wait(At);
    const char *Stage = Memory + At.stage * S::StageBytes;
    multiplyStage<S::TileN>(Sum, Stage + Consumer * 64 * LineBytes,
                            Stage + S::ABytes);
    wgmma::wait_group<1>();
    if (I > 0)
      release();
    Before = At;
    At.advance();
  }
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
  release();
}

/// Stores a warpgroup's 64 rows by way of boxes in shared memory. At the
/// end the last stores are still under way.
template <class S>
__device__ void storeTile(const nvptx::tensor_map &D,
                          const typename S::Accumulator &Sum, char *Boxes,
                          int Consumer, int Row, int Column) {
  const int Thread = threadIdx.x % 128;
  auto Halves = wgmma::to_f16(Sum);
  auto syncWarpgroup = [&] {
    __nvvm_barrier_cta_sync_aligned_count(1 + Consumer, 128);
  };
  wgmma::static_for<S::TileN / 64>([&](auto I) {
    char *Box = Boxes + I() % S::BoxBuffers * S::BoxBytes;
    if (Thread == 0)
      tma::wait_group_read<S::BoxBuffers - 1>(); // the box has been stored
    syncWarpgroup();
    wgmma::store_box<wgmma::swizzle::bytes_128, I() * 64>(Box, Halves, Thread);
    wgmma::fence_proxy_async(); // what this thread wrote, TMA may read
    syncWarpgroup();            // and what the others wrote
    if (Thread == 0) {
      tma::store(D, Box, Column + I() * 64, Row);
      tma::commit_group();
    }
  });
}

template <class S>
__device__ void consume(const Arguments &Args, typename S::Pipeline &Ring,
                        char *Memory, int Consumer) {
  char *Boxes = Memory + S::Stages * S::StageBytes +
                Consumer * S::BoxBuffers * S::BoxBytes;
  typename S::Place At;
  forEachTile<S>(Args.Grid, [&](int Row, int Column) {
    typename S::Accumulator Sum = {};
    accumulate<S>(Sum, Ring, At, Memory, Consumer, Args.Count);
    storeTile<S>(Args.D, Sum, Boxes, Consumer, Row + Consumer * 64, Column);
  });
  // Shared memory must stay until it has been read.
  if (threadIdx.x % 128 == 0)
    tma::wait_group_read<0>();
}

template <class S>
__global__ void __launch_bounds__(S::Registers::threads, 1)
    multiply(const __grid_constant__ Arguments Args) {
  extern __shared__ char Dynamic[];
  __shared__ typename S::Pipeline Ring;
  char *Memory = alignToAtom(Dynamic);
  if (threadIdx.x == 0) {
    Ring.init(/*producers=*/1, /*consumers=*/2 * S::Cluster::size);
    nvptx::fence_mbarrier_init();
  }
  nvptx::cluster::sync();

  const int Warpgroup = warpgroupIndex();
  if (Warpgroup == 0) {
    S::Registers::template reallocate<0>();
    if (threadIdx.x == 0)
      produce<S>(Args, Ring, Memory);
  } else {
    S::Registers::template reallocate<1>();
    consume<S>(Args, Ring, Memory, Warpgroup - 1);
  }
}

/// For run(): prepares the launch of a problem of any M; N and K are multiples
/// of 8, since TMA needs rows of a multiple of 16 bytes.
template <class S> auto prepare(const Problem &P) {
  using device::ceilDiv;
  device::ClusterLauncher Launcher(multiply<S>, S::Cluster::size,
                                   S::Registers::threads, S::SharedBytes);
  Arguments Args = {
      mapOf(P.A, P.M, P.K, S::TileM),
      mapOf(P.B, P.N, P.K, S::BPart),
      mapOf(P.D, P.M, P.N, 64),
      {ceilDiv(P.M, S::TileM * S::Cluster::size), ceilDiv(P.N, S::TileN)},
      ceilDiv(P.K, StageK)};
  return [Launcher, Args] { Launcher(Args); };
}

} // namespace tutorial

#endif // TUTORIAL_PERSISTENT_H
