//===- deep_gemm_fp8_1d1d.cu - Runs DeepGEMM's FP8 kernel for gradients ---===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both A and B have a scale for each 128 elements of a row, and the product is
// added to an output of floats. The blocks are those that the project's
// heuristics choose for the usual sizes.
//
//===----------------------------------------------------------------------===//

#include "deep_gemm.h"
#include <deep_gemm/impls/sm90_fp8_gemm_1d1d.cuh>

using namespace deepgemm;

namespace {

/// The tensor cores' accumulators have to hold sums of 128 products: 6272 is
/// below 2^13. Scaled by 1/4 to 4, the floats are multiples of 1/4 below 2^19.
constexpr int MostElement = 7;
constexpr int MostBefore = 1000;

constexpr uint32_t BlockM = 128, BlockN = 152, BlockK = ScaleBlock;
/// What a warpgroup stores.
constexpr uint32_t StoreM = 64;
constexpr uint32_t NumMathThreads = 256;
/// Two neighbours in M share the blocks of B.
constexpr uint32_t ClusterSize = 2;

constexpr SharedMemory Shared = {
    (BlockM + BlockN) * BlockK + alignTo(BlockM * sizeof(float), 128) +
        alignTo(BlockN * sizeof(float), 128),
    SharedMemory::onceFor(BlockM * BlockN * sizeof(float))};

/// Sizes that are 0 are no constants.
template <uint32_t N, uint32_t K> auto kernel() {
  return &deep_gemm::sm90_fp8_gemm_1d1d_impl<
      0, N, K, 1, BlockM, BlockN, BlockK, 128, 128, Shared.numStages(),
      NumLoadThreads, NumMathThreads, ClusterSize, false, NumSMs,
      deep_gemm::GemmType::Normal, float>;
}

/// The matrices of a case, on the GPU.
struct Problem {
  Sizes Of;
  Buffer<Float8> A, B;
  Buffer<float> ScalesA, ScalesB;
  Output<float> D;

  Problem(const Sizes &Of, const std::vector<Float8> &A,
          const std::vector<Float8> &B, const std::vector<float> &ScalesA,
          const std::vector<float> &ScalesB)
      : Of(Of), A(A), B(B), ScalesA(ScalesA), ScalesB(ScalesB), D(Of) {}

  template <uint32_t N, uint32_t K> std::function<void()> prepare() {
    auto Launch = launcherFor(kernel<N, K>(), NumLoadThreads + NumMathThreads,
                              Shared.size(), ClusterSize);
    auto MapA =
        makeTensorMap(A.data(), {Of.M, Of.K}, Of.K, {BlockM, BlockK}, 128);
    auto MapB =
        makeTensorMap(B.data(), {Of.N, Of.K}, Of.K, {BlockN, BlockK}, 128);
    auto MapScalesA =
        makeScaleMap(ScalesA.data(), Of.M, Of.numScales(), BlockM);
    auto MapScalesB =
        makeScaleMap(ScalesB.data(), Of.N, Of.numScales(), BlockN);
    auto MapD =
        makeTensorMap(D.data(), {Of.M, Of.N}, Of.stride(), {StoreM, BlockN}, 0);
    return [=, Of = Of] {
      Launch(nullptr, nullptr, nullptr, nullptr, Of.M, Of.N, Of.K, MapA, MapB,
             MapScalesA, MapScalesB, MapD);
    };
  }
};

template <uint32_t N, uint32_t K>
harness::Comparison check(const Sizes &Of, std::mt19937_64 &Generator) {
  ScaledMatrix A(Of.M, Of.K, 1, MostElement, Generator);
  ScaledMatrix B(Of.N, Of.K, 1, MostElement, Generator);
  auto Before = randomIntegers(size_t(Of.M) * Of.N, MostBefore, Generator);
  Problem Device(Of, A.elements(), B.elements(), A.scalesByColumn(),
                 B.scalesByColumn());
  Device.D.set(convert<float>(Before));
  launchAndWait(Device.prepare<N, K>());

  auto Products = multiply(A.twiceTheValues(), B.twiceTheValues(), Of);
  std::vector<Expected> Wanted(Products.size());
  for (size_t I = 0; I != Products.size(); ++I)
    Wanted[I] = {Products[I] / 4.0 + Before[I]};
  harness::Comparison Result;
  Device.D.compare(Wanted, Result);
  return Result;
}

template <uint32_t N, uint32_t K>
double measure(const Sizes &Of, const harness::Options &Options,
               std::mt19937_64 &Generator) {
  if (!Options.Rounds)
    return 0;
  size_t ScalesA = size_t(scaleStride(Of.M)) * Of.numScales();
  size_t ScalesB = size_t(scaleStride(Of.N)) * Of.numScales();
  Problem Device(Of, harness::normal<Float8>(size_t(Of.M) * Of.K, Generator),
                 harness::normal<Float8>(size_t(Of.N) * Of.K, Generator),
                 harness::normal<float>(ScalesA, Generator),
                 harness::normal<float>(ScalesB, Generator));
  // What is added to must not be NaN.
  Device.D.set(std::vector<float>(size_t(Of.M) * Of.N));
  return harness::medianTime(Device.prepare<N, K>(), Options.Rounds);
}

bool run(const harness::Options &Options, std::mt19937_64 &Generator) {
  return runCases(
      "fp8_gemm_1d1d", BlockM, BlockN,
      [&](auto N, auto K, const Sizes &Of) {
        return check<N, K>(Of, Generator);
      },
      [&](auto N, auto K, const Sizes &Of) {
        return measure<N, K>(Of, Options, Generator);
      });
}

} // namespace

int main(int Argc, char **Argv) {
  harness::Options Options(Argc, Argv);
  std::mt19937_64 Generator(Options.Seed);
  return run(Options, Generator) ? 0 : 1;
}
