//===- gemm_host.cpp - Tests of gemm's schedule ---------------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
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
#include "gtest/gtest.h"

#include <set>
#include <utility>

using gemm::TileGrid;

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

} // namespace
