//===- flash_mla_decode.cu - FlashMLA's sparse FP8 decoding ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each query of a request attends to tokens of its own choice, in a cache of
// pages. Most of a token is e4m3, with a scale for each tile; its last 64
// elements are bfloat16. There are two layouts: of V3.2, and of "MODEL1", which
// may have a second cache, and fewer tokens than there is room for.
//
// A request's tokens may be split over several CTAs; then a second kernel
// combines their results. A third one says, once for all launches, who does
// what.
//
//===----------------------------------------------------------------------===//

// Only bfloat16 is used here: no need to compile the rest.
#define FLASH_MLA_DISABLE_FP16

#include "flash_mla.h"

#include <cstring>
#include <cuda_fp8.h>
#include <memory>

#include "sm90/decode/sparse_fp8/splitkv_mla.cuh"
#include "smxx/decode/combine/combine.cu"
#include "smxx/decode/get_decoding_sched_meta/get_decoding_sched_meta.cu"

using flashmla::BFloat;

namespace {

constexpr size_t NumHeads = 64;
/// The elements of a token that are bfloat16.
constexpr size_t RopeSize = 64;

/// The room for a query's tokens in one cache.
struct Scope {
  size_t TopK, NumPages, PageSize;
  /// Whether each request has its own number of tokens.
  bool HasLengths;

  size_t countTokens() const { return NumPages * PageSize; }
};

struct Case {
  const char *Name;
  ModelType Model;
  size_t NumRequests, NumQueries;
  /// The second one has no tokens if there is no second cache.
  Scope Scopes[2];
  bool HasSinks;
  bool IsNeedle;
  /// One of so many indices is none of a token; 0 if all are.
  size_t InvalidEvery = 8;

  size_t getKeySize() const { return Model == ModelType::V32 ? 576 : 512; }
  size_t countTokens() const { return NumRequests * NumQueries; }
  size_t countRows() const { return countTokens() * NumHeads; }
};

/// How a page's bytes are laid out.
struct PageLayout {
  /// Of tokens in e4m3, of a tile that shares a scale, and of a row without
  /// the scales of MODEL1, which are behind a page's rows.
  size_t NopeSize, TileSize, RowBytes;
  /// As the parameters want it: with all scales.
  size_t TokenBytes;
  size_t PageBytes;
  bool IsV32;

  PageLayout(ModelType Model, size_t PageSize)
      : IsV32(Model == ModelType::V32) {
    if (IsV32) {
      NopeSize = 512;
      TileSize = 128;
      RowBytes = TokenBytes = NopeSize + 4 * sizeof(float) + 2 * RopeSize;
      // Pages need not be contiguous.
      PageBytes = (PageSize + 1) * TokenBytes;
    } else {
      NopeSize = 448;
      TileSize = 64;
      RowBytes = NopeSize + 2 * RopeSize;
      TokenBytes = RowBytes + 8;
      PageBytes = (PageSize * TokenBytes + 575) / 576 * 576;
    }
  }
};

struct Cache {
  std::vector<uint8_t> Bytes;
  /// What the bytes mean, token by token; empty where it is not needed.
  std::vector<float> Keys;
};

/// Writes tokens into a cache.
class CacheWriter {
public:
  CacheWriter(const Case &This, const Scope &Where, Cache &Target,
              bool NeedsKeys)
      : This(This), Where(Where), Layout(This.Model, Where.PageSize),
        Target(Target) {
    // Bytes of 0xff are NaN in all of the formats.
    Target.Bytes.assign(Where.NumPages * Layout.PageBytes, 0xff);
    if (NeedsKeys)
      Target.Keys.assign(Where.countTokens() * This.getKeySize(), NAN);
  }

