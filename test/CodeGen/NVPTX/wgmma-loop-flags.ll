; What loops tell by whether a wgmma is in flight need not be a bit, and may be asked
; for behind the loop alone: the loop gets a copy for each answer all the same.
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

; A bit that is asked for behind the loop. Rounds that multiply nothing write no zeros: these are written on the way out.
;
; IR-LABEL: define ptx_kernel void @behind(
; IR:       round:
; IR-NOT:     phi i1
; IR:         br i1 %wanted, label %work, label %latch.split
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %latch.flag
;
; CHECK-LABEL: .entry behind(
; CHECK:         // %latch.split
; CHECK-NOT:     lop3
; CHECK:         bra.uni
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @behind(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i1 [ false, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i1 [ true, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  br i1 %flag.next, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; An integer that becomes 1.
;
; IR-LABEL: define ptx_kernel void @one(
; IR:       round:
; IR-NOT:     phi i1
; IR:         br i1 %wanted, label %work, label %latch.split
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %latch.flag
;
; CHECK-LABEL: .entry one(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @one(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ 0, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ 1, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp ne i32 %flag.next, 0
  br i1 %in_flight, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; How many there were.
;
; IR-LABEL: define ptx_kernel void @count(
; IR:       round:
; IR-NOT:     phi i1
; IR:         br i1 %wanted, label %work, label %latch.split
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %latch.flag
;
; CHECK-LABEL: .entry count(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @count(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ 0, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  %more = add nsw i32 %flag, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ %more, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp sgt i32 %flag.next, 0
  br i1 %in_flight, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; Which round was the last one that multiplied.
;
; IR-LABEL: define ptx_kernel void @last(
; IR:       round:
; IR-NOT:     phi i1
; IR:         br i1 %wanted, label %work, label %latch.split
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %latch.flag
;
; CHECK-LABEL: .entry last(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @last(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ -1, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ %i, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp sgt i32 %flag.next, -1
  br i1 %in_flight, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; A select may give it.
;
; IR-LABEL: define ptx_kernel void @chosen(
; IR:       round:
; IR-NOT:     phi i1
; IR:         br i1 %wanted, label %work, label %latch.split
; IR:       round.flag:
; IR:         br i1 %wanted.flag, label %work.flag, label %latch.flag
;
; CHECK-LABEL: .entry chosen(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         ret;
define ptx_kernel void @chosen(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ 7, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  %is_large = icmp sgt i32 %entry.i, 9
  %some = select i1 %is_large, i32 2, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ %some, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp ult i32 %flag.next, 7
  br i1 %in_flight, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; Not what is loaded: it may be zero. NVPTXCompleteWGMMAWaits has both ways wait.
;
; IR-LABEL: define ptx_kernel void @unknown(
; IR-NOT:     .flag
; IR:         ret void
;
; CHECK-LABEL: .entry unknown(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         // %end
define ptx_kernel void @unknown(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ 0, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ %entry.i, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp ne i32 %flag.next, 0
  br i1 %in_flight, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; Nor a count that starts below zero: it may come to zero again. The same of it.
;
; IR-LABEL: define ptx_kernel void @below_zero(
; IR-NOT:     .flag
; IR:         ret void
;
; CHECK-LABEL: .entry below_zero(
; CHECK:         wgmma.mma_async
; CHECK-NEXT:    wgmma.commit_group.sync.aligned;
; CHECK-NOT:     wgmma.wait_group
; CHECK:         // %end
define ptx_kernel void @below_zero(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %flag = phi i32 [ -4, %entry ], [ %flag.next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %entry.i = load i32, ptr addrspace(1) %place
  %wanted = icmp sgt i32 %entry.i, 0
  br i1 %wanted, label %work, label %latch

work:
  %more = add nsw i32 %flag, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %d, %work ], [ %sum, %round ]
  %flag.next = phi i32 [ %more, %work ], [ %flag, %round ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  %in_flight = icmp sgt i32 %flag.next, 0
  br i1 %in_flight, label %last, label %return

last:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %return

return:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}
