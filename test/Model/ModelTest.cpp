//===- ModelTest.cpp - Tests of the layouts and codecs --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Device/harness/RegisterPlace.h"
#include "Fragment.h"
#include "Reference.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

using namespace devicetest;

namespace {

const Element SparseTypes[] = {Element::f16,  Element::bf16, Element::tf32,
                               Element::e4m3, Element::e5m2, Element::s8,
                               Element::u8};
const Element OperandTypes[] = {Element::f16,  Element::bf16, Element::tf32,
                                Element::e4m3, Element::e5m2, Element::s8,
                                Element::u8,   Element::b1};

const Arrangement Arrangements[] = {Arrangement::KFirst, Arrangement::MNFirst,
                                    Arrangement::Gapped, Arrangement::Shifted};
const Swizzle Swizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64,
                            Swizzle::B128};

//===----------------------------------------------------------------------===//
// Codecs
//===----------------------------------------------------------------------===//

TEST(Element, KnownValues) {
  struct {
    Element Type;
    uint32_t Bits;
    double Value;
  } const Cases[] = {
      {Element::f16, 0x0000, 0},
      {Element::f16, 0x3C00, 1},
      {Element::f16, 0xC500, -5},
      {Element::f16, 0x7BFF, 65504},
      {Element::f16, 0x0400, std::ldexp(1, -14)},
      {Element::f16, 0x0001, std::ldexp(1, -24)},
      {Element::f16, 0x03FF, std::ldexp(1023, -24)},
      {Element::bf16, 0x3F80, 1},
      {Element::bf16, 0xC040, -3},
      {Element::bf16, 0x7F7F, std::ldexp(255, 120)},
      {Element::bf16, 0x0001, std::ldexp(1, -133)},
      {Element::tf32, 0x3F800000, 1},
      {Element::tf32, 0x3F802000, 1 + std::ldexp(1, -10)},
      {Element::tf32, 0xC0E00000, -7},
      {Element::e4m3, 0x38, 1},
      {Element::e4m3, 0x7E, 448},
      {Element::e4m3, 0xFE, -448},
      {Element::e4m3, 0x78, 256},
      {Element::e4m3, 0x01, std::ldexp(1, -9)},
      {Element::e4m3, 0x08, std::ldexp(1, -6)},
      {Element::e5m2, 0x3C, 1},
      {Element::e5m2, 0x7B, 57344},
      {Element::e5m2, 0x01, std::ldexp(1, -16)},
      {Element::e5m2, 0xC7, -7},
      {Element::s8, 0x80, -128},
      {Element::s8, 0x7F, 127},
      {Element::s8, 0xFF, -1},
      {Element::u8, 0x80, 128},
      {Element::u8, 0xFF, 255},
      {Element::b1, 0, 0},
      {Element::b1, 1, 1},
      {Element::f32, 0x3FC00000, 1.5},
      {Element::f32, 0x4B7FFFFF, 16777215},
      {Element::s32, 0x80000000, -2147483648.0},
      {Element::s32, 0x7FFFFFFF, 2147483647.0},
  };
  for (const auto &Case : Cases) {
    EXPECT_EQ(decode(Case.Type, Case.Bits), Case.Value)
        << name(Case.Type) << " " << Case.Bits;
    EXPECT_EQ(encode(Case.Type, Case.Value), Case.Bits)
        << name(Case.Type) << " " << Case.Value;
  }
}

TEST(Element, InfinitiesAndNaNs) {
  double Infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(decode(Element::f16, 0x7C00), Infinity);
  EXPECT_EQ(decode(Element::bf16, 0xFF80), -Infinity);
  EXPECT_EQ(decode(Element::e5m2, 0x7C), Infinity);
  EXPECT_TRUE(std::isnan(decode(Element::e5m2, 0x7D)));
  EXPECT_TRUE(std::isnan(decode(Element::e4m3, 0x7F)));
  EXPECT_TRUE(std::isnan(decode(Element::e4m3, 0xFF)));
  EXPECT_TRUE(std::isnan(decode(Element::f32, 0x7FC00000)));
  EXPECT_EQ(encode(Element::f16, Infinity), 0x7C00u);
  EXPECT_EQ(encode(Element::bf16, -Infinity), 0xFF80u);
  EXPECT_EQ(encode(Element::tf32, Infinity), 0x7F800000u);
  double NaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(encode(Element::e4m3, NaN), 0x7Fu);
  EXPECT_EQ(encode(Element::f32, NaN), 0x7FFFFFFFu);
}

