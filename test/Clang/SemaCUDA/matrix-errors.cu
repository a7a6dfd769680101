// REQUIRES: nvptx-registered-target
// Wrong calls of the matrix builtins: one error each.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// RUN:   -target-cpu sm_120a -target-feature +ptx88 -fsyntax-only -verify %s

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
__device__ void fragments(h8 a, vec<_Float16, 4> b, f4 c, i2 i, vec<double, 4> d) {
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, b, c);
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(b, b, c); // expected-error {{argument 1 of '__nvvm_mma_m16n8k16_row_col_f32_f32' must be the fragment of A, a vector of 8 '_Float16', but is of type 'vec<_Float16, 4>' (vector of 4 '_Float16' values)}}
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, i, c); // expected-error {{argument 2 of '__nvvm_mma_m16n8k16_row_col_f32_f32' must be the fragment of B, a vector of 4 '_Float16', but is of type 'i2' (aka 'vec<int, 2>')}}
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, b, d); // expected-error {{argument 3 of '__nvvm_mma_m16n8k16_row_col_f32_f32' must be the fragment of C, a vector of 4 'float', but is of type 'vec<double, 4>' (vector of 4 'double' values)}}
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, b); // expected-error {{too few arguments to function call, expected 3, have 2}} expected-note {{'__nvvm_mma_m16n8k16_row_col_f32_f32' is a builtin with type 'float __attribute__((ext_vector_type(4))) (_Float16 __attribute__((ext_vector_type(8))), _Float16 __attribute__((ext_vector_type(4))), float __attribute__((ext_vector_type(4))))'}}
}

// A scalar does not fill a fragment, a number is not the bits of one.
__device__ void scalars(h8 a, i4 i, f4 c, int m, long wide, float f, void *p) {
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(1.0, 2, 3); // expected-error {{argument 1 of '__nvvm_mma_m16n8k16_row_col_f32_f32' must be the fragment of A, a vector of 8 '_Float16', but is of type 'double'}}
  (void)__nvvm_mma_m16n8k16_row_col_f32_f32(a, m, c); // expected-error {{argument 2 of '__nvvm_mma_m16n8k16_row_col_f32_f32' must be the fragment of B, a vector of 4 '_Float16', but is of type 'int'}}
  (void)__nvvm_mma_m16n8k32_row_col_s8(i, i2{}, m); // expected-error {{argument 3 of '__nvvm_mma_m16n8k32_row_col_s8' must be the fragment of C, a vector of 4 'int', but is of type 'int'}}
  (void)__nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, a, f, m, 0); // expected-error {{argument 3 of '__nvvm_mma_sp_m16n8k32_row_col_f32_f32' must be the fragment of C, a vector of 4 'float', but is of type 'float'}}
  (void)__nvvm_mma_m8n8k16_row_col_s8(f, m, i2{}); // expected-error {{argument 1 of '__nvvm_mma_m8n8k16_row_col_s8' must be the fragment of A, an 'int', but is of type 'float'}}
  (void)__nvvm_mma_m8n8k16_row_col_s8(m, wide, i2{}); // expected-error {{argument 2 of '__nvvm_mma_m8n8k16_row_col_s8' must be the fragment of B, an 'int', but is of type 'long'}}
  (void)__nvvm_movmatrix_sync_aligned_m8n8_trans_b16(f); // expected-error {{argument 1 of '__nvvm_movmatrix_sync_aligned_m8n8_trans_b16' must be the fragment, an 'int', but is of type 'float'}}
  __nvvm_stmatrix_sync_aligned_m8n8_x4_b16(p, m); // expected-error {{argument 2 of '__nvvm_stmatrix_sync_aligned_m8n8_x4_b16' must be the fragment, a vector of 4 'int', but is of type 'int'}}
  __nvvm_wmma_m16n16k16_store_d_row_stride_f32(p, f, 16); // expected-error {{argument 2 of '__nvvm_wmma_m16n16k16_store_d_row_stride_f32' must be the fragment, a vector of 8 'float', but is of type 'float'}}
  __nvvm_stmatrix_sync_aligned_m8n8_x1_b16(m, m); // expected-error {{cannot initialize a parameter of type 'void *' with an rvalue of type 'int'}}
}

// To a register, integers of one size are the same.
typedef unsigned gcc_u4 __attribute__((vector_size(16)));
__device__ i4 unsigned_elements(vec<unsigned, 4> u, vec<unsigned, 2> v, unsigned s, gcc_u4 g, void *p) {
  (void)__nvvm_mma_m8n8k16_row_col_s8(s, s, v);
  (void)__nvvm_movmatrix_sync_aligned_m8n8_trans_b16(s);
  __nvvm_stmatrix_sync_aligned_m8n8_x4_b16(p, u);
  __nvvm_stmatrix_sync_aligned_m8n8_x4_b16(p, g);
  vec<unsigned, 4> d = __nvvm_mma_m16n8k32_row_col_s8(u, v, u); // expected-error {{cannot initialize a variable of type 'vec<unsigned int, 4>'}}
  return __nvvm_mma_m16n8k32_row_col_s8(u, v, g);
}

