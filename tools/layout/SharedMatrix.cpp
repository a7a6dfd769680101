//===- SharedMatrix.cpp - A matrix in shared memory -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMatrix.h"

#include <iomanip>

using namespace layout;

std::string SharedMatrix::error() const {
  unsigned Bits = bitWidth(Type);
  if (MNMajor && Bits != 16)
    return "only 16-bit types can be MN-major";
  if (!MN || !K || MN % 8 || K * Bits % 128)
    return "--mn must be a multiple of 8, and --k of 16 bytes";
  if (MN > 1024 || K * Bits / 8 > 1024)
    return "--mn and the bytes of --k must be 1024 at most";
  if (Start % 16 || Start >= 1 << 18)
    return "--start must be a multiple of 16 below 262144";
  return "";
}

DescriptorOffsets layout::descriptorOffsets(uint64_t Descriptor) {
  auto Field = [&](unsigned Bit) {
    return static_cast<uint32_t>(Descriptor >> Bit & 0x3FFF) << 4;
  };
  return {Field(16), Field(32)};
}

unsigned layout::print(const SharedMatrix &S, const Selection &Chosen,
                       std::ostream &OS) {
  devicetest::SharedLayout Layout = S.layout();
  uint32_t Start = S.Start + Layout.start(0);
  uint64_t Descriptor = Layout.descriptor(Start);
  DescriptorOffsets Offsets = descriptorOffsets(Descriptor);
  OS << "# descriptor 0x" << std::hex << std::setw(16) << std::setfill('0')
     << Descriptor << std::dec << std::setfill(' ') << ", start " << Start
     << ", leading byte offset " << Offsets.Leading << ", stride byte offset "
     << Offsets.Stride << '\n'
     << "  mn     k   byte" << (bitWidth(S.Type) < 8 ? "  bit" : "") << '\n';
  unsigned Printed = 0;
  for (unsigned MN = 0; MN != S.MN; ++MN)
    for (unsigned K = 0; K != S.K; ++K) {
      if (!Chosen.contains({}, {{}, MN, K, 0, 0, 0}))
        continue;
      uint64_t Bit = Layout.bitOffset(Start, MN, K);
      OS << std::setw(4) << MN << "  " << std::setw(4) << K << "  "
         << std::setw(5) << Bit / 8;
      if (bitWidth(S.Type) < 8)
        OS << "  " << std::setw(3) << Bit % 8;
      OS << '\n';
      ++Printed;
    }
  return Printed;
}
