; A loop that is left in its middle, behind a wgmma that starts anew in each round: it gets a way out that is never taken. ptxas would begin
; the loop elsewhere, and not find registers for the wgmma (C7511).
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
; CHECK:       mov.u32 {{%r[0-9]+}}, %clock_hi;
; CHECK:       mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK-NEXT:  [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NEXT:  .pragma "nounroll";
; CHECK-NEXT:  setp.ne.b32 [[IS_SET:%p[0-9]+]], [[ZERO]], 0;
; CHECK-NEXT:  @[[IS_SET]] bra [[NEVER:\$L__BB[0-9_]+]];
; CHECK:       ld.global.v4.b32 {[[D:.*]]}, [
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async{{.*}} {[[D]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  st.global.v4.b32 [{{.*}}], {[[D]]};
; CHECK:       bar.sync 0;
; CHECK:       bra.uni [[LOOP]];
; CHECK:       ret;
; CHECK-NEXT:  [[NEVER]]:
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  exit;
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
; CHECK:       setp.ne.b32 [[IS_SET:%p[0-9]+]], {{%r[0-9]+}}, 0;
; CHECK-NEXT:  @[[IS_SET]] bra
; CHECK-COUNT-8: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{[0-9]+}}, 0, 0x6a;
; CHECK-NOT:   lop3
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK-NOT:   lop3
; CHECK:       ret;
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

; What one wgmma gives is what the next one starts from, behind inline assembly.
; CHECK-LABEL: .entry from_result(
; CHECK:       setp.ne.b32 [[IS_SET:%p[0-9]+]], {{%r[0-9]+}}, 0;
; CHECK-NEXT:  @[[IS_SET]] bra
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK:       ret;
define ptx_kernel void @from_result(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a0, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %offset = zext i32 %i to i64
  %a = add i64 %a0, %offset
  call void asm sideeffect "", "~{memory}"()
  %c = load <4 x float>, ptr addrspace(1) %in
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %offset
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %q
  %d2 = fadd <4 x float> %d, %d
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d2, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %latch, label %exit

latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %round

exit:
  ret void
}

; Where something is in flight at the start of a round, the way out is at its end.
; CHECK-LABEL: .entry in_flight(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       .pragma "nounroll";
; CHECK-NOT:   @
; CHECK:       wgmma.mma_async
; CHECK:       bar.sync 0;
; CHECK:       setp.ne.b32 [[IS_SET:%p[0-9]+]], {{%r[0-9]+}}, 0;
; CHECK-NEXT:  @[[IS_SET]] bra [[NEVER:\$L__BB[0-9_]+]];
; CHECK-NEXT:  bra.uni [[LOOP]];
; CHECK:       ret;
; CHECK-NEXT:  [[NEVER]]:
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  exit;
define ptx_kernel void @in_flight(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a0, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  %offset = zext i32 %i to i64
  %a = add i64 %a0, %offset
  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %offset
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %offset
  %c = load <4 x float>, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  store <4 x float> %d, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %latch, label %exit

latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %round

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}
