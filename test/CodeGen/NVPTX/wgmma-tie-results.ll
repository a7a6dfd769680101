; InstCombine does not compute ahead of a wait for all what a program computes of results behind it, where these meet a
; constant that it would fold with.
; RUN: opt -S -passes=instcombine -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %s | FileCheck %s
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %s | llc -mcpu=sm_90a -mattr=+ptx82 -o %t.ptx -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32>, i64, i64, i1, i1)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare float @llvm.nvvm.wgmma.fence_operand.f32(float)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; The pipeline of one group goes on.
;
; CHECK-LABEL: define ptx_kernel void @int_to_float(
; CHECK:       loop:
; CHECK-NOT:     sitofp
; CHECK:       end:
; CHECK:         [[SUM:%.*]] = phi <4 x i32>
; CHECK:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NEXT:    [[TIED:%.*]] = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> [[SUM]])
; CHECK-NEXT:    sitofp <4 x i32> [[TIED]] to <4 x float>
;
; PTX-LABEL: .entry int_to_float(
; PTX:         wgmma.wait_group.sync.aligned 1;
; PTX-NOT:     cvt
; PTX:         wgmma.wait_group.sync.aligned 0;
; PTX-NOT:     wgmma.wait_group
; PTX-COUNT-4: cvt.rn.f32.s32
define ptx_kernel void @int_to_float(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %sum, i64 %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  %result = phi <4 x i32> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = sitofp <4 x i32> %result to <4 x float>
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; By elements, as assembly has them, and under a condition.
;
; CHECK-LABEL: define ptx_kernel void @elements(
; CHECK:       work:
; CHECK-NOT:     fmul
; CHECK:       end:
; CHECK-COUNT-4: phi float
; CHECK:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-COUNT-4: call float @llvm.nvvm.wgmma.fence_operand.f32(
; CHECK-COUNT-4: fmul float
;
; PTX-LABEL: .entry elements(
; PTX:         wgmma.commit_group.sync.aligned;
; PTX-NOT:     mul
; PTX:         wgmma.wait_group.sync.aligned 0;
; PTX-COUNT-4: mul.rn.f32
define ptx_kernel void @elements(ptr addrspace(1) %out, ptr addrspace(1) %other, i64 %a, i64 %b, i1 %works) {
entry:
  br i1 %works, label %work, label %end

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  br label %end

end:
  %e0 = phi float [ 0.0, %entry ], [ %d0, %work ]
  %e1 = phi float [ 0.0, %entry ], [ %d1, %work ]
  %e2 = phi float [ 0.0, %entry ], [ %d2, %work ]
  %e3 = phi float [ 0.0, %entry ], [ %d3, %work ]
  store volatile i32 1, ptr addrspace(1) %other
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f0 = fmul float %e0, 0.5
  %f1 = fmul float %e1, 0.5
  %f2 = fmul float %e2, 0.5
  %f3 = fmul float %e3, 0.5
  %v0 = insertelement <4 x float> poison, float %f0, i32 0
  %v1 = insertelement <4 x float> %v0, float %f1, i32 1
  %v2 = insertelement <4 x float> %v1, float %f2, i32 2
  %v3 = insertelement <4 x float> %v2, float %f3, i32 3
  store <4 x float> %v3, ptr addrspace(1) %out
  ret void
}

; What a program has tied itself, what is no result, and what is read ahead of the wait stay as they are.
;
; CHECK-LABEL: define ptx_kernel void @others(
; CHECK:       end:
; CHECK:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NEXT:    call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
; CHECK-NOT:     fence_operand
; CHECK:         ret void
define ptx_kernel void @others(ptr addrspace(1) %out, i64 %a, i64 %b, float %x, i1 %works) {
entry:
  br i1 %works, label %work, label %end

work:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %end

end:
  %e = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %work ]
  %y = phi float [ 1.0, %entry ], [ %x, %work ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %tied = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  %z = fadd float %y, %x
  store <4 x float> %tied, ptr addrspace(1) %out
  store volatile float %z, ptr addrspace(1) %out
  ret void
}

; What goes round is read behind a wait on a condition: products that are added up after every fourth step. It is tied
; there, lest what reads it is speculated.
;
; CHECK-LABEL: define ptx_kernel void @promoted(
; CHECK:       add:
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-DAG:     [[TIED0:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d0)
; CHECK-DAG:     [[TIED1:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d1)
; CHECK-DAG:     fadd float {{.*}}[[TIED0]]
; CHECK-DAG:     fadd float {{.*}}[[TIED1]]
; CHECK:       more:
; CHECK-DAG:     phi float [ %d0, %loop ], [ [[TIED0]], %add ]
; CHECK-DAG:     phi float [ %d1, %loop ], [ [[TIED1]], %add ]
; CHECK:       end:
;
; PTX-LABEL: .entry promoted(
; PTX:         wgmma.commit_group.sync.aligned;
; PTX-NOT:     wgmma.wait_group
; PTX:         bra
; PTX:         wgmma.wait_group.sync.aligned 0;
; PTX:         add.rn.f32
define ptx_kernel void @promoted(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %c = phi i32 [ 0, %entry ], [ %c.next, %more ]
  %p0 = phi float [ poison, %entry ], [ %d0, %more ]
  %p1 = phi float [ poison, %entry ], [ %d1, %more ]
  %p2 = phi float [ poison, %entry ], [ %d2, %more ]
  %p3 = phi float [ poison, %entry ], [ %d3, %more ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %more ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %more ]
  %v0 = insertelement <4 x float> poison, float %p0, i32 0
  %v1 = insertelement <4 x float> %v0, float %p1, i32 1
  %v2 = insertelement <4 x float> %v1, float %p2, i32 2
  %v3 = insertelement <4 x float> %v2, float %p3, i32 3
  %adds = icmp ne i32 %c, 0
  %i64 = zext i32 %i to i64
  %a.i = add i64 %a, %i64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v3, i64 %a.i, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %c1 = add i32 %c, 1
  %fourth = icmp eq i32 %c1, 4
  br i1 %fourth, label %add, label %more

add:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %u0 = fadd float %s0, %d0
  %u1 = fadd float %s1, %d1
  br label %more

more:
  %t0 = phi float [ %s0, %loop ], [ %u0, %add ]
  %t1 = phi float [ %s1, %loop ], [ %u1, %add ]
  %c.next = phi i32 [ %c1, %loop ], [ 0, %add ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  %r0 = phi float [ 0.0, %entry ], [ %t0, %more ]
  %r1 = phi float [ 0.0, %entry ], [ %t1, %more ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store float %r0, ptr addrspace(1) %out
  %out1 = getelementptr float, ptr addrspace(1) %out, i64 128
  store float %r1, ptr addrspace(1) %out1
  ret void
}

; What the program ties later in the block of the wait does not stand for what is read ahead of that.
;
; CHECK-LABEL: define ptx_kernel void @tied_later(
; CHECK:       add:
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK:         [[FIRST0:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d0)
; CHECK:         fadd float {{.*}}[[FIRST0]]
; CHECK:         call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT:    %tied0 = call float @llvm.nvvm.wgmma.fence_operand.f32(float [[FIRST0]])
; CHECK-NEXT:    %tied1 = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d1)
; CHECK:       more:
; CHECK-DAG:     phi float [ %d0, %loop ], [ [[FIRST0]], %add ]
; CHECK-DAG:     phi float [ %d1, %loop ], [ %tied1, %add ]
; CHECK:       end:
;
; PTX-LABEL: .entry tied_later(
; PTX:         wgmma.commit_group.sync.aligned;
; PTX-NOT:     wgmma.wait_group
; PTX:         bra
; PTX:         wgmma.wait_group.sync.aligned 0;
; PTX:         add.rn.f32
define ptx_kernel void @tied_later(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.next, %more ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %more ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %more ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %product, i32 0
  %d1 = extractelement <4 x float> %product, i32 1
  %d2 = extractelement <4 x float> %product, i32 2
  %d3 = extractelement <4 x float> %product, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %fourth = icmp eq i32 %i, 4
  br i1 %fourth, label %add, label %more

add:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %u0 = fadd float %s0, %d0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %tied0 = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d0)
  %tied1 = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d1)
  %v0 = fadd float %u0, %tied0
  %v1 = fadd float %s1, %tied1
  br label %more

more:
  %t0 = phi float [ %s0, %loop ], [ %v0, %add ]
  %t1 = phi float [ %s1, %loop ], [ %v1, %add ]
  %e0 = insertelement <4 x float> poison, float %d0, i32 0
  %e1 = insertelement <4 x float> %e0, float %d1, i32 1
  %e2 = insertelement <4 x float> %e1, float %d2, i32 2
  %d.next = insertelement <4 x float> %e2, float %d3, i32 3
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store float %t0, ptr addrspace(1) %out
  %out1 = getelementptr float, ptr addrspace(1) %out, i64 128
  store float %t1, ptr addrspace(1) %out1
  ret void
}

; What goes on as a whole goes on as the elements that are tied, in the same registers.
;
; CHECK-LABEL: define ptx_kernel void @as_a_whole(
; CHECK:       add:
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-DAG:     [[TIED0:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d0)
; CHECK-DAG:     [[TIED3:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float [[D3:%.*]])
; CHECK:       more:
; CHECK-DAG:     [[E0:%.*]] = phi float [ %d0, %loop ], [ [[TIED0]], %add ]
; CHECK-DAG:     [[E3:%.*]] = phi float [ [[D3]], %loop ], [ [[TIED3]], %add ]
; CHECK:         insertelement <4 x float> poison, float [[E0]], i64 0
; CHECK:         [[E:%.*]] = insertelement <4 x float> %{{.*}}, float [[E3]], i64 3
; CHECK:         call <4 x float> @llvm.nvvm.wgmma.mma_async.{{.*}}(<4 x float> [[E]], i64 %b, i64 %a,
;
; PTX-LABEL: .entry as_a_whole(
; PTX:         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [[D:{.*}]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, 1, 0, 0;
; PTX-NOT:     wgmma.wait_group
; PTX:         bra
; PTX:         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [[D]],
define ptx_kernel void @as_a_whole(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %more ]
  %s = phi float [ 0.0, %entry ], [ %t, %more ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %product, i32 0
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %rest = and i32 %i, 3
  %fourth = icmp eq i32 %rest, 2
  br i1 %fourth, label %add, label %more

add:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %u = fadd float %s, %d0
  br label %more

more:
  %t = phi float [ %s, %loop ], [ %u, %add ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %product, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %result, ptr addrspace(1) %out
  %out1 = getelementptr float, ptr addrspace(1) %out, i64 128
  store float %t, ptr addrspace(1) %out1
  ret void
}

; What another wait for all on the way has retired needs no tie.
;
; CHECK-LABEL: define ptx_kernel void @retired_before(
; CHECK:       add:
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NOT:     fence_operand
; CHECK:       end:
define ptx_kernel void @retired_before(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %c = phi i32 [ 0, %entry ], [ %c.next, %more ]
  %p0 = phi float [ poison, %entry ], [ %d0, %more ]
  %p1 = phi float [ poison, %entry ], [ %d1, %more ]
  %p2 = phi float [ poison, %entry ], [ %d2, %more ]
  %p3 = phi float [ poison, %entry ], [ %d3, %more ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %more ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %more ]
  %v0 = insertelement <4 x float> poison, float %p0, i32 0
  %v1 = insertelement <4 x float> %v0, float %p1, i32 1
  %v2 = insertelement <4 x float> %v1, float %p2, i32 2
  %v3 = insertelement <4 x float> %v2, float %p3, i32 3
  %adds = icmp ne i32 %c, 0
  %i64 = zext i32 %i to i64
  %a.i = add i64 %a, %i64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v3, i64 %a.i, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %retire

retire:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c1 = add i32 %c, 1
  %fourth = icmp eq i32 %c1, 4
  br i1 %fourth, label %add, label %more

add:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %u0 = fadd float %s0, %d0
  %u1 = fadd float %s1, %d1
  br label %more

more:
  %t0 = phi float [ %s0, %retire ], [ %u0, %add ]
  %t1 = phi float [ %s1, %retire ], [ %u1, %add ]
  %c.next = phi i32 [ %c1, %retire ], [ 0, %add ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  %r0 = phi float [ 0.0, %entry ], [ %t0, %more ]
  %r1 = phi float [ 0.0, %entry ], [ %t1, %more ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store float %r0, ptr addrspace(1) %out
  %out1 = getelementptr float, ptr addrspace(1) %out, i64 128
  store float %r1, ptr addrspace(1) %out1
  ret void
}

; Of the result of one of two wgmma one element is read: all go on tied.
; CHECK-LABEL: define ptx_kernel void @one_of_two(
; CHECK:       add:
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-DAG:     [[TIED0:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d0)
; CHECK-DAG:     [[TIED1:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d1)
; CHECK-DAG:     [[TIED2:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d2)
; CHECK-DAG:     [[TIED3:%.*]] = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d3)
; CHECK-DAG:     fadd float {{.*}}[[TIED0]]
; CHECK:       more:
; CHECK-DAG:     phi float [ %d0, %both ], [ [[TIED0]], %add ]
; CHECK-DAG:     phi float [ %d1, %both ], [ [[TIED1]], %add ]
; CHECK-DAG:     phi float [ %d2, %both ], [ [[TIED2]], %add ]
; CHECK-DAG:     phi float [ %d3, %both ], [ [[TIED3]], %add ]
; CHECK:       end:
;
; PTX-LABEL: .entry one_of_two(
; PTX:         wgmma.commit_group.sync.aligned;
; PTX-NOT:     wgmma.wait_group
; PTX:         bra
; PTX:         wgmma.wait_group.sync.aligned 0;
; PTX:         add.rn.f32
; PTX:         wgmma.wait_group.sync.aligned 0;
; PTX-NOT:     wgmma.wait_group
define ptx_kernel void @one_of_two(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i32 %m) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %c = phi i32 [ 0, %entry ], [ %c.next, %more ]
  %p0 = phi float [ 0.0, %entry ], [ %d0, %more ]
  %p1 = phi float [ 0.0, %entry ], [ %d1, %more ]
  %p2 = phi float [ 0.0, %entry ], [ %d2, %more ]
  %p3 = phi float [ 0.0, %entry ], [ %d3, %more ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %more ]
  %v0 = insertelement <4 x float> poison, float %p0, i32 0
  %v1 = insertelement <4 x float> %v0, float %p1, i32 1
  %v2 = insertelement <4 x float> %v1, float %p2, i32 2
  %v3 = insertelement <4 x float> %v2, float %p3, i32 3
  %adds = icmp ne i32 %c, 0
  %i64 = zext i32 %i to i64
  %a.i = add i64 %a, %i64
  %and = and i32 %i, %m
  %is.first = icmp eq i32 %and, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %is.first, label %first, label %second

first:
  %x = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v3, i64 %a.i, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  %x0 = extractelement <4 x float> %x, i32 0
  %x1 = extractelement <4 x float> %x, i32 1
  %x2 = extractelement <4 x float> %x, i32 2
  %x3 = extractelement <4 x float> %x, i32 3
  br label %both

second:
  %y = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v3, i64 %b, i64 %a.i, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  %y0 = extractelement <4 x float> %y, i32 0
  %y1 = extractelement <4 x float> %y, i32 1
  %y2 = extractelement <4 x float> %y, i32 2
  %y3 = extractelement <4 x float> %y, i32 3
  br label %both

both:
  %d0 = phi float [ %x0, %first ], [ %y0, %second ]
  %d1 = phi float [ %x1, %first ], [ %y1, %second ]
  %d2 = phi float [ %x2, %first ], [ %y2, %second ]
  %d3 = phi float [ %x3, %first ], [ %y3, %second ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %c1 = add i32 %c, 1
  %fourth = icmp eq i32 %c1, 4
  br i1 %fourth, label %add, label %more

add:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %u0 = fadd float %s0, %d0
  br label %more

more:
  %t0 = phi float [ %s0, %both ], [ %u0, %add ]
  %c.next = phi i32 [ %c1, %both ], [ 0, %add ]
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store float %t0, ptr addrspace(1) %out
  %out1 = getelementptr float, ptr addrspace(1) %out, i64 128
  store float %d1, ptr addrspace(1) %out1
  ret void
}
