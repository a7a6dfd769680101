//===- Batch.cpp - Inputs and expected outputs of a launch ----------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "../model/Reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

using namespace devicetest;

/// Distinct operand tiles in shared memory, which the steps take in turn.
static constexpr unsigned MaxSharedTiles = 4;

namespace {

class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}

  uint32_t bits() { return static_cast<uint32_t>(Engine() >> 32); }
  uint64_t moreBits() { return Engine(); }
  uint32_t below(uint32_t Bound) { return bits() % Bound; }
  bool coin() { return below(2); }

private:
  std::mt19937_64 Engine;
};

/// Floating point values are Integer * 2^Exponent with one exponent for each
/// matrix, so that every sum is a small multiple of one power of two.
struct Magnitudes {
  int MaxOperandA, MaxOperandB;
  int MaxAccumulator;
};

/// What one problem of the batch varies.
struct Variation {
  bool ScaleD;
  Arrangement Shared;
  Swizzle Mode;
  bool Rounds;
};

} // namespace

/// The highest integer up to which a type has all.
static int maxInteger(Element Type) {
  switch (Type) {
  case Element::e5m2:
    return 7;
  case Element::e4m3:
    return 15;
  case Element::bf16:
    return 255;
  default:
    return 2047;
  }
}

static Magnitudes magnitudes(const Instruction &I, unsigned Steps) {
  // No partial sum exceeds this. f16 accumulators hold 11 bits. The tensor
  // cores add the products of 8-bit floating point with some 13 bits only.
  int Limit = I.D == Element::f16  ? 1 << 11
              : bitWidth(I.A) == 8 ? 1 << 12
                                   : 1 << 21;
  int Terms = I.shape().packedK() * Steps;
  int MaxOperand = static_cast<int>(std::sqrt(Limit / 2 / Terms));
  return {std::min(MaxOperand, maxInteger(I.A)),
          std::min(MaxOperand, maxInteger(I.B)), Limit / 2};
}

static uint32_t encodeExactly(Element Type, double Value) {
  auto Bits = encode(Type, Value);
  if (!Bits) {
    std::fprintf(stderr, "internal error: %s has no %g\n", name(Type), Value);
    std::abort();
  }
  return *Bits;
}

/// A finite non-zero, hence no product is a zero whose sign might differ.
static double randomFloat(int Max, int Exponent, Random &R) {
  double Magnitude = std::ldexp(1 + R.below(Max), Exponent);
  return R.coin() ? -Magnitude : Magnitude;
}

/// Any finite normal number of not too large an exponent: products and sums are
/// in the range of an f16.
static double randomRounding(int FractionBits, Random &R) {
  return floatFromBits(FractionBits, -6, 3, R.moreBits());
}

static uint32_t randomInt(Element Type, bool Negative, Random &R) {
  switch (Type) {
  case Element::b1:
    return R.below(2);
  case Element::u8:
    return R.below(256);
  default:
    return Negative ? 0x80 | R.below(128) : R.below(128);
  }
}

namespace {

/// Makes the operands and accumulators of one problem.
class ProblemInputs {
public:
  ProblemInputs(const Instruction &I, unsigned Steps, bool Rounds, Random &R)
      : I(I), R(R), Rounds(Rounds), Max(magnitudes(I, Steps)),
        ExponentA(int(R.below(5)) - 2), ExponentB(int(R.below(5)) - 2),
        RowNegative(Rows), ColumnNegative(I.N) {
    for (size_t Row = 0; Row != Rows; ++Row)
      RowNegative[Row] = R.coin();
    for (size_t Column = 0; Column != I.N; ++Column)
      ColumnNegative[Column] = R.coin();
  }

  ATile a() {
    ATile Tile(I.Sparse, I.A);
    const std::vector<uint8_t> &Valid = validNibbles(I.A);
    for (uint8_t &Nibble : Tile.Nibbles)
      Nibble = Valid[R.below(Valid.size())];
    for (unsigned Row = 0; Row != Rows; ++Row)
      for (unsigned Column = 0; Column != Tile.Shape.packedK(); ++Column)
        Tile.value(Row, Column) =
            operand(I.A, Max.MaxOperandA, ExponentA, RowNegative[Row]);
    return Tile;
  }

  BTile b() {
    BTile Tile(I.B, I.N, I.shape().K);
    for (unsigned Row = 0; Row != Tile.K; ++Row)
      for (unsigned Column = 0; Column != Tile.N; ++Column)
        Tile.value(Row, Column) =
            operand(I.B, Max.MaxOperandB, ExponentB, ColumnNegative[Column]);
    return Tile;
  }

