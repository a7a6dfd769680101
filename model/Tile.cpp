//===- Tile.cpp - The operands A and B of one instruction -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tile.h"
#include "Fragment.h"

using namespace devicetest;

void devicetest::storeElement(Element Type, uint32_t Value, uint64_t Bit,
                              uint8_t *Image) {
  uint8_t *Where = Image + Bit / 8;
  if (Type == Element::b1) {
    *Where = (*Where & ~(1u << Bit % 8)) | Value << Bit % 8;
    return;
  }
  for (unsigned Byte = 0; Byte != bitWidth(Type) / 8; ++Byte)
    Where[Byte] = uint8_t(Value >> 8 * Byte);
}

ATile::ATile(bool Sparse, Element Type)
    : Sparse(Sparse), Type(Type), Shape(operandShape(Sparse, Type)),
      Values(Rows * Shape.packedK()),
      Nibbles(Sparse ? Rows * Shape.chunks() : 0) {}

unsigned ATile::column(unsigned Row, unsigned PackedColumn) const {
  if (!Sparse)
    return PackedColumn;
  unsigned Chunk = PackedColumn / Shape.NonZerosPerChunk;
  unsigned Which = PackedColumn % Shape.NonZerosPerChunk;
  uint8_t Nibble = Nibbles[Row * Shape.chunks() + Chunk];
  // tf32's nibble is the pair of indices of the element's two 16-bit halves.
  unsigned InChunk =
      Type == Element::tf32 ? (Nibble & 3) / 2 : (Nibble >> 2 * Which) & 3;
  return Chunk * Shape.ChunkWidth + InChunk;
}

void ATile::toRegisters(uint32_t *Fragment) const {
  unsigned PerRegister = 32 / bitWidth(Type);
  for (unsigned Thread = 0; Thread != Threads; ++Thread)
    for (unsigned Register = 0; Register != OperandRegisters; ++Register) {
      uint32_t Bits = 0;
      for (unsigned Index = 0; Index != PerRegister; ++Index) {
        Position P = operandPosition(Type, Thread, Register, Index);
        Bits |= value(P.Row, P.Column) << Index * bitWidth(Type);
      }
      Fragment[Thread * OperandRegisters + Register] = Bits;
    }
}

void ATile::toMetadata(unsigned Selector, uint32_t *Metadata) const {
  for (unsigned Thread = 0; Thread != Threads; ++Thread)
    for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
      if (auto P = metadataPosition(Type, Selector, Thread, Nibble)) {
        uint32_t Value = Nibbles[P->Row * Shape.chunks() + P->Column];
        Metadata[Thread] &= ~(0xFu << 4 * Nibble);
        Metadata[Thread] |= Value << 4 * Nibble;
      }
}

void ATile::toShared(const SharedLayout &Layout, uint32_t Start,
                     uint8_t *Image) const {
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Column = 0; Column != Shape.packedK(); ++Column)
      storeElement(Type, value(Row, Column),
                   Layout.bitOffset(Start, Row, Column), Image);
}

BTile::BTile(Element Type, unsigned N, unsigned K)
    : Type(Type), N(N), K(K), Values(N * K) {}

void BTile::toShared(const SharedLayout &Layout, uint32_t Start,
                     uint8_t *Image) const {
  for (unsigned Row = 0; Row != K; ++Row)
    for (unsigned Column = 0; Column != N; ++Column)
      storeElement(Type, value(Row, Column),
                   Layout.bitOffset(Start, Column, Row), Image);
}

const std::vector<uint8_t> &devicetest::validNibbles(Element A) {
  static const std::vector<uint8_t> Pairs = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  static const std::vector<uint8_t> Positions = {0x4, 0xE};
  return A == Element::tf32 ? Positions : Pairs;
}
