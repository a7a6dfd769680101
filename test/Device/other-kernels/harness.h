//===- harness.h - What the programs for others' kernels share ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program in this folder launches kernels of one project. For each of its
// cases it fills the inputs at random, poisons the outputs, computes on the
// host what is right, compares every element, and then measures the kernel's
// time with inputs of a usual size. It prints one line of JSON for each case:
//
//   {"case": NAME, "elements": N, "wrong": N, "worst": E, "milliseconds": T,
//    "tflops": S}
//
// where E is the largest error, as a multiple of what is allowed, and S is in
// 10^12 floating-point operations per second.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_HARNESS_H
#define NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_HARNESS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../../../examples/device.h"

namespace harness {

/// Ends the program where a call of CUDA's runtime does not succeed.
inline void expectSuccess(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Error));
  std::exit(2);
}

/// The program's arguments: `[--seed N] [--rounds N]`.
struct Options {
  uint64_t Seed = 1;
  /// How often a kernel is measured; 0 measures nothing.
  unsigned Rounds = 30;

  Options(int Argc, char **Argv) {
    for (int I = 1; I < Argc; I += 2) {
      std::string Name = Argv[I];
      if (I + 1 == Argc || (Name != "--seed" && Name != "--rounds")) {
        std::fprintf(stderr, "usage: %s [--seed N] [--rounds N]\n", Argv[0]);
        std::exit(2);
      }
      if (Name == "--seed")
        Seed = std::strtoull(Argv[I + 1], nullptr, 10);
      else
        Rounds = std::strtoul(Argv[I + 1], nullptr, 10);
    }
  }
};

/// Elements on the GPU. Bytes of 0xff, which are NaN in all of the formats that
/// are used here, stand for what is not written yet.
template <typename T> class Buffer {
public:
  explicit Buffer(size_t Count) : Count(Count) {
    expectSuccess(cudaMalloc(&Data, Count * sizeof(T)), "cudaMalloc");
    poison();
  }
  explicit Buffer(const std::vector<T> &Values) : Buffer(Values.size()) {
    expectSuccess(cudaMemcpy(Data, Values.data(), Count * sizeof(T),
                             cudaMemcpyHostToDevice),
                  "cudaMemcpy");
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(Data); }

  void fill(int Byte) {
    expectSuccess(cudaMemset(Data, Byte, Count * sizeof(T)), "cudaMemset");
  }
  void poison() { fill(0xff); }

  std::vector<T> get() const {
    std::vector<T> Values(Count);
    expectSuccess(cudaMemcpy(Values.data(), Data, Count * sizeof(T),
                             cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
    return Values;
  }
  T *data() { return Data; }
  size_t size() const { return Count; }

private:
  T *Data = nullptr;
  size_t Count;
};

/// \p Count elements, each what \p Next returns. They repeat after 2^20, which
/// is enough for what is measured, and quickly made.
template <typename T, typename NextT>
std::vector<T> generate(size_t Count, NextT Next) {
  constexpr size_t Period = 1 << 20;
  std::vector<T> Values(Count);
  for (size_t I = 0; I != Count; ++I)
    Values[I] = I < Period ? T(Next()) : Values[I - Period];
  return Values;
}

/// Random integers, each exactly a T, from -\p Most to \p Most.
template <typename T>
std::vector<T> integers(size_t Count, int Most, std::mt19937_64 &Generator) {
  std::uniform_int_distribution<int> Distribution(-Most, Most);
  return generate<T>(Count, [&] { return float(Distribution(Generator)); });
}

/// Normally distributed numbers.
template <typename T>
std::vector<T> normal(size_t Count, std::mt19937_64 &Generator,
                      float Deviation = 1) {
  std::normal_distribution<float> Distribution(0, Deviation);
  return generate<T>(Count, [&] { return Distribution(Generator); });
}

/// Rounds to 8 bits, to nearest, ties to even; independent of CUDA's
/// conversions.
inline float roundToBF16(float Value) {
  uint32_t Bits;
  std::memcpy(&Bits, &Value, sizeof(Bits));
  Bits += 0x7fff + (Bits >> 16 & 1);
  Bits &= 0xffff0000;
  std::memcpy(&Value, &Bits, sizeof(Value));
  return Value;
}

/// The exact product of two rows of small integers.
inline int dotProduct(const int16_t *Left, const int16_t *Right, size_t Count) {
  int Sum = 0;
  for (size_t I = 0; I != Count; ++I)
    Sum += Left[I] * Right[I];
  return Sum;
}

/// Calls \p Function with 0 to \p Count - 1, in as many threads as there are
/// cores.
inline void parallelFor(size_t Count,
                        const std::function<void(size_t)> &Function) {
  size_t NumThreads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> Threads;
  for (size_t First = 0; First != NumThreads; ++First)
    Threads.emplace_back([=, &Function] {
      for (size_t I = First; I < Count; I += NumThreads)
        Function(I);
    });
  for (std::thread &Thread : Threads)
    Thread.join();
}

/// What an element must be, and how far it may be off.
struct Expected {
  double Value;
  double Allowed = 0;
};

/// Compares all elements; NaN is always wrong. Counts over several outputs of
/// one case are summed.
struct Comparison {
  size_t Elements = 0;
  size_t Wrong = 0;
  /// The largest error, as a multiple of what is allowed; of elements that
  /// have to be exact, 0 or infinity.
  double Worst = 0;

  template <typename T>
  void add(const std::vector<T> &Got, const std::vector<Expected> &Wanted) {
    if (Got.size() != Wanted.size()) {
      std::fprintf(stderr, "%zu elements, but %zu are wanted\n", Got.size(),
                   Wanted.size());
      std::exit(2);
    }
    for (size_t I = 0; I != Got.size(); ++I)
      addElement(double(float(Got[I])), Wanted[I]);
  }

private:
  void addElement(double Got, const Expected &Wanted) {
    double Error = std::abs(Got - Wanted.Value);
    ++Elements;
    // Not `>`: an error that is NaN is none that is allowed.
    if (!(Error <= Wanted.Allowed))
      ++Wrong;
    double Ratio = Error == 0 ? 0 : Error / Wanted.Allowed;
    Worst = std::isnan(Ratio) ? INFINITY : std::max(Worst, Ratio);
  }
};

/// The median time of a launch, in milliseconds; 0 if none is wanted.
template <typename LaunchT>
double medianTime(const LaunchT &Launch, unsigned Rounds) {
  return Rounds ? device::medianTime(Launch, int(Rounds)) : 0;
}

/// Prints a case's line; returns whether all its elements are right.
inline bool report(const std::string &Case, const Comparison &Result,
                   double Milliseconds, double Operations) {
  // JSON has no infinity.
  std::printf("{\"case\": \"%s\", \"elements\": %zu, \"wrong\": %zu, "
              "\"worst\": %.3g, \"milliseconds\": %.4f, \"tflops\": %.1f}\n",
              Case.c_str(), Result.Elements, Result.Wrong,
              std::min(Result.Worst, 1e9), Milliseconds,
              Milliseconds ? Operations / Milliseconds / 1e9 : 0);
  std::fflush(stdout);
  return Result.Elements && !Result.Wrong;
}

} // namespace harness

#endif // NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_HARNESS_H
