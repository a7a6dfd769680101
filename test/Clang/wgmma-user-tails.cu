// Accumulators that are loaded under a condition, a pipelined loop, and what is left
// of K behind it, on a condition or in a loop of its own: each wait is the program's,
// and neither ptxas serializes anything. See NVPTXWGMMAMerges.cpp.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a -v 2>&1 | FileCheck %s --implicit-check-not=C75
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// REDEFINE: %{level} = -O2 -gline-tables-only
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// CHECK: accepts it

#include <nvptx_wgmma.h>
using namespace nvptx::wgmma;

struct Arguments {
  uint64_t A, B;
  float *C;
  int Limit, K, Tiles;
};

static __device__ __forceinline__ void multiply(accumulator_f32<64> &Sum, const Arguments &Args, int K) {
  Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(Sum, Args.A + K, Args.B + K, true, 1, 1, false, false);
}

/// What is in bounds, and zero elsewhere. Returns how much of K is done.
static __device__ __forceinline__ int start(accumulator_f32<64> &Sum, const Arguments &Args, int Tile) {
#pragma unroll
  for (int I = 0; I != 32; ++I) {
    const int At = (Tile * 32 + I) * 128 + threadIdx.x;
    Sum[I] = At < Args.Limit ? Args.C[At] : 0.f;
  }
  fence_operand(Sum);
  int K = 0;
  for (; K + 64 <= Args.K; K += 64) {
    fence();
    multiply(Sum, Args, K);
    multiply(Sum, Args, K + 2);
    commit_group();
    wait_group<1>();
  }
  return K;
}

static __device__ __forceinline__ void finish(accumulator_f32<64> &Sum, const Arguments &Args, int Tile) {
  wait_group<0>();
  fence_operand(Sum);
#pragma unroll
  for (int I = 0; I != 32; ++I)
    Args.C[(Tile * 32 + I) * 128 + threadIdx.x] = Sum[I];
}

// PTX-LABEL: .entry once(
// PTX:       wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) once(Arguments Args) {
  accumulator_f32<64> Sum;
  const int K = start(Sum, Args, 0);
  if (K < Args.K) {
    fence();
    multiply(Sum, Args, K);
    commit_group();
  }
  finish(Sum, Args, 0);
}

// PTX-LABEL: .entry in_loop(
// PTX:       wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) in_loop(Arguments Args) {
  accumulator_f32<64> Sum;
  const int K = start(Sum, Args, 0);
  if (K < Args.K) {
    fence();
#pragma unroll 1
    for (int I = 0; I < (Args.K - K + 7) / 8; ++I)
      multiply(Sum, Args, K + 2 * I);
    commit_group();
  }
  finish(Sum, Args, 0);
}

// PTX-LABEL: .entry rounds(
// PTX:       wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) rounds(Arguments Args) {
  accumulator_f32<64> Sum;
#pragma unroll 1
  for (int K = start(Sum, Args, 0); K < Args.K; K += 8) {
    fence();
    multiply(Sum, Args, K);
    commit_group();
    wait_group<1>();
  }
  finish(Sum, Args, 0);
}
