//===- ProblemInputsTest.cpp - Tests of the random inputs -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemInputs.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace devicetest;

namespace {

const Instruction Instructions[] = {
    {true, Form::RS, Element::f32, Element::f16, Element::f16, 64},
    {true, Form::RS, Element::f16, Element::e4m3, Element::e5m2, 64},
    {false, Form::SS, Element::f32, Element::e5m2, Element::e4m3, 64},
    {false, Form::SS, Element::f32, Element::tf32, Element::tf32, 64},
};

template <class Condition>
double share(Element Type, const std::vector<uint32_t> &Values,
             Condition Holds) {
  auto Count = std::count_if(Values.begin(), Values.end(), [&](uint32_t Bits) {
    return Holds(decode(Type, Bits));
  });
  return double(Count) / Values.size();
}

} // namespace

TEST(ProblemInputs, SpecialNumbersAreInEachOperand) {
  auto IsSpecial = [](double Value) { return !std::isfinite(Value); };
  for (const Instruction &I : Instructions) {
    Random R(1);
    ProblemInputs Inputs(I, 1, Numbers::Special, R);
    for (double Share : {share(I.A, Inputs.a().Values, IsSpecial),
                         share(I.B, Inputs.b().Values, IsSpecial)}) {
      EXPECT_GT(Share, 0) << I.name();
      EXPECT_LT(Share, 0.1) << I.name();
    }
    std::vector<double> C = Inputs.accumulator();
    auto Specials = std::count_if(C.begin(), C.end(), IsSpecial);
    EXPECT_GT(Specials, 0);
    EXPECT_LT(Specials, C.size() / 8);
  }
}

TEST(ProblemInputs, OneOfTheOperandsIsSubnormal) {
  for (const Instruction &I : Instructions) {
    bool SeenA = false, SeenB = false;
    for (unsigned Seed = 0; Seed != 16; ++Seed) {
      Random R(Seed);
      ProblemInputs Inputs(I, 1, Numbers::Subnormal, R);
      auto Subnormals = [](Element Type, const std::vector<uint32_t> &Values) {
        return share(Type, Values, [&](double Value) {
          return std::fabs(Value) <
                 std::ldexp(1, floatPrecision(Type).MinExponent);
        });
      };
      double A = Subnormals(I.A, Inputs.a().Values);
      double B = Subnormals(I.B, Inputs.b().Values);
      EXPECT_TRUE((A == 1 && B == 0) || (A == 0 && B == 1)) << A << " " << B;
      SeenA |= A == 1;
      SeenB |= B == 1;
    }
    EXPECT_TRUE(SeenA && SeenB) << I.name();
  }
}

TEST(ProblemInputs, NumbersToRoundHaveAllBits) {
  for (const Instruction &I : Instructions) {
    Random R(1);
    ProblemInputs Inputs(I, 1, Numbers::Rounded, R);
    for (auto [Type, Values] : {std::pair{I.A, Inputs.a().Values},
                                std::pair{I.B, Inputs.b().Values}}) {
      FloatPrecision Less = floatPrecision(Type);
      --Less.FractionBits;
      // The last bit is set in one half, and no exponent is the only one.
      EXPECT_NEAR(share(Type, Values,
                        [&](double Value) {
                          return rounded(Value, Less, Rounding::Zero) != Value;
                        }),
                  0.5, 0.05);
      EXPECT_LT(share(Type, Values,
                      [](double Value) { return std::ilogb(Value) == 0; }),
                0.2);
    }
  }
}
