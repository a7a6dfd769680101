//===- tutorial.h - What the steps have in common ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host side of each step of the tutorial: random matrices, a check against
// the CPU, and the time.
//
// D = A * B of f16, summed up in f32. A is M rows of K, B is N columns of K, so
// that K is contiguous in both; D is M rows of N.
//
//===----------------------------------------------------------------------===//

#ifndef TUTORIAL_H
#define TUTORIAL_H

#include "../cpu_multiply.h"
#include "../device.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tutorial {

using half = _Float16;

/// Matrices on the device.
struct Problem {
  int M, N, K;
  const half *A, *B;
  half *D;
};

/// What M, N and K must be multiples of.
struct Multiples {
  int M, N, K;
};

/// Multiples of 1/16 up to 1: sums of their products are exact in f32, in any
/// order.
__global__ void fill(half *To, size_t Count, uint32_t Seed) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    To[I] =
        half(float(int(device::randomBits(I, Seed) % 33) - 16) * (1 / 16.0f));
}

inline std::vector<float> toFloats(const std::vector<half> &Halves) {
  return {Halves.begin(), Halves.end()};
}

/// Whether D is what the CPU computes, rounded to f16: of a row in each 61, so
/// that some of every warpgroup's 64 are among them, all columns.
inline bool isRight(const device::Buffer<half> &A,
                    const device::Buffer<half> &B,
                    const device::Buffer<half> &D, int M, int N, int K) {
  constexpr int RowStep = 61;
  std::vector<half> Got, ARows;
  int Rows = 0;
  for (int Row = 0; Row < M; Row += RowStep, ++Rows) {
    std::vector<half> ARow = A.read(size_t(Row) * K, size_t(K));
    std::vector<half> DRow = D.read(size_t(Row) * N, size_t(N));
    ARows.insert(ARows.end(), ARow.begin(), ARow.end());
    Got.insert(Got.end(), DRow.begin(), DRow.end());
  }
  std::vector<float> Want = reference::multiplyOnCPU(
      toFloats(ARows), toFloats(B.read(0, size_t(N) * K)), Rows, N, K);
  for (size_t I = 0; I < Want.size(); ++I)
    // Not a number differs from everything.
    if (!(Got[I] == half(Want[I]))) {
      std::printf("D[%zu][%zu] is %g, should be %g\n", I / N * RowStep, I % N,
                  double(Got[I]), double(half(Want[I])));
      return false;
    }
  return D.isMarginUntouched();
}

/// Checks and times one problem, and prints one line. \p Prepare is given it,
/// and returns a function that launches the kernel.
template <class Preparation>
bool runProblem(const char *Name, int M, int N, int K,
                const Preparation &Prepare) {
  device::Buffer<half> A(size_t(M) * K), B(size_t(N) * K), D(size_t(M) * N);
  fill<<<1024, 256>>>(A.get(), size_t(M) * K, 1);
  fill<<<1024, 256>>>(B.get(), size_t(N) * K, 2);
  auto Launch = Prepare(Problem{M, N, K, A.get(), B.get(), D.get()});
  Launch();
  device::check(cudaGetLastError(), "launch");
  device::check(cudaDeviceSynchronize(), "the kernel");
  bool IsRight = isRight(A, B, D, M, N, K);
  double Milliseconds = device::medianTime(Launch);
  std::printf("%s %d x %d x %d: %s, %.4f ms, %.1f TFLOP/s\n", Name, M, N, K,
              IsRight ? "PASSED" : "FAILED", Milliseconds,
              2e-9 * M * N * K / Milliseconds);
  std::fflush(stdout);
  return IsRight;
}

/// A step's main(): multiplies the sizes of the command line, or some small
/// ones and two to take the time of. Exit status 0: right, 1: wrong, 2: sizes
/// that cannot be, 3: no suitable GPU, 4: CUDA failed.
template <class Preparation>
int run(const char *Name, int Argc, char **Argv, Multiples Of,
        const Preparation &Prepare) {
  std::vector<Multiples> Sizes = {{512, 768, 64}, // Fewer stages than the ring.
                                  {512, 1280, 1600},
                                  {4096, 4096, 4096},
                                  {8192, 8192, 8192}};
  if (Argc > 1) {
    Sizes = {{}};
    if (Argc == 4)
      Sizes[0] = {std::atoi(Argv[1]), std::atoi(Argv[2]), std::atoi(Argv[3])};
    auto IsMultiple = [](int Size, int Of) {
      return Size > 0 && Size % Of == 0;
    };
    if (!IsMultiple(Sizes[0].M, Of.M) || !IsMultiple(Sizes[0].N, Of.N) ||
        !IsMultiple(Sizes[0].K, Of.K)) {
      std::fprintf(stderr, "usage: %s [M N K], multiples of %d, %d and %d\n",
                   Name, Of.M, Of.N, Of.K);
      return 2;
    }
  }
  device::requireHopper();
  bool IsRight = true;
  for (Multiples Size : Sizes)
    IsRight &= runProblem(Name, Size.M, Size.N, Size.K, Prepare);
  return IsRight ? 0 : 1;
}

} // namespace tutorial

#endif // TUTORIAL_H
