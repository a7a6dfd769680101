//===- kernel.h - Dense matrix multiplication with TMA, wgmma ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A * B for any type of wgmma, with A dense or 2:4 sparse. A is M rows of
// K, B is N columns of K, so that K is contiguous in both; D is M rows of N. M,
// N and K are arbitrary: TMA reads zeros beyond the ends, and writes nothing
// there.
//
// In a block one thread of the first warpgroup starts copies of A and B to a
// ring of stages; the other warpgroups multiply, 64 rows each or twice as many.
// What else is done depends on the tiling:
//
//   - The blocks of a cluster are one below the other. They have the columns of
//     B in common: each loads a part of them for all. A cluster multiplies one
//     tile after the other. Sums that are narrower once they are converted wait
//     in registers until the next tile is being multiplied, and are stored
//     meanwhile; of the others, only the next tile's copies are under way.
//   - The blocks of a cluster have the same tile, and each multiplies half of
//     K. Then each adds up half of the tile's columns, reading the other's sums
//     from its shared memory, and stores them.
//
// Of a sparse A the kept half comes, and the metadata, for each stage
// MetadataWords for each thread of the block's two warpgroups, in that order.
//
// A Type says what is multiplied:
//   Element, Output            types in memory
//   MaxTileN                   columns of all blocks of a warpgroup: 256, or
//                              128 where the sums take more registers
//   Accumulator<N>             the sums of 64 rows and N columns
//   convert(Sum)               the registers that are stored of them
//   add(Sum, Other)            adds other sums to them
//   Promotes                   whether sums leave the tensor core for each
//                              stage: needed where it adds with few bits
//   MetadataWords              0 of a dense A
//   multiply<Step, Adds>(Sum, A, B, Words)  the instruction number Step of a
//                              stage, by descriptors, which adds to the sums or
//                              overwrites them; of a dense A without Words
//   store<Swizzle, Column>(To, Converted, Thread)
//                              a line of the swizzle's width of each row, from
//                              that column on, to shared memory
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_KERNEL_H
#define GEMM_KERNEL_H

#include "schedule.h"
#include "tiling.h"

#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_tma.h>
#include <nvptx_wgmma.h>

#include <algorithm>
#include <type_traits>

