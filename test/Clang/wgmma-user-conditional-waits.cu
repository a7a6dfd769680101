// Loops that keep wgmma in flight, and wait for all of them on a condition, in inline
// assembly that ties nothing to the waits: whatever the waits beside it let stay in
// flight, the compiler adds none.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a -v 2>&1 | FileCheck %s --implicit-check-not=C75{{1[0-8]}}
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O2 -gline-tables-only
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify}
// CHECK: accepts it

#include "Inputs/wgmma_rounds.h"

/// Adds to Part in some rounds alone.
struct OneOrNone {
  static __device__ __forceinline__ void issue(float (&Part)[8], const Arguments &Args, int K, bool) {
    if (Args.In[K] > 3)
      multiply(Part, Args.A + K, Args.B + K);
  }
};

template <class Issue>
__device__ __forceinline__ void issueGroup(float (&Part)[8], const Arguments &Args, int K, bool IsFirst = false) {
  fence();
  Issue::issue(Part, Args, K, IsFirst);
  commit();
}
__device__ __forceinline__ void add(float (&Sum)[8], const float (&Part)[8]) {
#pragma unroll
  for (int I = 0; I != 8; ++I)
    Sum[I] += Part[I];
}
__device__ __forceinline__ void store(const Arguments &Args, const float (&Sum)[8]) {
#pragma unroll
  for (int I = 0; I != 8; ++I)
    Args.Out[threadIdx.x + I * 128] = Sum[I];
}

template <class Issue> __global__ void __launch_bounds__(128) waitsForOneElse(Arguments Args) {
  float Sum[8] = {}, Part[8];
  int Count = 0;
  for (int K = 0; K < Args.N; ++K) {
    issueGroup<Issue>(Part, Args, K, Count == 0);
    if (++Count == 4) {
      wait<0>();
      add(Sum, Part);
      Count = 0;
    } else {
      wait<1>();
    }
  }
  wait<0>();
  if (Count)
    add(Sum, Part);
  store(Args, Sum);
}

template <class Issue> __global__ void __launch_bounds__(128) waitsForOneBefore(Arguments Args) {
  float Sum[8] = {}, Part[8] = {}, Other[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    issueGroup<Issue>(Part, Args, K);
    wait<1>();
    if (K & 1) {
      wait<0>();
      add(Sum, Part);
    }
    issueGroup<Issue>(Other, Args, K);
    wait<1>();
  }
  wait<0>();
  add(Sum, Part);
  add(Sum, Other);
  store(Args, Sum);
}

template <class Issue> __global__ void __launch_bounds__(128) keepsTwo(Arguments Args) {
  float Sum[8] = {}, Part[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    wait<2>();
    if (Args.In[K] > 5) {
      wait<0>();
      add(Sum, Part);
    }
    issueGroup<Issue>(Part, Args, K);
  }
  wait<0>();
  add(Sum, Part);
  store(Args, Sum);
}

template <class Issue> __global__ void __launch_bounds__(128) goesOnBehind(Arguments Args) {
  float Sum[8] = {}, Part[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    issueGroup<One>(Part, Args, K, K == 0);
    wait<2>();
    if ((K & 3) == 2) {
      wait<0>();
      add(Sum, Part);
    }
    issueGroup<Issue>(Part, Args, K + 3);
  }
  wait<0>();
  add(Sum, Part);
  store(Args, Sum);
}

template <class Issue> __global__ void __launch_bounds__(128) goesOnWhereItWaits(Arguments Args) {
  float Sum[8] = {}, Part[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    issueGroup<Issue>(Part, Args, K);
    if (K & 1) {
      issueGroup<One>(Part, Args, K + 2);
      wait<0>();
      add(Sum, Part);
    }
    wait<2>();
  }
  wait<0>();
  add(Sum, Part);
  store(Args, Sum);
}

/// Twice in the block that waits, once ahead of another wait.
template <class Issue> __global__ void __launch_bounds__(128) waitsTwice(Arguments Args) {
  float Sum[8] = {}, Part[8] = {}, Other[8] = {};
  for (int K = 0; K < Args.N; ++K) {
    if (Args.In[K] > 5) {
      wait<0>();
      add(Sum, Part);
      add(Sum, Other);
    }
    wait<0>();
    issueGroup<One>(Other, Args, K, K == 0);
    issueGroup<One>(Part, Args, K, K == 0);
    issueGroup<Issue>(Part, Args, K + 2);
  }
  wait<0>();
  add(Sum, Part);
  add(Sum, Other);
  store(Args, Sum);
}

template <class Issue> void instantiate() {
  waitsForOneElse<Issue><<<1, 128>>>({});
  waitsForOneBefore<Issue><<<1, 128>>>({});
  goesOnBehind<Issue><<<1, 128>>>({});
  waitsTwice<Issue><<<1, 128>>>({});
}
void instantiateAll() {
  instantiate<One>();
  instantiate<Some>();
  instantiate<OneOrNone>();
  keepsTwo<One><<<1, 128>>>({});
  keepsTwo<OneOrNone><<<1, 128>>>({});
  goesOnWhereItWaits<One><<<1, 128>>>({});
  goesOnWhereItWaits<OneOrNone><<<1, 128>>>({});
}
