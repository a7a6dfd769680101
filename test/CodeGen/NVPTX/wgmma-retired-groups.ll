; A wait that lets some groups stay goes back, as ptxas reads it, past a wait for all, over as many groups as it lets stay. So it lets no more stay than
; are committed since, in the first round of a loop, say. See NVPTXWGMMARetired.cpp.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=warning
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN: warning: {{.*}}in function before_loop{{.*}}: wgmma.wait_group lets 1 instead of 3 groups stay in flight: on a path to it no more are committed since a wait for all
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)

; Three groups, of which one is committed in the first round.
; CHECK-LABEL: .entry before_loop(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wgmma.commit_group
; CHECK:       ret;
define ptx_kernel void @before_loop(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %n) {
entry:
  %a0 = load <4 x i32>, ptr addrspace(1) %in
  %d0 = load <4 x float>, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %d0, <4 x i32> %a0, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ %d0, %entry ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %acc, <4 x i32> %a0, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 3)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; As many as are committed since.
; CHECK-LABEL: .entry committed_since(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK:       ret;
define ptx_kernel void @committed_since(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %n) {
entry:
  %a0 = load <4 x i32>, ptr addrspace(1) %in
  %d0 = load <4 x float>, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %d0, <4 x i32> %a0, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ %d0, %entry ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %acc, <4 x i32> %a0, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}
