; wgmma.fence orders the registers' earlier accesses before wgmma: the PTX ISA
; calls the result undefined if an accumulator or a fragment of A is written
; between the two. What comes before the fence in IR must stay there.
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s
; RUN: opt -O3 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 \
; RUN: | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s

; CHECK-LABEL: .entry zero(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NOT:   mov.b32
; CHECK:       wgmma.mma_async.sp
; CHECK:       ret;
define ptx_kernel void @zero(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta) {
  %d = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> zeroinitializer)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r)
  store <4 x float> %e, ptr addrspace(1) %out, align 4
  ret void
}

; CHECK-LABEL: .entry loaded(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NOT:   {{mov.b32|ld.param.v}}
; CHECK:       wgmma.mma_async.sp
; CHECK:       ret;
define ptx_kernel void @loaded(ptr addrspace(1) %out, <4 x float> %d, <4 x i32> %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> %d, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r)
  store <4 x float> %e, ptr addrspace(1) %out, align 4
  ret void
}

; CHECK-LABEL: .entry computed(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NOT:   {{(mov|mul|add.s32)}}
; CHECK:       wgmma.mma_async.sp
; CHECK:       ret;
define ptx_kernel void @computed(ptr addrspace(1) %out, <4 x float> %x, <4 x i32> %y, i64 %b, i32 %meta) {
  %d = fmul <4 x float> %x, splat(float 3.0)
  %a = add <4 x i32> %y, splat(i32 3)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> %d, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r)
  store <4 x float> %e, ptr addrspace(1) %out, align 4
  ret void
}
