//===- ProblemInputs.h - Random operands and accumulators -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_PROBLEMINPUTS_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_PROBLEMINPUTS_H

#include "RandomNumbers.h"
#include "Tile.h"

#include <vector>

namespace devicetest {

/// Of which kind the floating point numbers of a problem are. Integers are
/// always such that results are the same wherever saturation takes place.
enum class Numbers {
  /// Small multiples of powers of two: sums are exact in any order.
  Exact,
  /// Any: sums round, and results are known within bounds.
  Rounded,
  /// The first, and here and there an infinity or a NaN.
  Special,
  /// The first, but all of A or of B are subnormal.
  Subnormal
};

const char *name(Numbers Kind);

/// Makes the operands and accumulators of one problem.
class ProblemInputs {
public:
  ProblemInputs(const Instruction &I, unsigned Steps, Numbers Kind, Random &R);

  ATile a();
  BTile b();
  /// 64 x N.
  std::vector<double> accumulator();

private:
  uint32_t operand(Element Type, const IntegerScale &Of, bool Negative);
  uint32_t encodeOperand(Element Type, double Value);
  double accumulatorFloat();
  double accumulatorInt();

  const Instruction &I;
  Numbers Kind;
  Random &R;
  /// One exponent for each matrix: sums are multiples of one power of two.
  IntegerScale OfA, OfB;
  int MaxAccumulator;
  std::vector<bool> RowNegative, ColumnNegative;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_PROBLEMINPUTS_H
