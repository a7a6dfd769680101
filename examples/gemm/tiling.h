//===- tiling.h - How a multiplication is cut up ----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A large tile reads least for each multiplication, but where D has few of
// them, or a few more than are multiplied at a time, multiprocessors have no
// work. So there are several tilings, and cyclesOf() tells which will be done
// first.
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_TILING_H
#define GEMM_TILING_H

namespace gemm {

/// A cluster is two blocks. They are one below the other, and share B; or they
/// have the same tile, and each has half of K.
///
/// \tparam NumConsumers Warpgroups of a block that multiply.
/// \tparam N Columns of a tile, the N of wgmma.
/// \tparam NumBlocks Of 64 rows, the M of wgmma, that a warpgroup has.
template <int NumConsumers, int N, bool HalvesK = false, int NumBlocks = 1>
struct Tiling {
  static constexpr int Consumers = NumConsumers;
  static constexpr int Blocks = NumBlocks;
  static constexpr int TileM = NumConsumers * NumBlocks * 64;
  static constexpr int TileN = N;
  static constexpr bool SplitsK = HalvesK;
  static constexpr int ClusterSize = 2;
  static constexpr int Below = SplitsK ? 1 : ClusterSize;
  static constexpr int Split = SplitsK ? ClusterSize : 1;
  static constexpr int ClusterM = Below * TileM;
};

/// For large D; and the only one of a sparse A, which is compressed for it.
using WideTiling = Tiling<2, 256>;
/// For D of a few wide tiles more than are multiplied at a time.
using TallTiling = Tiling<2, 128, /*HalvesK=*/false, /*NumBlocks=*/2>;
using ThreeTiling = Tiling<3, 192>;
/// For D of few tiles, or of few rows.
template <int NumConsumers, int N>
using SplitTiling = Tiling<NumConsumers, N, /*HalvesK=*/true>;

template <class... Cuts> struct TilingList {};

/// Of two that are equally good, the first is taken.
using AllTilings =
    TilingList<WideTiling, TallTiling, ThreeTiling, Tiling<2, 128>,
               SplitTiling<2, 128>, SplitTiling<2, 64>, SplitTiling<1, 128>,
               SplitTiling<1, 64>>;

/// A D of M x N elements, and lines of 128 bytes that K is.
struct Extent {
  int M, N, Stages;
};

/// An estimate, of which only the order matters, of the cycles that a tiling
/// takes: those of the tensor cores, and what each tile costs besides.
///
/// \param Clusters Clusters that the device runs at a time.
template <class Cut> constexpr double cyclesOf(const Extent &D, int Clusters) {
  // Four instructions for each 64 rows, of half a cycle for each column.
  constexpr int Sums = Cut::Blocks * Cut::TileN;
  constexpr double Stage = Cut::Consumers * 4 * Sums * 0.5;
  // Small tiles read more from shared memory, and from the L2 cache; of few
  // rows, whose B is read once, that matters less.
  constexpr double Reading = Sums < 192   ? (Cut::SplitsK ? 1.1 : 1.2)
                             : Sums < 256 ? 1.02
                                          : 1;
  // Filling the ring and storing; besides, the sums of the other block.
  constexpr double Tile = Cut::SplitsK ? 5000 : 2000;
  int Rows = (D.M + Cut::ClusterM - 1) / Cut::ClusterM;
  int Columns = (D.N + Cut::TileN - 1) / Cut::TileN;
  int Turns = (Rows * Columns + Clusters - 1) / Clusters;
  int Stages = (D.Stages + Cut::Split - 1) / Cut::Split;
  return Turns * (Stages * Stage * Reading + Tile);
}

} // namespace gemm

#endif // GEMM_TILING_H
