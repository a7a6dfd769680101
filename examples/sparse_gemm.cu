//===- sparse_gemm.cu - 2:4 sparse matrix multiplication on Hopper --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A*B with A 2:4 sparse, by Clang's builtins for wgmma.mma_async.sp.
//
//   sparse_gemm/kernel.h     the kernel
//   sparse_gemm/compress.h   dense A to packed values and metadata
//   sparse_gemm/reference.h  the result as the CPU sees it, from dense A
//   sparse_gemm/options.h    the command line
//   sparse_gemm/tile.h       the sizes that these share
//
// This file makes the matrices, runs the kernel, checks and times it. Build it
// with the patched Clang:
//
//   clang++ -O3 -std=c++17 --cuda-gpu-arch=sm_90a --cuda-path=/usr/local/cuda
//       examples/sparse_gemm.cu -o sparse_gemm -L/usr/local/cuda/lib64
//       -lcudart_static -ldl -lrt -lpthread
//
//===----------------------------------------------------------------------===//

#include "sparse_gemm/compress.h"
#include "sparse_gemm/kernel.h"
#include "sparse_gemm/options.h"
#include "sparse_gemm/reference.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <random>
#include <utility>

using namespace sparse_gemm;

namespace {

enum ExitCode {
  Right = 0,
  WrongResult = 1,
  BadCommandLine = 2,
  NoSuitableGPU = 3,
  Failure = 4,
};

/// Says on the console what is being done, and how long it took.
class Step {
public:
  explicit Step(const char *What) : Start(std::chrono::steady_clock::now()) {
    std::printf("%s ... ", What);
    std::fflush(stdout);
    IsLineOpen = true;
  }
  ~Step() {
    std::chrono::duration<double> Time =
        std::chrono::steady_clock::now() - Start;
    std::printf("%.2f s\n", Time.count());
    IsLineOpen = false;
  }

  static inline bool IsLineOpen = false;

private:
  std::chrono::steady_clock::time_point Start;
};

[[noreturn]] void fail(ExitCode Code, const std::string &Message) {
  if (Step::IsLineOpen)
    std::printf("\n");
  std::fflush(stdout);
  std::fprintf(stderr, "sparse_gemm: error: %s\n", Message.c_str());
  std::exit(Code);
}

/// Ends the program if \p Result, of the action that \p What names, is a
/// failure.
void check(cudaError_t Result, const char *What) {
  if (Result != cudaSuccess)
    fail(Failure, std::string(What) + ": " + cudaGetErrorString(Result));
}

/// An array in the GPU's memory.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t Size) : Size(Size) {
    check(cudaMalloc(&Data, bytes()), "cudaMalloc");
  }
  explicit DeviceArray(const std::vector<T> &Host) : DeviceArray(Host.size()) {
    check(cudaMemcpy(Data, Host.data(), bytes(), cudaMemcpyHostToDevice),
          "copy to the GPU");
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  // Not checked: after a failed kernel it only repeats that kernel's error.
  ~DeviceArray() { cudaFree(Data); }

  T *data() const { return Data; }
  size_t bytes() const { return Size * sizeof(T); }

  std::vector<T> toHost() const {
    std::vector<T> Host(Size);
    check(cudaMemcpy(Host.data(), Data, bytes(), cudaMemcpyDeviceToHost),
          "copy from the GPU");
    return Host;
  }

private:
  T *Data = nullptr;
  size_t Size;
};

using Generator = std::mt19937;

/// A multiple of 1/16 in [-1, 1]. See MaxSize for why sums of products of these
/// are exact.
float randomElement(Generator &Random) {
  return float(int(Random() % 33) - 16) / 16;
}

std::vector<float> randomDense(size_t Size, Generator &Random) {
  std::vector<float> Matrix(Size);
  for (float &Element : Matrix)
    Element = randomElement(Random);
  return Matrix;
}

/// A matrix with non-zeros in at most two random places of each chunk of four.
std::vector<float> randomSparse(size_t Size, Generator &Random) {
  std::vector<float> Matrix(Size);
  for (size_t Chunk = 0; Chunk < Size; Chunk += 4) {
    size_t First = Random() % 4, Second = (First + 1 + Random() % 3) % 4;
    Matrix[Chunk + First] = randomElement(Random);
    Matrix[Chunk + Second] = randomElement(Random);
  }
  return Matrix;
}

std::vector<uint16_t> toHalf(const std::vector<float> &Matrix) {
  std::vector<uint16_t> Halves(Matrix.size());
  std::transform(Matrix.begin(), Matrix.end(), Halves.begin(),
                 [](float Value) { return __half_raw(__float2half(Value)).x; });
  return Halves;
}

/// Ends the program with NoSuitableGPU unless the current GPU can run the
/// kernel.
void checkGPU() {
  int Count = 0;
  cudaError_t Result = cudaGetDeviceCount(&Count);
  if (Result != cudaSuccess)
    fail(NoSuitableGPU, std::string("needs a GPU of compute capability 9.0 "
                                    "(such as H100 or H200): ") +
                            cudaGetErrorString(Result));
  cudaDeviceProp Properties;
  check(cudaGetDeviceProperties(&Properties, 0), "cudaGetDeviceProperties");
  if (Properties.major != 9 || Properties.minor != 0)
    fail(NoSuitableGPU,
         std::string("needs a GPU of compute capability 9.0 (such as H100 or "
                     "H200), but ") +
             Properties.name + " has " + std::to_string(Properties.major) +
             "." + std::to_string(Properties.minor));
  std::printf("GPU: %s\n", Properties.name);
}

