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

template <typename TemplateT> class Product {
public:
  Product(const Shape &S, uint64_t Seed)
      : S(S), Generator(Seed),
        HostA(integers<bf16>(size_t(S.M) * S.K, 8, Generator)),
        HostB(integers<bf16>(size_t(S.K) * S.N, 8, Generator)), A(HostA),
        B(HostB), C(size_t(S.M) * S.N) {
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
  std::vector<Expected> wanted() const {
    std::vector<int16_t> Rows(HostA.size()), Columns(HostB.size());
    for (size_t I = 0; I != HostA.size(); ++I)
      Rows[I] = int16_t(float(HostA[I]));
    for (size_t I = 0; I != HostB.size(); ++I)
      Columns[I % S.N * S.K + I / S.N] = int16_t(float(HostB[I]));
    std::vector<Expected> Wanted(C.size());
    parallelFor(S.M, [&](size_t Row) {
      for (int Column = 0; Column != S.N; ++Column)
        Wanted[Row * S.N + Column] = {roundToBF16(float(dotProduct(
            &Rows[Row * S.K], &Columns[size_t(Column) * S.K], S.K)))};
    });
    return Wanted;
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
