; An accumulator that the first wgmma of a loop overwrites starts from 0 where a
; ptxas may assemble the PTX that needs it: 12.4 does. And one that a loop
; overwrites after it has read what the last round has left in it is overwritten
; by a predicate of which ptxas knows nothing, if it is small.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx84 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: FileCheck %s --input-file=%t.ptx --check-prefix=IN-PART
; RUN: llc < %s -O0 -mcpu=sm_90a -mattr=+ptx84 -verify-machineinstrs -o %t.O0.ptx
; RUN: FileCheck %s --input-file=%t.O0.ptx --check-prefix=O0
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx90 -verify-machineinstrs -o %t.new.ptx
; RUN: FileCheck %s --input-file=%t.new.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.4 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
; RUN: %if ptxas-sm_90a && ptxas-isa-9.0 %{ %ptxas-verify -arch=sm_90a < %t.new.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; So it does without optimization: what assembles the PTX may optimize, and takes what
; one round leaves in it for the same in all.
; O0-LABEL: .entry overwrites(
; O0-NOT:   implicit-def
; O0:       mov.b32 %r{{[0-9]+}}, 0;
; O0-NEXT:  mov.b32 %r{{[0-9]+}}, 0;
; O0-NEXT:  mov.b32 %r{{[0-9]+}}, 0;
; O0-NEXT:  mov.b32 %r{{[0-9]+}}, 0;
; O0-NOT:   implicit-def
; O0:       // %loop
; O0-LABEL: .entry once(
;
; CHECK-LABEL: .entry overwrites(
; CHECK-COUNT-4: lop3.b32 %r{{[0-9]+}}, {{.*}}, 0, 0x6a;
; CHECK-NOT:     implicit-def
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NOT:   mov
; CHECK:       wgmma.mma_async
; CHECK:       ret;
define ptx_kernel void @overwrites(ptr %p, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ poison, %entry ], [ %d, %loop ]
  %adds = icmp ne i32 %i, %n
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i32 %i, -1
  %done = icmp eq i32 %i.next, 0
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}

; No loop, no need.
; CHECK-LABEL: .entry once(
; CHECK-NOT:   lop3.b32
; CHECK:       wgmma.mma_async
; CHECK:       ret;
define ptx_kernel void @once(ptr %p, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}

; The last round's result is stored before it is overwritten.
; CHECK-LABEL: .entry carried(
; CHECK:       wgmma.mma_async{{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @carried(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %a, i64 %b, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ %start, %entry ], [ %f, %loop ]
  store volatile <4 x float> %c, ptr addrspace(1) %q
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %f, ptr addrspace(1) %q
  ret void
}

; Nothing reads it but behind the loop.
; CHECK-LABEL: .entry not_read(
; CHECK:       wgmma.mma_async{{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @not_read(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %a, i64 %b, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ %start, %entry ], [ %f, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %f, ptr addrspace(1) %q
  ret void
}

; The registers are worth more.
; CHECK-LABEL: .entry large(
; CHECK:       wgmma.mma_async{{.*}}, 0, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @large(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %a, i64 %b, i32 %n) {
entry:
  %start = load <64 x float>, ptr addrspace(1) %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <64 x float> [ %start, %entry ], [ %f, %loop ]
  store volatile <64 x float> %c, ptr addrspace(1) %q
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> %c, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float> %d)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <64 x float> %f, ptr addrspace(1) %q
  ret void
}

; Of large ones only those that start from a value.
; CHECK-LABEL: .entry large_from_nothing(
; CHECK:       wgmma.mma_async{{.*}}, 0, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @large_from_nothing(ptr addrspace(1) %q, i64 %a, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %start = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <64 x float> [ %start, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <64 x float> %d, ptr addrspace(1) %q
  ret void
}

; The result goes on, though the wgmma starts from nothing.
; CHECK-LABEL: .entry carried_alone(
; CHECK:       wgmma.mma_async{{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @carried_alone(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %a, i64 %b, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ %start, %entry ], [ %f, %loop ]
  store volatile <4 x float> %c, ptr addrspace(1) %q
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %f, ptr addrspace(1) %q
  ret void
}

; The accumulator's old value is read, and comes from elsewhere.
; CHECK-LABEL: .entry read_alone(
; CHECK:       wgmma.mma_async{{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @read_alone(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %a, i64 %b, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ %start, %entry ], [ %loaded, %loop ]
  store volatile <4 x float> %c, ptr addrspace(1) %q
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %f, ptr addrspace(1) %q
  %loaded = load volatile <4 x float>, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %f, ptr addrspace(1) %q
  ret void
}

; Whether it adds is known when it runs: the accumulator has a value below PTX 9.0, as ptxas 12.4 wants it.
; CHECK-LABEL: .entry adds_perhaps(
; CHECK-COUNT-4: lop3.b32 %r{{[0-9]+}}, {{.*}}, 0, 0x6a;
; CHECK:       wgmma.mma_async{{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
; CHECK:       ret;
define ptx_kernel void @adds_perhaps(ptr %p, i64 %a, i64 %b, i32 %n) {
  %adds = icmp eq i32 %n, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}

; So do single elements that have none.
; CHECK-LABEL: .entry adds_perhaps_in_part(
; CHECK-NOT:   ret;
; CHECK:       lop3.b32 %r{{[0-9]+}}, {{.*}}, 1065353216, 0x6a;
; CHECK:       wgmma.mma_async{{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
; CHECK:       ret;
; IN-PART-LABEL: .entry adds_perhaps_in_part(
; IN-PART-COUNT-3: lop3.b32 %r{{[0-9]+}}, {{.*}}, 0, 0x6a;
; IN-PART:     wgmma.mma_async
define ptx_kernel void @adds_perhaps_in_part(ptr %p, i64 %a, i64 %b, i32 %n) {
  %adds = icmp eq i32 %n, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> <float poison, float 1.0, float poison, float poison>, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}

; The first that uses the accumulator in a round is no wgmma: 12.4 takes it for written in the loop as well.
; CHECK-LABEL: .entry scales_first(
; CHECK-NOT:     implicit-def
; CHECK:       add.rn.f32
; CHECK:       wgmma.mma_async
; CHECK:       ret;
define ptx_kernel void @scales_first(ptr %p, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ poison, %entry ], [ %done.d, %loop ]
  %scaled = fmul <4 x float> %c, splat (float 2.0)
  %adds = icmp ne i32 %i, %n
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %scaled, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done.d = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %i.next = add i32 %i, -1
  %done = icmp eq i32 %i.next, 0
  br i1 %done, label %exit, label %loop

exit:
  store <4 x float> %done.d, ptr %p
  ret void
}

; A phi of a result, too, that a select passes on to the wgmma of some rounds.
; CHECK-LABEL: .entry selects_first(
; CHECK-NOT:     implicit-def
; CHECK:       selp.f32
; CHECK:       wgmma.mma_async
; CHECK:       ret;
define ptx_kernel void @selects_first(ptr %p, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ poison, %entry ], [ %done.d, %loop ]
  %odd = trunc i32 %i to i1
  %start = select i1 %odd, <4 x float> %c, <4 x float> splat (float 1.0)
  %adds = icmp ne i32 %i, %n
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done.d = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %i.next = add i32 %i, -1
  %done = icmp eq i32 %i.next, 0
  br i1 %done, label %exit, label %loop

exit:
  store <4 x float> %done.d, ptr %p
  ret void
}

; What is frozen has no value, either.
; CHECK-LABEL: .entry frozen(
; CHECK-COUNT-4: lop3.b32 %r{{[0-9]+}}, {{.*}}, 0, 0x6a;
; CHECK-NOT:     implicit-def
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NOT:   mov
; CHECK:       wgmma.mma_async
; CHECK:       ret;
define ptx_kernel void @frozen(ptr %p, i64 %a, i64 %b, i32 %n) {
entry:
  %start = freeze <4 x float> poison
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ %start, %entry ], [ %d, %loop ]
  %adds = icmp ne i32 %i, %n
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 %adds, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i32 %i, -1
  %done = icmp eq i32 %i.next, 0
  br i1 %done, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}
