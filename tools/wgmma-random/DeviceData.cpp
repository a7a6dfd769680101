//===- DeviceData.cpp - What kernels for a GPU read -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceData.h"
#include "Arithmetic.h"
#include "Random.h"

#include "Tile.h"

#include <cstring>

using namespace wgmmarandom;
using devicetest::Element;

/// A word of elements of this type.
static uint32_t randomWord(Element Type, int Bound, Random &R) {
  unsigned Bits = bitWidth(Type);
  uint32_t Word = 0;
  if (Type == Element::s8 || Type == Element::u8 || Type == Element::b1)
    return R.below(uint64_t(1) << 32);
  for (unsigned Bit = 0; Bit != 32; Bit += Bits) {
    int Value = int(R.below(2 * Bound + 1)) - Bound;
    Word |= devicetest::encodeExactly(Type, Value) << Bit;
  }
  return Word;
}

static uint32_t randomMetadata(Element A, Random &R) {
  const std::vector<uint8_t> &Valid = devicetest::validNibbles(A);
  uint32_t Word = 0;
  for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
    Word |= uint32_t(R.pick(Valid)) << (4 * Nibble);
  return Word;
}

std::vector<uint8_t> wgmmarandom::makeDeviceData(const Family &F,
                                                 uint64_t Seed) {
  Random R(mix(Seed, &F - families().data()));
  Element D = elementOf(F.D), A = elementOf(F.A), B = elementOf(F.B);
  std::vector<uint8_t> Bytes(TileBytes + DeviceThreads * InputBytes);
  auto Store = [&](unsigned At, uint32_t Word) {
    memcpy(Bytes.data() + At, &Word, 4);
  };
  for (unsigned At = 0; At != TileBytes; At += 4)
    Store(At, randomWord(At < DeviceTiles * ATileBytes ? A : B, 1, R));
  for (unsigned Thread = 0; Thread != DeviceThreads; ++Thread)
    for (unsigned At = 0; At != InputBytes; At += 4)
      Store(TileBytes + Thread * InputBytes + At,
            At < MetadataStart ? randomWord(A, 1, R)
            : At < AccumulatorStart
                ? randomMetadata(A, R)
                : randomWord(D, D == Element::s32 ? 999 : 8, R));
  return Bytes;
}
