//===- sparse_header_host.cpp - Tests of nvptx_sparse.h -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the model that the device tests compare with the hardware: what the
// header compresses is expanded by it again. Needs neither CUDA nor a GPU.
//
// REQUIRES: gtest
// RUN: clang++ -std=c++17 -O1 -Wall -Wextra -Wpedantic -Werror \
// RUN:     %s %model -o %t -lgtest -lgtest_main -lpthread
// RUN: %t
//
//===----------------------------------------------------------------------===//

#include "WarpFragment.h"
#include "gtest/gtest.h"

#include <cstring>
#include <nvptx_sparse.h>
#include <random>

using namespace devicetest;
namespace sparse = nvptx::sparse;

namespace {

constexpr unsigned Rows = 64, Threads = 128;

/// A tile of 64 rows, dense, as bytes. Units are what is kept or not: elements,
/// pairs of 4 bits.
struct Tile {
  unsigned RowBytes, UnitBytes;
  std::vector<uint8_t> Bytes;

  Tile(unsigned RowBytes, unsigned UnitBytes)
      : RowBytes(RowBytes), UnitBytes(UnitBytes), Bytes(Rows * RowBytes) {}
  uint8_t *unit(unsigned Row, unsigned Unit) {
    return &Bytes[Row * RowBytes + Unit * UnitBytes];
  }
};

/// A type of the header and of the model, and the K of an instruction.
template <sparse::type T> struct Case {
  static constexpr sparse::type type = T;
  Element Element;
  unsigned K;
};

/// The header's type, with the tile filled by \p Fill, there and back.
template <sparse::type T, class Fill>
void expectRoundTrip(Case<T> C, Fill fill) {
  WarpSparsity Sparsity = warpSparsity(C.Element);
  const unsigned ChunkUnits = Sparsity.ChunkWidth / Sparsity.Run;
  const unsigned KeptUnits = ChunkUnits / 2;
  const unsigned UnitBytes = sparse::chunk_bytes(T) / ChunkUnits;
  Tile Dense(sparse::tile_bytes(T), UnitBytes);
  fill(Dense, ChunkUnits, KeptUnits);

  alignas(16) uint8_t Kept[Rows * 64] = {};
  const unsigned KeptBytes = Dense.RowBytes / 2;
  uint32_t Words[Threads];
  bool Fits = true;
  std::vector<uint8_t> Aligned(Dense.Bytes.size() + 16);
  uint8_t *From = Aligned.data() + (-uintptr_t(Aligned.data()) & 15);
  std::memcpy(From, Dense.Bytes.data(), Dense.Bytes.size());
  for (unsigned Thread = 0; Thread != Threads; ++Thread)
    Words[Thread] = sparse::compress_tile<T>(From, Dense.RowBytes, Kept,
                                             KeptBytes, Thread, Fits);
  EXPECT_TRUE(Fits);

  Tile Back(Dense.RowBytes, UnitBytes);
  const unsigned StepChunks = C.K / Sparsity.ChunkWidth;
  for (unsigned Selector = 0; Selector != warpSelectors(C.Element, C.K);
       ++Selector)
    for (unsigned Thread = 0; Thread != Threads; ++Thread)
      for (unsigned Nibble = 0; Nibble != 8; ++Nibble) {
        std::optional<WarpChunk> Place =
            warpMetadata(C.Element, C.K, Selector, Thread % 32, Nibble);
        if (!Place)
          continue;
        unsigned Row = Thread / 32 * 16 + Place->Row;
        unsigned Chunk = Selector * StepChunks + Place->Chunk;
        uint8_t Bits = Words[Thread] >> 4 * Nibble & 0xF;
        for (unsigned I = 0; I != KeptUnits; ++I) {
          unsigned Unit =
              warpKeptColumn(C.Element, Bits, I * Sparsity.Run) / Sparsity.Run;
          std::memcpy(Back.unit(Row, Chunk * ChunkUnits + Unit),
                      Kept + Row * KeptBytes +
                          (Chunk * KeptUnits + I) * UnitBytes,
                      UnitBytes);
        }
      }
  EXPECT_EQ(Back.Bytes, Dense.Bytes);
}

/// In each chunk as many non-zeros as are kept, or fewer, in random places.
template <sparse::type T> void testType(Element Element, unsigned K) {
  std::mt19937 Random(1);
  for (unsigned NonZeros = 0; NonZeros <= 2; ++NonZeros)
    expectRoundTrip(Case<T>{Element, K}, [&](Tile &A, unsigned ChunkUnits,
                                             unsigned KeptUnits) {
      for (unsigned Row = 0; Row != Rows; ++Row)
        for (unsigned Unit = 0; Unit != A.RowBytes / A.UnitBytes;
             Unit += ChunkUnits)
          for (unsigned I = 0; I != NonZeros && I != KeptUnits; ++I)
            for (unsigned Byte = 0, U = Unit + Random() % ChunkUnits;
                 Byte != A.UnitBytes; ++Byte)
              A.unit(Row, U)[Byte] = Random() % 127 + 1;
    });
}

TEST(SparseHeader, RoundTrip) {
  testType<sparse::type::f16>(Element::f16, 32);
  testType<sparse::type::bf16>(Element::bf16, 32);
  testType<sparse::type::tf32>(Element::tf32, 16);
  testType<sparse::type::e4m3>(Element::e4m3, 64);
  testType<sparse::type::e5m2>(Element::e5m2, 64);
  testType<sparse::type::s8>(Element::s8, 64);
  testType<sparse::type::u8>(Element::u8, 64);
  testType<sparse::type::s4>(Element::s4, 128);
  testType<sparse::type::u4>(Element::u4, 128);
}

TEST(SparseHeader, EveryPlaceOfTwo) {
  for (unsigned First = 0; First != 4; ++First)
    for (unsigned Second = 0; Second != 4; ++Second)
      expectRoundTrip(Case<sparse::type::s8>{Element::s8, 64},
                      [&](Tile &A, unsigned, unsigned) {
                        for (unsigned Row = 0; Row != Rows; ++Row)
                          for (unsigned Unit = 0; Unit != 64; Unit += 4) {
                            *A.unit(Row, Unit + First) = 0x80;
                            *A.unit(Row, Unit + Second) = 1 + Row;
                          }
                      });
}

TEST(SparseHeader, SaysWhatDoesNotFit) {
  alignas(16) uint8_t Dense[Rows * 64] = {}, Kept[Rows * 32];
  // Three non-zeros in the last chunk of row 9, which is thread 7's.
  for (unsigned I : {60, 61, 63})
    Dense[9 * 64 + I] = 1;
  for (unsigned Thread = 0; Thread != Threads; ++Thread) {
    bool Fits = true;
    (void)sparse::compress_tile<sparse::type::u8>(Dense, 64, Kept, 32, Thread,
                                                  Fits);
    EXPECT_EQ(Fits, Thread != 7) << Thread;
  }
}

} // namespace
