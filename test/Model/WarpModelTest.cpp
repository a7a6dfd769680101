//===- WarpModelTest.cpp - Tests of the model of warp-level instructions --===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas here are written as the PTX ISA has them, shape by shape, while
// the model has one for all shapes but m8n8k4 of f16.
//
//===----------------------------------------------------------------------===//

#include "WarpArithmetic.h"
#include "WarpFragment.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <tuple>

using namespace devicetest;

namespace {

using E = Element;

/// A fragment, with the ISA's formulas for the row and column of element i.
struct IsaFragment {
  WarpShape Shape;
  WarpOperand Operand;
  E Type;
  bool ColumnMajor;
  unsigned Elements; ///< of one thread
  std::function<unsigned(unsigned Lane, unsigned I)> Row, Column;
};

unsigned group(unsigned Lane) { return Lane >> 2; }
unsigned inGroup(unsigned Lane) { return Lane % 4; }
/// Registers of an m16 A are of the lower and of the upper rows in turn.
auto rowOfA(unsigned PerRegister) {
  return [=](unsigned Lane, unsigned I) {
    bool Low = I / PerRegister % 2 == 0;
    return Low ? group(Lane) : group(Lane) + 8;
  };
}
unsigned rowOfC16(unsigned Lane, unsigned I) {
  return I < 2 ? group(Lane) : group(Lane) + 8;
}
unsigned columnOfC(unsigned Lane, unsigned I) {
  return inGroup(Lane) * 2 + (I & 1);
}
unsigned groupOf(unsigned Lane, unsigned) { return group(Lane); }

std::vector<IsaFragment> isaFragments() {
  constexpr auto A = WarpOperand::A, B = WarpOperand::B, C = WarpOperand::C;
  auto HighBy4 = [](unsigned Lane, unsigned Value) {
    return Lane < 16 ? Value : Value + 4;
  };
  std::vector<IsaFragment> List = {
      // m8n8k4 with .f16
      {{8, 8, 4},
       A,
       E::f16,
       false,
       4,
       [=](unsigned L, unsigned) { return HighBy4(L, L % 4); },
       [](unsigned, unsigned I) { return I; }},
      {{8, 8, 4},
       A,
       E::f16,
       true,
       4,
       [=](unsigned L, unsigned I) { return HighBy4(L, I % 4); },
       [](unsigned L, unsigned) { return L % 4; }},
      {{8, 8, 4},
       B,
       E::f16,
       false,
       4,
       [](unsigned L, unsigned) { return L % 4; },
       [=](unsigned L, unsigned I) { return HighBy4(L, I); }},
      {{8, 8, 4},
       B,
       E::f16,
       true,
       4,
       [](unsigned, unsigned I) { return I; },
       [=](unsigned L, unsigned) { return HighBy4(L, L % 4); }},
      {{8, 8, 4},
       C,
       E::f16,
       false,
       8,
       [=](unsigned L, unsigned) { return HighBy4(L, L % 4); },
       [](unsigned, unsigned I) { return I; }},
      {{8, 8, 4},
       C,
       E::f32,
       false,
       8,
       [=](unsigned L, unsigned I) {
         return HighBy4(L, (L & 0b1) + (I & 0b10));
       },
       [](unsigned L, unsigned I) {
         return (I & 0b100) + (L & 0b10) + (I & 0b1);
       }},
      // m8n8k4 with .f64
      {{8, 8, 4},
       A,
       E::f64,
       false,
       1,
       groupOf,
       [](unsigned L, unsigned) { return L % 4; }},
      {{8, 8, 4},
       B,
       E::f64,
       false,
       1,
       [](unsigned L, unsigned) { return L % 4; },
       groupOf},
      {{8, 8, 4},
       C,
       E::f64,
       false,
       2,
       groupOf,
       [](unsigned L, unsigned I) { return inGroup(L) * 2 + (I & 1); }},
  };
  // m8n8k16, m8n8k32, m8n8k128: one register each.
  for (auto [K, Type, N] :
       {std::tuple(16u, E::s8, 4u), std::tuple(16u, E::u8, 4u),
        std::tuple(32u, E::s4, 8u), std::tuple(32u, E::u4, 8u),
        std::tuple(128u, E::b1, 32u)}) {
    unsigned PerThread = N;
    auto AlongK = [=](unsigned L, unsigned I) {
      return inGroup(L) * PerThread + I;
    };
    List.push_back({{8, 8, K}, A, Type, false, N, groupOf, AlongK});
    List.push_back({{8, 8, K}, B, Type, false, N, AlongK, groupOf});
    List.push_back(
        {{8, 8, K}, C, E::s32, false, 2, groupOf, [](unsigned L, unsigned I) {
           return inGroup(L) * 2 + I;
         }});
  }
  // m16n8, the second half of K from the third register of A on.
  auto M16 = [&](unsigned K, E Type, unsigned ElementsOfA, E TypeOfC,
                 std::function<unsigned(unsigned, unsigned)> ColumnOfA,
                 std::function<unsigned(unsigned, unsigned)> RowOfB) {
    unsigned PerRegister = registerWidth(Type) / bitWidth(Type);
    List.push_back({{16, 8, K},
                    A,
                    Type,
                    false,
                    ElementsOfA,
                    rowOfA(PerRegister),
                    ColumnOfA});
    List.push_back(
        {{16, 8, K}, B, Type, false, ElementsOfA / 2, RowOfB, groupOf});
    List.push_back({{16, 8, K}, C, TypeOfC, false, 4, rowOfC16, columnOfC});
  };
  auto Pair = [](unsigned L, unsigned I) { return inGroup(L) * 2 + (I & 0x1); };
  for (E Type : {E::f16, E::bf16}) {
    M16(8, Type, 4, E::f32, Pair, Pair);
    M16(
        16, Type, 8, Type == E::f16 ? E::f16 : E::f32,
        [=](unsigned L, unsigned I) { return Pair(L, I) + (I < 4 ? 0 : 8); },
        [=](unsigned L, unsigned I) { return Pair(L, I) + (I < 2 ? 0 : 8); });
  }
  auto One = [](unsigned L, unsigned) { return inGroup(L); };
  M16(4, E::tf32, 2, E::f32, One, One);
  M16(
      8, E::tf32, 4, E::f32,
      [](unsigned L, unsigned I) { return inGroup(L) + (I < 2 ? 0 : 4); },
      [](unsigned L, unsigned I) { return inGroup(L) + (I == 0 ? 0 : 4); });
  for (E Type : {E::s8, E::u8, E::e4m3, E::e5m2, E::e3m2, E::e2m3, E::e2m1}) {
    auto Four = [](unsigned L, unsigned I) {
      return inGroup(L) * 4 + (I & 0x3);
    };
    E TypeOfC = isInteger(Type) ? E::s32 : E::f32;
    M16(16, Type, 8, TypeOfC, Four, Four);
    M16(
        32, Type, 16, TypeOfC,
        [=](unsigned L, unsigned I) { return Four(L, I) + (I < 8 ? 0 : 16); },
        [=](unsigned L, unsigned I) { return Four(L, I) + (I < 4 ? 0 : 16); });
  }
  for (E Type : {E::s4, E::u4, E::e2m1x2}) {
    auto Eight = [](unsigned L, unsigned I) {
      return inGroup(L) * 8 + (I & 0x7);
    };
    E TypeOfC = isInteger(Type) ? E::s32 : E::f32;
    M16(32, Type, 16, TypeOfC, Eight, Eight);
    M16(
        64, Type, 32, TypeOfC,
        [=](unsigned L, unsigned I) { return Eight(L, I) + (I < 16 ? 0 : 32); },
        [=](unsigned L, unsigned I) { return Eight(L, I) + (I < 8 ? 0 : 32); });
  }
  auto Word = [](unsigned L, unsigned I) {
    return inGroup(L) * 32 + (I & 0x1F);
  };
  M16(128, E::b1, 64, E::s32, Word, Word);
  M16(
      256, E::b1, 128, E::s32,
      [=](unsigned L, unsigned I) { return Word(L, I) + (I < 64 ? 0 : 128); },
      [=](unsigned L, unsigned I) { return Word(L, I) + (I < 32 ? 0 : 128); });
  M16(4, E::f64, 2, E::f64, One, One);
  M16(
      8, E::f64, 4, E::f64,
      [](unsigned L, unsigned I) { return inGroup(L) + (I < 2 ? 0 : 4); },
      [](unsigned L, unsigned I) { return inGroup(L) + (I == 0 ? 0 : 4); });
  M16(
      16, E::f64, 8, E::f64,
      [](unsigned L, unsigned I) {
        return I % 2 == 0 ? I * 2 + inGroup(L) : I * 2 - 2 + inGroup(L);
      },
      [](unsigned L, unsigned I) { return inGroup(L) + I * 4; });
  return List;
}

WarpFragment fragment(const IsaFragment &F) {
  return WarpFragment(F.Shape, F.Operand, F.Type, F.ColumnMajor);
}

std::string describe(const IsaFragment &F) {
  return std::string("m") + std::to_string(F.Shape.M) + "n" +
         std::to_string(F.Shape.N) + "k" + std::to_string(F.Shape.K) + " " +
         name(F.Type) + " " + "ABC"[int(F.Operand)] +
         (F.ColumnMajor ? " column-major" : "");
}

/// The types and K of all sparse shapes.
const std::pair<E, unsigned> SparseTypes[] = {
    {E::f16, 16},  {E::f16, 32},  {E::bf16, 16}, {E::bf16, 32},
    {E::tf32, 8},  {E::tf32, 16}, {E::e4m3, 64}, {E::e5m2, 64},
    {E::s8, 32},   {E::s8, 64},   {E::u8, 32},   {E::u8, 64},
    {E::s4, 64},   {E::s4, 128},  {E::u4, 64},   {E::u4, 128},
    {E::e3m2, 64}, {E::e2m3, 64}, {E::e2m1, 64}, {E::e2m1x2, 128}};

} // namespace

