//===- SumModel.h - How tensor cores add up ---------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of ways to add products, and a search for the one that a device
// follows. Nothing is judged by it: PTX promises less.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_SUMMODEL_H
#define NVPTX_MMA_MODEL_SUMMODEL_H

#include "FloatSum.h"

#include <string>

namespace devicetest {

/// Adds some products and the accumulator at a time, in fixed point: all are
/// shifted to the largest exponent among them (of a product, the sum of its
/// factors' exponents), and what is below AlignedBits after the point is
/// rounded away. The total of the last step is D's, those of the others are the
/// next step's accumulator.
struct SumModel {
  /// Fixed point with all bits: what one product at once makes a fused
  /// multiply-add.
  static constexpr int AllBits = 64;

  unsigned ProductsAtOnce;
  int AlignedBits;
  Rounding Alignment;
  FloatPrecision Between, Last;
  Rounding Result;
  /// The order of 8-bit elements that are taken out of registers in pairs: the
  /// first and second of each four, then the others.
  bool LowPairsFirst = false;
  /// The steps begin with zero, and the accumulator is added by an instruction
  /// of its own, which rounds to the nearest.
  bool AddsAccumulatorLast = false;

  double value(const FloatSum &Sum) const;
  std::string describe() const;
};

/// Rules out models by results of one instruction.
class SumModelSearch {
public:
  /// \p Products is how many each sum has.
  SumModelSearch(unsigned Products, FloatPrecision Result);

  void add(const FloatSum &Sum, double Seen);
  /// The first model that is left, or that none is. What is told of Hopper
  /// comes first: f16 results have too few digits to rule out all others.
  std::string describe() const;
  size_t left() const { return Left.size(); }

private:
  std::vector<SumModel> Left;
};

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_SUMMODEL_H
