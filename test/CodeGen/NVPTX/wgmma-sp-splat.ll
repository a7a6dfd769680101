; Two accumulators of zeros, each after a fence_operand, need registers of their
; own before the fence: nothing may be copied between the wgmma of a group.
;
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc < %s -mcpu=sm_90a -mattr=+ptx82 | %ptxas-verify -arch=sm_90a %}

target triple = "nvptx64-nvidia-cuda"

declare <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i32, i32, i1, i32, i32, i1, i1)
declare <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; CHECK-LABEL: .entry zeros(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NOT:   mov
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
define ptx_kernel void @zeros(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %m, i32 %n) {
  %x = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> zeroinitializer)
  %y = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> zeroinitializer)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float> %x, i64 %a, i64 %b, i32 %m, i32 0, i1 true, i32 1, i32 1, i1 0, i1 0)
  %e = call <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float> %y, i64 %b, i64 %a, i32 %n, i32 0, i1 true, i32 1, i32 1, i1 0, i1 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %d)
  %g = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %e)
  %h = fadd <8 x float> %f, %g
  store <8 x float> %h, ptr addrspace(1) %out
  ret void
}
