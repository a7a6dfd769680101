; Rounds at the start of a loop that do not multiply as the others do are peeled
; off: then no path that cannot be taken touches a register in flight.
;
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-peel-wgmma-loops | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; All rounds but the first one multiply twice, and let the second one stay.
;
; IR-LABEL: define ptx_kernel void @second_product(
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR:       loop:
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     br
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     br
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
;
; CHECK-LABEL: .entry second_product(
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         wgmma.mma_async
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.mma_async
; CHECK-NOT:     wgmma.wait_group
; CHECK:         wgmma.wait_group.sync.aligned 1;
; CHECK:         st.global
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         ret;
define ptx_kernel void @second_product(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %later = icmp sgt i32 %i, 0
  br i1 %later, label %second, label %first

second:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %latch

first:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %sum.next = phi <4 x float> [ %e, %second ], [ %sum, %first ]
  store volatile <4 x float> %d, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %sum.next, ptr addrspace(1) %out
  ret void
}

; A flag, and one that is compared, tell the first round.
;
; IR-LABEL: define ptx_kernel void @flags(
; IR:         call void @llvm.nvvm.wgmma.fence
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:       loop:
; IR-COUNT-2: call {{.*}}wgmma.mma_async
; IR-NOT:     br i1 %{{[a-z]+}}, label %{{one|two}}
; IR:         ret void
define ptx_kernel void @flags(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %f, %latch ]
  %flag = phi i1 [ true, %entry ], [ false, %latch ]
  %number = phi i32 [ 7, %entry ], [ 3, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %flag, label %two, label %one

one:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %two

two:
  %e = phi <4 x float> [ %d, %one ], [ %acc, %loop ]
  %is = icmp eq i32 %number, 3
  br i1 %is, label %three, label %latch

three:
  %g = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %f = phi <4 x float> [ %g, %three ], [ %e, %two ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; The first two rounds.
;
; IR-LABEL: define ptx_kernel void @two_rounds(
; IR-COUNT-2: call void @llvm.nvvm.wgmma.fence
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:       loop:
; IR-NOT:     br
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @two_rounds(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %later = icmp ugt i32 %i, 1
  br i1 %later, label %product, label %latch

product:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; No wgmma depends on the condition.
;
; IR-LABEL: define ptx_kernel void @only_waits(
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         br i1 %later, label %wait, label %latch
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @only_waits(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %later = icmp ugt i32 %i, 0
  br i1 %later, label %wait, label %latch

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %latch

latch:
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; Nothing is in flight where the paths meet.
;
; IR-LABEL: define ptx_kernel void @waited_for(
; IR:         br i1 %later, label %product, label %latch
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @waited_for(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  %later = icmp ugt i32 %i, 0
  br i1 %later, label %product, label %latch

product:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  store volatile <4 x float> %e, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; The counter wraps: it is 0 in other rounds, too.
;
; IR-LABEL: define ptx_kernel void @wraps(
; IR:         br i1 %is, label %product, label %latch
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @wraps(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %byte = trunc i32 %i to i8
  %is = icmp eq i8 %byte, 0
  br i1 %is, label %product, label %latch

product:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; The same, where it is compared otherwise.
;
; IR-LABEL: define ptx_kernel void @wraps_below(
; IR:         br i1 %is, label %product, label %latch
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @wraps_below(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %byte = trunc i32 %i to i8
  %is = icmp ult i8 %byte, 1
  br i1 %is, label %product, label %latch

product:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; As a number with a sign it is less than 1 in later rounds, too.
;
; IR-LABEL: define ptx_kernel void @becomes_negative(
; IR:         br i1 %is, label %latch, label %product
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @becomes_negative(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %is = icmp slt i32 %i, 1
  br i1 %is, label %latch, label %product

product:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw i32 %i, 1
  %end = icmp uge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; A flag that is the same in all rounds tells none.
;
; IR-LABEL: define ptx_kernel void @same_flag(
; IR:         br i1 %flag, label %latch, label %product
; IR:         call {{.*}}wgmma.mma_async
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
define ptx_kernel void @same_flag(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  %flag = phi i1 [ false, %entry ], [ false, %latch ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %flag, label %latch, label %product

product:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; What must not be duplicated is not.
;
; IR-LABEL: define ptx_kernel void @no_duplicate(
; IR:         "// once"
; IR-NOT:     "// once"
; IR:         ret void
define ptx_kernel void @no_duplicate(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %e, %latch ]
  call void asm sideeffect "// once", ""() #0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %later = icmp ugt i32 %i, 0
  br i1 %later, label %product, label %latch

product:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %latch

latch:
  %e = phi <4 x float> [ %d, %product ], [ %acc, %loop ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add nuw nsw i32 %i, 1
  %end = icmp sge i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

attributes #0 = { noduplicate }

; The first round alone overwrites, in two loops one after the other, whose results
; are read: with it peeled, all multiply in the same registers, and nothing moves.
; Without, each loop would start from a copy of what the other one has left.
;
; IR-LABEL: define ptx_kernel void @overwrites_first(
; IR:         call {{.*}}wgmma.mma_async{{.*}}(<64 x float> poison, {{.*}}, i1 false,
; IR:         call {{.*}}wgmma.mma_async{{.*}}, i1 true,
; IR:         call {{.*}}wgmma.mma_async{{.*}}(<64 x float> poison, {{.*}}, i1 false,
; IR:         call {{.*}}wgmma.mma_async{{.*}}, i1 true,
; IR-NOT:     call {{.*}}wgmma.mma_async
; IR:         ret void
;
; CHECK-LABEL: .entry overwrites_first(
; CHECK-NOT:     lop3
; CHECK:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {[[FIRST:%r[0-9]+]],{{.*}}, 0, 1, 1, 0, 0;
; CHECK:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {[[FIRST]],{{.*}}, 1, 1, 1, 0, 0;
; CHECK-NOT:     lop3
; CHECK:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{{.*}}, 0, 1, 1, 0, 0;
; CHECK:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{{.*}}, 1, 1, 1, 0, 0;
; CHECK-NOT:     lop3
; CHECK:         ret;
define ptx_kernel void @overwrites_first(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = phi <64 x float> [ undef, %entry ], [ %r1, %latch ]
  %sum = phi <64 x float> [ zeroinitializer, %entry ], [ %sum1, %latch ]
  %factor = load volatile float, ptr addrspace(1) %out
  %v = insertelement <64 x float> poison, float %factor, i32 0
  %factors = shufflevector <64 x float> %v, <64 x float> poison, <64 x i32> zeroinitializer
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %loop0

loop0:
  %k0 = phi i32 [ 0, %round ], [ %k0.next, %loop0 ]
  %c0 = phi <64 x float> [ %c, %round ], [ %d0, %loop0 ]
  %adds0 = icmp ne i32 %k0, 0
  %d0 = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> %c0, i64 %a, i64 %b, i1 %adds0, i32 1, i32 1, i1 false, i1 false)
  %k0.next = add nuw nsw i32 %k0, 1
  %end0 = icmp eq i32 %k0.next, 4
  br i1 %end0, label %then, label %loop0

then:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r0 = call <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float> %d0)
  %product0 = fmul <64 x float> %r0, %factors
  %sum0 = fadd <64 x float> %sum, %product0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %loop1

loop1:
  %k1 = phi i32 [ 0, %then ], [ %k1.next, %loop1 ]
  %c1 = phi <64 x float> [ %r0, %then ], [ %d1, %loop1 ]
  %adds1 = icmp ne i32 %k1, 0
  %d1 = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> %c1, i64 %b, i64 %a, i1 %adds1, i32 1, i32 1, i1 false, i1 false)
  %k1.next = add nuw nsw i32 %k1, 1
  %end1 = icmp eq i32 %k1.next, 4
  br i1 %end1, label %latch, label %loop1

latch:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float> %d1)
  %product1 = fmul <64 x float> %r1, %factors
  %sum1 = fadd <64 x float> %sum0, %product1
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end

end:
  store <64 x float> %sum1, ptr addrspace(1) %out
  ret void
}
