//===- MemoryImage.cpp - Matrices in memory, as wmma has them -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryImage.h"

#include <cassert>

using namespace devicetest;

/// All addresses that wmma takes are multiples of this.
static constexpr unsigned AlignmentBits = 256;

static WarpOperand operand(const std::string &Role) {
  if (Role == "a")
    return WarpOperand::A;
  return Role == "b" ? WarpOperand::B : WarpOperand::C;
}

MemoryLayout::MemoryLayout(const Kernel &K, unsigned Problem)
    : Type(K.element("type")), RowMajor(K.field("layout") == "row") {
  WarpFragment Matrix(K.shape(), operand(K.field("role")), Type);
  Rows = Matrix.rows();
  Columns = Matrix.columns();
  Parameters.Offset = 8 * (1 + Problem % 4) * AlignmentBits / 8;
  Parameters.Stride = RowMajor ? Columns : Rows;
  if (K.flag("stride"))
    Parameters.Stride += Problem % 3 * (AlignmentBits / bitWidth(Type));
  Parameters.InShared =
      K.generic() ? Problem / 4 % 2 : K.field("space") == "shared";
  assert(bit(Rows - 1, Columns - 1) < 32 * ImageWords);
}

unsigned MemoryLayout::bit(unsigned Row, unsigned Column) const {
  unsigned Index = RowMajor ? Row * Parameters.Stride + Column
                            : Column * Parameters.Stride + Row;
  return 8 * Parameters.Offset + Index * bitWidth(Type);
}

static uint32_t lowMask(unsigned Bits) {
  return Bits >= 32 ? ~0u : (1u << Bits) - 1;
}

uint64_t MemoryLayout::read(const uint32_t *Image, unsigned Row,
                            unsigned Column) const {
  unsigned Bit = bit(Row, Column);
  const uint32_t *Word = Image + Bit / 32;
  uint64_t Bits = *Word >> Bit % 32 & lowMask(bitWidth(Type));
  return bitWidth(Type) == 64 ? Bits | uint64_t(Word[1]) << 32 : Bits;
}

void MemoryLayout::write(uint32_t *Image, unsigned Row, unsigned Column,
                         uint64_t Bits) const {
  unsigned Bit = bit(Row, Column);
  uint32_t *Word = Image + Bit / 32;
  uint32_t Mask = lowMask(bitWidth(Type));
  *Word &= ~(Mask << Bit % 32);
  *Word |= (static_cast<uint32_t>(Bits) & Mask) << Bit % 32;
  if (bitWidth(Type) == 64)
    Word[1] = static_cast<uint32_t>(Bits >> 32);
}
