//===- kernel.h - Dense matrix multiplication with TMA, wgmma ---*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A * B for any type of wgmma, with A dense or 2:4 sparse. A is M rows of
// K, B is N columns of K, so that K is contiguous in both; D is M rows of N. M,
// N and K are arbitrary: TMA reads zeros beyond the ends, and writes nothing
// there.
//
// A block is three warpgroups, and two blocks are a cluster, one below the
// other. In each, one thread of the first warpgroup starts copies of A and B to
// a ring of stages; the other two warpgroups multiply, 64 rows each. The blocks
// of a cluster have the columns of B in common: each loads half of them for
// both. While a tile's sums are converted and stored, the copies for the next
// one are under way.
//
// Of a sparse A the kept half comes, and the metadata, for each stage
// MetadataWords for each thread of the block's two warpgroups, in that order.
//
// A Type says what is multiplied:
//   Element, Output            types in memory
//   TileN                      columns of a tile, the N of wgmma
//   Accumulator                a warpgroup's sums
//   Promotes                   whether sums leave the tensor core for each
//                              stage: needed where it adds with few bits
//   MetadataWords              0 of a dense A
//   multiply<Step>(Sum, A, B, Words)  the instruction number Step of a stage,
//                              by descriptors; of a dense A without Words
//   store<Box>(To, Sum, Thread)  128 bytes of each row, to shared memory
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_KERNEL_H
#define GEMM_KERNEL_H

#include "schedule.h"

#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_tma.h>
#include <nvptx_wgmma.h>

