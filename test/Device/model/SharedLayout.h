//===- SharedLayout.h - Matrices in shared memory ---------------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of A and B in shared memory without swizzle. A matrix consists of
// core matrices of 8 x 16 bytes: 8 rows of M or N, each 16 bytes along K
// (K-major), or transposed, 8 rows of K, each 16 bytes along M or N (MN-major,
// 16-bit types only). In both, the leading byte offset of the descriptor steps
// from one core matrix to the next along K, the stride byte offset along M or
// N.
//
// Here, A's K counts the packed elements.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_MODEL_SHAREDLAYOUT_H
#define NVPTX_MMA_TEST_DEVICE_MODEL_SHAREDLAYOUT_H

#include "Element.h"

#include <cstdint>

namespace devicetest {

/// How the core matrices follow one another. A gap shows whether both offsets
/// are obeyed, as with no gap one of them may pass for the other.
enum class Arrangement { KFirst, MNFirst, Gapped };

const char *name(Arrangement A);

class SharedLayout {
public:
  SharedLayout(Element Type, bool Transposed, unsigned MN, unsigned K,
               Arrangement A);

  /// The byte offset of an element from the start of the matrix.
  uint32_t offset(unsigned MN, unsigned K) const;
  /// Bytes from the start to the end of the last core matrix.
  uint32_t size() const;
  /// The descriptor of a matrix that starts at \p Start, a multiple of 16.
  uint64_t descriptor(uint32_t Start) const;

private:
  unsigned ElementBytes;
  bool Transposed;
  unsigned MNCores, KCores;
  uint32_t LeadingOffset, StrideOffset;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_MODEL_SHAREDLAYOUT_H
