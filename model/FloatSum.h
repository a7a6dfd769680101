//===- FloatSum.h - Sums of products that round -----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
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

#ifndef NVPTX_MMA_MODEL_FLOATSUM_H
#define NVPTX_MMA_MODEL_FLOATSUM_H

#include <cstddef>
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

  /// What there is to say of its size, computed in double precision: far more
  /// exact than what the tests compare it with.
  struct Size {
    size_t Products;
    double Value;
    /// The sum of the absolute values.
    double Magnitude;
  };
  Size size() const;
  double value() const { return size().Value; }
};

/// How far D may be from the exact sum of n products and an accumulator, if
/// products are exact and sums have at least the precision \p Accumulator,
/// rounded up or down. Each of n steps adds a term and errs by less than u, a
/// unit in the last place of 1, of its sum, and no sum is higher than that of
/// the absolute values by more than the errors before. That makes (1 + u)^n - 1
/// of the absolute values, which for few steps is less than (n + 1) u. Then D
/// is rounded to \p Result.
double sumErrorBound(const FloatSum::Size &Sum, FloatPrecision Accumulator,
                     FloatPrecision Result);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_FLOATSUM_H
