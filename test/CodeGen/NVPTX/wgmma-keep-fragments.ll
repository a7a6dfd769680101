; A fragment of A that a loop leaves to its next round is read behind the loop, by a store that is never executed:
; ptxas, as of 13.0, has its registers for another fragment otherwise (random kernels 32017715 and 131172630, on an
; H200). wgmma-keep-fragments-sass.test looks at the machine code.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; RUN: llc %s -o %t.O0.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -O0 -verify-machineinstrs
; RUN: FileCheck %s --check-prefix=O0 --input-file=%t.O0.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.O0.ptx %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32>, <4 x i32>, i64, i1, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)

; As attention with Q in registers does: between its two wgmma, each round waits for V.
; CHECK-LABEL: .entry attention(
; CHECK:       ld.global.v4.b32 [[Q:{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+}]],
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.mma_async.{{.*}}, [[Q]],
; CHECK:       [[BARRIER:\$L__BB[0-9_]+]]:
; CHECK:       bra [[BARRIER]];
; CHECK:       wgmma.mma_async.
; CHECK-NOT:   st.shared
; CHECK:       bra [[LOOP]];
; CHECK-NEXT:  // %bb.
; CHECK-NEXT:  mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK-NEXT:  setp.lt.s32 [[NEVER:%p[0-9]+]], [[ZERO]], 0;
; CHECK-NEXT:  @[[NEVER]] st.shared.v4.b32 {{\[}}[[ZERO]]], [[Q]];
; O0-LABEL:    .entry attention(
; O0:          @{{%p[0-9]+}} st.shared.v4.b32
define ptx_kernel void @attention(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(3) %bar, i64 %k, i64 %v, i32 %rounds) {
entry:
  %q = load <4 x i32>, ptr addrspace(1) %in
  %from.mask = getelementptr i8, ptr addrspace(1) %in, i64 16
  %mask = load <4 x i32>, ptr addrspace(1) %from.mask
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %multiply ]
  %o = phi <4 x float> [ zeroinitializer, %entry ], [ %o.next, %multiply ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %s = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %q, i64 %k, i1 false, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %wait

wait:
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) %bar, i64 0)
  br i1 %done, label %multiply, label %wait

multiply:
  %bits = bitcast <4 x float> %s to <4 x i32>
  %one = shufflevector <4 x i32> %bits, <4 x i32> poison, <4 x i32> splat (i32 3)
  %p = xor <4 x i32> %mask, %one
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %o.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %o, <4 x i32> %p, i64 %v, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %rounds
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %o.next, ptr addrspace(1) %out
  ret void
}

; One element is the same in all rounds, and alone read.
; CHECK-LABEL: .entry written_in_part(
; CHECK:       ld.global.b32 [[LOADED:%r[0-9]+]],
; CHECK:       [[OUTER:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.mma_async.{{.*}}, {{{%r[0-9]+}}, [[LOADED]], {{%r[0-9]+, %r[0-9]+}}},
; CHECK:       bar.sync
; CHECK:       wgmma.mma_async.
; CHECK:       bra [[OUTER]];
; CHECK:       @{{%p[0-9]+}} st.shared.v4.b32 {{.*}}, {[[LOADED]], [[LOADED]], [[LOADED]], [[LOADED]]};
define ptx_kernel void @written_in_part(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %rounds) {
entry:
  %element = getelementptr i8, ptr addrspace(1) %in, i64 400
  %loaded = load i32, ptr addrspace(1) %element
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = phi <4 x i32> [ zeroinitializer, %entry ], [ %e, %latch ]
  %x = add i32 %i, 5
  %y = add i32 %i, 7
  %z = add i32 %i, 8
  %a0 = insertelement <4 x i32> poison, i32 %x, i32 0
  %a1 = insertelement <4 x i32> %a0, i32 %loaded, i32 1
  %a2 = insertelement <4 x i32> %a1, i32 %y, i32 2
  %a3 = insertelement <4 x i32> %a2, i32 %z, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %c, <4 x i32> %a3, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %f = phi <4 x i32> [ %d, %outer ], [ %e, %inner ]
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %j
  %g = load volatile <4 x i32>, ptr addrspace(1) %from
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %f, <4 x i32> %g, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, %rounds
  br i1 %more, label %inner, label %latch

latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %rounds
  br i1 %again, label %outer, label %exit

exit:
  store <4 x i32> %e, ptr addrspace(1) %out
  ret void
}

; Nothing where each round has a fragment of its own, or something reads it behind the loop.
; CHECK-LABEL: .entry others(
; CHECK-NOT:   st.shared
; CHECK:       ret;
; O0-LABEL:    .entry others(
; O0-NOT:      st.shared
; O0:          ret;
define ptx_kernel void @others(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %rounds) {
entry:
  %read = load <4 x i32>, ptr addrspace(1) %in
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x i32> [ zeroinitializer, %entry ], [ %e, %loop ]
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %i
  %own = load volatile <4 x i32>, ptr addrspace(1) %from
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %c, <4 x i32> %own, i64 %b, i1 true, i1 false)
  %e = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %d, <4 x i32> %read, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %rounds
  br i1 %more, label %loop, label %exit

exit:
  store <4 x i32> %e, ptr addrspace(1) %out
  store volatile <4 x i32> %read, ptr addrspace(1) %out
  ret void
}
