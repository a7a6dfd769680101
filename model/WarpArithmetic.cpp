//===- WarpArithmetic.cpp - What warp-level instructions compute ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpArithmetic.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

using namespace devicetest;

static double product(double A, double B, BitOperation Op) {
  switch (Op) {
  case BitOperation::None:
    return A * B;
  case BitOperation::Xor:
    return A != B;
  case BitOperation::And:
    break;
  }
  return A != 0 && B != 0;
}

WarpMatrix devicetest::multiplyAccumulate(const WarpMatrix &A,
                                          const WarpMatrix &B,
                                          const WarpMatrix &C,
                                          BitOperation Op) {
  WarpMatrix D = C;
  for (unsigned Row = 0; Row != D.Rows; ++Row)
    for (unsigned Column = 0; Column != D.Columns; ++Column)
      for (unsigned K = 0; K != A.Columns; ++K)
        D.at(Row, Column) += product(A.at(Row, K), B.at(K, Column), Op);
  return D;
}

FloatSum devicetest::floatSum(const WarpMatrix &A, const WarpMatrix &B,
                              const WarpMatrix &C, unsigned Row,
                              unsigned Column) {
  FloatSum Sum;
  Sum.Addend = C.at(Row, Column);
  for (unsigned K = 0; K != A.Columns; ++K)
    if (A.at(Row, K) != 0)
      Sum.Products.push_back({A.at(Row, K), B.at(K, Column)});
  return Sum;
}

double devicetest::wrapped(double Sum) {
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(Sum)));
}

double devicetest::saturated(double Sum) {
  using Limits = std::numeric_limits<int32_t>;
  return std::clamp<double>(Sum, Limits::min(), Limits::max());
}

static int environmentRounding(Rounding R) {
  switch (R) {
  case Rounding::Nearest:
    return FE_TONEAREST;
  case Rounding::Zero:
    return FE_TOWARDZERO;
  case Rounding::Minus:
    return FE_DOWNWARD;
  case Rounding::Plus:
    break;
  }
  return FE_UPWARD;
}

/// The compiler knows nothing of rounding modes; volatile keeps it from moving
/// the operation to where another is set.
static double fusedMultiplyAdd(volatile double A, volatile double B,
                               volatile double C, Rounding R) {
  int Before = std::fegetround();
  std::fesetround(environmentRounding(R));
  volatile double Result = std::fma(A, B, C);
  std::fesetround(Before);
  return Result;
}

WarpMatrix devicetest::fusedMultiplyAdds(const WarpMatrix &A,
                                         const WarpMatrix &B,
                                         const WarpMatrix &C, Rounding R,
                                         const std::vector<unsigned> &Order) {
  WarpMatrix D = C;
  for (unsigned Row = 0; Row != D.Rows; ++Row)
    for (unsigned Column = 0; Column != D.Columns; ++Column)
      for (unsigned K : Order)
        D.at(Row, Column) = fusedMultiplyAdd(A.at(Row, K), B.at(K, Column),
                                             D.at(Row, Column), R);
  return D;
}

static WarpMatrix magnitudes(WarpMatrix M) {
  for (double &Value : M.Values)
    Value = std::fabs(Value);
  return M;
}

WarpMatrix devicetest::fusedMultiplyAddsBound(const WarpMatrix &A,
                                              const WarpMatrix &B,
                                              const WarpMatrix &C) {
  WarpMatrix Bound =
      multiplyAccumulate(magnitudes(A), magnitudes(B), magnitudes(C));
  // One step more, for what rounding adds to the partial sums and here.
  double Relative = (A.Columns + 1) * std::numeric_limits<double>::epsilon();
  for (double &Value : Bound.Values)
    Value *= Relative;
  return Bound;
}
