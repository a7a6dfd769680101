// Wrong calls of the matrix builtins: one error each.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// RUN:   -target-cpu sm_90a -target-feature +ptx85 -fsyntax-only -verify %s

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

using h8 = vec<_Float16, 8>;
using f4 = vec<float, 4>;
using i4 = vec<int, 4>;
using i2 = vec<int, 2>;

// The sparsity selector: a constant, and one that the ISA gives a meaning to.
__device__ void selectors(h8 a, h8 b, f4 c, i4 ia, i4 ib, i4 ic, unsigned m, int variable) {
  (void)__nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, b, c, m, 1);
  (void)__nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, b, c, m, 2); // expected-error {{argument 5 of '__nvvm_mma_sp_m16n8k32_row_col_f32_f32' must be a constant from 0 to 1, but is 2}}
  (void)__nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, b, c, m, -1); // expected-error {{argument 5 of '__nvvm_mma_sp_m16n8k32_row_col_f32_f32' must be a constant from 0 to 1, but is -1}}
  (void)__nvvm_mma_sp_m16n8k64_row_col_s8(ia, ib, ic, m, 1); // expected-error {{argument 5 of '__nvvm_mma_sp_m16n8k64_row_col_s8' must be the constant 0, but is 1}}
  (void)__nvvm_mma_sp_ordered_metadata_m16n8k64_row_col_s8(ia, ib, ic, m, 2); // expected-error {{argument 5 of '__nvvm_mma_sp_ordered_metadata_m16n8k64_row_col_s8' must be the constant 0, but is 2}}
  (void)__nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, b, c, m, variable); // expected-error {{argument to '__nvvm_mma_sp_m16n8k32_row_col_f32_f32' must be a constant integer}}
}

// Of a template it is known when it is instantiated.
template <int Selector> __device__ f4 select(h8 a, h8 b, f4 c, unsigned m) {
  return __nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, b, c, m, Selector); // expected-error {{argument 5 of '__nvvm_mma_sp_m16n8k32_row_col_f32_f32' must be a constant from 0 to 1, but is 3}}
}
__device__ f4 instances(h8 a, h8 b, f4 c, unsigned m) {
  return select<1>(a, b, c, m) + select<3>(a, b, c, m); // expected-note {{in instantiation of function template specialization 'select<3>' requested here}}
}

// Fragments of another size or type, too few arguments.
__device__ void fragments(h8 a, vec<_Float16, 4> b, f4 c, i2 i) {
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, b, c);
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(b, b, c); // expected-error {{cannot initialize a parameter of type '_Float16 __attribute__((ext_vector_type(8)))' (vector of 8 '_Float16' values) with an lvalue of type 'vec<_Float16, 4>' (vector of 4 '_Float16' values)}}
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, i, c); // expected-error {{cannot initialize a parameter of type '_Float16 __attribute__((ext_vector_type(4)))' (vector of 4 '_Float16' values) with an lvalue of type 'i2' (aka 'vec<int, 2>')}}
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, b); // expected-error {{too few arguments to function call, expected 3, have 2}}
}
