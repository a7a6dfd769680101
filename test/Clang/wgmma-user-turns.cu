// Two accumulators in turn, of which one is always in flight, also from round to round,
// while results of the other one are promoted: each wait is the program's, and neither
// ptxas serializes anything.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a -v 2>&1 | FileCheck %s --implicit-check-not=C75
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// REDEFINE: %{level} = -O2 -gline-tables-only
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// CHECK: accepts it

#include "Inputs/wgmma_asm.h"

template <class T, int N> __device__ void issue(T (&D)[N], uint64_t A, uint64_t B) {
  fence();
  multiply<0>(D, A, B);
  multiply(D, A + 2, B + 2);
  commit();
}

/// As CUTLASS has it: what reads the result stays behind.
template <int N> __device__ void hold(float (&D)[N]) {
#pragma unroll
  for (float &X : D)
    asm volatile("" : "+f"(X)::"memory");
}
template <class T, int N> __device__ void hold(T (&D)[N]) {
#pragma unroll
  for (T &X : D)
    asm volatile("" : "+r"(X)::"memory");
}

__device__ void promote(float (&Sum)[8], float (&Part)[8], float Scale) {
  hold(Part);
#pragma unroll
  for (int I = 0; I != 8; ++I)
    Sum[I] += Part[I] * Scale;
}
__device__ void promote(float (&Sum)[8], uint32_t (&Part)[4], float Scale) {
  hold(Part);
#pragma unroll
  for (int I = 0; I != 4; ++I) {
    float2 Pair = __half22float2(*reinterpret_cast<const half2 *>(&Part[I]));
    Sum[2 * I] += Pair.x * Scale;
    Sum[2 * I + 1] += Pair.y * Scale;
  }
}
__device__ void promote(float (&Sum)[8], int (&Part)[8], float Scale) {
  hold(Part);
#pragma unroll
  for (int I = 0; I != 8; ++I)
    Sum[I] += float(Part[I]) * Scale;
}

__device__ void store(float *Out, const float (&Sum)[8]) {
#pragma unroll
  for (int I = 0; I != 8; ++I)
    Out[threadIdx.x + I * 128] = Sum[I];
}

// PTX-LABEL: .entry _Z6inTurnIA8_f
// PTX:       wgmma.wait_group.sync.aligned 1;
// PTX:       wgmma.wait_group.sync.aligned 1;
// PTX-NOT:   wgmma.mma_async
// PTX:       bra
// PTX:       wgmma.wait_group.sync.aligned 0;
template <class Accumulator>
__global__ void inTurn(float *Out, const float *Scales, uint64_t A, uint64_t B, int Steps) {
  float Sum[8] = {};
  Accumulator C, D;
  issue(C, A, B);
  int K = 1;
  for (; K + 1 < Steps; K += 2) {
    issue(D, A + 4 * K, B + 4 * K);
    wait<1>();
    promote(Sum, C, Scales[K]);
    issue(C, A + 4 * K + 4, B + 4 * K + 4);
    wait<1>();
    promote(Sum, D, Scales[K + 1]);
  }
  wait<0>();
  promote(Sum, C, 1);
  store(Out, Sum);
}

/// What was in flight when the loop began is read in each round.
template <class Accumulator>
__global__ void readInEach(float *Out, const float *Scales, uint64_t A, uint64_t B, int Steps) {
  float Sum[8] = {};
  Accumulator C, D;
  issue(C, A, B);
  for (int K = 1; K < Steps; ++K) {
    issue(D, A + 4 * K, B + 4 * K);
    wait<0>();
    promote(Sum, C, Scales[K]);
    promote(Sum, D, Scales[K]);
  }
  wait<0>();
  store(Out, Sum);
}

#define KERNELS(TYPE)                                                                                                  \
  template __global__ void inTurn<TYPE>(float *, const float *, uint64_t, uint64_t, int);                              \
  template __global__ void readInEach<TYPE>(float *, const float *, uint64_t, uint64_t, int);
KERNELS(float[8])
KERNELS(uint32_t[4])
KERNELS(int[8])
