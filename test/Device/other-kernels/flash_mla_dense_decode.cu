//===- flash_mla_dense_decode.cu - FlashMLA's dense decoding --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last few queries of each request attend to all of its tokens, or to those
// that are not behind them. The tokens are in pages of 64, all bfloat16.
//
// A request's tokens may be split over several CTAs; then a second kernel
// combines their results. A third one says, once for all launches, who does
// what.
//
//===----------------------------------------------------------------------===//

// Only bfloat16 is used here: no need to compile the rest.
#define FLASH_MLA_DISABLE_FP16

#include "flash_mla.h"

#include "sm90/decode/dense/splitkv_mla.cuh"
#include "smxx/decode/combine/combine.cu"
#include "smxx/decode/get_decoding_sched_meta/get_decoding_sched_meta.cu"

using flashmla::BFloat;

namespace {

constexpr size_t KeySize = 576;
constexpr size_t PageSize = 64;

struct Case {
  const char *Name;
  size_t NumRequests, NumQueries;
  /// Heads of queries, and of keys.
  size_t NumHeads, NumKeyHeads;
  size_t MaxLength;
  bool IsCausal;
  bool IsNeedle;

  size_t countRows() const { return NumRequests * NumQueries * NumHeads; }
  /// The rows that attend to one key head of a request: of one query after the
  /// other, those of all its heads that share the key head.
  size_t countGroup() const { return NumQueries * NumHeads / NumKeyHeads; }
  size_t countPagesPerRequest() const {
    return (MaxLength + PageSize - 1) / PageSize;
  }
  size_t countPages() const { return NumRequests * countPagesPerRequest(); }
};

/// Where a row of the output is. Queries have key heads inside of groups.
struct Position {
  size_t Request, KeyHead, InGroup;

  Position(const Case &This, size_t Row)
      : Request(Row / This.countGroup() / This.NumKeyHeads),
        KeyHead(Row / This.countGroup() % This.NumKeyHeads),
        InGroup(Row % This.countGroup()) {}

