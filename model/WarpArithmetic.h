//===- WarpArithmetic.h - What a warp computes ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_WARPARITHMETIC_H
#define NVPTX_MMA_MODEL_WARPARITHMETIC_H

#include "Element.h"
#include "FloatSum.h"

#include <vector>

namespace devicetest {

struct WarpMatrix {
  WarpMatrix(unsigned Rows, unsigned Columns)
      : Rows(Rows), Columns(Columns), Values(size_t(Rows) * Columns) {}

  unsigned Rows, Columns;
  std::vector<double> Values;

  double &at(unsigned Row, unsigned Column) {
    return Values[Row * Columns + Column];
  }
  double at(unsigned Row, unsigned Column) const {
    return Values[Row * Columns + Column];
  }
};

/// What stands for the product of two bits.
enum class BitOperation { None, Xor, And };

/// D = A * B + C, where the sum is exact: of integers that a double holds, or
/// of floating point values that were chosen so.
WarpMatrix multiplyAccumulate(const WarpMatrix &A, const WarpMatrix &B,
                              const WarpMatrix &C,
                              BitOperation Op = BitOperation::None);

/// What an element of D is the sum of.
FloatSum floatSum(const WarpMatrix &A, const WarpMatrix &B, const WarpMatrix &C,
                  unsigned Row, unsigned Column);

/// What becomes of a sum in a register of s32.
double wrapped(double Sum);
double saturated(double Sum);

/// D = A * B + C of f64: each element is a chain of fused multiply-adds, in
/// this order of k, each of which rounds.
WarpMatrix fusedMultiplyAdds(const WarpMatrix &A, const WarpMatrix &B,
                             const WarpMatrix &C, Rounding R,
                             const std::vector<unsigned> &Order);

/// How far any order of such a chain may be from the exact sum, for each
/// element: every step errs by less than a unit in the last place of a partial
/// sum, and no partial sum exceeds that of the magnitudes by much.
WarpMatrix fusedMultiplyAddsBound(const WarpMatrix &A, const WarpMatrix &B,
                                  const WarpMatrix &C);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_WARPARITHMETIC_H