  std::vector<double> accumulator() {
    std::vector<double> D(Rows * I.N);
    for (double &Value : D)
      Value = isInteger(I.D) ? accumulatorInt()
              : Rounds       ? randomRounding(fractionBits(I.D), R)
                             : accumulatorFloat();
    return D;
  }

private:
  uint32_t operand(Element Type, int MaxOperand, int Exponent, bool Negative) {
    if (!isInteger(Type)) {
      uint32_t Bits =
          encodeExactly(Type, Rounds ? randomRounding(fractionBits(Type), R)
                                     : randomFloat(MaxOperand, Exponent, R));
      if (Type == Element::tf32)
        Bits |= R.below(1 << 13); // to be truncated
      return Bits;
    }
    // When a sum saturates may depend on the order of its terms. It does not if
    // they all have one sign, so let that of the row and column decide.
    return randomInt(Type, I.Satfinite ? Negative : R.coin(), R);
  }

  double accumulatorFloat() {
    int Integer = int(R.below(2 * Max.MaxAccumulator + 1)) - Max.MaxAccumulator;
    return std::ldexp(Integer, ExponentA + ExponentB);
  }

  /// Often so near to an end of the range that the sum leaves it.
  double accumulatorInt() {
    using Limits = std::numeric_limits<int32_t>;
    uint32_t Near = I.shape().packedK() * (I.A == Element::b1 ? 1 : 1 << 13);
    switch (R.below(3)) {
    case 0:
      return double(Limits::max()) - R.below(Near);
    case 1:
      return double(Limits::min()) + R.below(Near);
    default:
      return static_cast<int32_t>(R.bits());
    }
  }

  const Instruction &I;
  Random &R;
  bool Rounds;
  Magnitudes Max;
  int ExponentA, ExponentB;
  std::vector<bool> RowNegative, ColumnNegative;
};

/// The places of the tiles in a shared memory image: all of A, then all of B.
class ImageLayout {
public:
  ImageLayout(const Instruction &I, const Variation &V, unsigned Tiles)
      : A(I.A, I.TransA, Rows, I.shape().packedK(), V.Shared, V.Mode),
        B(I.B, I.TransB, I.N, I.shape().K, V.Shared, V.Mode),
        SizeOfA(I.Source == Form::SS ? A.size(Tiles) : 0),
        SizeOfB(B.size(Tiles)) {}

  SharedLayout A, B;

  uint32_t startOfA(unsigned Tile) const { return A.start(Tile); }
  uint32_t startOfB(unsigned Tile) const { return SizeOfA + B.start(Tile); }
  uint32_t size() const { return SizeOfA + SizeOfB; }

private:
  uint32_t SizeOfA, SizeOfB;
};

} // namespace

static void appendRandom(std::vector<uint32_t> &Words, size_t Count,
                         Random &R) {
  for (size_t Index = 0; Index != Count; ++Index)
    Words.push_back(R.bits());
}

