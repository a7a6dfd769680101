//===- schedule.h - Tiles of Q, and who attends to them when ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block attends to one tile of Q after the other. A tall tile, with rows for
// all warpgroups, uses the multiprocessor best; but where the last of them
// leave most multiprocessors without work, shorter ones are done sooner.
//
//===----------------------------------------------------------------------===//

#ifndef ATTENTION_SCHEDULE_H
#define ATTENTION_SCHEDULE_H

#include <algorithm>
#include <vector>

namespace attention {

/// The tiles of all heads. Each head begins with tall ones.
struct Schedule {
  int Length, Heads; ///< Heads of all batches.
  int TallTiles;     ///< Of a head.
  int TallRows, ShortRows;

  struct Tile {
    int Head, Row, End;

    /// How many have rows of it, 64 each.
    __host__ __device__ int warpgroups() const { return (End - Row + 63) / 64; }
  };

  __host__ __device__ int tilesOfHead() const {
    int Rest = Length - TallTiles * TallRows;
    return TallTiles + (Rest > 0 ? (Rest + ShortRows - 1) / ShortRows : 0);
  }
  __host__ __device__ int count() const { return tilesOfHead() * Heads; }

  /// With a causal mask those first that see most, else those that are tall.
  template <bool IsCausal> __host__ __device__ Tile at(int Index) const {
    int InHead = Index / Heads;
    if (IsCausal)
      InHead = tilesOfHead() - 1 - InHead;
    int Short = InHead - TallTiles;
    int Row = Short < 0 ? InHead * TallRows
                        : TallTiles * TallRows + Short * ShortRows;
    int End = Row + (Short < 0 ? TallRows : ShortRows);
    return {Index % Heads, Row, End < Length ? End : Length};
  }

  /// Tiles of \p KeyRows rows of K and V that a tile sees.
  template <bool IsCausal>
  __host__ __device__ int keyTiles(Tile T, int KeyRows) const {
    return ((IsCausal ? T.End : Length) + KeyRows - 1) / KeyRows;
  }
};

/// An estimate of when the last of \p Blocks is done. The unit is what a tile
/// of three warpgroups takes for 128 rows of K and V.
template <bool IsCausal> double timeOf(const Schedule &Tiles, int Blocks) {
  std::vector<double> Times(size_t(Blocks), 0);
  for (int I = 0; I < Tiles.count(); ++I) {
    Schedule::Tile Tile = Tiles.at<IsCausal>(I);
    // As measured: alone, a warpgroup takes more than a third of the time. A
    // tile costs besides as much as one or two of K and V.
    int Active = Tile.warpgroups();
    double OfKeys = Active == 1 ? 0.61 : Active == 2 ? 0.82 : 1;
    Times[size_t(I % Blocks)] +=
        OfKeys * (Tiles.keyTiles<IsCausal>(Tile, 128) + 1.5);
  }
  return *std::max_element(Times.begin(), Times.end());
}

/// The tiles, of up to \p Rows rows, that \p Blocks are done with first. Of
/// each head up to as many tall tiles are cut as make two turns of all blocks,
/// and two more.
template <bool IsCausal>
Schedule fastestSchedule(int Length, int Heads, int Rows, int Blocks) {
  int MostTall = (Length + Rows - 1) / Rows;
  int LeastTall = std::max(0, MostTall - 2 * (Blocks / Heads + 1));
  Schedule Fastest = {Length, Heads, MostTall, Rows, 64};
  double Time = timeOf<IsCausal>(Fastest, Blocks);
  for (int ShortRows = Rows - 64; ShortRows > 0; ShortRows -= 64)
    for (int Tall = MostTall - 1; Tall >= LeastTall; --Tall) {
      Schedule Tiles = {Length, Heads, Tall, Rows, ShortRows};
      double Other = timeOf<IsCausal>(Tiles, Blocks);
      if (Other < Time) {
        Time = Other;
        Fastest = Tiles;
      }
    }
  return Fastest;
}

} // namespace attention

#endif // ATTENTION_SCHEDULE_H
