// Results that are promoted, every few rounds, behind a wait on a condition, as users
// write it with inline assembly that ties nothing to the wait: each such wait is the
// only one in its loop, whatever of the result is read, there and behind the loop.
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

#include "Inputs/wgmma_rounds.h"

/// Others that a round adds to Part.
struct Four {
  static __device__ __forceinline__ void issue(float (&Part)[8], const Arguments &Args, int K, bool IsFirst) {
#pragma unroll
    for (int I = 0; I != 4; ++I)
      multiplyIf(Part, Args.A + 4 * K + I, Args.B + I, I != 0 || !IsFirst);
  }
};
struct OneOfTwo {
  static __device__ __forceinline__ void issue(float (&Part)[8], const Arguments &Args, int K, bool IsFirst) {
    if (K & Args.M)
      multiplyIf(Part, Args.A + K, Args.B + K, !IsFirst);
    else
      multiplyIf(Part, Args.A - K, Args.B - K, !IsFirst);
  }
};

/// What becomes of Part every few rounds.
struct Add {
  static __device__ __forceinline__ void promote(float (&Sum)[8], const float (&Part)[8], const Arguments &, int) {
#pragma unroll
    for (int I = 0; I != 8; ++I)
      Sum[I] += Part[I];
  }
};
struct Scale {
  static __device__ __forceinline__ void promote(float (&Sum)[8], const float (&Part)[8], const Arguments &Args,
                                                 int K) {
#pragma unroll
    for (int I = 0; I != 8; ++I)
      Sum[I] += Part[I] * Args.In[K];
  }
};
struct AddOne {
  static __device__ __forceinline__ void promote(float (&Sum)[8], const float (&Part)[8], const Arguments &, int) {
    Sum[0] += Part[0];
  }
};
struct Store {
  static __device__ __forceinline__ void promote(float (&)[8], const float (&Part)[8], const Arguments &Args, int K) {
#pragma unroll
    for (int I = 0; I != 8; ++I)
      Args.Out[K * 8192 + threadIdx.x + I * 128] = Part[I];
  }
};

template <class Issue, class Promotion>
__global__ void __launch_bounds__(128) everyFour(Arguments Args) {
  float Sum[8] = {}, Part[8];
  int Count = 0;
  for (int K = 0; K < Args.N; ++K) {
    fence();
    Issue::issue(Part, Args, K, Count == 0);
    commit();
    if (++Count == 4) {
      wait<0>();
      Promotion::promote(Sum, Part, Args, K);
      Count = 0;
    }
  }
  wait<0>();
  if (Count)
    Add::promote(Sum, Part, Args, 0);
  Store::promote(Sum, Sum, Args, 0);
}
template <class Issue, class Promotion> __global__ void __launch_bounds__(128) everyFourth(Arguments Args) {
  float Sum[8] = {}, Part[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    fence();
    Issue::issue(Part, Args, K, K % 4 == 0);
    commit();
    if (K % 4 == 3) {
      wait<0>();
      Promotion::promote(Sum, Part, Args, K);
    }
  }
  wait<0>();
  Add::promote(Sum, Part, Args, 0);
  Store::promote(Sum, Sum, Args, 0);
}
template <class Issue, class Promotion> __global__ void __launch_bounds__(128) whereAsked(Arguments Args) {
  float Sum[8] = {}, Part[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    fence();
    Issue::issue(Part, Args, K, false);
    commit();
    if (Args.In[K] > 0) {
      wait<0>();
      Promotion::promote(Sum, Part, Args, K);
    }
  }
  wait<0>();
  Store::promote(Sum, Part, Args, 0);
  Store::promote(Sum, Sum, Args, 1);
}

template <class Issue, class Promotion> void instantiate() {
  everyFour<Issue, Promotion><<<1, 128>>>({});
  everyFourth<Issue, Promotion><<<1, 128>>>({});
  whereAsked<Issue, Promotion><<<1, 128>>>({});
}
template <class Issue> void instantiate() {
  instantiate<Issue, Add>();
  instantiate<Issue, Scale>();
  instantiate<Issue, AddOne>();
  instantiate<Issue, Store>();
}
void instantiate() {
  instantiate<One>();
  instantiate<Four>();
  instantiate<Some>();
  instantiate<OneOfTwo>();
}
