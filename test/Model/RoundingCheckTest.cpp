//===- RoundingCheckTest.cpp - Tests of what judges open results ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundingCheck.h"
#include "SubnormalCheck.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace devicetest;

static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double Infinity = std::numeric_limits<double>::infinity();

/// 1 + 1, of which (1 + 1) u of the magnitudes and a unit of D are allowed: 6
/// units of 1, where D is 2.
static const FloatSum Sum = {{{1, 1}}, 1};
static const double Unit = std::ldexp(1, -23);

static RoundingCheck singleCheck() {
  return RoundingCheck(1, {SinglePrecision, SinglePrecision, SinglePrecision},
                       /*Elements=*/4);
}

TEST(RoundingCheck, AcceptsUpToTheBound) {
  RoundingCheck Check = singleCheck();
  EXPECT_TRUE(Check.accepts(Sum, 2));
  EXPECT_TRUE(Check.accepts(Sum, 2 + 6 * Unit));
  EXPECT_TRUE(Check.accepts(Sum, 2 - 6 * Unit));
  EXPECT_EQ(Check.report().WorstError, 1);
  EXPECT_FALSE(Check.accepts(Sum, 2 + 6.5 * Unit));
  EXPECT_FALSE(Check.accepts(Sum, -2));
  EXPECT_EQ(Check.report().Elements, 5u);
}

TEST(RoundingCheck, ReportsTheWorst) {
  RoundingCheck Check = singleCheck();
  EXPECT_FALSE(Check.accepts(Sum, Infinity));
  EXPECT_TRUE(Check.accepts(Sum, 2));
  EXPECT_EQ(Check.report().WorstError, Infinity);
  EXPECT_FALSE(Check.accepts(Sum, NaN));
  EXPECT_TRUE(std::isnan(Check.report().WorstError));
  EXPECT_TRUE(Check.accepts(Sum, 2));
  EXPECT_FALSE(Check.accepts(Sum, Infinity));
  EXPECT_TRUE(std::isnan(Check.report().WorstError));
  EXPECT_TRUE(std::isnan(Check.report().WorstOfRequired));
}

TEST(RoundingCheck, JudgesByWhatIsRequired) {
  RoundingCheck Check(
      1, {SinglePrecision, FloatPrecision{13, -126}, SinglePrecision}, 4);
  EXPECT_TRUE(Check.accepts(Sum, 2 + std::ldexp(1, -12)));
  EXPECT_GT(Check.report().WorstError, 100);
  EXPECT_LT(Check.report().WorstOfRequired, 1);
  EXPECT_FALSE(Check.accepts(Sum, 2 + std::ldexp(1, -10)));
}

TEST(SubnormalCheck, AcceptsEitherAndTells) {
  SubnormalCheck Check;
  EXPECT_EQ(Check.describe(), "");
  EXPECT_TRUE(Check.accepts(3, 3, 3));
  EXPECT_EQ(Check.describe(), "");
  EXPECT_TRUE(Check.accepts(3, 1, 3));
  EXPECT_EQ(Check.describe(), "subnormal inputs count");
  EXPECT_FALSE(Check.accepts(3, 1, 2));
  EXPECT_FALSE(Check.accepts(3, 1, NaN));
  EXPECT_TRUE(Check.accepts(3, 1, 1));
  EXPECT_EQ(Check.describe(),
            "subnormal inputs count in some results, and are zero in others");
  SubnormalCheck Flushed;
  EXPECT_TRUE(Flushed.accepts(3, 1, 1));
  EXPECT_EQ(Flushed.describe(), "subnormal inputs are zero");
}
