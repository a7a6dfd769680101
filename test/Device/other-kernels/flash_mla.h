//===- flash_mla.h - What the programs for FlashMLA share -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multi-head latent attention: all heads share one sequence of keys, and the
// first 512 elements of a key are its value. This header computes it on the
// host, in double precision, and derives how far off a kernel may be.
//
// There are two kinds of cases. In the first all is normally distributed, and
// the bounds are those of `Bounds` below. In the second, each query is one of
// its keys, with small integers; all other weights are less than the smallest
// float then, and the output has to be that key's value, bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_FLASH_MLA_H
#define NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_FLASH_MLA_H

#include "harness.h"
#include <cutlass/bfloat16.h>
#include <numeric>

namespace flashmla {

using BFloat = cutlass::bfloat16_t;
using harness::Expected;

constexpr size_t ValueSize = 512;
/// The keys that a kernel goes through at once.
constexpr size_t BlockSize = 64;
constexpr double Log2OfE = 1.4426950408889634;

/// Infinities are results too, but have no difference that could be compared.
constexpr float InfinityStandIn = 3e38f;

inline double replaceInfinity(double Value) {
  return std::isinf(Value) ? std::copysign(InfinityStandIn, Value) : Value;
}

inline std::vector<float> replaceInfinities(std::vector<float> Values) {
  for (float &Value : Values)
    Value = float(replaceInfinity(Value));
  return Values;
}

/// What all queries of a case have in common.
struct Setting {
  size_t KeySize;
  /// What the logits are multiplied by, for powers of e and of 2. The latter is
  /// what kernels compute with.
  float Scale, ScaleLog2;
  /// Whether each query is one of its keys.
  bool IsNeedle;

  Setting(size_t KeySize, bool IsNeedle)
      : KeySize(KeySize),
        // The standard deviation of what is no needle's logit is about 2.
        Scale(IsNeedle ? 0.25f : 2 / std::sqrt(float(KeySize))),
        ScaleLog2(float(Scale * Log2OfE)), IsNeedle(IsNeedle) {}
};

/// What is right for one head of one query.
struct Attention {
  std::vector<Expected> Output;
  /// The logarithm of the sum of the weights, without the sink's.
  Expected LogSum;
  /// The largest logit, times the scale.
  Expected Largest;
};

/// How far off a kernel may be that rounds the weights to bfloat16 for the
/// product with the values, but not for their sum.
///
/// A wgmma adds 16 products to an element of the accumulator. We allow that
/// each of the 17 addends loses what is below 2^-23 of the largest, which is at
/// most the sum of the absolute values of all products; that bounds the error
/// of a logit, and with it the relative error of a weight. Those of ex2.approx
/// and of the sums in float are counted in units of 2^-22, generously: all of
/// them are small against the 2^-8 of bfloat16.
struct Bounds {
  static constexpr double AddendError = 17.0 / (1 << 23);
  static constexpr double FloatError = 1.0 / (1 << 22);
  static constexpr double BFloatError = 1.0 / (1 << 8);

  /// Of a logit that is scaled for powers of 2.
  double Logit;
  /// Of a weight, or of the sum of them all, relatively.
  double Weight;
  /// Of a sum of weighted values, relative to that of their absolute values.
  double Product;

  /// \p Magnitude is the largest sum of the absolute values of a logit's
  /// products, \p Range the largest absolute value of an exponent, both scaled;
  /// \p NumSlots says how many keys the kernel goes through.
  Bounds(const Setting &Case, double Magnitude, double Range, size_t NumSlots) {
    double NumBlocks = NumSlots / double(BlockSize) + 1;
    Logit = FloatError * Range;
    // Small integers have exact sums.
    if (!Case.IsNeedle)
      Logit += Magnitude * AddendError * double(Case.KeySize / 16);
    // Each block may scale the former ones' sums anew, and each may be a split
    // of its own: these are scaled by powers of 2 of their logarithms.
    Weight = Logit + FloatError * (4 * Range + 4 * NumBlocks + 16);
    Product = AddendError * 4 * NumBlocks;
  }

  /// Of an element of the output, \p Value, where \p Absolute is the weighted
  /// sum of the values' absolute values, and \p Squares that of the squares of
  /// what is summed.
  ///
  /// The weights' errors from rounding to bfloat16 have a mean (all of them are
  /// equal if all weights are) and what is left is as good as independent. By
  /// Hoeffding's inequality it is larger than 8 times the root of the squares'
  /// sum with a probability below 2 * exp(-32), and it can't be larger than
  /// the sum of all.
  double output(double Value, double Absolute, double Squares) const {
    double Independent = std::abs(Value) + 8 * std::sqrt(Squares);
    double Rounding = BFloatError * std::min(Absolute, Independent);
    double Rest = (2 * Weight + Product) * Absolute;
    // Last, the output is rounded, too. What is below the smallest normal
    // number may have been flushed.
    return (Rounding + Rest) * (1 + BFloatError) +
           BFloatError * std::abs(Value) + 1e-30;
  }
};

/// The sum of products, and that of their absolute values.
struct DotProduct {
  double Sum = 0, Magnitude = 0;