  void writePage(size_t Page, std::mt19937_64 &Generator) {
    for (size_t I = 0; I != Where.PageSize; ++I)
      if (!flashmla::isUnused(Page * Where.PageSize + I))
        writeToken(Page, I, Generator);
  }

private:
  void writeToken(size_t Page, size_t I, std::mt19937_64 &Generator) {
    uint8_t *PageBytes = &Target.Bytes[Page * Layout.PageBytes];
    uint8_t *Row = PageBytes + I * Layout.RowBytes;
    std::vector<float> Key;
    flashmla::Elements Source(This.IsNeedle);
    for (size_t J = 0; J != Layout.NopeSize / Layout.TileSize; ++J) {
      // 1 and 2 for integers, so that they stay integers.
      int Exponent =
          int(Generator() % 2) - (This.IsNeedle ? 0 : NormalExponent);
      if (Layout.IsV32) {
        float Scale = std::ldexp(1.0f, Exponent);
        std::memcpy(Row + Layout.NopeSize + J * sizeof(Scale), &Scale,
                    sizeof(Scale));
      } else {
        PageBytes[Where.PageSize * Layout.RowBytes + I * 8 + J] =
            uint8_t(Exponent + 127);
      }
      for (size_t K = 0; K != Layout.TileSize; ++K) {
        __nv_fp8_e4m3 Element(std::ldexp(Source.next(Generator),
                                         This.IsNeedle ? 0 : NormalExponent));
        Row[J * Layout.TileSize + K] = Element.__x;
        Key.push_back(std::ldexp(float(Element), Exponent));
      }
    }
    writeRope(Row + Layout.RowBytes - 2 * RopeSize, Key, Source, Generator);
    if (!Target.Keys.empty())
      std::copy(Key.begin(), Key.end(),
                Target.Keys.begin() +
                    (Page * Where.PageSize + I) * This.getKeySize());
  }

  void writeRope(uint8_t *Bytes, std::vector<float> &Key,
                 flashmla::Elements &Source, std::mt19937_64 &Generator) {
    for (size_t I = 0; I != RopeSize; ++I) {
      BFloat Element(Source.next(Generator));
      std::memcpy(Bytes + I * sizeof(Element), &Element, sizeof(Element));
      Key.push_back(float(Element));
    }
  }

  /// Normally distributed numbers are scaled by 2 to the power of this, so that
  /// most of e4m3's numbers occur.
  static constexpr int NormalExponent = 6;

