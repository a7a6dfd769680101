// An accumulator that is an array of halves, or a union, is reinterpreted as registers, whatever
// C++ says of their types; also where an epilogue indexes it by a variable. Every register that
// is multiplied into gets to the epilogue: selected from, or, where the array is written with a
// variable index, too, by way of memory.
// REQUIRES: cuda-toolkit
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S -Wno-nvptx-wgmma %s -o -
// RUN: %{compile} -O1 | FileCheck %s --implicit-check-not=.local
// RUN: %{compile} -O2 | FileCheck %s --implicit-check-not=.local
// RUN: %{compile} -O3 | FileCheck %s --implicit-check-not=.local
// RUN: %{compile} -O3 -DUNION | FileCheck %s --implicit-check-not=.local
// RUN: %{compile} -O1 -DWRITTEN | FileCheck %s --check-prefix=MEMORY
// RUN: %{compile} -O2 -DWRITTEN | FileCheck %s --check-prefix=MEMORY
// RUN: %{compile} -O3 -DWRITTEN | FileCheck %s --check-prefix=MEMORY
// RUN: %{compile} -O3 -DUNION -DWRITTEN | FileCheck %s --check-prefix=MEMORY

// CHECK-LABEL: .entry k(
// CHECK: wgmma.mma_async{{.*}} {%r[[#A:]], %r[[#B:]], %r[[#C:]], %r[[#D:]]},
// CHECK: wgmma.wait_group
// CHECK: selp.b32 %r[[#AB:]], %r[[#B]], %r[[#A]], %p
// CHECK: selp.b32 %r[[#ABC:]], %r[[#C]], %r[[#AB]], %p
// CHECK: selp.b32 %r[[#ABCD:]], %r[[#D]], %r[[#ABC]], %p

// MEMORY-LABEL: .entry k(
// MEMORY: wgmma.mma_async
// MEMORY: wgmma.wait_group
// MEMORY-DAG: st.local.{{.*}}[%rd[[#SLOT:]]]
// MEMORY-DAG: st.local.{{.*}}[%rd[[#SLOT]]+{{4|8}}]
// MEMORY: ld.local.b16

#include <stdint.h>

struct half_t {
  uint16_t storage;
};
union Registers {
  half_t halves[8];
  uint32_t registers[4];
};
using V = int __attribute__((ext_vector_type(4)));

__device__ void pin(uint32_t &r) { asm volatile("" : "+r"(r)::"memory"); }

extern "C" __global__ void k(half_t *out, uint64_t a, uint64_t b, int n, int count) {
#ifdef UNION
  Registers u;
  half_t *d = u.halves;
  uint32_t *r = u.registers;
#else
  half_t d[8];
  uint32_t *r = reinterpret_cast<uint32_t *>(d);
#endif
  for (int i = 0; i < 8; ++i)
    d[i] = {0};
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < 4; ++i)
      pin(r[i]);
    __nvvm_wgmma_fence_sync_aligned();
    V v = {(int)r[0], (int)r[1], (int)r[2], (int)r[3]};
    v = __nvvm_wgmma_mma_async_ss_f16_f16_f16(v, a + j, b + j, true, 1, 1, false, false);
    for (int i = 0; i < 4; ++i)
      r[i] = v[i];
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(0);
    for (int i = 0; i < 4; ++i)
      pin(r[i]);
  }
#ifdef WRITTEN
  d[count % 8] = d[n % 8];
#endif
  for (int i = 0; i < count; ++i)
    out[i * 128 + threadIdx.x] = d[i];
}