TEST(Element, Tf32IgnoresItsLow13Bits) {
  for (uint32_t Low : {0u, 1u, 0x1000u, 0x1FFFu})
    EXPECT_EQ(decode(Element::tf32, 0xC0E00000 | Low), -7);
}

TEST(Element, EncodesOnlyWhatIsExact) {
  struct {
    Element Type;
    double Value;
  } const Cases[] = {
      {Element::f16, 2049},
      {Element::f16, 65536},
      {Element::f16, 1e-9},
      {Element::bf16, 257},
      {Element::tf32, 2049},
      {Element::e4m3, 17},
      {Element::e4m3, 480},
      {Element::e4m3, std::ldexp(1, -10)},
      {Element::e5m2, 9},
      {Element::e5m2, 65536},
      {Element::s8, 128},
      {Element::s8, -129},
      {Element::s8, 0.5},
      {Element::u8, -1},
      {Element::u8, 256},
      {Element::b1, 2},
      {Element::b1, -1},
      {Element::f32, 16777217},
      {Element::s32, 2147483648.0},
      {Element::e4m3, std::numeric_limits<double>::infinity()},
      {Element::s32, std::numeric_limits<double>::quiet_NaN()},
  };
  for (const auto &Case : Cases)
    EXPECT_EQ(encode(Case.Type, Case.Value), std::nullopt)
        << name(Case.Type) << " " << Case.Value;
}