TEST(WarpFragment, MatchesTheIsa) {
  for (const IsaFragment &I : isaFragments()) {
    SCOPED_TRACE(describe(I));
    WarpFragment F = fragment(I);
    ASSERT_EQ(F.elements(), I.Elements);
    for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
      for (unsigned Index = 0; Index != I.Elements; ++Index) {
        WarpPosition P = F.position(Lane, Index);
        EXPECT_EQ(P.Row, I.Row(Lane, Index)) << Lane << " " << Index;
        EXPECT_EQ(P.Column, I.Column(Lane, Index)) << Lane << " " << Index;
        // Threads 0-3 and 16-19, 4-7 and 20-23, ...
        EXPECT_EQ(P.Computation, F.computations() == 4 ? Lane / 4 % 4 : 0);
      }
  }
}

TEST(WarpFragment, IsABijection) {
  for (const IsaFragment &I : isaFragments()) {
    SCOPED_TRACE(describe(I));
    WarpFragment F = fragment(I);
    std::set<std::tuple<unsigned, unsigned, unsigned>> Positions, Places;
    for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
      for (unsigned Index = 0; Index != F.elements(); ++Index) {
        WarpPosition P = F.position(Lane, Index);
        EXPECT_LT(P.Row, F.rows());
        EXPECT_LT(P.Column, F.columns());
        EXPECT_TRUE(Positions.insert({P.Computation, P.Row, P.Column}).second);
        WarpPlace Place = F.place(Lane, Index);
        EXPECT_LT(Place.Bit, registerWidth(I.Type));
        EXPECT_TRUE(
            Places.insert({Place.Thread, Place.Register, Place.Bit}).second);
      }
    EXPECT_EQ(Positions.size(), F.computations() * F.rows() * F.columns());
    for (auto [Computation, Row, Column] : Positions) {
      WarpPlace Place = F.place(WarpPosition{Computation, Row, Column});
      unsigned Index = Place.Register * F.elementsPerRegister() +
                       Place.Bit / bitWidth(I.Type);
      WarpPosition Back = F.position(Place.Thread, Index);
      EXPECT_EQ(Back, (WarpPosition{Computation, Row, Column}));
    }
  }
}

