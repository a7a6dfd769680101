; ptxas cannot unroll the loops that it must not unroll, since it does not know their tests; see NVPTXHideLoopTests.cpp.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare i32 @llvm.nvvm.read.ptx.sreg.clock()

; The clock that nobody needs after the loop has ptxas unroll it in spite of the pragma: it executes one of the two wgmma,
; and masks the result once (as in random kernel 40013094, on an H100).
; CHECK-LABEL: .entry masked(
; CHECK:       mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK-NEXT:  [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       .pragma "nounroll";
; CHECK-NOT:   %clock_hi
; CHECK:       setp.lt.u32 [[MORE:%p[0-9]+]], {{%r[0-9]+}}, 2;
; CHECK-NEXT:  setp.lt.xor.s32 [[HIDDEN:%p[0-9]+]], [[ZERO]], 0, [[MORE]];
; CHECK-NEXT:  @[[HIDDEN]] bra [[LOOP]];
; CHECK-NOT:   setp.lt.xor
; CHECK:       ret;
define ptx_kernel void @masked(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %keep, <4 x float> %start) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ %start, %entry ], [ %masked, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %masked = select i1 %keep, <4 x float> %f, <4 x float> zeroinitializer
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 2
  br i1 %more, label %loop, label %done

done:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %masked, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %time = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; So has it a loop with a wgmma.fence ahead of its test, also if it does not know the number of rounds.
; CHECK-LABEL: .entry tested_after_fence(
; CHECK:       mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK:       setp.ge.u32 [[DONE:%p[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}};
; CHECK-NEXT:  setp.lt.xor.s32 [[HIDDEN:%p[0-9]+]], [[ZERO]], 0, [[DONE]];
; CHECK-NEXT:  @[[HIDDEN]] bra
; CHECK-NOT:   setp.lt.xor
; CHECK:       ret;
define ptx_kernel void @tested_after_fence(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %keep, <4 x float> %start, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %acc = phi <4 x float> [ %start, %entry ], [ %masked, %body ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %masked = select i1 %keep, <4 x float> %f, <4 x float> zeroinitializer
  %next = add i32 %i, 1
  br label %loop

done:
  %time = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; One zero is enough for both loops, and the test that ends both is negated once.
; CHECK-LABEL: .entry nested(
; CHECK:       mov.u32 [[OF_MOVES:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[OF_MOVES]], [[OF_MOVES]], 31;
; CHECK-NEXT:  mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK-NEXT:  [[OUTER:\$L__BB[0-9_]+]]: {{.*}}// %outer
; CHECK-NOT:   mov.u32 [[ZERO]], %clock_hi;
; CHECK:       [[INNER:\$L__BB[0-9_]+]]: {{.*}}// %inner
; CHECK:       setp.lt.s32 [[STOPS:%p[0-9]+]],
; CHECK:       setp.lt.xor.s32 [[HIDDEN:%p[0-9]+]], [[ZERO]], 0, [[STOPS]];
; CHECK-NEXT:  @[[HIDDEN]] bra
; CHECK:       setp.lt.xor.s32 [[HIDDEN:%p[0-9]+]], [[ZERO]], 0,
; CHECK-NEXT:  @[[HIDDEN]] bra [[INNER]];
; CHECK:       setp.lt.xor.s32 [[HIDDEN:%p[0-9]+]], [[ZERO]], 0,
; CHECK-NEXT:  @[[HIDDEN]] bra [[OUTER]];
; CHECK-NOT:   setp.lt.xor
; CHECK:       ret;
define ptx_kernel void @nested(ptr addrspace(1) %out, i64 %a, i64 %b, <4 x float> %s, <4 x float> %start, ptr addrspace(1) %stop) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %acc.outer = phi <4 x float> [ %start, %entry ], [ %scaled, %latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %rest ]
  %acc = phi <4 x float> [ %acc.outer, %outer ], [ %scaled, %rest ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %scaled = fmul <4 x float> %f, %s
  %flag = load volatile i32, ptr addrspace(1) %stop
  %stops = icmp slt i32 %flag, 0
  br i1 %stops, label %done, label %rest

rest:
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, 7
  br i1 %more, label %inner, label %latch

latch:
  store volatile <4 x float> %scaled, ptr addrspace(1) %out
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, 9
  br i1 %again, label %outer, label %done

done:
  store <4 x float> %scaled, ptr addrspace(1) %out
  ret void
}

; ptxas may unroll a loop that only accumulates, also where the program asks it not to.
; CHECK-LABEL: .entry accumulates(
; CHECK:       .pragma "nounroll";
; CHECK-NOT:   %clock_hi
; CHECK-NOT:   setp.lt.xor
; CHECK:       ret;
define ptx_kernel void @accumulates(ptr addrspace(1) %out, i64 %a, i64 %b, <4 x float> %start) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %desc = phi i64 [ %a, %entry ], [ %desc.next, %loop ]
  %acc = phi <4 x float> [ %start, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %desc, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %desc.next = add i64 %desc, 2
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %done, !llvm.loop !0

done:
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
