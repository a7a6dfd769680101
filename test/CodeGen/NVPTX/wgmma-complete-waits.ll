; A flag tells whether anything is left to wait for: all wait ahead of its branch
; where an accumulator is read behind it, so that the graph has no path with a read
; and no wait. No round waits for its wgmma then, and nothing is told.
;
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-complete-wgmma-waits | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=warning:
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN: warning: {{.*}}in function less: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; WARN: warning: {{.*}}in function unrelated: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; WARN: warning: {{.*}}in function at_limit: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; WARN: warning: {{.*}}in function forgotten: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; A counter that each fourth round sets back.
;
; IR-LABEL: define ptx_kernel void @counter(
; IR:       wait:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR:       latch:
; IR-NOT:     wait_group.sync
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %in_flight, label %last, label %read
; IR-NOT:     wait_group.sync
; IR:         ret void
;
; CHECK-LABEL: .entry counter(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         setp.{{eq|ne}}.b32 %p{{[0-9]+}}, %r{{[0-9]+}}, 4;
; CHECK-COUNT-2: wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @counter(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %pending = phi i32 [ 0, %entry ], [ %pending.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %one.more = add nsw i32 %pending, 1
  %enough = icmp eq i32 %one.more, 4
  br i1 %enough, label %wait, label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %pending.next = phi i32 [ 0, %wait ], [ %one.more, %round ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp ne i32 %pending.next, 0
  br i1 %in_flight, label %last, label %read

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; Each fourth round waits, and behind the loop its number of rounds tells whether
; the last one has.
;
; IR-LABEL: define ptx_kernel void @rounds(
; IR:       end:
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %in_flight, label %last, label %read
; IR-NOT:     wait_group.sync
; IR:         ret void
;
; CHECK-LABEL: .entry rounds(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         setp
; CHECK-COUNT-2: wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @rounds(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %of.four = and i32 %i, 3
  %fourth = icmp eq i32 %of.four, 3
  br i1 %fourth, label %wait, label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %rest = and i32 %n, 3
  %in_flight = icmp ne i32 %rest, 0
  br i1 %in_flight, label %last, label %read

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; The other way has a block of its own, and a read in it. Of the waits, it gets the
; one that retires the most. What the flag has comes from memory.
;
; IR-LABEL: define ptx_kernel void @otherwise(
; IR:       else:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    store <4 x float>
;
; CHECK-LABEL: .entry otherwise(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         bra
; CHECK:         ret;
define ptx_kernel void @otherwise(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ 0, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %begun = load volatile i32, ptr addrspace(1) %list
  %wanted = icmp sgt i32 %begun, 0
  br i1 %wanted, label %work, label %latch

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ %begun, %work ], [ %flag, %round ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp ne i32 %flag.next, 0
  br i1 %in_flight, label %wait, label %else

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

else:
  store <4 x float> %sum.next, ptr addrspace(1) %list
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; What is read has been waited for: another accumulator, which this may leave in flight.
;
; IR-LABEL: define ptx_kernel void @other(
; IR:         br i1 %enough, label %wait, label %latch
; IR:       wait:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR:         ret void
;
; CHECK-LABEL: .entry other(
; CHECK:         // %round
; CHECK-COUNT-3: wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @other(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %pending = phi i32 [ 0, %entry ], [ %pending.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %one.more = add nsw i32 %pending, 1
  %enough = icmp sgt i32 %one.more, 3
  br i1 %enough, label %wait, label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %pending.next = phi i32 [ 0, %wait ], [ %one.more, %round ]
  store volatile <4 x float> %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; The block that waits has another way in, and the condition is that of a branch
; ahead of a wgmma.
;
; IR-LABEL: define ptx_kernel void @two_ways_in(
; IR:       second:
; IR:         br label %wait
; IR:       ask:
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %one, label %wait, label %read
; IR:       ret void
;
; CHECK-LABEL: .entry two_ways_in(
; CHECK-COUNT-2: wgmma.mma_async
; CHECK-NOT:     wgmma.mma_async
; CHECK:         ret;
define ptx_kernel void @two_ways_in(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %one, i1 %other) {
entry:
  br i1 %one, label %first, label %next

first:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %next

next:
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %c, %first ]
  br i1 %other, label %second, label %ask

second:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %wait

ask:
  br i1 %one, label %wait, label %read

wait:
  %e = phi <4 x float> [ %d, %second ], [ %sum, %ask ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  %f = phi <4 x float> [ %e, %wait ], [ %sum, %ask ]
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; A switch by a count, with more cases than become branches: only the way of nothing
; in flight lacks a wait.
;
; IR-LABEL: define ptx_kernel void @by_number(
; IR:         i32 0, label %read.wait
; IR:       read.wait:
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br label %read
; IR:       ret void
;
; CHECK-LABEL: .entry by_number(
; CHECK-COUNT-2: wgmma.mma_async
; CHECK-NOT:     wgmma.mma_async
; CHECK:         ret;
define ptx_kernel void @by_number(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %one, i1 %other) {
entry:
  br i1 %one, label %first, label %next

first:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %next

next:
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %c, %first ]
  %count = phi i32 [ 0, %entry ], [ 1, %first ]
  br i1 %other, label %second, label %ask

second:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %more = add nuw nsw i32 %count, 1
  br label %ask

ask:
  %e = phi <4 x float> [ %d, %second ], [ %sum, %next ]
  %pending = phi i32 [ %more, %second ], [ %count, %next ]
  switch i32 %pending, label %all [
    i32 2, label %some
    i32 3, label %some
    i32 4, label %some
    i32 5, label %some
    i32 6, label %some
    i32 7, label %some
    i32 8, label %some
    i32 9, label %some
    i32 0, label %read
  ]

some:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %all

all:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; A loop that is unrolled by two waits in each second round, so that where it ends
; tells what is in flight.
;
; IR-LABEL: define ptx_kernel void @unrolled(
; IR:       end:
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %odd, label %last, label %read
; IR:       ret void
;
; CHECK-LABEL: .entry unrolled(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK:         ret;
define ptx_kernel void @unrolled(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %even.round

even.round:
  %i = phi i32 [ 0, %entry ], [ %after, %odd.round ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %odd.round ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %odd.round

odd.round:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %after = add nuw nsw i32 %next, 1
  %all = icmp eq i32 %after, %n
  br i1 %all, label %end, label %even.round

end:
  %e = phi <4 x float> [ %c, %even.round ], [ %d, %odd.round ]
  %odd = trunc i32 %n to i1
  br i1 %odd, label %last, label %read

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; A flag for each of two accumulators: with a wait ahead of the second branch alone,
; ptxas 13.0 would have one on both ways of the first, and serialize all (C7514).
;
; IR-LABEL: define ptx_kernel void @two_flags(
; IR:       end:
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %no.p, label %ask, label %first
; IR:       ask:
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %no.q, label %read, label %second
; IR:       ret void
;
; CHECK-LABEL: .entry two_flags(
; CHECK-COUNT-2: wgmma.mma_async
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @two_flags(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %p = phi i32 [ 0, %entry ], [ %p.next, %latch ]
  %q = phi i32 [ 0, %entry ], [ %q.next, %latch ]
  %x = phi <4 x float> [ zeroinitializer, %entry ], [ %x.next, %latch ]
  %y = phi <4 x float> [ zeroinitializer, %entry ], [ %y.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %kind = load i32, ptr addrspace(1) %place
  %is.y = icmp eq i32 %kind, 0
  br i1 %is.y, label %to.y, label %to.x

to.x:
  %p.full = icmp eq i32 %p, 2
  br i1 %p.full, label %x.wait, label %x.add

x.wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %x.add

x.add:
  %p.left = phi i32 [ 1, %x.wait ], [ %p, %to.x ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %p.more = add nuw nsw i32 %p.left, 1
  br label %latch

to.y:
  %q.full = icmp eq i32 %q, 2
  br i1 %q.full, label %y.wait, label %y.add

y.wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %y.add

y.add:
  %q.left = phi i32 [ 1, %y.wait ], [ %q, %to.y ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %q.more = add nuw nsw i32 %q.left, 1
  br label %latch

latch:
  %x.next = phi <4 x float> [ %d, %x.add ], [ %x, %y.add ]
  %y.next = phi <4 x float> [ %y, %x.add ], [ %e, %y.add ]
  %p.next = phi i32 [ %p.more, %x.add ], [ %p, %y.add ]
  %q.next = phi i32 [ %q, %x.add ], [ %q.more, %y.add ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %no.p = icmp eq i32 %p.next, 0
  %no.q = icmp eq i32 %q.next, 0
  br i1 %no.p, label %ask, label %first

first:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %ask

ask:
  br i1 %no.q, label %read, label %second

second:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %x.next, ptr addrspace(1) %out
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x float> %y.next, ptr addrspace(1) %other
  ret void
}

; More is waited for than the condition ahead of the wgmma has executed. (That wait
; moves ahead of where the sums' start, which is computed, meets them.)
;
; IR-LABEL: define ptx_kernel void @more(
; IR:         %go = or i1 %one, %other
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    br i1 %go
; IR:         ret void
;
; CHECK-LABEL: .entry more(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @more(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %one, i1 %other) {
entry:
  br i1 %one, label %first, label %next

first:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %next

next:
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %c, %first ]
  store volatile i32 1, ptr addrspace(1) %out
  %go = or i1 %one, %other
  br i1 %go, label %wait, label %read

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; Less is: where the wgmma has been executed, and the other condition is false, a wait
; is missing.
;
; IR-LABEL: define ptx_kernel void @less(
; IR:         br i1 %go
; IR-COUNT-1: call void @llvm.nvvm.wgmma.wait_group
; IR-NOT:     call void @llvm.nvvm.wgmma.wait_group
; IR:         ret void
;
; CHECK-LABEL: .entry less(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @less(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %one, i1 %other) {
entry:
  br i1 %one, label %first, label %next

first:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %next

next:
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %c, %first ]
  store volatile i32 1, ptr addrspace(1) %out
  %go = and i1 %one, %other
  br i1 %go, label %wait, label %read

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; A bound that nothing else asks for: a wait is missing, and that is told.
;
; IR-LABEL: define ptx_kernel void @unrelated(
; IR-COUNT-1: call void @llvm.nvvm.wgmma.wait_group
; IR-NOT:     call void @llvm.nvvm.wgmma.wait_group
; IR:         ret void
;
; CHECK-LABEL: .entry unrelated(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @unrelated(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %many = icmp sgt i32 %n, 5
  br i1 %many, label %wait, label %read

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; Each round reads, but only one of four has waited.
;
; IR-LABEL: define ptx_kernel void @at_limit(
; IR-COUNT-1: call void @llvm.nvvm.wgmma.wait_group
; IR-NOT:     call void @llvm.nvvm.wgmma.wait_group
; IR:         ret void
;
; CHECK-LABEL: .entry at_limit(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @at_limit(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %pending = phi i32 [ 0, %entry ], [ %pending.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %one.more = add nsw i32 %pending, 1
  %enough = icmp eq i32 %one.more, 4
  br i1 %enough, label %wait, label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %pending.next = phi i32 [ 0, %wait ], [ %one.more, %round ]
  store <4 x float> %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  ret void
}

; The counter's rest is not waited for. A wait in each round would hide that.
;
; IR-LABEL: define ptx_kernel void @forgotten(
; IR-COUNT-1: call void @llvm.nvvm.wgmma.wait_group
; IR-NOT:     call void @llvm.nvvm.wgmma.wait_group
; IR:         ret void
;
; CHECK-LABEL: .entry forgotten(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @forgotten(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %pending = phi i32 [ 0, %entry ], [ %pending.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %one.more = add nsw i32 %pending, 1
  %enough = icmp eq i32 %one.more, 4
  br i1 %enough, label %wait, label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %pending.next = phi i32 [ 0, %wait ], [ %one.more, %round ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %read

read:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; A bit of a mask tells what is multiplied, and more of them whether to wait.
;
; IR-LABEL: define ptx_kernel void @masked(
; IR:         last:{{ }}
; IR:           call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:      br i1 %none
; IR-NOT:     call void @llvm.nvvm.wgmma.wait_group
; IR:         ret void
;
; CHECK-LABEL: .entry masked(
; CHECK:         wgmma.commit_group.sync.aligned;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma
; CHECK:         ret;
define ptx_kernel void @masked(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  %mask = load volatile i32, ptr addrspace(1) %out
  %bit0 = and i32 %mask, 1
  %unset = icmp eq i32 %bit0, 0
  br i1 %unset, label %last, label %multiply

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.new = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %last

last:
  %d = phi <4 x float> [ %c, %round ], [ %d.new, %multiply ]
  %bits = and i32 %mask, 5
  %none = icmp eq i32 %bits, 0
  br i1 %none, label %latch, label %wait

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
