; Where a kernel ends with wgmma in flight, ptxas adds a wait (C7517), and in a loop that is left there one for each
; round. A wait of our own, where the kernel ends, costs nothing.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; CHECK-LABEL: .entry returned_from_a_loop(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wait_group
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ret;
define ptx_kernel void @returned_from_a_loop(ptr addrspace(1) %out, i64 %b, i32 %n, i32 %last) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %more ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %ends = icmp eq i32 %i, %last
  br i1 %ends, label %end, label %more

more:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void

end:
  ret void
}

; An exit in inline assembly, of all threads: the kernel does not go on there.
; CHECK-LABEL: .entry exits(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  // begin inline asm
; CHECK-NEXT:  exit;
define ptx_kernel void @exits(ptr addrspace(1) %out, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void asm sideeffect "exit;", ""()
  unreachable
}

; What is not committed yet makes a group first. The values in registers are of no use any more.
; CHECK-LABEL: .entry not_committed(
; CHECK:       wgmma.mma_async
; CHECK:       st.volatile.global
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ret;
define ptx_kernel void @not_committed(ptr addrspace(1) %out, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  store volatile i32 1, ptr addrspace(1) %out
  ret void
}

; A wait that lets more groups stay than anybody can count retires none, whoever counts them.
; CHECK-LABEL: .entry all_may_stay(
; CHECK:       wgmma.wait_group.sync.aligned 4294967295;
; CHECK:       st.volatile.global
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       st.global
define ptx_kernel void @all_may_stay(ptr addrspace(1) %out, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 4294967295)
  store volatile i32 1, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}
