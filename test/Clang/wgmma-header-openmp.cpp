// nvptx_wgmma.h in OpenMP code for the device.
// REQUIRES: cuda-toolkit
// DEFINE: %{clang} = %clang_cuda -fopenmp -nogpulib -std=c++17 -Wall -Wextra -Werror -O2 %s
// RUN: %{clang} --offload-device-only -S -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// OpenMP's runtime is called, which ptxas serializes wgmma for.
// RUN: %if ptxas %{ %ptxas -c -arch=sm_90a %t.ptx -o %t.o %}
// RUN: %{clang} --offload-host-only -fsyntax-only

#include <nvptx_wgmma.h>
namespace wgmma = nvptx::wgmma;

float multiply(unsigned long) { return 0; }

// CHECK-LABEL: multiply
// CHECK:       wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK:       wgmma.commit_group.sync.aligned;
// CHECK:       wgmma.wait_group.sync.aligned 0;
#pragma omp begin declare target
#pragma omp begin declare variant match(device = {arch(nvptx64)})
float multiply(unsigned long a) {
  wgmma::accumulator_f32<64> sum = {};
  wgmma::fence_operand(sum);
  wgmma::fence();
  sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(sum, a, a, true, 1, 1, false, false);
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(sum);
  return sum[0];
}
#pragma omp end declare variant
#pragma omp end declare target

int main() {
  float x = 0;
#pragma omp target map(tofrom : x)
  x = multiply(0);
  return x != 0;
}
