; What is computed from a result of wgmma is not moved past the next wgmma, which would need registers of its own.
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

; CHECK-LABEL: .entry promotes(
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-COUNT-4: mul.rn.f32
; CHECK:         bra
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-COUNT-4: fma.rn.f32
define ptx_kernel void @promotes(ptr addrspace(1) %out, ptr addrspace(3) %barrier, i64 %a, i64 %b, float %s, float %t, i1 %arrives) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %first = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %s.one = insertelement <4 x float> poison, float %s, i64 0
  %s.all = shufflevector <4 x float> %s.one, <4 x float> poison, <4 x i32> zeroinitializer
  %product = fmul <4 x float> %first, %s.all
  br i1 %arrives, label %arrive, label %next

arrive:
  store volatile i32 1, ptr addrspace(3) %barrier
  br label %next

next:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %second = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  %t.one = insertelement <4 x float> poison, float %t, i64 0
  %t.all = shufflevector <4 x float> %t.one, <4 x float> poison, <4 x i32> zeroinitializer
  %sum = call <4 x float> @llvm.fma.v4f32(<4 x float> %second, <4 x float> %t.all, <4 x float> %product)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
