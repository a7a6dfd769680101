// Kernels as users write them with inline assembly: neither ptxas serializes one, adds a
// wait, or adds a fence (C7519). Of the 60 that nvcc makes, 32 have such notes.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a -v 2>&1 | FileCheck %s --implicit-check-not=C75
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O2 -gline-tables-only
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify}
// CHECK: accepts it

#include "Inputs/wgmma_asm.h"

struct Arguments {
  float *Out, *In;
  half *Halves;
  uint64_t A, B;
  int N;
  float Factor;
};

__device__ void store(float *Out, const float (&D)[8]) {
  for (int I = 0; I != 8; ++I)
    Out[threadIdx.x + I * 128] = D[I];
}
__device__ void storeHalves(half *Out, const float (&D)[8]) {
  for (int I = 0; I != 8; ++I)
    Out[threadIdx.x + I * 128] = __float2half(D[I]);
}
__device__ void convert(const float (&S)[8], uint32_t (&P)[4]) {
  for (int I = 0; I != 4; ++I)
    P[I] = pack(S[2 * I], S[2 * I + 1]);
}
__device__ void exponentiate(float (&S)[8], uint32_t (&P)[4], float &Max) {
  for (float V : S)
    Max = fmaxf(Max, V);
  for (float &V : S)
    V = __expf(V - Max);
  convert(S, P);
}

/// A kernel whose body leaves its result in D, which is stored in two ways.
#define KERNEL(NAME, ...)                                                                                              \
  __device__ __forceinline__ bool NAME(const Arguments &Args, float (&D)[8]) {                                         \
    auto [Out, In, Halves, A, B, N, Factor] = Args;                                                                    \
    __VA_ARGS__;                                                                                                       \
    return true;                                                                                                       \
  }                                                                                                                    \
  __global__ void __launch_bounds__(256) NAME##ToFloats(Arguments Args) {                                              \
    float D[8] = {};                                                                                                   \
    if (NAME(Args, D))                                                                                                 \
      store(Args.Out, D);                                                                                              \
  }                                                                                                                    \
  __global__ void __launch_bounds__(256) NAME##ToHalves(Arguments Args) {                                              \
    float D[8] = {};                                                                                                   \
    if (NAME(Args, D))                                                                                                 \
      storeHalves(Args.Halves, D);                                                                                     \
  }

//===----------------------------------------------------------------------===//
// Fences and commits
//===----------------------------------------------------------------------===//

// The only fence stands ahead of the loop, of which LLVM peels the first round.
KERNEL(oneFence, fence(); for (int K = 0; K < N; ++K) {
  multiply(D, A + K, B + K);
  commit();
  wait<1>();
  if (K > 0 && threadIdx.x == 0)
    Out[K] = 1;
} wait<0>())

// So it does, and there are three rounds.
KERNEL(threeRounds, fence(); _Pragma("unroll 1") for (int K = 0; K != 3; ++K) {
  multiply(D, A + K, B + K);
  commit();
  wait<1>();
  __syncthreads();
} wait<0>())

// The commit stands behind the loop, too.
KERNEL(oneGroup, fence(); for (int K = 0; K < N; ++K) multiply(D, A + K, B + K); finish())
KERNEL(oneGroupOverwrites, fence(); for (int K = 0; K < N; ++K) multiplyIf(D, A + K, B + K, K); finish())

// One warpgroup multiplies once more.
KERNEL(oneWarpgroup, fence(); multiply(D, A, B); commit(); if (threadIdx.x >> 7 == 1) {
  multiply(D, A + 2, B + 2);
  commit();
} wait<0>())

KERNEL(onCondition, fence(); multiply(D, A, B); commit(); if (N > 3) {
  multiply(D, A + 2, B + 2);
  commit();
} wait<0>())

KERNEL(oneOfTwo, fence(); if (N > 3) multiply<0>(D, A, B); else multiply<0>(D, A + 4, B); finish())

//===----------------------------------------------------------------------===//
// Where accumulators start
//===----------------------------------------------------------------------===//

KERNEL(onOnes, for (float &V : D) V = 1; fence(); multiply(D, A, B); finish())
KERNEL(onBias, for (int I = 0; I != 8; ++I) D[I] = In[I % 4]; fence(); multiply(D, A, B); finish())
KERNEL(onHalves, for (int I = 0; I != 8; ++I) D[I] = __half2float(Halves[threadIdx.x + I * 128]); fence();
       multiply(D, A, B); finish())
KERNEL(onOther, float E[8]; fence(); multiply<0>(E, A, B); finish(); for (int I = 0; I != 8; ++I) D[I] = E[I]; fence();
       multiply(D, A + 8, B); finish(); store(Out + 4096, E))
KERNEL(rescaled, for (int K = 0; K < N; ++K) {
  for (int I = 0; I != 8; ++I)
    D[I] *= In[K * 2 + (I / 2 & 1)];
  fence();
  multiply(D, A + K, B + K);
  finish();
})
KERNEL(tileByTile, for (int T = 0; T < N; ++T) {
  for (float &V : D)
    V = 0;
  fence();
  for (int K = 0; K != 4; ++K)
    multiply(D, A + T * 8 + K, B + K);
  finish();
  storeHalves(Halves + T * 4096, D);
})

