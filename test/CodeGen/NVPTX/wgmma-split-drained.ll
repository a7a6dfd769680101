; A loop waits for what is in flight in each fourth round, and what it has left is waited for behind it: a count tells
; whether there is any. The way that has not waited goes on by itself, out of the loop, as far as the count decides what
; comes. Nothing waits but the program, and nobody is warned.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-split-wgmma-paths | FileCheck %s --check-prefix=IR
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

; Two ways lead out of the loop, and the one that has not waited into a wait.
; IR-LABEL: define ptx_kernel void @drained(
; IR:       round:
; IR:       br i1 %is_fourth, label %drain, label %join.split
; IR:       join.split:
; IR:       br i1 %done.split, label %last.split, label %round
; IR:       last.split:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group

; CHECK-LABEL: .entry drained(
; CHECK-COUNT-2: wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @drained(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %pending = phi i32 [ 0, %entry ], [ %left, %join ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %join ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %count = add nsw i32 %pending, 1
  %is_fourth = icmp eq i32 %count, 4
  br i1 %is_fourth, label %drain, label %join

drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %join

join:
  %left = phi i32 [ 0, %drain ], [ %count, %round ]
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %last, label %round

last:
  %is_none = icmp eq i32 %left, 0
  br i1 %is_none, label %exit, label %wait

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %exit

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
