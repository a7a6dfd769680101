//===- tile.h - Sizes that the host and the kernel agree on -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSE_GEMM_TILE_H
#define SPARSE_GEMM_TILE_H

namespace sparse_gemm {

/// Rows of A and D that one warpgroup multiplies: the M of every wgmma.
constexpr int WarpgroupRows = 64;
constexpr int WarpgroupThreads = 128;

/// Warpgroups of a thread block, one below the other; they share a tile of B.
/// Sparse A takes half the shared memory that B takes per row, so that a tile
/// taller than wide needs the fewest bytes for each multiplication.
constexpr int Warpgroups = 4;
constexpr int BlockThreads = Warpgroups * WarpgroupThreads;

constexpr int TileM = Warpgroups * WarpgroupRows;
constexpr int TileN = 128;
/// 128 columns of A are 64 packed halves: a row of a 128-byte swizzled tile.
constexpr int TileK = 128;

} // namespace sparse_gemm

#endif // SPARSE_GEMM_TILE_H
