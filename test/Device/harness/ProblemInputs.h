//===- ProblemInputs.h - Random operands and accumulators -------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_PROBLEMINPUTS_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_PROBLEMINPUTS_H

#include "../model/Tile.h"

#include <random>
#include <vector>

namespace devicetest {

/// The same sequence with every compiler and library.
class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}

  uint64_t longBits() { return Engine(); }
  uint32_t bits() { return static_cast<uint32_t>(Engine() >> 32); }
  uint32_t below(uint32_t Bound) { return bits() % Bound; }
  bool coin() { return below(2); }

private:
  std::mt19937_64 Engine;
};

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
  /// Floating point operands are Integer * 2^Exponent, with one exponent for
  /// each matrix, so that sums are multiples of one power of two.
  struct Range {
    int Max;
    int Exponent;
  };

  uint32_t operand(Element Type, Range Of, bool Negative);
  uint32_t encodeOperand(Element Type, double Value);
  uint32_t special(Element Type);
  double accumulatorFloat();
  double accumulatorInt();

  const Instruction &I;
  Numbers Kind;
  Random &R;
  Range OfA, OfB;
  int MaxAccumulator;
  std::vector<bool> RowNegative, ColumnNegative;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_PROBLEMINPUTS_H
