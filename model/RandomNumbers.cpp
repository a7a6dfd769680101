//===- RandomNumbers.cpp - Random inputs ----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomNumbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace devicetest;

double devicetest::anyFloat(int FractionBits, int LowestExponent,
                            int HighestExponent, Random &R) {
  uint64_t Mask = (uint64_t(1) << FractionBits) - 1;
  double Fraction = std::ldexp(R.bits() & Mask, -FractionBits);
  int Exponent =
      LowestExponent + int(R.below(HighestExponent - LowestExponent + 1));
  double Magnitude = std::ldexp(1 + Fraction, Exponent);
  return R.coin() ? -Magnitude : Magnitude;
}

double devicetest::operandToRound(FloatPrecision Type, FloatPrecision Result,
                                  Random &R) {
  bool Wide = Type.FractionBits <= 3 &&
              Result.FractionBits > HalfPrecision.FractionBits;
  // Of e4m3, the highest exponent has a NaN.
  int Lowest = Wide ? std::max(Type.MinExponent, -12) : -6;
  int Highest = Wide ? std::min(1 - Type.MinExponent, 8) : 3;
  return anyFloat(Type.FractionBits, Lowest, Highest, R);
}

double devicetest::specialNumber(bool HasInfinity, Random &R) {
  using Limits = std::numeric_limits<double>;
  if (!HasInfinity || R.below(3) == 0)
    return Limits::quiet_NaN();
  return R.coin() ? Limits::infinity() : -Limits::infinity();
}

void devicetest::makeSubnormal(FloatPrecision SmallType, IntegerScale &Small,
                               FloatPrecision LargeType, IntegerScale &Large) {
  Small.Max = std::min(Small.Max, (1 << SmallType.FractionBits) - 1);
  Small.Exponent = SmallType.MinExponent - SmallType.FractionBits;
  Large.Exponent = -LargeType.MinExponent - std::ilogb(Large.Max);
}