namespace gemm {

namespace wgmma = nvptx::wgmma;
namespace tma = nvptx::tma;

/// To start copies few registers are enough: the others have what is left.
template <int Consumers> struct RegistersOf;
template <> struct RegistersOf<1> {
  using Split = nvptx::register_split<40, 232>;
};
template <> struct RegistersOf<2> {
  using Split = nvptx::register_split<40, 232, 232>;
};
template <> struct RegistersOf<3> {
  using Split = nvptx::register_split<32, 160, 160, 160>;
};

/// What a warpgroup has of each of its blocks of 64 rows.
template <class T, int Blocks> struct EachBlock {
  T Of[Blocks];
};

/// Sizes that the host and the kernel agree on.
template <class Type, class Cut> struct Sizes : Cut {
  using Cut::Below, Cut::Split;
  using Cut::Consumers, Cut::TileM, Cut::TileN, Cut::SplitsK, Cut::Blocks;
  using Registers = typename RegistersOf<Consumers>::Split;
  using Accumulator = typename Type::template Accumulator<TileN>;
  using Sums = EachBlock<Accumulator, Blocks>;

  /// Lines of shared memory, one for each row of A or column of B. A stage of
  /// a sparse A has the same K with half of the bytes.
  static constexpr bool IsSparse = Type::MetadataWords != 0;
  static constexpr int BLine = 128;
  static constexpr int ALine = IsSparse ? 64 : 128;
  static constexpr wgmma::swizzle ASwizzle =
      IsSparse ? wgmma::swizzle::bytes_64 : wgmma::swizzle::bytes_128;
  /// A warpgroup's rows of a tile.
  static constexpr int Rows = Blocks * 64;
  static constexpr int TileK = BLine / int(sizeof(typename Type::Element));
  /// One wgmma multiplies 32 bytes of a line of A.
  static constexpr int Steps = ALine / 32;

  static constexpr int ABytes = TileM * ALine;
  static constexpr int BBytes = TileN * BLine;
  static constexpr int BPart = TileN / Below;
  static constexpr int MetadataBytes =
      Consumers * 128 * 4 * Type::MetadataWords;
  static constexpr int StageBytes = ABytes + BBytes + MetadataBytes;

  /// Columns of a tile that a block stores.
  static constexpr int SliceN = TileN / Split;
  using Slice = typename Type::template Accumulator<SliceN>;
  using Converted = EachBlock<decltype(Type::convert(Slice())), Blocks>;
  /// A warpgroup's sums of its part of K, for the other block to read.
  static constexpr int PartBytes = SplitsK ? 128 * int(sizeof(Accumulator)) : 0;

  /// What TMA stores of D at a time: 64 rows of at most 128 bytes.
  static constexpr int SliceLine = SliceN * int(sizeof(typename Type::Output));
  static constexpr int BoxLine = SliceLine < 128 ? SliceLine : 128;
  static constexpr wgmma::swizzle BoxSwizzle =
      BoxLine == 128 ? wgmma::swizzle::bytes_128 : wgmma::swizzle::bytes_64;
  static constexpr int BoxColumns =
      BoxLine / int(sizeof(typename Type::Output));
  static constexpr int BoxBytes = 64 * BoxLine;
  static constexpr int BoxesOfBlock = SliceN / BoxColumns;
  static constexpr int Boxes = Blocks * BoxesOfBlock;
  /// Where there are registers for both, a tile's boxes are stored while the
  /// next tile is multiplied, one with each stage.
  static constexpr bool Defers =
      !SplitsK &&
      int(sizeof(Sums) + sizeof(Converted)) <= (Registers::of(1) - 40) * 4;
  static constexpr int Deferred = Defers ? Boxes : 0;
  /// The fewest stages that K may have. TMA reads zeros beyond its end.
  static constexpr int MinStages = std::max(Deferred, Split);

  /// The barriers stand before what has to be aligned.
  static constexpr int Alignment = 1024;
  static constexpr int MaxSharedBytes = 227 * 1024 - Alignment;
  static constexpr int stagesBeside(int Buffers) {
    return (MaxSharedBytes - Consumers * Buffers * BoxBytes) / StageBytes;
  }
  /// With two a warpgroup fills one while the other one is stored. Another
  /// stage is worth more.
  static constexpr int BoxBuffers = stagesBeside(2) < stagesBeside(1) ? 1 : 2;
  static constexpr int Stages = stagesBeside(BoxBuffers);
  static constexpr int OutputBytes = Consumers * BoxBuffers * BoxBytes;
  static constexpr int SharedBytes = Alignment -
                                     int(sizeof(nvptx::pipeline<Stages>)) +
                                     Stages * StageBytes + OutputBytes;
  static_assert(Consumers * PartBytes <= Stages * StageBytes,
                "sums take the place of the stages");
  static_assert(Blocks == 1 || !(IsSparse || SplitsK || Type::Promotes),
                "metadata, parts and promoted sums are those of one block");
};

/// What the kernel is told.
struct Arguments {
  nvptx::tensor_map A, B, D;
  TileGrid Grid;
  int Stages;           ///< Of TileK that K is.
  int StageBytes;       ///< That copies bring for a stage.
  const char *Metadata; ///< MetadataBytes for each stage of 128 rows of A.
};

/// The block's shared memory: a ring of stages, and room for parts of D. Where
/// K is split, the sums for the other block come to where the stages were.
template <class S> struct Shared {
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
  __device__ char *part(int Consumer) const {
    return Start + Consumer * S::PartBytes;
  }
};

template <class S> using Ring = nvptx::pipeline<S::Stages>;
template <class S> using Place = nvptx::pipeline_state<S::Stages>;

/// Where a block is in its cluster, and what of K it multiplies.
template <class S> struct Work {
  int Rank, Below;
  int FirstStage, Stages;

  __device__ explicit Work(const Arguments &Args)
      : Rank(int(nvptx::cluster::rank())), Below(S::SplitsK ? 0 : Rank),
        FirstStage(0), Stages(Args.Stages) {
    if constexpr (S::SplitsK) {
      FirstStage = Args.Stages * Rank / S::Split;
      Stages = Args.Stages * (Rank + 1) / S::Split - FirstStage;
    }
  }
  /// The first row of the block's part of a tile.
  __device__ int row(TileGrid::Tile Tile) const {
    return Tile.Row * S::ClusterM + Below * S::TileM;
  }
};

/// One thread: starts all copies of this block.
template <class S>
__device__ void produce(const Arguments &Args, Ring<S> &Full, Shared<S> Memory,
                        const Work<S> &My) {
  tma::prefetch_map(Args.A);
  tma::prefetch_map(Args.B);
  // From here on memory is read, and later written, that the kernel before this
  // one may still use.
  __nvvm_griddepcontrol_wait();
  Place<S> At;
  for (int I = nvptx::cluster::id_x(); I < Args.Grid.count();
       I += nvptx::cluster::count_x()) {
    TileGrid::Tile Tile = Args.Grid.at(I);
    int Row = My.row(Tile);
    int Column = Tile.Column * S::TileN + My.Below * S::BPart;
    for (int K = My.FirstStage; K < My.FirstStage + My.Stages;
         ++K, At.advance()) {
      Full.producer_acquire(At, Args.StageBytes);
      nvptx::mbarrier &Bar = Full.full[At.stage];
      tma::load(Memory.a(At.stage), Bar, Args.A, K * (S::TileK >> S::IsSparse),
                Row);
      // Of few rows of A, B is needed once.
      if constexpr (S::Below == 1)
        tma::load<tma::cache_hint::evict_first>(Memory.b(At.stage), Bar, Args.B,
                                                K * S::TileK, Column);
      else
        tma::load_multicast(
            Memory.b(At.stage) + My.Below * S::BPart * S::BLine, Bar, Args.B,
            nvptx::cluster::shape<S::Below>::all_mask(), K * S::TileK, Column);
      if constexpr (S::IsSparse)
        tma::load_bytes(Memory.metadata(At.stage), Bar,
                        Args.Metadata +
                            (size_t(Row / S::TileM) * Args.Stages + K) *
                                S::MetadataBytes,
                        S::MetadataBytes);
    }
  }
  // The other blocks of the cluster may still write here, and arrive here.
  Full.producer_finish(At);
}

/// Starts multiplying a stage, whose part of A begins at \p A. The first stage
/// of a tile overwrites the sums.
template <class Type, class S, bool IsFirst>
__device__ void multiplyStage(typename S::Sums &Sum, const char *A,
                              const char *B, const char *Metadata, int Thread) {
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
    constexpr bool Adds = !IsFirst || Step() != 0;
    if constexpr (S::IsSparse)
      Type::template multiply<Step(), Adds>(Sum.Of[0], AStep, BStep, Word);
    else
      wgmma::static_for<S::Blocks>([&](auto Block) {
        Type::template multiply<Step(), Adds>(
            Sum.Of[Block()], wgmma::advance(AStep, Block() * 64 * S::ALine),
            BStep);
      });
  });
  wgmma::commit_group();
}

