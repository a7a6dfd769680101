// __maxnreg__ with CUDA's own headers, up to PTX; see cuda-maxnreg.cu.
// REQUIRES: cuda-toolkit
// RUN: %clang_cuda -std=c++17 --cuda-device-only -S %s -o - | FileCheck %s

constexpr int half = 64;

// CHECK-LABEL: .entry _Z5plainv()
// CHECK-NEXT: {{^}}.maxnreg 128{{( |$)}}
__global__ void __maxnreg__(2 * half) plain() {}

// CHECK-LABEL: .entry _Z9dependentILi72EEvv()
// CHECK-NEXT: {{^}}.maxnreg 72{{( |$)}}
template <int N> __global__ void __maxnreg__(N) dependent() {}
template __global__ void dependent<72>();

// CHECK-LABEL: .entry _Z5otherv()
// CHECK-NOT: maxnreg
__global__ void __attribute__((annotate("nvvm.minnreg", 8))) other() {}