TEST(Element, EveryEncodingRoundTrips) {
  for (Element Type : OperandTypes) {
    unsigned Shift = Type == Element::tf32 ? 13 : 0;
    uint32_t Count = 1u << (bitWidth(Type) - Shift);
    for (uint32_t Bits = 0; Bits != Count; ++Bits) {
      double Value = decode(Type, Bits << Shift);
      if (std::isfinite(Value))
        ASSERT_EQ(encode(Type, Value), Bits << Shift) << name(Type);
    }
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Whatever the hardware's side fetches from a place must be what the model put
/// there, and the model must put something in every place once.
TEST(Fragment, AccumulatorIsABijection) {
  for (Element D : {Element::f16, Element::f32, Element::s32})
    for (unsigned N = 8; N <= 256; N += 8) {
      std::set<std::pair<unsigned, unsigned>> Seen;
      unsigned PerRegister = 32 / bitWidth(D);
      for (unsigned Thread = 0; Thread != Threads; ++Thread)
        for (unsigned Index = 0; Index != N / 2; ++Index) {
          Position P = accumulatorPosition(Thread, Index);
          ASSERT_LT(P.Row, Rows);
          ASSERT_LT(P.Column, N);
          ASSERT_TRUE(Seen.insert({P.Row, P.Column}).second);
          RegisterPlace Place = findInAccumulator(D, P.Row, P.Column);
          ASSERT_EQ(Place.Thread, Thread);
          ASSERT_EQ(Place.Register, Index / PerRegister);
          ASSERT_EQ(Place.Index, Index % PerRegister);
        }
      EXPECT_EQ(Seen.size(), Rows * N);
    }
}

TEST(Fragment, OperandIsABijection) {
  for (Element A : OperandTypes) {
    unsigned K = operandShape(/*Sparse=*/false, A).K;
    std::set<std::pair<unsigned, unsigned>> Seen;
    for (unsigned Thread = 0; Thread != Threads; ++Thread)
      for (unsigned Register = 0; Register != OperandRegisters; ++Register)
        for (unsigned Index = 0; Index != 32 / bitWidth(A); ++Index) {
          Position P = operandPosition(A, Thread, Register, Index);
          ASSERT_LT(P.Row, Rows);
          ASSERT_LT(P.Column, K);
          ASSERT_TRUE(Seen.insert({P.Row, P.Column}).second);
          RegisterPlace Place = findInFragment(A, P.Row, P.Column);
          ASSERT_EQ(Place.Thread, Thread);
          ASSERT_EQ(Place.Register, Register);
          ASSERT_EQ(Place.Index, Index);
        }
    EXPECT_EQ(Seen.size(), Rows * K);
  }
}

/// The PTX ISA's formulas for a dense A, where element i of a thread's fragment
/// is a_i: "Register Fragments for wgmma.mma_async.m64k16" and so on.
TEST(Fragment, DenseOperandIsAsDocumented) {
  for (unsigned Thread = 0; Thread != Threads; ++Thread) {
    unsigned WarpRow = Thread / 32 * 16;
    unsigned GroupID = Thread % 32 >> 2, InGroup = Thread % 4;
    auto Expect = [&](Element A, unsigned Index, bool UpperRow,
                      unsigned Column) {
      unsigned PerRegister = 32 / bitWidth(A);
      Position P =
          operandPosition(A, Thread, Index / PerRegister, Index % PerRegister);
      ASSERT_EQ(P.Row, WarpRow + GroupID + (UpperRow ? 8 : 0));
      ASSERT_EQ(P.Column, Column);
    };
    for (unsigned I = 0; I != 8; ++I)
      Expect(Element::f16, I, !(I < 2 || (4 <= I && I < 6)),
             InGroup * 2 + (I & 1) + (I < 4 ? 0 : 8));
    for (unsigned I = 0; I != 4; ++I)
      Expect(Element::tf32, I, !(I == 0 || I == 2), InGroup + (I < 2 ? 0 : 4));
    for (unsigned I = 0; I != 16; ++I)
      Expect(Element::s8, I, !(I < 4 || (8 <= I && I < 12)),
             InGroup * 4 + (I & 3) + (I < 8 ? 0 : 16));
    for (unsigned I = 0; I != 128; ++I)
      Expect(Element::b1, I, !(I < 32 || (64 <= I && I < 96)),
             InGroup * 32 + (I & 31) + (I < 64 ? 0 : 128));
  }
}

TEST(Fragment, MetadataIsABijectionForEachSelector) {
  for (Element A : SparseTypes) {
    OperandShape Shape = operandShape(/*Sparse=*/true, A);
    unsigned Selectors = bitWidth(A) == 8 ? 1 : 2;
    std::set<std::pair<unsigned, unsigned>> Contributing;
    for (unsigned Selector = 0; Selector != Selectors; ++Selector) {
      std::set<std::pair<unsigned, unsigned>> Seen;
      for (unsigned Thread = 0; Thread != Threads; ++Thread)
        for (unsigned Nibble = 0; Nibble != 8; ++Nibble) {
          auto P = metadataPosition(A, Selector, Thread, Nibble);
          if (!P)
            continue;
          ASSERT_LT(P->Row, Rows);
          ASSERT_LT(P->Column, Shape.chunks());
          ASSERT_TRUE(Seen.insert({P->Row, P->Column}).second);
          // No nibble serves two selectors.
          ASSERT_TRUE(Contributing.insert({Thread, Nibble}).second);
          RegisterPlace Place = findInMetadata(A, Selector, P->Row, P->Column);
          ASSERT_EQ(Place.Thread, Thread);
          ASSERT_EQ(Place.Index, Nibble);
        }
      EXPECT_EQ(Seen.size(), Rows * Shape.chunks());
    }
    EXPECT_EQ(Contributing.size(), Threads * 8);
  }
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

uint32_t byteOffset(const SharedLayout &Layout, unsigned MN, unsigned K) {
  return Layout.bitOffset(Layout.start(0), MN, K) / 8;
}

TEST(SharedLayout, KnownOffsets) {
  // 24 x 32 elements of 16 bits, K-major: 3 x 4 core matrices.
  SharedLayout KFirst(Element::f16, false, 24, 32, Arrangement::KFirst,
                      Swizzle::None);
  EXPECT_EQ(byteOffset(KFirst, 1, 0), 16u);
  EXPECT_EQ(byteOffset(KFirst, 0, 1), 2u);
  EXPECT_EQ(byteOffset(KFirst, 0, 8), 128u);
  EXPECT_EQ(byteOffset(KFirst, 8, 0), 512u);
  EXPECT_EQ(byteOffset(KFirst, 23, 31), 2 * 512u + 3 * 128 + 7 * 16 + 14);
  EXPECT_EQ(KFirst.size(1), 24 * 32 * 2u);
  EXPECT_EQ(KFirst.start(3), 3 * 24 * 32 * 2u);

  SharedLayout MNFirst(Element::f16, false, 24, 32, Arrangement::MNFirst,
                       Swizzle::None);
  EXPECT_EQ(byteOffset(MNFirst, 0, 8), 3 * 128u);
  EXPECT_EQ(byteOffset(MNFirst, 8, 0), 128u);

  // Transposed, the 16 bytes of a core matrix's row lie along N.
  SharedLayout Transposed(Element::f16, true, 24, 32, Arrangement::KFirst,
                          Swizzle::None);
  EXPECT_EQ(byteOffset(Transposed, 1, 0), 2u);
  EXPECT_EQ(byteOffset(Transposed, 0, 1), 16u);
  EXPECT_EQ(byteOffset(Transposed, 0, 8), 128u);
  EXPECT_EQ(byteOffset(Transposed, 8, 0), 512u);

  SharedLayout Bytes(Element::s8, false, 64, 32, Arrangement::KFirst,
                     Swizzle::None);
  EXPECT_EQ(byteOffset(Bytes, 0, 15), 15u);
  EXPECT_EQ(byteOffset(Bytes, 0, 16), 128u);
  EXPECT_EQ(byteOffset(Bytes, 8, 0), 256u);

  SharedLayout Bits(Element::b1, false, 8, 256, Arrangement::KFirst,
                    Swizzle::None);
  EXPECT_EQ(Bits.bitOffset(32, 2, 128 + 13), 8u * (32 + 128 + 2 * 16) + 13);
}

/// In rows of 16-byte units, each row of the pattern permutes them by exclusive
/// or; a row of 128 bytes is one line of 64 bytes two, of 32 bytes four rows.
TEST(SharedLayout, KnownSwizzles) {
  auto Unit = [](Swizzle Mode, unsigned Row, unsigned Column) {
    SharedLayout Layout(Element::s8, false, 16, 128, Arrangement::KFirst, Mode);
    return byteOffset(Layout, Row, 16 * Column) / 16;
  };
  for (unsigned Row = 0; Row != 8; ++Row)
    for (unsigned Column = 0; Column != 8; ++Column)
      EXPECT_EQ(Unit(Swizzle::B128, Row, Column), Row * 8 + (Column ^ Row));
  const unsigned In64[8] = {0, 0, 1, 1, 2, 2, 3, 3};
  const unsigned In32[8] = {0, 0, 0, 0, 1, 1, 1, 1};
  for (unsigned Row = 0; Row != 8; ++Row) {
    for (unsigned Column = 0; Column != 4; ++Column)
      EXPECT_EQ(Unit(Swizzle::B64, Row, Column),
                Row * 4 + (Column ^ In64[Row]));
    for (unsigned Column = 0; Column != 2; ++Column)
      EXPECT_EQ(Unit(Swizzle::B32, Row, Column),
                Row * 2 + (Column ^ In32[Row]));
  }
  // 128 bytes are one atom of 128, or two next to each other of 64.
  EXPECT_EQ(Unit(Swizzle::B128, 8, 0), 64u);
  EXPECT_EQ(Unit(Swizzle::B64, 0, 4), 32u);
  EXPECT_EQ(Unit(Swizzle::B64, 8, 0), 64u);
}

/// Matrices narrower than a row of the swizzle stand side by side in its atoms,
/// and with gaps, at their right end.
TEST(SharedLayout, NarrowMatricesShareAtoms) {
  SharedLayout Shared(Element::f16, false, 64, 16, Arrangement::KFirst,
                      Swizzle::B128);
  EXPECT_EQ(Shared.start(1), 32u);
  EXPECT_EQ(Shared.start(3), 96u);
  EXPECT_EQ(Shared.start(4), 64u * 128);
  EXPECT_EQ(Shared.size(4), 64u * 128);
  EXPECT_EQ(Shared.size(5), 2 * 64u * 128);
  EXPECT_EQ(Shared.bitOffset(Shared.start(1), 5, 0), 8u * (5 * 128 + 7 * 16));
  SharedLayout Gapped(Element::f16, false, 64, 16, Arrangement::Gapped,
                      Swizzle::B128);
  EXPECT_EQ(Gapped.start(0), 96u);
  EXPECT_EQ(Gapped.start(1), 96u + Gapped.size(1));
}

/// A base offset moves a layout and changes nothing else.
TEST(SharedLayout, ShiftedIsTheAlignedOneMoved) {
  for (auto [Mode, Shift] : {std::pair<Swizzle, uint32_t>{Swizzle::None, 0},
                             {Swizzle::B32, 128},
                             {Swizzle::B64, 384},
                             {Swizzle::B128, 384}})
    for (bool Transposed : {false, true}) {
      SharedLayout Aligned(Element::f16, Transposed, 64, 32,
                           Arrangement::KFirst, Mode);
      SharedLayout Shifted(Element::f16, Transposed, 64, 32,
                           Arrangement::Shifted, Mode);
      for (unsigned Matrix : {0, 1, 2}) {
        uint32_t Start = Aligned.start(Matrix);
        ASSERT_EQ(Shifted.start(Matrix), Start + Shift);
        for (unsigned MN = 0; MN != 64; ++MN)
          for (unsigned K = 0; K != 32; ++K)
            ASSERT_EQ(Shifted.bitOffset(Start + Shift, MN, K),
                      Aligned.bitOffset(Start, MN, K) + 8 * Shift);
      }
      // What follows may start another pattern.
      EXPECT_GE(Shifted.size(2), Aligned.size(2) + Shift);
      EXPECT_EQ(Shifted.size(2) % (8 * static_cast<uint32_t>(Mode)), 0u);
    }
}

TEST(SharedLayout, DescriptorFields) {
  auto Descriptor = [](bool Transposed, Arrangement A, Swizzle Mode) {
    return SharedLayout(Element::f16, Transposed, 24, 32, A, Mode)
        .descriptor(0x1230);
  };
  EXPECT_EQ(Descriptor(false, Arrangement::KFirst, Swizzle::None),
            0x0000'0020'0008'0123u);
  EXPECT_EQ(Descriptor(false, Arrangement::Gapped, Swizzle::None),
            0x0000'0048'0010'0123u);
  EXPECT_EQ(Descriptor(false, Arrangement::KFirst, Swizzle::B32),
            0xC000'0020'0010'0123u);
  EXPECT_EQ(Descriptor(false, Arrangement::KFirst, Swizzle::B64),
            0x8000'0020'0020'0123u);
  EXPECT_EQ(Descriptor(false, Arrangement::KFirst, Swizzle::B128),
            0x4000'0040'0040'0123u);
  // MN-major, 8 rows of K after another: the stride; 16 columns: the leading.
  EXPECT_EQ(Descriptor(true, Arrangement::KFirst, Swizzle::B32),
            0xC000'0010'0040'0123u);
}

/// Bits 7 to 9 of the address at which the pattern starts.
TEST(SharedLayout, BaseOffset) {
  auto BaseOffset = [](Arrangement A, Swizzle Mode, uint32_t Start) {
    SharedLayout Layout(Element::f16, false, 24, 16, A, Mode);
    return Layout.descriptor(Start) >> 49 & 7;
  };
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B128, 384), 3u);
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B64, 384), 3u);
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B32, 128), 1u);
  // After another matrix, or further along the row.
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B128, 2048 + 384), 3u);
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B128, 384 + 96), 3u);
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B64, 512 + 384), 7u);
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::B32, 512 + 128), 5u);
  // A pattern that starts where it should has none.
  EXPECT_EQ(BaseOffset(Arrangement::KFirst, Swizzle::B64, 512), 0u);
  EXPECT_EQ(BaseOffset(Arrangement::Shifted, Swizzle::None, 384), 0u);
}