/// How many threads of a warpgroup tell a producer that a stage has been read:
/// wgmma read for the whole warpgroup, but each warp loads its own metadata.
template <class S> constexpr int Readers = S::IsSparse ? 4 : 1;

/// A warpgroup tells all producers whose copies fill the stage that it has been
/// read.
template <class S>
__device__ void release(Ring<S> &Full, const Place<S> &At, int Thread) {
  if constexpr (S::IsSparse)
    __syncwarp();
  if (Thread % (128 / Readers<S>) < S::Below) {
    if constexpr (S::Below == 1)
      Full.consumer_release(At);
    else
      Full.consumer_release(At, Thread % (128 / Readers<S>));
  }
}

/// What a warpgroup goes through the ring with.
template <class Type, class S> struct Consumer {
  Ring<S> &Full;
  Shared<S> Memory;
  int Index, Thread;
  Place<S> At = {};

  template <bool IsFirst> __device__ void start(typename S::Sums &Sum) {
    Full.consumer_wait(At);
    multiplyStage<Type, S, IsFirst>(
        Sum, Memory.a(At.stage) + Index * S::Rows * S::ALine,
        Memory.b(At.stage),
        Memory.metadata(At.stage) + Index * (S::MetadataBytes / S::Consumers),
        Thread);
  }
};

/// The sums of one tile. While a stage is multiplied, the one before it is
/// given back; while each of the first S::Deferred ones is, \p meanwhile is
/// called with its number. Two stages in each round: their metadata, which
/// instructions in flight still read, are in different registers.
template <class Type, class S, class Function>
__device__ void accumulate(typename S::Sums &Sum, int Stages,
                           Consumer<Type, S> &C, Function meanwhile) {
  Place<S> Before = C.At;
  auto finishBefore = [&](bool IsFirst) {
    wgmma::wait_group<1>();
    if (!IsFirst)
      release<S>(C.Full, Before, C.Thread);
    Before = C.At;
    C.At.advance();
  };
  auto next = [&] {
    C.template start<false>(Sum);
    finishBefore(false);
  };
  constexpr int Peeled = S::Deferred ? S::Deferred : 1;
  wgmma::static_for<Peeled>([&](auto K) {
    C.template start<K() == 0>(Sum);
    if constexpr (K() < S::Deferred)
      meanwhile(K);
    finishBefore(K() == 0);
  });
  int K = Peeled;
  for (; K + 1 < Stages; K += 2) {
    next();
    next();
  }
  if (K < Stages)
    next();
  wgmma::wait_group<0>();
  wgmma::static_for<S::Blocks>(
      [&](auto Block) { wgmma::fence_operand(Sum.Of[Block()]); });
  release<S>(C.Full, Before, C.Thread);
}

