// REQUIRES: nvptx-registered-target
// A misspelt builtin gets a suggestion, with any number of arguments that fits.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device -target-cpu sm_90a -target-feature +ptx82 -fsyntax-only -verify-ignore-unexpected=note -verify %s
// RUN: %clang_cc1 -x c++ -triple nvptx64-nvidia-cuda -target-cpu sm_90a -target-feature +ptx82 -fsyntax-only -verify-ignore-unexpected=note -verify %s

#ifdef __CUDA__
#define __device__ __attribute__((device))
#else
#define __device__
#endif
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

__device__ void calls(vec<float, 4> d, vec<int, 4> f, long a, int m, const void *p) {
  __nvvm_wgmma_fense_sync_aligned(); // expected-error {{did you mean '__nvvm_wgmma_fence_sync_aligned'?}}
  __nvvm_wgmma_commit_group_sync_alligned(); // expected-error {{did you mean '__nvvm_wgmma_commit_group_sync_aligned'?}}
  __nvvm_wgmma_wait_group_sync_alined(0); // expected-error {{did you mean '__nvvm_wgmma_wait_group_sync_aligned'?}}
  d = __nvvm_wgmma_fence_opernad(d); // expected-error {{did you mean '__nvvm_wgmma_fence_operand'?}}
  d = __nvvm_wgmma_mma_asinc_ss_f32_f16_f16(d, a, a, true, 1, 1, 0, 0); // expected-error {{did you mean '__nvvm_wgmma_mma_async_ss_f32_f16_f16'?}}
  d = __nvvm_wgmma_mma_asinc_sp_rs_f32_tf32_tf32(d, f, a, m, 0, true, 1, 1); // expected-error {{did you mean '__nvvm_wgmma_mma_async_sp_rs_f32_tf32_tf32'?}}
  (void)__nvvm_ldmatrix_sync_aligned_m8n8_x1_b61(p); // expected-error {{did you mean '__nvvm_ldmatrix_sync_aligned_m8n8_x1_b16'?}}
}
