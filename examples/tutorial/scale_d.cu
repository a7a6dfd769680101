//===- scale_d.cu - What scale_d = false saves ----------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of several multiplications begins with zeros in the accumulator, or
// with scale_d = false in the first of them. Two warpgroups compute many sums
// of 64 by 256, of 64 and more of K, from operands that lie in shared memory:
// the cycles of one, both ways. docs/tutorial/scale-d.md explains it.
//
//===----------------------------------------------------------------------===//

#include "warpgroup.h"

using namespace tutorial;

namespace {

constexpr int TileM = 128, TileN = 256;
constexpr int Threads = 256;
constexpr int ABytes = TileM * LineBytes, BBytes = TileN * LineBytes;
constexpr int SharedBytes = ABytes + BBytes + AtomBytes;
using Accumulator = wgmma::accumulator_f32<TileN>;

/// Starts multiplying a stage. Without \p AddsToSum it begins a new sum,
/// whatever Sum holds.
__device__ void startStage(Accumulator &Sum, unsigned long A, unsigned long B,
                           bool AddsToSum) {
  wgmma::fence();
  wgmma::static_for<StageK / 16>([&](auto Step) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        Sum, wgmma::advance(A, 32 * Step()), wgmma::advance(B, 32 * Step()),
        /*scale_d=*/Step() > 0 || AddsToSum, /*scale_a=*/1, /*scale_b=*/1,
        /*trans_a=*/false, /*trans_b=*/false);
  });
  wgmma::commit_group();
}

/// Begins with zeros, which 128 instructions write.
struct Zeros {
  static constexpr const char *Name = "zeros";
  static __device__ void sumUp(Accumulator &Sum, unsigned long A,
                               unsigned long B, int Stages) {
    Sum = {};
    wgmma::fence_operand(Sum);
    for (int I = 0; I < Stages; ++I) {
      startStage(Sum, A, B, /*AddsToSum=*/true);
      wgmma::wait_group<1>();
    }
  }
};

/// Begins with whatever is there, which the first multiplication ignores.
struct ScaleD {
  static constexpr const char *Name = "scale_d";
  static __device__ void sumUp(Accumulator &Sum, unsigned long A,
                               unsigned long B, int Stages) {
    wgmma::fence_operand(Sum);
    for (int I = 0; I < Stages; ++I) {
      startStage(Sum, A, B, /*AddsToSum=*/I > 0);
      wgmma::wait_group<1>();
    }
  }
};

/// Copies lines of 64 halves, swizzled, as in step 2 but without haste.
__device__ void copyLines(char *Shared, const half *Global, int Rows) {
  for (int I = threadIdx.x; I < Rows * 8; I += Threads) {
    int Row = I / 8, Piece = I % 8;
    *reinterpret_cast<uint4 *>(Shared + Row * LineBytes +
                               (Piece ^ Row % 8) * 16) =
        *reinterpret_cast<const uint4 *>(Global + Row * StageK + Piece * 8);
  }
}

/// Of K only the first 64 are there: each stage multiplies them again.
template <class How>
__global__ void __launch_bounds__(Threads, 1)
    sumUpMany(const half *A, const half *B, half *D, int Stages,
              int Repetitions, long long *Cycles) {
  extern __shared__ char Dynamic[];
  char *Memory = alignToAtom(Dynamic);
  copyLines(Memory, A, TileM);
  copyLines(Memory + ABytes, B, TileN);
  wgmma::fence_proxy_async();
  __syncthreads();

  const int Warpgroup = warpgroupIndex();
  const unsigned long ADescriptor =
      wgmma::descriptor(Memory + Warpgroup * 64 * LineBytes, 16, AtomBytes,
                        wgmma::swizzle::bytes_128);
  const unsigned long BDescriptor = wgmma::descriptor(
      Memory + ABytes, 16, AtomBytes, wgmma::swizzle::bytes_128);
  Accumulator Sum = {};
  const long long Start = clock64();
  for (int I = 0; I < Repetitions; ++I) {
    How::sumUp(Sum, ADescriptor, BDescriptor, Stages);
    wgmma::wait_group<0>();
    wgmma::fence_operand(Sum); // as if it were stored
  }
  if (threadIdx.x == 0)
    *Cycles = clock64() - Start;
  storeSums<TileN>(D + Warpgroup * 64 * TileN, TileN, Sum, threadIdx.x % 128);
}

/// Returns whether D is Stages times what the CPU computes of 64 of K.
bool isRight(const device::Buffer<half> &A, const device::Buffer<half> &B,
             const device::Buffer<half> &D, int Stages) {
  std::vector<float> Want = reference::multiplyOnCPU(
      toFloats(A.read(0, TileM * StageK)), toFloats(B.read(0, TileN * StageK)),
      TileM, TileN, StageK);
  std::vector<half> Got = D.read(0, TileM * TileN);
  for (size_t I = 0; I < Want.size(); ++I)
    if (!(Got[I] == half(Want[I] * float(Stages))))
      return false;
  return true;
}

template <class How> bool measure(int Stages) {
  constexpr int Repetitions = 1000, Launches = 21;
  device::Buffer<half> A(TileM * StageK), B(TileN * StageK), D(TileM * TileN);
  device::Buffer<long long> Cycles(1);
  fill<<<64, 256>>>(A.get(), TileM * StageK, 1);
  fill<<<64, 256>>>(B.get(), TileN * StageK, 2);
  device::check(cudaFuncSetAttribute(
                    sumUpMany<How>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                    SharedBytes),
                "cudaFuncSetAttribute");
  std::vector<double> Times;
  for (int I = 0; I < Launches; ++I) {
    sumUpMany<How><<<1, Threads, SharedBytes>>>(
        A.get(), B.get(), D.get(), Stages, Repetitions, Cycles.get());
    device::check(cudaDeviceSynchronize(), "the kernel");
    Times.push_back(double(Cycles.read(0, 1)[0]) / Repetitions);
  }
  std::nth_element(Times.begin(), Times.begin() + Launches / 2, Times.end());
  bool IsRight = isRight(A, B, D, Stages);
  std::printf("scale_d K %d, %s: %s, %.0f cycles\n", Stages * StageK, How::Name,
              IsRight ? "PASSED" : "FAILED", Times[Launches / 2]);
  return IsRight;
}

} // namespace

int main() {
  device::requireHopper();
  bool IsRight = true;
  for (int Stages : {1, 4, 16, 64}) {
    IsRight &= measure<Zeros>(Stages);
    IsRight &= measure<ScaleD>(Stages);
  }
  return IsRight ? 0 : 1;
}
