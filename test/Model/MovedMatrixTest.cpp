//===- MovedMatrixTest.cpp - Tests of what ldmatrix and its kin move ------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovedMatrix.h"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace devicetest;

namespace {

struct Case {
  MovedShape Shape;
  unsigned Count;
  bool Transposed;
  unsigned Rows, Columns, Registers;
};

const Case Cases[] = {
    {MovedShape::M8N8, 1, false, 8, 8, 1},
    {MovedShape::M8N8, 4, true, 8, 8, 4},
    {MovedShape::M8N16, 1, false, 8, 16, 1},
    {MovedShape::M8N16, 4, false, 8, 16, 4},
    {MovedShape::M16N16, 1, true, 16, 16, 2},
    {MovedShape::M16N16, 2, true, 16, 16, 4},
    {MovedShape::M16N8, 1, true, 8, 16, 1},
    {MovedShape::M16N8, 4, true, 8, 16, 4},
};

} // namespace

TEST(MovedMatrix, IsABijection) {
  for (const Case &C : Cases) {
    MovedMatrix M(C.Shape, C.Count, C.Transposed);
    SCOPED_TRACE(int(C.Shape));
    EXPECT_EQ(M.rows(), C.Rows);
    EXPECT_EQ(M.columns(), C.Columns);
    EXPECT_EQ(M.registers(), C.Registers);
    std::set<std::tuple<unsigned, unsigned, unsigned>> Positions;
    for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
      for (unsigned Register = 0; Register != M.registers(); ++Register)
        for (unsigned I = 0; I != M.elementsPerRegister(); ++I) {
          MovedPosition P = M.position(Lane, Register, I);
          EXPECT_LT(P.Matrix, C.Count);
          EXPECT_LT(P.Row, C.Rows);
          EXPECT_LT(P.Column, C.Columns);
          EXPECT_TRUE(Positions.insert({P.Matrix, P.Row, P.Column}).second);
          WarpPlace Back = M.place(P);
          EXPECT_EQ(Back.Thread, Lane);
          EXPECT_EQ(Back.Register, Register);
          EXPECT_EQ(Back.Bit, I * M.elementBits());
        }
    EXPECT_EQ(Positions.size(), C.Count * C.Rows * C.Columns);
  }
}

TEST(MovedMatrix, EveryRowHasAnAddress) {
  for (const Case &C : Cases) {
    MovedMatrix M(C.Shape, C.Count, C.Transposed);
    std::set<unsigned> Threads;
    for (unsigned Matrix = 0; Matrix != C.Count; ++Matrix)
      for (unsigned Row = 0; Row != C.Rows; ++Row)
        EXPECT_TRUE(Threads.insert(M.addressThread(Matrix, Row)).second);
    EXPECT_EQ(Threads.size(), C.Count * C.Rows);
    EXPECT_EQ(*Threads.rbegin(), C.Count * C.Rows - 1);
    EXPECT_LT(*Threads.rbegin(), WarpThreads);
  }
}

TEST(MovedMatrix, WhereElementsAre) {
  MovedMatrix Half(MovedShape::M8N8, 2, false),
      HalfT(MovedShape::M8N8, 2, true);
  EXPECT_EQ(Half.position(13, 1, 1), (MovedPosition{1, 3, 3}));
  EXPECT_EQ(HalfT.position(14, 0, 1), (MovedPosition{0, 5, 3}));
  // A group of four threads has a row, four neighbours each.
  MovedMatrix Narrow(MovedShape::M8N16, 4, false);
  EXPECT_EQ(Narrow.position(14, 3, 1), (MovedPosition{3, 3, 9}));
  // Four columns of two rows, of the transposed matrix.
  MovedMatrix Square(MovedShape::M16N16, 2, true);
  EXPECT_EQ(Square.position(14, 0, 1), (MovedPosition{0, 9, 3}));
  EXPECT_EQ(Square.position(14, 1, 1), (MovedPosition{0, 9, 11}));
  EXPECT_EQ(Square.position(14, 3, 1), (MovedPosition{1, 9, 11}));
  EXPECT_EQ(Square.addressThread(1, 9), 25u);
  // As in an accumulator of 16x8.
  MovedMatrix Stored(MovedShape::M16N8, 4, true);
  EXPECT_EQ(Stored.position(14, 2, 1), (MovedPosition{2, 5, 3}));
  EXPECT_EQ(Stored.position(14, 2, 2), (MovedPosition{2, 4, 11}));
}

TEST(MovedMatrix, FitsFragments) {
  // A of 8 bits, m16n8k32, comes with one m16n16.x2 out of columns in memory:
  // a0 and a1 are of the first 16 columns of A, a2 and a3 of the others.
  WarpFragment A({16, 8, 32}, WarpOperand::A, Element::e4m3);
  MovedMatrix M(MovedShape::M16N16, 2, true);
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
    for (unsigned Index = 0; Index != A.elements(); ++Index) {
      WarpPosition Element = A.position(Lane, Index);
      MovedPosition P = M.position(Lane, Index / 4, Index % 4);
      EXPECT_EQ(Element.Row, P.Column);
      EXPECT_EQ(Element.Column, 16 * P.Matrix + P.Row);
    }
  // D of 16x8, as bytes, goes with m16n8.
  WarpFragment D({16, 8, 32}, WarpOperand::C, Element::f32);
  MovedMatrix Stored(MovedShape::M16N8, 1, true);
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
    for (unsigned Index = 0; Index != 4; ++Index) {
      WarpPosition Element = D.position(Lane, Index);
      EXPECT_EQ(Stored.position(Lane, 0, Index),
                (MovedPosition{0, Element.Column, Element.Row}));
    }
}
