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

namespace {

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
      for (int Rows : {128, 192}) {
        for (int ShortRows = 64; ShortRows < Rows; ShortRows += 64)
          for (int Tall = 0; Tall <= (Length + Rows - 1) / Rows; ++Tall) {
            expectEachRowOnce<false>({Length, Heads, Tall, Rows, ShortRows});
            expectEachRowOnce<true>({Length, Heads, Tall, Rows, ShortRows});
          }
        expectEachRowOnce<false>(
            attention::fastestSchedule<false>(Length, Heads, Rows, 132));
        expectEachRowOnce<true>(
            attention::fastestSchedule<true>(Length, Heads, Rows, 132));
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
  Schedule OneTurn = attention::fastestSchedule<false>(1024, 16, 192, 132);
  EXPECT_EQ(OneTurn.TallTiles, 0);
  EXPECT_EQ(OneTurn.ShortRows, 128);
  // What fills the last turn is cut; all that does not is tall.
  Schedule Long = attention::fastestSchedule<false>(8192, 16, 192, 132);
  EXPECT_GE(Long.TallTiles * 16, 4 * 132);
  EXPECT_LT(Long.TallTiles, (8192 + 191) / 192);
  // Tiles that divide the length fill all turns as they are.
  Schedule Even = attention::fastestSchedule<false>(128 * 33, 4, 128, 132);
  EXPECT_EQ(Even.TallTiles, 33);
}

// Blocks that have nothing to do are not waited for.
TEST(Schedule, Time) {
  const Schedule One = {128, 1, 1, 128, 64}, Two = {128, 2, 1, 128, 64};
  EXPECT_EQ(attention::timeOf<false>(One, 132),
            attention::timeOf<false>(Two, 132));
  EXPECT_EQ(attention::timeOf<false>(One, 1) * 2,
            attention::timeOf<false>(Two, 1));
}

} // namespace
