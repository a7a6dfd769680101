//===- MemoryImage.h - Matrices in memory -----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_MEMORYIMAGE_H
#define NVPTX_MMA_TEST_DEVICE_WARP_MEMORYIMAGE_H

#include "Kernel.h"

namespace devicetest {

/// Where the elements of a matrix are in an image of memory.
class MemoryLayout {
public:
  /// For a kernel of wmma.load or wmma.store. Several problems differ in the
  /// start of the matrix and, where the instruction has one, in the stride.
  MemoryLayout(const Kernel &K, unsigned Problem);

  unsigned rows() const { return Rows; }
  unsigned columns() const { return Columns; }
  Element type() const { return Type; }
  const MemoryParameters &parameters() const { return Parameters; }

  /// The element's low bit, counted from the start of the image.
  unsigned bit(unsigned Row, unsigned Column) const;

  uint64_t read(const uint32_t *Image, unsigned Row, unsigned Column) const;
  void write(uint32_t *Image, unsigned Row, unsigned Column,
             uint64_t Bits) const;

private:
  Element Type;
  unsigned Rows, Columns;
  bool RowMajor;
  MemoryParameters Parameters;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_MEMORYIMAGE_H