  size_t getQueryRow(const Case &This) const {
    return (Request * This.countGroup() + InGroup) * This.NumKeyHeads + KeyHead;
  }
};

struct Inputs {
  std::vector<BFloat> Queries, Keys;
  /// Of each request, its pages' numbers.
  std::vector<int> Pages;
  std::vector<int> Lengths;
};

/// Which row of the keys a request's token is.
size_t getKeyRow(const Case &This, const Inputs &In, const Position &Where,
                 size_t Token) {
  size_t Page =
      In.Pages[Where.Request * This.countPagesPerRequest() + Token / PageSize];
  return (Page * PageSize + Token % PageSize) * This.NumKeyHeads +
         Where.KeyHead;
}

/// How many tokens a row sees.
size_t countVisible(const Case &This, const Inputs &In, const Position &Where) {
  size_t Length = In.Lengths[Where.Request];
  if (!This.IsCausal)
    return Length;
  size_t Query = Where.InGroup / (This.NumHeads / This.NumKeyHeads);
  return Length - (This.NumQueries - 1 - Query);
}

/// Lengths at random, those of the first requests at the edges.
std::vector<int> makeLengths(const Case &This, std::mt19937_64 &Generator) {
  // The kernel wants as many tokens as queries where it masks.
  size_t Least = This.IsCausal ? This.NumQueries : 0;
  std::vector<size_t> Lengths = {Least, Least + 1, 63, 64, 65, This.MaxLength};
  Lengths.resize(This.NumRequests);
  for (size_t I = 6; I < This.NumRequests; ++I)
    Lengths[I] = Least + Generator() % (This.MaxLength + 1 - Least);
  return std::vector<int>(Lengths.begin(), Lengths.end());
}

/// Removes all that is behind the requests' ends.
void poisonUnused(const Case &This, Inputs &In) {
  for (size_t Request = 0; Request != This.NumRequests; ++Request) {
    size_t NumPages = This.countPagesPerRequest();
    size_t Length = In.Lengths[Request];
    int *Pages = &In.Pages[Request * NumPages];
    size_t TokenSize = This.NumKeyHeads * KeySize;
    for (size_t Token = Length; Token != NumPages * PageSize; ++Token)
      std::fill_n(In.Keys.begin() +
                      (Pages[Token / PageSize] * PageSize + Token % PageSize) *
                          TokenSize,
                  TokenSize, BFloat(NAN));
    // The first page is loaded in any case.
    size_t NumUsed = std::max<size_t>((Length + PageSize - 1) / PageSize, 1);
    std::fill(Pages + NumUsed, Pages + NumPages, INT32_MAX);
  }
}

/// Each row's query becomes one of the keys that it sees.
void makeNeedles(const Case &This, Inputs &In, uint64_t Seed) {
  flashmla::fillPieces(
      This.countRows(), Seed, [&](size_t Row, std::mt19937_64 &Generator) {
        Position Where(This, Row);
        size_t NumVisible = countVisible(This, In, Where);
        if (!NumVisible)
          return;
        size_t KeyRow = getKeyRow(This, In, Where, Generator() % NumVisible);
        std::copy_n(In.Keys.begin() + KeyRow * KeySize, KeySize,
                    In.Queries.begin() + Where.getQueryRow(This) * KeySize);
      });
}

Inputs makeInputs(const Case &This, uint64_t Seed) {
  Inputs In;
  In.Queries =
      flashmla::makeRows(This.countRows(), KeySize, This.IsNeedle, Seed * 4);
  In.Keys = flashmla::makeRows(This.countPages() * PageSize * This.NumKeyHeads,
                               KeySize, This.IsNeedle, Seed * 4 + 1);
  std::mt19937_64 Generator(Seed);
  In.Pages.resize(This.countPages());
  std::iota(In.Pages.begin(), In.Pages.end(), 0);
  std::shuffle(In.Pages.begin(), In.Pages.end(), Generator);
  In.Lengths = makeLengths(This, Generator);
  if (This.IsNeedle)
    makeNeedles(This, In, Seed * 4 + 2);
  return In;
}

flashmla::Reference computeReference(const Case &This,
                                     const flashmla::Setting &Setting,
                                     const Inputs &In) {
  flashmla::Reference Right(This.countRows());
  std::vector<float> Queries = flashmla::toFloats(In.Queries);
  std::vector<float> Keys = flashmla::toFloats(In.Keys);
  harness::parallelFor(This.countRows(), [&](size_t Row) {
    Position Where(This, Row);
    std::vector<const float *> Visible;
    for (size_t I = 0, End = countVisible(This, In, Where); I != End; ++I)
      Visible.push_back(&Keys[getKeyRow(This, In, Where, I) * KeySize]);
    Right.set(Row, flashmla::attend(Setting,
                                    &Queries[Where.getQueryRow(This) * KeySize],
                                    Visible, -INFINITY, Visible.size()));
  });
  return Right;
}

/// As many parts as there are multiprocessors for a key head and 64 rows.
size_t countParts(const Case &This) {
  int NumMultiprocessors = 0;
  harness::expectSuccess(cudaDeviceGetAttribute(&NumMultiprocessors,
                                                cudaDevAttrMultiProcessorCount,
                                                0),
                         "cudaDeviceGetAttribute");
  size_t NumBlocks = (This.countGroup() + 63) / 64;
  return std::max<size_t>(NumMultiprocessors / This.NumKeyHeads / NumBlocks, 1);
}

/// All that is on the GPU, and the kernels' parameters.
struct Launch {
  harness::Buffer<BFloat> Queries, Keys;
  harness::Buffer<int> Pages, Lengths;
  harness::Buffer<BFloat> Output;
  harness::Buffer<float> LogSum;
  size_t NumParts;
  harness::Buffer<DecodingSchedMeta> Schedule;
  harness::Buffer<int> NumSplits;
  harness::Buffer<float> SplitOutput, SplitLogSum;
  DenseAttnDecodeParams Parameters = {};
  CombineParams Combination = {};