/// All the elements of all the matrices that share the image have a place each.
TEST(SharedLayout, IsInjectiveAndAsTheDescriptorSays) {
  constexpr unsigned Matrices = 3;
  for (Element Type : OperandTypes) {
    unsigned K = operandShape(/*Sparse=*/false, Type).K;
    for (bool Transposed : {false, true})
      for (Arrangement Arranged : Arrangements)
        for (Swizzle Mode : Swizzles)
          for (auto [MN, StoredK] : {std::pair<unsigned, unsigned>{Rows, K},
                                     {8, 2 * K},
                                     {200, K},
                                     {256, 2 * K}}) {
            if (Transposed && bitWidth(Type) != 16)
              continue;
            SharedLayout Layout(Type, Transposed, MN, StoredK, Arranged, Mode);
            // Each element takes whole multiples of its own size.
            std::vector<bool> Seen(8 * Layout.size(Matrices) / bitWidth(Type));
            for (unsigned Matrix = 0; Matrix != Matrices; ++Matrix) {
              uint32_t Start = Layout.start(Matrix);
              uint64_t Descriptor = Layout.descriptor(Start);
              for (unsigned Row = 0; Row != MN; ++Row)
                for (unsigned Column = 0; Column != StoredK; ++Column) {
                  uint64_t Bit = Layout.bitOffset(Start, Row, Column);
                  ASSERT_EQ(Bit % bitWidth(Type), 0u);
                  size_t Place = Bit / bitWidth(Type);
                  ASSERT_LT(Place, Seen.size());
                  ASSERT_FALSE(Seen[Place]);
                  Seen[Place] = true;
                  ASSERT_EQ(
                      findInShared(Descriptor, Type, Transposed, Row, Column),
                      Bit);
                }
            }
          }
  }
}

