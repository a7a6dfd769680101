// REQUIRES: nvptx-registered-target
// What the builtins of wgmma reject: one error for each call, which says what was
// needed and what was given.
// RUN: %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx84 -fcuda-is-device -fsyntax-only -verify %s

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using frag = vec<int, 4>;

#define F32_F16 __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16
#define F32_F16_RS __nvvm_wgmma_mma_async_sp_rs_f32_f16_f16
#define F16_F16 __nvvm_wgmma_mma_async_sp_ss_f16_f16_f16
#define F32_TF32 __nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32
#define F32_E4M3 __nvvm_wgmma_mma_async_sp_ss_f32_e4m3_e5m2
#define S32_S8 __nvvm_wgmma_mma_async_sp_ss_s32_s8_s8

__device__ void accumulators(long a, frag f, long b, int m, vec<float, 6> no_n,
                             vec<float, 132> too_large, vec<int, 20> no_int_n,
                             vec<int, 32> ints, vec<_Float16, 32> halves,
                             vec<double, 32> doubles, float scalar, float *pointer,
                             double wide) {
  // The list of N is that of the builtin: integers have fewer.
  (void)F32_F16(no_n, a, b, m, 0, true, 1, 1, 0, 0); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16' must be an accumulator, a vector of N/2 'float' with N one of 8, 16, ..., 256, but is of type 'vec<float, 6>' (vector of 6 'float' values)}}
  (void)F32_F16_RS(too_large, f, b, m, 0, true, 1, 1, 0); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_sp_rs_f32_f16_f16' must be an accumulator, a vector of N/2 'float' with N one of 8, 16, ..., 256, but is of type 'vec<float, 132>' (vector of 132 'float' values)}}
  (void)S32_S8(no_int_n, a, b, m, 0, true, 0); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_sp_ss_s32_s8_s8' must be an accumulator, a vector of N/2 'int' with N one of 8, 16, 24, 32, 48, ..., 256, but is of type 'vec<int, 20>' (vector of 20 'int' values)}}

  // Elements.
  (void)F32_F16(ints, a, b, m, 0, true, 1, 1, 0, 0); // expected-error-re {{must be an accumulator, a vector of N/2 'float' {{.*}}, but is of type 'vec<int, 32>'}}
  (void)F16_F16(halves, a, b, m, 0, true, 1, 1, 0, 0); // expected-error-re {{must be an accumulator, a vector of N/4 'int' {{.*}}, but is of type 'vec<_Float16, 32>'}}
  (void)F32_F16(doubles, a, b, m, 0, true, 1, 1, 0, 0); // expected-error-re {{must be an accumulator, a vector of N/2 'float' {{.*}}, but is of type 'vec<double, 32>'}}

  // No vectors.
  (void)F32_F16(scalar, a, b, m, 0, true, 1, 1, 0, 0); // expected-error-re {{must be an accumulator, {{.*}}, but is of type 'float'}}
  (void)F32_F16(pointer, a, b, m, 0, true, 1, 1, 0, 0); // expected-error-re {{must be an accumulator, {{.*}}, but is of type 'float *'}}
  (void)__nvvm_wgmma_fence_operand(wide); // expected-error {{argument 1 of '__nvvm_wgmma_fence_operand' must be an accumulator or a fragment of A, 'float', 'int' or a vector of one of them, but is of type 'double'}}
  (void)__nvvm_wgmma_fence_operand(doubles); // expected-error-re {{argument 1 of '__nvvm_wgmma_fence_operand' must be an accumulator or a fragment of A, {{.*}}, but is of type 'vec<double, 32>'}}
}

