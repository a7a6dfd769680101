//===- FloatSum.h - Sums of products that round -----------------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX leaves open in which order a matrix instruction adds floating point
// products, and how it rounds. It states the precision of the accumulation,
// from which a bound on the error follows (PTX ISA, "Precision and rounding" of
// wgmma.mma_async, mma and wmma.mma).
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_MODEL_FLOATSUM_H
#define NVPTX_MMA_TEST_DEVICE_MODEL_FLOATSUM_H

#include <cstdint>
#include <vector>

namespace devicetest {

/// A binary floating point format, as far as rounding to it is concerned.
struct FloatPrecision {
  int FractionBits;
  int MinExponent;
};

constexpr FloatPrecision HalfPrecision = {10, -14};
constexpr FloatPrecision SinglePrecision = {23, -126};

enum class Rounding { Nearest, Zero, Minus, Plus };

double toInteger(double Value, Rounding R);

/// \p Value in a format of unlimited exponents upwards.
double rounded(double Value, FloatPrecision P, Rounding R);

/// What one element of D is the sum of.
struct FloatSum {
  struct Product {
    double A, B;

    double value() const { return A * B; }
  };

  /// In the order of k; those of the zeros of a sparse A are left out.
  std::vector<Product> Products;
  double Addend = 0;

  /// As exact as a double can be.
  double value() const;
  /// The sum of the absolute values.
  double magnitude() const;
};

/// How far D may be from the exact sum if every product and sum has at least
/// the precision \p Accumulator, where products are exact, and is rounded up or
/// down: n terms are added in n - 1 steps, none of which errs by more than a
/// unit in the last place of the sum of the absolute values. Then D is rounded
/// to \p Result.
double sumErrorBound(const FloatSum &Sum, FloatPrecision Accumulator,
                     FloatPrecision Result);

/// A normal number with any fraction and an exponent of this range, from random
/// bits.
double floatFromBits(int FractionBits, int LowestExponent, int HighestExponent,
                     uint64_t Bits);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_MODEL_FLOATSUM_H