//===----------------------------------------------------------------------===//
// Sparse matrices
//===----------------------------------------------------------------------===//

/// A full matrix with just the non-zeros that the sparsity permits, and the
/// tile that packs it.
struct RandomSparse {
  RandomSparse(Element Type, std::mt19937 &Engine)
      : Packed(/*Sparse=*/true, Type), Full(Rows * Packed.Shape.K) {
    OperandShape Shape = Packed.Shape;
    for (unsigned Row = 0; Row != Rows; ++Row)
      for (unsigned Chunk = 0; Chunk != Shape.chunks(); ++Chunk) {
        unsigned First = Engine() % (Shape.ChunkWidth - 1);
        unsigned Second = First + 1 + Engine() % (Shape.ChunkWidth - 1 - First);
        std::vector<unsigned> Places = {First, Second};
        uint8_t Nibble = First | Second << 2;
        if (Type == Element::tf32) {
          Places = {unsigned(Engine() % 2)};
          Nibble = Places[0] ? 0xE : 0x4;
        }
        Packed.nibble(Row, Chunk) = Nibble;
        for (unsigned Which = 0; Which != Places.size(); ++Which) {
          uint32_t Bits = 1 + Engine() % 0x7E;
          Packed.value(Row, Chunk * Places.size() + Which) = Bits;
          Full[Row * Shape.K + Chunk * Shape.ChunkWidth + Places[Which]] = Bits;
        }
      }
  }

