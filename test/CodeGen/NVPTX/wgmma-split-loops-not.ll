; Loops with a flag that get no copy for each of its values. Each reads what may be
; in flight for all that the graph tells.
;
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-split-wgmma-paths | FileCheck %s --check-prefix=IR

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Some threads alone may set it: what all have to execute together must not be copied.
;
; IR-LABEL: define ptx_kernel void @some_threads(
; IR-NOT:     .flag
; IR:         ret void
define ptx_kernel void @some_threads(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in_flight = phi i1 [ false, %entry ], [ %in_flight.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %skip

work:
  br i1 %in_flight, label %wait, label %go

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %go

go:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

skip:
  %some = icmp slt i32 %entry.i, %tid
  br i1 %some, label %set, label %latch

set:
  store volatile i32 %tid, ptr addrspace(1) %out
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %go ], [ %sum, %skip ], [ %sum, %set ]
  %in_flight.next = phi i1 [ true, %go ], [ %in_flight, %skip ], [ true, %set ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  br i1 %in_flight.next, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; Nor what must not be copied at all.
;
; IR-LABEL: define ptx_kernel void @no_duplicate(
; IR-NOT:     .flag
; IR:         ret void
define ptx_kernel void @no_duplicate(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in_flight = phi i1 [ false, %entry ], [ %in_flight.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  br i1 %in_flight, label %wait, label %go

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %go

go:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %go ], [ %sum, %round ]
  %in_flight.next = or i1 %in_flight, %wanted
  call void asm sideeffect "// $0", "r"(i32 %i) noduplicate
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  br i1 %in_flight.next, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; A flag that decides about no step.
;
; IR-LABEL: define ptx_kernel void @no_step(
; IR-NOT:     .flag
; IR:         ret void
define ptx_kernel void @no_step(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in_flight = phi i1 [ false, %entry ], [ %in_flight.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %in_flight.next = or i1 %in_flight, %wanted
  %kept = select i1 %in_flight, i32 %i, i32 %n
  store volatile i32 %kept, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %other = icmp sgt i32 %n, 4
  br i1 %other, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; A flag, with all reads behind a wait for all: a trap on the way needs none.
;
; IR-LABEL: define ptx_kernel void @traps(
; IR-NOT:     .flag
; IR:         ret void
define ptx_kernel void @traps(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in_flight = phi i1 [ false, %entry ], [ %in_flight.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %bad = icmp slt i32 %entry.i, -9
  br i1 %bad, label %trap, label %look

trap:
  call void @llvm.trap()
  unreachable

look:
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  br i1 %in_flight, label %wait, label %go

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %go

go:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %go ], [ %sum, %look ]
  %in_flight.next = phi i1 [ true, %go ], [ %in_flight, %look ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

declare void @llvm.trap()
