; A flag tells whether anything is left to wait for: all wait ahead of its branch
; where an accumulator is read behind it, so that the graph has no path with a read
; and no wait. No round waits for its wgmma then, and nothing is told.
;
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-complete-wgmma-waits | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=warning:
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
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
