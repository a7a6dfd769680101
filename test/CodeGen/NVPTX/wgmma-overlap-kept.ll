; Loops and branches in which no wait need be added: ptxas sees that nothing accesses an accumulator in flight. All waits are the
; program's own, and nobody is warned.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; In every fourth round all are waited for, and the sums are scaled: what the others leave in flight is what that wait retires.
; CHECK-LABEL: .entry rescale(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       mul
; CHECK-NOT:   wgmma.commit_group
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @rescale(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %rest = and i32 %i, 3
  %is_fourth = icmp eq i32 %rest, 3
  br i1 %is_fourth, label %scale, label %latch

scale:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %half = fmul <4 x float> %f, splat (float 5.0e-1)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %latch

latch:
  %e = phi <4 x float> [ %half, %scale ], [ %d, %loop ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; Zeros are written ahead of a switch whose cases fall through: where two of its paths part, others meet theirs later, but the wait for
; nothing may come where the zeros are.
; CHECK-LABEL: .entry fall_through(
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @fall_through(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %zeros = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> zeroinitializer)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  switch i32 %n, label %end [
    i32 3, label %three
    i32 2, label %two
    i32 1, label %one
  ]

three:
  %d3 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %zeros, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %two

two:
  %c2 = phi <4 x float> [ %zeros, %entry ], [ %d3, %three ]
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c2, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %one

one:
  %c1 = phi <4 x float> [ %zeros, %entry ], [ %d2, %two ]
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c1, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %end

end:
  %d = phi <4 x float> [ %zeros, %entry ], [ %d1, %one ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; One loop over all steps of all tiles: the last step of a tile waits for all and stores, the others leave one in flight.
; CHECK-LABEL: .entry flat(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       st.global
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @flat(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %total, i32 %steps) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %k = phi i32 [ 0, %entry ], [ %k.latch, %latch ]
  %tile = phi i32 [ 0, %entry ], [ %tile.latch, %latch ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  %adds = icmp ne i32 %k, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %k.next = add nuw nsw i32 %k, 1
  %is_last = icmp eq i32 %k.next, %steps
  br i1 %is_last, label %store, label %latch

store:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %place = getelementptr <4 x float>, ptr addrspace(1) %out, i32 %tile
  store <4 x float> %f, ptr addrspace(1) %place
  %tile.next = add i32 %tile, 1
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  br label %latch

latch:
  %k.latch = phi i32 [ 0, %store ], [ %k.next, %loop ]
  %tile.latch = phi i32 [ %tile.next, %store ], [ %tile, %loop ]
  %e = phi <4 x float> [ %g, %store ], [ %d, %loop ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %total
  br i1 %again, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}
