//===- RoundingCheck.cpp - Results that are known within bounds -----------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundingCheck.h"

#include <cmath>

using namespace devicetest;

/// Of how many sums one tells models apart. A few do; all would take much time.
static constexpr uint64_t SearchInterval = 37;

bool RoundingCheck::accepts(const FloatSum &Sum, double Got) {
  double Error = std::fabs(Got - Sum.value());
  double OfBound =
      Error / sumErrorBound(Sum, Precision.Stated, Precision.Result);
  // A NaN is the worst of all.
  if (!(OfBound <= Report.WorstError))
    Report.WorstError = OfBound;
  if (++Report.Elements % SearchInterval == 0)
    Search.add(Sum, Got);
  return Error <= sumErrorBound(Sum, Precision.Required, Precision.Result);
}

RoundingReport RoundingCheck::report() const {
  RoundingReport Result = Report;
  Result.Model = Search.describe();
  return Result;
}
