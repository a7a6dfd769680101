//===- deep_gemm_bf16.cu - Runs DeepGEMM's bfloat16 kernel ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output is bfloat16, or float that is added to what is there. The blocks
// are those that the project's heuristics choose for the usual sizes.
//
//===----------------------------------------------------------------------===//

#include "deep_gemm.h"
#include <deep_gemm/impls/sm90_bf16_gemm.cuh>

using namespace deepgemm;

namespace {

/// Sums are at most 64 * 2048 and exact in float; so are those with what there
/// was before.
constexpr int MostElement = 8;
constexpr int MostBefore = 1000;

constexpr uint32_t BlockK = 64;
constexpr uint32_t NumMathThreads = 256;
constexpr uint32_t ClusterSize = 2;

/// Floats are added to what is there, bfloat16 are stored.
template <typename OutputT>
constexpr bool IsAdded = std::is_same<OutputT, float>::value;

/// How a kernel with such an output goes about it. Two neighbours in N share
/// the blocks of A where SharesA is set, else those in M the blocks of B.
template <typename OutputT> struct Configuration {
  static constexpr uint32_t BlockM = IsAdded<OutputT> ? 128 : 256;
  static constexpr uint32_t BlockN = IsAdded<OutputT> ? 192 : 128;
  static constexpr bool SharesA = !IsAdded<OutputT>;
  static constexpr uint32_t OutputSwizzle =
      IsAdded<OutputT> ? 0 : swizzleFor(BlockN * sizeof(OutputT));
  static constexpr SharedMemory Shared = {
      uint32_t((BlockM + BlockN) * BlockK * sizeof(BFloat)),
      SharedMemory::onceFor(BlockM * BlockN * sizeof(OutputT))};

  /// Sizes that are 0 are no constants.
  template <uint32_t N, uint32_t K> static auto kernel() {
    return &deep_gemm::sm90_bf16_gemm_impl<
        cute::UMMA::Major::K, cute::UMMA::Major::K, 0, N, K, 1, BlockM, BlockN,
        BlockK, 128, 128, OutputSwizzle, Shared.numStages(), NumLoadThreads,
        NumMathThreads, ClusterSize, SharesA, NumSMs,
        deep_gemm::GemmType::Normal, IsAdded<OutputT>, OutputT>;
  }
};

/// The matrices of a case, on the GPU.
template <typename OutputT> struct Problem {
  using Config = Configuration<OutputT>;

  Sizes Of;
  Buffer<BFloat> A, B;
  Output<OutputT> D;

  Problem(const Sizes &Of, const std::vector<BFloat> &A,
          const std::vector<BFloat> &B)
      : Of(Of), A(A), B(B), D(Of) {}

  template <uint32_t N, uint32_t K> std::function<void()> prepare() {
    auto Launch = launcherFor(Config::template kernel<N, K>(),
                              NumLoadThreads + NumMathThreads,
                              Config::Shared.size(), ClusterSize);
    auto MapA = makeTensorMap(A.data(), {Of.M, Of.K}, Of.K,
                              {Config::BlockM, BlockK}, 128);
    auto MapB = makeTensorMap(B.data(), {Of.N, Of.K}, Of.K,
                              {Config::BlockN, BlockK}, 128);
    auto MapD =
        makeTensorMap(D.data(), {Of.M, Of.N}, Of.stride(),
                      {Config::BlockM, Config::BlockN}, Config::OutputSwizzle);
    return
        [=, Of = Of] { Launch(nullptr, Of.M, Of.N, Of.K, MapA, MapB, MapD); };
  }
};

template <typename OutputT>
std::vector<Expected> expectedOutput(const std::vector<int32_t> &Products,
                                     const std::vector<int16_t> &Before) {
  std::vector<Expected> Wanted(Products.size());
  for (size_t I = 0; I != Products.size(); ++I)
    Wanted[I] = {IsAdded<OutputT> ? float(Products[I] + Before[I])
                                  : harness::roundToBF16(float(Products[I]))};
  return Wanted;
}

template <typename OutputT, uint32_t N, uint32_t K>
harness::Comparison check(const Sizes &Of, std::mt19937_64 &Generator) {
  auto A = randomIntegers(size_t(Of.M) * Of.K, MostElement, Generator);
  auto B = randomIntegers(size_t(Of.N) * Of.K, MostElement, Generator);
  std::vector<int16_t> Before;
  Problem<OutputT> Device(Of, convert<BFloat>(A), convert<BFloat>(B));
  if (IsAdded<OutputT>) {
    Before = randomIntegers(size_t(Of.M) * Of.N, MostBefore, Generator);
    Device.D.set(convert<OutputT>(Before));
  }
  launchAndWait(Device.template prepare<N, K>());
  harness::Comparison Result;
  Device.D.compare(expectedOutput<OutputT>(multiply(A, B, Of), Before), Result);
  return Result;
}

template <typename OutputT, uint32_t N, uint32_t K>
double measure(const Sizes &Of, const harness::Options &Options,
               std::mt19937_64 &Generator) {
  if (!Options.Rounds)
    return 0;
  Problem<OutputT> Device(
      Of, harness::normal<BFloat>(size_t(Of.M) * Of.K, Generator),
      harness::normal<BFloat>(size_t(Of.N) * Of.K, Generator));
  // What is added to must not be NaN.
  Device.D.set(std::vector<OutputT>(size_t(Of.M) * Of.N, OutputT(0.0f)));
  return harness::medianTime(Device.template prepare<N, K>(), Options.Rounds);
}

template <typename OutputT>
bool run(const std::string &Name, const harness::Options &Options,
         std::mt19937_64 &Generator) {
  using Config = Configuration<OutputT>;
  return runCases(
      Name, Config::BlockM, Config::BlockN,
      [&](auto N, auto K, const Sizes &Of) {
        return check<OutputT, N, K>(Of, Generator);
      },
      [&](auto N, auto K, const Sizes &Of) {
        return measure<OutputT, N, K>(Of, Options, Generator);
      });
}

} // namespace

int main(int Argc, char **Argv) {
  harness::Options Options(Argc, Argv);
  std::mt19937_64 Generator(Options.Seed);
  bool IsRight = run<BFloat>("bf16_gemm", Options, Generator);
  IsRight &= run<float>("bf16_gemm, added to float", Options, Generator);
  return IsRight ? 0 : 1;
}
