//===- SharedLayout.cpp - Matrices in shared memory -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedLayout.h"

#include <algorithm>

using namespace devicetest;

static constexpr uint32_t UnitBytes = 16;
static constexpr uint32_t AtomRows = 8;
/// The bytes of a row of the swizzle's pattern.
static constexpr uint32_t PatternRowBytes = 128;

static uint32_t ceilDiv(uint32_t Value, uint32_t By) {
  return (Value + By - 1) / By;
}

const char *devicetest::name(Arrangement A) {
  static const char *const Names[] = {"k-first", "mn-first", "gapped",
                                      "shifted"};
  return Names[static_cast<unsigned>(A)];
}

const char *devicetest::name(Swizzle Mode) {
  switch (Mode) {
  case Swizzle::None:
    return "none";
  case Swizzle::B32:
    return "32";
  case Swizzle::B64:
    return "64";
  case Swizzle::B128:
    return "128";
  }
  __builtin_unreachable();
}

SharedLayout::SharedLayout(Element Type, bool Transposed, unsigned MN,
                           unsigned K, Arrangement A, Swizzle Mode)
    : ElementBits(bitWidth(Type)), Transposed(Transposed), Mode(Mode),
      AtomBytes(AtomRows * rowBytes()) {
  uint32_t AlongBytes = (Transposed ? MN : K) * ElementBits / 8;
  uint32_t AlongAtoms = ceilDiv(AlongBytes, rowBytes());
  uint32_t AcrossAtoms = (Transposed ? K : MN) / AtomRows;
  uint32_t KAtoms = Transposed ? AcrossAtoms : AlongAtoms;
  uint32_t MNAtoms = Transposed ? AlongAtoms : AcrossAtoms;
  switch (A) {
  case Arrangement::KFirst:
  case Arrangement::Shifted:
    KStep = AtomBytes;
    MNStep = AtomBytes * KAtoms;
    break;
  case Arrangement::MNFirst:
    KStep = AtomBytes * MNAtoms;
    MNStep = AtomBytes;
    break;
  case Arrangement::Gapped:
    KStep = 2 * AtomBytes;
    MNStep = KStep * KAtoms + AtomBytes;
    break;
  }
  // Three rows of the pattern, if it has as many: to add them instead, or to
  // take them exclusive or, would make a difference.
  Shift = A == Arrangement::Shifted
              ? std::min(3 * PatternRowBytes, AtomBytes - PatternRowBytes)
              : 0;
  Extent = (MNAtoms - 1) * MNStep + (KAtoms - 1) * KStep + AtomBytes;

  bool Narrow = !Transposed && AlongBytes < rowBytes();
  bool Share = Narrow && A != Arrangement::Gapped;
  PerAtom = Share ? rowBytes() / AlongBytes : 1;
  BytesApart = AlongBytes;
  FirstByte = Narrow && !Share ? rowBytes() - AlongBytes : 0;
}

uint32_t SharedLayout::start(unsigned Matrix) const {
  return Shift + FirstByte + Matrix / PerAtom * Extent +
         Matrix % PerAtom * BytesApart;
}

uint32_t SharedLayout::size(unsigned Matrices) const {
  return ceilDiv(Shift, AtomBytes) * AtomBytes +
         ceilDiv(Matrices, PerAtom) * Extent;
}

uint64_t SharedLayout::bitOffset(uint32_t Start, unsigned MN,
                                 unsigned K) const {
  unsigned Along = Transposed ? MN : K;
  unsigned Across = Transposed ? K : MN;
  uint32_t AlongBit = Along * ElementBits;
  uint32_t AlongByte = AlongBit / 8;
  uint32_t Byte = Start +
                  AlongByte / rowBytes() * (Transposed ? MNStep : KStep) +
                  Across / AtomRows * (Transposed ? KStep : MNStep) +
                  Across % AtomRows * rowBytes() + AlongByte % rowBytes();
  uint32_t UnitMask = rowBytes() / UnitBytes - 1;
  uint32_t PatternRow = (Byte - Shift) / PatternRowBytes;
  Byte ^= (PatternRow & UnitMask) * UnitBytes;
  return uint64_t(8) * Byte + AlongBit % 8;
}

/// The descriptor's field for the mode, its bits 62 and 63.
static uint64_t layoutType(Swizzle Mode) {
  switch (Mode) {
  case Swizzle::None:
    return 0;
  case Swizzle::B128:
    return 1;
  case Swizzle::B64:
    return 2;
  case Swizzle::B32:
    return 3;
  }
  __builtin_unreachable();
}

uint64_t SharedLayout::descriptor(uint32_t Start) const {
  auto Encode = [](uint32_t Bytes) { return uint64_t(Bytes & 0x3FFFF) >> 4; };
  bool LeadingIsMN = Transposed && Mode != Swizzle::None;
  // The matrix starts in the first row of its pattern.
  uint64_t BaseOffset = Shift ? Start / PatternRowBytes % 8 : 0;
  return Encode(Start) | Encode(LeadingIsMN ? MNStep : KStep) << 16 |
         Encode(LeadingIsMN ? KStep : MNStep) << 32 | BaseOffset << 49 |
         layoutType(Mode) << 62;
}