TEST(WarpFragment, ElementsAreReadWhereTheyWereWritten) {
  for (const IsaFragment &I : isaFragments()) {
    SCOPED_TRACE(describe(I));
    WarpFragment F = fragment(I);
    unsigned Stride = F.words() + 1;
    uint64_t Mask = ~uint64_t(0) >> (64 - bitWidth(I.Type));
    std::vector<uint32_t> Words(WarpThreads * Stride, 0xFFFFFFFF);
    auto Value = [&](unsigned Lane, unsigned Index) {
      return (uint64_t(Lane * 251 + Index * 17) * 0x9E3779B97F4A7C15 >> 13) &
             Mask;
    };
    for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
      for (unsigned Index = 0; Index != F.elements(); ++Index)
        F.write(Words.data(), Stride, Lane, Index, Value(Lane, Index));
    for (unsigned Lane = 0; Lane != WarpThreads; ++Lane) {
      for (unsigned Index = 0; Index != F.elements(); ++Index)
        EXPECT_EQ(F.read(Words.data(), Stride, Lane, Index),
                  Value(Lane, Index));
      EXPECT_EQ(Words[Lane * Stride + F.words()], 0xFFFFFFFF);
    }
  }
}

TEST(WarpFragment, ThePackedAIsADenseOneOfHalfK) {
  // mma.sp.m16n8k32 of s8: firstcol = threadID_in_group * 8, lastcol + 7; two
  // of these eight columns' chunks are in one register.
  WarpFragment F({16, 8, 16}, WarpOperand::A, E::s8);
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
    for (unsigned Index = 0; Index != 8; ++Index) {
      WarpPosition P = F.position(Lane, Index);
      EXPECT_EQ(P.Row, Index < 4 ? group(Lane) : group(Lane) + 8);
      unsigned FirstColumn = P.Column / warpSparsity(E::s8).kept() * 4;
      EXPECT_GE(FirstColumn, inGroup(Lane) * 8);
      EXPECT_LE(FirstColumn + 3, inGroup(Lane) * 8 + 7);
    }
}