  DotProduct(const float *A, const float *B, size_t Size) {
    // As many sums as compilers need to use vectors.
    constexpr size_t Width = 8;
    double Sums[Width] = {}, Magnitudes[Width] = {};
    for (size_t I = 0; I != Size; I += Width)
      for (size_t J = 0; J != Width; ++J) {
        // Exact: both have 8 bits.
        double Product = A[I + J] * B[I + J];
        Sums[J] += Product;
        Magnitudes[J] += std::abs(Product);
      }
    Sum = std::accumulate(Sums, Sums + Width, 0.0);
    Magnitude = std::accumulate(Magnitudes, Magnitudes + Width, 0.0);
  }
};

/// The sums over all keys that one element of the output is made from.
struct ValueSums {
  std::vector<double> Value, Absolute, Squares;

  ValueSums() : Value(ValueSize), Absolute(ValueSize), Squares(ValueSize) {}

  void add(const float *Key, double Weight) {
    double *Values = Value.data(), *Absolutes = Absolute.data(),
           *AllSquares = Squares.data();
    for (size_t I = 0; I != ValueSize; ++I) {
      double Product = Weight * Key[I];
      Values[I] += Product;
      Absolutes[I] += std::abs(Product);
      AllSquares[I] += Product * Product;
    }
  }
};

/// Ends the program if a needle's key doesn't have all the weight.
inline void expectNeedle(std::vector<double> Logits) {
  std::sort(Logits.rbegin(), Logits.rend());
  if (Logits.size() > 1 && Logits[0] < Logits[1] + 200) {
    std::fprintf(stderr, "needle in a haystack of needles\n");
    std::exit(2);
  }
}

/// What is right where there is no key.
inline Attention attendNothing() {
  return {
      std::vector<Expected>(ValueSize), {InfinityStandIn}, {-InfinityStandIn}};
}

/// Attention of \p Query over \p Keys. \p Sink is the logit, already scaled, of
/// a key that has no value.
inline Attention attend(const Setting &Case, const float *Query,
                        const std::vector<const float *> &Keys, double Sink,
                        size_t NumSlots) {
  if (Keys.empty())
    return attendNothing();

  std::vector<double> Logits;
  double Largest = -INFINITY, Range = 0, Magnitude = 0;
  for (const float *Key : Keys) {
    DotProduct Product(Query, Key, Case.KeySize);
    Logits.push_back(Product.Sum * Case.ScaleLog2);
    Largest = std::max(Largest, Logits.back());
    Range = std::max(Range, std::abs(Logits.back()));
    Magnitude = std::max(Magnitude, Product.Magnitude * Case.ScaleLog2);
  }
  if (Case.IsNeedle)
    expectNeedle(Logits);

  double Sum = 0;
  ValueSums Sums;
  for (size_t I = 0; I != Keys.size(); ++I) {
    double Weight = std::exp2(Logits[I] - Largest);
    Sum += Weight;
    // What is smaller makes no difference.
    if (Weight > 1e-30)
      Sums.add(Keys[I], Weight);
  }

  double SinkLog2 = Sink * Log2OfE;
  if (!std::isinf(SinkLog2))
    Range = std::max(Range, std::abs(SinkLog2));
  Bounds Allowed(Case, Magnitude, 2 * Range, NumSlots);
  double Total = Sum + std::exp2(SinkLog2 - Largest);

  Attention Result;
  for (size_t I = 0; I != ValueSize; ++I) {
    double Value = Sums.Value[I] / Total;
    double Error = Allowed.output(Value, Sums.Absolute[I] / Total,
                                  Sums.Squares[I] / Total / Total);
    Result.Output.push_back(
        {Value, Case.IsNeedle || std::isinf(Total) ? 0 : Error});
  }
  // Logarithm, sum and a division: each loses what it may of its result.
  double LogSum = (Largest + std::log2(Sum)) / Log2OfE;
  Result.LogSum = {LogSum,
                   Allowed.Weight + Bounds::FloatError * (1 + 4 * Range)};
  Result.Largest = {Largest / Log2OfE,
                    (Allowed.Logit + Bounds::FloatError * 4 * Range) / Log2OfE};
  return Result;
}

/// The expected results of all queries of a case.
struct Reference {
  std::vector<Expected> Output, LogSum, Largest;

