// REQUIRES: cuda-toolkit
// An atomicAdd of a vector stays where its result is not used, and what is stored before it does, too.
// RUN: %clang_cuda -std=c++17 --cuda-device-only -O2 -S %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas-sm_90a %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

// CHECK-LABEL: .entry _Z3sumP6float2P6float4Pi(
// CHECK:       st.global.b32
// CHECK:       atom.add.v2.f32
// CHECK:       atom.cta.add.v2.f32
// CHECK:       atom.sys.add.v2.f32
// CHECK:       atom.add.v4.f32
// CHECK:       atom.cta.add.v4.f32
// CHECK:       atom.sys.add.v4.f32
// CHECK:       st.global.b32
// CHECK:       ret;
__global__ void sum(float2 *two, float4 *four, int *flag) {
  *flag = 1;
  atomicAdd(two, {1, 2});
  atomicAdd_block(two, {1, 2});
  atomicAdd_system(two, {1, 2});
  atomicAdd(four, {1, 2, 3, 4});
  atomicAdd_block(four, {1, 2, 3, 4});
  atomicAdd_system(four, {1, 2, 3, 4});
  *flag = 2;
}
