; What is made of two registers of an accumulator, as SROA does of what is stored by
; pairs, is taken apart: a loop carries the registers round, and they are read
; behind the wait.
;
; RUN: opt -S -passes=nvptx-merge-halves -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: define ptx_kernel void @carried(
; CHECK:       loop:
; CHECK:         [[LO:%.*]] = phi i32 [ 5, %entry ], [ [[D2:%.*]], %loop ]
; CHECK-NEXT:    [[HI:%.*]] = phi i32 [ 9, %entry ], [ [[D3:%.*]], %loop ]
; CHECK-NOT:     i64 %pair
; CHECK:         insertelement <4 x i32> %c1, i32 [[LO]], i64 2
; CHECK-NEXT:    insertelement <4 x i32> {{.*}}, i32 [[HI]], i64 3
; CHECK:         [[D:%.*]] = call <4 x i32> @llvm.nvvm.wgmma.mma_async
; CHECK-DAG:     [[D2]] = extractelement <4 x i32> [[D]], i64 2
; CHECK-DAG:     [[D3]] = extractelement <4 x i32> [[D]], i64 3
; CHECK:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
; CHECK:       exit:
; CHECK:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NEXT:    [[READ2:%.*]] = call i32 @llvm.nvvm.wgmma.fence_operand.i32(i32 [[D2]])
; CHECK-NEXT:    [[READ3:%.*]] = call i32 @llvm.nvvm.wgmma.fence_operand.i32(i32 [[D3]])
; CHECK:         [[WIDE3:%.*]] = zext i32 [[READ3]] to i64
; CHECK-NEXT:    [[UPPER:%.*]] = shl i64 [[WIDE3]], 32
; CHECK-NEXT:    [[WIDE2:%.*]] = zext i32 [[READ2]] to i64
; CHECK-NEXT:    [[BOTH:%.*]] = or i64 [[WIDE2]], [[UPPER]]
; CHECK-NEXT:    store i64 [[BOTH]],
define ptx_kernel void @carried(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %e0 = phi i32 [ 0, %entry ], [ %d0, %loop ]
  %e1 = phi i32 [ 0, %entry ], [ %d1, %loop ]
  %pair = phi i64 [ 38654705669, %entry ], [ %d.pair, %loop ]
  %lo = trunc i64 %pair to i32
  %upper = lshr i64 %pair, 32
  %hi = trunc i64 %upper to i32
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c0 = insertelement <4 x i32> poison, i32 %e0, i64 0
  %c1 = insertelement <4 x i32> %c0, i32 %e1, i64 1
  %c2 = insertelement <4 x i32> %c1, i32 %lo, i64 2
  %c3 = insertelement <4 x i32> %c2, i32 %hi, i64 3
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> %c3, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x i32> %d, i64 0
  %d1 = extractelement <4 x i32> %d, i64 1
  %d.pairs = bitcast <4 x i32> %d to <2 x i64>
  %d.pair = extractelement <2 x i64> %d.pairs, i64 1
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store i32 %d0, ptr addrspace(1) %out
  %out1 = getelementptr i8, ptr addrspace(1) %out, i64 4
  store i32 %d1, ptr addrspace(1) %out1
  %out2 = getelementptr i8, ptr addrspace(1) %out, i64 8
  store i64 %d.pair, ptr addrspace(1) %out2
  ret void
}

; Nothing is known of pairs that have nothing to do with accumulators: they stay.
;
; CHECK-LABEL: define ptx_kernel void @other(
; CHECK:         %pair = phi i64
define ptx_kernel void @other(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr addrspace(1) %out
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %pair = phi i64 [ %a, %entry ], [ %sum, %loop ]
  %sum = add i64 %pair, %b
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  store i64 %sum, ptr addrspace(1) %out
  ret void
}

; One block may come to a phi twice, with one value; and what needs a register may
; come ahead of where the program takes it.
;
; CHECK-LABEL: define ptx_kernel void @twice(
; CHECK:         [[D:%.*]] = call <4 x i32> @llvm.nvvm.wgmma.mma_async
; CHECK:         [[D2:%.*]] = extractelement <4 x i32> [[D]], i64 2
; CHECK:         store volatile i32 [[D2]],
; CHECK-NOT:     extractelement
; CHECK:         [[LO:%.*]] = trunc i64 %start to i32
; CHECK-NOT:     trunc i64 %start
; CHECK:       join:
; CHECK-NEXT:    phi i32 [ [[LO]], %entry ], [ [[LO]], %entry ], [ [[D2]], %other ]
define ptx_kernel void @twice(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %start, i32 %n) {
entry:
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.pairs = bitcast <4 x i32> %d to <2 x i64>
  %d.pair = extractelement <2 x i64> %d.pairs, i64 1
  %early = trunc i64 %d.pair to i32
  store volatile i32 %early, ptr addrspace(1) %out
  %d2 = extractelement <4 x i32> %d, i64 2
  store volatile i32 %d2, ptr addrspace(1) %out
  switch i32 %n, label %other [ i32 0, label %join
                                i32 1, label %join ]

other:
  br label %join

join:
  %pair = phi i64 [ %start, %entry ], [ %start, %entry ], [ %d.pair, %other ]
  store i64 %pair, ptr addrspace(1) %out
  ret void
}

; What is put together in flight to be taken apart again is neither.
;
; CHECK-LABEL: define ptx_kernel void @taken_apart(
; CHECK-NOT:     i64 %pair
; CHECK:         [[D0:%.*]] = extractelement <4 x i32> %d, i64 0
; CHECK:         [[D1:%.*]] = extractelement <4 x i32> %d, i64 1
; CHECK:       other:
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NEXT:    store i32 [[D0]],
; CHECK:         store i32 [[D1]],
; CHECK:       exit:
define ptx_kernel void @taken_apart(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %flag) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d0 = extractelement <4 x i32> %d, i64 0
  %d1 = extractelement <4 x i32> %d, i64 1
  %wide0 = zext i32 %d0 to i64
  %wide1 = zext i32 %d1 to i64
  %upper = shl nuw i64 %wide1, 32
  %pair = or disjoint i64 %upper, %wide0
  br i1 %flag, label %other, label %exit

other:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %lo = trunc i64 %pair to i32
  %shifted = lshr i64 %pair, 32
  %hi = trunc i64 %shifted to i32
  store i32 %lo, ptr addrspace(1) %out
  %out1 = getelementptr i8, ptr addrspace(1) %out, i64 4
  store i32 %hi, ptr addrspace(1) %out1
  ret void

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}