// The scales that PTX does not define.
#define MXF8 __nvvm_mma_block_scale_m16n8k32_row_col_mxf8f6f4_f32_e4m3_e4m3_f32_ue8m0
#define MXF4 __nvvm_mma_block_scale_m16n8k64_row_col_mxf4_f32_e2m1_e2m1_f32_ue8m0
#define NVF4 __nvvm_mma_block_scale_m16n8k64_row_col_mxf4nvf4_scale_4x_f32_e2m1_e2m1_f32_ue4m3
#define SP_NVF4 __nvvm_mma_sp_ordered_metadata_block_scale_m16n8k128_row_col_mxf4nvf4_scale_2x_f32_e2m1_e2m1_f32_ue8m0
template <int Id> __device__ f4 select_scale(i4 a, i2 b, f4 c, int s) {
  return NVF4(a, b, c, s, Id, 0, s, 0, 0); // expected-error {{argument 5 of '__nvvm_mma_block_scale_m16n8k64_row_col_mxf4nvf4_scale_4x_f32_e2m1_e2m1_f32_ue4m3', the byte id of A, must be 0, but is 2}}
}
__device__ void selectors_of_scales(i4 a, i2 b, f4 c, int s, unsigned short id) {
  (void)MXF8(a, b, c, s, 3, 1, s, 3, 3);
  (void)MXF8(a, b, c, s, id, id, s, id, id);
  (void)MXF4(a, b, c, s, 2, 1, s, 2, 3);
  (void)MXF8(a, b, c, s, 4, 1, s, 0, 0); // expected-error {{argument 5 of '__nvvm_mma_block_scale_m16n8k32_row_col_mxf8f6f4_f32_e4m3_e4m3_f32_ue8m0', the byte id of A, must be 0 to 3, but is 4}}
  (void)MXF8(a, b, c, s, 0, 2, s, 0, 0); // expected-error {{, the thread id of A, must be 0 or 1, but is 2}}
  (void)MXF8(a, b, c, s, 0, 0, s, -1, 0); // expected-error {{argument 8 of '__nvvm_mma_block_scale_m16n8k32_row_col_mxf8f6f4_f32_e4m3_e4m3_f32_ue8m0', the byte id of B, must be 0 to 3, but is -1}}
  (void)MXF8(a, b, c, s, 0, 0, s, 0, 65536); // expected-error {{, the thread id of B, must be 0 to 3, but is 65536}}
  (void)MXF4(a, b, c, s, 1, 0, s, 0, 0); // expected-error {{, the byte id of A, must be 0 or 2, but is 1}}
  (void)SP_NVF4(a, a, c, s, 0, s, 0, 0, s, 3, 0); // expected-error {{, the byte id of B, must be 0 or 2, but is 3}}
  (void)(select_scale<0>(a, b, c, s) + select_scale<2>(a, b, c, s)); // expected-note {{in instantiation of function template specialization 'select_scale<2>' requested here}}
}

// A dropped result is a mistake: nothing else happens.
__device__ void unused(h8 a, vec<_Float16, 4> b, f4 c, int m, const void *p, void *q) {
  __nvvm_mma_m16n8k16_row_col_f32_f32(a, b, c); // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute: the builtin changes none of its arguments}}
  __nvvm_mma_sp_m16n8k32_row_col_f32_f32(a, a, c, m, 0); // expected-warning {{ignoring return value}}
  __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(p); // expected-warning {{ignoring return value}}
  __nvvm_wmma_m16n16k16_load_a_row_f16(p); // expected-warning {{ignoring return value}}
  __nvvm_movmatrix_sync_aligned_m8n8_trans_b16(m); // expected-warning {{ignoring return value}}
  __nvvm_stmatrix_sync_aligned_m8n8_x1_b16(q, m);
}
template <class T> __device__ void unused_in_template(const T *p) {
  __nvvm_ldmatrix_sync_aligned_m8n8_x1_b16(p); // expected-warning {{ignoring return value}}
}
template __device__ void unused_in_template(const int *); // expected-note {{in instantiation of}}

// A pointer of any address space, but not to constant memory for a store.
__device__ i4 pointers(const __attribute__((address_space(3))) void *shared, const int array[], const void *generic) {
  __nvvm_stmatrix_sync_aligned_m8n8_x1_b16(generic, 1); // expected-error {{cannot initialize a parameter of type 'void *' with an rvalue of type 'const void *'}}
  return __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(shared) + __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(array);
}

// Where a substitution may fail, nothing is said.
template <class T> __device__ auto multiply(T c) -> decltype(__nvvm_mma_m16n8k16_row_col_f32_f32(h8{}, vec<_Float16, 4>{}, c));
template <class T> __device__ auto multiply(T c, int = 0) -> decltype(__nvvm_mma_m16n8k16_row_col_f32_f32(c));
__device__ int multiply(...);
static_assert(sizeof(multiply(f4{})) == 16 && sizeof(multiply(1)) == 4);
