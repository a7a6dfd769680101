//===- LenientCheck.cpp - Results that the ISA leaves open ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LenientCheck.h"

#include <cmath>

using namespace devicetest;

LenientCheck::LenientCheck(const Multiplication &M)
    : Sums(productsOf(M), accumulationPrecision(M),
           RoundedProblems * M.Shape.M * M.Shape.N) {}

bool LenientCheck::accepts(const Operands &O, ProblemKind Kind, unsigned Row,
                           unsigned Column, double D) {
  double Expected = O.D.at(Row, Column);
  switch (Kind) {
  case ProblemKind::RoundedSums:
    return Sums.accepts(floatSum(O.A, O.B, O.C, Row, Column), D);
  case ProblemKind::Special:
    // Any NaN is as good as another.
    return D == Expected || (std::isnan(D) && std::isnan(Expected));
  case ProblemKind::Subnormal:
    return Subnormal.accepts(Expected, O.C.at(Row, Column), D);
  default:
    // The model's chain may err as much as the device's.
    return std::fabs(D - Expected) <= 2 * O.ChainBound.at(Row, Column);
  }
}
