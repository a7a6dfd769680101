//===- WarpFragment.cpp - Fragments of warp-level instructions ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpFragment.h"

#include <cstdlib>

using namespace devicetest;

WarpFragment::WarpFragment(WarpShape Shape, WarpOperand Operand, Element Type,
                           bool ColumnMajor)
    : Shape(Shape), Operand(Operand), Type(Type), ColumnMajor(ColumnMajor),
      QuadPairs(Shape.M == 8 && Shape.K == 4 && Type != Element::f64) {}

WarpPosition WarpFragment::quadPairPosition(unsigned Thread,
                                            unsigned Index) const {
  unsigned Computation = Thread % 16 / 4;
  unsigned High = Thread < 16 ? 0 : 4;
  unsigned InQuad = Thread % 4;
  switch (Operand) {
  case WarpOperand::A:
    if (ColumnMajor)
      return {Computation, Index + High, InQuad};
    return {Computation, InQuad + High, Index};
  case WarpOperand::B:
    if (ColumnMajor)
      return {Computation, Index, InQuad + High};
    return {Computation, InQuad, Index + High};
  case WarpOperand::C:
    break;
  }
  if (Type == Element::f16)
    return {Computation, InQuad + High, Index};
  return {Computation, (Thread & 1) + (Index & 2) + High,
          (Index & 4) + (Thread & 2) + (Index & 1)};
}

WarpPosition WarpFragment::position(unsigned Thread, unsigned Index) const {
  if (QuadPairs)
    return quadPairPosition(Thread, Index);

  unsigned Group = Thread / 4, InGroup = Thread % 4;
  unsigned Register = Index / elementsPerRegister();
  unsigned InRegister = Index % elementsPerRegister();
  // A group of four threads holds a register's width of K each, and then again.
  auto AlongK = [&](unsigned Step) {
    return (4 * Step + InGroup) * elementsPerRegister() + InRegister;
  };
  switch (Operand) {
  case WarpOperand::A: {
    unsigned Halves = Shape.M / 8;
    return {0, Group + 8 * (Register % Halves), AlongK(Register / Halves)};
  }
  case WarpOperand::B:
    return {0, AlongK(Register), Group};
  case WarpOperand::C:
    break;
  }
  return {0, Group + 8 * (Index / 2), 2 * InGroup + Index % 2};
}

WarpPlace WarpFragment::place(unsigned Thread, unsigned Index) const {
  return {Thread, Index / elementsPerRegister(),
          Index % elementsPerRegister() * bitWidth(Type)};
}

WarpPlace WarpFragment::place(const WarpPosition &P) const {
  for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
    for (unsigned Index = 0; Index != elements(); ++Index)
      if (position(Thread, Index) == P)
        return place(Thread, Index);
  std::abort(); // There is no such element.
}

uint64_t WarpFragment::read(const uint32_t *Words, unsigned Stride,
                            unsigned Thread, unsigned Index) const {
  unsigned Bit = Index * bitWidth(Type);
  const uint32_t *Word = Words + Thread * Stride + Bit / 32;
  if (bitWidth(Type) == 64)
    return Word[0] | uint64_t(Word[1]) << 32;
  return *Word >> Bit % 32 & (~uint64_t(0) >> (64 - bitWidth(Type)));
}

void WarpFragment::write(uint32_t *Words, unsigned Stride, unsigned Thread,
                         unsigned Index, uint64_t Bits) const {
  unsigned Bit = Index * bitWidth(Type);
  uint32_t *Word = Words + Thread * Stride + Bit / 32;
  if (bitWidth(Type) == 64) {
    Word[0] = static_cast<uint32_t>(Bits);
    Word[1] = static_cast<uint32_t>(Bits >> 32);
    return;
  }
  uint32_t Mask = static_cast<uint32_t>(~uint64_t(0) >> (64 - bitWidth(Type)));
  *Word &= ~(Mask << Bit % 32);
  *Word |= static_cast<uint32_t>(Bits) << Bit % 32;
}

WarpSparsity devicetest::warpSparsity(Element A) {
  switch (bitWidth(A)) {
  case 32:
    return {2, 1};
  case 4:
    return {8, 2};
  default:
    return {4, 1};
  }
}

const std::vector<uint8_t> &devicetest::warpNibbles(Element A) {
  static const std::vector<uint8_t> OneOfTwo = {0x4, 0xE};
  static const std::vector<uint8_t> TwoOfFour = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  return A == Element::tf32 ? OneOfTwo : TwoOfFour;
}

const std::vector<uint8_t> &devicetest::warpDescendingNibbles() {
  static const std::vector<uint8_t> Nibbles = {0x1, 0x2, 0x3, 0x6, 0x7, 0xB};
  return Nibbles;
}

unsigned devicetest::warpKeptColumn(Element A, uint8_t Nibble, unsigned Index) {
  WarpSparsity S = warpSparsity(A);
  // The indices are those of 16-bit halves here; 0x4 and 0xE are the two
  // elements.
  if (A == Element::tf32)
    return Nibble == 0xE;
  unsigned InChunk = Nibble >> 2 * (Index / S.Run) & 3;
  return InChunk * S.Run + Index % S.Run;
}

/// Nibbles for 16 rows, 8 in the metadata of each thread, of which there are 8
/// with the same place in their group.
static unsigned threadsOfGroup(Element A, unsigned K) {
  return 16 * K / warpSparsity(A).ChunkWidth / 8 / 8;
}

unsigned devicetest::warpSelectors(Element A, unsigned K) {
  return 4 / threadsOfGroup(A, K);
}

std::optional<WarpChunk> devicetest::warpMetadata(Element A, unsigned K,
                                                  unsigned Selector,
                                                  unsigned Thread,
                                                  unsigned Nibble) {
  unsigned Contributing = threadsOfGroup(A, K);
  unsigned Group = Thread / 4, InGroup = Thread % 4;
  if (InGroup / Contributing != Selector)
    return std::nullopt;
  unsigned Turn = InGroup % Contributing;
  if (bitWidth(A) > 8)
    return WarpChunk{Group + 8 * (Nibble / 4), 4 * Turn + Nibble % 4};
  return WarpChunk{Group + 8 * (Turn % 2), 8 * (Turn / 2) + Nibble};
}