  Launch(const Case &This, const flashmla::Setting &Setting, const Inputs &In)
      : Queries(In.Queries), Keys(In.Keys), Pages(In.Pages),
        Lengths(In.Lengths), Output(This.countRows() * flashmla::ValueSize),
        LogSum(This.countRows()), NumParts(countParts(This)),
        Schedule(NumParts), NumSplits(This.NumRequests + 1),
        SplitOutput(countSplitRows(This) * flashmla::ValueSize),
        SplitLogSum(countSplitRows(This)) {
    setShape(This, Setting);
    setStrides(This);
    setPointers();
    setCombination(This);
    schedule();
  }

  void operator()() {
    sm90::run_flash_splitkv_mla_kernel<BFloat>(Parameters);
    smxx::decode::run_flash_mla_combine_kernel<BFloat>(Combination);
  }

private:
  /// Each part begins at most one split, apart from each request's first.
  size_t countSplitRows(const Case &This) const {
    return (This.NumRequests + NumParts) * This.NumQueries * This.NumHeads;
  }

  void setShape(const Case &This, const flashmla::Setting &Setting) {
    Parameters.b = int(This.NumRequests);
    Parameters.s_q = int(This.NumQueries);
    Parameters.q_seq_per_hk = int(This.countGroup());
    Parameters.d = int(KeySize);
    Parameters.d_v = int(flashmla::ValueSize);
    Parameters.h_q = int(This.NumHeads);
    Parameters.h_k = int(This.NumKeyHeads);
    Parameters.num_blocks = int(This.countPages());
    Parameters.q_head_per_hk = int(This.NumHeads / This.NumKeyHeads);
    // As the project's caller has it: a single query sees all.
    Parameters.is_causal = This.IsCausal && This.NumQueries != 1;
    Parameters.scale_softmax = Setting.Scale;
    Parameters.scale_softmax_log2 = Setting.ScaleLog2;
    Parameters.page_block_size = int(PageSize);
    Parameters.num_sm_parts = int(NumParts);
    Parameters.total_num_splits = int(This.NumRequests + NumParts);
  }

  void setStrides(const Case &This) {
    Parameters.q_head_stride = KeySize;
    Parameters.q_row_stride = This.NumKeyHeads * KeySize;
    Parameters.q_batch_stride = This.countGroup() * Parameters.q_row_stride;
    Parameters.k_head_stride = KeySize;
    Parameters.k_row_stride = This.NumKeyHeads * KeySize;
    Parameters.k_batch_stride = PageSize * Parameters.k_row_stride;
    Parameters.o_row_stride = flashmla::ValueSize;
    Parameters.o_head_stride = This.countGroup() * flashmla::ValueSize;
    Parameters.o_batch_stride = This.NumKeyHeads * Parameters.o_head_stride;
    Parameters.block_table_batch_stride = This.countPagesPerRequest();
  }

  void setPointers() {
    Parameters.q_ptr = Queries.data();
    Parameters.k_ptr = Keys.data();
    Parameters.o_ptr = Output.data();
    Parameters.softmax_lse_ptr = LogSum.data();
    Parameters.block_table = Pages.data();
    Parameters.seqlens_k_ptr = Lengths.data();
    Parameters.tile_scheduler_metadata_ptr = Schedule.data();
    Parameters.num_splits_ptr = NumSplits.data();
    Parameters.softmax_lseaccum_ptr = SplitLogSum.data();
    Parameters.oaccum_ptr = SplitOutput.data();
  }

