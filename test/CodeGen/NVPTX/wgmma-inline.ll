; A function with wgmma is inlined where another one of its size is not, since ptxas
; serializes what it would execute as a call.
; RUN: opt -S -passes=inline -inline-threshold=-10 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: opt -S -passes=inline -inline-threshold=-10 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | llc -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define linkonce_odr void @multiply(ptr %p, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}

; As large, with a barrier in place of the multiplication.
define linkonce_odr void @wait(ptr %p, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> zeroinitializer, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @kernel(
; CHECK:       call <4 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:   call void @multiply(
; CHECK:       ret void
define ptx_kernel void @kernel(ptr %p, i64 %a, i64 %b) {
  call void @multiply(ptr %p, i64 %a, i64 %b)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @other_kernel(
; CHECK-NEXT:  call void @wait(
; CHECK-NEXT:  ret void
define ptx_kernel void @other_kernel(ptr %p, i64 %a, i64 %b) {
  call void @wait(ptr %p, i64 %a, i64 %b)
  ret void
}
