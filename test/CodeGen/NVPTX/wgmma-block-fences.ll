; ptxas 13.0 has a fence come before the first wgmma or commit of each block. Where there is none, it adds one, with a
; note (C7519), and serializes all wgmma of the kernel if a branch to it depends on the thread (C7520).
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{..}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; The first round stands before the loop, with the only fence.
; CHECK-LABEL: .entry peeled(
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       [[LOOP:\$L__BB[0-9]+_[0-9]+]]:
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wgmma
; CHECK:       bra [[LOOP]];
; CHECK-NOT:   wgmma.fence
; CHECK:       ret;
define ptx_kernel void @peeled(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ %first, %entry ], [ %d, %loop ]
  %desc = add i64 %a, %i
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %desc, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; What a loop has issued is committed behind it. The fence ahead of the loop serves nothing then.
; CHECK-LABEL: .entry committed_behind(
; CHECK-NOT:   wgmma.fence
; CHECK:       [[LOOP:\$L__BB[0-9]+_[0-9]+]]:
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NOT:   wgmma
; CHECK:       bra [[LOOP]];
; CHECK-NOT:   wgmma
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @committed_behind(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %desc = add i64 %a, %i
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %desc, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; One warpgroup multiplies once more.
; CHECK-LABEL: .entry one_warpgroup(
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       bra
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @one_warpgroup(ptr addrspace(1) %out, i64 %a, i64 %b) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warpgroup = lshr i32 %tid, 7
  %other = icmp eq i32 %warpgroup, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %other, label %exit, label %once_more

once_more:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %exit

exit:
  %acc = phi <4 x float> [ %d, %entry ], [ %e, %once_more ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}