  ATile Packed;
  std::vector<uint32_t> Full;
};

TEST(SparseA, ColumnsLeadBackToTheFullMatrix) {
  std::mt19937 Engine(1);
  for (Element Type : SparseTypes) {
    RandomSparse Random(Type, Engine);
    std::vector<uint32_t> Rebuilt(Random.Full.size());
    for (unsigned Row = 0; Row != Rows; ++Row)
      for (unsigned Column = 0; Column != Random.Packed.Shape.packedK();
           ++Column)
        Rebuilt[Row * Random.Packed.Shape.K +
                Random.Packed.column(Row, Column)] =
            Random.Packed.value(Row, Column);
    EXPECT_EQ(Rebuilt, Random.Full) << name(Type);
  }
}

TEST(SparseA, RegistersAndMetadataRebuildTheFullMatrix) {
  std::mt19937 Engine(2);
  for (Element Type : SparseTypes)
    for (unsigned Selector : {0, 1}) {
      if (Selector && bitWidth(Type) == 8)
        continue;
      RandomSparse Random(Type, Engine);
      OperandShape Shape = Random.Packed.Shape;
      std::vector<uint32_t> Fragment(Threads * OperandRegisters);
      Random.Packed.toRegisters(Fragment.data());
      std::vector<uint32_t> Metadata(Threads, 0xFFFFFFFF);
      Random.Packed.toMetadata(Selector, Metadata.data());

      std::vector<uint32_t> Rebuilt(Random.Full.size());
      for (unsigned Row = 0; Row != Rows; ++Row)
        for (unsigned Packed = 0; Packed != Shape.packedK(); ++Packed) {
          unsigned Chunk = Packed / Shape.NonZerosPerChunk;
          RegisterPlace Meta = findInMetadata(Type, Selector, Row, Chunk);
          unsigned Nibble = Metadata[Meta.Thread] >> 4 * Meta.Index & 0xF;
          unsigned InChunk = Type == Element::tf32 ? Nibble == 0xE
                             : Packed % 2          ? Nibble >> 2
                                                   : Nibble & 3;
          RegisterPlace Place = findInFragment(Type, Row, Packed);
          uint32_t Bits =
              Fragment[Place.Thread * OperandRegisters + Place.Register] >>
              Place.Index * bitWidth(Type);
          if (bitWidth(Type) < 32)
            Bits &= (1u << bitWidth(Type)) - 1;
          Rebuilt[Row * Shape.K + Chunk * Shape.ChunkWidth + InChunk] = Bits;
        }
      EXPECT_EQ(Rebuilt, Random.Full) << name(Type);
    }
}