  const Case &This;
  const Scope &Where;
  PageLayout Layout;
  Cache &Target;
};

/// What a query attends to in one cache.
struct ScopeInputs {
  Cache Tokens;
  /// Of each query of each request, TopK tokens; -1 is none.
  std::vector<int> Indices;
  std::vector<int> Lengths;
};

struct Inputs {
  std::vector<BFloat> Queries;
  ScopeInputs Scopes[2];
  std::vector<float> Sinks;
};

/// The keys that a query sees.
std::vector<const float *> listKeys(const Case &This, const Inputs &In,
                                    size_t Query) {
  std::vector<const float *> Keys;
  for (size_t S = 0; S != 2; ++S) {
    const ScopeInputs &Scope = In.Scopes[S];
    size_t TopK = This.Scopes[S].TopK;
    size_t Length =
        Scope.Lengths.empty() ? TopK : Scope.Lengths[Query / This.NumQueries];
    for (size_t I = 0; I != Length; ++I) {
      int Token = Scope.Indices[Query * TopK + I];
      if (Token != -1)
        Keys.push_back(&Scope.Tokens.Keys[Token * This.getKeySize()]);
    }
  }
  return Keys;
}

ScopeInputs makeScope(const Case &This, const Scope &Where, uint64_t Seed,
                      bool NeedsKeys) {
  ScopeInputs In;
  CacheWriter Writer(This, Where, In.Tokens, NeedsKeys);
  flashmla::fillPieces(Where.NumPages, Seed,
                       [&](size_t Page, std::mt19937_64 &Generator) {
                         Writer.writePage(Page, Generator);
                       });

  std::mt19937_64 Generator(Seed);
  if (Where.HasLengths) {
    for (size_t Request = 0; Request != This.NumRequests; ++Request)
      In.Lengths.push_back(int(Generator() % (Where.TopK + 1)));
    In.Lengths[0] = 0;
    In.Lengths.back() = 1;
  }

  In.Indices.resize(This.countTokens() * Where.TopK);
  flashmla::fillPieces(
      This.countTokens(), Seed + 1,
      [&](size_t Query, std::mt19937_64 &Generator) {
        std::vector<int> Chosen =
            flashmla::chooseTokens(Where.TopK, Where.countTokens(), Generator);
        for (int &Token : Chosen)
          if (This.InvalidEvery && Generator() % This.InvalidEvery == 0)
            Token = -1;
        // Nobody may look at what is behind the end.
        if (Where.HasLengths)
          std::fill(Chosen.begin() + In.Lengths[Query / This.NumQueries],
                    Chosen.end(), INT32_MAX);
        std::copy(Chosen.begin(), Chosen.end(),
                  In.Indices.begin() + Query * Where.TopK);
      });
  return In;
}

/// Each head's query becomes one of the query's keys.
void makeNeedles(const Case &This, Inputs &In, uint64_t Seed) {
  flashmla::fillPieces(
      This.countTokens(), Seed, [&](size_t Query, std::mt19937_64 &Generator) {
        std::vector<const float *> Keys = listKeys(This, In, Query);
        for (size_t Head = 0; Head != NumHeads && !Keys.empty(); ++Head) {
          const float *Key = Keys[Generator() % Keys.size()];
          std::transform(Key, Key + This.getKeySize(),
                         In.Queries.begin() +
                             (Query * NumHeads + Head) * This.getKeySize(),
                         [](float Element) { return BFloat(Element); });
        }
      });
}

Inputs makeInputs(const Case &This, uint64_t Seed, bool NeedsKeys) {
  Inputs In;
  In.Queries = flashmla::makeRows(This.countRows(), This.getKeySize(),
                                  This.IsNeedle, Seed * 8);
  for (size_t S = 0; S != 2; ++S)
    In.Scopes[S] =
        makeScope(This, This.Scopes[S], Seed * 8 + 2 + 2 * S, NeedsKeys);
  std::mt19937_64 Generator(Seed);
  if (This.HasSinks)
    In.Sinks = flashmla::makeSinks(NumHeads, Generator);
  if (This.IsNeedle)
    makeNeedles(This, In, Seed * 8 + 1);
  return In;
}

flashmla::Reference computeReference(const Case &This,
                                     const flashmla::Setting &Setting,
                                     const Inputs &In) {
  flashmla::Reference Right(This.countRows());
  std::vector<float> Queries = flashmla::toFloats(In.Queries);
  size_t NumSlots = This.Scopes[0].TopK + This.Scopes[1].TopK;
  harness::parallelFor(This.countTokens(), [&](size_t Query) {
    std::vector<const float *> Keys = listKeys(This, In, Query);
    for (size_t Head = 0; Head != NumHeads; ++Head) {
      size_t Row = Query * NumHeads + Head;
      double Sink = In.Sinks.empty() ? -INFINITY : In.Sinks[Head];
      Right.set(Row,
                flashmla::attend(Setting, &Queries[Row * This.getKeySize()],
                                 Keys, Sink, NumSlots));
    }
  });
  return Right;
}

/// One cache on the GPU, and what is chosen from it.
struct DeviceScope {
  harness::Buffer<uint8_t> Bytes;
  harness::Buffer<int> Indices, Lengths;

