// REQUIRES: nvptx-registered-target
// The builtins around wgmma: fence, commit_group, wait_group, fence_operand.
// DEFINE: %{cc1} = %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx80 -fcuda-is-device
// RUN: %{cc1} -O1 -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %{cc1} -O2 -S %s -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=mov

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

// IR-LABEL: @group(
// IR:       call void @llvm.nvvm.wgmma.fence.sync.aligned()
// IR-NEXT:  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
// IR-NEXT:  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
// IR-NEXT:  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
// PTX-LABEL: .func group(
// PTX:       wgmma.fence.sync.aligned;
// PTX:       wgmma.commit_group.sync.aligned;
// PTX:       wgmma.wait_group.sync.aligned 1;
// PTX:       wgmma.wait_group.sync.aligned 0;
extern "C" __device__ void group() {
  __nvvm_wgmma_fence_sync_aligned();
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(1);
  __nvvm_wgmma_wait_group_sync_aligned(0);
}

// IR-LABEL: @fence_operands(
// IR-DAG: [[F:%.*]] = {{.*}}call {{.*}}<20 x float> @llvm.nvvm.wgmma.fence_operand.v20f32(<20 x float> %f)
// IR-DAG: [[I:%.*]] = {{.*}}call {{.*}}<6 x i32> @llvm.nvvm.wgmma.fence_operand.v6i32(<6 x i32> %i)
// IR-DAG: [[A:%.*]] = {{.*}}call {{.*}}<4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %a)
// IR-DAG: store <20 x float> [[F]]
// IR-DAG: store <6 x i32> [[I]]
// IR-DAG: store <4 x i32> [[A]]
// PTX-LABEL: .func fence_operands(
// PTX:       ret;
extern "C" __device__ void fence_operands(vec<float, 20> f, vec<int, 6> i, vec<int, 4> a, void *out) {
  *(vec<float, 20> *)out = __nvvm_wgmma_fence_operand(f);
  ((vec<int, 6> *)out)[8] = __nvvm_wgmma_fence_operand(i);
  ((vec<int, 4> *)out)[16] = __nvvm_wgmma_fence_operand(a);
}

// A register by itself. It takes the signedness of its operand.
// IR-LABEL: @fence_registers(
// IR-DAG: [[F:%.*]] = {{.*}}call {{.*}}float @llvm.nvvm.wgmma.fence_operand.f32(float %f)
// IR-DAG: [[I:%.*]] = {{.*}}call i32 @llvm.nvvm.wgmma.fence_operand.i32(i32 %i)
// IR-DAG: store float [[F]]
// IR-DAG: [[W:%.*]] = zext i32 [[I]] to i64
// IR-DAG: store i64 [[W]]
// PTX-LABEL: .func fence_registers(
// PTX:       ret;
extern "C" __device__ void fence_registers(float f, unsigned i, float *to, long *wide) {
  *to = __nvvm_wgmma_fence_operand(f);
  *wide = __nvvm_wgmma_fence_operand(i);
}
