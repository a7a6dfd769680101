; The clock, which hides the moves, is read ahead of a loop and at the end of each round. Read ahead of the test, it has
; ptxas unroll many a loop whose number of rounds it knows, in spite of the pragma, and take what one round computes from
; an element of a result for what the next one does (random kernels 23000581 and 23012771, on an H200).
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: .entry three_rounds(
; CHECK:       mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       .pragma "nounroll";
; CHECK-NOT:   %clock_hi
; CHECK:       lop3.b32 {{%r[0-9]+}}, [[ZERO]],
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       mov.u32 [[ZERO]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK-NEXT:  setp.lt.xor.s32
; CHECK-NEXT:  @{{%p[0-9]+}} bra [[LOOP]];
; CHECK-NOT:   %clock_hi
; CHECK:       ret;
define ptx_kernel void @three_rounds(ptr addrspace(1) %out, i64 %a, i64 %b, float %x, <4 x float> %start) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ %start, %entry ], [ %f, %loop ]
  %e = extractelement <4 x float> %acc, i32 0
  %sum = fadd float %e, %x
  store volatile float %sum, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %t = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float 1.0), i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %u = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %t)
  store volatile <4 x float> %u, ptr addrspace(1) %out
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %done

done:
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}
