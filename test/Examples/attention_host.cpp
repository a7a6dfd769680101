//===- attention_host.cpp - Tests of attention's schedule -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs neither CUDA nor a GPU.
//
// REQUIRES: gtest
// RUN: clang++ -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror \
// RUN:     -D__host__= -D__device__= -I%S/../../examples %s \
// RUN:     -o %t -lgtest -lgtest_main -lpthread
// RUN: %t
//
//===----------------------------------------------------------------------===//

#include "attention/schedule.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <vector>

using attention::Schedule;
using attention::Speed;

namespace {

/// What shorter tiles cost, of two kernels: more than their part of the rows.
constexpr double OfTwo[] = {1.0, 1.4}, OfThree[] = {0.8, 1.1, 1.3};
constexpr Speed TwoWarpgroups = {128, 128, OfTwo},
                ThreeWarpgroups = {192, 64, OfThree};

/// Expects that each row of each head is in one tile, and that no tile is
/// beyond the length.
template <bool IsCausal> void expectEachRowOnce(const Schedule &Tiles) {
  std::vector<int> Seen(size_t(Tiles.Length) * size_t(Tiles.Heads), 0);
  for (int I = 0; I != Tiles.count(); ++I) {
    Schedule::Tile Tile = Tiles.at<IsCausal>(I);
    EXPECT_LT(Tile.Row, Tile.End);
    EXPECT_LE(Tile.End, Tiles.Length);
    EXPECT_LE(Tile.End - Tile.Row, Tiles.TallRows);
    for (int Row = Tile.Row; Row < Tile.End; ++Row)
      ++Seen[size_t(Tile.Head) * size_t(Tiles.Length) + size_t(Row)];
  }
  EXPECT_EQ(std::count(Seen.begin(), Seen.end(), 1),
            std::ptrdiff_t(Seen.size()));
}

TEST(Schedule, EachRowOnce) {
  for (int Length : {1, 63, 64, 65, 192, 300, 1000, 4096})
    for (int Heads : {1, 5, 16})
      for (const Speed &Of : {TwoWarpgroups, ThreeWarpgroups}) {
        const int Rows = Of.Rows;
        for (int ShortRows = 64; ShortRows < Rows; ShortRows += 64)
          for (int Tall = 0; Tall <= (Length + Rows - 1) / Rows; ++Tall) {
            expectEachRowOnce<false>({Length, Heads, Tall, Rows, ShortRows});
            expectEachRowOnce<true>({Length, Heads, Tall, Rows, ShortRows});
          }
        expectEachRowOnce<false>(
            attention::fastestPlan<false>(Length, Heads, Of, 132).Tiles);
        expectEachRowOnce<true>(
            attention::fastestPlan<true>(Length, Heads, Of, 132).Tiles);
      }
}

TEST(Schedule, Keys) {
  const Schedule Tiles = {300, 1, 1, 192, 64};
  // Without a mask all of them, in the order of the rows.
  EXPECT_EQ(Tiles.at<false>(0).Row, 0);
  EXPECT_EQ(Tiles.keyTiles<false>(Tiles.at<false>(0), 128), 3);
  // The last rows see most: up to their own.
  EXPECT_EQ(Tiles.at<true>(0).Row, 256);
  EXPECT_EQ(Tiles.keyTiles<true>(Tiles.at<true>(0), 128), 3);
  EXPECT_EQ(Tiles.at<true>(1).Row, 192);
  EXPECT_EQ(Tiles.keyTiles<true>(Tiles.at<true>(1), 128), 2);
  EXPECT_EQ(Tiles.keyTiles<true>(Tiles.at<true>(2), 128), 2);
  // The last one has 44 rows.
  EXPECT_EQ(Tiles.at<true>(0).warpgroups(), 1);
  EXPECT_EQ(Tiles.at<true>(2).warpgroups(), 3);
}

// 16 heads on 132 multiprocessors.
TEST(Schedule, Fastest) {
  // One turn of shorter tiles, rather than of fewer tall ones.
  Schedule OneTurn =
      attention::fastestPlan<false>(1024, 16, ThreeWarpgroups, 132).Tiles;
  EXPECT_EQ(OneTurn.TallTiles, 0);
  EXPECT_EQ(OneTurn.ShortRows, 128);
  // What fills the last turn is cut; all that does not is tall.
  Schedule Long =
      attention::fastestPlan<false>(8192, 16, ThreeWarpgroups, 132).Tiles;
  EXPECT_GE(Long.TallTiles * 16, 4 * 132);
  EXPECT_LT(Long.TallTiles, (8192 + 191) / 192);
  // Tiles that divide the length fill all turns as they are.
  attention::Plan Even =
      attention::fastestPlan<false>(128 * 33, 4, TwoWarpgroups, 132);
  EXPECT_EQ(Even.Tiles.TallTiles, 33);
  // One turn: 33 times 128 rows of K and V, and what a tile costs besides.
  EXPECT_DOUBLE_EQ(Even.Microseconds, 1.4 * (33 + 1.5));
}

// Blocks that have nothing to do are not waited for.
TEST(Schedule, Time) {
  const Schedule One = {128, 1, 1, 128, 64}, Two = {128, 2, 1, 128, 64};
  EXPECT_EQ(attention::timeOf<false>(One, TwoWarpgroups, 132),
            attention::timeOf<false>(Two, TwoWarpgroups, 132));
  EXPECT_EQ(attention::timeOf<false>(One, TwoWarpgroups, 1) * 2,
            attention::timeOf<false>(Two, TwoWarpgroups, 1));
}

// On the diagonal fewer rows at a time are seen in vain.
TEST(Schedule, KeyRows) {
  const Schedule One = {64, 1, 1, 64, 64};
  const Speed Half = {128, 64, OfTwo};
  EXPECT_DOUBLE_EQ(attention::timeOf<true>(One, TwoWarpgroups, 1), 2.5);
  EXPECT_DOUBLE_EQ(attention::timeOf<true>(One, Half, 1), 1.5);
}

} // namespace
