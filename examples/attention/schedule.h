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

/// What is to be known of a kernel: rows of its tall tiles, of K and V that it
/// goes through at a time, and how long it takes for 128 of these, by the
/// number of warpgroups that are at work.
struct Speed {
  int Rows, KeyRows;
  const double *Microseconds;
};

/// An estimate of when the last of \p Blocks is done, in microseconds. A tile
/// costs besides as much as its first rows of K and V, whose scores and product
/// overlap nothing, and half of 128 more.
template <bool IsCausal>
double timeOf(const Schedule &Tiles, const Speed &Of, int Blocks) {
  std::vector<double> Times(size_t(Blocks), 0);
  for (int I = 0; I < Tiles.count(); ++I) {
    Schedule::Tile Tile = Tiles.at<IsCausal>(I);
    double Keys = Tiles.keyTiles<IsCausal>(Tile, Of.KeyRows) * Of.KeyRows;
    Times[size_t(I % Blocks)] += Of.Microseconds[Tile.warpgroups() - 1] *
                                 ((Keys + Of.KeyRows) / 128 + 0.5);
  }
  return *std::max_element(Times.begin(), Times.end());
}

/// Tiles, and when they are done.
struct Plan {
  Schedule Tiles;
  double Microseconds;
};

/// The tiles that \p Blocks of a kernel are done with first. Of each head up to
/// as many tall tiles are cut as make two turns of all blocks, and two more.
template <bool IsCausal>
Plan fastestPlan(int Length, int Heads, const Speed &Of, int Blocks) {
  int MostTall = (Length + Of.Rows - 1) / Of.Rows;
  int LeastTall = std::max(0, MostTall - 2 * (Blocks / Heads + 1));
  Schedule AllTall = {Length, Heads, MostTall, Of.Rows, 64};
  Plan Fastest = {AllTall, timeOf<IsCausal>(AllTall, Of, Blocks)};
  for (int ShortRows = Of.Rows - 64; ShortRows > 0; ShortRows -= 64)
    for (int Tall = MostTall - 1; Tall >= LeastTall; --Tall) {
      Schedule Tiles = {Length, Heads, Tall, Of.Rows, ShortRows};
      double Time = timeOf<IsCausal>(Tiles, Of, Blocks);
      if (Time < Fastest.Microseconds)
        Fastest = {Tiles, Time};
    }
  return Fastest;
}

} // namespace attention

#endif // ATTENTION_SCHEDULE_H
