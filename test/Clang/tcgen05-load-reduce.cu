// The builtins of tcgen05.ld.red return one vector: what was loaded, and in its last
// element what that was reduced to.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -fcuda-is-device -target-cpu sm_103a -target-feature +ptx88 -O1 -S -o - %s \
// RUN: | FileCheck %s --check-prefixes=CHECK,OPTIMIZED
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -fcuda-is-device -target-cpu sm_103a -target-feature +ptx88 -O0 -S -o %t.ptx %s
// RUN: FileCheck %s --input-file=%t.ptx

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

// CHECK-LABEL: greatest(
// CHECK: tcgen05.ld.red.sync.aligned.32x32b.x128.max.NaN.f32 {{[{][^}]*[}]}}, [[MAX:%r[0-9]+]], [
// OPTIMIZED-NEXT: st.param{{(::func)?}}.b32 [func_retval0], [[MAX]];
// CHECK: ret;
extern "C" __device__ float greatest(unsigned address) {
  vec<float, 129> all = __nvvm_tcgen05_ld_red_32x32b_x128_f32(address, 1, false, true);
  return all[128];
}

// CHECK-LABEL: last_loaded(
// CHECK: tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.s32 {%r{{[0-9]+}}, [[LAST:%r[0-9]+]]}, %r{{[0-9]+}}, [{{.*}}], 32;
// OPTIMIZED-NEXT: st.param{{(::func)?}}.b32 [func_retval0], [[LAST]];
// CHECK: ret;
extern "C" __device__ int last_loaded(unsigned address) {
  vec<int, 3> all = __nvvm_tcgen05_ld_red_16x32bx2_x2_s32(address, 32, 0);
  return all[1];
}