//===----------------------------------------------------------------------===//
// Several accumulators
//===----------------------------------------------------------------------===//

KERNEL(oneAfterTheOther, float E[8]; fence(); multiply<0>(D, A, B); commit(); multiply<0>(E, A + 8, B); commit();
       wait<1>(); store(Out + 4096, D); wait<0>(); for (int I = 0; I != 8; ++I) D[I] = E[I])
KERNEL(promoted, for (int K = 0; K < N; ++K) {
  float E[8];
  fence();
  multiply<0>(E, A + K, B + K);
  finish();
  for (int I = 0; I != 8; ++I)
    D[I] += E[I] * Factor;
})
KERNEL(fourPromoted, for (int K = 0; K != 4; ++K) {
  float E[8];
  fence();
  multiply<0>(E, A + K, B + K);
  finish();
  for (int I = 0; I != 8; ++I)
    D[I] += E[I];
})
KERNEL(twoRows, float E[8] = {}; for (int K = 0; K < N; ++K) {
  fence();
  for (int J = 0; J != 4; ++J) {
    multiply(D, A + K * 8 + J, B + J);
    multiply(E, A + K * 8 + J + 256, B + J);
  }
  finish();
} store(Out + 4096, E))
KERNEL(swapped, float E[8]; fence(); multiply<0>(D, A, B); multiply<0>(E, A + 8, B); finish();
       for (int K = 0; K < N; ++K) {
         for (int I = 0; I != 8; ++I) {
           float V = D[I];
           D[I] = E[I];
           E[I] = V;
         }
         fence();
         multiply(D, A, B);
         finish();
       })
KERNEL(doubleBuffered, float S[2][8]; fence(); multiply<0>(S[0], A, B); commit(); for (int K = 0; K != 4; ++K) {
  if (K < 3) {
    fence();
    multiply<0>(S[(K + 1) & 1], A + K, B);
    commit();
    wait<1>();
  } else {
    wait<0>();
  }
  for (int I = 0; I != 8; ++I)
    D[I] += S[K & 1][I];
})

//===----------------------------------------------------------------------===//
// Results that become A
//===----------------------------------------------------------------------===//

KERNEL(converted, float S[8]; fence(); multiply<0>(S, A, B); finish(); uint32_t P[4]; convert(S, P); fence();
       multiply<0>(D, P, B + 64); finish())
KERNEL(halvesAsA, uint32_t P[4] = {}; fence(); multiply<0>(P, A, B); finish(); fence(); multiply<0>(D, P, B + 64);
       finish())
KERNEL(attentionOfOneTile, float S[8]; float Max = -1e30f; fence(); multiply<0>(S, A, B); finish(); uint32_t P[4];
       exponentiate(S, P, Max); fence(); multiply(D, P, B + 64); finish())
KERNEL(attention, float Max = -1e30f; for (int K = 0; K < N; ++K) {
  float S[8];
  float Before = Max;
  uint32_t P[4];
  fence();
  multiply<0>(S, A, B + K * 16);
  finish();
  exponentiate(S, P, Max);
  for (float &V : D)
    V *= __expf(Before - Max);
  fence();
  multiply(D, P, B + K * 16 + 8);
  finish();
})
KERNEL(loadedA, for (int K = 0; K < N; ++K) {
  uint32_t P[4];
  for (int I = 0; I != 4; ++I)
    P[I] = __float_as_uint(In[threadIdx.x * 4 + I + K * 512]);
  fence();
  multiply(D, P, B + K);
  finish();
})
KERNEL(dequantizedA, for (int K = 0; K < N; ++K) {
  uint32_t Packed = __float_as_uint(In[threadIdx.x + K * 128]);
  uint32_t P[4];
  for (int I = 0; I != 4; ++I)
    P[I] = (Packed >> 4 * I & 0x000f000f) | 0x64006400;
  fence();
  multiply(D, P, B + K);
  finish();
})

//===----------------------------------------------------------------------===//
// Who multiplies, and for how long
//===----------------------------------------------------------------------===//

KERNEL(specialized, if (threadIdx.x / 128 == 0) {
  if (threadIdx.x == 0)
    Out[N] = 1;
  return false;
} fence(); multiply<0>(D, A, B); finish())
KERNEL(leftEarly, if (N <= int(blockIdx.x)) return false; fence(); multiply<0>(D, A, B); finish())
KERNEL(onceOrNot, if (N > 3) {
  fence();
  multiply<0>(D, A + 2, B + 2);
  finish();
})
KERNEL(untilLargeEnough, for (int K = 0; K < N; ++K) {
  fence();
  multiply(D, A + K, B + K);
  finish();
  if (D[0] > Factor)
    break;
})
KERNEL(behindBarriers, for (int K = 0; K < N; ++K) {
  asm volatile("{.reg .pred P1; L: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1; @P1 bra D; bra L; D: }" ::"r"(N),
               "r"(K & 1)
               : "memory");
  fence();
  for (int J = 0; J != 4; ++J)
    multiply(D, A + K * 8 + J, B + J);
  commit();
  wait<1>();
  if (K > 0 && threadIdx.x == 0)
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(N + 8) : "memory");
} wait<0>())