TEST(WarpMetadata, EveryChunkHasOneNibble) {
  for (auto [Type, K] : SparseTypes)
    for (unsigned Selector = 0; Selector != warpSelectors(Type, K);
         ++Selector) {
      SCOPED_TRACE(std::string(name(Type)) + " k" + std::to_string(K) + " " +
                   std::to_string(Selector));
      std::set<std::pair<unsigned, unsigned>> Chunks;
      for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
        for (unsigned Nibble = 0; Nibble != 8; ++Nibble)
          if (auto P = warpMetadata(Type, K, Selector, Lane, Nibble)) {
            EXPECT_LT(P->Row, 16u);
            EXPECT_LT(P->Chunk, K / warpSparsity(Type).ChunkWidth);
            EXPECT_TRUE(Chunks.insert({P->Row, P->Chunk}).second);
          }
      EXPECT_EQ(Chunks.size(), 16 * K / warpSparsity(Type).ChunkWidth);
    }
}

TEST(WarpMetadata, TheSelectorChoosesThreads) {
  // The ISA's table of valid selectors: one thread of four, two, or all.
  for (auto [Type, K] : SparseTypes) {
    SCOPED_TRACE(std::string(name(Type)) + " k" + std::to_string(K));
    unsigned Threads = 4 / warpSelectors(Type, K);
    EXPECT_EQ(warpSelectors(Type, K), bitWidth(Type) == 16 && K == 16   ? 4u
                                      : bitWidth(Type) == 32 && K == 8  ? 4u
                                      : bitWidth(Type) == 8 && K == 64  ? 1u
                                      : bitWidth(Type) == 4 && K == 128 ? 1u
                                                                        : 2u);
    for (unsigned Selector = 0; Selector != warpSelectors(Type, K); ++Selector)
      for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
        EXPECT_EQ(warpMetadata(Type, K, Selector, Lane, 0).has_value(),
                  Lane % 4 / Threads == Selector);
  }
}

