// Partial sums of FP8 that are added up in a loop which is unrolled in full, or is
// written out, with a wait for the next tile in each round: each is added as soon as it
// is retired, not all behind the last one, and two accumulators beside the sum do.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a -v 2>&1 | FileCheck %s --implicit-check-not=C75
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// REDEFINE: %{level} = -O3 -gline-tables-only
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// CHECK: accepts it

#include <nvptx_wgmma.h>
using namespace nvptx::wgmma;

using Accumulator = accumulator_f32<128>;

__device__ __forceinline__ void start(Accumulator &Part, uint64_t A, uint64_t B) {
  fence_operand(Part);
  fence();
  Part = __nvvm_wgmma_mma_async_ss_f32_e4m3_e4m3(Part, A, B, false, 1, 1);
  commit_group();
}

__device__ __forceinline__ void arrived(volatile unsigned *Tiles, unsigned Number) {
  while (*Tiles < Number)
    ;
}

__device__ __forceinline__ void add(float (&Sum)[64], Accumulator &Part, float Scale) {
  fence_operand(Part);
  for (unsigned I = 0; I != 64; ++I)
    Sum[I] += Scale * Part[I];
}

__device__ __forceinline__ void store(float *Out, const float (&Sum)[64]) {
  for (unsigned I = 0; I != 64; ++I)
    Out[I * 128 + threadIdx.x] = Sum[I];
}

// PTX-LABEL: .entry unrolled(
// PTX:         wgmma.mma_async
// PTX:         wgmma.mma_async
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX-COUNT-64: fma.rn.f32
// PTX:         wgmma.fence
// PTX:         wgmma.mma_async
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX-COUNT-64: fma.rn.f32
// PTX-NOT:     fma.rn.f32
// PTX:         wgmma.fence
// PTX:         wgmma.mma_async
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX-COUNT-64: fma.rn.f32
// PTX-NOT:     fma.rn.f32
// PTX:         wgmma.fence
extern "C" __global__ void unrolled(float *Out, volatile unsigned *Tiles, const float *Scales,
                                    uint64_t A, uint64_t B) {
  constexpr unsigned Rounds = 8;
  Accumulator Parts[2];
  float Sum[64] = {};
  arrived(Tiles, 0);
  start(Parts[0], A, B);
#pragma unroll
  for (unsigned K = 0; K != Rounds; ++K) {
    if (K + 1 < Rounds) {
      arrived(Tiles, K + 1);
      start(Parts[(K + 1) % 2], A + 64 * K, B + 64 * K);
      wait_group<1>();
    } else
      wait_group<0>();
    add(Sum, Parts[K % 2], Scales[K]);
  }
  store(Out, Sum);
}

// PTX-LABEL: .entry written_out(
// PTX:         wgmma.mma_async
// PTX:         wgmma.mma_async
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX-COUNT-64: {{(fma|mul).rn.f32}}
// PTX:         wgmma.fence
// PTX:         wgmma.mma_async
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX-COUNT-64: fma.rn.f32
// PTX-NOT:     fma.rn.f32
// PTX:         wgmma.fence
// PTX:         wgmma.mma_async
extern "C" __global__ void written_out(float *Out, volatile unsigned *Tiles, float Scale,
                                       uint64_t A, uint64_t B) {
  Accumulator Even, Odd;
  float Sum[64] = {};
  arrived(Tiles, 0);
  start(Even, A, B);
  arrived(Tiles, 1);
  start(Odd, A + 64, B + 64);
  wait_group<1>();
  add(Sum, Even, Scale);
  arrived(Tiles, 2);
  start(Even, A + 128, B + 128);
  wait_group<1>();
  add(Sum, Odd, Scale);
  arrived(Tiles, 3);
  start(Odd, A + 192, B + 192);
  wait_group<1>();
  add(Sum, Even, Scale);
  wait_group<0>();
  add(Sum, Odd, Scale);
  store(Out, Sum);
}
