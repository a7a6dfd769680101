; Ahead of the first wait of a kernel, ptxas takes what accesses an accumulator while another one is in flight for an
; access to that, and adds a wait (C7517). Such a kernel begins with a wait, which has nothing to wait for.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; CHECK-LABEL: .entry stored_on_a_path(
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK:       bra
; CHECK:       st.global.b32
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @stored_on_a_path(ptr addrspace(1) %out, i64 %b, i1 %store) {
  %start = load volatile <4 x float>, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  %other = load volatile <4 x float>, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %store, label %then, label %join

then:
  %x = extractelement <4 x float> %start, i64 0
  store float %x, ptr addrspace(1) %out
  br label %join

join:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  store volatile <4 x float> %g, ptr addrspace(1) %p
  ret void
}

; The accumulator is scaled while the other one is in flight: in the first round nothing has been waited for.
; CHECK-LABEL: .entry scaled_in_a_loop(
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NOT:   wgmma.wait_group
; CHECK:       mul.rn.f32
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
define ptx_kernel void @scaled_in_a_loop(ptr addrspace(1) %out, i64 %b, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ %start, %entry ], [ %g, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %scale = load volatile <4 x float>, ptr addrspace(1) %p
  %scaled = fmul <4 x float> %sum, %scale
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %scaled, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %f, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  store volatile <4 x float> %g, ptr addrspace(1) %out
  ret void
}

; On one of the paths that meet nothing is in flight, and nothing has been waited for.
; CHECK-LABEL: .entry meets_a_path(
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 1;
define ptx_kernel void @meets_a_path(ptr addrspace(1) %out, i64 %b, i1 %first) {
  %start = load volatile <4 x float>, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  %other = load volatile <4 x float>, ptr addrspace(1) %p
  br i1 %first, label %then, label %join

then:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

join:
  %sum = phi <4 x float> [ %d, %then ], [ %start, %0 ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %g, ptr addrspace(1) %p
  ret void
}

; What is stored is copied to the accumulator: ptxas may have one register for both.
; CHECK-LABEL: .entry stored_and_copied(
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       mov.b32 [[E:%r[0-9]+]], [[A:%r[0-9]+]];
; CHECK:       wgmma.mma_async
; CHECK:       st.global.b32 {{.*}}, [[A]];
; CHECK:       wgmma.mma_async{{.*}} {[[E]],
define ptx_kernel void @stored_and_copied(ptr addrspace(1) %out, i64 %b) {
  %start = load volatile <4 x float>, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  %other = load volatile <4 x float>, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %x = extractelement <4 x float> %start, i64 0
  store float %x, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  store volatile <4 x float> %g, ptr addrspace(1) %p
  ret void
}

; A wait has come before: there is nothing to add.
; CHECK-LABEL: .entry after_a_wait(
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  st.global.b32
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @after_a_wait(ptr addrspace(1) %out, i64 %b) {
  %start = load volatile <4 x float>, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i64 16
  %other = load volatile <4 x float>, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %c)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %x = extractelement <4 x float> %r, i64 0
  store float %x, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %r, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  store volatile <4 x float> %g, ptr addrspace(1) %p
  ret void
}

; Two values that it may start from, on the way into a loop: ptxas takes the second one for written while the wgmma of the
; loop is in flight (C7515).
; CHECK-LABEL: .entry two_starts(
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
define ptx_kernel void @two_starts(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %n) {
entry:
  br label %poll

poll:
  %j = phi i32 [ 0, %entry ], [ %j.next, %poll ]
  %j.next = add i32 %j, 1
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %j
  %v = load volatile i32, ptr addrspace(1) %p
  switch i32 %v, label %ones [
    i32 0, label %head
    i32 1, label %poll
  ]

ones:
  %left = phi i32 [ %n, %poll ], [ %i.next, %body ]
  %start = phi <4 x float> [ splat (float 1.0), %poll ], [ %d, %body ]
  br label %head

head:
  %i = phi i32 [ %n, %poll ], [ %left, %ones ]
  %x = phi <4 x float> [ zeroinitializer, %poll ], [ %start, %ones ]
  %c = icmp eq i32 %i, 0
  br i1 %c, label %done, label %body

body:
  %i.next = add i32 %i, -1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %ones

done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %x)
  store <4 x float> %e, ptr addrspace(1) %out, align 16
  ret void
}

; What is stored has been put together of the registers of 64 bits that the accumulator comes from.
; CHECK-LABEL: .entry stored_as_64_bits(
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK:       st.global.b64
define ptx_kernel void @stored_as_64_bits(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b) {
  %v = load volatile i64, ptr addrspace(1) %in
  %p = getelementptr i8, ptr addrspace(1) %in, i64 8
  %w = load volatile i64, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %in, i64 16
  %other = load volatile <4 x float>, ptr addrspace(1) %q
  %v.0 = insertelement <2 x i64> poison, i64 %v, i64 0
  %v.1 = insertelement <2 x i64> %v.0, i64 %w, i64 1
  %start = bitcast <2 x i64> %v.1 to <4 x float>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  store i64 %v, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  store volatile <4 x float> %g, ptr addrspace(1) %q
  ret void
}

; So has the lower half alone.
; CHECK-LABEL: .entry stored_beside_lower_half(
; CHECK-NOT:   bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async
; CHECK:       st.global.b64
define ptx_kernel void @stored_beside_lower_half(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b) {
  %v = load volatile i64, ptr addrspace(1) %in
  %low = trunc i64 %v to i32
  %x = bitcast i32 %low to float
  %p = getelementptr i8, ptr addrspace(1) %in, i64 16
  %rest = load volatile <4 x float>, ptr addrspace(1) %p
  %start = insertelement <4 x float> %rest, float %x, i64 0
  %q = getelementptr i8, ptr addrspace(1) %in, i64 32
  %other = load volatile <4 x float>, ptr addrspace(1) %q
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  store i64 %v, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  store volatile <4 x float> %g, ptr addrspace(1) %q
  ret void
}
