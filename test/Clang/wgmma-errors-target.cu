// REQUIRES: nvptx-registered-target
// On a target without the instructions, Clang's usual error about features.
// DEFINE: %{cc1} = %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device -o /dev/null -emit-llvm -verify-ignore-unexpected=note
// RUN: %{cc1} -target-cpu sm_80 -target-feature +ptx70 -verify=dense,sparse,mixed %s
// RUN: %{cc1} -target-cpu sm_90 -target-feature +ptx84 -verify=dense,sparse,mixed %s
// RUN: %{cc1} -target-cpu sm_100a -target-feature +ptx86 -verify=dense,sparse,mixed %s
// RUN: %{cc1} -target-cpu sm_90a -target-feature +ptx78 -verify=dense,sparse,mixed %s
// RUN: %{cc1} -target-cpu sm_90a -target-feature +ptx80 -verify=sparse,mixed %s
// RUN: %{cc1} -target-cpu sm_90a -target-feature +ptx81 -verify=sparse,mixed %s
// RUN: %{cc1} -target-cpu sm_90a -target-feature +ptx83 -verify=mixed %s
// RUN: %{cc1} -target-cpu sm_90a -target-feature +ptx84 -verify=none %s
// none-no-diagnostics
// One function, for Clang generates no more after the first with an error.

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

__device__ void calls(vec<float, 4> d, vec<int, 4> i, vec<int, 4> f, long a, long b, int m) {
  __nvvm_wgmma_fence_sync_aligned(); // dense-error-re {{'__nvvm_wgmma_fence_sync_aligned' needs target feature {{.*}}sm_90a{{.*}}ptx80}}
  __nvvm_wgmma_commit_group_sync_aligned(); // dense-error-re {{'__nvvm_wgmma_commit_group_sync_aligned' needs target feature {{.*}}sm_90a{{.*}}ptx80}}
  __nvvm_wgmma_wait_group_sync_aligned(0); // dense-error-re {{'__nvvm_wgmma_wait_group_sync_aligned' needs target feature {{.*}}sm_90a{{.*}}ptx80}}
  (void)__nvvm_wgmma_fence_operand(d); // dense-error-re {{'__nvvm_wgmma_fence_operand' needs target feature {{.*}}sm_90a{{.*}}ptx80}}

  (void)__nvvm_wgmma_mma_async_ss_f32_f16_f16(d, a, b, true, 1, 1, 0, 0); // dense-error-re {{'__nvvm_wgmma_mma_async_ss_f32_f16_f16' needs target feature (sm_90a),(ptx80{{.*}})}}
  (void)__nvvm_wgmma_mma_async_rs_f32_tf32_tf32(d, f, b, true, 1, 1); // dense-error-re {{'__nvvm_wgmma_mma_async_rs_f32_tf32_tf32' needs target feature (sm_90a),(ptx80{{.*}})}}
  (void)__nvvm_wgmma_mma_async_rs_s32_b1_b1_and_popc(i, f, b, true); // dense-error-re {{'__nvvm_wgmma_mma_async_rs_s32_b1_b1_and_popc' needs target feature (sm_90a),(ptx80{{.*}})}}

  (void)__nvvm_wgmma_mma_async_sp_rs_f32_tf32_tf32(d, f, b, m, 0, true, 1, 1); // sparse-error-re {{'__nvvm_wgmma_mma_async_sp_rs_f32_tf32_tf32' needs target feature (sm_90a),(ptx82{{.*}})}}
  (void)__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(d, a, b, m, 0, true, 1, 1, 0, 0); // sparse-error-re {{'__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16' needs target feature (sm_90a),(ptx82{{.*}})}}

  (void)__nvvm_wgmma_mma_async_sp_ss_s32_u8_s8(i, a, b, m, 0, true, 0); // mixed-error-re {{'__nvvm_wgmma_mma_async_sp_ss_s32_u8_s8' needs target feature (sm_90a),(ptx84{{.*}})}}
  (void)__nvvm_wgmma_mma_async_sp_rs_s32_s8_u8(i, f, b, m, 0, true, 0); // mixed-error-re {{'__nvvm_wgmma_mma_async_sp_rs_s32_s8_u8' needs target feature (sm_90a),(ptx84{{.*}})}}

  (void)__nvvm_wgmma_mma_async_ss_s32_u8_s8(i, a, b, true, 0); // mixed-error-re {{'__nvvm_wgmma_mma_async_ss_s32_u8_s8' needs target feature (sm_90a),(ptx84{{.*}})}}
  (void)__nvvm_wgmma_mma_async_rs_s32_s8_u8(i, f, b, true, 0); // mixed-error-re {{'__nvvm_wgmma_mma_async_rs_s32_s8_u8' needs target feature (sm_90a),(ptx84{{.*}})}}
}
