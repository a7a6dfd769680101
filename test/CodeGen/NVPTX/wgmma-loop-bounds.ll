; The rounds of a loop are counted by a division, and LLVM tests what is divided: that the loop has a round is known all
; the same, and so that who starts nothing for the next round leaves it.
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-split-wgmma-paths | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; IR-LABEL: define ptx_kernel void @signed(
; IR:         [[KNOWN:%.*]] = icmp sge i32 %n, 1
; IR-NEXT:    call void @llvm.assume(i1 [[KNOWN]])
; IR:         br i1 %more, label %start, label %latch.split
;
; CHECK-LABEL: .entry signed(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    add.s32
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         bra.uni
; CHECK:         ret;
define ptx_kernel void @signed(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %length) {
entry:
  %n = sdiv i32 %length, 128
  %some = icmp sgt i32 %length, 127
  br i1 %some, label %loop, label %return

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %scores = phi <4 x float> [ zeroinitializer, %entry ], [ %scores.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %scores, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %start, label %latch

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %scores, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %scores.next = phi <4 x float> [ %d, %start ], [ %scores, %loop ]
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  br label %return

return:
  ret void
}

; That there is any round is known of the quotient itself, and that it is not negative of what it is.
; IR-LABEL: define ptx_kernel void @unsigned(
; IR:         [[KNOWN:%.*]] = icmp sge i32 %n, 1
; IR-NEXT:    call void @llvm.assume(i1 [[KNOWN]])
; IR:         br i1 %more, label %start, label %latch.split
define ptx_kernel void @unsigned(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %length) {
entry:
  %n = lshr i32 %length, 7
  %none = icmp eq i32 %n, 0
  br i1 %none, label %return, label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %scores = phi <4 x float> [ zeroinitializer, %entry ], [ %scores.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %scores, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %more = icmp samesign ult i32 %next, %n
  br i1 %more, label %start, label %latch

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %scores, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %scores.next = phi <4 x float> [ %d, %start ], [ %scores, %loop ]
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  br label %return

return:
  ret void
}

; Nothing tells that there is a round: nothing is assumed.
; IR-LABEL: define ptx_kernel void @unknown(
; IR-NOT:     llvm.assume
; IR:         ret void
define ptx_kernel void @unknown(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %length) {
entry:
  %n = sdiv i32 %length, 128
  %some = icmp sgt i32 %length, 126
  br i1 %some, label %loop, label %return

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  br label %return

return:
  ret void
}

; No branch of each round asks for the quotient, which may be poison then: nothing is assumed.
; IR-LABEL: define ptx_kernel void @seldom_asked(
; IR-NOT:     llvm.assume
; IR:         ret void
define ptx_kernel void @seldom_asked(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %length, i32 %rounds) {
entry:
  %up = add nsw i32 %length, 127
  %n = sdiv i32 %up, 128
  %some = icmp sgt i32 %length, 0
  br i1 %some, label %loop, label %return

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %odd = trunc i32 %i to i1
  br i1 %odd, label %ask, label %latch

ask:
  %more = icmp slt i32 %next, %n
  br i1 %more, label %store, label %latch

store:
  store volatile i32 %i, ptr addrspace(1) %out
  br label %latch

latch:
  %end = icmp sge i32 %next, %rounds
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  br label %return

return:
  ret void
}
