; Branches that are constant, or become so once others are folded, are folded in functions with wgmma: ptxas, which folds them after
; it has numbered the values, took a sum from ahead of a wgmma for the same sum of its result.
; RUN: opt %s -S -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -passes=nvptx-fold-wgmma-branches | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; The second round never comes: then %i is 0, and the way round the wgmma is never taken.
; IR-LABEL: define ptx_kernel void @one_round(
; IR:       round:
; IR-NOT:   phi
; IR-NOT:   br i1
; IR:       br label %multiply
; IR:       multiply:
; IR:       br label %exit
; IR-NOT:   skip:
; IR:       exit:
; IR-NEXT:  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)

; CHECK-LABEL: .entry one_round(
; CHECK-NOT:   bra
; CHECK:       wgmma.mma_async
; CHECK-NOT:   bra
; CHECK:       ret;
define ptx_kernel void @one_round(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
entry:
  %c = load <4 x float>, ptr addrspace(1) %in
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ %c, %entry ], [ %d, %latch ]
  %is.second = icmp eq i32 %i, 1
  br i1 %is.second, label %skip, label %multiply

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br i1 false, label %latch, label %exit

latch:
  %next = add i32 %i, 1
  br label %round

skip:
  %turned = shufflevector <4 x float> %acc, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  br label %exit

exit:
  %left = phi <4 x float> [ %turned, %skip ], [ %d, %multiply ]
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %left)
  store <4 x float> %result, ptr addrspace(1) %out
  ret void
}

; What is computed from what has become constant: from 3, by a multiplication and a comparison.
; IR-LABEL: define ptx_kernel void @computed(
; IR:       entry:
; IR:       br label %no
; IR:       no:
; IR:       br label %join
; IR:       join:
; IR-NEXT:  br label %big
; IR-NOT:   small:
; IR:       ret void

; CHECK-LABEL: .entry computed(
; CHECK-NOT:   bra
; CHECK:       ret;
define ptx_kernel void @computed(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
entry:
  %c = load <4 x float>, ptr addrspace(1) %in
  br i1 false, label %yes, label %no

yes:
  br label %join

no:
  br label %join

join:
  %x = phi i32 [ 1, %yes ], [ 3, %no ]
  %square = mul i32 %x, %x
  %is.big = icmp ugt i32 %square, 8
  br i1 %is.big, label %big, label %small

big:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void

small:
  store <4 x float> %c, ptr addrspace(1) %out
  ret void
}

; Not constant: nothing happens to it.
; IR-LABEL: define ptx_kernel void @not_constant(
; IR:       br i1 %is.big, label %big, label %small

; CHECK-LABEL: .entry not_constant(
; CHECK:       @%p{{[0-9]+}} bra
define ptx_kernel void @not_constant(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %x) {
entry:
  %c = load <4 x float>, ptr addrspace(1) %in
  %is.big = icmp ugt i32 %x, 8
  br i1 %is.big, label %big, label %small

big:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void

small:
  store <4 x float> %c, ptr addrspace(1) %out
  ret void
}

; Without wgmma it is not for this pass to do.
; IR-LABEL: define ptx_kernel void @without_wgmma(
; IR:       br i1 false, label %yes, label %no
define ptx_kernel void @without_wgmma(ptr addrspace(1) %out) {
entry:
  br i1 false, label %yes, label %no

yes:
  store i32 1, ptr addrspace(1) %out
  ret void

no:
  store i32 2, ptr addrspace(1) %out
  ret void
}