/// The same, with the sum of each stage added to the others by ordinary
/// instructions, with all bits of f32.
template <class Type, class S, class Function>
__device__ void accumulatePromoted(typename S::Sums &Sum, int Stages,
                                   Consumer<Type, S> &C, Function meanwhile) {
  auto next = [&](auto &&meanwhile) {
    typename S::Sums Part;
    C.template start<true>(Part);
    meanwhile();
    wgmma::wait_group<0>();
    wgmma::fence_operand(Part.Of[0]);
    release<S>(C.Full, C.At, C.Thread);
    C.At.advance();
    Type::add(Sum.Of[0], Part.Of[0]);
  };
  Sum = {};
  wgmma::static_for<S::Deferred>([&](auto K) { next([&] { meanwhile(K); }); });
  for (int K = S::Deferred; K < Stages; ++K)
    next([] {});
}

/// All threads of a warpgroup: a barrier of their own.
__device__ inline void syncWarpgroup(int Index) {
  __nvvm_barrier_cta_sync_aligned_count(1 + Index, 128);
}

/// All threads of all warpgroups that multiply.
template <class S> __device__ void syncConsumers() {
  __nvvm_barrier_cta_sync_aligned_count(1 + S::Consumers, S::Consumers * 128);
}

/// What a warpgroup stores of D: its rows of a slice.
template <class S> struct Results {
  typename S::Converted Registers;
  int Row, Column;
};

/// Stores the box with that number, by way of shared memory. The store is still
/// under way at the end.
template <int Box, class Type, class S>
__device__ void storeBox(const nvptx::tensor_map &D, const Results<S> &From,
                         const Consumer<Type, S> &C) {
  constexpr int Block = Box / S::BoxesOfBlock;
  constexpr int Column = Box % S::BoxesOfBlock * S::BoxColumns;
  char *Buffer = C.Memory.box(C.Index, Box % S::BoxBuffers);
  if (C.Thread == 0)
    tma::wait_group_read<S::BoxBuffers - 1>();
  syncWarpgroup(C.Index);
  Type::template store<S::BoxSwizzle, Column>(Buffer, From.Registers.Of[Block],
                                              C.Thread);
  wgmma::fence_proxy_async();
  syncWarpgroup(C.Index);
  if (C.Thread == 0) {
    tma::store(D, Buffer, From.Column + Column, From.Row + Block * 64);
    tma::commit_group();
  }
}

/// Stores all of it.
template <class Type, class S>
__device__ void store(const nvptx::tensor_map &D, const Results<S> &From,
                      const Consumer<Type, S> &C) {
  wgmma::static_for<S::Boxes>([&](auto Box) { storeBox<Box()>(D, From, C); });
}

/// The registers of sums as they are in shared memory: 16 bytes of each thread,
/// then the next 16.
template <class Sums> struct PartOf {
  using Register = decltype(Sums()[0] + Sums()[0]);
  using Four = Register __attribute__((ext_vector_type(4)));
  static constexpr int Fours = int(sizeof(Sums) / sizeof(Four));

  static __device__ void write(void *To, const Sums &Sum, int Thread) {
    wgmma::static_for<Fours>([&](auto I) {
      static_cast<Four *>(To)[I() * 128 + Thread] = Four{
          Sum[4 * I()], Sum[4 * I() + 1], Sum[4 * I() + 2], Sum[4 * I() + 3]};
    });
  }
  static __device__ Sums read(const void *From, int Thread) {
    Sums Sum;
    wgmma::static_for<Fours>([&](auto I) {
      Four Part = static_cast<const Four *>(From)[I() * 128 + Thread];
      wgmma::static_for<4>([&](auto J) { Sum[4 * I() + J()] = Part[J()]; });
    });
    return Sum;
  }
};

