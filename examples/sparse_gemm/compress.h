//===- compress.h - 2:4 compression of an f16 matrix ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code, without CUDA. Elements are the bits of an f16: compression only
// asks which of them are zero.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSE_GEMM_COMPRESS_H
#define SPARSE_GEMM_COMPRESS_H

#include "tile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparse_gemm {

/// Words of metadata that each thread of a warpgroup holds for one K tile.
constexpr int MetadataWords = 2;

/// A 2:4 sparse matrix of M rows and K columns.
struct CompressedMatrix {
  /// Two elements of each chunk of four columns: M rows of K/2, row-major.
  std::vector<uint16_t> Values;
  /// Where they were. The words of a block of 64 rows and 128 columns lie
  /// together, as [thread of the warpgroup][word], so that a warpgroup fetches
  /// them with one coalesced load; blocks are in row-major order.
  std::vector<uint32_t> Metadata;
};

/// Four bits of metadata: the places of one chunk's two elements.
struct MetadataNibble {
  size_t Word;
  int Shift;
};

/// Returns where the metadata of the chunk that starts at (Row, Column) is.
///
/// A wgmma.sp of f16 covers 32 columns, 8 chunks, and reads its metadata from
/// half of the threads: lanes 4*q + 2*Selector + t, t in {0, 1}, where nibble j
/// describes row q + 8*(j/4) of the warp's 16, chunk 4*t + j%4. One word in
/// every thread therefore serves two steps of 32 columns, the first with
/// selector 0 and the second with selector 1.
inline MetadataNibble findMetadata(int Row, int Column, int K) {
  int BlockRow = Row % WarpgroupRows, BlockColumn = Column % TileK;
  int Warp = BlockRow / 16, WarpRow = BlockRow % 16;
  int Step = BlockColumn / 32, Chunk = BlockColumn % 32 / 4;
  int Selector = Step % 2;
  int Thread = 32 * Warp + 4 * (WarpRow % 8) + 2 * Selector + Chunk / 4;
  int Nibble = 4 * (WarpRow / 8) + Chunk % 4;

  size_t Block =
      size_t(Row / WarpgroupRows) * (K / TileK) + size_t(Column / TileK);
  return {(Block * WarpgroupThreads + Thread) * MetadataWords + Step / 2,
          4 * Nibble};
}

/// Compresses \p Dense, \p M rows of \p K elements, row-major; M must be a
/// multiple of 64 and K of 128. If a chunk of four has more than two non-zeros,
/// returns nothing and describes the first such chunk in \p Error.
inline std::optional<CompressedMatrix>
compress(const std::vector<uint16_t> &Dense, int M, int K, std::string &Error) {
  CompressedMatrix Result;
  Result.Values.reserve(Dense.size() / 2);
  // 2 bits for each of the M * K / 2 values.
  Result.Metadata.resize(Dense.size() / 32);

  for (int Row = 0; Row < M; ++Row) {
    for (int Column = 0; Column < K; Column += 4) {
      const uint16_t *Chunk = &Dense[size_t(Row) * K + Column];
      int Count = 0, First = 0, Last = 0;
      for (int I = 0; I < 4; ++I) {
        bool IsZero = (Chunk[I] & 0x7fff) == 0;
        if (IsZero)
          continue;
        if (Count++ == 0)
          First = I;
        Last = I;
      }
      if (Count > 2) {
        Error = "A is not 2:4 sparse: row " + std::to_string(Row) +
                ", columns " + std::to_string(Column) + " to " +
                std::to_string(Column + 3) + " have " + std::to_string(Count) +
                " non-zeros";
        return std::nullopt;
      }
      // The hardware wants two different places in ascending order even where
      // there are fewer non-zeros; a zero fills the other one.
      int Low = Count == 2 ? First : 0;
      int High = std::max(Last, 1);
      Result.Values.push_back(Chunk[Low]);
      Result.Values.push_back(Chunk[High]);
      MetadataNibble Nibble = findMetadata(Row, Column, K);
      Result.Metadata[Nibble.Word] |= uint32_t(Low | High << 2) << Nibble.Shift;
    }
  }
  return Result;
}

} // namespace sparse_gemm

#endif // SPARSE_GEMM_COMPRESS_H
