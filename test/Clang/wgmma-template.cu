// REQUIRES: nvptx-registered-target
// Builtins of dense wgmma in templates, as wgmma-sp-template.cu has them of sparse.
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx80 -fcuda-is-device
// RUN: %{cc1} -O1 -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %{cc1} -O2 -S %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %clang_cc1 -std=c++17 -triple x86_64-unknown-linux-gnu -aux-triple nvptx64-nvidia-cuda -fsyntax-only -Werror %s

#define __device__ __attribute__((device))
template <int N> using acc_f32 = float __attribute__((ext_vector_type(N / 2)));
template <int N> using acc_s32 = int __attribute__((ext_vector_type(N / 2)));
using frag = int __attribute__((ext_vector_type(4)));

// N and all immediates.
template <int N, int ScaleA, int ScaleB, bool TransA, bool TransB>
__device__ acc_f32<N> everything(acc_f32<N> d, long a, long b, bool s) {
  return __nvvm_wgmma_mma_async_ss_f32_f16_f16(d, a, b, s, ScaleA, ScaleB, TransA, TransB);
}

// No immediates; the accumulator's type is deduced.
template <class Acc>
__device__ auto bits(Acc d, frag a, long b) {
  auto r = __nvvm_wgmma_mma_async_rs_s32_b1_b1_and_popc(d, a, b, true);
  return __nvvm_wgmma_fence_operand(r);
}

// IR-LABEL: @everything_40(
// IR: call {{.*}}<20 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v20f32(<20 x float> %d, i64 %a, i64 %b, i1 %s, i32 -1, i32 1, i1 false, i1 true)
// PTX-LABEL: ) everything_40(
// PTX: wgmma.mma_async.sync.aligned.m64n40k16.f32.f16.f16 {{.*}}, %p{{[0-9]+}}, -1, 1, 0, 1;
extern "C" __device__ acc_f32<40> everything_40(acc_f32<40> d, long a, long b, bool s) { return everything<40, -1, 1, false, true>(d, a, b, s); }

// IR-LABEL: @everything_256(
// IR: call {{.*}}<128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> %d, i64 %a, i64 %b, i1 %s, i32 1, i32 -1, i1 true, i1 false)
// PTX-LABEL: ) everything_256(
// PTX: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{.*}}, %p{{[0-9]+}}, 1, -1, 1, 0;
extern "C" __device__ acc_f32<256> everything_256(acc_f32<256> d, long a, long b, bool s) { return everything<256, 1, -1, true, false>(d, a, b, s); }

// IR-LABEL: @bits_48(
// IR: [[OUT:%.*]] = {{.*}}call {{.*}}<24 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.b1.b1.and.popc.v24i32(<24 x i32> %d, <4 x i32> %a, i64 %b, i1 true)
// IR: call {{.*}}<24 x i32> @llvm.nvvm.wgmma.fence_operand.v24i32(<24 x i32> [[OUT]])
// PTX-LABEL: ) bits_48(
// PTX: wgmma.mma_async.sync.aligned.m64n48k256.s32.b1.b1.and.popc {{.*}}, 1;
extern "C" __device__ acc_s32<48> bits_48(acc_s32<48> d, frag a, long b) { return bits(d, a, b); }