namespace gemm {

namespace wgmma = nvptx::wgmma;
namespace tma = nvptx::tma;

/// Sizes that the host and the kernel agree on.
template <class Type> struct Sizes {
  using Cluster = nvptx::cluster::shape<2>;
  /// 40 registers are enough to start copies.
  using Registers = nvptx::register_split<40, 232, 232>;

  static constexpr int Consumers = 2;
  static constexpr int TileM = Consumers * 64;
  static constexpr int TileN = Type::TileN;
  static constexpr int ClusterM = Cluster::x * TileM;

  /// Lines of shared memory, one for each row of A or column of B. A stage of
  /// a sparse A has the same K with half of the bytes.
  static constexpr bool IsSparse = Type::MetadataWords != 0;
  static constexpr int BLine = 128;
  static constexpr int ALine = IsSparse ? 64 : 128;
  static constexpr wgmma::swizzle ASwizzle =
      IsSparse ? wgmma::swizzle::bytes_64 : wgmma::swizzle::bytes_128;
  static constexpr int TileK = BLine / int(sizeof(typename Type::Element));
  /// One wgmma multiplies 32 bytes of a line of A.
  static constexpr int Steps = ALine / 32;

  static constexpr int ABytes = TileM * ALine;
  static constexpr int BBytes = TileN * BLine;
  static constexpr int BPart = TileN / Cluster::x;
  static constexpr int MetadataBytes =
      Consumers * 128 * 4 * Type::MetadataWords;
  static constexpr int StageBytes = ABytes + BBytes + MetadataBytes;

  /// What TMA stores of D at a time: 64 rows of 128 bytes.
  static constexpr int BoxColumns = 128 / int(sizeof(typename Type::Output));
  static constexpr int BoxBytes = 64 * 128;
  static constexpr int Boxes = TileN / BoxColumns;
  /// Each warpgroup fills one while the other one is stored.
  static constexpr int BoxBuffers = 2;

  static constexpr int Alignment = 1024;
  static constexpr int MaxSharedBytes = 227 * 1024;
  static constexpr int OutputBytes = Consumers * BoxBuffers * BoxBytes;
  static constexpr int BarrierBytes = 1024;
  static constexpr int Stages =
      (MaxSharedBytes - Alignment - BarrierBytes - OutputBytes) / StageBytes;
  static constexpr int SharedBytes =
      Alignment + OutputBytes + Stages * StageBytes;
};

/// What the kernel is told.
struct Arguments {
  nvptx::tensor_map A, B, D;
  TileGrid Grid;
  int Stages;           ///< Of TileK that K is.
  const char *Metadata; ///< MetadataBytes for each stage of 128 rows of A.
};

/// The block's shared memory: a ring of stages, and room for parts of D.
template <class Type> struct Shared {
  using S = Sizes<Type>;
  char *Start;

  __device__ explicit Shared(char *Dynamic)
      : Start(Dynamic +
              (-__cvta_generic_to_shared(Dynamic) & (S::Alignment - 1))) {}
  __device__ char *a(unsigned Stage) const {
    return Start + Stage * S::StageBytes;
  }
  __device__ char *b(unsigned Stage) const { return a(Stage) + S::ABytes; }
  __device__ char *metadata(unsigned Stage) const {
    return b(Stage) + S::BBytes;
  }
  __device__ char *box(int Consumer, int Buffer) const {
    return Start + S::Stages * S::StageBytes +
           (Consumer * S::BoxBuffers + Buffer) * S::BoxBytes;
  }
};

template <class Type> using Ring = nvptx::pipeline<Sizes<Type>::Stages>;
template <class Type> using Place = nvptx::pipeline_state<Sizes<Type>::Stages>;

/// One thread: starts all copies of this block.
template <class Type>
__device__ void produce(const Arguments &Args, Ring<Type> &Full,
                        Shared<Type> Memory, unsigned Rank) {
  using S = Sizes<Type>;
  tma::prefetch_map(Args.A);
  tma::prefetch_map(Args.B);
  Place<Type> At;
  for (int I = nvptx::cluster::id_x(); I < Args.Grid.count();
       I += nvptx::cluster::count_x()) {
    TileGrid::Tile Tile = Args.Grid.at(I);
    int Row = Tile.Row * S::ClusterM + int(Rank) * S::TileM;
    int Column = Tile.Column * S::TileN + int(Rank) * S::BPart;
    for (int K = 0; K < Args.Stages; ++K, At.advance()) {
      Full.producer_acquire(At, S::StageBytes);
      nvptx::mbarrier &Bar = Full.full[At.stage];
      tma::load(Memory.a(At.stage), Bar, Args.A, K * (S::TileK >> S::IsSparse),
                Row);
      tma::load_multicast(Memory.b(At.stage) + Rank * S::BPart * S::BLine, Bar,
                          Args.B, S::Cluster::all_mask(), K * S::TileK, Column);
      if constexpr (S::IsSparse)
        tma::load_bytes(Memory.metadata(At.stage), Bar,
                        Args.Metadata +
                            (size_t(Row / S::TileM) * Args.Stages + K) *
                                S::MetadataBytes,
                        S::MetadataBytes);
    }
  }
  // The other block of the cluster still writes here, and arrives here.
  Full.producer_finish(At);
}

/// Starts multiplying a stage, whose part of A begins at \p A.
template <class Type>
__device__ void multiplyStage(typename Type::Accumulator &Sum, const char *A,
                              const char *B, const char *Metadata, int Thread) {
  using S = Sizes<Type>;
  // A line holds all of K of an instruction: the leading offset is not used.
  unsigned long ADescriptor =
      wgmma::descriptor(A, 16, 8 * S::ALine, S::ASwizzle);
  unsigned long BDescriptor =
      wgmma::descriptor(B, 16, 8 * S::BLine, wgmma::swizzle::bytes_128);
  constexpr int Words = Type::MetadataWords;
  unsigned Word[Words ? Words : 1] = {};
  if constexpr (S::IsSparse)
#pragma unroll
    for (int I = 0; I < Words; ++I)
      Word[I] = reinterpret_cast<const unsigned *>(Metadata)[I * 128 + Thread];
  wgmma::fence();
  wgmma::static_for<S::Steps>([&](auto Step) {
    unsigned long AStep = wgmma::advance(ADescriptor, 32 * Step());
    unsigned long BStep =
        wgmma::advance(BDescriptor, S::BLine / S::Steps * Step());
    if constexpr (S::IsSparse)
      Type::template multiply<Step()>(Sum, AStep, BStep, Word);
    else
      Type::template multiply<Step()>(Sum, AStep, BStep);
  });
  wgmma::commit_group();
}

/// A warpgroup tells both producers, whose copies fill the stage, that it has
/// been read.
template <class Type>
__device__ void release(Ring<Type> &Full, const Place<Type> &At, int Thread) {
  if (Thread < Sizes<Type>::Cluster::size)
    Full.consumer_release(At, Thread);
}

/// What a warpgroup goes through the ring with.
template <class Type> struct Consumer {
  using S = Sizes<Type>;
  Ring<Type> &Full;
  Shared<Type> Memory;
  int Index, Thread;
  Place<Type> At = {};

  __device__ void start(typename Type::Accumulator &Sum) {
    Full.consumer_wait(At);
    multiplyStage<Type>(
        Sum, Memory.a(At.stage) + Index * 64 * S::ALine, Memory.b(At.stage),
        Memory.metadata(At.stage) + Index * (S::MetadataBytes / S::Consumers),
        Thread);
  }
};

/// The sums of one tile. While a stage is multiplied, the one before it is
/// given back. Two stages in each round: their metadata, which instructions in
/// flight still read, are in different registers.
template <class Type>
__device__ void accumulate(typename Type::Accumulator &Sum, int Stages,
                           Consumer<Type> &C) {
  wgmma::fence_operand(Sum);
  Place<Type> Before = C.At;
  auto next = [&](bool IsFirst) {
    C.start(Sum);
    wgmma::wait_group<1>();
    if (!IsFirst)
      release<Type>(C.Full, Before, C.Thread);
    Before = C.At;
    C.At.advance();
  };
  int K = 0;
  for (; K + 1 < Stages; K += 2) {
    next(K == 0);
    next(false);
  }
  if (K < Stages)
    next(K == 0);
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
  release<Type>(C.Full, Before, C.Thread);
}

/// The same, with the sum of each stage added to the others by ordinary
/// instructions, with all bits of f32.
template <class Type>
__device__ void accumulatePromoted(typename Type::Accumulator &Sum, int Stages,
                                   Consumer<Type> &C) {
  for (int K = 0; K < Stages; ++K, C.At.advance()) {
    typename Type::Accumulator Part = {};
    wgmma::fence_operand(Part);
    C.start(Part);
    wgmma::wait_group<0>();
    wgmma::fence_operand(Part);
    release<Type>(C.Full, C.At, C.Thread);
    Sum += Part;
  }
}

/// All threads of a warpgroup: a barrier of their own.
__device__ inline void syncWarpgroup(int Index) {
  __nvvm_barrier_cta_sync_aligned_count(1 + Index, 128);
}

/// Stores a warpgroup's 64 rows of D, by way of shared memory. The stores are
/// still under way at the end.
template <class Type>
__device__ void storeTile(const nvptx::tensor_map &D,
                          const typename Type::Accumulator &Sum, int Row,
                          int Column, const Consumer<Type> &C) {
  using S = Sizes<Type>;
  wgmma::static_for<S::Boxes>([&](auto Box) {
    char *Buffer = C.Memory.box(C.Index, Box() % S::BoxBuffers);
    if (C.Thread == 0)
      tma::wait_group_read<S::BoxBuffers - 1>();
    syncWarpgroup(C.Index);
    Type::template store<Box()>(Buffer, Sum, C.Thread);
    wgmma::fence_proxy_async();
    syncWarpgroup(C.Index);
    if (C.Thread == 0) {
      tma::store(D, Buffer, Column + Box() * S::BoxColumns, Row);
      tma::commit_group();
    }
  });
}

/// A warpgroup: multiplies and stores its part of all of this block's tiles.
/// Inlined even at -O1: around a call ptxas serializes wgmma.
template <class Type>
__device__ __forceinline__ void consume(const Arguments &Args, Consumer<Type> C,
                                        unsigned Rank) {
  using S = Sizes<Type>;
  for (int I = nvptx::cluster::id_x(); I < Args.Grid.count();
       I += nvptx::cluster::count_x()) {
    typename Type::Accumulator Sum = {};
    if constexpr (Type::Promotes)
      accumulatePromoted<Type>(Sum, Args.Stages, C);
    else
      accumulate<Type>(Sum, Args.Stages, C);
    TileGrid::Tile Tile = Args.Grid.at(I);
    int Row = Tile.Row * S::ClusterM + int(Rank) * S::TileM + C.Index * 64;
    storeTile<Type>(Args.D, Sum, Row, Tile.Column * S::TileN, C);
  }
  // Shared memory must stay until it has been read.
  if (C.Thread == 0)
    tma::wait_group_read<0>();
}

/// Launched in clusters of two blocks, as many as the device runs at a time,
/// with Sizes::SharedBytes of dynamic shared memory.
template <class Type>
__global__ void __launch_bounds__(Sizes<Type>::Registers::threads, 1)
    multiply(const __grid_constant__ Arguments Args) {
  using S = Sizes<Type>;
  extern __shared__ char Dynamic[];
  __shared__ Ring<Type> Full;
  Shared<Type> Memory(Dynamic);
  const unsigned Rank = nvptx::cluster::rank();
  if (threadIdx.x == 0) {
    Full.init(/*producers=*/1, /*consumers=*/S::Consumers * S::Cluster::size);
    nvptx::fence_mbarrier_init();
  }
  nvptx::cluster::sync();

  // The shuffle tells the compiler that a warp agrees on it.
  const int Warpgroup = __shfl_sync(~0u, int(threadIdx.x) / 128, 0);
  if (Warpgroup == 0) {
    S::Registers::template reallocate<0>();
    if (threadIdx.x == 0)
      produce<Type>(Args, Full, Memory, Rank);
  } else {
    S::Registers::template reallocate<1>();
    consume<Type>(Args, {Full, Memory, Warpgroup - 1, int(threadIdx.x) % 128},
                  Rank);
  }
}

} // namespace gemm

#endif // GEMM_KERNEL_H
