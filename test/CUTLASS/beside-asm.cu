// The overlay's fences, commits and waits serve atoms in inline assembly, too:
// one of a user's own, beside one of CUTLASS's names.
// REQUIRES: cutlass, ptxas
// RUN: %clang_cutlass %cutlass_overlay -O3 --cuda-device-only -S -o %t.ptx %s
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %ptxas-verify -arch=sm_90a %t.ptx

#include <cute/arch/mma_sm90_gmma.hpp>

using namespace cute;
using namespace cute::SM90;

struct OwnAtom {
  __device__ static void fma(uint64_t a, uint64_t b, float *d) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 "
                 "{%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b));
  }
};

// Nothing stands between the fence and the wait but what is in flight, and the
// values are read after the wait.
// CHECK-LABEL: .entry beside(
// CHECK: wgmma.fence.sync.aligned;
// CHECK-NOT: {{mov|add\.|mul\.}}
// CHECK: wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {[[ASM:.*]]}, %rd{{.*}}, 1, 1, 1;
// CHECK-NOT: {{mov|add\.|mul\.}}
// CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[BUILTIN:.*]]}, %rd{{.*}}, 1, 1, 1, 0, 1;
// CHECK-NOT: {{mov|add\.|mul\.}}
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK-NOT: {{mov|add\.|mul\.}}
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-COUNT-4: mul.f32
// CHECK-NOT: wgmma
// CHECK: ret;
extern "C" __global__ void beside(float *out, uint64_t a, uint64_t b, int steps) {
  float own[4] = {}, named[4] = {};
  for (int i = 0; i != steps; ++i) {
    for (int r = 0; r != 4; ++r) {
      warpgroup_fence_operand(own[r]);
      warpgroup_fence_operand(named[r]);
    }
    warpgroup_arrive();
    OwnAtom::fma(a, b, own);
    GMMA::MMA_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>::fma(
        a, b, named[0], named[1], named[2], named[3]);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    for (int r = 0; r != 4; ++r) {
      warpgroup_fence_operand(own[r]);
      warpgroup_fence_operand(named[r]);
    }
  }
  for (int r = 0; r != 4; ++r)
    out[r] = own[r] * named[r];
}
