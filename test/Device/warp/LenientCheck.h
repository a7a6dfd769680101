//===- LenientCheck.h - Results that the ISA leaves open --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_LENIENTCHECK_H
#define NVPTX_MMA_TEST_DEVICE_WARP_LENIENTCHECK_H

#include "Operands.h"
#include "SubnormalCheck.h"

namespace devicetest {

/// Judges elements of D of one instruction where the ISA leaves something open.
/// Of that, it keeps what was seen.
class LenientCheck {
public:
  explicit LenientCheck(const Multiplication &M);

  /// Whether \p D is as near to the exact sum as it has to be, or one of the
  /// values that are allowed.
  bool accepts(const Operands &O, ProblemKind Kind, unsigned Row,
               unsigned Column, double D);

  RoundingReport roundedSums() const { return Sums.report(); }
  /// What became of subnormal inputs; nothing where there were none.
  std::string subnormalInputs() const { return Subnormal.describe(); }

private:
  RoundingCheck Sums;
  SubnormalCheck Subnormal;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_LENIENTCHECK_H
