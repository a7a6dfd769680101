; Where each path decides the next branch, no path that cannot be taken leaves an
; accumulator in flight: the waits are the program's own, and nobody is warned.
;
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-thread-wgmma-branches | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; The test of the loop is that of the branch, in other words.
;
; CHECK-LABEL: .entry last_round(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         bra.uni
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @last_round(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
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
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; A branch that is taken in each fourth round, or in the last, which the test of the loop asks for in other words.
;
; CHECK-LABEL: .entry fourth_or_last(
; CHECK:         wgmma.mma_async
; CHECK-NOT:     wgmma.{{[cw]}}
; CHECK:         wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.{{[cw]}}
; CHECK:         ret;
define ptx_kernel void @fourth_or_last(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %last = add nsw i32 %n, -1
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %round = and i32 %i, 3
  %is_fourth = icmp eq i32 %round, 3
  %is_last = icmp eq i32 %i, %last
  %either = select i1 %is_fourth, i1 true, i1 %is_last
  br i1 %either, label %all, label %latch

all:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %next = add nuw nsw i32 %i, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; The test of the loop asks whether another number is equal.
;
; CHECK-LABEL: .entry equal(
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
define ptx_kernel void @equal(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %last = add i32 %n, -1
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %is_last = icmp eq i32 %i, %last
  br i1 %is_last, label %all, label %some

some:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %latch

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; A flag tells whether anything is in flight: the first round, and who comes
; around the loop, need no wait.
;
; CHECK-LABEL: .entry flag(
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         bra
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
define ptx_kernel void @flag(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  %in_flight = phi i1 [ false, %entry ], [ true, %round ]
  br i1 %in_flight, label %drain, label %round

drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %round

round:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop

end:
  %result = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  br i1 %any, label %last_drain, label %exit

last_drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %exit

exit:
  store <4 x float> %result, ptr addrspace(1) %out
  ret void
}

; What asks which threads come along has one block: nothing is threaded.
;
; CHECK-LABEL: .entry convergent(
; CHECK:         wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.commit_group
; CHECK:         ret;
define ptx_kernel void @convergent(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %one, label %other

one:
  store volatile i32 1, ptr addrspace(1) %out
  br label %both

other:
  store volatile i32 2, ptr addrspace(1) %out
  br label %both

both:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %c, label %store, label %exit

store:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  br label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; What decides nothing about what is in flight stays as it is: no block beside the second branch waits.
; CHECK-LABEL:   .entry no_wait_beside(
; CHECK-COUNT-2: @%p{{[0-9]+}} bra
; CHECK-NOT:     @%p{{[0-9]+}} bra
; CHECK:         wgmma.mma_async
; CHECK:         ret;
define ptx_kernel void @no_wait_beside(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %one, label %two

one:
  store volatile i32 1, ptr addrspace(1) %out
  br label %join

two:
  store volatile i32 2, ptr addrspace(1) %out
  br label %join

join:
  br i1 %c, label %three, label %four

three:
  store volatile i32 3, ptr addrspace(1) %out
  br label %end

four:
  store volatile i32 4, ptr addrspace(1) %out
  br label %end

end:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; Whoever comes around the loop has asked the number of the round that ends, which may be 0, and not that of the next one.
; CHECK-LABEL: .entry asked_earlier(
; CHECK:       wgmma.mma_async
; CHECK:       setp.lt.s32 [[FIRST:%p[0-9]+]], %r{{[0-9]+}}, 1;
; CHECK:       @[[FIRST]] bra
; CHECK:       ret;
define ptx_kernel void @asked_earlier(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  %c = phi i1 [ true, %entry ], [ %was_later, %round ]
  br i1 %c, label %drain, label %round

drain:
  store volatile i32 %i, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %round

round:
  %was_later = icmp sgt i32 %i, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; Whoever comes around the loop decides where it begins, but who enters it does not: it keeps its header, and has no second entry.
; CHECK-LABEL: .entry decided_by_rounds(
; CHECK:       // %loop
; CHECK-NEXT:  // =>This Inner Loop Header: Depth=1
; CHECK:       ret;
define ptx_kernel void @decided_by_rounds(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i1 %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  %in_flight = phi i1 [ %p, %entry ], [ true, %round ]
  br i1 %in_flight, label %drain, label %round

drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %round

round:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; A loop with two latches, in which a branch later than the first rounds asks for what
; does not change: ScalarEvolution would take what it is asked about for the first
; round, and answer anything.
;
; IR-LABEL: define ptx_kernel void @two_latches(
; IR:       later:
; IR:         br i1 %none, label %wait, label %use
;
; CHECK-LABEL: .entry two_latches(
; CHECK:         and.b32 [[BIT:%r[0-9]+]], {{%r[0-9]+}}, 8;
; CHECK:         setp.{{eq|ne}}.b32 {{%p[0-9]+}}, [[BIT]], 0;
; CHECK:         ret;
define ptx_kernel void @two_latches(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %p, i32 %n, i1 %c) {
entry:
  %bit = and i32 %p, 8
  %none = icmp eq i32 %bit, 0
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %again ], [ %next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %again ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %early = icmp slt i32 %i, 2
  br i1 %early, label %wait, label %late

late:
  store volatile i32 1, ptr addrspace(1) %out
  br i1 %c, label %wait, label %later

later:
  store volatile i32 2, ptr addrspace(1) %out
  br i1 %none, label %wait, label %use

use:
  store volatile i32 3, ptr addrspace(1) %out
  br label %wait

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %return, label %again

again:
  br i1 %c, label %latch, label %head

latch:
  store volatile i32 4, ptr addrspace(1) %out
  br label %head

return:
  store volatile <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; What nothing leads to leads to a branch. Front ends may leave such blocks.
;
; CHECK-LABEL: .entry dead_way(
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         ret;
define ptx_kernel void @dead_way(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %c, i1 %d) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %p = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %ask

dead:
  br label %ask

ask:
  %e = and i1 %c, %d
  br i1 %e, label %wait, label %end

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %p, ptr addrspace(1) %out
  ret void
}

; What is known where a round ends is of that round, not of the next one.
;
; IR-LABEL: define ptx_kernel void @next_round(
; IR:       head:
; IR:         br i1 %big, label %leave, label %body
;
; CHECK-LABEL: .entry next_round(
; CHECK:         wgmma.mma_async
; CHECK:         setp.lt.u32 {{%p[0-9]+}}, {{%r[0-9]+}}, 6;
; CHECK:         ret;
define ptx_kernel void @next_round(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %step) {
entry:
  br label %head

head:
  %x = phi i32 [ 0, %entry ], [ %x.next, %body ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %body ]
  %big = icmp ugt i32 %x, 5
  br i1 %big, label %leave, label %body

body:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %x.next = add i32 %x, %step
  br label %head

leave:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; Rounds are counted down to 1: what is not 1 is larger.
;
; CHECK-LABEL: .entry counts_down(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @counts_down(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %exit

loop:
  %i = phi i32 [ %n, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %last = icmp eq i32 %i, 1
  br i1 %last, label %all, label %some.stay

some.stay:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %latch

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %next = add nsw i32 %i, -1
  %more = icmp samesign ugt i32 %i, 1
  br i1 %more, label %loop, label %exit

exit:
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; LLVM has split off the last round, whose test is of a phi.
;
; IR-LABEL: define ptx_kernel void @last_split_off(
; IR:       last:
; IR-NOT:     br i1
; IR:         br label %all
; IR:       all:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
;
; CHECK-LABEL: .entry last_split_off(
; CHECK-NOT:     wgmma.wait_group.sync.aligned 1;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         ret;
define ptx_kernel void @last_split_off(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %test, label %exit

test:
  %one = icmp eq i32 %n, 1
  br i1 %one, label %last, label %head

head:
  %limit = add nsw i32 %n, -2
  br label %loop

last:
  %j = phi i32 [ 0, %test ], [ %next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %test ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %after = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %after, %n
  br i1 %end, label %all, label %some.stay

some.stay:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %exit

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %exit

loop:
  %i = phi i32 [ 0, %head ], [ %next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %head ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i, %limit
  br i1 %done, label %last, label %loop

exit:
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %all ], [ %e, %some.stay ]
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; What is counted from zero, up, and set back to zero, is never negative: a way with
; one more in flight does not leave the loop.
;
; IR-LABEL: define ptx_kernel void @counted(
; IR:       multiply:
; IR-NOT:     br i1
; IR:         br label %loop
; IR:       all:
; IR:         br i1 %{{.*}}, label %loop, label %exit
;
; CHECK-LABEL: .entry counted(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         bra
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @counted(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %left = phi i32 [ %n, %entry ], [ %left.next, %latch ]
  %pending = phi i32 [ 0, %entry ], [ %pending.next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %latch ]
  %few = icmp slt i32 %pending, 3
  %any = icmp sgt i32 %left, 0
  %go = and i1 %few, %any
  br i1 %go, label %multiply, label %all

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %one.less = add nsw i32 %left, -1
  %one.more = add nsw i32 %pending, 1
  br label %latch

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %left.next = phi i32 [ %one.less, %multiply ], [ %left, %all ]
  %pending.next = phi i32 [ %one.more, %multiply ], [ 0, %all ]
  %sum = phi <4 x float> [ %d, %multiply ], [ %acc, %all ]
  %has.left = icmp sgt i32 %left.next, 0
  %has.pending = icmp sgt i32 %pending.next, 0
  %again = or i1 %has.left, %has.pending
  br i1 %again, label %loop, label %exit

exit:
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; The number of a stage, which goes round, is none of those below zero.
;
; IR-LABEL: define ptx_kernel void @stage(
; IR:       end:
; IR-NOT:     br i1
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NOT:     br i1
; IR:         ret void
;
; CHECK-LABEL: .entry stage(
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @stage(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %stage = phi i32 [ 0, %entry ], [ %stage.next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %one.more = add nsw i32 %stage, 1
  %is.last = icmp eq i32 %one.more, 4
  %stage.next = select i1 %is.last, i32 0, i32 %one.more
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop

end:
  %any = icmp sgt i32 %stage, -1
  br i1 %any, label %wait, label %read

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
