// REQUIRES: nvptx-registered-target
// __maxnreg__, as the wrapper of CUDA's headers defines it, limits the registers of a
// kernel, as with nvcc.

// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90 -fcuda-is-device \
// RUN:   -std=c++17 -emit-llvm %s -o - | FileCheck %s

#define __global__ __attribute__((global))
#define __maxnreg__(n) __attribute__((annotate("nvvm.maxnreg", n)))

constexpr int half = 64;

// CHECK-DAG: define {{.*}} @_Z5plainv() #[[PLAIN:[0-9]+]]
__global__ void __maxnreg__(2 * half) plain() {}

// CHECK-DAG: define {{.*}} @_Z9dependentILi72EEvv() #[[DEPENDENT:[0-9]+]]
template <int N> __global__ void __maxnreg__(N) dependent() {}
template __global__ void dependent<72>();

// CHECK-DAG: attributes #[[PLAIN]] = {{.*}} "nvvm.maxnreg"="128"
// CHECK-DAG: attributes #[[DEPENDENT]] = {{.*}} "nvvm.maxnreg"="72"

// Other annotations, and what is no kernel, stay as they are.
// CHECK-DAG: define {{.*}} @_Z5otherv() #[[OTHER:[0-9]+]]
// CHECK-NOT: attributes #[[OTHER]] = {{.*}}nvvm.maxnreg
__global__ void __attribute__((annotate("nvvm.minnreg", 8))) other() {}
