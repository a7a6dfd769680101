//===- ReductionTest.cpp - Tests of the model of reductions ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include <gtest/gtest.h>

using namespace kernel_tests;

static uint64_t of(const char *Operation, const char *Type, uint64_t Old,
                   uint64_t New) {
  return reduce(Operation, ReductionType(Type), Old, New);
}

TEST(Reduction, Integers) {
  EXPECT_EQ(of("add", "u32", 0xffffffff, 2), 1u);
  EXPECT_EQ(of("add", "u64", 0xffffffff, 2), 0x100000001u);
  EXPECT_EQ(of("min", "u32", 0xffffffff, 2), 2u);
  EXPECT_EQ(of("min", "s32", 0xffffffff, 2), 0xffffffffu);
  EXPECT_EQ(of("max", "s64", ~uint64_t(0), 2), 2u);
  EXPECT_EQ(of("max", "u64", ~uint64_t(0), 2), ~uint64_t(0));
  EXPECT_EQ(of("and", "b32", 12, 10), 8u);
  EXPECT_EQ(of("or", "b64", 12, 10), 14u);
  EXPECT_EQ(of("xor", "b64", 12, 10), 6u);
}

TEST(Reduction, Counters) {
  EXPECT_EQ(of("inc", "u32", 3, 7), 4u);
  EXPECT_EQ(of("inc", "u32", 7, 7), 0u);
  EXPECT_EQ(of("dec", "u32", 3, 7), 2u);
  EXPECT_EQ(of("dec", "u32", 0, 7), 7u);
  EXPECT_EQ(of("dec", "u32", 7, 7), 6u);
  EXPECT_EQ(of("dec", "u32", 9, 7), 7u);
}

TEST(Reduction, Numbers) {
  // 1.5 + 2 and -1.5, 2.
  EXPECT_EQ(of("add.noftz", "f16", 0x3e00, 0x4000), 0x4300u);
  EXPECT_EQ(of("add.noftz", "bf16", 0x3fc0, 0x4000), 0x4060u);
  EXPECT_EQ(of("min", "f16", 0xbe00, 0x4000), 0xbe00u);
  EXPECT_EQ(of("max", "bf16", 0xbfc0, 0x4000), 0x4000u);
  EXPECT_EQ(of("add", "f32", 0x3fc00000, 0xc0000000), 0xbf000000u);
  EXPECT_EQ(of("add", "f64", 0x3ff8000000000000, 0x4000000000000000),
            0x400c000000000000u);
  // Subnormal ones, and what is their sum.
  EXPECT_EQ(of("add.noftz", "f16", 3, 0x8001), 2u);
  EXPECT_EQ(of("add.noftz", "f16", 0x3ff, 1), 0x400u);
  EXPECT_EQ(of("add.noftz", "bf16", 3, 4), 7u);
  EXPECT_EQ(of("add.noftz", "f16", 0x3c00, 0xbc00), 0u);
}

// What is drawn are numbers from 1 to 60, with either sign, and of 16-bit types
// half of it subnormal ones; all of it can be combined.
TEST(Reduction, RandomElements) {
  struct {
    const char *Name;
    uint64_t One, Sixty;
  } Types[] = {{"f16", 0x3c00, 0x5380},
               {"bf16", 0x3f80, 0x4270},
               {"f32", 0x3f800000, 0x42700000},
               {"f64", 0x3ff0000000000000, 0x404e000000000000}};
  std::mt19937 Random(1);
  for (auto [Name, One, Sixty] : Types) {
    ReductionType Type(Name);
    uint64_t SignBit = uint64_t(1) << (Type.Bits - 1);
    unsigned Subnormal = 0, Negative = 0, Equal = 0;
    for (int I = 0; I != 1000; ++I) {
      auto [Old, New] = randomElements(Type, Random);
      bool IsSubnormal = (Old & ~SignBit) <= 60;
      Subnormal += IsSubnormal;
      for (uint64_t Number : {Old, New}) {
        uint64_t Size = Number & ~SignBit;
        EXPECT_TRUE(IsSubnormal ? Size >= 1 && Size <= 60
                                : Size >= One && Size <= Sixty)
            << Name << " " << Number;
      }
      Negative += (Old & SignBit) != 0;
      Equal += Old == New;
      of("add", Name, Old, New);
    }
    EXPECT_EQ(Subnormal > 400 && Subnormal < 600, Type.Bits == 16) << Name;
    EXPECT_GT(Negative, 400u) << Name;
    EXPECT_LT(Negative, 600u) << Name;
    EXPECT_LT(Equal, 50u) << Name;
  }
}

// Of integers some make inc and dec wrap, and some have all bits.
TEST(Reduction, RandomIntegers) {
  std::mt19937 Random(1);
  unsigned Wrapped = 0, Large = 0;
  for (int I = 0; I != 1000; ++I) {
    auto [Old, New] = randomElements(ReductionType("u32"), Random);
    Wrapped += Old < 4 && of("inc", "u32", Old, New) == 0;
    EXPECT_LE(Old | New, 0xffffffffu);
    Large += Old >> 31;
  }
  EXPECT_GT(Wrapped, 100u);
  EXPECT_GT(Large, 100u);
}
