; An element of an accumulator that is replaced between two wgmma, by a value which is
; computed between them, stays in its register: ptxas serializes wgmma
; whose lists of registers have some in common and others not (C7511).
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx --enable-var-scope
; RUN: FileCheck %s --input-file=%t.err --check-prefix=WARN --allow-empty
; WARN-NOT: warning:
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; CHECK-LABEL: .entry replaced(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[ACC:.*]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 0;
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[ACC]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 0;
define ptx_kernel void @replaced(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  %c = load <4 x float>, ptr addrspace(1) %in
  %p = getelementptr i8, ptr addrspace(1) %in, i64 64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %w = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %new = load volatile float, ptr addrspace(1) %p
  %e = insertelement <4 x float> %w, float %new, i32 2
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; The value that replaces an element is there before the first wgmma, which needs the register: it is copied
; there ahead of the second.
; CHECK-LABEL: .entry early(
; CHECK:       ld.volatile.global.b32 [[NEW:%r[0-9]+]],
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[ACC:%r[0-9]+, %r[0-9]+, ]][[E2:%r[0-9]+]], [[E3:%r[0-9]+]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 0;
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       lop3.b32 [[E2]], {{.*}}, [[NEW]], 0x6a;
; CHECK-NEXT:  wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[ACC]][[E2]], [[E3]]}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 0;
define ptx_kernel void @early(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  %c = load <4 x float>, ptr addrspace(1) %in
  %p = getelementptr i8, ptr addrspace(1) %in, i64 64
  %new = load volatile float, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %w = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %e = insertelement <4 x float> %w, float %new, i32 2
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; The second wgmma's result meets the first one's, but for the element that was replaced: it is
; copied after its wait, and no wait is added.
; CHECK-LABEL: .entry meets(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @meets(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i1 %p) {
  %c = load <4 x float>, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %w = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  br i1 %p, label %again, label %end
again:
  %q = getelementptr i8, ptr addrspace(1) %in, i64 64
  %new = load volatile float, ptr addrspace(1) %q
  %e = insertelement <4 x float> %w, float %new, i32 2
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  %old = extractelement <4 x float> %w, i32 2
  %h = insertelement <4 x float> %g, float %old, i32 2
  br label %end
end:
  %r = phi <4 x float> [ %w, %0 ], [ %h, %again ]
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}
