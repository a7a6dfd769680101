//===- BlockScaleTest.cpp - Tests of the model of block scaling -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockScale.h"

#include <gtest/gtest.h>
#include <set>
#include <utility>

using namespace devicetest;

using E = Element;

static constexpr ScaleVector Vectors[] = {1, 2, 4};
static constexpr unsigned RegisterBytes = 4;

TEST(BlockScale, Selectors) {
  // Table 37 of the PTX ISA.
  const std::set<unsigned> BytesOf[] = {{0, 1, 2, 3}, {0, 2}, {0}};
  for (unsigned I = 0; I != 3; ++I)
    for (WarpOperand Operand : {WarpOperand::A, WarpOperand::B}) {
      unsigned Threads = Operand == WarpOperand::A ? 2 : 4;
      std::set<std::pair<unsigned, unsigned>> Selectors, Expected;
      for (ScaleSelector S : scaleSelectors(Operand, Vectors[I]))
        EXPECT_TRUE(Selectors.insert({S.ThreadId, S.ByteId}).second);
      for (unsigned Thread = 0; Thread != Threads; ++Thread)
        for (unsigned Byte : BytesOf[I])
          Expected.insert({Thread, Byte});
      EXPECT_EQ(Selectors, Expected);
    }
}

TEST(BlockScale, EveryScaleHasOneByte) {
  for (ScaleVector Vector : Vectors)
    for (WarpOperand Operand : {WarpOperand::A, WarpOperand::B})
      for (ScaleSelector S : scaleSelectors(Operand, Vector)) {
        unsigned Rows = Operand == WarpOperand::A ? 16 : Vector;
        unsigned Columns = Operand == WarpOperand::A ? Vector : 8;
        std::set<std::pair<unsigned, unsigned>> Scales;
        for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
          for (unsigned Byte = 0; Byte != RegisterBytes; ++Byte) {
            auto P = scalePosition(Operand, Vector, S, Lane, Byte);
            if (!P)
              continue;
            EXPECT_LT(P->Row, Rows);
            EXPECT_LT(P->Column, Columns);
            EXPECT_TRUE(Scales.insert({P->Row, P->Column}).second);
            WarpPlace Back = scalePlace(Operand, S, *P);
            EXPECT_EQ(Back.Thread, Lane);
            EXPECT_EQ(Back.Register, 0u);
            EXPECT_EQ(Back.Bit, 8 * Byte);
          }
        EXPECT_EQ(Scales.size(), Rows * Columns);
      }
}

TEST(BlockScale, TheIdsChoose) {
  // "%laneid % 4 == 0 or 1" for thread-id-a 0, "2 or 3" for 1, and "%laneid % 4
  // == thread-id-b"; one byte, the lower or upper two, or all four.
  for (ScaleVector Vector : Vectors)
    for (WarpOperand Operand : {WarpOperand::A, WarpOperand::B})
      for (ScaleSelector S : scaleSelectors(Operand, Vector))
        for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
          for (unsigned Byte = 0; Byte != RegisterBytes; ++Byte) {
            bool Thread = Operand == WarpOperand::A
                              ? (Lane % 4 >= 2) == (S.ThreadId == 1)
                              : Lane % 4 == S.ThreadId;
            bool InByte = Vector == 1   ? Byte == S.ByteId
                          : Vector == 2 ? (Byte >= 2) == (S.ByteId == 2)
                                        : true;
            EXPECT_EQ(scalePosition(Operand, Vector, S, Lane, Byte).has_value(),
                      Thread && InByte);
          }
}

TEST(BlockScale, RowsAndColumns) {
  // The second pair of quad 3, upper bytes: rows 3 and 11.
  for (unsigned Block : {0u, 1u}) {
    auto Lower = scalePosition(WarpOperand::A, 2, {1, 2}, 14, 2 + Block);
    auto Upper = scalePosition(WarpOperand::A, 2, {1, 2}, 15, 2 + Block);
    ASSERT_TRUE(Lower && Upper);
    EXPECT_EQ(*Lower, (WarpPosition{0, 3, Block}));
    EXPECT_EQ(*Upper, (WarpPosition{0, 11, Block}));
  }
  for (unsigned Block : {0u, 1u, 2u, 3u}) {
    auto P = scalePosition(WarpOperand::B, 4, {2, 0}, 30, Block);
    ASSERT_TRUE(P);
    EXPECT_EQ(*P, (WarpPosition{0, Block, 7}));
  }
}

