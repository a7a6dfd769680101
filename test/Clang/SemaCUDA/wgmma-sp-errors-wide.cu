// REQUIRES: nvptx-registered-target
// Immediates whose value does not fit into 64 bits with a sign are wrong, too.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90a -target-feature +ptx82 -fcuda-is-device -fsyntax-only -verify %s

__attribute__((device)) void
wide(float __attribute__((ext_vector_type(4))) d, long a, long b, int m) {
  (void)__nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32(d, a, b, m, 0, true, 0xffffffffffffffffull, 1); // expected-error {{the scale of A, must be the constant 1 or -1, but is 18446744073709551615}}
  (void)__nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32(d, a, b, m, (__int128)1 << 64, true, 1, 1); // expected-error {{the sparsity selector, must be the constant 0 or 1, but is 18446744073709551616}}
}