__device__ void operands(vec<float, 8> d, long a, frag f, long b, int m,
                         vec<int, 8> wide, vec<float, 4> floats, int *pointer) {
  (void)F32_F16_RS(d, a, b, m, 0, true, 1, 1, 0); // expected-error {{argument 2 of '__nvvm_wgmma_mma_async_sp_rs_f32_f16_f16' must be a fragment of A, a vector of 4 'int', but is of type 'long'}}
  (void)F32_F16_RS(d, wide, b, m, 0, true, 1, 1, 0); // expected-error {{must be a fragment of A, a vector of 4 'int', but is of type 'vec<int, 8>' (vector of 8 'int' values)}}
  (void)F32_F16_RS(d, floats, b, m, 0, true, 1, 1, 0); // expected-error {{must be a fragment of A, a vector of 4 'int', but is of type 'vec<float, 4>' (vector of 4 'float' values)}}
  (void)F32_F16(d, f, b, m, 0, true, 1, 1, 0, 0); // expected-error {{cannot initialize a parameter of type 'unsigned long' with an lvalue of type 'frag' (aka 'vec<int, 4>')}}
  (void)F32_F16(d, pointer, b, m, 0, true, 1, 1, 0, 0); // expected-error {{cannot initialize a parameter of type 'unsigned long' with an lvalue of type 'int *'}}

  // trans_a is for descriptors only, satfinite for integers only.
  (void)F32_F16_RS(d, f, b, m, 0, true, 1, 1, 0, 0); // expected-error {{too many arguments to function call, expected 9, have 10}} expected-note {{'__nvvm_wgmma_mma_async_sp_rs_f32_f16_f16' is a builtin with type 'acc (acc d, int4 a, unsigned long b_desc, unsigned int sp_meta, constant sp_sel, bool scale_d, constant scale_a, constant scale_b, constant trans_b)', where acc is a vector of N/2 'float' and int4 one of 4 'int'}}
  (void)F32_TF32(d, a, b, m, 0, true, 1, 1, 0); // expected-error {{too many arguments to function call, expected 8, have 9}} expected-note {{'__nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, unsigned int sp_meta, constant sp_sel, bool scale_d, constant scale_a, constant scale_b)', where acc is a vector of N/2 'float'}}
  (void)F32_F16(d, a, b, m, 0, true, 1, 1); // expected-error {{too few arguments to function call, expected 10, have 8}} expected-note {{'__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, unsigned int sp_meta, constant sp_sel, bool scale_d, constant scale_a, constant scale_b, constant trans_a, constant trans_b)', where acc is a vector of N/2 'float'}}
  (void)F32_F16(); // expected-error {{too few arguments to function call, expected 10, have 0}} expected-note {{'__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, unsigned int sp_meta, constant sp_sel, bool scale_d, constant scale_a, constant scale_b, constant trans_a, constant trans_b)', where acc is a vector of N/2 'float'}}
}

// The operations that order them, too.
__device__ void order() {
  __nvvm_wgmma_fence_sync_aligned(1); // expected-error {{too many arguments to function call, expected 0, have 1}} expected-note {{'__nvvm_wgmma_fence_sync_aligned' is a builtin with type 'void ()'}}
  __nvvm_wgmma_wait_group_sync_aligned(); // expected-error {{too few arguments to function call, expected 1, have 0}}
  (void)__nvvm_wgmma_fence_operand(); // expected-error {{too few arguments to function call, expected 1, have 0}} expected-note {{'__nvvm_wgmma_fence_operand' is a builtin with type 'reg (reg operand)', where reg is 'float', 'int' or a vector of one of them}}
}

// A result that is dropped: neither builtin changes its operands.
__device__ void unused(vec<float, 8> d, long a, long b, int m) {
  F32_F16(d, a, b, m, 0, true, 1, 1, 0, 0); // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute: the builtin changes none of its arguments}}
  __nvvm_wgmma_fence_operand(d); // expected-warning {{ignoring return value}}
}

// To a register, integers of one size are the same.
__device__ vec<unsigned, 8> unsigned_elements(vec<unsigned, 8> d, vec<unsigned, 4> f, long b, int m) {
  return __nvvm_wgmma_mma_async_sp_rs_s32_u8_u8(d, f, b, m, 0, true, 0);
}