/// The operands and the result on the GPU.
struct Problem {
  int M, N, K;
  DeviceArray<uint16_t> AValues;
  DeviceArray<uint32_t> AMetadata;
  DeviceArray<uint16_t> B;
  DeviceArray<float> D;

  void launch() const {
    dim3 Grid(M / TileM, N / TileN);
    sparseGemm<<<Grid, BlockThreads, SharedBytes>>>(
        reinterpret_cast<const char *>(AValues.data()),
        reinterpret_cast<const uint2 *>(AMetadata.data()),
        reinterpret_cast<const char *>(B.data()), D.data(), N, K);
    check(cudaGetLastError(), "kernel launch");
  }
};

/// Compares each element for equality, prints what it found, and returns
/// whether all are equal.
bool compare(const std::vector<float> &Got, const std::vector<float> &Want,
             int N) {
  double MaxError = 0;
  size_t Wrong = 0, FirstWrong = 0;
  for (size_t I = 0; I < Want.size(); ++I) {
    if (Got[I] == Want[I])
      continue;
    if (Wrong++ == 0)
      FirstWrong = I;
    double Error = std::abs(double(Got[I]) - Want[I]);
    MaxError = std::isnan(Error) ? std::numeric_limits<double>::infinity()
                                 : std::max(MaxError, Error);
  }
  std::printf("Result: %zu of %zu elements wrong, maximal error %g%s\n", Wrong,
              Want.size(), MaxError,
              std::isinf(MaxError) ? " (some are not finite)" : "");
  if (Wrong)
    std::printf("First wrong element: D[%zu][%zu] is %.9g, should be %.9g\n",
                FirstWrong / N, FirstWrong % N, Got[FirstWrong],
                Want[FirstWrong]);
  return Wrong == 0;
}

/// Returns the median time of \p Repeat launches in seconds.
double medianTime(const Problem &P, int Repeat) {
  constexpr int WarmUp = 3;
  cudaEvent_t Start, Stop;
  check(cudaEventCreate(&Start), "cudaEventCreate");
  check(cudaEventCreate(&Stop), "cudaEventCreate");
  std::vector<float> Milliseconds;
  for (int I = 0; I < WarmUp + Repeat; ++I) {
    check(cudaEventRecord(Start), "cudaEventRecord");
    P.launch();
    check(cudaEventRecord(Stop), "cudaEventRecord");
    check(cudaEventSynchronize(Stop), "kernel");
    float Time;
    check(cudaEventElapsedTime(&Time, Start, Stop), "cudaEventElapsedTime");
    if (I >= WarmUp)
      Milliseconds.push_back(Time);
  }
  check(cudaEventDestroy(Start), "cudaEventDestroy");
  check(cudaEventDestroy(Stop), "cudaEventDestroy");

  auto Middle = Milliseconds.begin() + Repeat / 2;
  std::nth_element(Milliseconds.begin(), Middle, Milliseconds.end());
  return *Middle / 1e3;
}

bool run(const Options &Opts) {
  const auto [M, N, K, Repeat, CheckOnly] = Opts;
  std::printf("D = A*B: M=%d N=%d K=%d, A f16 2:4 sparse, B f16, D f32\n", M, N,
              K);
  checkGPU();

  std::vector<float> A, B;
  {
    Step S("Making random matrices");
    Generator Random(1);
    A = randomSparse(size_t(M) * K, Random);
    B = randomDense(size_t(N) * K, Random);
  }

  std::optional<CompressedMatrix> Compressed;
  {
    Step S("Compressing A");
    std::string Error;
    Compressed = compress(toHalf(A), M, K, Error);
    if (!Compressed)
      fail(Failure, Error);
  }

  check(cudaFuncSetAttribute(sparseGemm,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SharedBytes),
        "reserving shared memory");
  const Problem P = {M,
                     N,
                     K,
                     DeviceArray(Compressed->Values),
                     DeviceArray(Compressed->Metadata),
                     DeviceArray(toHalf(B)),
                     DeviceArray<float>(size_t(M) * N)};

  std::vector<float> Got;
  {
    Step S("Multiplying on the GPU");
    // All bits set is a NaN, equal to nothing: an element that the kernel fails
    // to write counts as wrong.
    check(cudaMemset(P.D.data(), 0xff, P.D.bytes()), "cudaMemset");
    P.launch();
    check(cudaDeviceSynchronize(), "kernel");
    Got = P.D.toHost();
  }

  std::vector<float> Want;
  {
    Step S("Multiplying on the CPU, with the dense A");
    Want = multiplyOnCPU(A, B, M, N, K);
  }

  if (!compare(Got, Want, N))
    return false;
  if (!CheckOnly) {
    double Time = medianTime(P, Repeat);
    std::printf("Time: %.3f us, %.1f effective TFLOP/s (2*M*N*K / time; median "
                "of %d launches)\n",
                Time * 1e6, 2.0 * M * N * K / Time / 1e12, Repeat);
  }
  std::printf("PASS\n");
  return true;
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

  try {
    if (run(Opts))
      return Right;
  } catch (const std::bad_alloc &) {
    fail(Failure, "these sizes need more memory than the host has");
  }
  std::printf("FAIL\n");
  return WrongResult;
}
