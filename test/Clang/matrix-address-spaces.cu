// REQUIRES: nvptx-registered-target
// A pointer to an address space gives a load the same result as a generic one does, and the instruction its state space.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device -target-cpu sm_90a \
// RUN:   -target-feature +ptx80 -std=c++17 -O2 -S -mllvm -verify-machineinstrs -o %t.ptx %s
// RUN: FileCheck %s --input-file=%t.ptx

#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))
#define DEVICE __attribute__((device))

using int4 = int __attribute__((ext_vector_type(4)));
using half16 = _Float16 __attribute__((ext_vector_type(16)));

template <typename A, typename B> constexpr bool is_same = false;
template <typename A> constexpr bool is_same<A, A> = true;

// CHECK-LABEL: .func ldmatrix_x4(
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}];
extern "C" DEVICE void ldmatrix_x4(const SHARED void *p, int4 *out) {
  static_assert(is_same<decltype(__nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(p)), int4>);
  *out = __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(p);
}

// CHECK-LABEL: .func ldmatrix_x1(
// CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r{{[0-9]+}}}, [%rd{{[0-9]+}}];
extern "C" DEVICE void ldmatrix_x1(const SHARED void *p, int *out) {
  static_assert(is_same<decltype(__nvvm_ldmatrix_sync_aligned_m8n8_x1_b16(p)), int>);
  *out = __nvvm_ldmatrix_sync_aligned_m8n8_x1_b16(p);
}

// CHECK-LABEL: .func wmma_load_shared(
// CHECK: wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
extern "C" DEVICE void wmma_load_shared(const SHARED _Float16 *p, half16 *out) {
  *out = __nvvm_wmma_m16n16k16_load_a_row_f16(p);
}

// CHECK-LABEL: .func wmma_load_global(
// CHECK: wmma.load.a.sync.aligned.row.m16n16k16.global.f16
extern "C" DEVICE void wmma_load_global(const GLOBAL _Float16 *p, half16 *out) {
  *out = __nvvm_wmma_m16n16k16_load_a_row_f16(p);
}

// CHECK-LABEL: .func stmatrix(
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%rd{{[0-9]+}}],
extern "C" DEVICE void stmatrix(SHARED void *p, int4 value) {
  __nvvm_stmatrix_sync_aligned_m8n8_x4_b16(p, value);
}