  explicit DeviceScope(const ScopeInputs &In)
      : Bytes(In.Tokens.Bytes), Indices(In.Indices),
        Lengths(In.Lengths.empty() ? std::vector<int>(1) : In.Lengths) {}
};

/// As many parts as there are multiprocessors for a query and 64 heads.
size_t countParts(const Case &This) {
  int NumMultiprocessors = 0;
  harness::expectSuccess(cudaDeviceGetAttribute(&NumMultiprocessors,
                                                cudaDevAttrMultiProcessorCount,
                                                0),
                         "cudaDeviceGetAttribute");
  return std::max<size_t>(NumMultiprocessors / This.NumQueries, 1);
}

/// All that is on the GPU, and the kernels' parameters.
struct Launch {
  harness::Buffer<BFloat> Queries;
  std::unique_ptr<DeviceScope> Scopes[2];
  harness::Buffer<float> Sinks;
  harness::Buffer<BFloat> Output;
  harness::Buffer<float> LogSum;
  size_t NumParts;
  harness::Buffer<DecodingSchedMeta> Schedule;
  harness::Buffer<int> NumSplits;
  harness::Buffer<float> SplitOutput, SplitLogSum;
  SparseAttnDecodeParams Parameters = {};
  CombineParams Combination = {};

  Launch(const Case &This, const flashmla::Setting &Setting, const Inputs &In)
      : Queries(In.Queries),
        Sinks(In.Sinks.empty() ? std::vector<float>(1) : In.Sinks),
        Output(This.countRows() * flashmla::ValueSize),
        LogSum(This.countRows()), NumParts(countParts(This)),
        Schedule(NumParts), NumSplits(This.NumRequests + 1),
        SplitOutput(countSplitRows(This) * flashmla::ValueSize),
        SplitLogSum(countSplitRows(This)) {
    setShape(This, Setting);
    setInputs(This, In);
    setOutputs(This);
    setCombination();
    schedule();
  }

  void operator()() {
    namespace fp8 = sm90::decode::sparse_fp8;
    if (Parameters.model_type == ModelType::V32)
      fp8::run_flash_splitkv_mla_fp8_sparse_kernel<ModelType::V32, NumHeads>(
          Parameters);
    else
      fp8::run_flash_splitkv_mla_fp8_sparse_kernel<ModelType::MODEL1, NumHeads>(
          Parameters);
    smxx::decode::run_flash_mla_combine_kernel<BFloat>(Combination);
  }

private:
  /// Each part begins at most one split, apart from each request's first.
  size_t countSplitRows(const Case &This) const {
    return (This.NumRequests + NumParts) * This.NumQueries * NumHeads;
  }

  void setShape(const Case &This, const flashmla::Setting &Setting) {
    Parameters.b = int(This.NumRequests);
    Parameters.s_q = int(This.NumQueries);
    Parameters.h_q = int(NumHeads);
    Parameters.h_kv = 1;
    Parameters.d_qk = int(This.getKeySize());
    Parameters.d_v = int(flashmla::ValueSize);
    Parameters.sm_scale = Setting.Scale;
    Parameters.sm_scale_div_log2 = Setting.ScaleLog2;
    Parameters.model_type = This.Model;
    Parameters.stride_q_h_q = int(This.getKeySize());
    Parameters.stride_q_s_q = Parameters.stride_q_h_q * int(NumHeads);
    Parameters.stride_q_b = Parameters.stride_q_s_q * int(This.NumQueries);
  }

  /// Strides of a cache are in bytes.
  void setInputs(const Case &This, const Inputs &In) {
    Parameters.q = Queries.data();
    Parameters.attn_sink = This.HasSinks ? Sinks.data() : nullptr;
    for (size_t S = 0; S != 2; ++S)
      if (This.Scopes[S].TopK)
        Scopes[S].reset(new DeviceScope(In.Scopes[S]));
    setFirstScope(This);
    if (Scopes[1])
      setSecondScope(This);
  }

  void setFirstScope(const Case &This) {
    const Scope &From = This.Scopes[0];
    PageLayout Layout(This.Model, From.PageSize);
    Parameters.num_blocks = int(From.NumPages);
    Parameters.page_block_size = int(From.PageSize);
    Parameters.topk = int(From.TopK);
    Parameters.kv = reinterpret_cast<BFloat *>(Scopes[0]->Bytes.data());
    Parameters.indices = Scopes[0]->Indices.data();
    if (From.HasLengths)
      Parameters.topk_length = Scopes[0]->Lengths.data();
    Parameters.stride_kv_block = int(Layout.PageBytes);
    Parameters.stride_kv_row = int(Layout.TokenBytes);
    Parameters.stride_indices_s_q = int(From.TopK);
    Parameters.stride_indices_b = int(From.TopK * This.NumQueries);
  }