TEST(BlockScale, ProductByHand) {
  // One row and column, K of 4, in two blocks:
  // (2*3 + -1*5) * 4 * 0.5 + (6*1 + 0.5*-4) * 0.25 * 8 + 100.
  WarpMatrix A(1, 4), B(4, 1), C(1, 1), ScaleA(1, 2), ScaleB(2, 1);
  A.Values = {2, -1, 6, 0.5};
  B.Values = {3, 5, 1, -4};
  C.Values = {100};
  ScaleA.Values = {4, 0.25};
  ScaleB.Values = {0.5, 8};
  EXPECT_EQ(scaledMultiplyAccumulate(A, ScaleA, B, ScaleB, C).at(0, 0), 110);
  // One block has one scale.
  WarpMatrix One(1, 1), Two(1, 1);
  One.Values = {3};
  Two.Values = {0.5};
  EXPECT_EQ(scaledMultiplyAccumulate(A, One, B, Two, C).at(0, 0), 107.5);
}

TEST(BlockScale, ScalesOfRowsAndColumns) {
  WarpMatrix A(2, 2), B(2, 2), C(2, 2), ScaleA(2, 1), ScaleB(1, 2);
  A.Values = {1, 0, 0, 1};
  B.Values = {1, 2, 3, 4};
  ScaleA.Values = {2, 4};
  ScaleB.Values = {8, 0.5};
  WarpMatrix D = scaledMultiplyAccumulate(A, ScaleA, B, ScaleB, C);
  EXPECT_EQ(D.Values, (std::vector<double>{16, 2, 96, 8}));
}

namespace {

/// The registers of one operand in a warp.
class Registers {
public:
  explicit Registers(const WarpFragment &F)
      : F(F), Words(WarpThreads * F.words()) {}

  void set(unsigned Row, unsigned Column, uint64_t Bits) {
    WarpPlace P = F.place(WarpPosition{0, Row, Column});
    unsigned PerRegister = F.elementsPerRegister();
    F.write(Words.data(), F.words(), P.Thread,
            P.Register * PerRegister + P.Bit * PerRegister / 32, Bits);
  }
  uint32_t &word(unsigned Lane, unsigned Register) {
    return Words[Lane * F.words() + Register];
  }
  WarpMatrix values(E Type) const {
    WarpMatrix M(F.rows(), F.columns());
    for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
      for (unsigned Index = 0; Index != F.elements(); ++Index) {
        WarpPosition P = F.position(Lane, Index);
        M.at(P.Row, P.Column) =
            decode(Type, F.read(Words.data(), F.words(), Lane, Index));
      }
    return M;
  }

private:
  WarpFragment F;
  std::vector<uint32_t> Words;
};

WarpMatrix scales(WarpOperand Operand, ScaleVector Vector, ScaleSelector S,
                  E Type, const std::vector<uint32_t> &Words) {
  WarpMatrix M(Operand == WarpOperand::A ? 16 : Vector,
               Operand == WarpOperand::A ? Vector : 8);
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
    for (unsigned Byte = 0; Byte != RegisterBytes; ++Byte)
      if (auto P = scalePosition(Operand, Vector, S, Lane, Byte))
        M.at(P->Row, P->Column) = decode(Type, Words[Lane] >> 8 * Byte & 0xFF);
  return M;
}

} // namespace

