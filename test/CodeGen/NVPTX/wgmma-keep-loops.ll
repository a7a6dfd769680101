; Loops that ptxas must not unroll; see NVPTXKeepWGMMALoops.cpp.
; RUN: opt -S -passes=nvptx-keep-wgmma-loops -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s \
; RUN: | FileCheck %s --implicit-check-not='!llvm.loop'

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32>, i64, i64, i1, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; One that computes from the result; without optimization, too.
; CHECK-LABEL: define ptx_kernel void @rescaled(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[RESCALED:![0-9]+]]
define ptx_kernel void @rescaled(ptr %out, <4 x float> %c, <4 x float> %s, i64 %a, i64 %b) noinline optnone {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x float> [ %c, %entry ], [ %x, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %x = fmul <4 x float> %r, %s
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  store <4 x float> %x, ptr %out, align 4
  ret void
}

; Not one that only accumulates.
; CHECK-LABEL: define ptx_kernel void @accumulates(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @accumulates(ptr %out, <4 x float> %c, i64 %a, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x float> [ %c, %entry ], [ %d1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; Of two that are nested, the outer one stores each result.
; CHECK-LABEL: define ptx_kernel void @tiles(
; CHECK: br i1 %done, label %store, label %loop{{$}}
; CHECK: br i1 %last, label %exit, label %tile, !llvm.loop [[TILES:![0-9]+]]
define ptx_kernel void @tiles(ptr %out, i64 %a, i64 %b, i64 %k, i64 %n) {
entry:
  br label %tile

tile:
  %t = phi i64 [ 0, %entry ], [ %t.next, %store ]
  br label %loop

loop:
  %i = phi i64 [ 0, %tile ], [ %i.next, %loop ]
  %d = phi <4 x float> [ zeroinitializer, %tile ], [ %d1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %k
  br i1 %done, label %store, label %loop

store:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %to = getelementptr <4 x float>, ptr %out, i64 %t
  store <4 x float> %r, ptr %to, align 4
  %t.next = add i64 %t, 1
  %last = icmp eq i64 %t.next, %n
  br i1 %last, label %exit, label %tile

exit:
  ret void
}

; One that waits for wgmma from before it. What it says else, it still says.
; CHECK-LABEL: define ptx_kernel void @entered_in_flight(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[IN_FLIGHT:![0-9]+]]
define ptx_kernel void @entered_in_flight(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0

exit:
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; A wait for all does not retire what is not committed before it.
; CHECK-LABEL: define ptx_kernel void @entered_uncommitted(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[UNCOMMITTED:![0-9]+]]
define ptx_kernel void @entered_uncommitted(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %ahead

ahead:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; The wait may be one in inline assembly.
; CHECK-LABEL: define ptx_kernel void @waits_in_asm(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[IN_ASM:![0-9]+]]
define ptx_kernel void @waits_in_asm(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; Not one before which all have been waited for.
; CHECK-LABEL: define ptx_kernel void @entered_idle(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @entered_idle(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; One that is entered with a wgmma in flight, with another accumulator: its test is hidden, too.
; CHECK-LABEL: define ptx_kernel void @starts_another(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[ANOTHER:![0-9]+]]
define ptx_kernel void @starts_another(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %e = phi <4 x float> [ zeroinitializer, %entry ], [ %e1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %r, ptr %out, align 4
  %s = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e1)
  store volatile <4 x float> %s, ptr %out, align 4
  ret void
}

; The same where the other accumulator comes from further ahead.
; CHECK-LABEL: define ptx_kernel void @starts_further_ahead(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[FURTHER:![0-9]+]]
define ptx_kernel void @starts_further_ahead(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n, i1 %p) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %p, label %other, label %ahead

other:
  br label %ahead

ahead:
  %m = phi <4 x float> [ zeroinitializer, %entry ], [ %c, %other ]
  br label %loop

loop:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %loop ]
  %e = phi <4 x float> [ %m, %ahead ], [ %e1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %r, ptr %out, align 4
  %s = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e1)
  store volatile <4 x float> %s, ptr %out, align 4
  ret void
}

; Behind the same blocks, one loop with a wait ahead of it, one without.
; CHECK-LABEL: define ptx_kernel void @one_is_entered_idle(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[NOT_IDLE:![0-9]+]]
; CHECK: br i1 %idle.done, label %exit, label %idle{{$}}
define ptx_kernel void @one_is_entered_idle(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n, i1 %p) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %commits

commits:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %p, label %loop, label %waits

loop:
  %i = phi i64 [ 0, %commits ], [ %i.next, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

waits:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %idle

idle:
  %j = phi i64 [ 0, %waits ], [ %j.next, %idle ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %j.next = add i64 %j, 1
  %idle.done = icmp eq i64 %j.next, %n
  br i1 %idle.done, label %exit, label %idle

exit:
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; Not one that goes on with that in flight.
; CHECK-LABEL: define ptx_kernel void @goes_on(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @goes_on(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %e = phi <4 x float> [ %d, %entry ], [ %e1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %s = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e1)
  store volatile <4 x float> %s, ptr %out, align 4
  ret void
}

; One that says so already is asked no second time.
; CHECK-LABEL: define ptx_kernel void @disabled(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[DISABLED:![0-9]+]]
define ptx_kernel void @disabled(ptr %out, <4 x float> %c, i64 %a, i64 %b, i64 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !2

exit:
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr %out, align 4
  ret void
}

; One whose result is a fragment of A in its next round, where it is copied.
; CHECK-LABEL: define ptx_kernel void @multiplies_by_result(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[BY_RESULT:![0-9]+]]
define ptx_kernel void @multiplies_by_result(ptr %out, <4 x i32> %c, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x i32> [ %c, %entry ], [ %r, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %d, <4 x i32> %d, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %d1)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  store <4 x i32> %r, ptr %out, align 4
  ret void
}

; One whose rounds rearrange halves that become an accumulator after it. It asks for it itself already.
; CHECK-LABEL: define ptx_kernel void @rearranges(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[REARRANGES:![0-9]+]]
define ptx_kernel void @rearranges(ptr %out, <4 x i32> %c, <4 x i32> %s, i64 %a, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x i32> [ %c, %entry ], [ %d1, %loop ]
  %start = phi <4 x i32> [ %s, %entry ], [ %start.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %d, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %halves = bitcast <4 x i32> %start to <8 x i16>
  %reversed = shufflevector <8 x i16> %halves, <8 x i16> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %start.next = bitcast <8 x i16> %reversed to <4 x i32>
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 4
  br i1 %done, label %exit, label %loop, !llvm.loop !4

exit:
  %fenced = call <4 x i32> asm sideeffect "", "=r,0"(<4 x i32> %start.next)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %fenced, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %e, ptr %out, align 4
  ret void
}

; One without wgmma whose rounds add to a result.
; CHECK-LABEL: define ptx_kernel void @adds_to_result(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[ADDS:![0-9]+]]
define ptx_kernel void @adds_to_result(ptr %out, <4 x i32> %c, <4 x i32> %s, i64 %a, i64 %b) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %c, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi <4 x i32> [ %d, %entry ], [ %sum.next, %loop ]
  %sum.next = add <4 x i32> %sum, %s
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 2
  br i1 %done, label %exit, label %loop

exit:
  store <4 x i32> %sum.next, ptr %out, align 4
  ret void
}

; One without wgmma in which elements of a result change places, and one in which
; results do: ptxas takes what is computed from them in one round for what is in the
; next one.
; CHECK-LABEL: define ptx_kernel void @moves_elements(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[ELEMENTS:![0-9]+]]
; CHECK: br i1 %done2, label %end, label %exit, !llvm.loop [[RESULTS:![0-9]+]]
define ptx_kernel void @moves_elements(ptr %out, <4 x i32> %c, <4 x i32> %s, i64 %a, i64 %b) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %c, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %e = phi <4 x i32> [ %d, %entry ], [ %e.next, %loop ]
  %sum = add <4 x i32> %e, %s
  store volatile <4 x i32> %sum, ptr %out, align 4
  %last = extractelement <4 x i32> %e, i32 3
  %e.next = insertelement <4 x i32> %e, i32 %last, i32 1
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 2
  br i1 %done, label %exit, label %loop

exit:
  %j = phi i64 [ 0, %loop ], [ %j.next, %exit ]
  %f = phi <4 x i32> [ %e.next, %loop ], [ %g, %exit ]
  %g = phi <4 x i32> [ %s, %loop ], [ %f, %exit ]
  %sum2 = add <4 x i32> %f, %s
  store volatile <4 x i32> %sum2, ptr %out, align 4
  %j.next = add i64 %j, 1
  %done2 = icmp eq i64 %j.next, 2
  br i1 %done2, label %end, label %exit

end:
  ret void
}

; One whose last sum becomes the accumulator: unrolled, ptxas would execute one round
; (random kernel 32020216, on an H200).
; CHECK-LABEL: define ptx_kernel void @sum_becomes_accumulator(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[SUM:![0-9]+]]
define ptx_kernel void @sum_becomes_accumulator(ptr %out, <4 x i32> %s, i64 %a, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x i32> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %sum = add <4 x i32> %c, %s
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 4
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %sum, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr %out, align 4
  ret void
}

; One with wgmma that exchanges whole accumulators may be unrolled.
; CHECK-LABEL: define ptx_kernel void @exchanges(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @exchanges(ptr %out, <4 x i32> %c, <4 x i32> %s, i64 %a, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x i32> [ %c, %entry ], [ %e, %loop ]
  %e = phi <4 x i32> [ %s, %entry ], [ %d1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %d, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, 4
  br i1 %done, label %exit, label %loop

exit:
  store <4 x i32> %d1, ptr %out, align 4
  ret void
}

; CHECK-DAG: [[RESCALED]] = distinct !{[[RESCALED]], [[DISABLE:![0-9]+]], [[KEEP:![0-9]+]]}
; CHECK-DAG: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 0}
; CHECK-DAG: [[KEEP]] = !{!"llvm.loop.nvptx.keep", i32 0}
; CHECK-DAG: [[ADDS]] = distinct !{[[ADDS]], [[DISABLE]], [[KEEP]]}
; CHECK-DAG: [[DISABLED]] = distinct !{[[DISABLED]], [[DISABLE_ALREADY:![0-9]+]]}
; CHECK-DAG: [[DISABLE_ALREADY]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: [[REARRANGES]] = distinct !{[[REARRANGES]], [[DISABLE_ALREADY]], [[KEEP]]}
; CHECK-DAG: [[BY_RESULT]] = distinct !{[[BY_RESULT]], [[DISABLE]], [[KEEP]]}
; CHECK-DAG: [[SUM]] = distinct !{[[SUM]], [[DISABLE]], [[KEEP]]}
; CHECK-DAG: [[TILES]] = distinct !{[[TILES]], [[DISABLE]], [[KEEP]]}
; CHECK-DAG: [[IN_FLIGHT]] = distinct !{[[IN_FLIGHT]], [[PROGRESS:![0-9]+]], [[DISABLE]]}
; CHECK-DAG: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[UNCOMMITTED]] = distinct !{[[UNCOMMITTED]], [[DISABLE]]}
; CHECK-DAG: [[IN_ASM]] = distinct !{[[IN_ASM]], [[DISABLE]]}
; CHECK-DAG: [[ANOTHER]] = distinct !{[[ANOTHER]], [[DISABLE]], [[KEEP]]}
; CHECK-DAG: [[FURTHER]] = distinct !{[[FURTHER]], [[DISABLE]], [[KEEP]]}
; CHECK-DAG: [[NOT_IDLE]] = distinct !{[[NOT_IDLE]], [[DISABLE]]}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !3}