  void setSecondScope(const Case &This) {
    const Scope &From = This.Scopes[1];
    PageLayout Layout(This.Model, From.PageSize);
    Parameters.extra_num_blocks = int(From.NumPages);
    Parameters.extra_page_block_size = int(From.PageSize);
    Parameters.extra_topk = int(From.TopK);
    Parameters.extra_kv = reinterpret_cast<BFloat *>(Scopes[1]->Bytes.data());
    Parameters.extra_indices = Scopes[1]->Indices.data();
    if (From.HasLengths)
      Parameters.extra_topk_length = Scopes[1]->Lengths.data();
    Parameters.stride_extra_kv_block = int(Layout.PageBytes);
    Parameters.stride_extra_kv_row = int(Layout.TokenBytes);
    Parameters.stride_extra_indices_s_q = int(From.TopK);
    Parameters.stride_extra_indices_b = int(From.TopK * This.NumQueries);
  }

  void setOutputs(const Case &This) {
    Parameters.lse = LogSum.data();
    Parameters.out = Output.data();
    Parameters.stride_lse_s_q = int(NumHeads);
    Parameters.stride_lse_b = int(NumHeads * This.NumQueries);
    Parameters.stride_o_h_q = int(flashmla::ValueSize);
    Parameters.stride_o_s_q = Parameters.stride_o_h_q * int(NumHeads);
    Parameters.stride_o_b = Parameters.stride_o_s_q * int(This.NumQueries);

    // Splits take the place of requests.
    Parameters.lse_accum = SplitLogSum.data();
    Parameters.o_accum = SplitOutput.data();
    Parameters.stride_lse_accum_s_q = Parameters.stride_lse_s_q;
    Parameters.stride_lse_accum_split = Parameters.stride_lse_b;
    Parameters.stride_o_accum_h_q = Parameters.stride_o_h_q;
    Parameters.stride_o_accum_s_q = Parameters.stride_o_s_q;
    Parameters.stride_o_accum_split = Parameters.stride_o_b;
    Parameters.tile_scheduler_metadata_ptr = Schedule.data();
    Parameters.num_splits_ptr = NumSplits.data();
    Parameters.num_sm_parts = int(NumParts);
  }

  void setCombination() {
    Combination.b = Parameters.b;
    Combination.s_q = Parameters.s_q;
    Combination.h_q = Parameters.h_q;
    Combination.d_v = Parameters.d_v;
    Combination.lse = Parameters.lse;
    Combination.out = Parameters.out;
    Combination.stride_lse_b = Parameters.stride_lse_b;
    Combination.stride_lse_s_q = Parameters.stride_lse_s_q;
    Combination.stride_o_b = Parameters.stride_o_b;
    Combination.stride_o_s_q = Parameters.stride_o_s_q;
    Combination.stride_o_h_q = Parameters.stride_o_h_q;
    Combination.lse_accum = Parameters.lse_accum;
    Combination.o_accum = Parameters.o_accum;
    Combination.stride_lse_accum_split = Parameters.stride_lse_accum_split;
    Combination.stride_lse_accum_s_q = Parameters.stride_lse_accum_s_q;
    Combination.stride_o_accum_split = Parameters.stride_o_accum_split;
    Combination.stride_o_accum_s_q = Parameters.stride_o_accum_s_q;
    Combination.stride_o_accum_h_q = Parameters.stride_o_accum_h_q;
    Combination.tile_scheduler_metadata_ptr =
        Parameters.tile_scheduler_metadata_ptr;
    Combination.num_splits_ptr = Parameters.num_splits_ptr;
    Combination.num_sm_parts = Parameters.num_sm_parts;
    Combination.attn_sink = Parameters.attn_sink;
  }

