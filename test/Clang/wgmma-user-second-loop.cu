// Two and three products one after the other, each in a loop that stays a loop, and
// another one read while the next one is in flight: none is waited for in its rounds,
// whether it starts from zero or overwrites what the registers have.
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

using Accumulator = accumulator_f32<64>;

template <bool StartsFromZero>
__device__ __forceinline__ void multiply(Accumulator &D, uint64_t A, uint64_t B, int Steps) {
  if constexpr (StartsFromZero)
    D = {};
  fence_operand(D);
  fence();
  for (int I = 0; I < Steps; ++I)
    D = __nvvm_wgmma_mma_async_ss_f32_f16_f16(D, A + 2 * I, B + 2 * I, StartsFromZero || I != 0, 1, 1,
                                              false, false);
  commit_group();
}

__device__ __forceinline__ void store(float *Out, Accumulator &D) {
  fence_operand(D);
  for (int I = 0; I < 32; ++I)
    Out[I * 128 + threadIdx.x] = D[I];
}

// PTX-LABEL: .entry two(
// PTX:         wgmma.mma_async
// PTX-NOT:     wgmma.wait_group
// PTX:         wgmma.mma_async
// PTX:         wgmma.commit_group
// PTX-NOT:     bra
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX:         st.global
// PTX:         wgmma.wait_group.sync.aligned 0;
// PTX:         st.global
extern "C" __global__ void two(float *Out, uint64_t A, uint64_t B, int Steps) {
  Accumulator D, E;
  multiply<false>(D, A, B, Steps);
  multiply<false>(E, B, A, Steps);
  wait_group<1>();
  store(Out, D);
  wait_group<0>();
  store(Out + 32 * 128, E);
}

// PTX-LABEL: .entry three(
// PTX:         wgmma.mma_async
// PTX-NOT:     wgmma.wait_group
// PTX:         wgmma.mma_async
// PTX:         wgmma.commit_group
// PTX-NOT:     bra
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX:         wgmma.mma_async
// PTX:         wgmma.commit_group
// PTX-NOT:     bra
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX:         wgmma.wait_group.sync.aligned 0;
extern "C" __global__ void three(float *Out, uint64_t A, uint64_t B, int Steps) {
  Accumulator D, E, F;
  multiply<true>(D, A, B, Steps);
  multiply<true>(E, B, A, Steps);
  wait_group<1>();
  store(Out, D);
  multiply<true>(F, A, A, Steps);
  wait_group<1>();
  store(Out + 32 * 128, E);
  wait_group<0>();
  store(Out + 64 * 128, F);
}