static void appendProblem(Batch &Result, const Instruction &I,
                          const Schedule &S, const Variation &V, Random &R) {
  unsigned Tiles = std::min(S.Steps, MaxSharedTiles);
  ImageLayout Image(I, V, Tiles);
  ProblemInputs Inputs(I, S.Steps, V.Rounds, R);

  // Begin with garbage everywhere, so that what is read from elsewhere shows.
  size_t SharedStart = Result.Shared.size();
  for (uint32_t Byte = 0; Byte != Result.SharedBytes; Byte += 4) {
    uint32_t Bits = R.bits();
    for (unsigned Shift = 0; Shift != 32; Shift += 8)
      Result.Shared.push_back(uint8_t(Bits >> Shift));
  }
  size_t AccumulatorStart = Result.Accumulator.size();
  appendRandom(Result.Accumulator, Result.registersPerCta(), R);
  size_t FragmentStart = Result.Fragment.size();
  unsigned StoredSteps = S.Steps + StepsAhead;
  appendRandom(Result.Fragment, StoredSteps * Threads * OperandRegisters, R);
  size_t MetadataStart = Result.Metadata.size();
  appendRandom(Result.Metadata, StoredSteps * Threads, R);
  Result.Expected.resize(Result.Expected.size() + Result.registersPerCta());
  Result.ScaleD.push_back(V.ScaleD);

  std::vector<ATile> ATiles;
  std::vector<BTile> BTiles;
  for (unsigned Tile = 0; Tile != Tiles; ++Tile) {
    BTiles.push_back(Inputs.b());
    BTiles.back().toShared(Image.B, Image.startOfB(Tile),
                           &Result.Shared[SharedStart]);
    if (I.Source != Form::SS)
      continue;
    ATiles.push_back(Inputs.a());
    ATiles.back().toShared(Image.A, Image.startOfA(Tile),
                           &Result.Shared[SharedStart]);
  }

  size_t PerAccumulator = size_t(Threads) * Result.AccumulatorRegisters;
  std::vector<std::vector<double>> D;
  for (unsigned Index = 0; Index != S.Accumulators; ++Index) {
    D.push_back(Inputs.accumulator());
    // With scale-d off, the garbage stays: it must have no effect.
    if (V.ScaleD &&
        !toAccumulator(
            I, D.back(),
            &Result.Accumulator[AccumulatorStart + Index * PerAccumulator]))
      std::abort();
  }

  for (unsigned Step = 0; Step != S.Steps; ++Step) {
    unsigned Tile = Step % Tiles;
    ATile A = I.Source == Form::SS ? ATiles[Tile] : Inputs.a();
    if (I.Source == Form::RS)
      A.toRegisters(
          &Result.Fragment[FragmentStart + Step * Threads * OperandRegisters]);
    if (I.Sparse)
      A.toMetadata(I.Selector,
                   &Result.Metadata[MetadataStart + Step * Threads]);
    Result.Descriptor.push_back(Image.A.descriptor(Image.startOfA(Tile)));
    Result.Descriptor.push_back(Image.B.descriptor(Image.startOfB(Tile)));
    std::vector<double> &Sum = D[Step % S.Accumulators];
    bool ScaleD = V.ScaleD || Step >= S.Accumulators;
    if (V.Rounds)
      Result.RoundingProblems.insert(
          {Result.Problems,
           {A, BTiles[Tile], ScaleD ? Sum : std::vector<double>(Sum.size())}});
    multiplyAccumulate(I, A, BTiles[Tile], ScaleD, Sum);
    if (V.Rounds)
      for (double &Value : Sum)
        Value =
            rounded(Value, accumulationPrecision(I).Result, Rounding::Nearest);
  }

  for (unsigned Index = 0; Index != S.Accumulators; ++Index)
    if (!toAccumulator(
            I, D[Index],
            &Result.Expected[AccumulatorStart + Index * PerAccumulator])) {
      std::fprintf(stderr, "internal error: inexact result in %s\n",
                   I.name().c_str());
      std::abort();
    }

  Result.Mode.push_back(V.Mode);
  Result.Description.push_back(
      std::string("scale-d=") + (V.ScaleD ? "1" : "0") +
      " shared=" + name(V.Shared) + " swizzle=" + name(V.Mode) +
      (V.Rounds ? " sums=rounded" : ""));
  ++Result.Problems;
}

Batch devicetest::makeBatch(const Instruction &I, const Schedule &S,
                            uint64_t Seed) {
  // Several tiles with gaps would leave room for one CTA per SM only.
  bool Gaps = S.Steps == 1;
  std::vector<Variation> Variations;
  for (bool ScaleD : {false, true}) {
    for (Arrangement Shared :
         {Arrangement::KFirst, Arrangement::MNFirst, Arrangement::Gapped})
      if (Gaps || Shared != Arrangement::Gapped)
        Variations.push_back({ScaleD, Shared, Swizzle::None, false});
    Arrangement Swizzled =
        ScaleD && Gaps ? Arrangement::Gapped : Arrangement::KFirst;
    for (Swizzle Mode : {Swizzle::B32, Swizzle::B64, Swizzle::B128})
      Variations.push_back({ScaleD, Swizzled, Mode, false});
    if (!ScaleD)
      for (Swizzle Mode : {Swizzle::B32, Swizzle::B64, Swizzle::B128})
        Variations.push_back({ScaleD, Arrangement::Shifted, Mode, false});
    // A chain of instructions could err as much as each of them.
    if (S.Steps == 1 && !isInteger(I.D))
      Variations.push_back(
          {ScaleD, Arrangement::KFirst, Swizzle::None, /*Rounds=*/true});
  }

  Batch Result;
  Result.Steps = S.Steps;
  Result.Accumulators = S.Accumulators;
  Result.AccumulatorRegisters = I.accumulatorRegisters();
  Result.SharedBytes = 0;
  for (const Variation &V : Variations)
    Result.SharedBytes =
        std::max(Result.SharedBytes,
                 ImageLayout(I, V, std::min(S.Steps, MaxSharedTiles)).size());

  Random R(Seed);
  for (const Variation &V : Variations)
    appendProblem(Result, I, S, V, R);
  return Result;
}
