; Where a block writes an accumulator with nothing in flight, and leads to where the accumulator comes in flight from
; elsewhere, ptxas takes it for written in flight, and serializes the function (C7515), unless a wait comes before.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; The loop changes the accumulator, too, and retires it.
; CHECK-LABEL: .entry met_behind_a_loop(
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   bra
; CHECK:       add.rn.f32
; CHECK-NOT:   wait_group
; CHECK:       wgmma.fence
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wait_group
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
define ptx_kernel void @met_behind_a_loop(ptr addrspace(1) %out, i64 %b, i32 %n, i1 %loops) {
entry:
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  %start = load <4 x float>, ptr addrspace(1) %out, align 16
  %other = load volatile <4 x float>, ptr addrspace(1) %p, align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %o = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br i1 %loops, label %preheader, label %once

preheader:
  %added = fadd <4 x float> %start, %o
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %acc = phi <4 x float> [ %added, %preheader ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %join

once:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  br label %join

join:
  %met = phi <4 x float> [ %d, %loop ], [ %e, %once ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %o, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %met)
  %s = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store volatile <4 x float> %r, ptr addrspace(1) %out
  store volatile <4 x float> %s, ptr addrspace(1) %p
  ret void
}
