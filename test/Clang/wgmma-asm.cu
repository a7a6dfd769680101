// REQUIRES: nvptx-registered-target
// The steps around wgmma in inline assembly, as programs have it: results tied to them, and the number of groups as an
// operand. Nothing is added, nothing is copied, and nothing is warned of.
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu \
// DEFINE:   -fcuda-is-device -target-cpu sm_90a -target-feature +ptx80 -S -verify %s
// RUN: %{cc1} -O2 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not="begin inline asm"
// RUN: %{cc1} -O1 -o - | FileCheck %s --implicit-check-not="begin inline asm"
// RUN: %{cc1} -O3 -o - -debug-info-kind=limited -dwarf-version=2 | FileCheck %s --check-prefix=DEBUG --implicit-check-not="begin inline asm"
// expected-no-diagnostics

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

#define TIED(D) "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])

// CHECK-LABEL: .entry once(
// CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
// CHECK-NEXT:  wgmma.commit_group.sync.aligned;
// CHECK-NOT:   wgmma
// CHECK:       st.volatile
// CHECK-NOT:   wgmma
// CHECK:       wgmma.wait_group.sync.aligned 0;
// CHECK-NOT:   {{mov|wgmma}}
// CHECK:       [[D0]]
// CHECK:       ret;
// DEBUG-LABEL: .entry once(
// DEBUG:       wgmma.commit_group.sync.aligned;
// DEBUG-NOT:   wgmma.
// DEBUG:       st.volatile
// DEBUG-NOT:   wgmma.
// DEBUG:       wgmma.wait_group.sync.aligned 0;
extern "C" __attribute__((global)) void once(vec<float, 4> *out, volatile int *work, unsigned long a) {
  vec<float, 4> d = {};
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
  d = __nvvm_wgmma_mma_async_ss_f32_f16_f16(d, a, a, true, 1, 1, 0, 0);
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  *work = *work + 1;
  asm volatile("wgmma.wait_group.sync.aligned %4;\n" : TIED(d) : "n"(0) : "memory");
  *out = d;
}

// CHECK-LABEL: .entry each_round(
// CHECK:       wgmma.fence.sync.aligned;
// CHECK-NEXT:  wgmma.mma_async
// CHECK-NEXT:  wgmma.commit_group.sync.aligned;
// CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
// CHECK-NOT:   {{mov|wgmma}}
// CHECK:       bra
// CHECK-NOT:   wgmma
// CHECK:       ret;
extern "C" __attribute__((global)) void each_round(vec<float, 4> *out, unsigned long a, int n) {
  vec<float, 4> d = {};
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; ++i) {
    asm volatile("wgmma.fence.sync.aligned;\n" : TIED(d)::"memory");
    d = __nvvm_wgmma_mma_async_ss_f32_f16_f16(d, a + 2 * i, a, true, 1, 1, 0, 0);
    asm volatile("wgmma.commit_group.sync.aligned;\n" : TIED(d)::"memory");
    asm volatile("wgmma.wait_group.sync.aligned %c4;\n" : TIED(d) : "n"(0) : "memory");
  }
  *out = d;
}
