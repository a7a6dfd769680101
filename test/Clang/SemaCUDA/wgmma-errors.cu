// REQUIRES: nvptx-registered-target
// What the builtins of dense wgmma reject, as wgmma-sp-errors.cu has it of sparse.
// RUN: %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx84 -fcuda-is-device -fsyntax-only -verify %s

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using frag = vec<int, 4>;

#define F32_F16 __nvvm_wgmma_mma_async_ss_f32_f16_f16
#define F32_F16_RS __nvvm_wgmma_mma_async_rs_f32_f16_f16
#define F16_F16 __nvvm_wgmma_mma_async_ss_f16_f16_f16
#define F32_TF32 __nvvm_wgmma_mma_async_ss_f32_tf32_tf32
#define S32_S8 __nvvm_wgmma_mma_async_ss_s32_s8_s8
#define S32_B1 __nvvm_wgmma_mma_async_ss_s32_b1_b1_and_popc
#define S32_B1_RS __nvvm_wgmma_mma_async_rs_s32_b1_b1_and_popc

__device__ void accumulators(long a, frag f, long b, vec<float, 6> no_n,
                             vec<float, 132> too_large, vec<int, 20> no_int_n,
                             vec<float, 32> floats, vec<_Float16, 32> halves) {
  // The list of N is that of the builtin: integers and bits have fewer.
  (void)F32_F16(no_n, a, b, true, 1, 1, 0, 0); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_ss_f32_f16_f16' must be an accumulator, a vector of N/2 'float' with N one of 8, 16, ..., 256, but is of type 'vec<float, 6>' (vector of 6 'float' values)}}
  (void)F32_F16_RS(too_large, f, b, true, 1, 1, 0); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_rs_f32_f16_f16' must be an accumulator, a vector of N/2 'float' with N one of 8, 16, ..., 256, but is of type 'vec<float, 132>' (vector of 132 'float' values)}}
  (void)S32_S8(no_int_n, a, b, true, 0); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_ss_s32_s8_s8' must be an accumulator, a vector of N/2 'int' with N one of 8, 16, 24, 32, 48, ..., 256, but is of type 'vec<int, 20>' (vector of 20 'int' values)}}
  (void)S32_B1(no_int_n, a, b, true); // expected-error {{argument 1 of '__nvvm_wgmma_mma_async_ss_s32_b1_b1_and_popc' must be an accumulator, a vector of N/2 'int' with N one of 8, 16, 24, 32, 48, ..., 256, but is of type 'vec<int, 20>' (vector of 20 'int' values)}}
  (void)S32_B1(floats, a, b, true); // expected-error-re {{must be an accumulator, a vector of N/2 'int' {{.*}}, but is of type 'vec<float, 32>'}}
  (void)F16_F16(halves, a, b, true, 1, 1, 0, 0); // expected-error-re {{must be an accumulator, a vector of N/4 'int' {{.*}}, but is of type 'vec<_Float16, 32>'}}
}

__device__ void operands(vec<float, 8> d, vec<int, 8> i, long a, frag f, long b, int m) {
  (void)F32_F16_RS(d, a, b, true, 1, 1, 0); // expected-error {{argument 2 of '__nvvm_wgmma_mma_async_rs_f32_f16_f16' must be a fragment of A, a vector of 4 'int', but is of type 'long'}}
  (void)S32_B1_RS(i, a, b, true); // expected-error {{argument 2 of '__nvvm_wgmma_mma_async_rs_s32_b1_b1_and_popc' must be a fragment of A, a vector of 4 'int', but is of type 'long'}}
  (void)F32_F16(d, f, b, true, 1, 1, 0, 0); // expected-error {{cannot initialize a parameter of type 'unsigned long' with an lvalue of type 'frag' (aka 'vec<int, 4>')}}

  // There is no metadata; trans_a is for descriptors only; bits have no flags.
  (void)F32_F16(d, a, b, m, 0, true, 1, 1, 0, 0); // expected-error {{too many arguments to function call, expected 8, have 10}} expected-note {{'__nvvm_wgmma_mma_async_ss_f32_f16_f16' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, bool scale_d, constant scale_a, constant scale_b, constant trans_a, constant trans_b)', where acc is a vector of N/2 'float'}}
  (void)F32_F16_RS(d, f, b, true, 1, 1, 0, 0); // expected-error {{too many arguments to function call, expected 7, have 8}} expected-note {{'__nvvm_wgmma_mma_async_rs_f32_f16_f16' is a builtin with type 'acc (acc d, int4 a, unsigned long b_desc, bool scale_d, constant scale_a, constant scale_b, constant trans_b)', where acc is a vector of N/2 'float' and int4 one of 4 'int'}}
  (void)F32_TF32(d, a, b, true, 1, 1, 0); // expected-error {{too many arguments to function call, expected 6, have 7}} expected-note {{'__nvvm_wgmma_mma_async_ss_f32_tf32_tf32' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, bool scale_d, constant scale_a, constant scale_b)', where acc is a vector of N/2 'float'}}
  (void)S32_B1(i, a, b, true, 0); // expected-error {{too many arguments to function call, expected 4, have 5}} expected-note {{'__nvvm_wgmma_mma_async_ss_s32_b1_b1_and_popc' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, bool scale_d)', where acc is a vector of N/2 'int'}}
  (void)F32_F16(d, a, b, true, 1, 1); // expected-error {{too few arguments to function call, expected 8, have 6}} expected-note {{'__nvvm_wgmma_mma_async_ss_f32_f16_f16' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, bool scale_d, constant scale_a, constant scale_b, constant trans_a, constant trans_b)', where acc is a vector of N/2 'float'}}
  (void)S32_B1(); // expected-error {{too few arguments to function call, expected 4, have 0}} expected-note {{'__nvvm_wgmma_mma_async_ss_s32_b1_b1_and_popc' is a builtin with type 'acc (acc d, unsigned long a_desc, unsigned long b_desc, bool scale_d)', where acc is a vector of N/2 'int'}}
}

