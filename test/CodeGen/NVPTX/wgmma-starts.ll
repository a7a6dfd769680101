; A loop that is left from the block that it begins with, behind a wgmma that starts anew in each round: what it starts from goes ahead of the
; loop and to the end of its round. ptxas would begin the loop elsewhere, and not find registers for the wgmma (C7511).
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning
; NOTE-NOT: C75{{1[0-8]}}

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; CHECK-LABEL: .entry from_memory(
; CHECK:       ld.global.v4.b32 {[[D:.*]]}, [
; CHECK:       $L__BB0_1:
; CHECK-NOT:   ld.global
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async{{.*}} {[[D]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  st.global.v4.b32 [{{.*}}], {[[D]]};
; CHECK:       bar.sync 0;
; CHECK:       ld.global.v4.b32 {[[D]]}, [
; CHECK:       bra.uni $L__BB0_1;
define ptx_kernel void @from_memory(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a0, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %offset = zext i32 %i to i64
  %a = add i64 %a0, %offset
  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %offset
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %offset
  %c = load <4 x float>, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %latch, label %exit

latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %round

exit:
  ret void
}

; Two accumulators, of which something is computed.
; CHECK-LABEL: .entry from_zero(
; CHECK-COUNT-8: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{[0-9]+}}, 0, 0x6a;
; CHECK:       $L__BB1_1:
; CHECK-NOT:   lop3
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK-NOT:   lop3
; CHECK:       bra
; CHECK-COUNT-8: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{[0-9]+}}, 0, 0x6a;
; CHECK:       bra.uni $L__BB1_1;
define ptx_kernel void @from_zero(ptr addrspace(1) %out, i64 %a0, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %offset = zext i32 %i to i64
  %a = add i64 %a0, %offset
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %offset
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %s = fadd <4 x float> %d, %e
  store <4 x float> %s, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %latch, label %exit

latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %round

exit:
  ret void
}
