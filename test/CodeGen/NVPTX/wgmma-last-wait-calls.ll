; Ends of kernels with wgmma in flight of which ptxas has a note in any case: of a call, or of a wait that it adds.
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; CHECK-LABEL: .func panic(
; CHECK-NOT:   wait_group
define internal void @panic(i32 %i) noinline noreturn {
  store volatile i32 %i, ptr addrspace(1) null
  call void @llvm.trap()
  unreachable
}

; A return that may be for some threads alone: there a wait is undefined.
; CHECK-LABEL: .entry returned_by_some(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wait_group
; CHECK:       ret;
define ptx_kernel void @returned_by_some(ptr addrspace(1) %out, i64 %b) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %some = icmp ult i32 %tid, 5
  br i1 %some, label %end, label %other

end:
  store volatile i32 1, ptr addrspace(1) %out
  ret void

other:
  store volatile i32 2, ptr addrspace(1) %out
  ret void
}

; The function is called to end the kernel, and does not come back. Maybe one thread alone calls it: it does not wait. What
; is in flight elsewhere is known all the same, and the wait stays as it is.
; CHECK-LABEL: .entry checked(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
; CHECK-NOT:   wait_group
; CHECK:       call.uni panic,
define ptx_kernel void @checked(ptr addrspace(1) %out, i64 %b, i32 %n, i32 %last) {
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
  call void @panic(i32 %i)
  unreachable
}

; A trap, of LLVM's or in inline assembly, as in many an assertion, may be one thread's: with a wait before it, it would
; hang instead.
; CHECK-LABEL: .entry trapped(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wait_group
; CHECK:       trap;
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
; CHECK-NOT:   wait_group
; CHECK:       trap; exit;
define ptx_kernel void @trapped(ptr addrspace(1) %out, i64 %b, i32 %n, i32 %last) {
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
  br i1 %ends, label %asserted, label %checked

asserted:
  call void asm sideeffect "trap;", ""()
  br label %checked

checked:
  %overflows = icmp eq i32 %i, 77
  br i1 %overflows, label %end, label %more

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
  call void @llvm.trap()
  unreachable
}

; The same where an exit follows in the text, or the exit has a predicate.
; CHECK-LABEL: .entry traps_and_exits(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wait_group
; CHECK:       trap; exit;
; CHECK:       @%p{{[0-9]+}} exit;
; CHECK-NEXT:  // end inline asm
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ret;
define ptx_kernel void @traps_and_exits(ptr addrspace(1) %out, i64 %b, i1 %p) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void asm sideeffect "trap; exit;", ""()
  call void asm sideeffect "@$0 exit;", "b"(i1 %p)
  ret void
}

; Nor where an exit comes after the trap or the call.
; CHECK-LABEL: .entry trap_then_exit(
; CHECK-NOT:   wait_group
; CHECK:       // begin inline asm
; CHECK-NEXT:  exit;
; CHECK-LABEL: .entry call_then_exit(
; CHECK-NOT:   wait_group
; CHECK:       // begin inline asm
; CHECK-NEXT:  exit;
define ptx_kernel void @trap_then_exit(i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.trap()
  call void asm sideeffect "exit;", ""()
  unreachable
}

define ptx_kernel void @call_then_exit(i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @panic(i32 1)
  call void asm sideeffect "exit;", ""()
  unreachable
}

; A panic of one loop leaves known what is in flight at the return from it.
; CHECK-LABEL: .entry panics_and_returns(
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ret;
define ptx_kernel void @panics_and_returns(i64 %b, i32 %n, i32 %last) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %more ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add i32 %i, 1
  %ends = icmp eq i32 %next, %n
  br i1 %ends, label %end, label %checked

checked:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %fails = icmp eq i32 %i, %last
  br i1 %fails, label %failed, label %more

more:
  br label %loop

end:
  ret void

failed:
  call void @panic(i32 %i)
  unreachable
}
