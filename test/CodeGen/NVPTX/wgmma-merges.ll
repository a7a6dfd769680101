; An accumulator in flight meets values of other paths: ptxas would take them for written in flight, and serialize
; all wgmma (C7515). It is waited for, with a warning, unless the program does so as the next step.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>%t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err --implicit-check-not=warning
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; WARN: warning: in function at_join: wgmma.mma_async is waited for before paths meet: on another one its accumulator is written
; WARN: warning: in function in_loop: wgmma.mma_async is waited for before paths meet: on another one its accumulator is written
; WARN: warning: in function multiplied_on_other: wgmma.mma_async is waited for before paths meet: on another one its accumulator is written
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; CHECK-LABEL: .entry at_join(
; CHECK:       bra
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  bra.uni
; CHECK:       ld.volatile.global.v4.b32
; CHECK-NOT:   xor.b32
; CHECK:       wgmma.fence
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       st.volatile
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @at_join(ptr addrspace(1) %out, i64 %b, i1 %first) {
  %init = load <4 x float>, ptr addrspace(1) %out
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  %rest = load <4 x float>, ptr addrspace(1) %other
  br i1 %first, label %then, label %else

then:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

else:
  %loaded = load volatile <4 x float>, ptr addrspace(1) %other
  br label %join

join:
  %sum = phi <4 x float> [ %d, %then ], [ %loaded, %else ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %rest, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %g, ptr addrspace(1) %other
  ret void
}

; CHECK-LABEL: .entry in_loop(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       $L__BB{{[0-9]+}}_1:
; CHECK-NOT:   wgmma.wait_group
; CHECK:       st.volatile
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
define ptx_kernel void @in_loop(ptr addrspace(1) %out, i64 %b, i32 %n) {
entry:
  %init = load <4 x float>, ptr addrspace(1) %out
  %other = getelementptr i8, ptr addrspace(1) %out, i64 16
  %rest = load <4 x float>, ptr addrspace(1) %other
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi <4 x float> [ %d, %entry ], [ %scaled, %loop ]
  %acc = phi <4 x float> [ %rest, %entry ], [ %g, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %sum)
  store volatile <4 x float> %f, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %b, i64 %b, i1 true, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  %scaled = fneg <4 x float> %g
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store <4 x float> %scaled, ptr addrspace(1) %out
  store <4 x float> %g, ptr addrspace(1) %other
  ret void
}

; CHECK-LABEL: .entry multiplied_on_other(
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  @%p{{[0-9]+}} bra
; CHECK:       wgmma.mma_async
; CHECK:       not.b32
; CHECK-NOT:   xor.b32
; CHECK:       wgmma.mma_async
define ptx_kernel void @multiplied_on_other(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %p) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> zeroinitializer, i64 %a, i64 %b, i1 true, i1 false)
  br i1 %p, label %other, label %join
other:
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %c, i64 %b, i64 %a, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %d)
  %not = xor <4 x i32> %f, splat (i32 -1)
  br label %join
join:
  %e = phi <4 x i32> [ %c, %entry ], [ %not, %other ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %g = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %e, i64 %b, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %g)
  store <4 x i32> %done, ptr addrspace(1) %out, align 16
  ret void
}

; A loop that may have no rounds, in one that changes the accumulator: the wgmma of the rounds are waited for after them, and on that way alone.
; CHECK-LABEL: .entry scaled_after_rounds(
; CHECK:       [[AFTER:\$L__BB[0-9]+_[0-9]+]]:
; CHECK-NOT:   wgmma
; CHECK:       mul.rn.f32
; CHECK-NOT:   wgmma
; CHECK:       @%p{{[0-9]+}} bra [[AFTER]];
; CHECK:       [[ROUNDS:\$L__BB[0-9]+_[0-9]+]]:
; CHECK:       wgmma.fence
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NOT:   wgmma
; CHECK:       bra [[ROUNDS]];
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  bra.uni [[AFTER]];
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @scaled_after_rounds(ptr addrspace(1) %out, i64 %b, i32 %m, i32 %n, float %s) {
entry:
  %x = insertelement <4 x float> poison, float %s, i64 0
  %scale = shufflevector <4 x float> %x, <4 x float> poison, <4 x i32> zeroinitializer
  br label %outer

outer:
  %t = phi i32 [ 0, %entry ], [ %t.next, %after ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %scaled, %after ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %none = icmp eq i32 %m, 0
  br i1 %none, label %after, label %rounds

rounds:
  %i = phi i32 [ 0, %outer ], [ %i.next, %rounds ]
  %c = phi <4 x float> [ %d, %outer ], [ %e, %rounds ]
  %wide = zext i32 %i to i64
  %a = add i64 %b, %wide
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %m
  br i1 %more, label %rounds, label %after

after:
  %f = phi <4 x float> [ %d, %outer ], [ %e, %rounds ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  %scaled = fmul <4 x float> %g, %scale
  %t.next = add i32 %t, 1
  %again = icmp ult i32 %t.next, %n
  br i1 %again, label %outer, label %done

done:
  store <4 x float> %scaled, ptr addrspace(1) %out
  ret void
}

; One or the other accumulator: both start ahead of where the paths part, from zeros that LLVM has sunk.
; CHECK-LABEL: .entry one_or_other(
; CHECK-COUNT-8: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{[0-9]+}}, 0, 0x6a;
; CHECK-NOT:   lop3
; CHECK:       bra
; CHECK-NOT:   lop3
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.commit_group
; CHECK:       bra
define ptx_kernel void @one_or_other(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %which, i1 %all) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %which, label %first, label %second

first:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %join

second:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %join

join:
  %x = phi <4 x float> [ %d, %first ], [ zeroinitializer, %second ]
  %y = phi <4 x float> [ zeroinitializer, %first ], [ %e, %second ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %all, label %wait, label %go

wait:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %last

go:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  br label %last

last:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  %h = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %y)
  %sum = fadd <4 x float> %g, %h
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}
