//===- RoundingCheck.cpp - Results that are known within bounds -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundingCheck.h"

#include <algorithm>
#include <cmath>

using namespace devicetest;

/// How many sums are used to tell models apart. More only take time.
static constexpr uint64_t SearchedSums = 64;

RoundingCheck::RoundingCheck(unsigned Products,
                             const AccumulationPrecision &Precision,
                             uint64_t Elements)
    : Precision(Precision), Search(Products, Precision.Result),
      SearchInterval(std::max<uint64_t>(Elements / SearchedSums, 1)) {}

/// A NaN is worse than any number.
static double worse(double One, double Other) {
  return std::isnan(One) || One > Other ? One : Other;
}

bool RoundingCheck::accepts(const FloatSum &Sum, double Got) {
  FloatSum::Size Size = Sum.size();
  double Error = std::fabs(Got - Size.Value);
  double Stated = sumErrorBound(Size, Precision.Stated, Precision.Result);
  double Required = sumErrorBound(Size, Precision.Required, Precision.Result);
  Report.WorstError = worse(Report.WorstError, Error / Stated);
  Report.WorstOfRequired = worse(Report.WorstOfRequired, Error / Required);
  if (++Report.Elements % SearchInterval == 0)
    Search.add(Sum, Got);
  return Error <= Required;
}

RoundingReport RoundingCheck::report() const {
  RoundingReport Result = Report;
  Result.Model = Search.describe();
  Result.ModelsLeft = Search.left();
  return Result;
}
