; The elements of an accumulator in flight are phis of their own, as SROA and inline assembly make them: to pass them on
; is not to read them.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx --enable-var-scope
; RUN: count 0 < %t.err
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; One loop over tiles and their steps, as Triton flattens them: a tile's last round alone waits for all.
; CHECK-LABEL: .entry flattened(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.
; CHECK:       st.global.v4.b32
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.
; CHECK:       ret;
define ptx_kernel void @flattened(ptr addrspace(1) %out, i32 %rounds, i64 %a, i64 %b, i32 %steps) {
entry:
  br label %loop

loop:
  %round = phi i32 [ 0, %entry ], [ %round.next, %latch ]
  %step = phi i32 [ 0, %entry ], [ %step.next, %latch ]
  %p = phi ptr addrspace(1) [ %out, %entry ], [ %p.next, %latch ]
  %c0 = phi float [ 0.0, %entry ], [ %d0, %latch ]
  %c1 = phi float [ 0.0, %entry ], [ %d1, %latch ]
  %c2 = phi float [ 0.0, %entry ], [ %d2, %latch ]
  %c3 = phi float [ 0.0, %entry ], [ %d3, %latch ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c.0 = insertelement <4 x float> poison, float %c0, i32 0
  %c.1 = insertelement <4 x float> %c.0, float %c1, i32 1
  %c.2 = insertelement <4 x float> %c.1, float %c2, i32 2
  %c = insertelement <4 x float> %c.2, float %c3, i32 3
  %accumulates = icmp ne i32 %step, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 %accumulates, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %is.last = icmp eq i32 %step, %steps
  br i1 %is.last, label %epilogue, label %latch

epilogue:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %done, ptr addrspace(1) %p
  %p.tile = getelementptr i8, ptr addrspace(1) %p, i64 8192
  br label %latch

latch:
  %p.next = phi ptr addrspace(1) [ %p, %loop ], [ %p.tile, %epilogue ]
  %step.plus = add i32 %step, 1
  %step.next = select i1 %is.last, i32 0, i32 %step.plus
  %round.next = add i32 %round, 1
  %more = icmp slt i32 %round.next, %rounds
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; Each of two loops waits where it is left, on an edge of its own.
; CHECK-LABEL: .entry two_loops(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wgmma.
; CHECK:       @%p{{[0-9]+}} bra
; CHECK-NEXT:  // %bb.
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wgmma.
; CHECK:       @%p{{[0-9]+}} bra
; CHECK-NEXT:  // %bb.
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.
; CHECK:       st.global.v4.b32
define ptx_kernel void @two_loops(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i1 %p) {
entry:
  br i1 %p, label %first, label %second

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %c0 = phi float [ 0.0, %entry ], [ %d0, %first ]
  %c1 = phi float [ 0.0, %entry ], [ %d1, %first ]
  %c2 = phi float [ 0.0, %entry ], [ %d2, %first ]
  %c3 = phi float [ 0.0, %entry ], [ %d3, %first ]
  %c.0 = insertelement <4 x float> poison, float %c0, i32 0
  %c.1 = insertelement <4 x float> %c.0, float %c1, i32 1
  %c.2 = insertelement <4 x float> %c.1, float %c2, i32 2
  %c = insertelement <4 x float> %c.2, float %c3, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %first, label %join

second:
  %j = phi i32 [ 0, %entry ], [ %j.next, %second ]
  %e0 = phi float [ 0.0, %entry ], [ %f0, %second ]
  %e1 = phi float [ 0.0, %entry ], [ %f1, %second ]
  %e2 = phi float [ 0.0, %entry ], [ %f2, %second ]
  %e3 = phi float [ 0.0, %entry ], [ %f3, %second ]
  %e.0 = insertelement <4 x float> poison, float %e0, i32 0
  %e.1 = insertelement <4 x float> %e.0, float %e1, i32 1
  %e.2 = insertelement <4 x float> %e.1, float %e2, i32 2
  %e = insertelement <4 x float> %e.2, float %e3, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %f0 = extractelement <4 x float> %f, i32 0
  %f1 = extractelement <4 x float> %f, i32 1
  %f2 = extractelement <4 x float> %f, i32 2
  %f3 = extractelement <4 x float> %f, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %j.next = add i32 %j, 1
  %j.more = icmp slt i32 %j.next, %n
  br i1 %j.more, label %second, label %join

join:
  %g0 = phi float [ %d0, %first ], [ %f0, %second ]
  %g1 = phi float [ %d1, %first ], [ %f1, %second ]
  %g2 = phi float [ %d2, %first ], [ %f2, %second ]
  %g3 = phi float [ %d3, %first ], [ %f3, %second ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g.0 = insertelement <4 x float> poison, float %g0, i32 0
  %g.1 = insertelement <4 x float> %g.0, float %g1, i32 1
  %g.2 = insertelement <4 x float> %g.1, float %g2, i32 2
  %g = insertelement <4 x float> %g.2, float %g3, i32 3
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %g)
  store <4 x float> %done, ptr addrspace(1) %out
  ret void
}

; A flag tells whether there is anything to wait for. A barrier keeps paths from going on by themselves, so that it
; is waited for where they meet; the program does not read in flight.
; CHECK-LABEL: .entry flag(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       bar.sync
; CHECK-NOT:   wgmma.
; CHECK:       st.global.v4.b32
define ptx_kernel void @flag(ptr addrspace(1) %out, i1 %p, i64 %a, i64 %b) {
entry:
  br i1 %p, label %issue, label %join

issue:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

join:
  %pending = phi i32 [ 0, %entry ], [ 1, %issue ]
  %g0 = phi float [ 0.0, %entry ], [ %d0, %issue ]
  %g1 = phi float [ 0.0, %entry ], [ %d1, %issue ]
  %g2 = phi float [ 0.0, %entry ], [ %d2, %issue ]
  %g3 = phi float [ 0.0, %entry ], [ %d3, %issue ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t = load volatile i32, ptr addrspace(1) %out
  %is.pending = icmp sgt i32 %pending, 0
  br i1 %is.pending, label %wait, label %read

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %read

read:
  %g.0 = insertelement <4 x float> poison, float %g0, i32 0
  %g.1 = insertelement <4 x float> %g.0, float %g1, i32 1
  %g.2 = insertelement <4 x float> %g.1, float %g2, i32 2
  %g = insertelement <4 x float> %g.2, float %g3, i32 3
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %g)
  store <4 x float> %done, ptr addrspace(1) %out
  ret void
}

; One thread tells others of what is read, behind both waits. Both ways come to the second one, behind what reads the
; scores, which the first one has waited for: it stays there.
; CHECK-LABEL: .entry scores(
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wgmma.
; CHECK:       st.volatile.global.b32 {{.*}}, 1;
; CHECK-NOT:   wgmma.
; CHECK:       st.volatile.global.v4.b32
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.
; CHECK:       st.volatile.global.b32 {{.*}}, 2;
; CHECK-NOT:   wgmma.
; CHECK:       ret;
define ptx_kernel void @scores(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i32 %thread) {
entry:
  %is.first = icmp eq i32 %thread, 0
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %o = phi <4 x float> [ zeroinitializer, %entry ], [ %o.next, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %s = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %s0 = extractelement <4 x float> %s, i32 0
  %s1 = extractelement <4 x float> %s, i32 1
  %s2 = extractelement <4 x float> %s, i32 2
  %s3 = extractelement <4 x float> %s, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %o.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %o, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br i1 %is.first, label %tell.scores, label %softmax

tell.scores:
  store volatile i32 1, ptr addrspace(1) %out
  br label %softmax

softmax:
  %v0 = insertelement <4 x float> poison, float %s0, i32 0
  %v1 = insertelement <4 x float> %v0, float %s1, i32 1
  %v2 = insertelement <4 x float> %v1, float %s2, i32 2
  %v3 = insertelement <4 x float> %v2, float %s3, i32 3
  store volatile <4 x float> %v3, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br i1 %is.first, label %tell.values, label %latch

tell.values:
  store volatile i32 2, ptr addrspace(1) %out
  br label %latch

latch:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  br i1 %is.first, label %tell.end, label %end

tell.end:
  store volatile i32 3, ptr addrspace(1) %out
  br label %end

end:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %o.next, ptr addrspace(1) %out
  ret void
}
