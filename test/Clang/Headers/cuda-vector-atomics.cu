// An atomicAdd of a vector is no computation that may be left out, or moved past other accesses to memory: its inline
// assembly says so.

// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90 -fcuda-is-device -DCUDA_VERSION=13000 -I%t -E -P %t/a.cu | FileCheck %s
// CHECK:      float2 atomicAdd(float2 *
// CHECK-NEXT:   float2 __ret;
// CHECK-NEXT:   __asm__ volatile(
// CHECK:        atom.add.v2.f32
// CHECK:        : "memory");
// CHECK:      float2 atomicAdd_block(float2 *
// CHECK-NEXT:   float2 __ret;
// CHECK-NEXT:   __asm__ volatile(
// CHECK:        atom.cta.add.v2.f32
// CHECK:        : "memory");
// CHECK:      float2 atomicAdd_system(float2 *
// CHECK-NEXT:   float2 __ret;
// CHECK-NEXT:   __asm__ volatile(
// CHECK:        atom.sys.add.v2.f32
// CHECK:        : "memory");
// CHECK:      float4 atomicAdd(float4 *
// CHECK-NEXT:   float4 __ret;
// CHECK-NEXT:   __asm__ volatile(
// CHECK:        atom.add.v4.f32
// CHECK:        : "memory");
// CHECK:      float4 atomicAdd_block(float4 *
// CHECK-NEXT:   float4 __ret;
// CHECK-NEXT:   __asm__ volatile(
// CHECK:        atom.cta.add.v4.f32
// CHECK:        : "memory");
// CHECK:      float4 atomicAdd_system(float4 *
// CHECK-NEXT:   float4 __ret;
// CHECK-NEXT:   __asm__ volatile(
// CHECK:        atom.sys.add.v4.f32
// CHECK:        : "memory");

//--- a.cu
#include <__clang_cuda_intrinsics.h>

//--- crt/sm_70_rt.hpp
