//===- SharedMatrix.h - A matrix in shared memory ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of a matrix are in shared memory, and the descriptor by
// which wgmma finds them.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TOOLS_LAYOUT_SHAREDMATRIX_H
#define NVPTX_MMA_TOOLS_LAYOUT_SHAREDMATRIX_H

#include "SharedLayout.h"
#include "Table.h"

namespace layout {

struct SharedMatrix {
  devicetest::Element Type = devicetest::Element::f16;
  unsigned MN = 64, K = 64;
  bool MNMajor = false;
  devicetest::Swizzle Mode = devicetest::Swizzle::None;
  devicetest::Arrangement Order = devicetest::Arrangement::KFirst;
  /// Multiple of 16, from an address that is a multiple of 1024.
  uint32_t Start = 0;

  devicetest::SharedLayout layout() const {
    return {Type, MNMajor, MN, K, Order, Mode};
  }
  /// Why there is no such matrix; empty if there is.
  std::string error() const;
};

/// The descriptor's two offsets, in bytes.
struct DescriptorOffsets {
  uint32_t Leading, Stride;
};
DescriptorOffsets descriptorOffsets(uint64_t Descriptor);

/// Prints the descriptor and the place of each chosen element, whose row is the
/// coordinate along M or N and whose column is that along K. Returns how many.
unsigned print(const SharedMatrix &S, const Selection &Chosen,
               std::ostream &OS);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_SHAREDMATRIX_H
