; What is computed from a result of wgmma is not moved past the next wgmma, which would need registers of its own; nor is
; the sum of what was, which only the next round needs.
; RUN: llc < %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i1, i32, i32, i1, i1)
declare <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float>)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.tf32.tf32.v4f32(<4 x float>, <4 x i32>, i64, i1, i32, i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; The first product goes on to the next round: MachineSink would add it at the end of this one.
; CHECK-LABEL: .entry promotes(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-COUNT-2: wgmma.{{fence|mma_async}}
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-COUNT-4: fma.rn.f32
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-COUNT-4: fma.rn.f32
; CHECK-NOT:   fma.rn.f32
; CHECK:       bra {{.*}}[[LOOP]];
define ptx_kernel void @promotes(ptr addrspace(1) %out, ptr addrspace(3) %barrier, ptr addrspace(1) %scales, i64 %a, i64 %b, i1 %arrives, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum0 = phi <4 x float> [ zeroinitializer, %entry ], [ %sum0.next, %next ]
  %sum1 = phi <4 x float> [ zeroinitializer, %entry ], [ %sum1.next, %next ]
  %place = getelementptr float, ptr addrspace(1) %scales, i32 %i
  %s = load float, ptr addrspace(1) %place
  %s.one = insertelement <4 x float> poison, float %s, i64 0
  %s.all = shufflevector <4 x float> %s.one, <4 x float> poison, <4 x i32> zeroinitializer
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %first = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %sum0.next = call <4 x float> @llvm.fma.v4f32(<4 x float> %first, <4 x float> %s.all, <4 x float> %sum0)
  br i1 %arrives, label %arrive, label %next

arrive:
  store volatile i32 1, ptr addrspace(3) %barrier
  br label %next

next:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %second = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  %sum1.next = call <4 x float> @llvm.fma.v4f32(<4 x float> %second, <4 x float> %s.all, <4 x float> %sum1)
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %sum = fadd <4 x float> %sum0.next, %sum1.next
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; So is what reads one of two results where paths meet: MachineSink would add it up where the round ends.
; CHECK-LABEL: .entry of_either(
; CHECK-NOT:   add.rn.f32
; CHECK:       // %meet
; CHECK-COUNT-4: add.rn.f32
; CHECK:       wgmma.mma_async
; CHECK-NOT:   add.rn.f32
; CHECK:       // %exit
define ptx_kernel void @of_either(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %negates, i1 %again, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %next ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %acc.next, %next ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %negates, label %negate, label %multiply

negate:
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  br label %meet

multiply:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %meet

meet:
  %first = phi <4 x float> [ %c, %negate ], [ %d, %multiply ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum.next = fadd <4 x float> %first, %sum
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %again, label %multiply.again, label %next

multiply.again:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %first, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %next

next:
  %acc.next = phi <4 x float> [ %e, %multiply.again ], [ %first, %meet ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %acc.next)
  store <4 x float> %sum.next, ptr addrspace(1) %out
  store volatile <4 x float> %result, ptr addrspace(1) %out
  ret void
}

; The sum of a row of weights goes to the next round: MachineSink would compute it at the end of this one, where the weights
; are needed no more.
; CHECK-LABEL: .entry row_sums(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-COUNT-8: mul.rn.f32
; CHECK-COUNT-8: add.rn.f32
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   add.rn.f32
; CHECK:       bra {{.*}}[[LOOP]];
define ptx_kernel void @row_sums(ptr addrspace(1) %out, ptr addrspace(3) %barrier, float %s, i64 %a, i64 %b, i1 %arrives, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %next ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %acc.next, %next ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %scores = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %d)
  %s.one = insertelement <8 x float> poison, float %s, i64 0
  %s.all = shufflevector <8 x float> %s.one, <8 x float> poison, <8 x i32> zeroinitializer
  %weights = fmul <8 x float> %scores, %s.all
  %w0 = extractelement <8 x float> %weights, i32 0
  %w1 = extractelement <8 x float> %weights, i32 1
  %w2 = extractelement <8 x float> %weights, i32 2
  %w3 = extractelement <8 x float> %weights, i32 3
  %w4 = extractelement <8 x float> %weights, i32 4
  %w5 = extractelement <8 x float> %weights, i32 5
  %w6 = extractelement <8 x float> %weights, i32 6
  %w7 = extractelement <8 x float> %weights, i32 7
  %x0 = fadd float %w0, %w1
  %x1 = fadd float %w2, %w3
  %x2 = fadd float %w4, %w5
  %x3 = fadd float %w6, %w7
  %y0 = fadd float %x0, %x1
  %y1 = fadd float %x2, %x3
  %z = fadd float %y0, %y1
  %sum.next = fadd float %sum, %z
  %values = bitcast <8 x float> %weights to <8 x i32>
  %fragment = shufflevector <8 x i32> %values, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %fragment.1 = shufflevector <8 x i32> %values, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.tf32.tf32.v4f32(<4 x float> %acc, <4 x i32> %fragment, i64 %b, i1 true, i32 1, i32 1)
  %e.1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.tf32.tf32.v4f32(<4 x float> %e, <4 x i32> %fragment.1, i64 %b, i1 true, i32 1, i32 1)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %acc.next = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e.1)
  br i1 %arrives, label %arrive, label %next

arrive:
  store volatile i32 1, ptr addrspace(3) %barrier
  br label %next

next:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %acc.next, ptr addrspace(1) %out
  store volatile float %sum.next, ptr addrspace(1) %out
  ret void
}

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
