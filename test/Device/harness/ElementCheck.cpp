//===- ElementCheck.cpp - Whether an element is right ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementCheck.h"

#include <cmath>

using namespace devicetest;

ElementCheck::ElementCheck(const Instruction &I)
    : I(I), Rounding(I.shape().packedK(), accumulationPrecision(I),
                     /*Elements=*/2 * Rows * I.N) {}

bool ElementCheck::isRight(const Batch &Inputs, unsigned Problem, Position P,
                           uint32_t Want, uint32_t Got) {
  switch (Inputs.Kind[Problem]) {
  case Numbers::Exact:
    return Want == Got;
  case Numbers::Special:
    // Any NaN is as good as another.
    return Want == Got ||
           (std::isnan(decode(I.D, Want)) && std::isnan(decode(I.D, Got)));
  case Numbers::Rounded:
    Inputs.Terms.at(Problem).get(P.Row, P.Column, Sum);
    return Rounding.accepts(Sum, decode(I.D, Got));
  case Numbers::Subnormal:
    return Subnormal.accepts(decode(I.D, Want),
                             Inputs.Terms.at(Problem).addend(P.Row, P.Column),
                             decode(I.D, Got));
  }
  __builtin_unreachable();
}
