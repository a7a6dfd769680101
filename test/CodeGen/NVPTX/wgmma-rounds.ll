; A loop leaves a wgmma in flight for its next round, which reads the accumulator after a wait that leaves another one
; in flight. ptxas would take that for read in flight, and serialize all wgmma (C7514), but for a way out behind the loop that is
; never taken. Where that does not help, the wgmma is waited for before the round ends, and ahead of the loop, with a warning.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>%t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err --implicit-check-not=warning
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; WARN: warning: in function two_conditions: wgmma.mma_async is waited for before the next round of a loop: its accumulator is read there after a wgmma.wait_group that leaves others in flight

; CHECK-LABEL: .entry two(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[A:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[B:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NEXT:  st.volatile.global.v4.b32 [{{%rd[0-9]+}}], {[[A]]};
; CHECK-NOT:   wgmma
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[A]]}
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NEXT:  st.volatile.global.v4.b32 [{{%rd[0-9]+}}+16], {[[B]]};
; CHECK-NOT:   wgmma
; CHECK:       bra [[LOOP]];
; CHECK:       mov.u32 [[CLOCK:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO:%r[0-9]+]], [[CLOCK]], 31;
; CHECK-NEXT:  setp.ne.b32 [[LEAVES:%p[0-9]+]], [[ZERO]], 0;
; CHECK-NEXT:  @[[LEAVES]] bra [[EXIT:\$L__BB[0-9_]+]];
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
; CHECK:       [[EXIT]]:
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  exit;
define ptx_kernel void @two(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %last = phi <4 x float> [ %first, %entry ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %c, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %y = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  store volatile <4 x float> %y, ptr addrspace(1) %other
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  ret void
}

; ptxas does not see it without if such a wait comes first, and then one for all.
; CHECK-LABEL: .entry both_waits(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[B:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[B]]}
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       st.volatile.global
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma
; CHECK:       bra [[LOOP]];
; CHECK:       exit;
define ptx_kernel void @both_waits(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  %y = load <4 x float>, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %last = phi <4 x float> [ %first, %entry ], [ %e, %loop ]
  %sum = phi <4 x float> [ %y, %entry ], [ %d2, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %c, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %a, i64 %c, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  %s = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d2)
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  store volatile <4 x float> %s, ptr addrspace(1) %other
  ret void
}

; A wait for all comes before the accumulator is read: nothing is added.
; CHECK-LABEL: .entry wait_for_all(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wgmma.wait_group
; CHECK:       $L__BB{{[0-9_]+}}:
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wgmma.wait_group
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   exit;
define ptx_kernel void @wait_for_all(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %last = phi <4 x float> [ %first, %entry ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  %y = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  store volatile <4 x float> %y, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %c, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  ret void
}

; What waits for all on a condition retires what the last round has left, even behind a wait for the others and on a way
; without wgmma, if the loop is left for a wait for all.
;
; CHECK-LABEL: .entry on_condition(
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  st.volatile.global.v4.b32
; CHECK-NOT:   exit;
define ptx_kernel void @on_condition(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %next.round ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %next.round ]
  %rest = and i32 %i, 3
  %multiplies = icmp ne i32 %rest, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %multiplies, label %multiply, label %join

multiply:
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %join

join:
  %last = phi <4 x float> [ %d, %loop ], [ %product, %multiply ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %bits = and i32 %i, 15
  %reads = icmp eq i32 %bits, 9
  br i1 %reads, label %read, label %wait

read:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  br label %next.round

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %next.round

next.round:
  %e = phi <4 x float> [ %x, %read ], [ %last, %wait ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  ret void
}

; Not if it is left in flight for another loop.
;
; CHECK-LABEL: .entry left_in_flight(
; CHECK:       exit;
define ptx_kernel void @left_in_flight(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %next.round ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %next.round ]
  %rest = and i32 %i, 3
  %multiplies = icmp ne i32 %rest, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %multiplies, label %multiply, label %join

multiply:
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %join

join:
  %last = phi <4 x float> [ %d, %loop ], [ %product, %multiply ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %bits = and i32 %i, 15
  %reads = icmp eq i32 %bits, 9
  br i1 %reads, label %read, label %wait

read:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  br label %next.round

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %next.round

next.round:
  %e = phi <4 x float> [ %x, %read ], [ %last, %wait ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  br label %second

second:
  %j = phi i32 [ 0, %exit ], [ %j.next, %second ]
  %f = phi <4 x float> [ %e, %exit ], [ %g, %second ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %g = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %second, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %g)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  ret void
}

; Nor if the round has no commit ahead of the use.
;
; CHECK-LABEL: .entry read_first(
; CHECK:       exit;
define ptx_kernel void @read_first(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %next.round ]
  %last = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %next.round ]
  %asked = load volatile i32, ptr addrspace(1) %in
  %reads = icmp eq i32 %asked, 9
  br i1 %reads, label %read, label %go.on

read:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  br label %go.on

go.on:
  %d = phi <4 x float> [ %last, %loop ], [ %x, %read ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %told = load volatile i32, ptr addrspace(1) %in
  %multiplies = icmp ne i32 %told, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %multiplies, label %multiply, label %next.round

multiply:
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %next.round

next.round:
  %e = phi <4 x float> [ %d, %go.on ], [ %product, %multiply ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  ret void
}

; Nor if two wgmma of the loop accumulate there.
;
; CHECK-LABEL: .entry updated_twice(
; CHECK:       exit;
define ptx_kernel void @updated_twice(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %next.round ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %next.round ]
  %told = load volatile i32, ptr addrspace(1) %in
  %multiplies = icmp ne i32 %told, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %multiplies, label %multiply, label %join

multiply:
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %join

join:
  %last = phi <4 x float> [ %d, %loop ], [ %product, %multiply ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %asked = load volatile i32, ptr addrspace(1) %in
  %reads = icmp eq i32 %asked, 9
  br i1 %reads, label %read, label %wait

read:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  br label %go.on

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %go.on

go.on:
  %f = phi <4 x float> [ %x, %read ], [ %last, %wait ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %told.again = load volatile i32, ptr addrspace(1) %in
  %goes.on = icmp ne i32 %told.again, 1
  br i1 %goes.on, label %again, label %next.round

again:
  %other = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f, i64 %b, i64 %c, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %next.round

next.round:
  %e = phi <4 x float> [ %f, %go.on ], [ %other, %again ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %z = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %z, ptr addrspace(1) %out
  ret void
}

; ptxas 12.4 does not see it on a condition if another wait is on a condition, too: there it is waited for.
;
; CHECK-LABEL: .entry two_conditions(
; CHECK:       // %again
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       // %loop
; CHECK:       ret;
; CHECK-NOT:   exit;
define ptx_kernel void @two_conditions(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.on, %again ]
  %e = phi <4 x float> [ zeroinitializer, %entry ], [ %e.next, %again ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 2)
  %rest = and i32 %i, 3
  %reads.d = icmp eq i32 %rest, 1
  br i1 %reads.d, label %read.d, label %behind.d

read.d:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.read = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d.next)
  store volatile <4 x float> %d.read, ptr addrspace(1) %out
  br label %behind.d

behind.d:
  %d.on = phi <4 x float> [ %d.next, %loop ], [ %d.read, %read.d ]
  %bits = and i32 %i, 15
  %reads.e = icmp eq i32 %bits, 9
  br i1 %reads.e, label %read.e, label %again

read.e:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e.read = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %e.read, ptr addrspace(1) %out
  br label %again

again:
  %e.on = phi <4 x float> [ %e, %behind.d ], [ %e.read, %read.e ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e.on, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d.on)
  %y = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e.next)
  store volatile <4 x float> %x, ptr addrspace(1) %out
  store volatile <4 x float> %y, ptr addrspace(1) %out
  ret void
}
