//===- ElementCheck.h - Whether an element is right -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_ELEMENTCHECK_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_ELEMENTCHECK_H

#include "Batch.h"
#include "Fragment.h"
#include "RoundingCheck.h"
#include "SubnormalCheck.h"

namespace devicetest {

/// Judges elements of the results of one instruction: bit for bit, except where
/// PTX leaves something open. Of that, it keeps what was seen.
class ElementCheck {
public:
  explicit ElementCheck(const Instruction &I);

  /// \p Want and \p Got are encoded.
  bool isRight(const Batch &Inputs, unsigned Problem, Position P, uint32_t Want,
               uint32_t Got);

  RoundingReport roundedSums() const { return Rounding.report(); }
  /// What became of subnormal inputs; nothing where there were none.
  std::string subnormalInputs() const { return Subnormal.describe(); }

private:
  Instruction I;
  RoundingCheck Rounding;
  SubnormalCheck Subnormal;
  FloatSum Sum; ///< Of the current element; kept for its memory.
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_ELEMENTCHECK_H
