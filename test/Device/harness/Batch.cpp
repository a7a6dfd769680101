//===- Batch.cpp - Inputs and expected outputs of a launch ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>

using namespace devicetest;

/// Distinct operand tiles in shared memory, which the steps take in turn.
static constexpr unsigned MaxSharedTiles = 4;

namespace {

/// What one problem of the batch varies.
struct Variation {
  bool ScaleD;
  Arrangement Shared;
  Swizzle Mode;
  Numbers Kind;
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
  ProblemInputs Inputs(I, S.Steps, V.Kind, R);

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
    if (V.Kind == Numbers::Rounded || V.Kind == Numbers::Subnormal) {
      assert(S.Steps == 1 && "only the terms of one step are kept");
      Result.Terms.emplace(
          Result.Problems,
          SumTerms(I, A, BTiles[Tile],
                   ScaleD ? Sum : std::vector<double>(Sum.size())));
    }
    multiplyAccumulate(I, A, BTiles[Tile], ScaleD, Sum);
    if (V.Kind == Numbers::Rounded)
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
  Result.Kind.push_back(V.Kind);
  Result.Description.push_back(
      std::string("scale-d=") + (V.ScaleD ? "1" : "0") +
      " shared=" + name(V.Shared) + " swizzle=" + name(V.Mode) +
      (V.Kind == Numbers::Exact ? ""
                                : std::string(" numbers=") + name(V.Kind)));
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
        Variations.push_back({ScaleD, Shared, Swizzle::None, Numbers::Exact});
    Arrangement Swizzled =
        ScaleD && Gaps ? Arrangement::Gapped : Arrangement::KFirst;
    for (Swizzle Mode : {Swizzle::B32, Swizzle::B64, Swizzle::B128})
      Variations.push_back({ScaleD, Swizzled, Mode, Numbers::Exact});
    if (!ScaleD)
      for (Swizzle Mode : {Swizzle::B32, Swizzle::B64, Swizzle::B128})
        Variations.push_back(
            {ScaleD, Arrangement::Shifted, Mode, Numbers::Exact});
    // A chain of instructions could err as much as each of them.
    if (S.Steps == 1 && !isInteger(I.D))
      for (Numbers Kind :
           {Numbers::Rounded, Numbers::Special, Numbers::Subnormal})
        Variations.push_back(
            {ScaleD, Arrangement::KFirst, Swizzle::None, Kind});
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
