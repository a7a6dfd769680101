// A CUDA program through the driver: host and device code, for two architectures
// of which one has the instructions, linked with the CUDA runtime.
// REQUIRES: cuda-toolkit, ptxas
// RUN: %clang_cuda --cuda-gpu-arch=sm_80 -std=c++17 -O2 %s -o %t %cuda_libs
// RUN: %clang_cuda -O2 --cuda-device-only -S %s -o - | FileCheck %s

#include <cstdio>

template <int N> using accumulator = float __attribute__((ext_vector_type(N / 2)));

// CHECK-LABEL: .entry _Z6kernel
// CHECK: wgmma.fence.sync.aligned;
// CHECK: wgmma.mma_async.sp.sync.aligned.m64n40k32.f32.f16.f16 {
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: st.global
__global__ void kernel(float *out, long a, long b, unsigned meta) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  accumulator<40> d = {};
  d = __nvvm_wgmma_fence_operand(d);
  __nvvm_wgmma_fence_sync_aligned();
  d = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(d, a, b, meta, 0, threadIdx.y != 0, 1, 1, 0, 0);
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(0);
  d = __nvvm_wgmma_fence_operand(d);
  for (int i = 0; i < 20; ++i)
    out[i * blockDim.x + threadIdx.x] = d[i];
#endif
}

int main() {
  kernel<<<1, 128>>>(nullptr, 0, 0, 0);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
