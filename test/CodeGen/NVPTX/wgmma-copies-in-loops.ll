; What scales an accumulator in a loop is computed again behind it, of other values, and is no copy in each round, as in
; FlashAttention-3.
; RUN: llc < %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; CHECK-LABEL: .entry rescaled(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-COUNT-4: mul.rn.f32 [[D:%r[0-9]+]],
; CHECK-NOT:   0x6a
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}} {{{.*}}[[D]]}
; CHECK-NOT:   0x6a
; CHECK:       bra [[LOOP]];
define ptx_kernel void @rescaled(ptr addrspace(1) %out, ptr addrspace(1) %scales, i64 %a, i64 %b, i32 %n) {
entry:
  %first = load float, ptr addrspace(1) %scales
  %start = load <4 x float>, ptr addrspace(1) %out
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %o = phi <4 x float> [ %start, %entry ], [ %result, %loop ]
  %scale = phi float [ %first, %entry ], [ %scale.next, %loop ]
  %one = insertelement <4 x float> poison, float %scale, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %scaled = fmul <4 x float> %o, %all
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %scaled, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %next = add nuw nsw i32 %i, 1
  %place = getelementptr float, ptr addrspace(1) %scales, i32 %next
  %scale.next = load float, ptr addrspace(1) %place
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last.one = insertelement <4 x float> poison, float %scale.next, i64 0
  %last.all = shufflevector <4 x float> %last.one, <4 x float> poison, <4 x i32> zeroinitializer
  %last = fmul <4 x float> %result, %last.all
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}

; Descriptors are computed where they are, right before their wgmma.
; CHECK-LABEL: .entry descriptors(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  add.s64
; CHECK-NEXT:  wgmma.mma_async
define ptx_kernel void @descriptors(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  %a.next = add i64 %a, 2
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a.next, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}
