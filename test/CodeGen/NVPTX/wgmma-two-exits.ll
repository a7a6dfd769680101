; A loop that leaves one group in flight for its next round, and has two exits that lead to the same wait for all: the
; program's own waits are all that is needed.
; RUN: llc -O3 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs %s -o %t.ptx 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a %{ %ptxas-verify -arch=sm_90a %t.ptx 2>&1 | FileCheck --allow-empty --check-prefix=NOTE %s %}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; SILENT-NOT: warning
; NOTE-NOT: C75{{1[0-8]}}

; One exit lies between the commit and the wait.
; CHECK-LABEL: .entry behind_commit(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @behind_commit(ptr addrspace(1) %out, i64 %a, ptr addrspace(1) %flag, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  %in = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %in, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %f = load volatile i32, ptr addrspace(1) %flag
  %stop = icmp eq i32 %f, 7
  br i1 %stop, label %end, label %round

round:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; One exit is the first thing in the loop, where the last round's is in flight, if there was one.
; CHECK-LABEL: .entry at_start(
; CHECK:       ld.volatile
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @at_start(ptr addrspace(1) %out, i64 %a, ptr addrspace(1) %flag, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  %f = load volatile i32, ptr addrspace(1) %flag
  %stop = icmp eq i32 %f, 7
  br i1 %stop, label %end, label %round

round:
  %in = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %in, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  %last = phi <4 x float> [ %acc, %loop ], [ %d, %round ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}
