; A loop on one of several paths leaves wgmma in flight, and other paths meet it. The accumulator it starts from is
; written on its path alone. ptxas would take that for written in flight, and serialize all wgmma (C7515).
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>%t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err --allow-empty
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; A wait comes before it, which has nothing to wait for.
; CHECK-LABEL: .entry starts_in_loop(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  bra.uni
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       add.rn.f32
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
define ptx_kernel void @starts_in_loop(ptr addrspace(1) %out, i64 %a, i1 %c, i32 %n) {
entry:
  %x = load <4 x float>, ptr addrspace(1) %out
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  %y = load <4 x float>, ptr addrspace(1) %other
  br i1 %c, label %once, label %scale

once:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

scale:
  %s = fadd <4 x float> %x, splat (float 1.0)
  br label %loop

loop:
  %i = phi i32 [ 0, %scale ], [ %next, %loop ]
  %acc = phi <4 x float> [ %s, %scale ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %join

join:
  %sum = phi <4 x float> [ %d, %once ], [ %e, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store <4 x float> %g, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %h = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store <4 x float> %h, ptr addrspace(1) %other
  ret void
}

; None where another wgmma is in flight ahead of the loop: with it there would be a note.
; CHECK-LABEL: .entry entered_in_flight(
; CHECK:       bra
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ld.volatile
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @entered_in_flight(ptr addrspace(1) %out, i64 %a, i1 %c, i32 %n) {
entry:
  %x = load <4 x float>, ptr addrspace(1) %out
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  %y = load <4 x float>, ptr addrspace(1) %other
  br i1 %c, label %start, label %join

start:
  %s = load volatile <4 x float>, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %loop

loop:
  %i = phi i32 [ 0, %start ], [ %next, %body ]
  %acc = phi <4 x float> [ %s, %start ], [ %e, %body ]
  %done = icmp eq i32 %i, %n
  br i1 %done, label %join, label %body

body:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %next = add i32 %i, 1
  br label %loop

join:
  %sum = phi <4 x float> [ %x, %entry ], [ %acc, %loop ]
  %rest = phi <4 x float> [ %y, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store <4 x float> %g, ptr addrspace(1) %out
  %h = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %rest)
  store <4 x float> %h, ptr addrspace(1) %other
  ret void
}

; A loop that begins with its test is waited for where it is left: all threads come to it, and, in each round that
; follows, to a wgmma.
; CHECK-LABEL: .entry left_at_start(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  bra.uni [[JOIN:\$L__BB[0-9_]+]];
; CHECK:       add.rn.f32
; CHECK:       setp.eq
; CHECK-NEXT:  bra [[EXIT:\$L__BB[0-9_]+]];
; CHECK:       wgmma.mma_async
; CHECK:       bra.uni
; CHECK:       [[EXIT]]:
; CHECK-NEXT:  wgmma.fence
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  [[JOIN]]:
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @left_at_start(ptr addrspace(1) %out, i64 %a, i1 %c, i32 %n) {
entry:
  %x = load <4 x float>, ptr addrspace(1) %out
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  %y = load <4 x float>, ptr addrspace(1) %other
  br i1 %c, label %once, label %scale

once:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %join

scale:
  %s = fadd <4 x float> %x, splat (float 1.0)
  br label %loop

loop:
  %i = phi i32 [ 0, %scale ], [ %next, %body ]
  %acc = phi <4 x float> [ %s, %scale ], [ %e, %body ]
  %done = icmp eq i32 %i, %n
  br i1 %done, label %join, label %body

body:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %next = add i32 %i, 1
  br label %loop

join:
  %sum = phi <4 x float> [ %x, %once ], [ %acc, %loop ]
  %rest = phi <4 x float> [ %d, %once ], [ %y, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store <4 x float> %g, ptr addrspace(1) %out
  %h = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %rest)
  store <4 x float> %h, ptr addrspace(1) %other
  ret void
}
