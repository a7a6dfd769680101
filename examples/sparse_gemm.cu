//===- sparse_gemm.cu - 2:4 sparse matrix multiplication on Hopper --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A*B with A 2:4 sparse, by Clang's builtins for wgmma.mma_async.sp, TMA
// and mbarriers.
//
//   gemm/kernel.h            the kernel, which dense multiplications share
//   gemm/host.h              matrices on the device, A compressed there
//   sparse_gemm/types.h      what is particular to f16, bf16, e4m3 and s8
//   cpu_multiply.h           the result as the CPU sees it, from dense A
//   sparse_gemm/options.h    the command line
//
// This file runs the kernel, checks and times it. Half of A is zero; the rates
// count it in, as those of others do. Build it with the patched Clang:
//
//   clang++ -O3 -std=c++17 --cuda-gpu-arch=sm_90a --cuda-path=/usr/local/cuda
//       examples/sparse_gemm.cu -o sparse_gemm -L/usr/local/cuda/lib64
//       -lcudart_static -ldl -lrt -lpthread
//
//===----------------------------------------------------------------------===//

#include "cpu_multiply.h"
#include "gemm/host.h"
#include "sparse_gemm/options.h"
#include "sparse_gemm/types.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>

using namespace sparse_gemm;

namespace {

enum ExitCode {
  Right = 0,
  WrongResult = 1,
  BadCommandLine = 2,
  Failure = 4, // 3, no suitable GPU, is requireHopper()'s.
};

[[noreturn]] void fail(ExitCode Code, const std::string &Message) {
  std::fflush(stdout);
  std::fprintf(stderr, "sparse_gemm: error: %s\n", Message.c_str());
  std::exit(Code);
}

/// Says on the console what is being done, and how long it took.
class Step {
public:
  explicit Step(const char *What) : Start(std::chrono::steady_clock::now()) {
    std::printf("%s ... ", What);
    std::fflush(stdout);
  }
  ~Step() {
    std::chrono::duration<double> Time =
        std::chrono::steady_clock::now() - Start;
    std::printf("%.2f s\n", Time.count());
  }

private:
  std::chrono::steady_clock::time_point Start;
};

/// The \p Columns elements of each of \p Rows rows, as what the CPU adds.
template <class Type>
std::vector<typename Type::Value>
toHost(const device::Buffer<typename Type::Element> &Matrix, int Rows,
       int Columns, size_t Stride) {
  auto Elements = Matrix.read(0, Rows * Stride);
  std::vector<typename Type::Value> Values;
  Values.reserve(size_t(Rows) * Columns);
  for (int Row = 0; Row < Rows; ++Row)
    for (int Column = 0; Column < Columns; ++Column)
      Values.push_back(Type::value(Elements[Row * Stride + Column]));
  return Values;
}

/// Compares each element with the sum that the CPU has, prints what it found,
/// and returns whether all are right: of exact data the rounded sum, of others
/// within Type::MaxError of the largest one from the exact sum.
template <class Type>
bool compare(const std::vector<typename Type::Output> &Got, size_t Stride,
             const std::vector<typename Type::Value> &Want, int N,
             bool IsExact) {
  double Largest = 0;
  for (auto Sum : Want)
    Largest = std::max(Largest, std::fabs(double(Sum)));
  const double Tolerance = IsExact ? 0 : Type::MaxError * Largest;

  double MaxError = 0;
  size_t Wrong = 0, FirstWrong = 0;
  auto Element = [&](size_t I) {
    return Type::toDouble(Got[I / N * Stride + I % N]);
  };
  auto Sum = [&](size_t I) {
    return IsExact ? Type::toDouble(Type::round(Want[I])) : double(Want[I]);
  };
  for (size_t I = 0; I < Want.size(); ++I) {
    double Error = std::fabs(Element(I) - Sum(I));
    MaxError = std::isnan(Error) ? std::numeric_limits<double>::infinity()
                                 : std::max(MaxError, Error);
    if (!(Error <= Tolerance) && Wrong++ == 0)
      FirstWrong = I;
  }
  std::printf("Result: %zu of %zu elements wrong, maximal error %g%s\n", Wrong,
              Want.size(), MaxError,
              std::isinf(MaxError) ? " (some are not finite)" : "");
  if (Wrong)
    std::printf("First wrong element: D[%zu][%zu] is %.9g, should be %.9g\n",
                FirstWrong / N, FirstWrong % N, Element(FirstWrong),
                Sum(FirstWrong));
  return Wrong == 0;
}

/// Multiplies on the device, and compares with what the CPU makes of the dense
/// A. Memory beyond D must be what it was.
template <class Type>
bool isRight(const gemm::Problem<Type> &Problem, bool IsExact) {
  const gemm::Matrices<Type> &P = Problem.P;
  std::vector<typename Type::Output> Got;
  {
    Step S("Multiplying on the GPU");
    Problem.launch();
    device::check(cudaDeviceSynchronize(), "kernel");
    Got = Problem.D.read(0, P.M * P.DStride);
  }
  std::vector<typename Type::Value> Want;
  {
    Step S("Multiplying on the CPU, with the dense A");
    Want = reference::multiplyOnCPU(
        toHost<Type>(Problem.A, P.M, P.K, P.AStride),
        toHost<Type>(Problem.B, P.N, P.K, P.BStride), P.M, P.N, P.K);
  }
  bool IsRight = compare<Type>(Got, P.DStride, Want, P.N, IsExact);
  if (!Problem.D.isMarginUntouched()) {
    std::printf("Result: the kernel wrote beyond D\n");
    return false;
  }
  return IsRight;
}

template <class Type> bool run(const Options &Opts) {
  const int M = Opts.M, N = Opts.N, K = Opts.K;
  std::printf("D = A*B: M=%d N=%d K=%d, A %s 2:4 sparse, %s data\n", M, N, K,
              Type::Name, Opts.HasNormalData ? "normal" : "exact");
  gemm::Problem<Type> Problem(
      M, N, K, Opts.HasNormalData ? gemm::Data::Normal : gemm::Data::Exact);
  if (!isRight<Type>(Problem, !Opts.HasNormalData))
    return false;
  if (!Opts.CheckOnly) {
    double Time =
        device::medianTime([&] { Problem.launch(); }, Opts.Repeat) / 1e3;
    std::printf("Time: %.3f us, %.1f effective TFLOP/s (2*M*N*K / time; median "
                "of %d launches)\n",
                Time * 1e6, 2.0 * M * N * K / Time / 1e12, Opts.Repeat);
  }
  return true;
}

/// Runs each of the types that was asked for.
template <class... Types> bool runEach(const Options &Opts) {
  bool IsRight = true;
  ((Opts.Type == "all" || Opts.Type == Types::Name
        ? void(IsRight &= run<Types>(Opts))
        : void()),
   ...);
  return IsRight;
}

} // namespace

int main(int Count, char **Arguments) {
  Options Opts;
  std::string Error;
  switch (parseOptions({Arguments + 1, Arguments + Count}, Opts, Error)) {
  case ParseResult::Help:
    std::fputs(helpText().c_str(), stdout);
    return Right;
  case ParseResult::Error:
    fail(BadCommandLine, Error + " (see --help)");
  case ParseResult::Run:
    break;
  }

  device::requireHopper();
  try {
    bool IsRight = runEach<F16, BF16, E4M3, S8>(Opts);
    std::printf(IsRight ? "PASS\n" : "FAIL\n");
    return IsRight ? Right : WrongResult;
  } catch (const std::bad_alloc &) {
    fail(Failure, "these sizes need more memory than the host has");
  }
}
