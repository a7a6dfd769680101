; A wgmma that adds to zero overwrites its accumulator instead, and what is overwritten by a constant scale-d has no
; value: nobody writes the zeros, nor copies the last result.
; RUN: opt -S -passes=instcombine -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %s -o %t.ll
; RUN: FileCheck %s --check-prefix=IR < %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.s8.s8.v4i32(<4 x i32>, i64, i64, i32, i32, i1, i1)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; Each round's product is scaled and added up elsewhere. The second wgmma adds to the first one's result.
; IR-LABEL: define ptx_kernel void @promotes(
; IR:         mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false,
; IR-NEXT:    mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %b, i64 %a, i1 true,
;
; CHECK-LABEL: .entry promotes(
; CHECK:         .pragma "nounroll";
; CHECK-NOT:     lop3
; CHECK:         wgmma.mma_async{{.*}}, 0, 1, 1, 0, 0;
; CHECK-NEXT:    wgmma.mma_async{{.*}}, 1, 1, 1, 0, 0;
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     lop3
; CHECK:         ret;
define ptx_kernel void @promotes(ptr addrspace(1) %out, ptr addrspace(1) %scales, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %zero = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> zeroinitializer)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %zero, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %product = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  %place = getelementptr float, ptr addrspace(1) %scales, i32 %i
  %scale = load float, ptr addrspace(1) %place
  %one = insertelement <4 x float> poison, float %scale, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %scaled = fmul <4 x float> %product, %all
  %sum.next = fadd <4 x float> %sum, %scaled
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; IR-LABEL: define ptx_kernel void @overwrites(
; IR:         mma_async.sp.ss.s32.s8.s8.v4i32(<4 x i32> poison, i64 %a, i64 %a, i32 %m, i32 0, i1 false, i1 false)
define ptx_kernel void @overwrites(ptr addrspace(1) %out, i64 %a, i32 %m) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.s8.s8.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 %a, i64 %a, i32 %m, i32 0, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr addrspace(1) %out
  ret void
}

; What is overwritten was read in the round before. It needs no copy, and the result stays in the same registers.
; IR-LABEL: define ptx_kernel void @overwrites_result(
; IR:         mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false,
;
; CHECK-LABEL: .entry overwrites_result(
; CHECK-NOT:     lop3
; CHECK:         wgmma.mma_async{{.*}}, 0, 1, 1, 0, 0;
; CHECK-NOT:     lop3
; CHECK:         ret;
define ptx_kernel void @overwrites_result(ptr addrspace(1) %out, ptr addrspace(1) %scales, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %last = phi <4 x float> [ poison, %entry ], [ %product, %loop ]
  %start = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %product = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %place = getelementptr float, ptr addrspace(1) %scales, i32 %i
  %scale = load float, ptr addrspace(1) %place
  %one = insertelement <4 x float> poison, float %scale, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %scaled = fmul <4 x float> %product, %all
  %sum.next = fadd <4 x float> %sum, %scaled
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; Other numbers, the zero with a sign, what is no constant but added to, and a scale-d that is none, are kept.
; IR-LABEL: define ptx_kernel void @kept(
; IR:         mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float 1.000000e+00), i64 %a, i64 %a, i1 true,
; IR-NEXT:    mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float -0.000000e+00), i64 %a, i64 %b, i1 true,
; IR-NEXT:    mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 %s,
; IR-NEXT:    mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %b, i64 %b, i1 true,
; IR-NEXT:    fence_operand.v4f32(<4 x float> poison)
define ptx_kernel void @kept(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %s, <4 x float> %c) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float 1.0), i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float -0.0), i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 %s, i32 1, i32 1, i1 false, i1 false)
  %g = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %p = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> poison)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %d, ptr addrspace(1) %out
  store volatile <4 x float> %e, ptr addrspace(1) %out
  store volatile <4 x float> %f, ptr addrspace(1) %out
  store volatile <4 x float> %g, ptr addrspace(1) %out
  store volatile <4 x float> %p, ptr addrspace(1) %out
  ret void
}
