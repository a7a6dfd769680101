; llvm.nvvm.wgmma.fence_operand holds a value in its registers across what is
; asynchronous, and prints nothing.
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefixes=CHECK,OPT
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s
; RUN: opt -O3 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefixes=CHECK,OPT

; The same for dense wgmma.
; RUN: %python %S/wgmma-dense.py %s > %t.dense.ll
; RUN: llc %t.dense.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.dense.ll --check-prefixes=CHECK,OPT
; RUN: llc -O0 %t.dense.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.dense.ll
; RUN: opt -O3 %t.dense.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.dense.ll --check-prefixes=CHECK,OPT

; Without wgmma the value passes through it, and no pseudo instruction is left.
; RUN: sed -n 's/^;IR //p' %s > %t.without.ll
; RUN: llc %t.without.ll -o - -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx80 -verify-machineinstrs | FileCheck %s --check-prefix=WITHOUT
; RUN: llc -O0 %t.without.ll -o - -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs | FileCheck %s --check-prefix=WITHOUT
; WITHOUT:      ld.global.b32 [[VALUE:%r[0-9]+]],
; WITHOUT-NEXT: st.global.b32 {{.*}}, [[VALUE]];
;IR declare float @llvm.nvvm.wgmma.fence_operand.f32(float)
;IR define ptx_kernel void @without(ptr addrspace(1) %p) {
;IR   %a = load float, ptr addrspace(1) %p
;IR   %b = call float @llvm.nvvm.wgmma.fence_operand.f32(float %a)
;IR   %q = getelementptr float, ptr addrspace(1) %p, i64 1
;IR   store float %b, ptr addrspace(1) %q
;IR   ret void
;IR }

; It takes every accumulator type, and costs no instruction.
; RUN: %python %S/wgmma.py --fence-operand > %t.ll
; RUN: llc %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope --implicit-check-not=mov --implicit-check-not=wgmma

; A use of the result cannot come before the wait.
; CHECK-LABEL: .entry use_after_wait(
; CHECK:       wgmma.mma_async.sp{{.*}} {[[D0:%r[0-9]+]],
; CHECK-NOT:   mul
; CHECK:       wgmma.wait_group.sync.aligned 0;
; OPT:         mul{{.*}}[[D0]]{{[,;]}}
; CHECK:       st.global
define ptx_kernel void @use_after_wait(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, float %f) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %e0 = extractelement <4 x float> %e, i32 0
  %m = fmul float %e0, %f
  store float %m, ptr addrspace(1) %out
  ret void
}

; A register by itself, as programs have it that pass each by reference.
; CHECK-LABEL: .entry use_of_register(
; CHECK:       wgmma.mma_async.sp{{.*}} {{{%r[0-9]+}}, {{%r[0-9]+}}, [[D2:%r[0-9]+]],
; CHECK-NOT:   mul
; CHECK:       wgmma.wait_group.sync.aligned 0;
; OPT:         mul{{.*}}[[D2]]{{[,;]}}
; CHECK:       st.global
define ptx_kernel void @use_of_register(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, float %f) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d2 = extractelement <4 x float> %d, i32 2
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call float @llvm.nvvm.wgmma.fence_operand.f32(float %d2)
  %m = fmul float %e, %f
  store float %m, ptr addrspace(1) %out
  ret void
}

; The same in different blocks, where nothing but the intrinsic says so.
; CHECK-LABEL: .entry use_in_later_block(
; CHECK:       wgmma.mma_async.sp{{.*}} {[[D0:%r[0-9]+]],
; CHECK-NOT:   mul
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       mul
; CHECK:       st.global
define ptx_kernel void @use_in_later_block(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, float %f, i1 %c) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  br i1 %c, label %then, label %exit
then:
  %e0 = extractelement <4 x float> %e, i32 0
  %m = fmul float %e0, %f
  store float %m, ptr addrspace(1) %out
  br label %exit
exit:
  ret void
}

; While wgmma reads a fragment of A, no instruction touches its registers: the
; next one is loaded into others, although the loop has to copy it then.
; CHECK-LABEL: .entry fragment_in_flight(
; CHECK:       Loop Header
; CHECK:       wgmma.mma_async.sp{{.*}}, {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]},
; CHECK-NOT:   [[A0]]{{[^0-9]}}
; CHECK-NOT:   [[A1]]{{[^0-9]}}
; CHECK-NOT:   [[A2]]{{[^0-9]}}
; CHECK-NOT:   [[A3]]{{[^0-9]}}
; CHECK:       ld.shared.v4.b32
; CHECK-NOT:   [[A0]]{{[^0-9]}}
; CHECK-NOT:   [[A1]]{{[^0-9]}}
; CHECK-NOT:   [[A2]]{{[^0-9]}}
; CHECK-NOT:   [[A3]]{{[^0-9]}}
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
define ptx_kernel void @fragment_in_flight(ptr addrspace(1) %out, ptr addrspace(3) %smem, i64 %b, i32 %meta, i32 %count) {
entry:
  %first = load <4 x i32>, ptr addrspace(3) %smem, align 16
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x i32> [ %first, %entry ], [ %a.next, %loop ]
  %p = phi ptr addrspace(3) [ %smem, %entry ], [ %p.next, %loop ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.out = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> %d, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %p.next = getelementptr i8, ptr addrspace(3) %p, i32 2048
  %a.next = load <4 x i32>, ptr addrspace(3) %p.next, align 16
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d.out)
  %a.done = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %a)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  store <4 x float> %d.next, ptr addrspace(1) %out, align 4
  ret void
}

; Straight-line code as well: the register is not free before the last use.
; CHECK-LABEL: .entry fragment_in_flight_straight(
; CHECK:       wgmma.mma_async.sp{{.*}}, {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]},
; CHECK-NOT:   [[A0]]{{[^0-9]}}
; CHECK-NOT:   [[A1]]{{[^0-9]}}
; CHECK-NOT:   [[A2]]{{[^0-9]}}
; CHECK-NOT:   [[A3]]{{[^0-9]}}
; CHECK:       ld.shared.v4.b32
; CHECK-NOT:   [[A0]]{{[^0-9]}}
; CHECK-NOT:   [[A1]]{{[^0-9]}}
; CHECK-NOT:   [[A2]]{{[^0-9]}}
; CHECK-NOT:   [[A3]]{{[^0-9]}}
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
define ptx_kernel void @fragment_in_flight_straight(ptr addrspace(1) %out, ptr addrspace(3) %smem, i64 %b, i32 %meta, i32 %count) {
  %a = load <4 x i32>, ptr addrspace(3) %smem, align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %p.next = getelementptr i8, ptr addrspace(3) %smem, i32 2048
  %a.next = load <4 x i32>, ptr addrspace(3) %p.next, align 16
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %a.done = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %a)
  store <4 x i32> %a.next, ptr addrspace(1) %out, align 4
  %out2 = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x float> %e, ptr addrspace(1) %out2, align 4
  ret void
}
