//===- deep_gemm_fp8_mqa_logits.cu - Runs DeepGEMM's kernel for an indexer ===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each query has several heads, and a range of the keys. The logit of a query
// and a key is the sum over the heads of what is positive of their product,
// times the head's weight; and all that times the key's scale.
//
// There are two layouts. In the compressed one a query's row begins with the
// first key of its range, and nothing else may be written. In the other one a
// key has the same column in all rows, and a block writes all that it computes,
// without a meaning; there, only what lies beyond a block must be untouched.
//
// Everything is exact, see deep_gemm.h.
//
//===----------------------------------------------------------------------===//

#include "deep_gemm.h"
#include <deep_gemm/impls/sm90_fp8_mqa_logits.cuh>

using namespace deepgemm;

namespace {

/// The tensor cores' accumulators have to hold sums of 128 products: 6272 is
/// below 2^13. Weighted sums of 64 heads are below 2^21.
constexpr int MostElement = 7;
constexpr int MostWeight = 4;

constexpr uint32_t NumMathThreads = 512;
constexpr uint32_t BlockKeys = NumMathThreads / 2;
/// The queries of a block have so many heads.
constexpr uint32_t HeadsPerBlock = 128;
/// Both of queries and of keys.
constexpr uint32_t NumStages = 3;

template <uint32_t NumHeadsV, uint32_t HeadSizeV, bool IsCompressedV,
          typename LogitV>
struct Configuration {
  using LogitT = LogitV;
  static constexpr uint32_t NumHeads = NumHeadsV, HeadSize = HeadSizeV;
  static constexpr bool IsCompressed = IsCompressedV;
  static constexpr uint32_t BlockQueries = HeadsPerBlock / NumHeads;

  /// Four barriers for each stage, and what only newer GPUs need.
  static constexpr uint32_t SharedBytes =
      NumStages * (HeadsPerBlock * (HeadSize + sizeof(float)) +
                   BlockKeys * (HeadSize + sizeof(float)) + 4 * 8) +
      NumMathThreads / 128 * 2 * 8 + 4;

  static auto kernel() {
    return &deep_gemm::sm90_fp8_mqa_logits<
        NumHeads, HeadSize, IsCompressed, BlockQueries, BlockKeys, NumStages,
        NumStages, NumSMs, NumLoadThreads, NumMathThreads, LogitT>;
  }
};

/// How many queries and keys there are, and which keys a query has.
struct Ranges {
  uint32_t NumQueries, NumKeys;
  std::vector<uint32_t> Starts, Ends;

