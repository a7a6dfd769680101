// Accumulators that are indexed by a variable: loops over them are unrolled, whatever the
// optimization; what remains is in memory once, and named by a warning.
// REQUIRES: cuda-toolkit
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %s
// RUN: %{compile} -O1 -Werror=nvptx-wgmma-stack -DTEST_N=8 -o %t.ptx
// RUN: FileCheck %s --implicit-check-not=.local --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.ptx %}
// RUN: %{compile} -O2 -Werror=nvptx-wgmma-stack -DTEST_N=96 -o %t.ptx
// RUN: FileCheck %s --implicit-check-not=.local --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.ptx %}
// RUN: %{compile} -O3 -Werror=nvptx-wgmma-stack -DTEST_N=256 -o %t.ptx
// RUN: FileCheck %s --implicit-check-not=.local --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.ptx %}

// RUN: %{compile} -O1 -DTEST_N=256 -DINPUT -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=SLOT --input-file=%t.ptx
// RUN: %{compile} -O3 -DTEST_N=256 -DINPUT -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=SLOT --input-file=%t.ptx

#include <nvptx_wgmma.h>
namespace wgmma = nvptx::wgmma;
constexpr int N = TEST_N;
using acc = wgmma::accumulator_f32<N>;

__device__ acc multiply(acc c, unsigned long a, unsigned long b) {
  wgmma::fence_operand(c);
  wgmma::fence();
  c = __nvvm_wgmma_mma_async_ss_f32_f16_f16(c, a, b, true, 1, 1, false, false);
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(c);
  return c;
}

#ifndef INPUT
// CHECK-LABEL: .entry vector(
// CHECK: st.global
extern "C" __global__ void vector(float *p, unsigned long a, unsigned long b) {
  acc c = multiply({}, a, b);
  for (int i = 0; i < N / 2; ++i)
    p[threadIdx.x + 128 * i] = c[i] * 2;
}

extern "C" __global__ void rows_and_columns(float *p, unsigned long a, unsigned long b) {
  acc c = multiply({}, a, b);
  for (int i = 0; i < N / 8; ++i)
    for (int j = 0; j < 4; ++j)
      p[threadIdx.x + 128 * (4 * i + (j ^ 1))] = c[i * 4 + j];
}

// Written, too, and multiplied again.
extern "C" __global__ void scaled(float *p, unsigned long a, unsigned long b) {
  acc c = multiply({}, a, b);
  for (int i = 0; i < N / 2; ++i)
    c[i] *= p[i];
  c = multiply(c, a, b);
  for (int i = 0; i < N / 2; ++i)
    p[threadIdx.x + 128 * i] = c[i];
}

extern "C" __global__ void array(float *p, unsigned long a, unsigned long b) {
  acc c = multiply({}, a, b);
  float values[N / 2];
  for (int i = 0; i < N / 2; ++i)
    values[i] = c[i] + i;
  for (int i = 0; i < N / 2; ++i)
    p[threadIdx.x + 128 * i] = values[N / 2 - 1 - i];
}
#else
// SLOT-LABEL: .entry input(
// SLOT: .local .align 16 .b8 	__local_depot{{[0-9]+}}[512];
// WARNING: wgmma-indexed.cu:[[#@LINE + 6]]:{{[0-9]+}}: warning: {{.*}}a vector of 128 'float' values is indexed by a variable and kept in local memory, in 'input' [-Wnvptx-wgmma-stack]
// WARNING-NOT: warning: {{.*}}local memory
extern "C" __global__ void input(float *p, unsigned long a, unsigned long b, const int *order,
                                 int n) {
  acc c = multiply({}, a, b);
  for (int i = 0; i < n; ++i)
    p[threadIdx.x + 128 * i] = c[order[i]];
}
#endif
