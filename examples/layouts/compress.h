//===- compress.h - 2:4 compression for mma.sp.m16n8k32 ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What docs/sparsity.md explains. Plain constexpr C++17, which Clang compiles
// for host and device alike. An element is the bits of an f16 or bf16.
//
//===----------------------------------------------------------------------===//

#ifndef LAYOUTS_COMPRESS_H
#define LAYOUTS_COMPRESS_H

#include <cstdint>

namespace layouts {

constexpr int Rows = 16, Columns = 32, Chunks = Columns / 4;

// Of -0, too: only its sign differs.
constexpr bool isZero(uint16_t Element) { return (Element & 0x7fff) == 0; }

struct CompressedTile {
  uint16_t Values[Rows][Columns / 2]; // The kept elements: a dense 16x16 A.
  uint8_t Nibbles[Rows][Chunks];      // Which of each four these are.
};

// Always keeps two different places, in ascending order, where there are fewer
// non-zeros as well. More than two would be lost.
constexpr void compressChunk(const uint16_t *Chunk, uint16_t *Values,
                             uint8_t &Nibble) {
  int First = 0, Second = 3;
  while (First < 2 && isZero(Chunk[First]))
    ++First;
  while (Second > First + 1 && isZero(Chunk[Second]))
    --Second;
  Values[0] = Chunk[First];
  Values[1] = Chunk[Second];
  Nibble = static_cast<uint8_t>(First | Second << 2);
}

constexpr CompressedTile compress(const uint16_t (&A)[Rows][Columns]) {
  CompressedTile Tile = {};
  for (int Row = 0; Row < Rows; ++Row)
    for (int Chunk = 0; Chunk < Chunks; ++Chunk)
      compressChunk(&A[Row][4 * Chunk], &Tile.Values[Row][2 * Chunk],
                    Tile.Nibbles[Row][Chunk]);
  return Tile;
}

// The register of metadata that a lane passes. With one selector half of the
// lanes contribute; the others may pass anything, such as another tile's.
constexpr uint32_t metadata(const CompressedTile &Tile, int Lane,
                            int Selector) {
  uint32_t Word = 0;
  if (Lane / 2 % 2 != Selector)
    return Word;
  for (int N = 0; N < 8; ++N)
    Word |=
        uint32_t(Tile.Nibbles[Lane / 4 + 8 * (N / 4)][N % 4 + 4 * (Lane % 2)])
        << 4 * N;
  return Word;
}

// Register R of a lane's fragment of A: two kept elements.
constexpr uint32_t fragment(const CompressedTile &Tile, int Lane, int R) {
  int Row = Lane / 4 + 8 * (R % 2), Column = 2 * (Lane % 4) + 8 * (R / 2);
  return Tile.Values[Row][Column] | uint32_t(Tile.Values[Row][Column + 1])
                                        << 16;
}

} // namespace layouts

#endif // LAYOUTS_COMPRESS_H
