; Loops with wgmma whose rounds take turns at the parts of a local array are unrolled by
; as many rounds as there are turns, whatever number of rounds they have.
; See NVPTXUnrollAlternatingLoops.cpp.
; RUN: opt -S -passes='loop(nvptx-unroll-alternating-loops)' -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-loop-info -verify-dom-info -verify-loop-lcssa -verify-scev %s | FileCheck %s
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; A target without wgmma does not have the pass in its pipeline.
; RUN: opt -S -O2 -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx80 %s | FileCheck %s --check-prefix=OTHER

declare <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; By the counter's lowest bit.
; CHECK-LABEL: @bit(
; OTHER-LABEL: @bit(
; OTHER:         alloca
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @bit(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @bit(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; By what is left over of it: nothing knows that three
; divides a counter that goes by three.
; CHECK-LABEL: @remainder(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @remainder(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @remainder(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = urem i32 %k, 3
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Without it being known that the counter does not wrap, what is left over does not take
; turns: 2^32 is no multiple of three. The array stays.
; CHECK-LABEL: @wraps(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @wraps(
; OPT:           alloca
; OPT:           urem
; OPT:           ret void
define ptx_kernel void @wraps(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = urem i32 %k, 3
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %last = load volatile i32, ptr %q
  %done = icmp eq i32 %last, 0
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; A flag, and a counter that starts again.
; CHECK-LABEL: @flag(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @flag(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @flag(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %turn.next = xor i32 %turn, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; What is the same for some rounds, and then another, is no turn.
; CHECK-LABEL: @flag_beside(
; CHECK:         %late = phi i32 [ 5, %entry ]
; CHECK:         store volatile i32 %late, ptr %q
; CHECK:         ret void
define ptx_kernel void @flag_beside(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %late = phi i32 [ 5, %entry ], [ %late.next, %loop ]
  %is.early = icmp ult i32 %k, 8
  %late.next = select i1 %is.early, i32 5, i32 7
  store volatile i32 %late, ptr %q
  %turn.next = xor i32 %turn, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @again(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @again(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @again(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = phi i32 [ 1, %entry ], [ %turn.next, %loop ]
  %turn.up = add i32 %turn, 1
  %is.last = icmp eq i32 %turn.up, 3
  %turn.next = select i1 %is.last, i32 0, i32 %turn.up
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Pointers that change places.
; CHECK-LABEL: @pointers(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @pointers(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @pointers(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  %second = getelementptr i8, ptr %f, i32 16
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %now = phi ptr [ %f, %entry ], [ %then, %loop ]
  %then = phi ptr [ %second, %entry ], [ %now, %loop ]
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Two and three turns are six.
; CHECK-LABEL: @both(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @both(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @both(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %bit = and i32 %k, 1
  %rest = urem i32 %k, 3
  %other = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %rest
  store <4 x i32> zeroinitializer, ptr %other
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %bit
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Asked for four rounds in one, it has four, and is not unrolled once more. Asked for
; three, it has six.
; CHECK-LABEL: @asked(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         br i1 %{{.*}}, label %exit, label %loop, !llvm.loop [[UNROLLED:![0-9]+]]
; CHECK:         ret void
; OPT-LABEL: @asked(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @asked(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @asked_odd(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
; OPT-LABEL: @asked_odd(
; OPT-NOT:       alloca
; OPT:           ret void
define ptx_kernel void @asked_odd(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !2

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Left alone: with a number of rounds that is no more than that of the turns, or that is
; known and asked to be unrolled as a whole,
; CHECK-LABEL: @few(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @few(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, 2
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @whole(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @whole(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, 16
  br i1 %done, label %exit, label %loop, !llvm.loop !4

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @few_at_most(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @few_at_most(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  %bit = and i32 %n, 1
  %most = add nuw nsw i32 %bit, 1
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %most
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; what does not want to be unrolled,
; CHECK-LABEL: @disabled(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @disabled(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !6

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; more turns than eight, or none, or a start that is not known.
; CHECK-LABEL: @many(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @many(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [16 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 256, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 15
  %now = getelementptr [16 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @counts(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @counts(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %k
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @start(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @start(ptr %p, ptr %q, i64 %b, i32 %n, i32 %m) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ %m, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; A branch that takes turns decides what is multiplied.
; CHECK-LABEL: @branch(
; CHECK-COUNT-4: call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @branch(ptr %p, ptr %q, i64 %b, i32 %n, <4 x i32> %a) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %next ]
  %bit = and i32 %k, 1
  %odd = icmp eq i32 %bit, 1
  br i1 %odd, label %one, label %other

one:
  %d.one = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  br label %next

other:
  %d.other = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 0, i1 true, i32 1, i32 1, i1 false)
  br label %next

next:
  %d.next = phi <8 x float> [ %d.one, %one ], [ %d.other, %other ]
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; It decides something else: left alone.
; CHECK-LABEL: @branch_aside(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @branch_aside(ptr %p, ptr %q, i64 %b, i32 %n, <4 x i32> %a) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %next ]
  %bit = and i32 %k, 1
  %odd = icmp eq i32 %bit, 1
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  br i1 %odd, label %one, label %next

one:
  store volatile i32 0, ptr %p
  br label %next

next:
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; A choice of two accumulators, and of something else.
; CHECK-LABEL: @choice(
; CHECK-COUNT-2: call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @choice(ptr %p, ptr %q, i64 %b, i32 %n, <4 x i32> %a) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %next ]
  %bit = and i32 %k, 1
  %odd = icmp eq i32 %bit, 1
  br label %next

next:
  %c = select i1 %odd, <8 x float> %d, <8 x float> zeroinitializer
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %c, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK-LABEL: @choice_aside(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @choice_aside(ptr %p, ptr %q, i64 %b, i32 %n, <4 x i32> %a) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %next ]
  %bit = and i32 %k, 1
  %odd = icmp eq i32 %bit, 1
  br label %next

next:
  %number = select i1 %odd, i32 1, i32 2
  store volatile i32 %number, ptr %p
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Nor is a descriptor a register that wgmma keeps.
; CHECK-LABEL: @descriptor_choice(
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @descriptor_choice(ptr %p, ptr %q, i64 %b, i32 %n, <4 x i32> %a) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %next ]
  %bit = and i32 %k, 1
  %odd = icmp eq i32 %bit, 1
  br label %next

next:
  %number = select i1 %odd, i64 %b, i64 0
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %a, i64 %number, i1 true, i32 1, i32 1, i1 false)
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; Without wgmma.
; CHECK-LABEL: @without(
; CHECK:         load <4 x i32>, ptr %now
; CHECK-NOT:     load <4 x i32>, ptr %now
; CHECK:         ret void
define ptx_kernel void @without(ptr %p, ptr %q, i64 %b, i32 %n) {
entry:
  %f = alloca [8 x <4 x i32>]
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %p, i64 128, i1 false)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %turn = and i32 %k, 1
  %now = getelementptr [8 x <4 x i32>], ptr %f, i32 0, i32 %turn
  %a = load <4 x i32>, ptr %now
  %element = extractelement <4 x i32> %a, i32 0
  %converted = uitofp i32 %element to float
  %d.next = insertelement <8 x float> %d, float %converted, i32 0
  %k.next = add nuw nsw i32 %k, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %loaded = load <4 x i32>, ptr %p
  store <4 x i32> %loaded, ptr %now
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store <8 x float> %d.next, ptr %q
  ret void
}

; CHECK: [[UNROLLED]] = distinct !{[[UNROLLED]], {{![0-9]+}}, [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 3}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.enable"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.disable"}
