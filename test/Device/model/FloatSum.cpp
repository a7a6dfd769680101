//===- FloatSum.cpp - Sums of products that round -------------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatSum.h"

#include <algorithm>
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

double FloatSum::value() const {
  double Sum = Addend;
  for (const Product &P : Products)
    Sum += P.value();
  return Sum;
}

double FloatSum::magnitude() const {
  double Sum = std::fabs(Addend);
  for (const Product &P : Products)
    Sum += std::fabs(P.value());
  return Sum;
}

double devicetest::sumErrorBound(const FloatSum &Sum,
                                 FloatPrecision Accumulator,
                                 FloatPrecision Result) {
  // As many steps as products; another one for what rounding adds to the
  // partial sums, and here.
  double Relative =
      std::ldexp(Sum.Products.size() + 1, -Accumulator.FractionBits);
  double Bound = Sum.magnitude() * Relative;
  double Largest = std::fabs(Sum.value()) + Bound;
  return Bound +
         std::ldexp(1, std::max(std::ilogb(Largest), Result.MinExponent) -
                           Result.FractionBits);
}

double devicetest::floatFromBits(int FractionBits, int LowestExponent,
                                 int HighestExponent, uint64_t Bits) {
  bool Negative = Bits & 1;
  uint64_t Fraction = Bits >> 1 & ((uint64_t(1) << FractionBits) - 1);
  unsigned Exponents = HighestExponent - LowestExponent + 1;
  int Exponent = LowestExponent + int((Bits >> 56) % Exponents);
  double Magnitude =
      std::ldexp(1 + std::ldexp(Fraction, -FractionBits), Exponent);
  return Negative ? -Magnitude : Magnitude;
}