  uint32_t size(size_t Query) const { return Ends[Query] - Starts[Query]; }
  uint32_t largest() const {
    uint32_t Largest = 0;
    for (size_t Query = 0; Query != NumQueries; ++Query)
      Largest = std::max(Largest, size(Query));
    return Largest;
  }
  double total() const {
    double Total = 0;
    for (size_t Query = 0; Query != NumQueries; ++Query)
      Total += size(Query);
    return Total;
  }
};

/// Each query has all keys up to its own.
Ranges causalRanges(uint32_t NumQueries, uint32_t NumKeys) {
  Ranges Of = {NumQueries, NumKeys, {}, {}};
  Of.Starts.resize(NumQueries);
  for (uint32_t Query = 0; Query != NumQueries; ++Query)
    Of.Ends.push_back(NumKeys - NumQueries + Query);
  return Of;
}

/// Of 32 queries, the first eight have no keys, so that whole blocks have none.
Ranges randomRanges(uint32_t NumQueries, uint32_t NumKeys,
                    std::mt19937_64 &Generator) {
  Ranges Of = {NumQueries, NumKeys, {}, {}};
  for (uint32_t Query = 0; Query != NumQueries; ++Query) {
    uint32_t Start = uint32_t(Generator() % NumKeys) / 2;
    uint32_t Size = uint32_t(Generator() % (NumKeys - Start + 1));
    if (Query % 32 < 8) {
      Start = Query / 32 * 4;
      Size = 0;
    } else if (Query % 32 == 17) {
      // Here is none, but its neighbours have keys.
      Size = 0;
    } else if (Query == NumQueries - 1) {
      // The keys end inside of a block.
      Size = NumKeys - Start;
    }
    Of.Starts.push_back(Start);
    Of.Ends.push_back(Start + Size);
  }
  return Of;
}

/// What the host makes of a case. All are integers; scales are for keys.
template <typename Config> struct Inputs {
  std::vector<int16_t> Queries, Keys, Weights;
  std::vector<uint8_t> Scales;

  Inputs(const Ranges &Of, std::mt19937_64 &Generator)
      : Queries(randomIntegers(size_t(Of.NumQueries) * Config::NumHeads *
                                   Config::HeadSize,
                               MostElement, Generator)),
        Keys(randomIntegers(size_t(Of.NumKeys) * Config::HeadSize, MostElement,
                            Generator)),
        Weights(randomIntegers(size_t(Of.NumQueries) * Config::NumHeads,
                               MostWeight, Generator)),
        Scales(randomScales(Of.NumKeys, Generator)) {}

  /// As many as TMA needs.
  std::vector<float> scales() const {
    std::vector<float> Floats(scaleStride(Scales.size()), NAN);
    std::transform(Scales.begin(), Scales.end(), Floats.begin(), scaleAsFloat);
    return Floats;
  }

  double logit(size_t Query, size_t Key) const {
    int32_t Sum = 0;
    for (size_t Head = Query * Config::NumHeads;
         Head != (Query + 1) * Config::NumHeads; ++Head)
      Sum += Weights[Head] *
             std::max(0, harness::dotProduct(&Queries[Head * Config::HeadSize],
                                             &Keys[Key * Config::HeadSize],
                                             Config::HeadSize));
    float Logit = Sum * scaleAsFloat(Scales[Key]);
    return std::is_same<typename Config::LogitT, float>::value
               ? Logit
               : harness::roundToBF16(Logit);
  }
};

/// A case, on the GPU. Rows of logits are aligned, and there are as many as
/// blocks have.
template <typename Config> struct Problem {
  using LogitT = typename Config::LogitT;

  Ranges Of;
  uint32_t Stride;
  Buffer<Float8> Queries, Keys;
  Buffer<float> Weights, Scales;
  Buffer<uint32_t> Starts, Ends;
  Buffer<LogitT> Logits;

  Problem(const Ranges &Of, const std::vector<Float8> &Queries,
          const std::vector<Float8> &Keys, const std::vector<float> &Weights,
          const std::vector<float> &Scales)
      : Of(Of),
        Stride(alignTo(Config::IsCompressed ? alignTo(Of.largest(), BlockKeys)
                                            : Of.NumKeys + BlockKeys,
                       1024 / sizeof(LogitT))),
        Queries(Queries), Keys(Keys), Weights(Weights), Scales(Scales),
        Starts(Of.Starts), Ends(Of.Ends),
        Logits(size_t(alignTo(Of.NumQueries, Config::BlockQueries)) * Stride) {}

  std::function<void()> prepare() {
    constexpr uint32_t NumHeads = Config::NumHeads, Size = Config::HeadSize;
    auto Launch = launcherFor(Config::kernel(), NumLoadThreads + NumMathThreads,
                              Config::SharedBytes, 1);
    auto MapQueries =
        makeTensorMap(Queries.data(), {Of.NumQueries * NumHeads, Size}, Size,
                      {HeadsPerBlock, Size}, Size);
    auto MapKeys = makeTensorMap(Keys.data(), {Of.NumKeys, Size}, Size,
                                 {BlockKeys, Size}, Size);
    auto MapScales = makeScaleMap(Scales.data(), Of.NumKeys, 1, BlockKeys);
    auto MapWeights =
        makeTensorMap(Weights.data(), {Of.NumQueries, NumHeads}, NumHeads,
                      {Config::BlockQueries, NumHeads}, 0);
    uint32_t MaxKeys = Config::IsCompressed ? Of.largest() : 0;
    return [=, this] {
      Launch(Of.NumQueries, Of.NumKeys, MaxKeys, Stride, Starts.data(),
             Ends.data(), Logits.data(), MapQueries, MapKeys, MapScales,
             MapWeights);
    };
  }
};

/// The columns of \p Query's row that are logits, and those that may be
/// anything else than they were, around them.
struct Columns {
  uint32_t First, Last, FirstWritten, LastWritten;
};

template <typename Config> Columns columnsOf(const Ranges &Of, uint32_t Query) {
  if (Config::IsCompressed)
    return {0, Of.size(Query), 0, Of.size(Query)};
  uint32_t First = Query / Config::BlockQueries * Config::BlockQueries;
  uint32_t Last = std::min(First + Config::BlockQueries, Of.NumQueries);
  uint32_t Start =
      *std::min_element(&Of.Starts[First], &Of.Starts[0] + Last) / 4 * 4;
  uint32_t End = *std::max_element(&Of.Ends[First], &Of.Ends[0] + Last);
  return {Of.Starts[Query], Of.Ends[Query], Start,
          Start + alignTo(End - Start, BlockKeys)};
}

template <typename T> bool isPoison(const T &Element) {
  uint8_t Bytes[sizeof(T)];
  std::memcpy(Bytes, &Element, sizeof(T));
  return std::count(Bytes, Bytes + sizeof(T), 0xff) == sizeof(T);
}

template <typename Config>
harness::Comparison compare(const Ranges &Of, const Inputs<Config> &Host,
                            const Problem<Config> &Device) {
  auto All = Device.Logits.get();
  std::vector<harness::Comparison> Results(Of.NumQueries);
  harness::parallelFor(Of.NumQueries, [&](size_t Query) {
    Columns In = columnsOf<Config>(Of, uint32_t(Query));
    uint32_t FirstKey = Of.Starts[Query] - In.First;
    std::vector<Expected> Wanted;
    std::vector<float> Got;
    for (uint32_t Column = 0; Column != Device.Stride; ++Column) {
      const auto &Element = All[Query * Device.Stride + Column];
      if (Column >= In.First && Column < In.Last) {
        Wanted.push_back({Host.logit(Query, FirstKey + Column)});
        Got.push_back(float(Element));
      } else if (Column < In.FirstWritten || Column >= In.LastWritten) {
        Wanted.push_back({0});
        Got.push_back(isPoison(Element) ? 0 : 1);
      }
    }
    Results[Query].add(Got, Wanted);
  });
  harness::Comparison Sum;
  for (const harness::Comparison &Result : Results) {
    Sum.Elements += Result.Elements;
    Sum.Wrong += Result.Wrong;
    Sum.Worst = std::max(Sum.Worst, Result.Worst);
  }
  return Sum;
}

template <typename Config>
harness::Comparison check(const Ranges &Of, std::mt19937_64 &Generator) {
  Inputs<Config> Host(Of, Generator);
  Problem<Config> Device(Of, convert<Float8>(Host.Queries),
                         convert<Float8>(Host.Keys),
                         convert<float>(Host.Weights), Host.scales());
  launchAndWait(Device.prepare());
  return compare(Of, Host, Device);
}

template <typename Config>
double measure(const Ranges &Of, const harness::Options &Options,
               std::mt19937_64 &Generator) {
  if (!Options.Rounds)
    return 0;
  size_t NumHeads = size_t(Of.NumQueries) * Config::NumHeads;
  Problem<Config> Device(
      Of, harness::normal<Float8>(NumHeads * Config::HeadSize, Generator),
      harness::normal<Float8>(size_t(Of.NumKeys) * Config::HeadSize, Generator),
      harness::normal<float>(NumHeads, Generator),
      harness::normal<float>(scaleStride(Of.NumKeys), Generator));
  return harness::medianTime(Device.prepare(), Options.Rounds);
}

template <typename Config>
bool run(const std::string &Name, const harness::Options &Options,
         std::mt19937_64 &Generator) {
  Ranges Small = causalRanges(3, 103);
  bool IsRight =
      harness::report(Name + ", small", check<Config>(Small, Generator), 0, 0);
  // More than two blocks of queries for each CTA, and up to 12 of keys.
  Ranges Odd = randomRanges(300 * Config::BlockQueries - 1, 3001, Generator);
  IsRight &= harness::report(Name + ", odd sizes",
                             check<Config>(Odd, Generator), 0, 0);
  Ranges Usual = causalRanges(2048, 8192);
  auto Result = check<Config>(Usual, Generator);
  double Time = measure<Config>(Usual, Options, Generator);
  IsRight &= harness::report(Name, Result, Time,
                             2.0 * Usual.total() * Config::NumHeads *
                                 Config::HeadSize);
  return IsRight;
}

} // namespace

int main(int Argc, char **Argv) {
  harness::Options Options(Argc, Argv);
  std::mt19937_64 Generator(Options.Seed);
  bool IsRight = run<Configuration<64, 128, true, float>>(
      "fp8_mqa_logits, 64 heads of 128, compressed", Options, Generator);
  IsRight &= run<Configuration<32, 64, false, BFloat>>(
      "fp8_mqa_logits, 32 heads of 64, bfloat16", Options, Generator);
  return IsRight ? 0 : 1;
}