__device__ void immediates(vec<float, 8> d, vec<int, 8> i, long a, frag f, long b, int m, int x, bool c) {
  // Values.
  (void)F32_F16(d, a, b, m, 2, true, 1, 1, 0, 0); // expected-error {{argument 5 of '__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16', the sparsity selector, must be the constant 0 or 1, but is 2}}
  (void)F32_E4M3(d, a, b, m, 1, true, 1, 1); // expected-error {{argument 5 of '__nvvm_wgmma_mma_async_sp_ss_f32_e4m3_e5m2', the sparsity selector, must be the constant 0, but is 1}}
  (void)S32_S8(i, a, b, m, -1, true, 0); // expected-error {{the sparsity selector, must be the constant 0, but is -1}}
  (void)F32_F16(d, a, b, m, 0, true, 0, 1, 0, 0); // expected-error {{argument 7 of '__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16', the scale of A, must be the constant 1 or -1, but is 0}}
  (void)F32_TF32(d, a, b, m, 0, true, 1, 2); // expected-error {{argument 8 of '__nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32', the scale of B, must be the constant 1 or -1, but is 2}}
  (void)F32_F16(d, a, b, m, 0, true, 1, 1, 2, 0); // expected-error {{argument 9 of '__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16', the transposition of A, must be the constant 0 or 1, but is 2}}
  (void)F32_F16_RS(d, f, b, m, 0, true, 1, 1, -1); // expected-error {{argument 9 of '__nvvm_wgmma_mma_async_sp_rs_f32_f16_f16', the transposition of B, must be the constant 0 or 1, but is -1}}
  (void)S32_S8(i, a, b, m, 0, true, 3); // expected-error {{argument 7 of '__nvvm_wgmma_mma_async_sp_ss_s32_s8_s8', the satfinite flag, must be the constant 0 or 1, but is 3}}
  __nvvm_wgmma_wait_group_sync_aligned(-1); // expected-error {{argument 1 of '__nvvm_wgmma_wait_group_sync_aligned', the number of pending groups, must be a constant of at least 0, but is -1}}

  // Not constant.
  (void)F32_F16(d, a, b, m, x, true, 1, 1, 0, 0); // expected-error {{the sparsity selector, must be the constant 0 or 1, but is not a constant}}
  (void)F32_F16(d, a, b, m, 0, true, x, 1, 0, 0); // expected-error {{the scale of A, must be the constant 1 or -1, but is not a constant}}
  (void)F32_F16(d, a, b, m, 0, true, 1, x, 0, 0); // expected-error {{the scale of B, must be the constant 1 or -1, but is not a constant}}
  (void)F32_F16(d, a, b, m, 0, true, 1, 1, c, 0); // expected-error {{the transposition of A, must be the constant 0 or 1, but is not a constant}}
  (void)F32_F16(d, a, b, m, 0, true, 1, 1, 0, c); // expected-error {{the transposition of B, must be the constant 0 or 1, but is not a constant}}
  (void)S32_S8(i, a, b, m, 0, true, c); // expected-error {{the satfinite flag, must be the constant 0 or 1, but is not a constant}}
  (void)F32_F16(d, a, b, m, 1.0f, true, 1, 1, 0, 0); // expected-error {{the sparsity selector, must be the constant 0 or 1, but is not a constant}}
  __nvvm_wgmma_wait_group_sync_aligned(x); // expected-error {{argument to '__nvvm_wgmma_wait_group_sync_aligned' must be a constant integer}}
}

// In a template: when it is instantiated, and only for the wrong ones.
template <int N, int Sel, int Scale>
__device__ void dependent(vec<float, N / 2> d, long a, long b, int m) {
  // expected-error@+2 {{argument 1 of '__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16' must be an accumulator, a vector of N/2 'float' with N one of 8, 16, ..., 256, but is of type 'vec<float, 12 / 2>' (vector of 6 'float' values)}}
  // expected-error@+1 {{the sparsity selector, must be the constant 0 or 1, but is 3}}
  d = F32_F16(d, a, b, m, Sel, true, 1, 1, 0, 0);
  // expected-error@+1 {{the scale of B, must be the constant 1 or -1, but is 5}}
  d = F32_TF32(vec<float, 4>{}, a, b, m, 0, true, 1, Scale)[0];
}
template __device__ void dependent<64, 1, -1>(vec<float, 32>, long, long, int);
template __device__ void dependent<12, 1, 1>(vec<float, 6>, long, long, int); // expected-note {{in instantiation of function template specialization 'dependent<12, 1, 1>' requested here}}
template __device__ void dependent<24, 3, 1>(vec<float, 12>, long, long, int); // expected-note {{in instantiation of function template specialization 'dependent<24, 3, 1>' requested here}}
template __device__ void dependent<24, 0, 5>(vec<float, 12>, long, long, int); // expected-note {{in instantiation of function template specialization 'dependent<24, 0, 5>' requested here}}

// What does not depend on parameters is wrong without an instantiation.
template <int N>
__device__ void independent(vec<float, N / 2> d, vec<float, 8> e, long a, long b, int m) {
  (void)F32_F16(e, a, b, m, 4, true, 1, 1, 0, 0); // expected-error {{the sparsity selector, must be the constant 0 or 1, but is 4}}
}
