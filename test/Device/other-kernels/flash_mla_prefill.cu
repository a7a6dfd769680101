//===- flash_mla_prefill.cu - FlashMLA's sparse prefill kernel ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each query attends to keys of its own choice, which are gathered by index.
// Indices may be invalid, and a query may have fewer of them than there is
// room for.
//
//===----------------------------------------------------------------------===//

#include "flash_mla.h"

#include "sm90/prefill/sparse/phase1.cuh"

using flashmla::BFloat;

namespace {

struct Case {
  const char *Name;
  size_t NumQueries, NumHeads, KeySize, NumTokens, TopK;
  /// Whether each query has its own number of keys.
  bool HasLengths;
  bool HasSinks;
  bool IsNeedle;
  /// One of so many indices is none of a token; 0 if all are.
  size_t InvalidEvery = 8;

  size_t countRows() const { return NumQueries * NumHeads; }
};

struct Inputs {
  std::vector<BFloat> Queries, Keys;
  /// Of each query, TopK tokens.
  std::vector<int> Indices;
  std::vector<int> Lengths;
  std::vector<float> Sinks;
};

/// A query's tokens that exist.
std::vector<int> listTokens(const Case &This, const Inputs &In, size_t Query) {
  std::vector<int> Tokens;
  size_t Length = In.Lengths.empty() ? This.TopK : In.Lengths[Query];
  for (size_t I = 0; I != Length; ++I) {
    int Token = In.Indices[Query * This.TopK + I];
    if (Token >= 0 && Token < int(This.NumTokens))
      Tokens.push_back(Token);
  }
  return Tokens;
}

/// Chooses tokens, and makes some of them invalid.
std::vector<int> makeIndices(const Case &This, std::mt19937_64 &Generator) {
  const int Invalid[] = {-1, INT32_MIN, int(This.NumTokens), INT32_MAX};
  std::vector<int> Indices =
      flashmla::chooseTokens(This.TopK, This.NumTokens, Generator);
  for (int &Index : Indices)
    if (This.InvalidEvery && Generator() % This.InvalidEvery == 0)
      Index = Invalid[Generator() % 4];
  return Indices;
}

/// Each head's query becomes one of the query's keys.
void makeNeedles(const Case &This, Inputs &In, uint64_t Seed) {
  flashmla::fillPieces(
      This.NumQueries, Seed, [&](size_t Query, std::mt19937_64 &Generator) {
        std::vector<int> Tokens = listTokens(This, In, Query);
        for (size_t Head = 0; Head != This.NumHeads && !Tokens.empty(); ++Head)
          std::copy_n(In.Keys.begin() +
                          Tokens[Generator() % Tokens.size()] * This.KeySize,
                      This.KeySize,
                      In.Queries.begin() +
                          (Query * This.NumHeads + Head) * This.KeySize);
      });
}

Inputs makeInputs(const Case &This, uint64_t Seed) {
  Inputs In;
  In.Queries = flashmla::makeRows(This.countRows(), This.KeySize, This.IsNeedle,
                                  Seed * 4);
  In.Keys = flashmla::makeRows(This.NumTokens, This.KeySize, This.IsNeedle,
                               Seed * 4 + 1);
  for (size_t Token = 0; Token != This.NumTokens; ++Token)
    if (flashmla::isUnused(Token))
      std::fill_n(In.Keys.begin() + Token * This.KeySize, This.KeySize,
                  BFloat(NAN));

  In.Indices.resize(This.NumQueries * This.TopK);
  flashmla::fillPieces(This.NumQueries, Seed * 4 + 2,
                       [&](size_t Query, std::mt19937_64 &Generator) {
                         std::vector<int> Chosen = makeIndices(This, Generator);
                         std::copy(Chosen.begin(), Chosen.end(),
                                   In.Indices.begin() + Query * This.TopK);
                       });

  std::mt19937_64 Generator(Seed);
  if (This.HasLengths) {
    for (size_t Query = 0; Query != This.NumQueries; ++Query)
      In.Lengths.push_back(int(Generator() % (This.TopK + 1)));
    In.Lengths[0] = 0;
    In.Lengths.back() = 1;
  }
  if (This.HasSinks)
    In.Sinks = flashmla::makeSinks(This.NumHeads, Generator);
  if (This.IsNeedle)
    makeNeedles(This, In, Seed * 4 + 3);
  return In;
}

flashmla::Reference computeReference(const Case &This,
                                     const flashmla::Setting &Setting,
                                     const Inputs &In) {
  flashmla::Reference Right(This.countRows());
  std::vector<float> Queries = flashmla::toFloats(In.Queries);
  std::vector<float> Keys = flashmla::toFloats(In.Keys);
  harness::parallelFor(This.countRows(), [&](size_t Row) {
    std::vector<const float *> Visible;
    for (int Token : listTokens(This, In, Row / This.NumHeads))
      Visible.push_back(&Keys[Token * This.KeySize]);
    double Sink = In.Sinks.empty() ? -INFINITY : In.Sinks[Row % This.NumHeads];
    Right.set(Row, flashmla::attend(Setting, &Queries[Row * This.KeySize],
                                    Visible, Sink, This.TopK));
  });
  return Right;
}

/// All that is on the GPU, and the kernel's parameters.
struct Launch {
  harness::Buffer<BFloat> Queries, Keys;
  harness::Buffer<int> Indices;
  /// Of one element where the case has none.
  harness::Buffer<int> Lengths;
  harness::Buffer<float> Sinks;
  harness::Buffer<BFloat> Output;
  harness::Buffer<float> Largest, LogSum;
  SparseAttnFwdParams Parameters = {};

