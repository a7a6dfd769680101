; An accumulator that was read goes on in other registers where a loop has ended that does not change it. The moves are on
; the way out of the loop, and not in each of its rounds.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; CHECK-LABEL: .entry behind_loop(
; CHECK:         wgmma.mma_async{{.*}} {[[X:%r[0-9]+]],
; CHECK:         st.volatile{{.*}}[[X]]
; CHECK:       [[LOOP:\$L__BB0_[0-9]+]]: // %loop
; CHECK-NOT:     lop3
; CHECK:         wgmma.mma_async
; CHECK-NOT:     lop3
; CHECK:         bra [[LOOP]];
; CHECK:         lop3.b32 {{.*}}, [[X]], 0x6a;
; CHECK:         wgmma.mma_async
; CHECK:         ret;
define ptx_kernel void @behind_loop(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n, i1 %c) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %x = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %read = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %x)
  store volatile <4 x float> %read, ptr addrspace(1) %out
  br i1 %c, label %loop, label %other

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi <4 x float> [ zeroinitializer, %entry ], [ %y.done, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %y.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %y.done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %y.next)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %join

other:
  %loaded = load <4 x float>, ptr addrspace(1) %in
  br label %join

join:
  %z = phi <4 x float> [ %read, %loop ], [ %loaded, %other ]
  %sum = phi <4 x float> [ %y.done, %loop ], [ zeroinitializer, %other ]
  store volatile <4 x float> %sum, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %w = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %z, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %last = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %w)
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}