  /// Combining is done row by row, whatever head and query a row is of: splits
  /// are laid out as requests are.
  void setCombination(const Case &This) {
    Combination.b = Parameters.b;
    Combination.s_q = Parameters.s_q;
    Combination.h_q = Parameters.h_q;
    Combination.d_v = Parameters.d_v;
    Combination.lse = LogSum.data();
    Combination.out = Output.data();
    Combination.stride_lse_s_q = Parameters.h_q;
    Combination.stride_lse_b = int(This.NumQueries * This.NumHeads);
    Combination.stride_o_h_q = int(flashmla::ValueSize);
    Combination.stride_o_s_q =
        Combination.stride_lse_s_q * Combination.stride_o_h_q;
    Combination.stride_o_b =
        Combination.stride_lse_b * Combination.stride_o_h_q;
    Combination.lse_accum = SplitLogSum.data();
    Combination.o_accum = SplitOutput.data();
    Combination.stride_lse_accum_s_q = Combination.stride_lse_s_q;
    Combination.stride_lse_accum_split = Combination.stride_lse_b;
    Combination.stride_o_accum_h_q = Combination.stride_o_h_q;
    Combination.stride_o_accum_s_q = Combination.stride_o_s_q;
    Combination.stride_o_accum_split = Combination.stride_o_b;
    Combination.tile_scheduler_metadata_ptr = Schedule.data();
    Combination.num_splits_ptr = NumSplits.data();
    Combination.num_sm_parts = int(NumParts);
  }

  void schedule() {
    GetDecodeSchedMetaParams Work = {};
    Work.b = Parameters.b;
    Work.s_q = Parameters.s_q;
    Work.block_size_n = int(flashmla::BlockSize);
    // What a request costs apart from its blocks, as the project has it.
    Work.fixed_overhead_num_blocks = 5;
    // These say that attention is dense.
    Work.topk = Work.extra_topk = -1;
    Work.seqlens_k_ptr = Lengths.data();
    Work.tile_scheduler_metadata_ptr = Schedule.data();
    Work.num_splits_ptr = NumSplits.data();
    Work.num_sm_parts = int(NumParts);
    smxx::decode::run_get_decoding_sched_meta_kernel(Work);
    // The kernel may be launched before its predecessor has ended.
    harness::expectSuccess(cudaDeviceSynchronize(), "schedule");
  }
};

harness::Comparison check(const Case &This, uint64_t Seed) {
  flashmla::Setting Setting(KeySize, This.IsNeedle);
  Inputs In = makeInputs(This, Seed);
  poisonUnused(This, In);
  Launch Run(This, Setting, In);
  Run();
  harness::expectSuccess(cudaDeviceSynchronize(), This.Name);

  flashmla::Reference Right = computeReference(This, Setting, In);
  harness::Comparison Result;
  Result.add(Run.Output.get(), Right.Output);
  Result.add(flashmla::replaceInfinities(Run.LogSum.get()), Right.LogSum);
  return Result;
}

/// With a size of the project's own measurements.
double measure(Case This, const harness::Options &Options, double &Operations) {
  if (!Options.Rounds)
    return 0;
  This.NumRequests = 128;
  This.NumQueries = 2;
  This.NumHeads = 128;
  This.NumKeyHeads = 1;
  This.MaxLength = 4096;
  flashmla::Setting Setting(KeySize, This.IsNeedle);
  Inputs In = makeInputs(This, Options.Seed);
  std::fill(In.Lengths.begin(), In.Lengths.end(), int(This.MaxLength));
  Launch Run(This, Setting, In);
  Operations = flashmla::countOperations(double(This.countRows()),
                                         double(This.MaxLength), KeySize);
  return harness::medianTime([&] { Run(); }, Options.Rounds);
}

constexpr Case Cases[] = {
    // Parts of several requests, some of them split.
    {"dense decoding, causal", 23, 2, 128, 1, 700, true, false},
    // 120 rows for each of two key heads, in blocks of 64.
    {"dense decoding, odd", 11, 3, 80, 2, 1000, false, false},
    // Requests of many parts.
    {"dense decoding, splits", 7, 1, 16, 1, 4000, false, false},
    {"dense decoding, causal, needles", 30, 4, 32, 1, 1500, true, true},
    {"dense decoding, odd, needles", 11, 3, 80, 2, 1000, false, true},
};

} // namespace

int main(int Argc, char **Argv) {
  // All cases are of the same kernel.
  return flashmla::runCases(Cases, harness::Options(Argc, Argv), check, measure,
                            [](size_t I) { return I == 0; });
}
