//===- RoundingCheck.h - Results that are known within bounds ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_ROUNDINGCHECK_H
#define NVPTX_MMA_MODEL_ROUNDINGCHECK_H

#include "SumModel.h"
#include <cstdint>

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
  /// states, and of that from what is required. A NaN if a result was one.
  double WorstError = 0, WorstOfRequired = 0;
  /// A way to add up that gives the results, and how many do.
  std::string Model;
  size_t ModelsLeft = 0;
};

/// Judges results of one instruction whose sums round.
class RoundingCheck {
public:
  /// Each of \p Elements results is a sum of so many products.
  RoundingCheck(unsigned Products, const AccumulationPrecision &Precision,
                uint64_t Elements);

  /// Whether a result is as near to the exact sum as it has to be.
  bool accepts(const FloatSum &Sum, double Got);
  RoundingReport report() const;

private:
  AccumulationPrecision Precision;
  SumModelSearch Search;
  uint64_t SearchInterval;
  RoundingReport Report;
};

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_ROUNDINGCHECK_H
