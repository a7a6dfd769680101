; A flag that tells what earlier rounds have left in flight: the loop gets a copy
; for each of its values, and a round that changes it goes on in the other one.
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
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Only some rounds multiply. The first of them waits for nothing.
;
; IR-LABEL: define ptx_kernel void @some_rounds(
; IR:       round:
; IR:         br i1 %wanted, label %work, label %latch.split
; IR:       work:
; IR-NOT:     wait_group
; IR:         mma_async
; IR:         br i1 %again, label %[[TO_COPY:[a-z._]+]], label %[[END:[a-z.]+]]
; IR:       [[TO_COPY]]:
; IR-NEXT:    br label %round.flag
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %latch.flag
; IR:       work.flag:
; IR-NEXT:    call {{.*}}wait_group
; IR:       latch.flag:
; IR:         br i1 %again.flag, label %[[NEXT:[a-z._]+]], label %end
; IR:       [[NEXT]]:
; IR-NEXT:    br label %round.flag
; IR:       latch.split:
; IR-NOT:     wait_group
; IR:         br label %round
;
; CHECK-LABEL: .entry some_rounds(
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:    wgmma.fence.sync.aligned;
; CHECK-NEXT:    wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         ret;
define ptx_kernel void @some_rounds(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
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
  %in_flight.next = phi i1 [ true, %go ], [ %in_flight, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
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

; Each round multiplies, or uses what is in flight: from either copy rounds go on in
; the other one.
;
; IR-LABEL: define ptx_kernel void @both_ways(
; IR:       round:
; IR:         br i1 %wanted, label %work, label %
; IR:       work:
; IR-NOT:     wait_group
; IR:         br i1 %again, label %[[TO_COPY:[a-z._]+]], label
; IR:       [[TO_COPY]]:
; IR-NEXT:    br label %round.flag
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %
; IR:       work.flag:
; IR-NEXT:    call {{.*}}wait_group
; IR:         br i1 %again.flag, label %[[NEXT:[a-z._]+]], label
; IR:       [[NEXT]]:
; IR-NEXT:    br label %round.flag
;
; CHECK-LABEL: .entry both_ways(
; CHECK:         ret;
define ptx_kernel void @both_ways(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in_flight = phi i1 [ false, %entry ], [ %in_flight.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %use

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

use:
  br i1 %in_flight, label %drain, label %used

drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %sum, ptr addrspace(1) %out
  br label %used

used:
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %go ], [ %sum, %used ]
  %in_flight.next = phi i1 [ true, %go ], [ false, %used ]
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

; The same with a loop in between, which all leave by its only exit.
;
; IR-LABEL: define ptx_kernel void @use_in_loop(
; IR:       round:
; IR:         br i1 %wanted, label %work, label %
; IR:       work:
; IR-NOT:     wait_group
; IR:         br i1 %again, label %[[TO_COPY:[a-z._]+]], label
; IR:       [[TO_COPY]]:
; IR-NEXT:    br label %round.flag
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %
; IR:       work.flag:
; IR-NEXT:    call {{.*}}wait_group
; IR:         br i1 %again.flag, label %[[NEXT:[a-z._]+]], label
; IR:       [[NEXT]]:
; IR-NEXT:    br label %round.flag
;
; CHECK-LABEL: .entry use_in_loop(
; CHECK:         ret;
define ptx_kernel void @use_in_loop(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in_flight = phi i1 [ false, %entry ], [ %in_flight.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %use

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

use:
  br i1 %in_flight, label %drain, label %used

drain:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %sum, ptr addrspace(1) %out
  br label %used

used:
  %k = phi i32 [ 0, %use ], [ 0, %drain ], [ %k.next, %used ]
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %k
  store volatile i32 %k, ptr addrspace(1) %at
  %k.next = add nuw nsw i32 %k, 1
  %k.again = icmp slt i32 %k.next, %entry.i
  br i1 %k.again, label %used, label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %go ], [ %sum, %used ]
  %in_flight.next = phi i1 [ true, %go ], [ false, %used ]
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

; A flag in other words.
;
; IR-LABEL: define ptx_kernel void @or(
; IR:       round.flag:
; IR:       work.flag:
; IR-NEXT:    call {{.*}}wait_group
;
; CHECK-LABEL: .entry or(
; CHECK:         ret;
define ptx_kernel void @or(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
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
  store volatile i32 %i, ptr addrspace(1) %out
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

; What comes after a wait for all needs no copy.
;
; IR-LABEL: define ptx_kernel void @waited_for(
; IR-NOT:     .flag
; IR:         ret void
;
; CHECK-LABEL: .entry waited_for(
; CHECK:         ret;
define ptx_kernel void @waited_for(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
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
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

