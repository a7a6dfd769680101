; Where paths part, and one of them multiplies, the other one goes on by itself
; as far as its condition decides what comes.
;
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-split-wgmma-paths | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; The last round starts no scores: it leaves the loop, with a copy of what comes
; after them.
;
; IR-LABEL: define ptx_kernel void @last_round(
; IR:       loop:
; IR:         br i1 %more, label %start, label %latch.split
; IR:       start:
; IR:         call {{.*}}wgmma.mma_async{{.*}}(<4 x float> %scores,
; IR-NOT:     br
; IR:         call {{.*}}wgmma.mma_async{{.*}}(<4 x float> %sum,
; IR-NOT:     br i1
; IR:         br label %loop
; IR:       latch.split:
; IR-NOT:     br
; IR:         call {{.*}}wgmma.mma_async{{.*}}(<4 x float> %sum,
; IR:         br label %return
;
; CHECK-LABEL: .entry last_round(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    add.s32
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         bra.uni
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @last_round(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %head, label %return

head:
  br label %loop

loop:
  %i = phi i32 [ 0, %head ], [ %next, %latch ]
  %scores = phi <4 x float> [ zeroinitializer, %head ], [ %scores.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %head ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %scores, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %start, label %latch

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %scores, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %scores.next = phi <4 x float> [ %d, %start ], [ %scores, %loop ]
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  br label %return

return:
  ret void
}

; How many groups are in flight tells the condition by which the second one was
; started, across a barrier and an inner loop.
;
; IR-LABEL: define ptx_kernel void @same_condition(
; IR:         br i1 %c, label %start, label %meet.split
; IR:       start:
; IR:         call {{.*}}wgmma.mma_async
; IR:         call void @llvm.nvvm.barrier
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
; IR-NOT:     br i1 %c
; IR:       meet.split:
; IR:         call void @llvm.nvvm.barrier
; IR:       inner.split:
; IR:         br i1 %{{.*}}, label %{{.*}}, label %inner.split
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NOT:     call void @llvm.nvvm.barrier
;
; CHECK-LABEL: .entry same_condition(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group
; CHECK:         ret;
define ptx_kernel void @same_condition(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %c, label %start, label %meet

start:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

meet:
  %other = phi <4 x float> [ %e, %start ], [ zeroinitializer, %entry ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %inner

inner:
  %j = phi i32 [ 0, %meet ], [ %j.next, %inner ]
  store volatile i32 %j, ptr addrspace(1) %out
  %j.next = add nuw nsw i32 %j, 1
  %inner.end = icmp sge i32 %j.next, %n
  br i1 %inner.end, label %test, label %inner

test:
  br i1 %c, label %some, label %all

some:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %read

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store volatile <4 x float> %d, ptr addrspace(1) %out
  store volatile i32 %j.next, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %other, ptr addrspace(1) %out
  ret void
}

; There is no second step without a first one: where that is not started, the
; test of the other counter is known.
;
; IR-LABEL: define ptx_kernel void @counters(
; IR:       loop:
; IR:         br i1 %first, label %start, label %[[OUT:.*]]
; IR:         br i1 %second, label
; IR-NOT:     br i1 %second, label
; IR:         ret void
define ptx_kernel void @counters(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %g, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %one = or disjoint i32 %i, 1
  %first = icmp slt i32 %one, %n
  br i1 %first, label %start, label %meet

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %meet

meet:
  %e = phi <4 x float> [ %d, %start ], [ %acc, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 2
  %second = icmp sge i32 %next, %n
  br i1 %second, label %latch, label %more

more:
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %g = phi <4 x float> [ %f, %more ], [ %e, %meet ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %go = icmp slt i32 %next, %n
  br i1 %go, label %loop, label %exit

exit:
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; The loop goes on to N itself: the test of the last round is less than that.
;
; IR-LABEL: define ptx_kernel void @counts_to_n(
; IR:       loop:
; IR:         br i1 %more, label %start, label %latch.split
; IR-NOT:     br i1 %end
; IR:         ret void
define ptx_kernel void @counts_to_n(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %none = icmp slt i32 %n, 0
  br i1 %none, label %exit, label %head

head:
  br label %loop

loop:
  %i = phi i32 [ 0, %head ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %head ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %more = icmp slt i32 %i, %n
  br i1 %more, label %start, label %latch

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %start ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %e, ptr addrspace(1) %out
  %next = add nuw i32 %i, 1
  %end = icmp eq i32 %i, %n
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

; With a sign, and without one, are two comparisons.
;
; IR-LABEL: define ptx_kernel void @signs(
; IR:         br i1 %first, label %start, label %meet
; IR-NOT:     split
; IR:         br i1 %second, label %end, label %wait
; IR:         ret void
define ptx_kernel void @signs(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %i, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %one = add nuw nsw i32 %i, 1
  %first = icmp slt i32 %one, %n
  br i1 %first, label %start, label %meet

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %meet

meet:
  %e = phi <4 x float> [ %d, %start ], [ zeroinitializer, %entry ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %two = add nuw nsw i32 %i, 2
  %second = icmp uge i32 %two, %n
  br i1 %second, label %end, label %wait

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; The path without a wgmma goes two ways, and they meet others in two places.
;
; IR-LABEL: define ptx_kernel void @two_meetings(
; IR-NOT:     split
; IR:         ret void
define ptx_kernel void @two_meetings(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %c, label %start, label %none

start:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %d, label %one, label %two

none:
  store volatile i32 0, ptr addrspace(1) %out
  br i1 %d, label %one, label %two

one:
  %q = phi <4 x float> [ %p, %start ], [ zeroinitializer, %none ]
  store volatile i32 1, ptr addrspace(1) %out
  br i1 %c, label %three, label %end

three:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

two:
  %r = phi <4 x float> [ %p, %start ], [ zeroinitializer, %none ]
  store volatile i32 2, ptr addrspace(1) %out
  br i1 %c, label %four, label %end

four:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  %s = phi <4 x float> [ %q, %one ], [ %q, %three ], [ %r, %two ], [ %r, %four ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %s, ptr addrspace(1) %out
  ret void
}

; Nothing is known of a counter that may wrap, nor in the next round.
;
; IR-LABEL: define ptx_kernel void @wraps(
; IR:         br i1 %first, label %start, label %meet
; IR-NOT:     split
; IR:         br i1 %second, label %latch, label %more
; IR:         ret void
define ptx_kernel void @wraps(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %g, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %one = add i32 %i, 1
  %first = icmp slt i32 %one, %n
  br i1 %first, label %start, label %meet

start:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %meet

meet:
  %e = phi <4 x float> [ %d, %start ], [ %acc, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 2
  %second = icmp sge i32 %next, %n
  br i1 %second, label %latch, label %more

more:
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %g = phi <4 x float> [ %f, %more ], [ %e, %meet ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %go = icmp ne i32 %next, 77
  br i1 %go, label %loop, label %exit

exit:
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; What the path with the wgmma waits for is as if it had none.
;
; IR-LABEL: define ptx_kernel void @waited_for(
; IR-NOT:     split
; IR:         ret void
define ptx_kernel void @waited_for(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %c, label %start, label %meet

start:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %d, label %one, label %two

one:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %meet

two:
  store volatile i32 0, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %meet

meet:
  %q = phi <4 x float> [ zeroinitializer, %entry ], [ %p, %one ], [ %p, %two ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %wait, label %end

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  store volatile <4 x float> %q, ptr addrspace(1) %out
  ret void
}

; On one of two ways to where the paths meet nothing waits.
;
; IR-LABEL: define ptx_kernel void @waited_for_once(
; IR:         br i1 %c, label %start, label %meet.split
; IR:         ret void
define ptx_kernel void @waited_for_once(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %c, label %start, label %meet

start:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %d, label %one, label %two

one:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %meet

two:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %meet

meet:
  %q = phi <4 x float> [ zeroinitializer, %entry ], [ %p, %one ], [ %p, %two ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %wait, label %end

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  store volatile <4 x float> %q, ptr addrspace(1) %out
  ret void
}

; Neither path is without a wgmma; what the second branch decides is no step.
;
; IR-LABEL: define ptx_kernel void @left_alone(
; IR-NOT:     split
; IR:         ret void
define ptx_kernel void @left_alone(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %c, label %one, label %two

one:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %three

two:
  %q = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %three

three:
  %r = phi <4 x float> [ %p, %one ], [ %q, %two ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %four, label %five

four:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %five

five:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %r, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %d, label %six, label %seven

six:
  %s = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %seven

seven:
  %t = phi <4 x float> [ %s, %six ], [ zeroinitializer, %five ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %t, ptr addrspace(1) %out
  br i1 %d, label %eight, label %nine

eight:
  store volatile i32 0, ptr addrspace(1) %out
  br label %nine

nine:
  ret void
}

; What must not be duplicated is not.
;
; IR-LABEL: define ptx_kernel void @no_duplicate(
; IR-NOT:     split
; IR:         ret void
define ptx_kernel void @no_duplicate(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %e) {
nine:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %e, label %ten, label %eleven

ten:
  %u = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %eleven

eleven:
  %v = phi <4 x float> [ %u, %ten ], [ zeroinitializer, %nine ]
  call void asm sideeffect "// once", ""() #0
  br i1 %e, label %twelve, label %end

twelve:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %v, ptr addrspace(1) %out
  ret void
}

attributes #0 = { noduplicate }

; What is neither 1 nor 2: two branches tell, and a third one asks at once.
;
; IR-LABEL: define ptx_kernel void @modes(
; IR:       one:
; IR:       meet:
; IR:         wait_group
; IR:       meet.split:
; IR-NOT:     wait_group
; IR:         br label %end
;
; CHECK-LABEL: .entry modes(
; CHECK:         ret;
define ptx_kernel void @modes(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %mode) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %is_one = icmp eq i32 %mode, 1
  br i1 %is_one, label %one, label %other

one:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

other:
  %is_two = icmp eq i32 %mode, 2
  br i1 %is_two, label %two, label %meet

two:
  %q = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

meet:
  %r = phi <4 x float> [ %p, %one ], [ %q, %two ], [ zeroinitializer, %other ]
  store volatile i32 1, ptr addrspace(1) %out
  %less = add i32 %mode, -1
  %any = icmp ult i32 %less, 2
  br i1 %any, label %wait, label %end

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  store volatile <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; The same of a switch, of which two cases lead to the same block.
;
; IR-LABEL: define ptx_kernel void @cases(
; IR-NOT:     switch
; IR:         icmp eq i32 %mode, 7
; IR:         icmp eq i32 %mode, 3
; IR-NEXT:    icmp eq i32 %mode, 4
; IR:       meet.split:
; IR-NOT:     wait_group
; IR:         br label %end
;
; CHECK-LABEL: .entry cases(
; CHECK:         ret;
define ptx_kernel void @cases(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %mode) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  switch i32 %mode, label %meet [ i32 7, label %one
                                  i32 3, label %two
                                  i32 9, label %meet
                                  i32 4, label %two ]

one:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

two:
  %n = phi i64 [ %a, %entry ], [ %a, %entry ]
  %q = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %n, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

meet:
  %r = phi <4 x float> [ %p, %one ], [ %q, %two ], [ zeroinitializer, %entry ], [ zeroinitializer, %entry ]
  store volatile i32 1, ptr addrspace(1) %out
  switch i32 %mode, label %end [ i32 7, label %wait
                                 i32 3, label %wait
                                 i32 4, label %wait ]

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  store volatile <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; Two accumulators, each by a condition of its own, and one wait by both.
;
; IR-LABEL: define ptx_kernel void @two_conditions(
; IR:         br i1 %c, label %first, label %[[NOT_C:[a-z.]+]]
; IR:       first:
; IR:         br i1 %d, label %second, label %[[C_NOT_D:[a-z.0-9]+]]
; IR:       second:
; IR-NOT:     br
; IR:         wait_group{{.*}}(i64 1)
; IR-NEXT:    br label %use
; IR:       [[NOT_C]]:
; IR:         br i1 %d, label %second.split, label %[[NEITHER:[a-z.]+]]
; IR:       second.split:
; IR-NOT:     wait_group
; IR:         br label %use
; IR:       [[C_NOT_D]]:
; IR:         wait_group{{.*}}(i64 0)
; IR:         br label %end
; IR:       [[NEITHER]]:
; IR-NOT:     wait_group
; IR:         br label %end
;
; CHECK-LABEL: .entry two_conditions(
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         ret;
define ptx_kernel void @two_conditions(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %c, label %first, label %next

first:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %next

next:
  %s = phi <4 x float> [ %p, %first ], [ zeroinitializer, %entry ]
  br i1 %d, label %second, label %meet

second:
  %q = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

meet:
  %t = phi <4 x float> [ %q, %second ], [ zeroinitializer, %next ]
  store volatile i32 1, ptr addrspace(1) %out
  %cd = select i1 %c, i1 %d, i1 false
  br i1 %cd, label %both, label %not_both

both:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %use

not_both:
  br i1 %c, label %one, label %use

one:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %use

use:
  br i1 %c, label %store, label %last

store:
  store volatile <4 x float> %s, ptr addrspace(1) %out
  br label %last

last:
  br i1 %d, label %wait, label %end

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %t, ptr addrspace(1) %out
  br label %end

end:
  ret void
}

; Two ways into what goes round: what it begins with comes again, and is asked again.
;
; IR-LABEL: define ptx_kernel void @no_natural_loop(
; IR-NOT:     split
; IR:         ret void
;
; CHECK-LABEL: .entry no_natural_loop(
; CHECK:         ret;
define ptx_kernel void @no_natural_loop(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d, i32 %n) {
entry:
  br i1 %c, label %again, label %head

again:
  %j = phi i32 [ 0, %entry ], [ %next, %round ]
  store volatile i32 %j, ptr addrspace(1) %out
  br label %head

head:
  %i = phi i32 [ 1, %entry ], [ %j, %again ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %d, label %start, label %meet

start:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

meet:
  %r = phi <4 x float> [ %p, %start ], [ zeroinitializer, %head ]
  store volatile i32 1, ptr addrspace(1) %out
  br i1 %d, label %wait, label %round

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %round

round:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %r, ptr addrspace(1) %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %again, label %end

end:
  ret void
}

; Switches of which no case leaves anything in flight, and that stand beside no wait,
; stay what they are.
;
; IR-LABEL: define ptx_kernel void @switches_stay(
; IR:         switch i32 %mode, label %meet
; IR:         switch i32 %mode, label %end
; IR:         ret void
;
; CHECK-LABEL: .entry switches_stay(
; CHECK:         ret;
define ptx_kernel void @switches_stay(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %mode) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  switch i32 %mode, label %meet [ i32 7, label %one
                                  i32 3, label %two ]

one:
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %meet

two:
  store volatile i32 2, ptr addrspace(1) %out
  br label %meet

meet:
  %r = phi <4 x float> [ %p, %one ], [ zeroinitializer, %two ], [ zeroinitializer, %entry ]
  store volatile <4 x float> %r, ptr addrspace(1) %out
  br label %ask

ask:
  switch i32 %mode, label %end [ i32 7, label %again
                                 i32 3, label %other ]

again:
  store volatile i32 7, ptr addrspace(1) %out
  br label %end

other:
  store volatile i32 3, ptr addrspace(1) %out
  br label %end

end:
  ret void
}

; The last round waits for all, others for one: what comes then, which is more than
; what threading copies, is there for the last round by itself.
;
; IR-LABEL: define ptx_kernel void @last_wait(
; IR:       all:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR:         store volatile
; IR-NOT:     br i1
; IR:         store <4 x float> %d
; IR-NOT:     br i1
; IR:         ret void
;
; CHECK-LABEL: .entry last_wait(
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group.sync.aligned 0;
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @last_wait(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %none

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  %first = phi <4 x float> [ zeroinitializer, %entry ], [ %c, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %first, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %some, label %all

some:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %latch

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  store volatile i32 %i, ptr addrspace(1) %out
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  store <4 x float> %c, ptr addrspace(1) %out
  ret void

none:
  ret void
}

; A wait that only some rounds with something in flight come to, which sets the flag
; back: the rest of such a round, with nothing in flight, is there by itself, too.
;
; CHECK-LABEL: .entry flagged_wait(
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group.sync.aligned 0;
; CHECK:         ld.volatile.global
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         ret;
define ptx_kernel void @flagged_wait(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %acc.next, %latch ]
  %flag = phi i1 [ false, %entry ], [ %flag.next, %latch ]
  br i1 %flag, label %asks, label %rest

asks:
  %ready = load volatile i1, ptr addrspace(1) %in
  br i1 %ready, label %waits, label %rest

waits:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc)
  store volatile <4 x float> %r, ptr addrspace(1) %out
  br label %rest

rest:
  %acc.now = phi <4 x float> [ %acc, %loop ], [ %acc, %asks ], [ %r, %waits ]
  %flag.now = phi i1 [ false, %loop ], [ true, %asks ], [ false, %waits ]
  %more = load volatile i1, ptr addrspace(1) %in
  br i1 %more, label %issues, label %latch

issues:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc.now, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %acc.next = phi <4 x float> [ %acc.now, %rest ], [ %d, %issues ]
  %flag.next = phi i1 [ %flag.now, %rest ], [ true, %issues ]
  %next = add nuw nsw i32 %i, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  br i1 %flag.next, label %last, label %store

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r.last = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc.next)
  br label %store

store:
  %result = phi <4 x float> [ %acc.next, %exit ], [ %r.last, %last ]
  store <4 x float> %result, ptr addrspace(1) %out
  ret void
}