TEST(SparseA, MetadataLeavesTheOtherThreadsAlone) {
  std::mt19937 Engine(3);
  RandomSparse Random(Element::f16, Engine);
  for (unsigned Selector : {0, 1}) {
    std::vector<uint32_t> Metadata(Threads, 0xFFFFFFFF);
    Random.Packed.toMetadata(Selector, Metadata.data());
    for (unsigned Thread = 0; Thread != Threads; ++Thread)
      EXPECT_EQ(Metadata[Thread] == 0xFFFFFFFF, Thread % 4 / 2 != Selector);
  }
}

TEST(SparseA, ValidNibblesAreTheIncreasingPairs) {
  std::set<uint8_t> Pairs;
  for (unsigned First = 0; First != 4; ++First)
    for (unsigned Second = First + 1; Second != 4; ++Second)
      Pairs.insert(First | Second << 2);
  const std::vector<uint8_t> &Valid = validNibbles(Element::s8);
  EXPECT_EQ(std::set<uint8_t>(Valid.begin(), Valid.end()), Pairs);
  EXPECT_EQ(validNibbles(Element::tf32), (std::vector<uint8_t>{0x4, 0xE}));
}

TEST(DenseA, RegistersRebuildTheMatrix) {
  std::mt19937 Engine(4);
  for (Element Type : OperandTypes) {
    ATile A(/*Sparse=*/false, Type);
    EXPECT_TRUE(A.Nibbles.empty());
    for (uint32_t &Value : A.Values)
      Value = Engine() >> (32 - bitWidth(Type));
    std::vector<uint32_t> Fragment(Threads * OperandRegisters);
    A.toRegisters(Fragment.data());
    for (unsigned Row = 0; Row != Rows; ++Row)
      for (unsigned Column = 0; Column != A.Shape.K; ++Column) {
        ASSERT_EQ(A.column(Row, Column), Column);
        RegisterPlace Place = findInFragment(Type, Row, Column);
        uint32_t Bits =
            Fragment[Place.Thread * OperandRegisters + Place.Register] >>
            Place.Index * bitWidth(Type);
        ASSERT_EQ(Bits << (32 - bitWidth(Type)), A.value(Row, Column)
                                                     << (32 - bitWidth(Type)));
      }
  }
}

