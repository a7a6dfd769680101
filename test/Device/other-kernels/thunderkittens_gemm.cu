//===- thunderkittens_gemm.cu - ThunderKittens' matrix product ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels/gemm/bf16_h100: C[M][N] = A[M][K] * B[K][N] in bf16. The elements are
// integers of at most 8, so that the sums are exact in f32 and only the
// rounding to bf16 is left, which is to the nearest even one. The kernel has no
// edges: M and N are multiples of its tiles.
//
//===----------------------------------------------------------------------===//

#include "harness.h"

#include <cassert>
#include <chrono>
#include <cstring>
#include <iostream>

#include "kittens.cuh"
#include "prototype.cuh"

// The kernel's file ends with a program of its own.
#define main thunderKittensMain

#include "kernels/gemm/bf16_h100/bf16_h100_gemm.cu"

#undef main

using namespace harness;

namespace {

struct Shape {
  int M, N, K;

  double operations() const { return 2.0 * M * N * K; }
};

/// What is nearest to an integer, and even if two are; independent of CUDA's
/// conversions.
float roundToBF16(int Value) {
  float Result = float(Value);
  uint32_t Bits;
  std::memcpy(&Bits, &Result, sizeof(Bits));
  Bits += 0x7fff + (Bits >> 16 & 1);
  Bits &= 0xffff0000;
  std::memcpy(&Result, &Bits, sizeof(Bits));
  return Result;
}

template <typename TemplateT> class Product {
public:
  Product(const Shape &S, uint64_t Seed)
      : S(S), Generator(Seed), HostA(values(size_t(S.M) * S.K)),
        HostB(values(size_t(S.K) * S.N)), A(HostA), B(HostB),
        C(size_t(S.M) * S.N) {
    expectSuccess(
        cudaFuncSetAttribute(prototype::lcf::kernel<TemplateT>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             MAX_SHARED_MEMORY - 1024),
        "cudaFuncSetAttribute");
  }

  Comparison compare() {
    launch();
    expectSuccess(cudaDeviceSynchronize(), "kernel");
    Comparison Result;
    Result.add(C.get(), wanted());
    return Result;
  }

  double time(unsigned Rounds) {
    return medianTime([this] { launch(); }, Rounds);
  }

private:
  /// A period of 2^20 is quickly made.
  std::vector<bf16> values(size_t Count) {
    constexpr size_t Period = 1 << 20;
    std::vector<bf16> Values =
        integers<bf16>(std::min(Count, Period), 8, Generator);
    Values.resize(Count);
    for (size_t I = Period; I < Count; ++I)
      Values[I] = Values[I - Period];
    return Values;
  }

  std::vector<Expected> wanted() const {
    std::vector<int16_t> Rows(HostA.size()), Columns(HostB.size());
    for (size_t I = 0; I != HostA.size(); ++I)
      Rows[I] = int16_t(float(HostA[I]));
    for (size_t I = 0; I != HostB.size(); ++I)
      Columns[I % S.N * S.K + I / S.N] = int16_t(float(HostB[I]));
    std::vector<Expected> Wanted(C.size());
    parallelFor(S.M, [&](size_t Row) {
      for (int Column = 0; Column != S.N; ++Column)
        Wanted[Row * S.N + Column] = {
            roundToBF16(dot(&Rows[Row * S.K], &Columns[size_t(Column) * S.K]))};
    });
    return Wanted;
  }

  int dot(const int16_t *Left, const int16_t *Right) const {
    int Sum = 0;
    for (int I = 0; I != S.K; ++I)
      Sum += Left[I] * Right[I];
    return Sum;
  }

  void launch() {
    inner_run<TemplateT>(A.data(), B.data(), C.data(), S.M, S.N, S.K,
                         TemplateT::grid(S.M, S.N, S.K),
                         dim3(prototype::detail::NUM_THREADS_v<TemplateT>));
    expectSuccess(cudaGetLastError(), "launch");
  }

  Shape S;
  std::mt19937_64 Generator;
  std::vector<bf16> HostA, HostB;
  Buffer<bf16> A, B, C;
};

/// 27 x 15 tiles are at least three for each of the 132 thread blocks, and 27
/// rows of tiles are not a multiple of those that are taken together; 11 rounds
/// are not one of the four stages.
template <int MBlock, int NBlock, int SuperM>
bool run(const Options &Arguments) {
  using Template = matmul_template<MBlock, NBlock, SuperM>;
  Comparison Result =
      Product<Template>({27 * 64 * MBlock, 15 * 64 * NBlock, 11 * 64},
                        Arguments.Seed)
          .compare();
  int Length = 8192 / (64 * MBlock * NBlock) * (64 * MBlock * NBlock);
  Shape Usual{Length, Length, Length};
  double Time = 0;
  if (Arguments.Rounds)
    Time = Product<Template>(Usual, Arguments.Seed).time(Arguments.Rounds);
  std::string Case = "bf16, " + std::to_string(64 * MBlock) + " x " +
                     std::to_string(64 * NBlock) + ", by " +
                     std::to_string(SuperM) + " rows";
  return report(Case, Result, Time, Usual.operations());
}

} // namespace

int main(int Argc, char **Argv) {
  Options Arguments(Argc, Argv);
  bool Right = true;
  // Not tiles of 192 x 192: three warpgroups cannot have the 232 registers that
  // the kernel asks for, and would wait for them forever.
  Right &= run<2, 4, 8>(Arguments);
  Right &= run<2, 4, 12>(Arguments);
  return Right ? 0 : 1;
}
