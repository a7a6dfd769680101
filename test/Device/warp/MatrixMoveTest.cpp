//===- MatrixMoveTest.cpp - Tests of ldmatrix, stmatrix, movmatrix --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "Operands.h"

#include <algorithm>
#include <numeric>

using namespace devicetest;

static constexpr unsigned Problems = 8;
static constexpr WarpShape MatrixShape = {8, 8, 8};
static constexpr unsigned RowBytes = 16;
static constexpr unsigned Rows = 8;

/// Each thread holds two elements of a row in its register, as of an
/// accumulator of 8x8 elements of f16.
static WarpPosition elementPosition(unsigned Thread, unsigned Half,
                                    bool Transposed) {
  static const WarpFragment Fragment(MatrixShape, WarpOperand::C, Element::f16);
  WarpPosition P = Fragment.position(Thread, Half);
  if (Transposed)
    std::swap(P.Row, P.Column);
  return P;
}

namespace {

/// Places for the rows of the matrices, none of which overlap, and for the
/// addresses that are ignored.
class RowPlaces {
public:
  explicit RowPlaces(Random &R) : Offsets(ImageWords * 4 / RowBytes) {
    std::iota(Offsets.begin(), Offsets.end(), 0);
    for (size_t Index = Offsets.size() - 1; Index; --Index)
      std::swap(Offsets[Index], Offsets[R.below(Index + 1)]);
  }

  /// Thread 8*i + r gives the address of row r of the i-th matrix.
  uint32_t offset(unsigned Thread) const { return Offsets[Thread] * RowBytes; }
  uint32_t offset(unsigned Matrix, unsigned Row, unsigned Column) const {
    return offset(Matrix * Rows + Row) + Column * 2;
  }

private:
  std::vector<uint32_t> Offsets;
};

} // namespace

static uint64_t halfOf(const uint32_t *Words, size_t Index) {
  return Words[Index / 2] >> Index % 2 * 16 & 0xFFFF;
}

static std::string where(unsigned Problem, unsigned Thread, unsigned Register,
                         unsigned Half, const WarpPosition &P) {
  return "problem " + std::to_string(Problem) + ", matrix " +
         std::to_string(Register) + ", row " + std::to_string(P.Row) +
         ", column " + std::to_string(P.Column) + " = thread " +
         std::to_string(Thread) + ", register " + std::to_string(Register) +
         ", bit " + std::to_string(16 * Half) + ": ";
}

static void fillRandom(uint32_t *Words, size_t Count, Random &R) {
  for (size_t Index = 0; Index != Count; ++Index)
    Words[Index] = static_cast<uint32_t>(R.bits());
}

static Outcome testLoad(const Kernel &K, WarpDevice &Device) {
  Outcome Result;
  Random R(seedOf(K.Name));
  Launch L(K, Problems);
  std::vector<RowPlaces> Places;
  for (unsigned Cta = 0; Cta != Problems; ++Cta) {
    Places.emplace_back(R);
    fillRandom(L.in(Cta), ImageWords, R);
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
      L.setParameters(Cta, Thread, {Places[Cta].offset(Thread), 0, 1});
  }
  if (!Result.launch(L, Device))
    return Result;

  for (unsigned Cta = 0; Cta != Problems; ++Cta)
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
      for (unsigned Register = 0; Register != K.outWords(); ++Register)
        for (unsigned Half = 0; Half != 2; ++Half) {
          WarpPosition P = elementPosition(Thread, Half, K.flag("trans"));
          uint64_t Expected = halfOf(
              L.in(Cta), Places[Cta].offset(Register, P.Row, P.Column) / 2);
          uint64_t Got =
              halfOf(L.out(Cta) + Thread * K.outWords() + Register, Half);
          Result.compare(Expected, Got, [&] {
            return where(Cta, Thread, Register, Half, P) +
                   expectedAndGot(Element::b16, Expected, Got);
          });
        }
  return Result;
}

static Outcome testStore(const Kernel &K, WarpDevice &Device) {
  Outcome Result;
  Random R(seedOf(K.Name));
  Launch L(K, Problems);
  /// For each half of the image, what belongs there and whence it comes.
  struct Source {
    uint64_t Expected = Launch::Poison & 0xFFFF;
    std::string Where;
  };
  std::vector<std::vector<Source>> Image(Problems,
                                         std::vector<Source>(ImageWords * 2));
  for (unsigned Cta = 0; Cta != Problems; ++Cta) {
    RowPlaces Places(R);
    fillRandom(L.in(Cta), K.inRecord(), R);
    for (unsigned Index = 1; Index < ImageWords * 2; Index += 2)
      Image[Cta][Index].Expected = Launch::Poison >> 16;
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread) {
      L.setParameters(Cta, Thread, {Places.offset(Thread), 0, 1});
      for (unsigned Register = 0; Register != K.inWords(); ++Register)
        for (unsigned Half = 0; Half != 2; ++Half) {
          WarpPosition P = elementPosition(Thread, Half, K.flag("trans"));
          Image[Cta][Places.offset(Register, P.Row, P.Column) / 2] = {
              halfOf(L.in(Cta) + Thread * L.inStride() + Register, Half),
              where(Cta, Thread, Register, Half, P)};
        }
    }
  }
  if (!Result.launch(L, Device))
    return Result;

  for (unsigned Cta = 0; Cta != Problems; ++Cta)
    for (unsigned Index = 0; Index != ImageWords * 2; ++Index) {
      const Source &S = Image[Cta][Index];
      uint64_t Got = halfOf(L.out(Cta), Index);
      Result.compare(S.Expected, Got, [&] {
        std::string Gap = "problem " + std::to_string(Cta) + ", byte " +
                          std::to_string(2 * Index) +
                          ", where no element belongs: ";
        return (S.Where.empty() ? Gap : S.Where) +
               expectedAndGot(Element::b16, S.Expected, Got);
      });
    }
  return Result;
}

static Outcome testMove(const Kernel &K, WarpDevice &Device) {
  Outcome Result;
  Random R(seedOf(K.Name));
  Launch L(K, Problems);
  for (unsigned Cta = 0; Cta != Problems; ++Cta)
    fillRandom(L.in(Cta), K.inRecord(), R);
  if (!Result.launch(L, Device))
    return Result;

  WarpFragment Fragment(MatrixShape, WarpOperand::C, Element::f16);
  for (unsigned Cta = 0; Cta != Problems; ++Cta)
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
      for (unsigned Half = 0; Half != 2; ++Half) {
        WarpPosition P = elementPosition(Thread, Half, /*Transposed=*/true);
        WarpPlace From = Fragment.place(P);
        uint64_t Expected = halfOf(L.in(Cta) + From.Thread, From.Bit / 16);
        uint64_t Got = halfOf(L.out(Cta) + Thread, Half);
        Result.compare(Expected, Got, [&] {
          return where(Cta, Thread, 0, Half, P) +
                 expectedAndGot(Element::b16, Expected, Got);
        });
      }
  return Result;
}

Outcome devicetest::testMatrixMove(const Kernel &K, WarpDevice &Device) {
  switch (K.kind()) {
  case KernelKind::Load:
    return testLoad(K, Device);
  case KernelKind::Store:
    return testStore(K, Device);
  case KernelKind::Registers:
    break;
  }
  return testMove(K, Device);
}