  explicit Reference(size_t NumRows)
      : Output(NumRows * ValueSize), LogSum(NumRows), Largest(NumRows) {}

  void set(size_t Row, const Attention &Right) {
    std::copy(Right.Output.begin(), Right.Output.end(),
              Output.begin() + Row * ValueSize);
    LogSum[Row] = Right.LogSum;
    Largest[Row] = Right.Largest;
  }
};

/// The logits of what attracts attention without having a value: finite ones,
/// one that attracts nothing and one that attracts all.
inline std::vector<float> makeSinks(size_t NumHeads,
                                    std::mt19937_64 &Generator) {
  std::vector<float> Sinks = harness::normal<float>(NumHeads, Generator, 4);
  Sinks[NumHeads / 3] = -INFINITY;
  Sinks[NumHeads / 2] = INFINITY;
  return Sinks;
}

/// Fills \p Count pieces, in as many threads as there are cores; \p Fill gets a
/// piece's index and a generator of its own.
template <typename FillT>
void fillPieces(size_t Count, uint64_t Seed, FillT Fill) {
  harness::parallelFor(Count, [&](size_t Piece) {
    std::seed_seq Sequence{uint32_t(Seed), uint32_t(Seed >> 32),
                           uint32_t(Piece)};
    std::mt19937_64 Generator(Sequence);
    Fill(Piece, Generator);
  });
}

/// Elements that are small integers for a needle, normally distributed if not.
class Elements {
public:
  explicit Elements(bool IsNeedle) : IsNeedle(IsNeedle) {}

  float next(std::mt19937_64 &Generator) {
    return IsNeedle ? float(Integers(Generator)) : Normal(Generator);
  }

private:
  bool IsNeedle;
  std::uniform_int_distribution<int> Integers{-3, 3};
  std::normal_distribution<float> Normal;
};

/// \p Count rows of \p Size elements.
inline std::vector<BFloat> makeRows(size_t Count, size_t Size, bool IsNeedle,
                                    uint64_t Seed) {
  std::vector<BFloat> Rows(Count * Size);
  fillPieces(Count, Seed, [&](size_t Row, std::mt19937_64 &Generator) {
    Elements Source(IsNeedle);
    for (size_t I = 0; I != Size; ++I)
      Rows[Row * Size + I] = BFloat(Source.next(Generator));
  });
  return Rows;
}

/// Some tokens are never chosen and have no numbers. The last one of the first
/// 64 is among them: kernels may look at it in place of what does not exist.
inline bool isUnused(size_t Token) { return Token % 16 == 15; }

/// \p Count different tokens of \p NumTokens, in random order, of those that
/// are used.
inline std::vector<int> chooseTokens(size_t Count, size_t NumTokens,
                                     std::mt19937_64 &Generator) {
  std::vector<int> Tokens;
  for (size_t Token = 0; Token != NumTokens; ++Token)
    if (!isUnused(Token))
      Tokens.push_back(int(Token));
  if (Tokens.size() < Count) {
    std::fprintf(stderr, "%zu tokens, but %zu are wanted\n", Tokens.size(),
                 Count);
    std::exit(2);
  }
  for (size_t I = 0; I != Count; ++I)
    std::swap(Tokens[I], Tokens[I + Generator() % (Tokens.size() - I)]);
  Tokens.resize(Count);
  return Tokens;
}

inline std::vector<float> toFloats(const std::vector<BFloat> &Values) {
  return std::vector<float>(Values.begin(), Values.end());
}

/// Runs all cases; those that \p IsMeasured says, by number, are measured, too.
template <typename CasesT, typename CheckT, typename MeasureT,
          typename IsMeasuredT>
int runCases(const CasesT &Cases, const harness::Options &Options, CheckT Check,
             MeasureT Measure, IsMeasuredT IsMeasured) {
  bool IsRight = true;
  for (size_t I = 0; I != std::size(Cases); ++I) {
    harness::Comparison Result = Check(Cases[I], Options.Seed);
    double Operations = 0;
    double Milliseconds =
        IsMeasured(I) ? Measure(Cases[I], Options, Operations) : 0;
    IsRight &= harness::report(Cases[I].Name, Result, Milliseconds, Operations);
  }
  return IsRight ? 0 : 1;
}

/// Operations of attention: two products, a multiplication and an addition
/// each.
inline double countOperations(double NumRows, double NumKeys, size_t KeySize) {
  return 2 * NumRows * NumKeys * double(KeySize + ValueSize);
}

} // namespace flashmla

#endif // NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_FLASH_MLA_H
