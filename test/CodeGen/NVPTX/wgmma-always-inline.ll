; A function that has to be inlined may return an accumulator in flight, but llc does not inline it: where it is still
; called, the wait that it gets is told of. Where nothing calls it any more, it is not executed.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --implicit-check-not=warning:
; RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX
; RUN: opt -S -passes=always-inline %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | llc -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.inlined.ptx 2>&1 | count 0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.inlined.ptx %}

; CHECK: warning: in function issue: wgmma.mma_async is waited for at once: its accumulator leaves the function while it could be in flight

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; PTX-LABEL: .func {{.*}} issue(
; PTX:       wgmma.mma_async
; PTX:       wgmma.wait_group.sync.aligned 0;
define internal <4 x float> @issue(<4 x float> %c, i64 %a) alwaysinline {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  ret <4 x float> %d
}

; The same, and nothing calls it.
define linkonce_odr <4 x float> @issue_inlined(<4 x float> %c, i64 %a) alwaysinline {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  ret <4 x float> %d
}

; PTX-LABEL: .entry kernel(
; PTX:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @kernel(ptr %p, i64 %a) {
  %c = load <4 x float>, ptr %p
  %d = call <4 x float> @issue(<4 x float> %c, i64 %a)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}
