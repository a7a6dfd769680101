// Fragments and accumulators that the rounds of a loop take turns at, in arrays or by a
// condition, or that change places: the loop is unrolled by the number of turns, whatever
// number of rounds it has, and all stay in registers, with no wait but the program's.
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

// PTX-NOT: .local

#include "Inputs/wgmma_asm.h"

#include <nvptx_wgmma.h>

namespace wgmma = nvptx::wgmma;

using Accumulator = wgmma::accumulator_f32<64>;

__device__ __forceinline__ void load(uint32_t (&Fragment)[4], const uint32_t *A, int Tile) {
  for (int I = 0; I != 4; ++I)
    Fragment[I] = A[(Tile * 4 + I) * 128 + threadIdx.x];
}

__device__ __forceinline__ void issue(Accumulator &D, const uint32_t (&Fragment)[4], uint64_t B) {
  wgmma::a_fragment A;
  for (int I = 0; I != 4; ++I)
    A[I] = Fragment[I];
  wgmma::fence_operand(D);
  wgmma::fence();
  D = __nvvm_wgmma_mma_async_rs_f32_f16_f16(D, A, B, true, 1, 1, false);
  wgmma::commit_group();
}

__device__ __forceinline__ void store(float *Out, Accumulator &D) {
  wgmma::fence_operand(D);
  for (int I = 0; I != 32; ++I)
    Out[threadIdx.x + 128 * I] = D[I];
}

struct Arguments {
  float *Out;
  const uint32_t *A;
  const float *Scales;
  uint64_t DescriptorA, DescriptorB;
  int Tiles;
};

// The last tile loads nothing.
// PTX-LABEL: .entry guarded(
// PTX-COUNT-2: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void guarded(Arguments Args) {
  Accumulator D = {};
  uint32_t Fragments[2][4];
  load(Fragments[0], Args.A, 0);
  for (int K = 0; K < Args.Tiles; ++K) {
    issue(D, Fragments[K & 1], Args.DescriptorB + K);
    if (K + 1 < Args.Tiles)
      load(Fragments[(K + 1) & 1], Args.A, K + 1);
    wgmma::wait_group<0>();
  }
  store(Args.Out, D);
}

// It asks for four rounds in one, which is a multiple of two.
// PTX-LABEL: .entry asked(
// PTX-COUNT-4: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void asked(Arguments Args) {
  Accumulator D = {};
  uint32_t Fragments[2][4];
  load(Fragments[0], Args.A, 0);
#pragma unroll 4
  for (int K = 0; K < 64; ++K) {
    issue(D, Fragments[K & 1], Args.DescriptorB + K);
    if (K + 1 < 64)
      load(Fragments[(K + 1) & 1], Args.A, K + 1);
    wgmma::wait_group<0>();
  }
  store(Args.Out, D);
}

// Three fragments, of which two are in flight.
// PTX-LABEL: .entry three(
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void three(Arguments Args) {
  Accumulator D = {};
  uint32_t Fragments[3][4];
  load(Fragments[0], Args.A, 0);
  load(Fragments[1], Args.A, 1);
  for (int K = 0; K < Args.Tiles; ++K) {
    issue(D, Fragments[K % 3], Args.DescriptorB + K);
    wgmma::wait_group<1>();
    load(Fragments[(K + 2) % 3], Args.A, K + 2);
  }
  wgmma::wait_group<0>();
  store(Args.Out, D);
}

// The same with counters that start again.
// PTX-LABEL: .entry wrapped(
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void wrapped(Arguments Args) {
  Accumulator D = {};
  uint32_t Fragments[3][4];
  load(Fragments[0], Args.A, 0);
  load(Fragments[1], Args.A, 1);
  int Read = 0, Write = 2;
  for (int K = 0; K < Args.Tiles; ++K) {
    issue(D, Fragments[Read], Args.DescriptorB + K);
    wgmma::wait_group<1>();
    load(Fragments[Write], Args.A, K + 2);
    if (++Read == 3)
      Read = 0;
    if (++Write == 3)
      Write = 0;
  }
  wgmma::wait_group<0>();
  store(Args.Out, D);
}

// Pointers that change places, in a loop over tiles, which waits for memory.
// PTX-LABEL: .entry pointers(
// PTX-COUNT-2: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void pointers(Arguments Args, volatile int *Ready) {
  Accumulator D = {};
  uint32_t Fragments[2][4];
  uint32_t(*Now)[4] = &Fragments[0], (*Next)[4] = &Fragments[1];
  load(*Now, Args.A, 0);
  for (int K = 0; K < Args.Tiles; ++K) {
    while (*Ready < K)
      ;
    issue(D, *Now, Args.DescriptorB + K);
    load(*Next, Args.A, K + 1);
    wgmma::wait_group<0>();
    auto *Last = Now;
    Now = Next;
    Next = Last;
  }
  store(Args.Out, D);
}

/// Adds what is retired, by a scale.
__device__ __forceinline__ void promote(float (&Sum)[8], float (&Part)[8], float Scale) {
  for (float &X : Part)
    asm volatile("" : "+f"(X)::"memory");
  for (int I = 0; I != 8; ++I)
    Sum[I] += Scale * Part[I];
}

