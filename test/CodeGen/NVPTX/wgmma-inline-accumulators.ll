; A function that a kernel with wgmma gives the address of a local variable, which may be its accumulator, is inlined:
; else the accumulator is in local memory. With no wgmma in the kernel, or with another address, it stays a call.
; RUN: opt -S -passes=nvptx-mark-wgmma-callers,inline -inline-threshold=-10 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

define linkonce_odr void @clamp(ptr %p) {
  %v = load <4 x float>, ptr %p
  %above = fcmp ogt <4 x float> %v, splat (float 1.0)
  %clamped = select <4 x i1> %above, <4 x float> splat (float 1.0), <4 x float> %v
  store <4 x float> %clamped, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @clamps(
; CHECK-NOT:   call void @clamp(
; CHECK:       call void @clamp(ptr %p)
; CHECK-NOT:   call void @clamp(
; CHECK:       ret void
define ptx_kernel void @clamps(ptr %p, i64 %a, i64 %b) {
  %acc = alloca <4 x float>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %acc
  call void @clamp(ptr %acc)
  call void @clamp(ptr %p)
  call void @clamp(ptr %acc)
  %e = load <4 x float>, ptr %acc
  store <4 x float> %e, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @clamps_other(
; CHECK:       call void @clamp(ptr %acc)
; CHECK:       ret void
define ptx_kernel void @clamps_other(ptr %p) {
  %acc = alloca <4 x float>
  %v = load <4 x float>, ptr %p
  store <4 x float> %v, ptr %acc
  call void @clamp(ptr %acc)
  %e = load <4 x float>, ptr %acc
  store <4 x float> %e, ptr %p
  ret void
}

; A kernel that multiplies once its functions are inlined does so already.
define linkonce_odr void @multiply(ptr %p, i64 %a, i64 %b) {
  %c = load <4 x float>, ptr %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @clamps_first(
; CHECK-NOT:   call void @clamp(
; CHECK:       ret void
define ptx_kernel void @clamps_first(ptr %p, i64 %a, i64 %b) {
  %acc = alloca <4 x float>
  store <4 x float> zeroinitializer, ptr %acc
  call void @clamp(ptr %acc)
  call void @multiply(ptr %acc, i64 %a, i64 %b)
  %e = load <4 x float>, ptr %acc
  store <4 x float> %e, ptr %p
  ret void
}

; A lambda has the address of what it captures in its closure, and another lambda's variable may be its parameter. What
; a kernel loads from its own parameter is not local.
define linkonce_odr void @step(ptr %closure, ptr %other, i64 %a, i64 %b) {
  %acc = load ptr, ptr %closure
  call void @multiply(ptr %acc, i64 %a, i64 %b)
  call void @clamp(ptr %acc)
  call void @clamp(ptr %other)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @clamps_captured(
; CHECK-NOT:   call void @step(
; CHECK-NOT:   call void @clamp(
; CHECK:       call void @clamp(ptr %global)
; CHECK-NOT:   call void @clamp(
; CHECK:       ret void
define ptx_kernel void @clamps_captured(ptr %p, i64 %a, i64 %b) {
  %acc = alloca <4 x float>
  %other = alloca <4 x float>
  %closure = alloca ptr
  store <4 x float> zeroinitializer, ptr %acc
  store <4 x float> zeroinitializer, ptr %other
  store ptr %acc, ptr %closure
  call void @step(ptr %closure, ptr %other, i64 %a, i64 %b)
  %global = load ptr, ptr %p
  call void @clamp(ptr %global)
  call void @step(ptr %closure, ptr %other, i64 %b, i64 %a)
  %e = load <4 x float>, ptr %acc
  store <4 x float> %e, ptr %p
  ret void
}

; CUTLASS passes the function of its atom on to one that has the registers. Who does so will multiply, too.
define linkonce_odr void @apply(ptr %function, ptr %p, i64 %a, i64 %b) alwaysinline {
  call void %function(ptr %p, i64 %a, i64 %b)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @clamps_applied(
; CHECK-NOT:   call void @clamp(
; CHECK:       ret void
define ptx_kernel void @clamps_applied(ptr %p, i64 %a, i64 %b) {
  %acc = alloca <4 x float>
  store <4 x float> zeroinitializer, ptr %acc
  call void @clamp(ptr %acc)
  call void @apply(ptr @multiply, ptr %acc, i64 %a, i64 %b)
  %e = load <4 x float>, ptr %acc
  store <4 x float> %e, ptr %p
  ret void
}
