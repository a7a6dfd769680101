//===- RandomNumbers.h - Random inputs --------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the inputs of wgmma and of the warp-level instructions have in common.
// The same seed gives the same numbers with every compiler and library.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_RANDOMNUMBERS_H
#define NVPTX_MMA_MODEL_RANDOMNUMBERS_H

#include "FloatSum.h"

#include <cstdint>
#include <random>

namespace devicetest {

class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}

  uint64_t bits() { return Engine(); }
  uint32_t below(uint64_t Bound) {
    return static_cast<uint32_t>((bits() >> 16) % Bound);
  }
  bool coin() { return below(2); }

private:
  std::mt19937_64 Engine;
};

/// A normal number with any fraction and an exponent of this range.
double anyFloat(int FractionBits, int LowestExponent, int HighestExponent,
                Random &R);

/// An operand whose sums round. Products and sums are in the range of an f16 if
/// \p Result is one. Otherwise, 8-bit types have a wide range, as so few
/// digits tell ways to add up apart only if products are far from each other.
double operandToRound(FloatPrecision Type, FloatPrecision Result, Random &R);

/// A NaN or, if there is one, an infinity.
double specialNumber(bool HasInfinity, Random &R);

/// The numbers Integer * 2^Exponent, up to an integer.
struct IntegerScale {
  int Max;
  int Exponent;
};

/// Makes the small numbers subnormal ones of their type, and the large as large
/// as theirs allows: products, and with them sums, are normal even in f16.
void makeSubnormal(FloatPrecision SmallType, IntegerScale &Small,
                   FloatPrecision LargeType, IntegerScale &Large);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_RANDOMNUMBERS_H
