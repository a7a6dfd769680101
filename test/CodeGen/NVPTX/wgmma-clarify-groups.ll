; Waits, commits and fences that do nothing are left out, since ptxas takes wgmma that an earlier wait has retired for
; what a later, weaker one retires, and serializes (C7513 to C7515). Those that do something stay.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; Without optimization all stay.
; RUN: llc %s -o - -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %s --check-prefix=O0
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; Nothing is in flight at the commit ahead of the loop, and at most one group at the wait for all but two.
; CHECK-LABEL: .entry idle(
; CHECK-NOT:   wgmma.commit_group
; CHECK:       $L__BB0_1:
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       ld.global.v4.b32
; CHECK:       bra
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.
; CHECK:       ret;
; O0-LABEL:    .entry idle(
; O0:          wgmma.wait_group.sync.aligned 2;
define ptx_kernel void @idle(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %n) {
entry:
  %first = load <4 x i32>, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %a = phi <4 x i32> [ %first, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %done, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %sum, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %i
  %next = load <4 x i32>, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %last

last:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %done, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 2)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; The second commit makes an empty group: the wait for all but one retires the wgmma, and says so.
; CHECK-LABEL: .entry empty_group(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.
; CHECK:       ret;
define ptx_kernel void @empty_group(ptr addrspace(1) %out, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; Of two groups in flight the second, which is empty, counts for the wait, which retires the first. The third
; is left.
; CHECK-LABEL: .entry empty_group_counts(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 2;
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @empty_group_counts(ptr addrspace(1) %out, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 2)
  store volatile float 0.0, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; Two groups are in flight at the wait for all but one on one path.
; CHECK-LABEL: .entry on_one_path(
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @on_one_path(ptr addrspace(1) %out, i64 %b, i1 %more) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %more, label %then, label %else

then:
  %t = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %else

else:
  %e = phi <4 x float> [ %d, %0 ], [ %t, %then ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  store volatile float 0.0, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; A loop that retires wgmma from before it is not unrolled by ptxas.
; CHECK-LABEL: .entry waits_in_loop(
; CHECK:       wgmma.commit_group
; CHECK:       .pragma "nounroll";
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @waits_in_loop(ptr addrspace(1) %out, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; The zeros of the second accumulator are written while the first is in flight: a loop that begins with a wait
; gets the same wait ahead of it.
; CHECK-LABEL: .entry begins_with_wait(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       $L__BB{{[0-9]+}}_1:
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @begins_with_wait(ptr addrspace(1) %out, i64 %b, <4 x i32> %a, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %zero = load volatile <4 x float>, ptr addrspace(1) %out
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi <4 x float> [ %zero, %entry ], [ %s, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %s = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %sum, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %s)
  store <4 x float> %e, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x float> %f, ptr addrspace(1) %p
  ret void
}

; On the second path nothing is in flight where the zeros are written: the wait stands on the first alone.
; CHECK-LABEL: .entry else_zeros(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
; CHECK:       lop3.b32 %r{{[0-9]+}}, {{.*}}, 0, 0x6a;
; CHECK-NOT:   wgmma.
; CHECK:       ret;
define ptx_kernel void @else_zeros(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i1 %c) {
  %first = load <4 x float>, ptr addrspace(1) %in
  br i1 %c, label %then, label %else

then:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %first, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

else:
  store volatile float 1.0, ptr addrspace(1) %out
  br label %join

join:
  %sum = phi <4 x float> [ %d, %then ], [ zeroinitializer, %else ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; A function that is called may be called with wgmma in flight.
; CHECK-LABEL: .func called(
; CHECK:       wgmma.wait_group.sync.aligned 2;
; CHECK:       wgmma.mma_async
define void @called(ptr addrspace(1) %out, i64 %b) {
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 2)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; The zeros are not written while the first wgmma is in flight: they go ahead of it.
; CHECK-LABEL: .entry zeros_in_flight(
; CHECK:       lop3.b32 [[ZERO:%r[0-9]+]], {{.*}}, 0, 0x6a;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   lop3.b32 %r{{[0-9]+}}, {{.*}}, 0, 0x6a;
; CHECK:       $L__BB{{[0-9]+}}_1:
; O0-LABEL: .entry zeros_in_flight(
define ptx_kernel void @zeros_in_flight(ptr addrspace(1) %out, i64 %b, i32 %p, i1 %c) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %next, %latch ]
  br i1 %c, label %latch, label %step

step:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %next = phi <4 x float> [ %d, %step ], [ %acc, %loop ]
  %again = icmp eq i32 %p, 0
  br i1 %again, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %next)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; The wgmma has a fence of its own, since its accumulator is set after the one of
; the loop, which then serves none and is left out.
; CHECK-LABEL: .entry fence_of_none(
; CHECK:       $L__BB{{[0-9]+}}_1:
; CHECK-NOT:   wgmma.fence
; CHECK:       bra
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; O0-LABEL: .entry fence_of_none(
define ptx_kernel void @fence_of_none(ptr addrspace(1) %out, i64 %b, i32 %p, i1 %c) {
entry:
  br label %loop

loop:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %c, label %step, label %latch

step:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %next = phi <4 x float> [ %d, %step ], [ zeroinitializer, %loop ]
  %again = icmp eq i32 %p, 0
  br i1 %again, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %next)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; Two loops and one wait for both: each waits where it is left, on an edge of its own.
; CHECK-LABEL: .entry two_loops(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       @%p{{[0-9]+}} bra
; CHECK-NEXT:  // %bb.
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  bra.uni [[JOIN:\$L__BB[0-9]+_[0-9]+]];
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       @%p{{[0-9]+}} bra
; CHECK-NEXT:  // %bb.
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  [[JOIN]]:
; CHECK-NOT:   wgmma.
; CHECK:       st.global.v4.b32
define ptx_kernel void @two_loops(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i1 %p) {
entry:
  br i1 %p, label %first, label %second

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %first ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %first, label %join

second:
  %j = phi i32 [ 0, %entry ], [ %j.next, %second ]
  %e = phi <4 x float> [ zeroinitializer, %entry ], [ %f, %second ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %j.next = add i32 %j, 1
  %j.more = icmp slt i32 %j.next, %n
  br i1 %j.more, label %second, label %join

join:
  %either = phi <4 x float> [ %d, %first ], [ %f, %second ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %either)
  store <4 x float> %done, ptr addrspace(1) %out
  ret void
}

; Threads that leave a loop from different places may not come to a wait on the way: it stays.
; CHECK-LABEL: .entry two_exits(
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK:       $L__BB{{[0-9]+_[0-9]+}}: // %join
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @two_exits(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i32 %m, i1 %p) {
entry:
  br i1 %p, label %first, label %second

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %leave = icmp eq i32 %i, %m
  br i1 %leave, label %join, label %latch

latch:
  %i.next = add i32 %i, 1
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %first, label %join

second:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

join:
  %either = phi <4 x float> [ %d, %first ], [ %d, %latch ], [ %f, %second ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %either)
  store <4 x float> %done, ptr addrspace(1) %out
  ret void
}

; Behind a loop's exit, a wait that leaves the second one in flight: the next round reads the first.
; CHECK-LABEL: .entry wait_behind_exit(
; CHECK:       st.volatile.global
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
; CHECK-NOT:   wgmma.wait_group.sync.aligned 1;
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @wait_behind_exit(ptr addrspace(1) %out, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi <4 x float> [ zeroinitializer, %entry ], [ %f, %latch ]
  %y = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  store volatile <4 x float> %x, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %latch, label %done

latch:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  br label %loop

done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %g, ptr addrspace(1) %out
  ret void
}
