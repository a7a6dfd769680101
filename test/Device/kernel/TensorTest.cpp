//===- TensorTest.cpp - Tests of the model of boxes and pixels ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"
#include "SharedLayout.h"
#include "gtest/gtest.h"

using namespace kernel_tests;

using Places = std::vector<std::vector<int64_t>>;

template <class Part> static Places places(const Part &P) {
  Places Result;
  P.forEach(
      [&](const std::vector<int64_t> &Place) { Result.push_back(Place); });
  return Result;
}

TEST(Tensor, OffsetsCountGapsAndEnd) {
  Tensor T(2, {5, 3, 2}, 16);
  EXPECT_EQ(T.size(), 96u);
  EXPECT_EQ(T.offset({0, 0, 0}), 0u);
  EXPECT_EQ(T.offset({4, 2, 1}), 8u + 32u + 48u);
  EXPECT_FALSE(T.offset({5, 0, 0}));
  EXPECT_FALSE(T.offset({0, -1, 0}));
}

TEST(Box, FirstDimensionIsInnermost) {
  EXPECT_EQ(places(Box{{2, 2}, {7, -1}}),
            (Places{{7, -1}, {8, -1}, {7, 0}, {8, 0}}));
}

TEST(PixelBox, GoesOnInTheNextRowAndTheNextImage) {
  PixelBox P;
  P.Channels = 1;
  P.Pixels = 5;
  P.Dims = {8, 3, 2, 2};
  P.Lower = {-1, 0};
  P.Upper = {-1, 0};
  P.Start = {4, 1, 0, 0};
  P.Offsets = {1, 0};
  // Bases along W are -1, 0 and 1; along H 0 and 1.
  EXPECT_EQ(places(P), (Places{{4, 2, 0, 0},
                               {4, 0, 1, 0},
                               {4, 1, 1, 0},
                               {4, 2, 1, 0},
                               {4, 0, 0, 1}}));
}

TEST(Swizzle, ChangesUnitsByTheRow) {
  EXPECT_EQ(swizzled(1152, 0), 1152u);
  // The example of docs/matrix-descriptors.md: row 9, unit 1.
  EXPECT_EQ(swizzled(1024 + 128 + 16, 128), 1152u);
  EXPECT_EQ(swizzled(3 * 128 + 5, 128), 3 * 128 + 48 + 5u);
  EXPECT_EQ(swizzled(3 * 128, 64), 3 * 128 + 48u);
  EXPECT_EQ(swizzled(5 * 128, 64), 5 * 128 + 16u);
  EXPECT_EQ(swizzled(2 * 128, 32), 2 * 128u);
  EXPECT_EQ(swizzled(3 * 128, 32), 3 * 128 + 16u);
}

/// A box with lines as long as the swizzle is one column of the atoms that
/// wgmma reads, whichever way the matrix lies.
TEST(Swizzle, IsThatOfWgmmasOperands) {
  using namespace devicetest;
  for (devicetest::Swizzle Mode :
       {devicetest::Swizzle::None, devicetest::Swizzle::B32,
        devicetest::Swizzle::B64, devicetest::Swizzle::B128})
    for (Element Type : {Element::f16, Element::tf32, Element::e4m3})
      for (bool IsTransposed : {false, true}) {
        if (IsTransposed && Type != Element::f16)
          continue;
        unsigned LineBytes = static_cast<unsigned>(Mode);
        unsigned Bytes = bitWidth(Type) / 8;
        uint32_t Line = LineBytes / Bytes;
        const uint32_t Lines = 64;
        SharedLayout Layout(Type, IsTransposed, IsTransposed ? Line : Lines,
                            IsTransposed ? Lines : Line, Arrangement::KFirst,
                            Mode);
        size_t Offset = 0;
        Box{{Line, Lines}, {0, 0}}.forEach([&](const std::vector<int64_t> &At) {
          auto Along = static_cast<unsigned>(At[0]);
          auto Across = static_cast<unsigned>(At[1]);
          unsigned SwizzleBytes =
              Mode == devicetest::Swizzle::None ? 0 : LineBytes;
          EXPECT_EQ(8 * swizzled(Offset, SwizzleBytes),
                    IsTransposed ? Layout.bitOffset(0, Along, Across)
                                 : Layout.bitOffset(0, Across, Along))
              << name(Mode) << " " << name(Type) << " " << Along << " "
              << Across;
          Offset += Bytes;
        });
      }
}
