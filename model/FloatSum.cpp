//===- FloatSum.cpp - Sums of products that round -------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatSum.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace devicetest;

double devicetest::toInteger(double Value, Rounding R) {
  switch (R) {
  case Rounding::Nearest:
    // The environment's rounding is to the nearest even.
    return std::nearbyint(Value);
  case Rounding::Zero:
    return std::trunc(Value);
  case Rounding::Minus:
    return std::floor(Value);
  case Rounding::Plus:
    break;
  }
  return std::ceil(Value);
}

double devicetest::rounded(double Value, FloatPrecision P, Rounding R) {
  if (Value == 0 || !std::isfinite(Value))
    return Value;
  int Unit = std::max(std::ilogb(Value), P.MinExponent) - P.FractionBits;
  return std::ldexp(toInteger(std::ldexp(Value, -Unit), R), Unit);
}

FloatSum::Size FloatSum::size() const {
  Size Result = {Products.size(), Addend, std::fabs(Addend)};
  for (const Product &P : Products) {
    Result.Value += P.value();
    Result.Magnitude += std::fabs(P.value());
  }
  return Result;
}

double devicetest::sumErrorBound(const FloatSum::Size &Sum,
                                 FloatPrecision Accumulator,
                                 FloatPrecision Result) {
  assert(Sum.Products <= 45 && "too many steps for the bound's simple form");
  double Bound =
      Sum.Magnitude * std::ldexp(Sum.Products + 1, -Accumulator.FractionBits);
  double Largest = std::fabs(Sum.Value) + Bound;
  int Exponent = std::max(std::ilogb(Largest), Result.MinExponent);
  return Bound + std::ldexp(1, Exponent - Result.FractionBits);
}
