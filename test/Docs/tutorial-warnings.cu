//===- tutorial-warnings.cu - What docs/tutorial/protocol.md says ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page quotes these kernels, and the warnings.
//
// REQUIRES: cuda-toolkit, ptxas
// RUN: %clang_cuda -std=c++17 -O2 --cuda-device-only -c %s -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: tr '\n' ' ' < %S/../../docs/tutorial/protocol.md > %t.page
// RUN: FileCheck %s --check-prefix=PAGE < %t.page
//
//===----------------------------------------------------------------------===//

#include <nvptx_wgmma.h>

namespace wgmma = nvptx::wgmma;
using Sum64 = wgmma::accumulator_f32<64>;

__device__ Sum64 start(Sum64 Sum, unsigned long A, unsigned long B) {
  return __nvvm_wgmma_mma_async_ss_f32_f16_f16(Sum, A, B, true, 1, 1, false,
                                               false);
}

// CHECK: warning: {{.*}}: its accumulator is read before a wgmma.wait_group
// CHECK-SAME: retires it, {{.*}} [-Wnvptx-wgmma-protocol]
// CHECK: inlined into 'readsTooEarly'
// PAGE: > its accumulator is read before a wgmma.wait_group
// PAGE-SAME: retires it [-Wnvptx-wgmma-protocol]
__global__ void readsTooEarly(float *Out, unsigned long A, unsigned long B) {
  Sum64 Sum = {};
  wgmma::fence_operand(Sum);
  wgmma::fence();
  Sum = start(Sum, A, B);
  wgmma::commit_group();
  Out[threadIdx.x] = Sum[0];
  wgmma::wait_group<0>();
}

// CHECK: warning: wgmma.mma_async is never committed:
// CHECK-SAME: [-Wnvptx-wgmma-protocol]
// CHECK: inlined into 'neverCommits'
// PAGE: > wgmma.mma_async is never committed [-Wnvptx-wgmma-protocol]
__global__ void neverCommits(float *Out, unsigned long A, unsigned long B) {
  Sum64 Sum = {};
  wgmma::fence_operand(Sum);
  wgmma::fence();
  Sum = start(Sum, A, B);
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
  Out[threadIdx.x] = Sum[0];
}

// CHECK: warning: wgmma.mma_async is waited for at once:
// CHECK-SAME: its accumulator is copied while it could be in flight,
// CHECK-SAME: [-Wnvptx-wgmma-wait]
// CHECK: inlined into 'swaps'
// PAGE: > wgmma.mma_async is waited for at once:
// PAGE-SAME: its accumulator is copied while it could be in flight
// PAGE-SAME: [-Wnvptx-wgmma-wait]
__global__ void swaps(float *Out, unsigned long A, unsigned long B, int Count) {
  Sum64 Now = {}, Before = {};
#pragma unroll 1
  for (int I = 0; I < Count; ++I) {
    wgmma::fence_operand(Now);
    wgmma::fence();
    Now = start(Now, A + I, B);
    wgmma::commit_group();
    wgmma::wait_group<1>();
    wgmma::fence_operand(Before);
    Out[I * 128 + threadIdx.x] = Before[0];
    Sum64 Other = Before;
    Before = Now;
    Now = Other;
  }
  wgmma::wait_group<0>();
  wgmma::fence_operand(Now);
  wgmma::fence_operand(Before);
  Out[threadIdx.x] = Before[0] + Now[0];
}

// CHECK: warning: {{.*}} is indexed by a variable and kept in local memory,
// CHECK-SAME: [-Wnvptx-wgmma-stack]
// PAGE: > is indexed by a variable and kept in local memory
// PAGE-SAME: [-Wnvptx-wgmma-stack]
__global__ void variableIndex(float *Out, unsigned long A, unsigned long B,
                              int Which) {
  Sum64 Sum = {};
  wgmma::fence_operand(Sum);
  wgmma::fence();
  Sum = start(Sum, A, B);
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
  Out[threadIdx.x] = Sum[Which];
}