/// Storing an element leaves its neighbours, which share bytes with a bit.
TEST(BTile, StoresBits) {
  BTile B(Element::b1, 8, 256);
  B.value(13, 2) = 1;
  SharedLayout Layout(Element::b1, false, 8, 256, Arrangement::KFirst,
                      Swizzle::None);
  std::vector<uint8_t> Image(Layout.size(1), 0xFF);
  B.toShared(Layout, 0, Image.data());
  for (unsigned Byte = 0; Byte != Image.size(); ++Byte)
    EXPECT_EQ(Image[Byte], Byte == 33 ? 1 << 5 : 0) << Byte;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// One product only: 3 in row 17 of A times 5 in B; of a sparse A, 3 is in
/// chunk 2 at position 1.
class OneProduct : public testing::Test {
protected:
  static constexpr unsigned Row = 17, Column = 6;

  double compute(const Instruction &I, double InD, bool ScaleD, double InA = 3,
                 double InB = 5) {
    ATile A(I.Sparse, I.A);
    BTile B(I.B, I.N, I.shape().K);
    for (uint8_t &Nibble : A.Nibbles)
      Nibble = validNibbles(I.A)[0];
    unsigned Packed = 5, Depth = 5;
    if (I.Sparse && I.A == Element::tf32) {
      A.nibble(Row, 2) = 0xE;
      Packed = 2;
    } else if (I.Sparse) {
      A.nibble(Row, 2) = 0x4;
      Depth = 9;
    }
    A.value(Row, Packed) = *encode(I.A, InA);
    B.value(Depth, Column) = *encode(I.B, InB);
    std::vector<double> D(Rows * I.N, InD);
    multiplyAccumulate(I, A, B, ScaleD, D);
    for (unsigned Index = 0; Index != D.size(); ++Index)
      if (Index != Row * I.N + Column)
        EXPECT_EQ(D[Index], ScaleD ? InD : 0);
    return D[Row * I.N + Column];
  }

  Instruction of(bool Sparse, Element D, Element A) {
    return {Sparse, Form::SS, D, A, A, 8};
  }
};

TEST_F(OneProduct, IsAdded) {
  for (bool Sparse : {false, true}) {
    for (Element A : {Element::f16, Element::bf16, Element::tf32, Element::e4m3,
                      Element::e5m2})
      for (int ScaleA : {1, -1})
        for (int ScaleB : {1, -1}) {
          Instruction I = of(Sparse, Element::f32, A);
          I.ScaleA = ScaleA;
          I.ScaleB = ScaleB;
          EXPECT_EQ(compute(I, 7, true), 7 + 15 * ScaleA * ScaleB);
          EXPECT_EQ(compute(I, 7, false), 15 * ScaleA * ScaleB);
        }
    EXPECT_EQ(compute(of(Sparse, Element::s32, Element::s8), 7, true, -3), -8);
  }
  EXPECT_EQ(compute(of(false, Element::s32, Element::b1), 7, true, 1, 1), 8);
  EXPECT_EQ(compute(of(false, Element::s32, Element::b1), 7, true, 1, 0), 7);
}

TEST_F(OneProduct, NegativeZerosMakeAPositiveOne) {
  for (bool Sparse : {false, true}) {
    Instruction I = of(Sparse, Element::f32, Element::f16);
    I.ScaleA = -1;
    EXPECT_FALSE(std::signbit(compute(I, -0.0, true, 0)));
  }
}

TEST_F(OneProduct, WrapsOrSaturates) {
  constexpr double Max = std::numeric_limits<int32_t>::max();
  constexpr double Min = std::numeric_limits<int32_t>::min();
  Instruction I = of(/*Sparse=*/true, Element::s32, Element::s8);
  EXPECT_EQ(compute(I, Max - 10, true), Min + 4);
  EXPECT_EQ(compute(I, Min + 10, true, -3), Max - 4);
  I.Satfinite = true;
  EXPECT_EQ(compute(I, Max - 10, true), Max);
  EXPECT_EQ(compute(I, Min + 10, true, -3), Min);
  EXPECT_EQ(compute(I, Max - 16, true), Max - 1);
}

TEST(Instruction, Names) {
  EXPECT_EQ((Instruction{true, Form::RS, Element::s32, Element::s8, Element::u8,
                         48, 0, 1, 1, false, false, true}
                 .name()),
            "sp.rs.s32.s8.u8.n48.satfinite");
  EXPECT_EQ((Instruction{true, Form::SS, Element::f32, Element::f16,
                         Element::f16, 24, 1, -1, -1, true, true}
                 .name()),
            "sp.ss.f32.f16.f16.n24.sel1.neg-a.neg-b.trans-a.trans-b");
  EXPECT_EQ(
      (Instruction{false, Form::SS, Element::s32, Element::b1, Element::b1, 16}
           .name()),
      "ss.s32.b1.b1.and.popc.n16");
}

} // namespace