/// A warpgroup adds up, of its rows, the block's share of the columns, and
/// stores them. Both blocks add in the same order.
template <class Type, class S>
__device__ void storeSlice(const Arguments &Args, const Consumer<Type, S> &C,
                           int Rank, int Row, int Column) {
  using Slice = typename S::Slice;
  char *Mine = C.Memory.part(C.Index) + Rank * 128 * sizeof(Slice);
  Slice Sum = PartOf<Slice>::read(nvptx::cluster::map(Mine, 0), C.Thread);
  Type::add(Sum, PartOf<Slice>::read(nvptx::cluster::map(Mine, 1), C.Thread));
  store(Args.D,
        Results<S>{{{Type::convert(Sum)}}, Row, Column + Rank * S::SliceN}, C);
}

/// A warpgroup: multiplies and stores its part of all of this block's tiles.
/// Inlined even at -O1: around a call ptxas serializes wgmma.
template <class Type, class S>
__device__ __forceinline__ void
consume(const Arguments &Args, Consumer<Type, S> C, const Work<S> &My) {
  // Before the first tile there is none to store: those are rows beyond D's.
  Results<S> Before = {{}, Args.Grid.Rows * S::ClusterM, 0};
  auto storeDeferred = [&](auto Box) { storeBox<Box()>(Args.D, Before, C); };
  for (int I = nvptx::cluster::id_x(); I < Args.Grid.count();
       I += nvptx::cluster::count_x()) {
    typename S::Sums Sum;
    if constexpr (Type::Promotes)
      accumulatePromoted(Sum, My.Stages, C, storeDeferred);
    else
      accumulate(Sum, My.Stages, C, storeDeferred);
    TileGrid::Tile Tile = Args.Grid.at(I);
    int Row = My.row(Tile) + C.Index * S::Rows;
    int Column = Tile.Column * S::TileN;
    if constexpr (S::SplitsK) {
      syncConsumers<S>();
      PartOf<typename S::Accumulator>::write(C.Memory.part(C.Index), Sum.Of[0],
                                             C.Thread);
      nvptx::cluster::sync();
      storeSlice(Args, C, My.Rank, Row, Column);
    } else {
      wgmma::static_for<S::Blocks>([&](auto Block) {
        Before.Registers.Of[Block()] = Type::convert(Sum.Of[Block()]);
      });
      Before.Row = Row, Before.Column = Column;
      if constexpr (!S::Defers)
        store(Args.D, Before, C);
    }
  }
  if constexpr (S::Defers)
    store(Args.D, Before, C);
  // Shared memory must stay until it has been read.
  if (C.Thread == 0)
    tma::wait_group_read<0>();
}

/// Launched in clusters of two blocks, with Sizes::SharedBytes of dynamic
/// shared memory: as many clusters as the device runs at a time or, where K is
/// split, as D has tiles. K has Sizes::MinStages stages at least.
template <class Type, class Cut>
__global__ void __launch_bounds__(Sizes<Type, Cut>::Registers::threads, 1)
    multiply(const __grid_constant__ Arguments Args) {
  using S = Sizes<Type, Cut>;
  extern __shared__ char Dynamic[];
  __shared__ Ring<S> Full;
  Shared<S> Memory(Dynamic);
  const Work<S> My(Args);
  // The next kernel may start when a multiprocessor is free.
  __nvvm_griddepcontrol_launch_dependents();
  if (threadIdx.x == 0) {
    Full.init(/*producers=*/1,
              /*consumers=*/S::Consumers * Readers<S> * S::Below);
    nvptx::fence_mbarrier_init();
  }
  nvptx::cluster::sync();

  // The shuffle tells the compiler that a warp agrees on it.
  const int Warpgroup = __shfl_sync(~0u, int(threadIdx.x) / 128, 0);
  if (Warpgroup == 0) {
    S::Registers::template reallocate<0>();
    if (threadIdx.x == 0)
      produce(Args, Full, Memory, My);
    // The consumers' barrier, in which all threads of the cluster take part.
    if constexpr (S::SplitsK)
      nvptx::cluster::sync();
  } else {
    S::Registers::template reallocate<1>();
    consume<Type, S>(Args,
                     {Full, Memory, Warpgroup - 1, int(threadIdx.x) % 128}, My);
  }
  // The other block may still read this one's sums.
  if constexpr (S::SplitsK)
    nvptx::cluster::sync();
}

} // namespace gemm

#endif // GEMM_KERNEL_H
