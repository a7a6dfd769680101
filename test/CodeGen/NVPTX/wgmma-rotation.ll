; Registers of wgmma that change places, or get the next values, while a wgmma is in flight:
; the loop is unrolled. See NVPTXUnrollAlternatingLoops.cpp and NVPTXWGMMARotation.cpp.
; RUN: opt -S -passes='loop(nvptx-unroll-alternating-loops)' -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-loop-info -verify-dom-info -verify-loop-lcssa -verify-scev %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; Once is enough.
; RUN: opt -S -passes='loop(nvptx-unroll-alternating-loops)' -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %t.ll | FileCheck %s

declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float>)
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; The last result is read while the next one is computed. Each way out waits for itself:
; they meet.
; CHECK-LABEL: @last(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:       exit.turn:
; CHECK-NEXT:    phi
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NEXT:    br label %exit
; CHECK:       exit.turn1:
; CHECK-NEXT:    phi
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; CHECK-NEXT:    br label %exit
; CHECK:         ret void
define ptx_kernel void @last(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %read = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %last)
  store <8 x float> %read, ptr %q
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <8 x float> %now, ptr %q
  ret void
}

; Two change places.
; CHECK-LABEL: @swap(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @swap(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  %other = phi <8 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %other, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %read = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %last)
  store <8 x float> %read, ptr %q
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; Two rounds later: three sets.
; CHECK-LABEL: @older(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @older(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  %oldest = phi <8 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 2)
  %read = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %oldest)
  store <8 x float> %read, ptr %q
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; The next fragment is loaded while this one is read.
; CHECK-LABEL: @fragment(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @fragment(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ %first, %entry ], [ %d.next, %loop ]
  %fragment = phi <4 x i32> [ zeroinitializer, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %d, <4 x i32> %fragment, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = load volatile <4 x i32>, ptr %p
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; Left alone: what is retired in the round,
; CHECK-LABEL: @retired(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @retired(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %read = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %last)
  store <8 x float> %read, ptr %q
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; also by a wait that lets one stay,
; CHECK-LABEL: @retired_by_one(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @retired_by_one(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %read = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %last)
  store <8 x float> %read, ptr %q
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; what was read before the next one is issued,
; CHECK-LABEL: @read_before(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @read_before(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %read = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %last)
  store <8 x float> %read, ptr %q
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; and an accumulator that goes on.
; CHECK-LABEL: @goes_on(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @goes_on(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  %first = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi <8 x float> [ %first, %entry ], [ %now, %loop ]
  %now = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %last, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  
  ret void
}

; Nor is a descriptor a register that is read late.
; CHECK-LABEL: @descriptor(
; CHECK:       loop:
; CHECK:         call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT:     call <8 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @descriptor(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %d = phi <8 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %tile = phi i64 [ %b, %entry ], [ %tile.next, %loop ]
  %d.next = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a, i64 %tile, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %tile.next = add i64 %tile, 2
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <8 x float> %d.next, ptr %q
  ret void
}

; Of inline assembly that is no intrinsic nothing is promised, nor is known which of its
; operands is the accumulator.
; CHECK-LABEL: @assembly(
; CHECK:       loop:
; CHECK:         wgmma.mma_async
; CHECK-NOT:     wgmma.mma_async
; CHECK:         ret void
define ptx_kernel void @assembly(ptr %p, ptr %q, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %x = phi float [ 0.0, %entry ], [ %x.next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %y.next, %loop ]
  %d = call { float, float } asm sideeffect "@p wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ...", "=f,=f,l,l,0,1"(i64 %a, i64 %b, float %x, float %y)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %x.next = extractvalue { float, float } %d, 0
  %y.next = extractvalue { float, float } %d, 1
  store volatile float %x, ptr %q
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
