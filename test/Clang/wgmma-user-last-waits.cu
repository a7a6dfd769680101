// Waits of which the last rounds let fewer groups stay, with more behind them in the
// round, and sums that are waited for one after the other, behind a loop that may have
// no round: each wait is the program's, and neither ptxas serializes anything.
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

#include <nvptx_mbarrier.h>
#include <nvptx_wgmma.h>
using namespace nvptx::wgmma;

struct Arguments {
  uint64_t A, B;
  float *Out;
  int Rounds, Tiles;
};

__device__ void issue(accumulator_f32<64> &Sum, const Arguments &Args, int K) {
  fence();
  Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(Sum, Args.A + K, Args.B + K, true, 1, 1, false, false);
  commit_group();
}

__device__ void store(float *Out, accumulator_f32<64> &Sum) {
  fence_operand(Sum);
#pragma unroll
  for (int I = 0; I != 32; ++I)
    Out[I * 128 + threadIdx.x] = Sum[I];
}

template <class Body> __device__ void pipeline(const Arguments &Args, const Body &Round) {
  accumulator_f32<64> Sum = {};
  fence_operand(Sum);
  for (int K = 0; K < Args.Rounds; ++K) {
    issue(Sum, Args, K);
    Round(K);
  }
  store(Args.Out, Sum);
}

// What the last round but one has released, each round but the first one releases.
// PTX-LABEL: .entry releases(
// PTX:       wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) releases(Arguments Args) {
  __shared__ nvptx::mbarrier Empty[4];
  pipeline(Args, [&](int K) {
    if (K == Args.Rounds - 1)
      wait_group<0>();
    else
      wait_group<1>();
    if (K > 0)
      Empty[(K - 1) % 4].arrive();
  });
}

// The same with arguments in registers: what comes behind the wait is a switch then.
// PTX-LABEL: .entry releases_by_number(
// PTX:       wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) releases_by_number(float *Out, uint64_t A, uint64_t B, int Rounds) {
  __shared__ nvptx::mbarrier Empty[4];
  accumulator_f32<64> Sum = {};
  fence_operand(Sum);
  for (int K = 0; K < Rounds; ++K) {
    fence();
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(Sum, A + K, B + K, true, 1, 1, false, false);
    commit_group();
    if (K == Rounds - 1)
      wait_group<0>();
    else
      wait_group<1>();
    if (K > 0)
      Empty[(K - 1) % 4].arrive();
  }
  store(Out, Sum);
}

// PTX-LABEL: .entry syncs(
// PTX:       wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) syncs(Arguments Args) {
  pipeline(Args, [&](int K) {
    if (K == Args.Rounds - 1)
      wait_group<0>();
    else
      wait_group<1>();
    __syncthreads();
  });
}

// PTX-LABEL: .entry two_ahead(
// PTX:       wgmma.wait_group.sync.aligned 2;
extern "C" __global__ void __launch_bounds__(128) two_ahead(Arguments Args) {
  pipeline(Args, [&](int K) {
    if (K == Args.Rounds - 1)
      wait_group<0>();
    else if (K == Args.Rounds - 2)
      wait_group<1>();
    else
      wait_group<2>();
  });
}

// PTX-LABEL: .entry by_switch(
// PTX:       wgmma.wait_group.sync.aligned 2;
extern "C" __global__ void __launch_bounds__(128) by_switch(Arguments Args) {
  pipeline(Args, [&](int K) {
    switch (Args.Rounds - 1 - K) {
    case 0:
      wait_group<0>();
      break;
    case 1:
      wait_group<1>();
      break;
    default:
      wait_group<2>();
    }
    __syncthreads();
  });
}

// PTX-LABEL: .entry drains(
// PTX-DAG:   wgmma.wait_group.sync.aligned 2;
// PTX-DAG:   wgmma.wait_group.sync.aligned 1;
extern "C" __global__ void __launch_bounds__(128) drains(Arguments Args) {
  for (int Tile = 0; Tile < Args.Tiles; ++Tile) {
    accumulator_f32<64> First = {}, Second = {};
    fence_operand(First);
    fence_operand(Second);
    for (int K = 0; K < Args.Rounds; ++K) {
      issue(First, Args, K);
      issue(Second, Args, K + 512);
      wait_group<2>();
    }
    wait_group<1>();
    store(Args.Out + 2 * Tile * 4096, First);
    wait_group<0>();
    store(Args.Out + (2 * Tile + 1) * 4096, Second);
  }
}
