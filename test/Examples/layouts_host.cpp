//===- layouts_host.cpp - Tests of the examples of layouts ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the model that the device tests compare with the hardware. Needs
// neither CUDA nor a GPU.
//
// REQUIRES: gtest
// RUN: clang++ -std=c++17 -O1 -Wall -Wextra -Werror -I%S/../../examples \
// RUN:     %s %model -o %t -lgtest -lgtest_main -lpthread
// RUN: %t
//
//===----------------------------------------------------------------------===//

#include "layouts/compress.h"
#include "layouts/shared_tile.h"

#include "SharedLayout.h"
#include "WarpFragment.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <random>

using namespace devicetest;

namespace {

/// The A that the instruction multiplies, by what each lane passes.
void decompress(const layouts::CompressedTile &Tile, int Selector,
                uint16_t (&A)[16][32]) {
  WarpFragment Packed({16, 8, 16}, WarpOperand::A, Element::f16);
  std::memset(A, 0, sizeof(A));
  for (unsigned Lane = 0; Lane != WarpThreads; ++Lane)
    for (unsigned Nibble = 0; Nibble != 8; ++Nibble) {
      auto Place = warpMetadata(Element::f16, 32, Selector, Lane, Nibble);
      if (!Place)
        continue;
      uint8_t Bits =
          layouts::metadata(Tile, Lane, Selector) >> 4 * Nibble & 0xF;
      const std::vector<uint8_t> &Valid = warpNibbles(Element::f16);
      EXPECT_NE(std::find(Valid.begin(), Valid.end(), Bits), Valid.end())
          << unsigned(Bits);
      for (unsigned Which = 0; Which != 2; ++Which) {
        WarpPlace From =
            Packed.place({0, Place->Row, 2 * Place->Chunk + Which});
        A[Place->Row]
         [4 * Place->Chunk + warpKeptColumn(Element::f16, Bits, Which)] =
             layouts::fragment(Tile, From.Thread, From.Register) >> From.Bit;
      }
    }
}

void expectRoundTrip(const uint16_t (&A)[16][32]) {
  for (int Selector : {0, 1}) {
    uint16_t Back[16][32];
    decompress(layouts::compress(A), Selector, Back);
    for (int Row = 0; Row != 16; ++Row)
      for (int Column = 0; Column != 32; ++Column)
        ASSERT_EQ(Back[Row][Column], A[Row][Column])
            << Row << " " << Column << " selector " << Selector;
  }
}

TEST(LayoutsCompress, RandomTiles) {
  std::mt19937 Random(1);
  for (int NonZeros = 0; NonZeros <= 2; ++NonZeros) {
    uint16_t A[16][32] = {};
    for (auto &Row : A)
      for (int Chunk = 0; Chunk != 8; ++Chunk)
        for (int I = 0; I != NonZeros; ++I)
          Row[4 * Chunk + Random() % 4] = Random() % 0x7fff + 1;
    expectRoundTrip(A);
  }
}

TEST(LayoutsCompress, EveryPlaceOfTwo) {
  for (int First = 0; First != 4; ++First)
    for (int Second = 0; Second != 4; ++Second) {
      uint16_t A[16][32] = {};
      uint16_t Next = 1;
      for (auto &Row : A)
        for (int Chunk = 0; Chunk != 8; ++Chunk) {
          Row[4 * Chunk + First] = Next++;
          Row[4 * Chunk + Second] = Next++;
        }
      expectRoundTrip(A);
    }
}

/// The tile of the example, and the model's matrix that it should be.
struct TileAndLayout {
  TileAndLayout(bool MNMajor, Swizzle Mode, unsigned MN, unsigned K)
      : Tile{MNMajor ? K : MN, (MNMajor ? MN : K) * 2, unsigned(Mode)},
        Layout(Element::f16, MNMajor, MN, K,
               MNMajor ? Arrangement::KFirst : Arrangement::MNFirst, Mode) {}

  layouts::Tile Tile;
  SharedLayout Layout;
};

const Swizzle Swizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64,
                            Swizzle::B128};

TEST(LayoutsTile, OffsetsAreTheModels) {
  constexpr unsigned MN = 128, K = 128;
  for (Swizzle Mode : Swizzles)
    for (bool MNMajor : {false, true}) {
      TileAndLayout T(MNMajor, Mode, MN, K);
      for (unsigned I = 0; I != MN; ++I)
        for (unsigned J = 0; J != K; ++J)
          ASSERT_EQ(MNMajor ? T.Tile.offset(J, 2 * I) : T.Tile.offset(I, 2 * J),
                    T.Layout.bitOffset(0, I, J) / 8)
              << name(Mode) << " " << MNMajor << " " << I << " " << J;
    }
}

TEST(LayoutsTile, InstructionsStartWhereTheTilesElementsAre) {
  constexpr unsigned MN = 64, K = 128, StepK = 16;
  for (Swizzle Mode : Swizzles)
    for (bool MNMajor : {false, true}) {
      TileAndLayout T(MNMajor, Mode, MN, K);
      for (unsigned FirstK = 0; FirstK != K; FirstK += StepK) {
        unsigned Start = MNMajor ? T.Tile.mnMajorStart(FirstK)
                                 : T.Tile.kMajorStart(2 * FirstK);
        for (unsigned I = 0; I != MN; ++I)
          for (unsigned J = 0; J != StepK; ++J)
            ASSERT_EQ(T.Layout.bitOffset(Start, I, J),
                      T.Layout.bitOffset(0, I, FirstK + J))
                << name(Mode) << " " << MNMajor << " " << FirstK;
      }
    }
}

/// The table of docs/matrix-descriptors.md.
TEST(LayoutsTile, DescriptorOffsets) {
  for (Swizzle Mode : Swizzles)
    for (bool MNMajor : {false, true}) {
      TileAndLayout T(MNMajor, Mode, 128, 128);
      uint64_t Descriptor = T.Layout.descriptor(0);
      unsigned Leading = (Descriptor >> 16 & 0x3FFF) << 4;
      unsigned Stride = (Descriptor >> 32 & 0x3FFF) << 4;
      bool LeadingIsDown = MNMajor && Mode == Swizzle::None;
      EXPECT_EQ(Leading,
                LeadingIsDown ? T.Tile.downStep() : T.Tile.alongStep());
      EXPECT_EQ(Stride, LeadingIsDown ? T.Tile.alongStep() : T.Tile.downStep());
    }
}

} // namespace
