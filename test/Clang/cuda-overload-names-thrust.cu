// A kernel of Thrust has one name on both sides, with the cudaFree of CUDA's headers in
// it; see cuda-overload-names.cu.
// REQUIRES: cuda-toolkit
// RUN: %clang_cuda -std=c++17 --cuda-device-only -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cuda -std=c++17 --cuda-host-only -S -emit-llvm %s -o - | FileCheck %s

#include <thrust/universal_vector.h>

// CHECK: {{static_kernel.*cuda_memory_resource.*L_Z8cudaFreeE}}
struct point {
  __host__ __device__ point() : x(1) {}
  float x;
};
thrust::universal_vector<point> points(2);