TEST(WarpMetadata, NibblesKeepHalfOfAChunk) {
  for (auto [Type, K] : SparseTypes) {
    WarpSparsity S = warpSparsity(Type);
    for (uint8_t Nibble : warpNibbles(Type)) {
      std::set<unsigned> Columns;
      for (unsigned Index = 0; Index != S.kept(); ++Index) {
        unsigned Column = warpKeptColumn(Type, Nibble, Index);
        EXPECT_LT(Column, S.ChunkWidth);
        // Ascending, and runs are kept together.
        EXPECT_TRUE(Columns.empty() || *Columns.rbegin() < Column);
        EXPECT_EQ(Column % S.Run, Index % S.Run);
        Columns.insert(Column);
      }
      EXPECT_EQ(Columns.size(), S.kept());
    }
  }
  EXPECT_EQ(warpKeptColumn(E::s8, 0b1101, 0), 1u);
  EXPECT_EQ(warpKeptColumn(E::s8, 0b1101, 1), 3u);
  EXPECT_EQ(warpKeptColumn(E::s4, 0b1101, 1), 3u);
  EXPECT_EQ(warpKeptColumn(E::s4, 0b1101, 2), 6u);
  EXPECT_EQ(warpKeptColumn(E::tf32, 0b1110, 0), 1u);
  EXPECT_EQ(warpKeptColumn(E::tf32, 0b0100, 0), 0u);
  for (uint8_t Nibble : warpDescendingNibbles())
    EXPECT_GT(warpKeptColumn(E::f16, Nibble, 0),
              warpKeptColumn(E::f16, Nibble, 1));
}

TEST(Element, CodecsAreInverse) {
  for (int Index = 0; Index <= int(E::f64); ++Index) {
    E Type = E(Index);
    EXPECT_EQ(elementNamed(name(Type)), Type);
    uint64_t Step = bitWidth(Type) <= 16 ? 1 : ~uint64_t(0) / 12345;
    uint64_t Mask = ~uint64_t(0) >> (64 - bitWidth(Type));
    uint64_t Count =
        bitWidth(Type) <= 16 ? uint64_t(1) << bitWidth(Type) : 10000;
    for (uint64_t I = 0; I != Count; ++I) {
      uint64_t Bits = I * Step & Mask;
      Bits &= valueBits(Type);
      double Value = decode(Type, Bits);
      if (std::isfinite(Value))
        EXPECT_EQ(encode(Type, Value), Bits) << name(Type);
    }
  }
  EXPECT_FALSE(elementNamed("f8"));
}

TEST(Element, WhatAnIntegerTypeHolds) {
  EXPECT_EQ(decode(E::s4, 0x8), -8);
  EXPECT_EQ(decode(E::u4, 0xF), 15);
  EXPECT_EQ(decode(E::b1, 1), 1);
  EXPECT_FALSE(encode(E::s4, 8));
  EXPECT_FALSE(encode(E::u4, -1));
  EXPECT_FALSE(encode(E::b1, 2));
  EXPECT_FALSE(encode(E::u4, 0.5));
  EXPECT_FALSE(encode(E::f16, 2049));
  // maxInteger: no integer up to it is missing, the next one is.
  for (E Type : {E::e4m3, E::e5m2, E::e3m2, E::e2m3, E::e2m1, E::e2m1x2,
                 E::ue4m3, E::f16, E::bf16, E::tf32, E::f32, E::f64}) {
    EXPECT_TRUE(encode(Type, maxInteger(Type)));
    EXPECT_TRUE(encode(Type, maxInteger(Type) - 1));
    if (Type != E::f64)
      EXPECT_FALSE(encode(Type, maxInteger(Type) + 1)) << name(Type);
  }
}

