// REQUIRES: nvptx-registered-target
// Builtins in templates: N, types and immediates may depend on parameters.
// DEFINE: %{cc1} = %clang_cc1 -std=c++17 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx82 -fcuda-is-device
// RUN: %{cc1} -O1 -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %{cc1} -O2 -S %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %clang_cc1 -std=c++17 -triple x86_64-unknown-linux-gnu -aux-triple nvptx64-nvidia-cuda -fsyntax-only -Werror %s

#define __device__ __attribute__((device))
template <int N> using acc_f32 = float __attribute__((ext_vector_type(N / 2)));
template <int N> using acc_f16 = int __attribute__((ext_vector_type(N / 4)));
using frag = int __attribute__((ext_vector_type(4)));

// N alone.
template <int N>
__device__ acc_f32<N> only_n(acc_f32<N> d, long a, long b, int meta, bool s) {
  return __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(d, a, b, meta, 0, s, 1, 1, 0, 0);
}

// N and all immediates.
template <int N, int Sel, int ScaleA, int ScaleB, bool TransB>
__device__ acc_f16<N> everything(acc_f16<N> d, frag a, long b, int meta, bool s) {
  return __nvvm_wgmma_mma_async_sp_rs_f16_f16_f16(d, a, b, meta, Sel, s, ScaleA, ScaleB, TransB);
}

// The accumulator's type altogether, deduced, through auto.
template <class Acc, bool Sat>
__device__ auto any_type(Acc d, long a, long b, int meta) {
  d = __nvvm_wgmma_fence_operand(d);
  auto r = __nvvm_wgmma_mma_async_sp_ss_s32_s8_s8(d, a, b, meta, 0, true, Sat);
  return __nvvm_wgmma_fence_operand(r);
}

// Constant expressions that are no literals.
template <class Config>
__device__ acc_f32<Config::N> config(acc_f32<Config::N> d, long a, long b, int meta) {
  constexpr bool Transposed = Config::N > 100;
  return __nvvm_wgmma_mma_async_sp_ss_f32_bf16_bf16(
      d, a, b, meta, Config::N == 8, 1 + 1 == 2, Config::negate ? -1 : 1, 1, Transposed, !Transposed);
}
struct Small { static constexpr int N = 8; static constexpr bool negate = true; };
struct Large { static constexpr int N = 248; static constexpr bool negate = false; };

// A loop over a pack: one instruction for each.
template <int... Ks>
__device__ acc_f32<40> unrolled(acc_f32<40> d, long a, long b, int meta) {
  ((d = __nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32(d, a + Ks, b + Ks, meta, Ks % 2, true, 1, 1)), ...);
  return d;
}

// IR-LABEL: @n8(
// IR: call {{.*}}<4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(
// PTX-LABEL: ) n8(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {
extern "C" __device__ acc_f32<8> n8(acc_f32<8> d, long a, long b, int meta, bool s) { return only_n<8>(d, a, b, meta, s); }

// IR-LABEL: @n40(
// IR: call {{.*}}<20 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v20f32(
// PTX-LABEL: ) n40(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n40k32.f32.f16.f16 {
extern "C" __device__ acc_f32<40> n40(acc_f32<40> d, long a, long b, int meta, bool s) { return only_n<40>(d, a, b, meta, s); }

// IR-LABEL: @n256(
// IR: call {{.*}}<128 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v128f32(
// PTX-LABEL: ) n256(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16 {
extern "C" __device__ acc_f32<256> n256(acc_f32<256> d, long a, long b, int meta, bool s) { return only_n<256>(d, a, b, meta, s); }

// IR-LABEL: @everything_24(
// IR: call {{.*}}<6 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.f16.f16.f16.v6i32(<6 x i32> %d, <4 x i32> %a, i64 %b, i32 %meta, i32 1, i1 %s, i32 -1, i32 1, i1 true)
// PTX-LABEL: ) everything_24(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n24k32.f16.f16.f16 {{.*}}, 1, %p{{[0-9]+}}, -1, 1, 1;
extern "C" __device__ acc_f16<24> everything_24(acc_f16<24> d, frag a, long b, int meta, bool s) { return everything<24, 1, -1, 1, true>(d, a, b, meta, s); }

// IR-LABEL: @any_type_48(
// IR: [[IN:%.*]] = {{.*}}call {{.*}}<24 x i32> @llvm.nvvm.wgmma.fence_operand.v24i32(<24 x i32> %d)
// IR: [[OUT:%.*]] = {{.*}}call {{.*}}<24 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.s8.s8.v24i32(<24 x i32> [[IN]], i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i1 true)
// IR: call {{.*}}<24 x i32> @llvm.nvvm.wgmma.fence_operand.v24i32(<24 x i32> [[OUT]])
// PTX-LABEL: ) any_type_48(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n48k64.satfinite.s32.s8.s8 {
using int24 = int __attribute__((ext_vector_type(24)));
extern "C" __device__ int24 any_type_48(int24 d, long a, long b, int meta) { return any_type<int24, true>(d, a, b, meta); }

// IR-LABEL: @config_small(
// IR: call {{.*}}v4f32({{.*}}, i32 %meta, i32 1, i1 true, i32 -1, i32 1, i1 false, i1 true)
// PTX-LABEL: ) config_small(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16 {{.*}}, 1, 1, -1, 1, 0, 1;
extern "C" __device__ acc_f32<8> config_small(acc_f32<8> d, long a, long b, int meta) { return config<Small>(d, a, b, meta); }

// IR-LABEL: @config_large(
// IR: call {{.*}}v124f32({{.*}}, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 true, i1 false)
// PTX-LABEL: ) config_large(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n248k32.f32.bf16.bf16 {{.*}}, 0, 1, 1, 1, 1, 0;
extern "C" __device__ acc_f32<248> config_large(acc_f32<248> d, long a, long b, int meta) { return config<Large>(d, a, b, meta); }

// IR-LABEL: @unrolled_3(
// IR: call {{.*}}v20f32({{.*}}, i32 %meta, i32 0, i1 true, i32 1, i32 1)
// IR: call {{.*}}v20f32({{.*}}, i32 %meta, i32 1, i1 true, i32 1, i32 1)
// IR: call {{.*}}v20f32({{.*}}, i32 %meta, i32 0, i1 true, i32 1, i32 1)
// PTX-LABEL: ) unrolled_3(
// PTX: wgmma.mma_async.sp.sync.aligned.m64n40k16.f32.tf32.tf32 {[[ACC:.*]]}, %rd{{.*}}, 0, 1, 1, 1;
// PTX: wgmma.mma_async.sp.sync.aligned.m64n40k16.f32.tf32.tf32 {[[ACC]]}, %rd{{.*}}, 1, 1, 1, 1;
// PTX: wgmma.mma_async.sp.sync.aligned.m64n40k16.f32.tf32.tf32 {[[ACC]]}, %rd{{.*}}, 0, 1, 1, 1;
extern "C" __device__ acc_f32<40> unrolled_3(acc_f32<40> d, long a, long b, int meta) { return unrolled<0, 3, 6>(d, a, b, meta); }
