; A switch with an accumulator in flight becomes comparisons, above -O0: phis behind
; brx.idx would have it copied ahead of it, and each wgmma waited for. A default that
; nothing leads to is no path to what stands behind it.
;
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -O0 -verify-machineinstrs 2>/dev/null | FileCheck %s --check-prefix=O0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}
; O0: brx.idx

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; CHECK-LABEL: .entry ways(
; CHECK-NOT:     brx.idx
; CHECK-COUNT-3: wgmma.mma_async
; CHECK-NOT:     wgmma.mma_async
; CHECK-NOT:     brx.idx
; CHECK:         ret;
define ptx_kernel void @ways(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %kind = load i32, ptr addrspace(1) %place
  switch i32 %kind, label %latch [
    i32 0, label %first
    i32 1, label %second
    i32 2, label %wait
    i32 3, label %store
    i32 4, label %third
  ]

first:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

second:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

third:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

store:
  store i32 %i, ptr addrspace(1) %out
  br label %latch

latch:
  %sum = phi <4 x float> [ %acc, %loop ], [ %c, %first ], [ %d, %second ], [ %e, %third ], [ %acc, %wait ], [ %acc, %store ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry no_default(
; CHECK-NOT:     exit;
; CHECK:         setp.{{eq|ne}}.b32 %p1, %r{{[0-9]+}}, 0;
; CHECK-NOT:     setp
; CHECK:         ret;
define ptx_kernel void @no_default(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %kind) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  switch i32 %kind, label %none [
    i32 0, label %first
    i32 1, label %second
  ]

first:
  store i32 1, ptr addrspace(1) %out
  br label %end

second:
  store i32 2, ptr addrspace(1) %out
  br label %end

none:
  unreachable

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %c, ptr addrspace(1) %out
  ret void
}