  void schedule() {
    GetDecodeSchedMetaParams Work = {};
    Work.b = Parameters.b;
    Work.s_q = Parameters.s_q;
    Work.block_size_n = int(flashmla::BlockSize);
    // What a request costs apart from its blocks, as the project has it.
    Work.fixed_overhead_num_blocks = 5;
    Work.topk = Parameters.topk;
    Work.extra_topk = Parameters.extra_topk;
    Work.topk_length = Parameters.topk_length;
    Work.extra_topk_length = Parameters.extra_topk_length;
    Work.tile_scheduler_metadata_ptr = Schedule.data();
    Work.num_splits_ptr = NumSplits.data();
    Work.num_sm_parts = int(NumParts);
    smxx::decode::run_get_decoding_sched_meta_kernel(Work);
    harness::expectSuccess(cudaDeviceSynchronize(), "schedule");
  }
};

harness::Comparison check(const Case &This, uint64_t Seed) {
  flashmla::Setting Setting(This.getKeySize(), This.IsNeedle);
  Inputs In = makeInputs(This, Seed, true);
  Launch Run(This, Setting, In);
  Run();
  harness::expectSuccess(cudaDeviceSynchronize(), This.Name);

  flashmla::Reference Right = computeReference(This, Setting, In);
  harness::Comparison Result;
  Result.add(Run.Output.get(), Right.Output);
  Result.add(flashmla::replaceInfinities(Run.LogSum.get()), Right.LogSum);
  return Result;
}

/// With as many requests and tokens as in the project's own measurements.
/// Their caches would be larger; this one is larger than the GPU's, too.
double measure(Case This, const harness::Options &Options, double &Operations) {
  if (!Options.Rounds)
    return 0;
  This.NumRequests = 128;
  This.NumQueries = 2;
  This.InvalidEvery = 0;
  if (This.Model == ModelType::V32) {
    This.Scopes[0] = {2048, 4096, 64, false};
  } else {
    This.Scopes[0] = {128, 512, 256, false};
    This.Scopes[1] = {512, 2048, 64, false};
  }
  flashmla::Setting Setting(This.getKeySize(), This.IsNeedle);
  Inputs In = makeInputs(This, Options.Seed, false);
  Launch Run(This, Setting, In);
  size_t NumKeys = This.Scopes[0].TopK + This.Scopes[1].TopK;
  Operations = flashmla::countOperations(double(This.countRows()),
                                         double(NumKeys), This.getKeySize());
  return harness::medianTime([&] { Run(); }, Options.Rounds);
}

constexpr ModelType V32 = ModelType::V32, Model1 = ModelType::MODEL1;
constexpr Scope None = {0, 0, 64, false};
constexpr Scope Few = {256, 31, 64, false};
constexpr Scope Many = {2048, 41, 64, false};
constexpr Scope OddPages = {192, 9, 37, true};
constexpr Scope TinyPages = {256, 211, 2, true};
constexpr Scope Alone = {640, 17, 64, false};

constexpr Case Cases[] = {
    // Parts of several requests, some of them split.
    {"sparse decoding, V3.2", V32, 99, 2, {Few, None}, true, false},
    // Requests of many parts.
    {"sparse decoding, V3.2, splits", V32, 3, 1, {Many, None}, true, false},
    {"sparse decoding, MODEL1",
     Model1,
     75,
     3,
     {OddPages, TinyPages},
     true,
     false},
    {"sparse decoding, MODEL1, alone",
     Model1,
     50,
     2,
     {Alone, None},
     false,
     false},
    {"sparse decoding, V3.2, needles", V32, 99, 2, {Few, None}, true, true},
    {"sparse decoding, MODEL1, needles",
     Model1,
     75,
     3,
     {OddPages, TinyPages},
     false,
     true},
};

} // namespace

int main(int Argc, char **Argv) {
  // One measurement for each layout.
  return flashmla::runCases(Cases, harness::Options(Argc, Argv), check, measure,
                            [](size_t I) { return I == 0 || I == 2; });
}
