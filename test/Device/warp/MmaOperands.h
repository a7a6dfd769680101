//===- MmaOperands.h - Registers of mma and mma.sp --------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_MMAOPERANDS_H
#define NVPTX_MMA_TEST_DEVICE_WARP_MMAOPERANDS_H

#include "Operands.h"

namespace devicetest {

/// Where the registers of an mma are in the record of a kernel: those of A, B
/// and C, then the metadata.
struct MmaRegisters {
  MmaRegisters(const Multiplication &M, const Kernel &K);

  const Multiplication &M;
  WarpFragment A, B, C, D;
  unsigned Selector;

  unsigned startOfB() const { return A.words(); }
  unsigned startOfC() const { return startOfB() + B.words(); }
  unsigned startOfMetadata() const { return startOfC() + C.words(); }
  unsigned words() const { return startOfMetadata() + M.Sparse; }

  /// Writes the operands of each computation. Of the metadata, what the
  /// selector passes over is left alone.
  void write(const std::vector<Operands> &Computations, uint32_t *Record) const;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_MMAOPERANDS_H
