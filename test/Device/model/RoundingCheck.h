//===- RoundingCheck.h - Results that are known within bounds ---*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_MODEL_ROUNDINGCHECK_H
#define NVPTX_MMA_TEST_DEVICE_MODEL_ROUNDINGCHECK_H

#include "SumModel.h"

namespace devicetest {

struct AccumulationPrecision {
  /// The least that PTX states.
  FloatPrecision Stated;
  /// What is asked for: the same, but where the hardware has less.
  FloatPrecision Required;
  /// That of D.
  FloatPrecision Result;
};

/// What there is to say of sums that round.
struct RoundingReport {
  uint64_t Elements = 0;
  /// The largest error, as a part of the bound that follows from what PTX
  /// states.
  double WorstError = 0;
  /// How the device seems to add up.
  std::string Model;
};

/// Judges results of one instruction whose sums round.
class RoundingCheck {
public:
  RoundingCheck(unsigned Products, const AccumulationPrecision &Precision)
      : Precision(Precision), Search(Products, Precision.Result) {}

  /// Whether a result is as near to the exact sum as it has to be.
  bool accepts(const FloatSum &Sum, double Got);
  RoundingReport report() const;

private:
  AccumulationPrecision Precision;
  SumModelSearch Search;
  RoundingReport Report;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_MODEL_ROUNDINGCHECK_H
