//===- shared_tile.h - Tiles in shared memory for wgmma ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What docs/matrix-descriptors.md explains. Plain constexpr C++17, which Clang
// compiles for host and device alike.
//
//===----------------------------------------------------------------------===//

#ifndef LAYOUTS_SHARED_TILE_H
#define LAYOUTS_SHARED_TILE_H

namespace layouts {

// A tile of so many lines of LineBytes: for a K-major matrix a line is a row of
// A or a column of B, and its bytes run along K; for an MN-major one it is the
// other way round. RowBytes is 128, 64 or 32 for that swizzle, 16 for none.
//
// Atoms of 8 lines follow one another down the tile, then comes the next
// RowBytes of all lines.
struct Tile {
  unsigned Lines, LineBytes, RowBytes;

  // From an atom to the next down the lines, and to the next along them.
  constexpr unsigned downStep() const { return 8 * RowBytes; }
  constexpr unsigned alongStep() const { return Lines * RowBytes; }

  // Of a byte of a line, from the start of the tile, which must be a multiple
  // of downStep().
  constexpr unsigned offset(unsigned Line, unsigned Byte) const {
    unsigned Offset =
        Byte / RowBytes * alongStep() + Line * RowBytes + Byte % RowBytes;
    return Offset ^ Offset / 128 % (RowBytes / 16) * 16;
  }

  // From the tile's start to that of the instruction that starts at a byte
  // along K.
  constexpr unsigned kMajorStart(unsigned Byte) const {
    return Byte / RowBytes * alongStep() + Byte % RowBytes;
  }
  // The same for an MN-major tile and a line, a multiple of 8.
  constexpr unsigned mnMajorStart(unsigned Line) const {
    return Line / 8 * downStep();
  }
};

} // namespace layouts

#endif // LAYOUTS_SHARED_TILE_H
