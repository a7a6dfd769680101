; The protocol is judged in kernels: whatever steps there are, or none. Of other functions, only waits that are added are
; told, and those alone that something calls.
; RUN: llc < %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: FileCheck %s --check-prefix=WARN --implicit-check-not=warning: < %t.err
; Without optimization the first added wait stands for all; a kernel that never commits, or too late, is still told.
; RUN: llc < %s -O0 -o %t.ptx -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --check-prefix=O0 --implicit-check-not=warning: < %t.err

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; Emitted only since it is external: its callers were inlined. It waits all the same.
; CHECK-LABEL: .func step(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       st.v4.b32
define void @step(ptr %d, i64 %a, i64 %b) {
  %c = load <4 x float>, ptr %d
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  store <4 x float> %e, ptr %d
  ret void
}

; WARN: warning: in function multiply: wgmma.mma_async is waited for at once: its accumulator leaves the function while it could be in flight
; O0: warning: in function multiply: wgmma.mma_async is waited for at once: without optimization its accumulator is kept in memory
; CHECK-LABEL: .func {{.*}} multiply(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define <4 x float> @multiply(<4 x float> %c, i64 %a, i64 %b) noinline {
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret <4 x float> %d
}

define ptx_kernel void @calls(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %d = call <4 x float> @multiply(<4 x float> zeroinitializer, i64 %a, i64 %b)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; WARN: warning: in function no_step: wgmma.mma_async is never committed: a return is reached without a wgmma.commit_group; it is committed and waited for at once, since its accumulator is read
; O0: warning: in function no_step: wgmma.mma_async is never committed: a return is reached without a wgmma.commit_group
; CHECK-LABEL: .entry no_step(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       st.global
define ptx_kernel void @no_step(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; The function that is called may have committed it.
; CHECK-LABEL: .entry finished_elsewhere(
define ptx_kernel void @finished_elsewhere(i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @finish()
  ret void
}

define void @finish() noinline {
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; The wait of each round comes before the only commit.
; WARN: warning: in function idle_wait: wgmma.wait_group retires nothing: no wgmma.commit_group comes before it for the wgmma.mma_async in flight
; O0: warning: in function idle_wait: wgmma.wait_group retires nothing: no wgmma.commit_group comes before it for the wgmma.mma_async in flight
; CHECK-LABEL: .entry idle_wait(
define ptx_kernel void @idle_wait(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; What the compiler keeps in local memory is not read by the program before it waits: a wait is added, and the program not
; blamed.
; WARN: warning: in function kept: wgmma.mma_async is waited for at once: its accumulator is kept in local memory
; CHECK-LABEL: .entry kept(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       st.local
define ptx_kernel void @kept(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %slot = alloca <4 x float>, align 16, addrspace(5)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  store volatile <4 x float> %d, ptr addrspace(5) %slot
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = load volatile <4 x float>, ptr addrspace(5) %slot
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; A wgmma in flight goes on as two accumulators where paths meet: it is copied, not read by the program.
; WARN: warning: in function goes_on_twice: wgmma.mma_async is waited for at once: its accumulator is copied while it could be in flight
define ptx_kernel void @goes_on_twice(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %other) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %other, label %multiply, label %join

multiply:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

join:
  %e.or.d = phi <4 x float> [ %d, %0 ], [ %e, %multiply ]
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %g = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e.or.d, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f.out = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  %g.out = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %g)
  store <4 x float> %f.out, ptr addrspace(1) %out
  %out2 = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x float> %g.out, ptr addrspace(1) %out2
  ret void
}

; The program reads it besides: that is told.
; WARN: warning: in function read_besides: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; WARN: warning: in function read_besides: wgmma.mma_async is waited for at once: its accumulator is copied while it could be in flight
define ptx_kernel void @read_besides(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %other) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %other, label %multiply, label %join

multiply:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

join:
  %e.or.d = phi <4 x float> [ %d, %0 ], [ %e, %multiply ]
  %out3 = getelementptr i8, ptr addrspace(1) %out, i64 32
  store <4 x float> %d, ptr addrspace(1) %out3
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %g = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %e.or.d, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f.out = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  %g.out = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %g)
  store <4 x float> %f.out, ptr addrspace(1) %out
  %out2 = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x float> %g.out, ptr addrspace(1) %out2
  ret void
}