__device__ void immediates(vec<float, 8> d, vec<int, 8> i, long a, frag f, long b, int x, bool c) {
  // Values.
  (void)F32_F16(d, a, b, true, 0, 1, 0, 0); // expected-error {{argument 5 of '__nvvm_wgmma_mma_async_ss_f32_f16_f16', the scale of A, must be the constant 1 or -1, but is 0}}
  (void)F32_TF32(d, a, b, true, 1, 2); // expected-error {{argument 6 of '__nvvm_wgmma_mma_async_ss_f32_tf32_tf32', the scale of B, must be the constant 1 or -1, but is 2}}
  (void)F32_F16(d, a, b, true, 1, 1, 2, 0); // expected-error {{argument 7 of '__nvvm_wgmma_mma_async_ss_f32_f16_f16', the transposition of A, must be the constant 0 or 1, but is 2}}
  (void)F32_F16(d, a, b, true, 1, 1, 0, 2); // expected-error {{argument 8 of '__nvvm_wgmma_mma_async_ss_f32_f16_f16', the transposition of B, must be the constant 0 or 1, but is 2}}
  (void)F32_F16_RS(d, f, b, true, 1, 1, -1); // expected-error {{argument 7 of '__nvvm_wgmma_mma_async_rs_f32_f16_f16', the transposition of B, must be the constant 0 or 1, but is -1}}
  (void)S32_S8(i, a, b, true, 3); // expected-error {{argument 5 of '__nvvm_wgmma_mma_async_ss_s32_s8_s8', the satfinite flag, must be the constant 0 or 1, but is 3}}

  // Not constant. scale_d need not be.
  (void)F32_F16(d, a, b, c, x, 1, 0, 0); // expected-error {{the scale of A, must be the constant 1 or -1, but is not a constant}}
  (void)F32_F16(d, a, b, c, 1, x, 0, 0); // expected-error {{the scale of B, must be the constant 1 or -1, but is not a constant}}
  (void)F32_F16(d, a, b, c, 1, 1, c, 0); // expected-error {{the transposition of A, must be the constant 0 or 1, but is not a constant}}
  (void)F32_F16(d, a, b, c, 1, 1, 0, c); // expected-error {{the transposition of B, must be the constant 0 or 1, but is not a constant}}
  (void)S32_S8(i, a, b, c, c); // expected-error {{the satfinite flag, must be the constant 0 or 1, but is not a constant}}
  (void)S32_B1(i, a, b, c);
}

// In a template: when it is instantiated, and only for the wrong ones.
template <int N, int Scale>
__device__ void dependent(vec<float, N / 2> d, long a, long b) {
  // expected-error@+2 {{argument 1 of '__nvvm_wgmma_mma_async_ss_f32_f16_f16' must be an accumulator, a vector of N/2 'float' with N one of 8, 16, ..., 256, but is of type 'vec<float, 12 / 2>' (vector of 6 'float' values)}}
  // expected-error@+1 {{the scale of B, must be the constant 1 or -1, but is 5}}
  d = F32_F16(d, a, b, true, 1, Scale, 0, 0);
}
template __device__ void dependent<64, -1>(vec<float, 32>, long, long);
template __device__ void dependent<12, 1>(vec<float, 6>, long, long); // expected-note {{in instantiation of}}
template __device__ void dependent<16, 5>(vec<float, 8>, long, long); // expected-note {{in instantiation of}}