TEST(BlockScale, FromRegistersToD) {
  // mma.m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::4X with ue4m3: A is 1.5
  // in row 9, column 40, B is -3 in row 40, column 5, so that the third of four
  // blocks counts.
  Registers A(WarpFragment({16, 8, 64}, WarpOperand::A, E::e2m1x2));
  Registers B(WarpFragment({16, 8, 64}, WarpOperand::B, E::e2m1x2));
  A.set(9, 40, *encode(E::e2m1x2, 1.5));
  B.set(40, 5, *encode(E::e2m1x2, -3));
  std::vector<uint32_t> WordsA(WarpThreads), WordsB(WarpThreads);
  // Row 9 is the second of quad 1, column 5 quad 5; all else holds 1s, or 448
  // where the selectors do not look.
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane) {
    WordsA[Lane] = Lane % 4 < 2 ? 0x38383838 : 0x7E7E7E7E;
    WordsB[Lane] = Lane % 4 == 3 ? 0x38383838 : 0x7E7E7E7E;
  }
  WordsA[4 * 1 + 1] = uint32_t(*encode(E::ue4m3, 2.5)) << 16;
  WordsB[4 * 5 + 3] = uint32_t(*encode(E::ue4m3, 0.125)) << 16;
  WarpMatrix C(16, 8);
  C.at(9, 5) = 1;
  WarpMatrix D = scaledMultiplyAccumulate(
      A.values(E::e2m1x2), scales(WarpOperand::A, 4, {0, 0}, E::ue4m3, WordsA),
      B.values(E::e2m1x2), scales(WarpOperand::B, 4, {3, 0}, E::ue4m3, WordsB),
      C);
  for (unsigned Row = 0; Row != 16; ++Row)
    for (unsigned Column = 0; Column != 8; ++Column)
      EXPECT_EQ(D.at(Row, Column),
                Row == 9 && Column == 5 ? 1 - 1.5 * 2.5 * 3 * 0.125 : 0);
}

TEST(BlockScale, FromSparseRegistersToD) {
  // mma.sp::ordered_metadata.m16n8k128.kind::mxf4.block_scale, in numbers: A is
  // 2 in row 3, column 74. That is chunk 9, of which pairs 1 and 3 are kept,
  // and so column 36 of the packed A.
  Registers A(WarpFragment({16, 8, 64}, WarpOperand::A, E::e2m1x2));
  Registers B(WarpFragment({16, 8, 128}, WarpOperand::B, E::e2m1x2));
  A.word(12, 2) = 0x4 << 16;
  std::vector<uint32_t> Metadata(WarpThreads, 0x44444444);
  Metadata[14] = 0x444444D4;
  // B is 0.5 in row 74, column 6.
  B.word(25, 2) = 0x1 << 8;
  // The second half of K: 2^3 for row 3, 2^-1 for column 6. All others are 1.
  std::vector<uint32_t> ScalesA(WarpThreads, 0x7F7F7F7F), ScalesB = ScalesA;
  ScalesA[14] = 0x827F7F7F;
  ScalesB[24] = 0x7F7F7E7F;

  WarpMatrix Packed = A.values(E::e2m1x2), Whole(16, 128), C(16, 8);
  unsigned Kept = warpSparsity(E::e2m1x2).kept();
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
    for (unsigned Nibble = 0; Nibble != 8; ++Nibble) {
      auto Chunk = warpMetadata(E::e2m1x2, 128, 0, Lane, Nibble);
      ASSERT_TRUE(Chunk);
      for (unsigned Index = 0; Index != Kept; ++Index) {
        unsigned Column = warpKeptColumn(
            E::e2m1x2, Metadata[Lane] >> 4 * Nibble & 0xF, Index);
        Whole.at(Chunk->Row, 8 * Chunk->Chunk + Column) =
            Packed.at(Chunk->Row, Kept * Chunk->Chunk + Index);
      }
    }
  EXPECT_EQ(Whole.at(3, 74), 2);
  WarpMatrix D = scaledMultiplyAccumulate(
      Whole, scales(WarpOperand::A, 2, {1, 2}, E::ue8m0, ScalesA),
      B.values(E::e2m1x2), scales(WarpOperand::B, 2, {0, 0}, E::ue8m0, ScalesB),
      C);
  for (unsigned Row = 0; Row != 16; ++Row)
    for (unsigned Column = 0; Column != 8; ++Column)
      EXPECT_EQ(D.at(Row, Column), Row == 3 && Column == 6 ? 4 : 0);
}
