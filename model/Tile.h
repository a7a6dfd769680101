//===- Tile.h - The operands A and B of one instruction ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands as matrices of encoded elements, and how they are laid out in
// registers and in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_TILE_H
#define NVPTX_MMA_MODEL_TILE_H

#include "Instruction.h"
#include "SharedLayout.h"

#include <cstdint>
#include <vector>

namespace devicetest {

/// A: 64 rows of K elements, of which, if it is sparse, only the non-zeros are
/// kept.
struct ATile {
  ATile(bool Sparse, Element Type);

  bool Sparse;
  Element Type;
  OperandShape Shape;
  /// 64 x packedK encoded elements.
  std::vector<uint32_t> Values;
  /// 64 x chunks metadata nibbles; none of a dense A.
  std::vector<uint8_t> Nibbles;

  uint32_t &value(unsigned Row, unsigned PackedColumn) {
    return Values[Row * Shape.packedK() + PackedColumn];
  }
  uint32_t value(unsigned Row, unsigned PackedColumn) const {
    return Values[Row * Shape.packedK() + PackedColumn];
  }
  uint8_t &nibble(unsigned Row, unsigned Chunk) {
    return Nibbles[Row * Shape.chunks() + Chunk];
  }
  /// The column of the full A that a packed element stands for.
  unsigned column(unsigned Row, unsigned PackedColumn) const;

  /// Fills in the fragment, laid out as [thread][register].
  void toRegisters(uint32_t *Fragment) const;
  /// Fills in the metadata of all threads. Whatever no element's position
  /// depends on is left alone.
  void toMetadata(unsigned Selector, uint32_t *Metadata) const;
  /// Stores the tile \p Start bytes from the start of \p Image.
  void toShared(const SharedLayout &Layout, uint32_t Start,
                uint8_t *Image) const;
};

/// B: K x N elements.
struct BTile {
  BTile(Element Type, unsigned N, unsigned K);

  Element Type;
  unsigned N, K;
  std::vector<uint32_t> Values;

  uint32_t &value(unsigned Row, unsigned Column) {
    return Values[Row * N + Column];
  }
  uint32_t value(unsigned Row, unsigned Column) const {
    return Values[Row * N + Column];
  }

  void toShared(const SharedLayout &Layout, uint32_t Start,
                uint8_t *Image) const;
};

/// Stores the encoded \p Value at a bit of \p Image, and nothing beside it.
void storeElement(Element Type, uint32_t Value, uint64_t Bit, uint8_t *Image);

/// The nibbles with a meaning for this type: for 2:4 sparsity all six pairs of
/// increasing indices, for tf32's 1:2 the two positions.
const std::vector<uint8_t> &validNibbles(Element A);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_TILE_H
