//===- SharedLayout.cpp - Matrices in shared memory -----------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedLayout.h"

using namespace devicetest;

static constexpr uint32_t CoreRows = 8;
static constexpr uint32_t CoreRowBytes = 16;
static constexpr uint32_t CoreBytes = CoreRows * CoreRowBytes;

const char *devicetest::name(Arrangement A) {
  static const char *const Names[] = {"k-first", "mn-first", "gapped"};
  return Names[static_cast<unsigned>(A)];
}

SharedLayout::SharedLayout(Element Type, bool Transposed, unsigned MN,
                           unsigned K, Arrangement A)
    : ElementBytes(bitWidth(Type) / 8), Transposed(Transposed) {
  unsigned PerCoreRow = CoreRowBytes / ElementBytes;
  MNCores = MN / (Transposed ? PerCoreRow : CoreRows);
  KCores = K / (Transposed ? CoreRows : PerCoreRow);
  switch (A) {
  case Arrangement::KFirst:
    LeadingOffset = CoreBytes;
    StrideOffset = CoreBytes * KCores;
    break;
  case Arrangement::MNFirst:
    LeadingOffset = CoreBytes * MNCores;
    StrideOffset = CoreBytes;
    break;
  case Arrangement::Gapped:
    LeadingOffset = 2 * CoreBytes;
    StrideOffset = LeadingOffset * KCores + CoreBytes;
    break;
  }
}

uint32_t SharedLayout::offset(unsigned MN, unsigned K) const {
  unsigned Along = Transposed ? MN : K;  // within a core matrix's row
  unsigned Across = Transposed ? K : MN; // the row
  uint32_t AlongBytes = Along * ElementBytes;
  uint32_t AlongOffset = Transposed ? StrideOffset : LeadingOffset;
  uint32_t AcrossOffset = Transposed ? LeadingOffset : StrideOffset;
  return AlongBytes / CoreRowBytes * AlongOffset + AlongBytes % CoreRowBytes +
         Across / CoreRows * AcrossOffset + Across % CoreRows * CoreRowBytes;
}

uint32_t SharedLayout::size() const {
  return (MNCores - 1) * StrideOffset + (KCores - 1) * LeadingOffset +
         CoreBytes;
}

uint64_t SharedLayout::descriptor(uint32_t Start) const {
  auto Encode = [](uint32_t Bytes) { return uint64_t(Bytes & 0x3FFFF) >> 4; };
  return Encode(Start) | Encode(LeadingOffset) << 16 |
         Encode(StrideOffset) << 32;
}
