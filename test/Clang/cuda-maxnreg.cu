// __maxnreg__ limits the registers of a kernel, as with nvcc.

// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90 -fcuda-is-device \
// RUN:   -std=c++17 -emit-llvm %s -o - | FileCheck %s
// RUN: %if cuda-toolkit %{ %clang_cuda -std=c++17 --cuda-device-only -S -DCUDA \
// RUN:   %s -o - | FileCheck %s --check-prefix=PTX %}

#ifdef CUDA
#define CHECKED(n) __maxnreg__(n)
#else
#define __global__ __attribute__((global))
#define CHECKED(n) __attribute__((annotate("nvvm.maxnreg", n)))
#endif

constexpr int half = 64;

// CHECK-DAG: define {{.*}} @_Z5plainv() #[[PLAIN:[0-9]+]]
// PTX-LABEL: .entry _Z5plainv()
// PTX-NEXT: {{^}}.maxnreg 128{{( |$)}}
__global__ void CHECKED(2 * half) plain() {}

// CHECK-DAG: define {{.*}} @_Z9dependentILi72EEvv() #[[DEPENDENT:[0-9]+]]
// PTX-LABEL: .entry _Z9dependentILi72EEvv()
// PTX-NEXT: {{^}}.maxnreg 72{{( |$)}}
template <int N> __global__ void CHECKED(N) dependent() {}
template __global__ void dependent<72>();

// CHECK-DAG: attributes #[[PLAIN]] = {{.*}} "nvvm.maxnreg"="128"
// CHECK-DAG: attributes #[[DEPENDENT]] = {{.*}} "nvvm.maxnreg"="72"

// Other annotations, and what is no kernel, stay as they are.
// CHECK-DAG: define {{.*}} @_Z5otherv() #[[OTHER:[0-9]+]]
// CHECK-NOT: attributes #[[OTHER]] = {{.*}}nvvm.maxnreg
// PTX-LABEL: .entry _Z5otherv()
// PTX-NOT: maxnreg
__global__ void __attribute__((annotate("nvvm.minnreg", 8))) other() {}