TEST(Element, NarrowFloatingPointTypes) {
  // Smallest subnormal, one, highest.
  EXPECT_EQ(decode(E::e3m2, 0x01), 0x1p-4);
  EXPECT_EQ(decode(E::e3m2, 0x0C), 1);
  EXPECT_EQ(decode(E::e3m2, 0x1F), 28);
  EXPECT_EQ(decode(E::e2m3, 0x01), 0.125);
  EXPECT_EQ(decode(E::e2m3, 0x08), 1);
  EXPECT_EQ(decode(E::e2m3, 0x1F), 7.5);
  EXPECT_EQ(decode(E::e2m1x2, 0x1), 0.5);
  EXPECT_EQ(decode(E::e2m1x2, 0x2), 1);
  EXPECT_EQ(decode(E::e2m1x2, 0x7), 6);
  EXPECT_EQ(decode(E::ue4m3, 0x01), 0x1p-9);
  EXPECT_EQ(decode(E::ue4m3, 0x38), 1);
  EXPECT_EQ(decode(E::ue4m3, 0x7E), 448);
  EXPECT_EQ(decode(E::ue8m0, 0x00), 0x1p-127);
  EXPECT_EQ(decode(E::ue8m0, 0x7F), 1);
  EXPECT_EQ(decode(E::ue8m0, 0xFE), 0x1p127);
  // The sign.
  EXPECT_EQ(decode(E::e3m2, 0x3F), -28);
  EXPECT_EQ(decode(E::e2m3, 0x3F), -7.5);
  EXPECT_EQ(decode(E::e2m1x2, 0xF), -6);
  EXPECT_FALSE(encode(E::ue4m3, -1));
  EXPECT_FALSE(encode(E::ue4m3, -0.0));
  EXPECT_FALSE(encode(E::ue8m0, -1));
  // What is not a number.
  EXPECT_TRUE(std::isnan(decode(E::ue4m3, 0x7F)));
  EXPECT_TRUE(std::isnan(decode(E::ue8m0, 0xFF)));
  for (E Type : {E::e3m2, E::e2m3, E::e2m1, E::e2m1x2})
    for (uint64_t Bits = 0; Bits >> bitWidth(Type) == 0; ++Bits)
      EXPECT_TRUE(std::isfinite(decode(Type, Bits)));
  // What is no value.
  EXPECT_FALSE(encode(E::e3m2, 30));
  EXPECT_FALSE(encode(E::e2m3, 8));
  EXPECT_FALSE(encode(E::e2m1x2, 5));
  EXPECT_FALSE(encode(E::ue4m3, 480));
  EXPECT_FALSE(encode(E::ue8m0, 3));
  EXPECT_FALSE(encode(E::ue8m0, 0));
  EXPECT_FALSE(encode(E::ue8m0, 0x1p128));
  EXPECT_FALSE(encode(E::ue8m0, 0x1p-128));
}

TEST(Element, WhereTheBitsOfAContainerAre) {
  EXPECT_EQ(valueBits(E::e3m2), 0x3Fu);
  EXPECT_EQ(valueBits(E::e2m3), 0x3Fu);
  EXPECT_EQ(valueBits(E::e2m1), 0x3Cu);
  EXPECT_EQ(valueBits(E::e2m1x2), 0xFu);
  EXPECT_EQ(valueBits(E::ue4m3), 0x7Fu);
  EXPECT_EQ(valueBits(E::tf32), 0xFFFFE000u);
  EXPECT_EQ(encode(E::e2m1, -6), 0x3Cu);
  // The others neither count nor are set.
  for (E Type : {E::e3m2, E::e2m3, E::e2m1, E::ue4m3})
    for (uint64_t Bits = 0; Bits != 256; ++Bits) {
      double Value = decode(Type, Bits);
      if (std::isfinite(Value))
        EXPECT_EQ(encode(Type, Value), Bits & valueBits(Type)) << name(Type);
    }
  for (uint64_t Bits = 0; Bits != 16; ++Bits)
    EXPECT_EQ(decode(E::e2m1, Bits << 2), decode(E::e2m1x2, Bits));
}

