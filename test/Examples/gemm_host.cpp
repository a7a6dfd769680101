//===- gemm_host.cpp - Tests of gemm's schedule ---------------------------===//
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

#include "gemm/schedule.h"
#include "gemm/tiling.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>

using gemm::Extent, gemm::SplitTiling, gemm::TallTiling, gemm::ThreeTiling,
    gemm::TileGrid, gemm::Tiling, gemm::TilingList, gemm::WideTiling;

namespace {

TEST(TileGrid, EachTileOnce) {
  for (int Rows : {1, 7, 8, 9, 16, 23})
    for (int Columns : {1, 2, 31}) {
      TileGrid Grid{Rows, Columns};
      std::set<std::pair<int, int>> Seen;
      for (int I = 0; I != Grid.count(); ++I) {
        TileGrid::Tile Tile = Grid.at(I);
        EXPECT_TRUE(Tile.Row >= 0 && Tile.Row < Rows);
        EXPECT_TRUE(Tile.Column >= 0 && Tile.Column < Columns);
        Seen.insert({Tile.Row, Tile.Column});
      }
      EXPECT_EQ(Seen.size(), size_t(Rows) * size_t(Columns));
    }
}

/// What 66 clusters multiply at a time has few rows of A and columns of B.
TEST(TileGrid, NeighboursInTimeAreNeighbours) {
  TileGrid Grid{32, 32};
  for (int First = 0; First + 66 <= Grid.count(); First += 66) {
    std::set<int> Rows, Columns;
    for (int I = First; I != First + 66; ++I) {
      Rows.insert(Grid.at(I).Row);
      Columns.insert(Grid.at(I).Column);
    }
    // Two bands at most, of which one only begins or ends.
    EXPECT_LE(Rows.size(), 16u);
    EXPECT_LE(Columns.size(), 10u);
  }
}

/// Whether \p Cut is the first of those that take fewest cycles.
template <class Cut, class... Cuts>
bool isBest(const Extent &D, TilingList<Cuts...>) {
  constexpr bool IsCut[] = {std::is_same_v<Cut, Cuts>...};
  const double Cycles[] = {gemm::cyclesOf<Cuts>(D, /*Clusters=*/66)...};
  auto Best = std::min_element(std::begin(Cycles), std::end(Cycles));
  return IsCut[Best - std::begin(Cycles)];
}

// What was fastest on an H200.
TEST(Tiling, Fastest) {
  const gemm::AllTilings All;
  EXPECT_TRUE(isBest<WideTiling>({4096, 4096, 64}, All));
  EXPECT_TRUE(isBest<WideTiling>({8192, 8192, 128}, All));
  EXPECT_TRUE(isBest<WideTiling>({4095, 11008, 64}, All));
  // 68 wide tiles, of 16 bits and of 8.
  EXPECT_TRUE(isBest<TallTiling>({1000, 4112, 65}, All));
  EXPECT_TRUE(isBest<TallTiling>({1000, 4112, 33}, All));
  // Three rows of tall tiles, which are two turns.
  EXPECT_TRUE(isBest<ThreeTiling>({1100, 4112, 65}, All));
  EXPECT_TRUE((isBest<Tiling<2, 128>>({512, 4096, 64}, All)));
  EXPECT_TRUE((isBest<SplitTiling<2, 128>>({256, 4096, 64}, All)));
  EXPECT_TRUE((isBest<SplitTiling<2, 128>>({128, 8192, 128}, All)));
  EXPECT_TRUE((isBest<SplitTiling<2, 64>>({128, 4096, 64}, All)));
  EXPECT_TRUE((isBest<SplitTiling<1, 128>>({64, 8192, 128}, All)));
  EXPECT_TRUE((isBest<SplitTiling<1, 64>>({16, 4096, 64}, All)));
}

// Few turns with a little less to do are better than many.
TEST(Tiling, Turns) {
  EXPECT_EQ(gemm::cyclesOf<WideTiling>({256, 256 * 66, 64}, 66),
            gemm::cyclesOf<WideTiling>({1, 1, 64}, 66));
  EXPECT_EQ(gemm::cyclesOf<WideTiling>({256, 256 * 66 + 1, 64}, 66),
            gemm::cyclesOf<WideTiling>({512, 256 * 66, 64}, 66));
  EXPECT_LT((gemm::cyclesOf<SplitTiling<2, 128>>({1, 1, 64}, 66)),
            (gemm::cyclesOf<Tiling<2, 128>>({1, 1, 64}, 66)));
}

} // namespace
