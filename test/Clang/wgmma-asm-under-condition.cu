// REQUIRES: nvptx-registered-target
// Inline assembly under a condition, with an array that a loop behind it indexes which is unrolled late: LICM and SROA
// leave each element twice. None is moved in the loop, nothing is added, and nothing is warned of.
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu \
// DEFINE:   -fcuda-is-device -target-cpu sm_90a -target-feature +ptx80 -S -verify %s
// RUN: %{cc1} -O1 -o - | FileCheck %s
// RUN: %{cc1} -O2 -o - | FileCheck %s
// RUN: %{cc1} -O3 -o - | FileCheck %s
// expected-no-diagnostics

#define __global__ __attribute__((global))
typedef unsigned long long u64;

// CHECK-LABEL: .entry conditional(
// CHECK:       wgmma.fence
// CHECK:       wgmma.mma_async.sync.aligned.m64n64k16
// CHECK-NOT:   mov.b32 %r{{[0-9]+}}, %r
// CHECK:       wgmma.wait_group.sync.aligned 0
// CHECK-NOT:   wgmma
// CHECK-NOT:   mov.b32 %r{{[0-9]+}}, %r
// CHECK:       st.global
extern "C" __global__ void conditional(float *o, u64 a, u64 b, int n, const int *wanted, unsigned t) {
  float d[32] = {};
  for (int i = 0; i < n; i++) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    if (wanted[i])
      asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31},%32,%33,1,1,1,0,0;"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                   : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    a += 2;
  }
  for (int e = 0; e < 32; e++)
    o[e * 128 + t] = d[e];
}
