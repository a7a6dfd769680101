//===- schedule.h - Which tile when -----------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grid is as large as the device: each cluster multiplies one tile after
// the other. Tiles that are multiplied at the same time lie close together, so
// that the L2 cache serves most of what they read.
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_SCHEDULE_H
#define GEMM_SCHEDULE_H

namespace gemm {

/// Rows and columns of D in tiles of clusters.
struct TileGrid {
  int Rows, Columns;

  /// The tiles are numbered in bands of this many rows, in each of them from
  /// column to column: 66 clusters then work on a part of about 8 by 8.
  static constexpr int BandRows = 8;

  struct Tile {
    int Row, Column;
  };

  __host__ __device__ int count() const { return Rows * Columns; }

  __host__ __device__ Tile at(int Index) const {
    int Band = Index / (BandRows * Columns);
    int InBand = Index - Band * BandRows * Columns;
    int Height = Rows - Band * BandRows;
    if (Height > BandRows)
      Height = BandRows;
    int Column = InBand / Height;
    return {Band * BandRows + InBand - Column * Height, Column};
  }
};

} // namespace gemm

#endif // GEMM_SCHEDULE_H
