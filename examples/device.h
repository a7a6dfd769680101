//===- device.h - Memory, launches and time ---------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host side of each example needs of CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_DEVICE_H
#define EXAMPLES_DEVICE_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace device {

inline void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(4);
}

/// Memory of the device, with a margin after it that nobody may write to.
template <class T> class Buffer {
public:
  explicit Buffer(size_t Count) : Count(Count) {
    check(cudaMalloc(&Start, Count * sizeof(T) + Margin), "cudaMalloc");
    check(cudaMemset(Start, Untouched, Count * sizeof(T) + Margin),
          "cudaMemset");
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(Start); }

  T *get() const { return Start; }
  std::vector<T> read(size_t From, size_t Number) const {
    std::vector<T> Result(Number);
    check(cudaMemcpy(Result.data(), Start + From, Number * sizeof(T),
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return Result;
  }
  bool isMarginUntouched() const {
    std::vector<unsigned char> Bytes(Margin);
    check(
        cudaMemcpy(Bytes.data(), Start + Count, Margin, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    return std::all_of(Bytes.begin(), Bytes.end(),
                       [](unsigned char Byte) { return Byte == Untouched; });
  }

private:
  static constexpr size_t Margin = 4096;
  static constexpr int Untouched = 0xA5;
  T *Start = nullptr;
  size_t Count;
};

/// Launches a kernel in clusters along x: \p Blocks blocks, or as many as run
/// at a time. One that overlaps others starts before the kernel in front of it
/// in the stream has ended, and waits for that by griddepcontrol.wait.
template <class... Parameters> class ClusterLauncher {
public:
  using Kernel = void (*)(Parameters...);

  ClusterLauncher(Kernel K, int Size, int Threads, int SharedBytes,
                  int Blocks = 0, bool OverlapsOthers = false)
      : K(K) {
    check(cudaFuncSetAttribute(K, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               SharedBytes),
          "cudaFuncSetAttribute");
    Attributes[0].id = cudaLaunchAttributeClusterDimension;
    Attributes[0].val.clusterDim.x = static_cast<unsigned>(Size);
    Attributes[0].val.clusterDim.y = Attributes[0].val.clusterDim.z = 1;
    Attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    Attributes[1].val.programmaticStreamSerializationAllowed = OverlapsOthers;
    How.gridDim = dim3(static_cast<unsigned>(Size));
    How.blockDim = dim3(static_cast<unsigned>(Threads));
    How.dynamicSmemBytes = static_cast<size_t>(SharedBytes);
    if (Blocks == 0)
      Blocks = mostClusters() * Size;
    How.gridDim = dim3(static_cast<unsigned>(Blocks));
  }

  void operator()(Parameters... Arguments) const {
    void *Pointers[] = {&Arguments...};
    cudaLaunchConfig_t Config = configuration();
    check(cudaLaunchKernelExC(&Config, reinterpret_cast<const void *>(K),
                              Pointers),
          "cudaLaunchKernelExC");
  }

  /// Clusters that the device runs at a time.
  int mostClusters() const {
    int Clusters = 0;
    cudaLaunchConfig_t Config = configuration();
    check(cudaOccupancyMaxActiveClusters(&Clusters, K, &Config),
          "cudaOccupancyMaxActiveClusters");
    return Clusters;
  }

private:
  Kernel K;
  mutable cudaLaunchAttribute Attributes[2] = {};
  cudaLaunchConfig_t How = {};

  /// With the address that the attributes have in this object.
  cudaLaunchConfig_t configuration() const {
    cudaLaunchConfig_t Config = How;
    Config.attrs = Attributes;
    Config.numAttrs = 2;
    return Config;
  }
};

/// The median of the times of some launches, in milliseconds. Before them come
/// others for 100 ms: a device that has rested runs at a higher clock, which is
/// not that of a long job.
template <class Launch>
double medianTime(const Launch &launch, int Repetitions = 21) {
  constexpr int Trials = 5;
  constexpr float WarmMilliseconds = 100, MostWarmups = 1000;
  std::vector<cudaEvent_t> Events(size_t(Repetitions) + 1);
  for (cudaEvent_t &Event : Events)
    check(cudaEventCreate(&Event), "cudaEventCreate");
  launch(); // The first one may have to load the kernel.
  cudaEventRecord(Events[0]);
  for (int I = 0; I < Trials; ++I)
    launch();
  cudaEventRecord(Events[1]);
  check(cudaDeviceSynchronize(), "the kernel");
  float Trial = 0;
  check(cudaEventElapsedTime(&Trial, Events[0], Events[1]),
        "cudaEventElapsedTime");
  float Warmups = std::min(WarmMilliseconds * Trials / Trial, MostWarmups);
  for (int I = 0; I < int(Warmups); ++I)
    launch();
  cudaEventRecord(Events[0]);
  for (int I = 0; I < Repetitions; ++I) {
    launch();
    cudaEventRecord(Events[I + 1]);
  }
  check(cudaDeviceSynchronize(), "the kernel");
  std::vector<float> Times(Repetitions);
  for (int I = 0; I < Repetitions; ++I)
    check(cudaEventElapsedTime(&Times[I], Events[I], Events[I + 1]),
          "cudaEventElapsedTime");
  for (cudaEvent_t Event : Events)
    cudaEventDestroy(Event);
  std::nth_element(Times.begin(), Times.begin() + Repetitions / 2, Times.end());
  return Times[Repetitions / 2];
}

/// Ends the program with status 3 where there is no device of capability 9.0.
inline void requireHopper() {
  constexpr const char *Needed =
      "error: needs a GPU of compute capability 9.0 (such as H100 or H200)";
  cudaDeviceProp Properties;
  cudaError_t Error = cudaGetDeviceProperties(&Properties, 0);
  if (Error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", Needed, cudaGetErrorString(Error));
    std::exit(3);
  }
  if (Properties.major != 9 || Properties.minor != 0) {
    std::fprintf(stderr, "%s, but %s has %d.%d\n", Needed, Properties.name,
                 Properties.major, Properties.minor);
    std::exit(3);
  }
  std::printf("%s, %d multiprocessors\n", Properties.name,
              Properties.multiProcessorCount);
}

/// A random number for each index: all bits depend on all of the index.
__host__ __device__ inline uint32_t randomBits(uint64_t Index, uint32_t Seed) {
  uint64_t X = (Index + 1) * 0x9E3779B97F4A7C15 ^ uint64_t(Seed) << 32;
  X = (X ^ X >> 32) * 0xD6E8FEB86659FD93;
  X = (X ^ X >> 32) * 0xD6E8FEB86659FD93;
  return uint32_t(X >> 32);
}

/// About normal, of variance 1: the sum of four uniform numbers.
__host__ __device__ inline float normalNumber(uint32_t Bits) {
  int Sum = int(Bits & 255) + int(Bits >> 8 & 255) + int(Bits >> 16 & 255) +
            int(Bits >> 24) - 510;
  return float(Sum) / 147.8f;
}

__host__ __device__ constexpr int ceilDiv(int Number, int Divisor) {
  return (Number + Divisor - 1) / Divisor;
}

} // namespace device

#endif // EXAMPLES_DEVICE_H
