// A program that makes a tensor map is linked with CUDA's runtime alone, and compiles
// without a warning in each version of C++.
// REQUIRES: cuda-toolkit
// DEFINE: %{std} = c++17
// DEFINE: %{compile} = %clang_cuda -std=%{std} -Wall -Wextra -Wpedantic -Werror %s
// RUN: %{compile} -O2 -o %t %cuda_libs
// RUN: not sh -c "nm -u %t | grep -w 'cu[A-Z][A-Za-z]*'"
// REDEFINE: %{std} = c++20
// RUN: %{compile} -fsyntax-only
// REDEFINE: %{std} = c++23
// RUN: %{compile} -fsyntax-only

// Without a driver, an error and no crash.
// RUN: %t | FileCheck %s
// CHECK: {{^}}made{{$|: .}}

#include <cstdio>
#include <nvptx_tensor_map.h>

__global__ void kernel(const __grid_constant__ nvptx::tensor_map map, float *out) {
  __shared__ alignas(128) float box[32];
  __shared__ nvptx::mbarrier full;
  full.init(1);
  nvptx::fence_mbarrier_init();
  full.arrive_expect_tx(sizeof(box));
  nvptx::tma::load(box, full, map, 0);
  full.wait(0);
  *out = box[0];
}

int main() {
  nvptx::tensor_map one, two;
  void *memory = nullptr;
  (void)cudaMalloc(&memory, 1 << 20);
  cudaError_t error = nvptx::make_tensor_map(one, nvptx::tensor_type::f32, memory, {1024}, {0}, {32});
  if (error == cudaSuccess)
    error = nvptx::make_tensor_map(two, nvptx::tensor_type::f16, memory, {64, 128}, {128},
                                   {64, 64}, nvptx::wgmma::swizzle::bytes_128);
  std::printf(error == cudaSuccess ? "made\n" : "made: %s\n", cudaGetErrorString(error));
}
