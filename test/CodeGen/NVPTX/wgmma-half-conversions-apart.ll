; RUN: opt -S -passes=nvptx-merge-halves -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; Of one that is in flight until then, nothing is converted ahead of the wait, whatever was in its registers before.
; CHECK-LABEL: @ahead_of_wait(
; CHECK: fptrunc float %before to half
; CHECK: wait_group
; CHECK-NEXT: extractelement
; CHECK-NEXT: fptrunc
; CHECK: ret void
define ptx_kernel void @ahead_of_wait(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %again) {
entry:
  br label %loop

loop:
  %before = phi float [ 0.0, %entry ], [ %e1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %h0 = fptrunc float %before to half
  store volatile half %h0, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e1 = extractelement <4 x float> %d, i32 1
  %h1 = fptrunc float %e1 to half
  store volatile half %h1, ptr addrspace(1) %out
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
