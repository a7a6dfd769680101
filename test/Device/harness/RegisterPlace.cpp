//===- RegisterPlace.cpp - Where hardware finds an element ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterPlace.h"

using namespace devicetest;

/// The thread of row \p Row's group of four that is \p InGroup-th in it.
static unsigned threadOf(unsigned Row, unsigned InGroup) {
  return Row / 16 * 32 + Row % 8 * 4 + InGroup;
}

/// Whether the row is among the upper 8 of its warp's 16.
static unsigned upper(unsigned Row) { return Row / 8 % 2; }

RegisterPlace devicetest::findInFragment(Element A, unsigned Row,
                                         unsigned PackedColumn) {
  // Four threads share a row of 32 bytes; each register has 4 bytes of it.
  unsigned PerRegister = 32 / bitWidth(A);
  unsigned Word = PackedColumn / PerRegister;
  return {threadOf(Row, Word % 4), upper(Row) + 2 * (Word / 4),
          PackedColumn % PerRegister};
}

RegisterPlace devicetest::findInMetadata(Element A, unsigned Selector,
                                         unsigned Row, unsigned Chunk) {
  if (bitWidth(A) == 8)
    return {threadOf(Row, upper(Row) + 2 * (Chunk / 8)), 0, Chunk % 8};
  return {threadOf(Row, 2 * Selector + Chunk / 4), 0,
          4 * upper(Row) + Chunk % 4};
}

RegisterPlace devicetest::findInAccumulator(Element D, unsigned Row,
                                            unsigned Column) {
  unsigned Index = Column / 8 * 4 + 2 * upper(Row) + Column % 2;
  unsigned PerRegister = 32 / bitWidth(D);
  return {threadOf(Row, Column % 8 / 2), Index / PerRegister,
          Index % PerRegister};
}

uint64_t devicetest::findInShared(uint64_t Descriptor, Element Type,
                                  bool Transposed, unsigned MN, unsigned K) {
  auto Field = [&](unsigned Low) {
    return uint32_t(Descriptor >> Low & 0x3FFF) << 4;
  };
  uint32_t Start = Field(0), Leading = Field(16), Stride = Field(32);
  unsigned BaseOffset = Descriptor >> 49 & 7, Mode = Descriptor >> 62;

  // Which 16-byte unit of which line of units, and where in the unit.
  unsigned Line = Transposed ? K : MN;
  unsigned Bit = (Transposed ? MN : K) * bitWidth(Type);
  unsigned Unit = Bit / 128;
  uint32_t Address;
  if (Mode == 0) {
    unsigned MNCore = Transposed ? Unit : Line / 8;
    unsigned KCore = Transposed ? Line / 8 : Unit;
    Address = Start + MNCore * Stride + KCore * Leading + Line % 8 * 16;
  } else {
    unsigned LineUnits = 16 >> Mode;
    Address = Start + Line / 8 * Stride + Unit / LineUnits * Leading +
              (Line % 8 * LineUnits + Unit % LineUnits) * 16;
    // An H200 subtracts the base offset, too, as the probe has shown.
    Address ^= ((Address >> 7) - BaseOffset) % LineUnits << 4;
  }
  return uint64_t(8) * Address + Bit % 128;
}