  Launch(const Case &This, const flashmla::Setting &Setting, const Inputs &In)
      : Queries(In.Queries), Keys(In.Keys), Indices(In.Indices),
        Lengths(In.Lengths.empty() ? std::vector<int>(1) : In.Lengths),
        Sinks(In.Sinks.empty() ? std::vector<float>(1) : In.Sinks),
        Output(This.countRows() * flashmla::ValueSize),
        Largest(This.countRows()), LogSum(This.countRows()) {
    setShape(This, Setting);
    Parameters.q = Queries.data();
    Parameters.kv = Keys.data();
    Parameters.indices = Indices.data();
    Parameters.attn_sink = This.HasSinks ? Sinks.data() : nullptr;
    Parameters.topk_length = This.HasLengths ? Lengths.data() : nullptr;
    Parameters.out = Output.data();
    Parameters.max_logits = Largest.data();
    Parameters.lse = LogSum.data();
  }

  void operator()() const {
    // One instance of each size is enough.
    if (Parameters.topk_length)
      sm90::fwd::run_fwd_phase1_kernel<512, true>(Parameters);
    else
      sm90::fwd::run_fwd_phase1_kernel<576, false>(Parameters);
  }

private:
  void setShape(const Case &This, const flashmla::Setting &Setting) {
    Parameters.s_q = int(This.NumQueries);
    Parameters.s_kv = int(This.NumTokens);
    Parameters.h_q = int(This.NumHeads);
    Parameters.h_kv = 1;
    Parameters.d_qk = int(This.KeySize);
    Parameters.d_v = int(flashmla::ValueSize);
    Parameters.topk = int(This.TopK);
    Parameters.sm_scale = Setting.Scale;
    Parameters.sm_scale_div_log2 = Setting.ScaleLog2;
    Parameters.stride_q_s_q = int(This.NumHeads * This.KeySize);
    Parameters.stride_q_h_q = int(This.KeySize);
    Parameters.stride_kv_s_kv = int(This.KeySize);
    Parameters.stride_kv_h_kv = int(This.KeySize);
    Parameters.stride_indices_s_q = int(This.TopK);
    Parameters.stride_indices_h_kv = int(This.TopK);
    harness::expectSuccess(
        cudaDeviceGetAttribute(&Parameters.num_sm,
                               cudaDevAttrMultiProcessorCount, 0),
        "cudaDeviceGetAttribute");
  }
};

harness::Comparison check(const Case &This, uint64_t Seed) {
  flashmla::Setting Setting(This.KeySize, This.IsNeedle);
  Inputs In = makeInputs(This, Seed);
  Launch Run(This, Setting, In);
  Run();
  harness::expectSuccess(cudaDeviceSynchronize(), This.Name);

  flashmla::Reference Right = computeReference(This, Setting, In);
  harness::Comparison Result;
  Result.add(Run.Output.get(), Right.Output);
  Result.add(flashmla::replaceInfinities(Run.LogSum.get()), Right.LogSum);
  Result.add(flashmla::replaceInfinities(Run.Largest.get()), Right.Largest);
  return Result;
}

/// With as many queries and keys as in the project's own measurements.
double measure(Case This, const harness::Options &Options, double &Operations) {
  if (!Options.Rounds)
    return 0;
  This.NumQueries = 4096;
  This.NumHeads = 128;
  This.NumTokens = 16384;
  This.TopK = 2048;
  This.InvalidEvery = 0;
  flashmla::Setting Setting(This.KeySize, This.IsNeedle);
  Inputs In = makeInputs(This, Options.Seed);
  std::fill(In.Lengths.begin(), In.Lengths.end(), int(This.TopK));
  Launch Run(This, Setting, In);
  Operations = flashmla::countOperations(double(This.countRows()),
                                         double(This.TopK), This.KeySize);
  return harness::medianTime([&] { Run(); }, Options.Rounds);
}

constexpr Case Cases[] = {
    {"sparse prefill, 576", 48, 128, 576, 1111, 512, false, false, false},
    {"sparse prefill, 512, lengths, sinks", 101, 64, 512, 1333, 640, true, true,
     false},
    {"sparse prefill, 576, sinks, needles", 48, 128, 576, 1111, 512, false,
     true, true},
    {"sparse prefill, 512, lengths, needles", 101, 64, 512, 1333, 640, true,
     false, true},
};

} // namespace

int main(int Argc, char **Argv) {
  return flashmla::runCases(Cases, harness::Options(Argc, Argv), check, measure,
                            [](size_t I) { return !Cases[I].IsNeedle; });
}
