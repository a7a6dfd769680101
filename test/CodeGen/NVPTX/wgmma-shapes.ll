; An accumulator that a wgmma of another shape goes on with, here of another K, needs a fence in between, which
; is added; while it is in flight, it is waited for, with a warning. One of the same shape needs neither.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs 2> %t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=WARN --implicit-check-not=warning: < %t.err
; RUN: llc < %s -O1 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs 2>/dev/null | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc < %s -mcpu=sm_90a -mattr=+ptx82 2>/dev/null | %ptxas-verify -arch=sm_90a %}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float>)
declare <8 x i32> @llvm.nvvm.wgmma.fence_operand.v8i32(<8 x i32>)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.bf16.bf16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i32, i32 immarg, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <8 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v8i32(<8 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; k16 twice: nothing comes in between.
; CHECK-LABEL: .entry same_shape(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @same_shape(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.bf16.bf16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; k16, then k8 after a wait: a fence is added, for k8 once.
; CHECK-LABEL: .entry no_fence(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @no_fence(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %c)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1)
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; Dense, then sparse in the same group.
; WARN: warning: in function in_flight: wgmma.mma_async is waited for at once: a wgmma.mma_async of another shape goes on with its accumulator while it could be in flight
; CHECK-LABEL: .entry in_flight(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @in_flight(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; As many registers, but another N and another type.
; CHECK-LABEL: .entry other_type(
; CHECK:       wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16
define ptx_kernel void @other_type(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %c)
  %e = bitcast <8 x float> %d to <8 x i32>
  %f = call <8 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v8i32(<8 x i32> %e, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <8 x i32> @llvm.nvvm.wgmma.fence_operand.v8i32(<8 x i32> %f)
  store <8 x i32> %g, ptr addrspace(1) %out
  ret void
}
