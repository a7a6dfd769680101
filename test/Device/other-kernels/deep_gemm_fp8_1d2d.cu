//===- deep_gemm_fp8_1d2d.cu - Runs DeepGEMM's FP8 kernel -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A has a scale for each 128 elements of a row, B one for each 128 elements of
// 128 rows; the output is bfloat16. A block has one scale of B where its size
// in N divides 128, else two. The project's heuristics choose the first of the
// sizes here for the usual case; the others are among their candidates.
//
//===----------------------------------------------------------------------===//

#include "deep_gemm.h"
#include <deep_gemm/impls/sm90_fp8_gemm_1d2d.cuh>

using namespace deepgemm;

namespace {

/// The tensor cores' accumulators have to hold sums of 128 products: 6272 is
/// below 2^13. Scaled by 1/4 to 4, the floats are multiples of 1/4 below 2^19.
constexpr int MostElement = 7;

constexpr uint32_t BlockK = ScaleBlock;
constexpr uint32_t NumMathThreads = 256;
constexpr uint32_t ClusterSize = 2;

/// Neighbours in N share the blocks of A where \p SharesA is set, else those in
/// M the blocks of B.
template <uint32_t SizeM, uint32_t SizeN, bool SharesA> struct Configuration {
  static constexpr uint32_t BlockM = SizeM, BlockN = SizeN;
  static constexpr uint32_t OutputSwizzle = swizzleFor(BlockN * sizeof(BFloat));

  /// All scales of B that a block needs are in shared memory at once.
  static constexpr SharedMemory shared(uint32_t K) {
    uint32_t NumScales =
        divideCeil(K, ScaleBlock) * (ScaleBlock % BlockN == 0 ? 1 : 2);
    return {(BlockM + BlockN) * BlockK + alignTo(BlockM * sizeof(float), 128),
            SharedMemory::onceFor(BlockM * BlockN * sizeof(BFloat)) +
                alignTo(NumScales * sizeof(float), 8)};
  }
  static constexpr uint32_t NumStages = shared(UsualSizes.K).numStages();
  static_assert(NumStages == shared(1).numStages(),
                "the number of stages depends on K");

  /// Sizes that are 0 are no constants.
  template <uint32_t N, uint32_t K> static auto kernel() {
    return &deep_gemm::sm90_fp8_gemm_1d2d_impl<
        cute::UMMA::Major::K, 0, N, K, 1, BlockM, BlockN, BlockK, 128, 128,
        OutputSwizzle, NumStages, NumLoadThreads, NumMathThreads, ClusterSize,
        SharesA, NumSMs, deep_gemm::GemmType::Normal, BFloat,
        deep_gemm::epilogue::transform::EpilogueIdentity>;
  }
};

/// The matrices of a case, on the GPU.
template <typename Config> struct Problem {
  Sizes Of;
  Buffer<Float8> A, B;
  Buffer<float> ScalesA, ScalesB;
  Output<BFloat> D;

  Problem(const Sizes &Of, const std::vector<Float8> &A,
          const std::vector<Float8> &B, const std::vector<float> &ScalesA,
          const std::vector<float> &ScalesB)
      : Of(Of), A(A), B(B), ScalesA(ScalesA), ScalesB(ScalesB), D(Of) {}

  template <uint32_t N, uint32_t K> std::function<void()> prepare() {
    auto Launch = launcherFor(Config::template kernel<N, K>(),
                              NumLoadThreads + NumMathThreads,
                              Config::shared(Of.K).size(), ClusterSize);
    auto MapA = makeTensorMap(A.data(), {Of.M, Of.K}, Of.K,
                              {Config::BlockM, BlockK}, 128);
    auto MapB = makeTensorMap(B.data(), {Of.N, Of.K}, Of.K,
                              {Config::BlockN, BlockK}, 128);
    auto MapD =
        makeTensorMap(D.data(), {Of.M, Of.N}, Of.stride(),
                      {Config::BlockM, Config::BlockN}, Config::OutputSwizzle);
    auto MapScalesA =
        makeScaleMap(ScalesA.data(), Of.M, Of.numScales(), Config::BlockM);
    return [=, Of = Of, ScalesB = ScalesB.data()] {
      Launch(ScalesB, nullptr, Of.M, Of.N, Of.K, MapA, MapB, MapD, MapScalesA);
    };
  }
};

template <typename Config, uint32_t N, uint32_t K>
harness::Comparison check(const Sizes &Of, std::mt19937_64 &Generator) {
  ScaledMatrix A(Of.M, Of.K, 1, MostElement, Generator);
  ScaledMatrix B(Of.N, Of.K, ScaleBlock, MostElement, Generator);
  Problem<Config> Device(Of, A.elements(), B.elements(), A.scalesByColumn(),
                         B.scalesByRow());
  launchAndWait(Device.template prepare<N, K>());

  auto Products = multiply(A.twiceTheValues(), B.twiceTheValues(), Of);
  std::vector<Expected> Wanted(Products.size());
  for (size_t I = 0; I != Products.size(); ++I)
    Wanted[I] = {harness::roundToBF16(float(Products[I]) / 4)};
  harness::Comparison Result;
  Device.D.compare(Wanted, Result);
  return Result;
}

template <typename Config, uint32_t N, uint32_t K>
double measure(const Sizes &Of, const harness::Options &Options,
               std::mt19937_64 &Generator) {
  if (!Options.Rounds)
    return 0;
  size_t ScalesA = size_t(scaleStride(Of.M)) * Of.numScales();
  size_t ScalesB = size_t(divideCeil(Of.N, ScaleBlock)) * Of.numScales();
  Problem<Config> Device(
      Of, harness::normal<Float8>(size_t(Of.M) * Of.K, Generator),
      harness::normal<Float8>(size_t(Of.N) * Of.K, Generator),
      harness::normal<float>(ScalesA, Generator),
      harness::normal<float>(ScalesB, Generator));
  return harness::medianTime(Device.template prepare<N, K>(), Options.Rounds);
}

template <typename Config>
bool run(const harness::Options &Options, std::mt19937_64 &Generator) {
  return runCases(
      "fp8_gemm_1d2d, N " + std::to_string(Config::BlockN), Config::BlockM,
      Config::BlockN,
      [&](auto N, auto K, const Sizes &Of) {
        return check<Config, N, K>(Of, Generator);
      },
      [&](auto N, auto K, const Sizes &Of) {
        return measure<Config, N, K>(Of, Options, Generator);
      });
}

} // namespace

int main(int Argc, char **Argv) {
  harness::Options Options(Argc, Argv);
  std::mt19937_64 Generator(Options.Seed);
  bool IsRight = run<Configuration<256, 128, true>>(Options, Generator);
  IsRight &= run<Configuration<128, 160, false>>(Options, Generator);
  IsRight &= run<Configuration<256, 96, true>>(Options, Generator);
  return IsRight ? 0 : 1;
}