TEST(WarpArithmetic, Products) {
  WarpMatrix A(1, 2), B(2, 1), C(1, 1);
  A.Values = {3, -2};
  B.Values = {5, 7};
  C.Values = {100};
  EXPECT_EQ(multiplyAccumulate(A, B, C).at(0, 0), 101);
  A.Values = {1, 0};
  B.Values = {1, 1};
  EXPECT_EQ(multiplyAccumulate(A, B, C, BitOperation::Xor).at(0, 0), 101);
  EXPECT_EQ(multiplyAccumulate(A, B, C, BitOperation::And).at(0, 0), 101);
  A.Values = {1, 1};
  EXPECT_EQ(multiplyAccumulate(A, B, C, BitOperation::Xor).at(0, 0), 100);
  EXPECT_EQ(multiplyAccumulate(A, B, C, BitOperation::And).at(0, 0), 102);
  A.Values = {0, 0};
  EXPECT_EQ(multiplyAccumulate(A, B, C, BitOperation::Xor).at(0, 0), 102);
  EXPECT_EQ(multiplyAccumulate(A, B, C, BitOperation::And).at(0, 0), 100);
}

TEST(WarpArithmetic, WrappingAndSaturation) {
  constexpr double Max = std::numeric_limits<int32_t>::max();
  constexpr double Min = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(wrapped(Max + 1), Min);
  EXPECT_EQ(wrapped(Min - 1), Max);
  EXPECT_EQ(wrapped(-5), -5);
  EXPECT_EQ(saturated(Max + 1), Max);
  EXPECT_EQ(saturated(Min - 1), Min);
  EXPECT_EQ(saturated(-5), -5);
}

TEST(WarpArithmetic, Rounding) {
  constexpr double Half = 0x1p-53;
  WarpMatrix A(1, 1), B(1, 1), C(1, 1);
  auto Sum = [&](double Product, double Addend, Rounding R) {
    A.Values = {Product};
    B.Values = {1};
    C.Values = {Addend};
    return fusedMultiplyAdds(A, B, C, R, {0}).at(0, 0);
  };
  EXPECT_EQ(Sum(Half, 1, Rounding::Nearest), 1);
  EXPECT_EQ(Sum(Half, 1, Rounding::Zero), 1);
  EXPECT_EQ(Sum(Half, 1, Rounding::Minus), 1);
  EXPECT_EQ(Sum(Half, 1, Rounding::Plus), 1 + 2 * Half);
  EXPECT_EQ(Sum(-Half, -1, Rounding::Nearest), -1);
  EXPECT_EQ(Sum(-Half, -1, Rounding::Zero), -1);
  EXPECT_EQ(Sum(-Half, -1, Rounding::Minus), -1 - 2 * Half);
  EXPECT_EQ(Sum(-Half, -1, Rounding::Plus), -1);
  EXPECT_EQ(Sum(1.5 * Half, 1, Rounding::Nearest), 1 + 2 * Half);
}

TEST(WarpArithmetic, OrderMattersWithinABound) {
  WarpMatrix A(1, 3), B(3, 1), C(1, 1);
  A.Values = {0x1p60, 1, -0x1p60};
  B.Values = {1, 1, 1};
  C.Values = {0};
  double Ascending =
      fusedMultiplyAdds(A, B, C, Rounding::Nearest, {0, 1, 2}).at(0, 0);
  double Other =
      fusedMultiplyAdds(A, B, C, Rounding::Nearest, {0, 2, 1}).at(0, 0);
  EXPECT_EQ(Ascending, 0);
  EXPECT_EQ(Other, 1);
  EXPECT_GE(fusedMultiplyAddsBound(A, B, C).at(0, 0), 1);
  // A sum of 2^61 in steps of 2^-52 of it.
  EXPECT_LE(fusedMultiplyAddsBound(A, B, C).at(0, 0), 4 * 0x1p61 * 0x1p-52 * 2);
}
