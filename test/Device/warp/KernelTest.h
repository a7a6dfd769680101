//===- KernelTest.h - Tests of one kernel each ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_KERNELTEST_H
#define NVPTX_MMA_TEST_DEVICE_WARP_KERNELTEST_H

#include "Device.h"
#include "RoundingCheck.h"

#include <functional>

namespace devicetest {

struct Outcome {
  uint64_t Elements = 0;
  uint64_t Wrong = 0;
  /// The first thing that went wrong.
  std::string Fault;
  /// What was seen where the ISA does not say what to see.
  std::string Note;
  RoundingReport Rounding;
  /// The device is of no further use.
  bool DeviceFailed = false;

  bool passed() const { return Fault.empty(); }
  /// Adds to the notes, unless it is nothing.
  void addNote(const std::string &Text);
  /// Counts an element; \p Describe tells of the first wrong one.
  void compare(uint64_t Expected, uint64_t Got,
               const std::function<std::string()> &Describe);
  /// Launches, and counts what happens to guard zones as a fault.
  bool launch(Launch &L, WarpDevice &Device);
};

/// "expected 0x3c00 (1), got 0x0000 (0)"
std::string expectedAndGot(Element Type, uint64_t Expected, uint64_t Got);

/// mma and mma.sp.
Outcome testMma(const Kernel &K, WarpDevice &Device);
/// ldmatrix, stmatrix and movmatrix.
Outcome testMatrixMove(const Kernel &K, WarpDevice &Device);
/// A kernel of wmma together with those that it needs for a result that can be
/// understood, as fragments are opaque: loads and a store for wmma.mma; these
/// and wmma.mma for a load of A or B; a load of C for a store, and vice versa.
Outcome testWmma(const Manifest &M, const Kernel &K, WarpDevice &Device);

/// Chooses among them.
Outcome testKernel(const Manifest &M, const Kernel &K, WarpDevice &Device);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_KERNELTEST_H
