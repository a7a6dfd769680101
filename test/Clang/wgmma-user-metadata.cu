// Sparsity metadata that is loaded, or computed, as integers of 64 bits while a wgmma is in
// flight, for the next one: neither ptxas finds it to be written in flight.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.2/" %t.ptx | %ptxas-verify -arch=sm_90a
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify}

#include "Inputs/wgmma_asm.h"

__device__ void multiplySparse(float (&D)[8], uint64_t A, uint64_t B, uint32_t Metadata) {
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 " ELEMENTS ", %8, %9, %10, 0, 1, 1, 1, 0, 0;"
               : ELEMENTS_OF("f", D)
               : "l"(A), "l"(B), "r"(Metadata));
}
__device__ void store(float *Out, const float (&D)[8]) {
  for (int I = 0; I != 8; ++I)
    Out[threadIdx.x + 128 * I] = D[I];
}

struct Arguments {
  float *Out;
  const uint64_t *Metadata;
  uint64_t A, B;
  int N;
};

/// Loaded for the next round: both halves.
__global__ void loaded(Arguments Args) {
  float D[8] = {};
  uint64_t E = Args.Metadata[threadIdx.x];
  for (int K = 0; K < Args.N; ++K) {
    fence();
    multiplySparse(D, Args.A + K, Args.B, static_cast<uint32_t>(E));
    multiplySparse(D, Args.A + K + 2, Args.B + 2, static_cast<uint32_t>(E >> 32));
    commit();
    uint64_t Next = Args.Metadata[threadIdx.x + 128 * K];
    wait<0>();
    E = Next;
  }
  store(Args.Out, D);
}

/// Computed: the lower half, and the upper one.
template <int Shift> __global__ void computed(Arguments Args) {
  float D[8] = {};
  uint64_t E = Args.Metadata[threadIdx.x], Step = Args.Metadata[threadIdx.x + 1];
  for (int K = 0; K < Args.N; ++K) {
    fence();
    multiplySparse(D, Args.A + K, Args.B, static_cast<uint32_t>(E >> Shift));
    commit();
    E = K * Step + Args.Metadata[K];
    wait<0>();
  }
  store(Args.Out, D);
}
template __global__ void computed<0>(Arguments);
template __global__ void computed<32>(Arguments);

/// Two accumulators, of which one is waited for first.
__global__ void inTurn(Arguments Args) {
  float D[8] = {}, G[8] = {};
  uint64_t E = Args.Metadata[threadIdx.x], F = Args.Metadata[threadIdx.x + 1];
  for (int K = 0; K < Args.N; ++K) {
    fence();
    multiplySparse(D, Args.A + K, Args.B, static_cast<uint32_t>(E));
    commit();
    uint64_t NextE = Args.Metadata[threadIdx.x + 128 * K];
    fence();
    multiplySparse(G, Args.A + K + 2, Args.B + 2, static_cast<uint32_t>(F));
    commit();
    wait<1>();
    E = NextE;
    uint64_t NextF = Args.Metadata[threadIdx.x + 256 * K];
    wait<0>();
    F = NextF;
  }
  store(Args.Out, D);
  store(Args.Out + 1024, G);
}