// Two accumulators in inline assembly, of which one is always in flight; a flag tells
// whose turn it is.
// PTX-LABEL: .entry accumulators(
// PTX:         wgmma.mma_async
// PTX-COUNT-2: wgmma.wait_group.sync.aligned 1;
// PTX:         wgmma.wait_group.sync.aligned 0;
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void accumulators(Arguments Args) {
  float Parts[2][8], Sum[8] = {};
  fence();
  multiply<0>(Parts[0], Args.DescriptorA, Args.DescriptorB);
  commit();
  int Turn = 0;
  for (int K = 1; K < Args.Tiles; ++K) {
    fence();
    multiply<0>(Parts[Turn ^ 1], Args.DescriptorA + K, Args.DescriptorB);
    commit();
    wait<1>();
    promote(Sum, Parts[Turn], Args.Scales[K]);
    Turn ^= 1;
  }
  wait<0>();
  if (Turn)
    promote(Sum, Parts[1], Args.Scales[0]);
  else
    promote(Sum, Parts[0], Args.Scales[0]);
  for (int I = 0; I != 8; ++I)
    Args.Out[threadIdx.x + 128 * I] = Sum[I];
}

__device__ __forceinline__ void start(Accumulator &D, const Arguments &Args, int Tile) {
  wgmma::fence_operand(D);
  wgmma::fence();
  D = __nvvm_wgmma_mma_async_ss_f32_f16_f16(D, Args.DescriptorA + Tile, Args.DescriptorB, false, 1, 1, false, false);
  wgmma::commit_group();
}

__device__ __forceinline__ void promote(float (&Sum)[32], Accumulator &Part, float Scale) {
  wgmma::fence_operand(Part);
  for (int I = 0; I != 32; ++I)
    Sum[I] += Scale * Part[I];
}

__device__ __forceinline__ void store(float *Out, const float (&Sum)[32]) {
  for (int I = 0; I != 32; ++I)
    Out[threadIdx.x + 128 * I] = Sum[I];
}

// References that are chosen, and branches.
// PTX-LABEL: .entry chosen(
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void chosen(Arguments Args) {
  Accumulator Even, Odd;
  float Sum[32] = {};
  start(Even, Args, 0);
  for (int K = 1; K < Args.Tiles; ++K) {
    Accumulator &Now = K & 1 ? Odd : Even, &Last = K & 1 ? Even : Odd;
    start(Now, Args, K);
    wgmma::wait_group<1>();
    promote(Sum, Last, Args.Scales[K]);
  }
  wgmma::wait_group<0>();
  store(Args.Out, Sum);
}

// PTX-LABEL: .entry branches(
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void branches(Arguments Args) {
  Accumulator Even, Odd;
  float Sum[32] = {};
  start(Even, Args, 0);
  for (int K = 1; K < Args.Tiles; ++K) {
    if (K & 1)
      start(Odd, Args, K);
    else
      start(Even, Args, K);
    wgmma::wait_group<1>();
    if (K & 1)
      promote(Sum, Even, Args.Scales[K]);
    else
      promote(Sum, Odd, Args.Scales[K]);
  }
  wgmma::wait_group<0>();
  store(Args.Out, Sum);
}

// What the last round has issued is read in this one, and what this one has behind the
// loop: each way out waits for itself.
// PTX-LABEL: .entry last(
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void last(Arguments Args) {
  Accumulator Last;
  float Sum[32] = {};
  start(Last, Args, 0);
  for (int K = 1; K < Args.Tiles; ++K) {
    Accumulator Now;
    start(Now, Args, K);
    wgmma::wait_group<1>();
    promote(Sum, Last, Args.Scales[K]);
    Last = Now;
  }
  wgmma::wait_group<0>();
  promote(Sum, Last, Args.Scales[0]);
  store(Args.Out, Sum);
}

// Accumulators that change places.
// PTX-LABEL: .entry swapped(
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void swapped(Arguments Args) {
  Accumulator One, Other;
  float Sum[32] = {};
  start(One, Args, 0);
  for (int K = 1; K < Args.Tiles; ++K) {
    start(Other, Args, K);
    wgmma::wait_group<1>();
    promote(Sum, One, Args.Scales[K]);
    Accumulator Retired = One;
    One = Other;
    Other = Retired;
  }
  wgmma::wait_group<0>();
  store(Args.Out, Sum);
}

// With one that is waited for before the next one is issued, one does: the loop is left
// alone.
// PTX-LABEL: .entry one_does(
// PTX-COUNT-2: wgmma.mma_async
// PTX-NOT:     wgmma.mma_async
extern "C" __global__ void one_does(Arguments Args) {
  Accumulator D;
  float Sum[32] = {};
  start(D, Args, 0);
  for (int K = 1; K < Args.Tiles; ++K) {
    wgmma::wait_group<0>();
    promote(Sum, D, Args.Scales[K]);
    start(D, Args, K);
  }
  wgmma::wait_group<0>();
  promote(Sum, D, Args.Scales[0]);
  store(Args.Out, Sum);
}
